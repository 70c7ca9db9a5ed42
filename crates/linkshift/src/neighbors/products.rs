//! Squared distances and weighted sums of many rows at once, by products of matrices.
//!
//! With many columns no box prunes, and what counts is how often a number is fetched from memory: a
//! product of matrices uses each of them dozens of times. The price are digits:
//! |a − b|² = |a|² + |b|² − 2ab loses those that the three have in common. So rows are taken from
//! their mean, and pairs that are near for their size are computed again from differences; what
//! is left is an error of at most some [`NEAR`] roundings.

use crate::distance::distance_sq;
use crate::neighbors::blocks::{Wide, dot};
use crate::points::Points;
use crate::real::Real;

/// From how many columns on products are faster than sweeps. Measured on sets of 2,000 points with as
/// many links, in processor time: level at 16 and 19 columns, 1.3 times as fast at 36, 2.8 times
/// at 64, 6 times at 256.
pub(crate) const FROM_COLUMNS: usize = 32;

/// Rows that are multiplied at once: their distances to a few thousand others stay in the cache.
pub(crate) const TOGETHER: usize = 64;

/// Distances that are looked through at once for near pairs.
const CHUNK: usize = 64;

/// A pair is near if (|a|² + |b|²) / |a − b|² exceeds this.
const NEAR: f64 = 64.0;

/// Rows prepared for products.
#[derive(Debug, Clone)]
pub(crate) struct Products<T> {
    n_features: usize,
    mean: Vec<T>,
    /// The rows less their mean.
    rows: Vec<T>,
    norms_sq: Vec<T>,
}

impl<T: Real> Products<T> {
    /// `None` where there are so few columns that sweeps are faster.
    pub(crate) fn worthwhile(points: &Points<'_, T>) -> Option<Self> {
        (points.n_features() >= FROM_COLUMNS)
            .then(|| Self::new(points.values(), points.n_features()))
    }

    pub(crate) fn new(values: &[T], n_features: usize) -> Self {
        let n = (values.len() / n_features) as f64;
        let mut sums = vec![0.0; n_features];
        for row in values.chunks_exact(n_features) {
            sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += value.as_f64());
        }
        let mean: Vec<T> = sums.into_iter().map(|sum| T::of(sum / n)).collect();
        let rows = from_mean(values, &mean);
        let norms_sq = norms_sq(&rows, n_features);
        Self { n_features, mean, rows, norms_sq }
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.norms_sq.len()
    }

    /// Squared distances from each place to all rows, place by place.
    pub(crate) fn fill_distances_sq(&self, places: &[T], out: &mut [T]) {
        let (n, d) = (self.n_rows(), self.n_features);
        let places = from_mean(places, &self.mean);
        T::multiply_transposed(&places, &self.rows, d, out);
        let (two, share) = (T::of(2.0), T::of(NEAR.recip()));
        let norms = norms_sq(&places, d);
        let wide = Wide::new();
        for ((place, &norm), out) in places.chunks_exact(d).zip(&norms).zip(out.chunks_exact_mut(n))
        {
            // Whether any of some rows is near is asked first, for next to none are.
            let chunks = out.chunks_mut(CHUNK).zip(self.norms_sq.chunks(CHUNK)).enumerate();
            for (chunk, (out, others)) in chunks {
                let any_near = wide.run(
                    #[inline(always)]
                    || {
                        let mut any_near = false;
                        for (distance_sq, &other) in out.iter_mut().zip(others) {
                            let sum = norm + other;
                            *distance_sq = sum - two * *distance_sq;
                            any_near |= *distance_sq < share * sum;
                        }
                        any_near
                    },
                );
                if !any_near {
                    continue;
                }
                for (at, to_row_sq) in out.iter_mut().enumerate() {
                    if *to_row_sq < share * (norm + others[at]) {
                        let row = chunk * CHUNK + at;
                        *to_row_sq = distance_sq(place, &self.rows[row * d..][..d]);
                    }
                }
            }
        }
    }

    /// The weighted sum of a few rows, by number, in f64.
    pub(crate) fn weighted_sum_of(&self, rows: &[u32], weights: &[T], sums: &mut [f64]) {
        let d = self.n_features;
        let wide = Wide::new();
        let mut total = 0.0;
        for (&row, &weight) in rows.iter().zip(weights) {
            let (row, weight) = (&self.rows[row as usize * d..][..d], weight.as_f64());
            total += weight;
            wide.run(
                #[inline(always)]
                || {
                    for (sum, &value) in sums.iter_mut().zip(row) {
                        *sum += weight * value.as_f64();
                    }
                },
            );
        }
        sums.iter_mut().zip(&self.mean).for_each(|(sum, mean)| *sum += total * mean.as_f64());
    }

    /// For each row of `weights`, which has one for every row here, the weighted sum of the rows.
    /// `totals` are the sums of the weights.
    pub(crate) fn weighted_sums(&self, weights: &[T], totals: &[f64]) -> Vec<f64> {
        let d = self.n_features;
        let mut sums = vec![T::zero(); totals.len() * d];
        T::multiply(weights, &self.rows, d, &mut sums);
        let of_place = sums.chunks_exact(d).zip(totals);
        of_place
            .flat_map(|(sums, total)| {
                sums.iter()
                    .zip(&self.mean)
                    .map(move |(sum, mean)| sum.as_f64() + total * mean.as_f64())
            })
            .collect()
    }
}

fn from_mean<T: Real>(values: &[T], mean: &[T]) -> Vec<T> {
    let mut rows = values.to_vec();
    for row in rows.chunks_exact_mut(mean.len()) {
        row.iter_mut().zip(mean).for_each(|(value, &mean)| *value -= mean);
    }
    rows
}

fn norms_sq<T: Real>(rows: &[T], d: usize) -> Vec<T> {
    Wide::new().run(
        #[inline(always)]
        || rows.chunks_exact(d).map(|row| dot(row, row)).collect(),
    )
}
