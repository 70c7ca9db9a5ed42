//! The pictures of rows: from files below one folder, or from memory.

use crate::error::{Result, StudioError};
use std::fs;
use std::path::{Path, PathBuf};

/// A larger file is no picture of an item.
const MOST_BYTES: u64 = 64 << 20;

/// Where the pictures of rows come from.
#[derive(Debug)]
pub enum Pictures {
    /// Files; names that are not absolute are relative to the folder, and nothing outside of it is
    /// ever given out.
    Files {
        /// The folder.
        folder: PathBuf,
        /// One name per row.
        names: Vec<String>,
    },
    /// Pixels of 8 bits, all pictures of one size.
    Pixels {
        /// Pixels of a line.
        width: usize,
        /// Lines.
        height: usize,
        /// 1 is grey, 3 is red, green and blue.
        n_channels: usize,
        /// All pixels, picture by picture, line by line.
        values: Vec<u8>,
    },
    /// Whole files in memory.
    Bytes(Vec<Vec<u8>>),
}

/// A picture as it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Its media type.
    pub kind: &'static str,
    /// The file.
    pub bytes: Vec<u8>,
}

impl Pictures {
    /// The picture of a row.
    pub fn of_row(&self, row: usize) -> Result<Picture> {
        let bytes = match self {
            Pictures::Files { folder, names } => read(folder, name_of(names, row)?, row)?,
            Pictures::Bytes(all) => all.get(row).cloned().ok_or_else(|| no_such(row))?,
            Pictures::Pixels { width, height, n_channels, values } => {
                let size = width * height * n_channels;
                let pixels =
                    values.get(row * size..(row + 1) * size).ok_or_else(|| no_such(row))?;
                encode(pixels, *width, *height, *n_channels)?
            }
        };
        let kind = kind_of(&bytes).ok_or_else(|| {
            StudioError::missing(format!(
                "the file of row {row} is no picture that browsers show (PNG, JPEG, GIF, WebP, SVG)"
            ))
        })?;
        Ok(Picture { kind, bytes })
    }
}

fn no_such(row: usize) -> StudioError {
    StudioError::missing(format!("row {row} has no picture"))
}

fn name_of(names: &[String], row: usize) -> Result<&str> {
    let name = names.get(row).filter(|name| !name.is_empty());
    name.map(String::as_str).ok_or_else(|| no_such(row))
}

/// Reads a file that must lie below the folder, whatever links and dots its name has.
fn read(folder: &Path, name: &str, row: usize) -> Result<Vec<u8>> {
    let unreadable = |error: std::io::Error| {
        StudioError::missing(format!("the picture of row {row} cannot be read: {error}"))
    };
    let folder = fs::canonicalize(folder).map_err(unreadable)?;
    let path = fs::canonicalize(folder.join(name)).map_err(unreadable)?;
    if !path.starts_with(&folder) {
        return Err(StudioError::missing(format!(
            "the picture of row {row} lies outside the folder of the data: move it there"
        )));
    }
    let about = fs::metadata(&path).map_err(unreadable)?;
    if !about.is_file() || about.len() > MOST_BYTES {
        return Err(StudioError::missing(format!(
            "the picture of row {row} is no file below 64 MB"
        )));
    }
    fs::read(&path).map_err(unreadable)
}

/// What a file is, by how it begins; its name says nothing.
fn kind_of(bytes: &[u8]) -> Option<&'static str> {
    let is_svg = || {
        let head = String::from_utf8_lossy(&bytes[..bytes.len().min(1_000)]).to_lowercase();
        let head = head.trim_start_matches('\u{feff}').trim_start();
        head.starts_with("<svg") || head.starts_with("<?xml") && head.contains("<svg")
    };
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ if is_svg() => Some("image/svg+xml"),
        _ => None,
    }
}

fn encode(pixels: &[u8], width: usize, height: usize, n_channels: usize) -> Result<Vec<u8>> {
    let failed = |error: png::EncodingError| StudioError::inside(error.to_string());
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width as u32, height as u32);
    encoder.set_color(if n_channels == 1 {
        png::ColorType::Grayscale
    } else {
        png::ColorType::Rgb
    });
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().map_err(failed)?;
    writer.write_image_data(pixels).map_err(failed)?;
    writer.finish().map_err(failed)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SVG: &[u8] = b"<svg xmlns='http://www.w3.org/2000/svg'/>";

    #[test]
    fn files_outside_the_folder_are_never_given_out() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("data");
        fs::create_dir(&folder).unwrap();
        let secret = outer.path().join("secret.svg");
        fs::write(&secret, SVG).unwrap();
        fs::write(folder.join("a & <b>.svg"), SVG).unwrap();
        let mut names: Vec<String> = [
            "a & <b>.svg",
            "../secret.svg",
            "./../data/../secret.svg",
            "",
            ".",
            "none.svg",
            "a\0b",
        ]
        .map(String::from)
        .to_vec();
        names.push(secret.display().to_string());
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&secret, folder.join("link.svg")).unwrap();
            names.push("link.svg".into());
        }
        let n = names.len();
        let pictures = Pictures::Files { folder, names };
        assert_eq!(pictures.of_row(0).unwrap().kind, "image/svg+xml");
        for row in 1..n + 2 {
            let text = pictures.of_row(row).unwrap_err().to_string();
            assert!(!text.contains("secret"), "{text}");
        }
    }

    #[test]
    fn what_is_no_picture_is_not_sent() {
        let pictures = Pictures::Bytes(vec![b"<html><script>alert(1)</script>".to_vec(), vec![]]);
        assert!(pictures.of_row(0).is_err());
        assert!(pictures.of_row(1).is_err());
    }

    #[test]
    fn pixels_become_a_png() {
        let values = (0..2 * 12).collect();
        let pictures = Pictures::Pixels { width: 2, height: 2, n_channels: 3, values };
        assert_eq!(pictures.of_row(1).unwrap().kind, "image/png");
        assert!(pictures.of_row(2).is_err());
    }
}
