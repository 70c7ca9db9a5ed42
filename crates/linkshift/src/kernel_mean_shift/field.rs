//! The density in feature space (Eq. 6) and its mean shift (Eqs. 8, 12), many centers at a time.
//!
//! A center is a row of coordinates, not a vector of n weights: y = Φα and yᵀe_j need no α once
//! there are coordinates. Distances by a matrix product, weights in logarithms relative to the
//! largest, so that 1/h^(d+2) with d in the hundreds neither overflows nor vanishes.

use crate::neighbors::blocks::{LANES, Wide, total};
use crate::real::Real;
use crate::stop::Stoppable;
use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use rayon::prelude::*;

/// Centers handled at once, which share one pass over the samples.
const CENTERS: usize = 32;

/// Samples with their bandwidths, ready to be evaluated.
#[derive(Debug, Clone)]
pub(super) struct Field {
    /// Row by row.
    samples: Vec<f64>,
    d: usize,
    lengths_sq: Vec<f64>,
    /// −1/(2h²) of each sample.
    scale: Vec<f64>,
    /// The logarithm of its share: weight/h^(d+2).
    log_share: Vec<f64>,
}

/// Where one center goes, and the logarithm of the weight it saw.
pub(super) struct Shifted {
    pub(super) by: f64,
    pub(super) log_density: f64,
}

impl Field {
    /// `exponent` is the paper's d_φ + 2.
    pub(super) fn new(
        samples: Vec<f64>,
        d: usize,
        bandwidths: &[f64],
        weights: &[f64],
        exponent: f64,
    ) -> Self {
        let scale = bandwidths.iter().map(|h| -0.5 / (h * h)).collect();
        let log_share =
            bandwidths.iter().zip(weights).map(|(h, w)| w.ln() - exponent * h.ln()).collect();
        Self::from_shares(samples, d, scale, log_share)
    }

    /// From −1/(2h²) and the logarithm of the share of each sample.
    pub(super) fn from_shares(
        samples: Vec<f64>,
        d: usize,
        scale: Vec<f64>,
        log_share: Vec<f64>,
    ) -> Self {
        let lengths_sq = samples.chunks_exact(d).map(length_sq).collect();
        Self { samples, d, lengths_sq, scale, log_share }
    }

    /// The samples, row by row.
    pub(super) fn samples(&self) -> &[f64] {
        &self.samples
    }

    /// The samples, −1/(2h²) of each, and the logarithm of its share.
    pub(super) fn into_shares(self) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        (self.samples, self.scale, self.log_share)
    }

    pub(super) fn n_columns(&self) -> usize {
        self.d
    }

    /// Eq. 12 for every center that moves; one that does not gets a shift of 0.
    pub(super) fn shift(&self, centers: &mut [f64], moving: &[bool]) -> Vec<f64> {
        let mut live: Vec<f64> = Vec::with_capacity(centers.len());
        let rows: Vec<usize> = (0..moving.len()).filter(|&row| moving[row]).collect();
        rows.iter().for_each(|&row| live.extend_from_slice(&centers[row * self.d..][..self.d]));
        let shifted = self.evaluate(&mut live);
        let mut shifts = vec![0.0; moving.len()];
        for ((&row, moved), shifted) in rows.iter().zip(live.chunks_exact(self.d)).zip(shifted) {
            centers[row * self.d..][..self.d].copy_from_slice(moved);
            shifts[row] = shifted.by;
        }
        shifts
    }

    /// The logarithm of the density at each place, up to a constant.
    pub(super) fn log_density(&self, places: &[f64]) -> Vec<f64> {
        let mut moved = places.to_vec();
        self.evaluate(&mut moved).into_iter().map(|shifted| shifted.log_density).collect()
    }

    /// Moves every row to the weighted mean of the samples.
    fn evaluate(&self, centers: &mut [f64]) -> Vec<Shifted> {
        let n = self.scale.len();
        centers
            .par_chunks_mut(CENTERS * self.d)
            .stoppable()
            .map_init(Vec::new, |weights: &mut Vec<f64>, block| {
                let n_centers = block.len() / self.d;
                weights.resize(n_centers * n, 0.0);
                let totals = self.weigh(block, weights);
                self.move_to_means(block, weights, &totals)
            })
            .flatten_iter()
            .collect()
    }

    /// The weight of each sample for each center, the largest being 1, row by row of centers;
    /// returns the sum of each row and the logarithm of what 1 stands for.
    fn weigh(&self, centers: &[f64], weights: &mut [f64]) -> Vec<(f64, f64)> {
        let n = self.scale.len();
        let n_centers = centers.len() / self.d;
        let samples = MatRef::from_row_major_slice(&self.samples, n, self.d);
        let at = MatRef::from_row_major_slice(centers, n_centers, self.d);
        // By column, hence transposed: each center's weights lie together.
        let products = MatMut::from_column_major_slice_mut(weights, n, n_centers);
        matmul(products, Accum::Replace, samples, at.transpose(), -2.0, Par::Seq);
        let rows = weights.chunks_exact_mut(n).zip(centers.chunks_exact(self.d));
        let wide = Wide::new();
        rows.map(|(weights, center)| {
            let own_sq = length_sq(center);
            wide.run(
                #[inline(always)]
                || {
                    self.fill_exponents(own_sq, weights);
                    let largest = largest_of(weights);
                    weights.iter_mut().for_each(|weight| *weight = (*weight - largest).exp_fast());
                    (total(weights), largest)
                },
            )
        })
        .collect()
    }

    /// −2·xᵀy becomes the logarithm of the weight, by Eq. 11.
    #[inline(always)]
    fn fill_exponents(&self, own_sq: f64, products: &mut [f64]) {
        let samples = self.lengths_sq.iter().zip(&self.log_share).zip(&self.scale);
        for (product, ((length_sq, log_share), scale)) in products.iter_mut().zip(samples) {
            // Rounding must not make a distance negative.
            let distance_sq = (*product + length_sq + own_sq).max(0.0);
            *product = log_share + distance_sq * scale;
        }
    }

    fn move_to_means(
        &self,
        centers: &mut [f64],
        weights: &[f64],
        totals: &[(f64, f64)],
    ) -> Vec<Shifted> {
        let n = self.scale.len();
        let n_centers = totals.len();
        let samples = MatRef::from_row_major_slice(&self.samples, n, self.d);
        let weights = MatRef::from_column_major_slice(weights, n, n_centers);
        let mut sums = vec![0.0; centers.len()];
        let sums_at = MatMut::from_row_major_slice_mut(&mut sums, n_centers, self.d);
        matmul(sums_at, Accum::Replace, weights.transpose(), samples, 1.0, Par::Seq);
        let rows = centers.chunks_exact_mut(self.d).zip(sums.chunks_exact(self.d));
        rows.zip(totals)
            .map(|((center, sums), &(total, largest))| {
                let mut by_sq = 0.0;
                for (value, sum) in center.iter_mut().zip(sums) {
                    let mean = sum / total;
                    by_sq += (mean - *value) * (mean - *value);
                    *value = mean;
                }
                Shifted { by: by_sq.sqrt(), log_density: largest + total.ln() }
            })
            .collect()
    }
}

/// For each place the distance to the k-th nearest of `rows`, itself not counted if it is one of
/// them. Weights play no part. Blocks of places share a pass over the rows.
pub(super) fn kth_distances(places: &[f64], rows: &[f64], d: usize, k: usize) -> Vec<f64> {
    let n = rows.len() / d;
    let lengths_sq: Vec<f64> = rows.chunks_exact(d).map(length_sq).collect();
    let all = MatRef::from_row_major_slice(rows, n, d);
    places
        .par_chunks(CENTERS * d)
        .stoppable()
        .map_init(Vec::new, |distances: &mut Vec<f64>, block| {
            let n_places = block.len() / d;
            distances.resize(n_places * n, 0.0);
            let at = MatRef::from_row_major_slice(block, n_places, d);
            let products = MatMut::from_column_major_slice_mut(distances, n, n_places);
            matmul(products, Accum::Replace, all, at.transpose(), -2.0, Par::Seq);
            let by_place = distances.chunks_exact_mut(n).zip(block.chunks_exact(d));
            by_place
                .map(|(distances, place)| {
                    let own_sq = length_sq(place);
                    for (distance, length_sq) in distances.iter_mut().zip(&lengths_sq) {
                        *distance += length_sq + own_sq;
                    }
                    let (_, kth, _) =
                        distances.select_nth_unstable_by(k.min(n - 1), f64::total_cmp);
                    kth.max(0.0).sqrt()
                })
                .collect::<Vec<f64>>()
        })
        .flatten_iter()
        .collect()
}

/// The largest value, by lanes: one after the other each comparison would wait for the one before.
#[inline(always)]
fn largest_of(values: &[f64]) -> f64 {
    let mut lanes = [f64::NEG_INFINITY; LANES];
    let (chunks, rest) = values.as_chunks::<LANES>();
    for chunk in chunks {
        for lane in 0..LANES {
            lanes[lane] = if chunk[lane] > lanes[lane] { chunk[lane] } else { lanes[lane] };
        }
    }
    lanes.iter().chain(rest).copied().fold(f64::NEG_INFINITY, f64::max)
}

pub(super) fn length_sq(row: &[f64]) -> f64 {
    row.iter().map(|x| x * x).sum()
}
