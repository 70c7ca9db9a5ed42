//! The looks of the pictures for those who draw with other means, such as Python's matplotlib.

use crate::palette::{self, Shape, look};
use plotters::style::RGBColor;

/// Colour (as in `#005fc9`) and shape of a cluster's points; those of noise for a negative label.
pub fn of_cluster(label: i64) -> (String, &'static str) {
    let look = look(label);
    let shape = match look.shape {
        Shape::Circle => "circle",
        Shape::Square => "square",
        Shape::Triangle => "triangle",
        Shape::Diamond => "diamond",
        Shape::Wedge => "wedge",
    };
    (hex(look.color), shape)
}

/// The colours of what is drawn over the points, by name. Must-links and cannot-links are told apart
/// by their lines, whole and dashed; red is for what is broken.
pub fn of_signs() -> [(&'static str, String); 4] {
    [
        ("must", hex(palette::INK)),
        ("cannot", hex(palette::INK)),
        ("broken", hex(palette::BROKEN)),
        ("mode", hex(palette::INK)),
    ]
}

fn hex(RGBColor(red, green, blue): RGBColor) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}
