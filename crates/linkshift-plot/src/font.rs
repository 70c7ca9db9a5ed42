//! The one font: compiled in, so that pictures need nothing installed.

use crate::error::PlotError;
use plotters::prelude::{FontStyle, IntoFont, IntoTextStyle, TextStyle};
use plotters::style::{FontDesc, RGBColor, register_font};

/// Noto Sans, under the Apache licence.
pub(crate) const BYTES: &[u8] = ttf_noto_sans::REGULAR;

/// The name that the font gives itself.
pub(crate) const NAME: &str = "Noto Sans";

/// The family written into an SVG: every viewer has one.
pub(crate) const FAMILY: &str = "sans-serif";

/// Makes the font known to the drawing library, which measures text with it.
pub(crate) fn register() -> Result<(), PlotError> {
    register_font(FAMILY, FontStyle::Normal, BYTES)
        .map_err(|_| PlotError::draw("the built-in font is damaged"))
}

/// The font at a size in pixels.
pub(crate) fn font(size: u32) -> FontDesc<'static> {
    (FAMILY, size).into_font()
}

/// The font at a size and in a colour.
pub(crate) fn style(size: u32, color: &'static RGBColor) -> TextStyle<'static> {
    font(size).into_text_style(&(0, 0)).color(color)
}

/// How wide a text is, in pixels.
pub(crate) fn width(text: &str, size: u32) -> u32 {
    // Measuring fails only without a registered font; a guess then keeps the picture usable.
    font(size).box_size(text).map_or(text.len() as u32 * size / 2, |(width, _)| width)
}

/// The text cut to a width, with an ellipsis where it was cut; control characters become blanks,
/// because XML cannot hold them.
pub(crate) fn fit(text: &str, size: u32, most: u32) -> String {
    let mut text: String =
        text.chars().map(|char| if char.is_control() { ' ' } else { char }).collect();
    if width(&text, size) <= most {
        return text;
    }
    while !text.is_empty() && width(&text, size) + width("…", size) > most {
        text.pop();
    }
    text + "…"
}

/// A count with its thousands apart: 12,345.
pub(crate) fn count(n: usize) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
