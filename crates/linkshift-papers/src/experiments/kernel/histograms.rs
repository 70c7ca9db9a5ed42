//! Images as histograms of the directions of their edges.

use linkshift::{Points, Result};

/// For square grey images of `side` × `side` pixels, row by row: in each of `n_cells` × `n_cells`
/// cells, how much edge there is in each of `n_bins` directions; the whole sums to 1.
pub(super) fn of_edges(
    images: &Points<'_, f32>,
    side: usize,
    n_cells: usize,
    n_bins: usize,
) -> Result<Points<'static, f64>> {
    let mut histograms = Vec::new();
    for image in images.rows() {
        let mut histogram = vec![0.0; n_cells * n_cells * n_bins];
        let pixel = |row: usize, col: usize| f64::from(image[row * side + col]);
        for row in 1..side - 1 {
            for col in 1..side - 1 {
                let across = pixel(row, col + 1) - pixel(row, col - 1);
                let down = pixel(row + 1, col) - pixel(row - 1, col);
                // Light on dark and dark on light are the same edge: directions end at half a turn.
                let turn = (down.atan2(across) / std::f64::consts::PI).rem_euclid(1.0);
                let bin = ((turn * n_bins as f64) as usize).min(n_bins - 1);
                let cell = (row * n_cells / side) * n_cells + col * n_cells / side;
                histogram[cell * n_bins + bin] += across.hypot(down);
            }
        }
        let total: f64 = histogram.iter().sum();
        histograms.extend(histogram.into_iter().map(|count| count / total.max(1e-300)));
    }
    Points::new(histograms, n_cells * n_cells * n_bins)
}
