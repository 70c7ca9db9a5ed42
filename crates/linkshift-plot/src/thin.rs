//! Fewer marks for the same picture.
//!
//! With many points most marks hide under others of the same colour. Drawing one per colour and
//! small cell of pixels looks the same and keeps an SVG at a few megabytes for any number of
//! points. A PNG costs no bytes per mark, so it draws all of 10⁵ points and thins only beyond, where
//! the time and memory of drawing would grow without anything more to see.

use crate::palette::look;
use std::collections::HashSet;

/// Marks in a panel of an SVG, each about 100 bytes.
pub(crate) const SVG_MARKS: usize = 20_000;

/// Marks in a panel of a PNG.
pub(crate) const PNG_MARKS: usize = 100_000;

/// The rows to draw, in order: all if they are at most `most`, else the first of each colour in
/// each cell, with cells as small as `most` allows.
pub(crate) fn rows(pixels: &[(i32, i32)], labels: &[i64], most: usize) -> Vec<usize> {
    if pixels.len() <= most {
        return (0..pixels.len()).collect();
    }
    let mut cell = 1;
    loop {
        let mut taken = HashSet::new();
        let rows: Vec<usize> = (0..pixels.len())
            .filter(|&row| {
                let (x, y) = pixels[row];
                let look = look(labels.get(row).copied().unwrap_or(-1));
                taken.insert((
                    x / cell,
                    y / cell,
                    look.shape,
                    look.color.0,
                    look.color.1,
                    look.color.2,
                ))
            })
            .collect();
        // One cell over everything holds one mark per colour; there is no less.
        if rows.len() <= most || cell > 64 {
            return rows;
        }
        cell += 1 + cell / 3;
    }
}
