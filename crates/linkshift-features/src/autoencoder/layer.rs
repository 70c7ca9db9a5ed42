//! Layers of units: what they make of rows, their gradients, and Adam's steps.
//!
//! Work is cut into blocks of fixed size, whatever the number of threads, so that every sum has the
//! same order.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use rand_distr::{Distribution, StandardNormal};
use rayon::prelude::*;

/// Rows of a batch that one thread multiplies at a time.
const ROWS: usize = 64;

/// Inputs whose weights' gradients one thread computes at a time.
const INPUTS: usize = 128;

/// Numbers that one thread moves at a time.
const NUMBERS: usize = 1 << 15;

/// How fast Adam forgets gradients, and their squares, and what keeps its steps finite: the values of
/// Kingma & Ba (2015).
const DECAY: f32 = 0.9;
const DECAY_SQ: f32 = 0.999;
const LEAST: f32 = 1e-8;

/// The variance of first weights, times the inputs of a unit. At 2 (He et al. 2015) rows neither blow up nor
/// fade on their way through the layers; who begins smaller learns less by heart and has clearer clusters in
/// the end. At .05 training takes too long (`docs/intake.md` has the figures).
const SPREAD_SQ: f32 = 1.0 / 3.0;

/// Units that see all of the layer before: x·W + b, and of that the positive part if rectified.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Layer {
    pub(super) n_in: usize,
    pub(super) n_out: usize,
    pub(super) rectified: bool,
    /// W, a row for each input, and b after it.
    pub(super) weights: Vec<f32>,
}

/// The means of gradients and of their squares that Adam remembers, for each weight.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Moments {
    pub(super) mean: Vec<f32>,
    pub(super) mean_sq: Vec<f32>,
}

impl Layer {
    /// Random weights of variance [`SPREAD_SQ`]/n_in; b is 0.
    pub(super) fn scatter(&mut self, rng: &mut impl rand::Rng) {
        let spread = (SPREAD_SQ / self.n_in as f32).sqrt();
        let (weights, bias) = self.weights.split_at_mut(self.n_in * self.n_out);
        weights.iter_mut().for_each(|weight| {
            *weight = spread * Distribution::<f32>::sample(&StandardNormal, &mut *rng);
        });
        bias.fill(0.0);
    }

    /// What it makes of each row.
    pub(super) fn forward(&self, input: &[f32]) -> Vec<f32> {
        let (weights, bias) = self.weights.split_at(self.n_in * self.n_out);
        let weights = MatRef::from_row_major_slice(weights, self.n_in, self.n_out);
        let mut output = vec![0.0; input.len() / self.n_in * self.n_out];
        let blocks = output.par_chunks_mut(ROWS * self.n_out);
        blocks.zip(input.par_chunks(ROWS * self.n_in)).for_each(|(out, rows)| {
            let n = rows.len() / self.n_in;
            out.chunks_exact_mut(self.n_out).for_each(|row| row.copy_from_slice(bias));
            let rows = MatRef::from_row_major_slice(rows, n, self.n_in);
            let sums = MatMut::from_row_major_slice_mut(&mut *out, n, self.n_out);
            matmul(sums, Accum::Add, rows, weights, 1.0, Par::Seq);
            if self.rectified {
                out.iter_mut().for_each(|value| *value = value.max(0.0));
            }
        });
        output
    }

    /// From the slope of the loss along what [`forward`](Self::forward) gave: where that was cut to 0,
    /// there is none.
    pub(super) fn cut(&self, output: &[f32], slope: &mut [f32]) {
        if self.rectified {
            let pairs = slope.par_chunks_mut(NUMBERS).zip(output.par_chunks(NUMBERS));
            pairs.for_each(|(slope, output)| {
                for (slope, &value) in slope.iter_mut().zip(output) {
                    *slope = if value > 0.0 { *slope } else { 0.0 };
                }
            });
        }
    }

    /// The slope along the input, for a slope that was [`cut`](Self::cut).
    pub(super) fn backward(&self, slope: &[f32]) -> Vec<f32> {
        let weights = &self.weights[..self.n_in * self.n_out];
        let weights = MatRef::from_row_major_slice(weights, self.n_in, self.n_out);
        let mut back = vec![0.0; slope.len() / self.n_out * self.n_in];
        let blocks = back.par_chunks_mut(ROWS * self.n_in);
        blocks.zip(slope.par_chunks(ROWS * self.n_out)).for_each(|(out, rows)| {
            let n = rows.len() / self.n_out;
            let rows = MatRef::from_row_major_slice(rows, n, self.n_out);
            let out = MatMut::from_row_major_slice_mut(out, n, self.n_in);
            matmul(out, Accum::Replace, rows, weights.transpose(), 1.0, Par::Seq);
        });
        back
    }

    /// The slope along the weights, for a slope that was [`cut`](Self::cut).
    pub(super) fn gradient(&self, input: &[f32], slope: &[f32]) -> Vec<f32> {
        let n = slope.len() / self.n_out;
        let rows = MatRef::from_row_major_slice(input, n, self.n_in);
        let slopes = MatRef::from_row_major_slice(slope, n, self.n_out);
        let mut gradient = vec![0.0; self.weights.len()];
        let (of_weights, of_bias) = gradient.split_at_mut(self.n_in * self.n_out);
        let blocks = of_weights.par_chunks_mut(INPUTS * self.n_out).enumerate();
        blocks.for_each(|(block, out)| {
            let n_inputs = out.len() / self.n_out;
            let inputs = rows.subcols(block * INPUTS, n_inputs);
            let out = MatMut::from_row_major_slice_mut(out, n_inputs, self.n_out);
            matmul(out, Accum::Replace, inputs.transpose(), slopes, 1.0, Par::Seq);
        });
        for row in slope.chunks_exact(self.n_out) {
            of_bias.iter_mut().zip(row).for_each(|(sum, &value)| *sum += value);
        }
        gradient
    }

    /// One of Adam's steps, the `step`th from 1.
    pub(super) fn descend(
        &mut self,
        moments: &mut Moments,
        gradient: &[f32],
        step: usize,
        rate: f64,
    ) {
        moments.mean.resize(gradient.len(), 0.0);
        moments.mean_sq.resize(gradient.len(), 0.0);
        // The moments begin at 0, which the division by what they have not forgotten makes good.
        let fresh =
            |decay: f32| 1.0 - f64::from(decay).powi(i32::try_from(step).unwrap_or(i32::MAX));
        let rate = (rate / fresh(DECAY)) as f32;
        let to_size = fresh(DECAY_SQ).recip() as f32;
        let weights = self.weights.par_chunks_mut(NUMBERS);
        let means = moments.mean.par_chunks_mut(NUMBERS);
        let means_sq = moments.mean_sq.par_chunks_mut(NUMBERS);
        let blocks = weights.zip(means).zip(means_sq).zip(gradient.par_chunks(NUMBERS));
        blocks.for_each(|(((weights, means), means_sq), gradient)| {
            let own = weights.iter_mut().zip(means).zip(means_sq);
            for (((weight, mean), mean_sq), &slope) in own.zip(gradient) {
                *mean = DECAY * *mean + (1.0 - DECAY) * slope;
                *mean_sq = DECAY_SQ * *mean_sq + (1.0 - DECAY_SQ) * slope * slope;
                *weight -= rate * *mean / ((*mean_sq * to_size).sqrt() + LEAST);
            }
        });
    }
}
