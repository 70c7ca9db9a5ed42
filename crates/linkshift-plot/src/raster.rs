//! From SVG to PNG.

use crate::error::PlotError;
use crate::font;
use resvg::{tiny_skia, usvg};

/// The SVG rasterised pixel for pixel.
pub(crate) fn png(svg: &str) -> Result<Vec<u8>, PlotError> {
    let mut options = usvg::Options::default();
    let fonts = options.fontdb_mut();
    fonts.load_font_data(font::BYTES.to_vec());
    fonts.set_sans_serif_family(font::NAME);
    let tree = usvg::Tree::from_str(svg, &options).map_err(PlotError::draw)?;
    let size = tree.size().to_int_size();
    let mut pixels = tiny_skia::Pixmap::new(size.width(), size.height())
        .ok_or_else(|| PlotError::draw("it has no size"))?;
    resvg::render(&tree, tiny_skia::Transform::identity(), &mut pixels.as_mut());
    pixels.encode_png().map_err(PlotError::draw)
}
