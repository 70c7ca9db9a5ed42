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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_points_are_all_drawn() {
        assert_eq!(rows(&[(1, 1), (1, 1)], &[0, 0], 2), [0, 1]);
    }

    #[test]
    fn each_colour_is_drawn_once_in_each_cell() {
        let pixels = [(1, 1), (1, 1), (1, 1), (9, 9)];
        assert_eq!(rows(&pixels, &[0, 0, 1, 0], 3), [0, 2, 3]);
        assert_eq!(rows(&pixels, &[], 3), [0, 3]);
    }

    #[test]
    fn however_many_points_there_are_the_marks_stay_few() {
        let pixels: Vec<(i32, i32)> = (0..500_000).map(|row| (row % 1000, row / 1000)).collect();
        let labels: Vec<i64> = (0..500_000).map(|row| row % 7).collect();
        assert!(rows(&pixels, &labels, SVG_MARKS).len() <= SVG_MARKS);
    }
}
