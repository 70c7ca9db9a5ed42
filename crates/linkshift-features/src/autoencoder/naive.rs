//! The formulas literally, in `f64`: a unit at a time, slopes by differences.

use super::layer::Layer;
use super::moved::{Move, middle};

/// What a layer makes of a row: for each unit j, Σᵢ xᵢ·W[i, j] + b[j], or 0 if that is less and the
/// layer is rectified.
pub(super) fn forward(layer: &Layer, row: &[f64]) -> Vec<f64> {
    let weight = |i: usize, j: usize| f64::from(layer.weights[i * layer.n_out + j]);
    let bias = |j: usize| f64::from(layer.weights[layer.n_in * layer.n_out + j]);
    let unit = |j: usize| {
        let sum = (0..layer.n_in).map(|i| row[i] * weight(i, j)).sum::<f64>() + bias(j);
        if layer.rectified { sum.max(0.0) } else { sum }
    };
    (0..layer.n_out).map(unit).collect()
}

/// The mean squared difference between rows and what layers make of them.
pub(super) fn loss(layers: &[Layer], rows: &[f64], width: usize) -> f64 {
    let of_row = |row: &[f64]| {
        let made = layers.iter().fold(row.to_vec(), |row, layer| forward(layer, &row));
        made.iter().zip(row).map(|(a, b)| (a - b).powi(2)).sum::<f64>()
    };
    rows.chunks_exact(width).map(of_row).sum::<f64>() / rows.len() as f64
}

/// The slope of the loss along one weight, by a small step to both sides.
pub(super) fn slope(layers: &[Layer], rows: &[f64], width: usize, layer: usize, at: usize) -> f64 {
    const STEP: f32 = 1.0 / 1024.0;
    let moved = |by: f32| {
        let mut layers = layers.to_vec();
        layers[layer].weights[at] += by;
        loss(&layers, rows, width)
    };
    (moved(STEP) - moved(-STEP)) / f64::from(2.0 * STEP)
}

/// Adam's first steps from 0 along slopes that are given, after Kingma & Ba's algorithm 1.
pub(super) fn adam(slopes: &[f64], rate: f64) -> f64 {
    let (mut weight, mut mean, mut mean_sq) = (0.0, 0.0, 0.0);
    for (before, slope) in slopes.iter().enumerate() {
        let t = before as i32 + 1;
        mean = 0.9 * mean + 0.1 * slope;
        mean_sq = 0.999 * mean_sq + 0.001 * slope * slope;
        let mean = mean / (1.0 - 0.9_f64.powi(t));
        let mean_sq: f64 = mean_sq / (1.0 - 0.999_f64.powi(t));
        weight -= rate * mean / (mean_sq.sqrt() + 1e-8);
    }
    weight
}

/// A picture after a move: every pixel before counts by how near it is to where each pixel after comes
/// from, max(0, 1 − distance) along both axes.
pub(super) fn moved(row: &[f32], shape: (usize, usize), how: &Move) -> Vec<f64> {
    let (height, width) = shape;
    let near = |distance: f64| (1.0 - distance.abs()).max(0.0);
    let pixel = |at: usize| {
        let place = [(at / width) as f64, (at % width) as f64];
        let [down, right] = how.back(place, middle(shape));
        let of = |from: usize| {
            let [y, x] = [(from / width) as f64, (from % width) as f64];
            f64::from(row[from]) * near(down - y) * near(right - x)
        };
        (0..height * width).map(of).sum()
    };
    (0..height * width).map(pixel).collect()
}
