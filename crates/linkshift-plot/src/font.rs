//! The one font: compiled in, so that pictures need nothing installed.
//!
//! Letters are set one after the other by their own widths. That is all that labels in a picture
//! need; ligatures and scripts that join letters would need a shaping library.

use crate::canvas::Xy;
use std::sync::LazyLock;
use tiny_skia::{Path, PathBuilder};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// The families that an SVG asks for: the one that is measured with, or whatever there is.
pub(crate) const FAMILIES: &str = "Noto Sans, sans-serif";

/// How high a capital letter is, as a share of the font's size.
pub(crate) const CAPITAL: f64 = 1462.0 / 2048.0;

/// Noto Sans, under the Apache licence. A damaged font would be a fault of the build: then there are
/// no letters, but still a picture.
static FACE: LazyLock<Option<Face<'static>>> =
    LazyLock::new(|| Face::parse(ttf_noto_sans::REGULAR, 0).ok());

fn scale(face: &Face<'_>, size: u32) -> f64 {
    f64::from(size) / f64::from(face.units_per_em())
}

/// The letter's shape; the font's empty box for a letter that it lacks.
fn glyph(face: &Face<'_>, letter: char) -> GlyphId {
    face.glyph_index(letter).unwrap_or(GlyphId(0))
}

fn advance(face: &Face<'_>, letter: char) -> f64 {
    f64::from(face.glyph_hor_advance(glyph(face, letter)).unwrap_or(0))
}

/// How wide a text is, in pixels.
pub(crate) fn width(text: &str, size: u32) -> f64 {
    FACE.as_ref().map_or(0.0, |face| {
        scale(face, size) * text.chars().map(|letter| advance(face, letter)).sum::<f64>()
    })
}

/// The shapes of the letters, standing on a line that begins at `at`; none if there are none.
pub(crate) fn outlines(text: &str, size: u32, at: Xy) -> Option<Path> {
    let face = FACE.as_ref()?;
    let scale = scale(face, size);
    let mut pen = Pen { path: PathBuilder::new(), at, scale };
    for letter in text.chars() {
        face.outline_glyph(glyph(face, letter), &mut pen);
        pen.at.0 += scale * advance(face, letter);
    }
    pen.path.finish()
}

/// Draws a letter at its place; fonts count upwards, pictures downwards.
struct Pen {
    path: PathBuilder,
    at: Xy,
    scale: f64,
}

impl Pen {
    fn place(&self, x: f32, y: f32) -> (f32, f32) {
        let place = (self.at.0 + self.scale * f64::from(x), self.at.1 - self.scale * f64::from(y));
        (place.0 as f32, place.1 as f32)
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.place(x1, y1), self.place(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) =
            (self.place(x1, y1), self.place(x2, y2), self.place(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

/// The text cut to a width, with an ellipsis where it was cut; control characters become blanks,
/// because XML cannot hold them.
pub(crate) fn fit(text: &str, size: u32, most: f64) -> String {
    let is_bad = |char: char| char.is_control() || matches!(char, '\u{fffe}' | '\u{ffff}');
    let mut text: String = text.chars().map(|char| if is_bad(char) { ' ' } else { char }).collect();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_as_wide_and_high_as_the_font_says() {
        // From the font's own tables: 2048 units per em, an advance of 1266 for n, a height of 1462
        // for H.
        assert!((width("nn", 100) - 200.0 * 1266.0 / 2048.0).abs() < 1e-9);
        let high = outlines("H", 100, (0.0, 0.0)).unwrap().bounds();
        assert!((f64::from(-high.top()) - 100.0 * CAPITAL).abs() < 1e-3);
        assert!(outlines(" ", 100, (0.0, 0.0)).is_none());
    }

    #[test]
    fn long_texts_are_cut() {
        let cut = fit("a long text", 20, 60.0);
        assert!(cut.ends_with('…') && width(&cut, 20) <= 60.0, "{cut}");
        assert_eq!(fit("short", 20, 60.0), "short");
    }
}
