//! Plain k-means on the rows of an embedding.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Starts, of which the best end counts; scikit-learn's number.
const STARTS: usize = 10;

/// Rounds at the most; embeddings settle within a few.
const ROUNDS: usize = 300;

/// The cluster of each row of `d` numbers: the best of some runs from k-means++ starts.
pub(crate) fn k_means(rows: &[f64], d: usize, k: usize, seed: u64) -> Vec<usize> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let runs = (0..STARTS).map(|_| run(rows, d, plus_plus(rows, d, k, &mut rng)));
    let best = runs.reduce(|best, next| if next.1 < best.1 { next } else { best });
    best.map_or_else(Vec::new, |(labels, _)| labels)
}

/// Centers drawn one by one, each row as likely as it is far (squared) from those before.
fn plus_plus(rows: &[f64], d: usize, k: usize, rng: &mut ChaCha8Rng) -> Vec<f64> {
    let n = rows.len() / d;
    let mut centers = rows[rng.random_range(0..n) * d..][..d].to_vec();
    let mut far: Vec<f64> = rows.chunks_exact(d).map(|row| distance_sq(row, &centers)).collect();
    for _ in 1..k {
        let mut left = rng.random::<f64>() * far.iter().sum::<f64>();
        let drawn = far.iter().position(|&share| {
            left -= share;
            left < 0.0
        });
        // All rows are centers already, or rounding ate the rest.
        let row = drawn.unwrap_or_else(|| rng.random_range(0..n));
        let center = &rows[row * d..][..d];
        for (far, row) in far.iter_mut().zip(rows.chunks_exact(d)) {
            *far = far.min(distance_sq(row, center));
        }
        centers.extend_from_slice(center);
    }
    centers
}

/// Lloyd's rounds; returns the labels and the sum of squared distances.
fn run(rows: &[f64], d: usize, mut centers: Vec<f64>) -> (Vec<usize>, f64) {
    let k = centers.len() / d;
    let mut labels = vec![usize::MAX; rows.len() / d];
    let mut cost = 0.0;
    for _ in 0..ROUNDS {
        cost = 0.0;
        let mut changed = false;
        for (label, row) in labels.iter_mut().zip(rows.chunks_exact(d)) {
            let to = |c: usize| distance_sq(row, &centers[c * d..][..d]);
            let (nearest, far) = (0..k)
                .map(|c| (c, to(c)))
                .fold((0, f64::INFINITY), |best, next| if next.1 < best.1 { next } else { best });
            changed |= *label != nearest;
            *label = nearest;
            cost += far;
        }
        if !changed {
            break;
        }
        move_to_means(rows, d, &labels, &mut centers);
    }
    (labels, cost)
}

/// Each center to the mean of its rows; one without rows stays.
fn move_to_means(rows: &[f64], d: usize, labels: &[usize], centers: &mut [f64]) {
    let mut sums = vec![0.0; centers.len()];
    let mut counts = vec![0.0; centers.len() / d];
    for (&label, row) in labels.iter().zip(rows.chunks_exact(d)) {
        counts[label] += 1.0;
        sums[label * d..][..d].iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
    }
    for (at, center) in centers.iter_mut().enumerate().filter(|(at, _)| counts[at / d] > 0.0) {
        *center = sums[at] / counts[at / d];
    }
}

fn distance_sq(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heaps_are_found() {
        let rows = [0.0, 0.1, 0.2, 5.0, 5.1, 9.0];
        let labels = k_means(&rows, 1, 3, 0);
        assert!(labels[0] == labels[1] && labels[1] == labels[2] && labels[3] == labels[4]);
        assert!(labels[0] != labels[3] && labels[3] != labels[5] && labels[0] != labels[5]);
    }

    #[test]
    fn equal_rows_and_many_clusters_are_no_trouble() {
        assert_eq!(k_means(&[1.0; 4], 2, 2, 0), [0, 0]);
        assert_eq!(k_means(&[3.0], 1, 1, 0), [0]);
    }
}
