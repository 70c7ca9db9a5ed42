//! Picture files: PNG and JPEG.

use super::picture::Picture;
use crate::error::PictureProblem;
use linkshift_io::guarded;
use png::{ColorType, Decoder, DecodingError, Transformations};
use std::io::{Cursor, ErrorKind};
use std::path::Path;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;

/// Pixels at most: more than any camera makes, and 1 GB in memory. A few bytes can promise more.
const MOST_PIXELS: usize = 1 << 28;

impl Picture {
    /// Reads a PNG or JPEG file; which of them it is, its first bytes say.
    pub fn read(path: &Path) -> Result<Self, PictureProblem> {
        if path.as_os_str().is_empty() {
            return Err(PictureProblem::NoName);
        }
        let bytes = std::fs::read(path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => PictureProblem::NotFound,
            _ => PictureProblem::Read { reason: error.to_string() },
        })?;
        Self::from_bytes(&bytes)
    }

    /// A PNG or JPEG picture in memory.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, PictureProblem> {
        let decode = if bytes.starts_with(b"\x89PNG") {
            png
        } else if bytes.starts_with(&[0xff, 0xd8]) {
            jpeg
        } else {
            return Err(PictureProblem::UnknownFormat);
        };
        let decoded = guarded(|| decode(bytes));
        decoded.unwrap_or_else(|| Err(damaged("its parts do not fit together")))
    }
}

fn png(bytes: &[u8]) -> Result<Picture, PictureProblem> {
    let wrong = |error: DecodingError| damaged(&error.to_string());
    let mut decoder = Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    let mut reader = decoder.read_info().map_err(wrong)?;
    let (width, height) = (reader.info().width as usize, reader.info().height as usize);
    allow(width, height)?;
    let size = reader.output_buffer_size().ok_or_else(|| damaged("its size overflows"))?;
    let mut values = vec![0; size];
    let info = reader.next_frame(&mut values).map_err(wrong)?;
    values.truncate(info.buffer_size());
    let colors = match info.color_type {
        ColorType::Grayscale => values.into_iter().map(|gray| [gray; 3]).collect(),
        ColorType::GrayscaleAlpha => {
            values.as_chunks().0.iter().map(|&[gray, alpha]| on_white([gray; 3], alpha)).collect()
        }
        ColorType::Rgba => values
            .as_chunks()
            .0
            .iter()
            .map(|&[r, g, b, alpha]| on_white([r, g, b], alpha))
            .collect(),
        _ => values.as_chunks().0.to_vec(),
    };
    Picture::new(width, height, colors)
}

/// What is transparent lies on white.
fn on_white(color: [u8; 3], alpha: u8) -> [u8; 3] {
    let alpha = u32::from(alpha);
    color.map(|value| ((u32::from(value) * alpha + 255 * (255 - alpha) + 127) / 255) as u8)
}

fn jpeg(bytes: &[u8]) -> Result<Picture, PictureProblem> {
    let options = DecoderOptions::default().jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = JpegDecoder::new_with_options(Cursor::new(bytes), options);
    decoder.decode_headers().map_err(|error| damaged(&error.to_string()))?;
    let (width, height) = decoder.dimensions().ok_or_else(|| damaged("it has no size"))?;
    allow(width, height)?;
    let values = decoder.decode().map_err(|error| damaged(&error.to_string()))?;
    let colors = values.as_chunks().0.to_vec();
    if colors.len() != width * height {
        return Err(damaged("it has fewer pixels than it says"));
    }
    Picture::new(width, height, colors)
}

fn allow(width: usize, height: usize) -> Result<(), PictureProblem> {
    match width.checked_mul(height) {
        Some(n_pixels) if n_pixels <= MOST_PIXELS => Ok(()),
        _ => Err(PictureProblem::TooLarge { width, height }),
    }
}

/// In the decoder's words, on one line.
fn damaged(reason: &str) -> PictureProblem {
    let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
    PictureProblem::Damaged { reason }
}
