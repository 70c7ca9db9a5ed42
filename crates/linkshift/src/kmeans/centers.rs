//! Distances to all centers at once, and centers as means.

use crate::neighbors::blocks::Wide;
use crate::points::Points;
use crate::real::Real;
use rayon::prelude::*;

/// Points that one task handles; fixed, so that sums do not depend on the number of threads.
pub(super) const CHUNK: usize = 1024;

/// Centers column by column: one point is compared with all of them at once by wide instructions.
pub(crate) struct ByColumn<T> {
    values: Vec<T>,
    n_centers: usize,
    wide: Wide,
}

impl<T: Real> ByColumn<T> {
    pub(crate) fn new(centers: &[T], n_features: usize) -> Self {
        let n_centers = centers.len() / n_features;
        let values = (0..n_features)
            .flat_map(|col| centers[col..].iter().step_by(n_features).copied())
            .collect();
        Self { values, n_centers, wide: Wide::new() }
    }

    /// The squared distances from each row to each center, row by row.
    pub(super) fn distances_sq(&self, rows: &[T], out: &mut [T]) {
        let n_features = self.values.len() / self.n_centers;
        self.wide.run(
            #[inline(always)]
            || {
                let outs = out.chunks_exact_mut(self.n_centers);
                for (row, out) in rows.chunks_exact(n_features).zip(outs) {
                    out.fill(T::zero());
                    let columns = self.values.chunks_exact(self.n_centers);
                    for (&x, column) in row.iter().zip(columns) {
                        for (sum, &center) in out.iter_mut().zip(column) {
                            *sum += (center - x) * (center - x);
                        }
                    }
                }
            },
        );
    }

    /// The nearest center of each row; the first of equally near ones.
    pub(crate) fn nearest(&self, rows: &[T], n_features: usize) -> Vec<(u32, T)> {
        let n_rows = rows.len() / n_features;
        let chunks: Vec<Vec<(u32, T)>> = rows
            .par_chunks(CHUNK * n_features)
            .map(|rows| {
                let mut distances = vec![T::zero(); rows.len() / n_features * self.n_centers];
                self.distances_sq(rows, &mut distances);
                distances.chunks_exact(self.n_centers).map(first_least).collect()
            })
            .collect();
        let mut nearest = Vec::with_capacity(n_rows);
        chunks.into_iter().for_each(|chunk| nearest.extend(chunk));
        nearest
    }
}

/// The place of the least value, the first if several are equal, and the value.
fn first_least<T: Real>(values: &[T]) -> (u32, T) {
    let mut best = (0, values[0]);
    for (at, &value) in values.iter().enumerate().skip(1) {
        if value < best.1 {
            best = (at as u32, value);
        }
    }
    best
}

/// Moves each center to the weighted mean of its points; one without weight stays.
pub(crate) fn move_to_means<T: Real>(points: &Points<'_, T>, of: &[u32], centers: &mut [T]) {
    let d = points.n_features();
    let n_centers = centers.len() / d;
    let sums_of = |(chunk, of): (usize, &[u32])| {
        let mut sums = vec![0.0; n_centers * (d + 1)];
        for (at, &center) in of.iter().enumerate() {
            let row = chunk * CHUNK + at;
            let weight = points.weight(row).as_f64();
            let sums = &mut sums[center as usize * (d + 1)..][..d + 1];
            for (sum, value) in sums.iter_mut().zip(points.row(row)) {
                *sum += weight * value.as_f64();
            }
            sums[d] += weight;
        }
        sums
    };
    let chunks: Vec<Vec<f64>> = of.par_chunks(CHUNK).enumerate().map(sums_of).collect();
    let mut sums = vec![0.0; n_centers * (d + 1)];
    for chunk in chunks {
        sums.iter_mut().zip(chunk).for_each(|(sum, part)| *sum += part);
    }
    for (center, sums) in centers.chunks_exact_mut(d).zip(sums.chunks_exact(d + 1)) {
        if sums[d] > 0.0 {
            for (value, sum) in center.iter_mut().zip(sums) {
                *value = T::of(sum / sums[d]);
            }
        }
    }
}

/// |a − b|².
pub(super) fn distance_sq<T: Real>(a: &[T], b: &[T]) -> f64 {
    a.iter().zip(b).map(|(&a, &b)| (a - b) * (a - b)).sum::<T>().as_f64()
}
