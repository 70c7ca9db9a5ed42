//! Where which colours are: their moments in each cell of a grid.
//!
//! The picture is cut into 3 × 3 cells; in each, the mean, deviation and skew (`moments.rs`) of
//! red, green and blue, from 0 to 1: 9 · 3 · 3 = 81 numbers. The paper does not name the channels.

use super::moments::{self, NAMES};
use super::picture::Picture;

/// Cells in each direction.
const CELLS: usize = 3;

const CHANNELS: [&str; 3] = ["red", "green", "blue"];

pub(super) const N_FEATURES: usize = 81;

/// The moments, cell after cell from the top left, in each by channel.
pub(super) fn moments(picture: &Picture) -> Vec<f64> {
    let (width, height) = (picture.width, picture.height);
    let mut features = Vec::with_capacity(N_FEATURES);
    let cells = (0..CELLS).flat_map(|row| (0..CELLS).map(move |column| (row, column)));
    for (row, column) in cells {
        let rows = row * height / CELLS..(row + 1) * height / CELLS;
        let columns = column * width / CELLS..(column + 1) * width / CELLS;
        let pixels = rows.flat_map(|y| columns.clone().map(move |x| (x, y)));
        for channel in 0..CHANNELS.len() {
            let value =
                |(x, y): (usize, usize)| f64::from(picture.colors[y * width + x][channel]) / 255.0;
            let values: Vec<f64> = pixels.clone().map(value).collect();
            features.extend(moments::moments(&values));
        }
    }
    features
}

pub(super) fn names() -> Vec<String> {
    let mut names = Vec::new();
    for cell in 0..CELLS * CELLS {
        let (row, column) = (cell / CELLS + 1, cell % CELLS + 1);
        for channel in CHANNELS {
            names.extend(NAMES.map(|moment| format!("color_{row}_{column}_{channel}_{moment}")));
        }
    }
    names
}
