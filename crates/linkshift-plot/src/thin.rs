//! Fewer marks for nearly the same picture.
//!
//! With many points most marks hide under others of the same colour. One per colour and small cell
//! of pixels, drawn a little larger, keeps dense places solid and an SVG at a few megabytes for any
//! number of points. What is lost is how often a place is covered, and some sharpness at the edges.
//! A PNG costs no bytes per mark, so it draws all of 10⁵ points and thins only beyond, where the time
//! and memory of drawing would grow without much more to see.

use crate::canvas::Xy;
use crate::palette::look;
use std::collections::HashSet;

/// Marks in a panel of an SVG, each about 100 bytes.
pub(crate) const SVG_MARKS: usize = 40_000;

/// Marks in a panel of a PNG.
pub(crate) const PNG_MARKS: usize = 100_000;

/// The largest frame, 1400 × 1120, has 396 such cells; with 61 looks in each that is 24,156 marks,
/// so no larger cell is ever needed.
const LARGEST_CELL: i32 = 64;

/// What is left to draw.
pub(crate) struct Thinned {
    /// The rows, in order.
    pub(crate) rows: Vec<usize>,
    /// Side of the cells in pixels: marks of at least this radius leave hardly a hole between cells.
    pub(crate) cell: i32,
}

/// All rows if they are at most `most`, else the first of each colour in each cell, with cells as
/// small as `most` allows.
pub(crate) fn thin(pixels: &[Xy], labels: &[i64], most: usize) -> Thinned {
    let mut thinned = Thinned { rows: (0..pixels.len()).collect(), cell: 1 };
    while thinned.rows.len() > most && thinned.cell < LARGEST_CELL {
        thinned.cell += 1;
        thinned.rows = first_in_cells(pixels, labels, thinned.cell);
    }
    thinned
}

fn first_in_cells(pixels: &[Xy], labels: &[i64], cell: i32) -> Vec<usize> {
    let mut taken = HashSet::new();
    let mut is_first = |row: usize| {
        let (x, y) = pixels[row];
        let cell_of = |at: f64| at as i32 / cell;
        taken.insert((cell_of(x), cell_of(y), look(labels.get(row).copied().unwrap_or(-1))))
    };
    (0..pixels.len()).filter(|&row| is_first(row)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_points_are_all_drawn() {
        assert_eq!(thin(&[(1.0, 1.0), (1.0, 1.0)], &[0, 0], 2).rows, [0, 1]);
    }

    #[test]
    fn each_colour_is_drawn_once_in_each_cell() {
        let pixels = [(1.0, 1.0), (1.0, 1.0), (1.0, 1.0), (9.0, 9.0)];
        assert_eq!(thin(&pixels, &[0, 0, 1, 0], 3).rows, [0, 2, 3]);
        assert_eq!(thin(&pixels, &[], 3).rows, [0, 3]);
    }

    #[test]
    fn however_many_points_there_are_the_marks_stay_few() {
        let place = |row: i32| (f64::from(row % 1000), f64::from(row / 1000));
        let pixels: Vec<Xy> = (0..500_000).map(place).collect();
        let labels: Vec<i64> = (0..500_000).map(|row| row % 7).collect();
        assert!(thin(&pixels, &labels, SVG_MARKS).rows.len() <= SVG_MARKS);
    }
}
