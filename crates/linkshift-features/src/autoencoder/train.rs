//! Training: each layer by itself, then all of them, pass by pass over the rows.

use super::layer::{Layer, Moments};
use super::moved::{Move, move_all};
use super::params::AutoencoderParams;
use super::{Encoder, layers, n_weights};
use crate::error::Result;
use linkshift::{Error, Points, Real};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::f64::consts::PI;
use std::ops::ControlFlow;

/// Streams of chance: each pass has one of its own, so that a run that goes on after a stop sees the
/// same as one that never stopped.
const OF_HELD_OUT: u64 = 0;
const OF_WEIGHTS: u64 = 1;
const OF_PASSES: u64 = 1 << 32;
const OF_MOVES: u64 = 2 << 32;

/// A loss must fall by this share to count as lower: less is noise, and would train for ever.
const LOWER: f64 = 1e-3;

/// Weights at most: training keeps up to eight numbers for each, so these take two gigabytes.
const MOST_WEIGHTS: usize = 1 << 26;

/// An autoencoder in training.
///
/// A stage is a layer that is trained by itself, with the one that undoes it, or at last the whole.
/// Between two passes all of it is plain data, which a file can keep.
#[derive(Debug, Clone, PartialEq)]
pub struct Training {
    pub(super) params: AutoencoderParams,
    pub(super) n_features: usize,
    pub(super) n_rows: usize,
    /// What rows are multiplied by.
    pub(super) factor: f32,
    /// Of the encoder, and after them, of the decoder, those that undo them, last first.
    pub(super) layers: Vec<Layer>,
    pub(super) moments: Vec<Moments>,
    pub(super) stage: usize,
    /// Passes done in this stage, and Adam's steps.
    pub(super) n_epochs: usize,
    pub(super) n_steps: usize,
    /// The layers at the lowest loss of this stage on the rows held out.
    pub(super) best: Vec<Layer>,
    pub(super) curve: Vec<Pass>,
}

/// What a pass over the rows came to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pass {
    /// Which layer was trained, from 0; as many as there are layers: the whole.
    pub stage: usize,
    /// Mean squared error in this pass, noise included, on rows of mean square 1.
    pub loss: f64,
    /// The same at its end and without noise, on the rows held out; none if there are none.
    pub held_out: Option<f64>,
}

/// Where training is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Which layer is trained, from 0; as many as there are layers: the whole.
    pub stage: usize,
    /// The number of stages.
    pub n_stages: usize,
    /// The pass of this stage, from 1.
    pub epoch: usize,
    /// Multiplications done, in thousands, and all there are at most: stages differ in size.
    pub done: u64,
    /// All of them.
    pub total: u64,
}

impl Training {
    /// Before the first pass.
    pub fn new<T: Real>(points: &Points<'_, T>, params: &AutoencoderParams) -> Result<Self> {
        params.check()?;
        let n_features = points.n_features();
        params.check_picture(n_features)?;
        if n_weights(n_features, params).is_none_or(|n_weights| n_weights > MOST_WEIGHTS) {
            let hidden: Vec<String> = params.hidden.iter().map(usize::to_string).collect();
            let must = format!(
                "smaller: from {n_features} columns to {} there are more than {MOST_WEIGHTS} weights",
                params.n_columns
            );
            return Err(Error::param("hidden", hidden.join(","), must).into());
        }
        let mut rng = stream(params.seed, OF_WEIGHTS);
        let mut layers = layers(n_features, params);
        layers.iter_mut().for_each(|layer| layer.scatter(&mut rng));
        let n_layers = layers.len() / 2;
        let total: f64 = points.values().iter().map(|value| value.as_f64().powi(2)).sum();
        let mean_sq = total / points.values().len() as f64;
        if mean_sq == 0.0 {
            return Err(Error::param("points", "all zero", "different from each other").into());
        }
        if !(mean_sq.sqrt().recip() as f32).is_normal() {
            let must = "of a usual size: bring the columns to one scale first";
            return Err(Error::param("points", format!("of mean square {mean_sq:e}"), must).into());
        }
        let training = Self {
            params: params.clone(),
            n_features,
            n_rows: points.n_points(),
            factor: mean_sq.sqrt().recip() as f32,
            moments: vec![Moments::default(); layers.len()],
            layers,
            stage: if params.pretrain_epochs == 0 { n_layers } else { 0 },
            n_epochs: 0,
            n_steps: 0,
            best: Vec::new(),
            curve: Vec::new(),
        };
        if training.held_out_rows().len() == training.n_rows {
            let must = "small enough that rows are left to train on";
            return Err(Error::param("held_out", params.held_out, must).into());
        }
        Ok(training)
    }

    /// What was set.
    pub fn params(&self) -> &AutoencoderParams {
        &self.params
    }

    /// Whether it began with rows of the same number and size; others show in the factor.
    pub fn began_like(&self, other: &Self) -> bool {
        (self.n_rows, self.n_features, self.factor)
            == (other.n_rows, other.n_features, other.factor)
    }

    /// All passes so far.
    pub fn curve(&self) -> &[Pass] {
        &self.curve
    }

    /// Whether there is nothing left to train.
    pub fn is_done(&self) -> bool {
        self.stage > self.n_layers()
    }

    /// One pass over the rows, the same as at the beginning. `observe` is asked after each step; if it
    /// breaks, the pass was not made, and the result is none.
    pub fn pass<T: Real>(
        &mut self,
        points: &Points<'_, T>,
        observe: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<Option<Pass>> {
        if (points.n_points(), points.n_features()) != (self.n_rows, self.n_features) {
            let given = format!("of {} × {}", points.n_points(), points.n_features());
            let must =
                format!("the rows that training began with, {} × {}", self.n_rows, self.n_features);
            return Err(Error::param("points", given, must).into());
        }
        let before = (self.layers.clone(), self.moments.clone(), self.n_steps);
        let held_out = self.held_out_rows();
        let mut is_held_out = vec![false; self.n_rows];
        held_out.iter().for_each(|&row| is_held_out[row] = true);
        let mut rows: Vec<usize> = (0..self.n_rows).filter(|&row| !is_held_out[row]).collect();
        let pass = OF_PASSES + self.curve.len() as u64;
        let mut rng = stream(self.params.seed, pass);
        rows.shuffle(&mut rng);
        let n_batches = rows.len().div_ceil(self.params.batch);
        let mut loss = 0.0;
        for (at, batch) in rows.chunks(self.params.batch).enumerate() {
            let seen = self.gather_moved(points, batch);
            loss += self.step(&seen, at, n_batches, &mut rng) * batch.len() as f64;
            if observe(&self.progress(at + 1, n_batches)).is_break() {
                (self.layers, self.moments, self.n_steps) = before;
                return Ok(None);
            }
        }
        let loss = loss / rows.len() as f64;
        let held_out = (!held_out.is_empty()).then(|| self.loss(points, &held_out));
        if !loss.is_finite() || held_out.is_some_and(|loss| !loss.is_finite()) {
            let must = "smaller: training blew up";
            return Err(Error::param("learning_rate", self.params.learning_rate, must).into());
        }
        let done = Pass { stage: self.stage, loss, held_out };
        self.note(done);
        Ok(Some(done))
    }

    /// What rows become, by the best layers so far.
    pub fn encoder(&self) -> Encoder {
        let layers = if self.best.is_empty() { &self.layers } else { &self.best };
        Encoder { factor: self.factor, layers: layers[..self.n_layers()].to_vec() }
    }

    fn n_layers(&self) -> usize {
        self.layers.len() / 2
    }

    /// The layers that this stage trains: one and the one that undoes it, or all.
    fn trained(&self) -> Vec<usize> {
        match self.stage < self.n_layers() {
            true => vec![self.stage, self.layers.len() - 1 - self.stage],
            false => (0..self.layers.len()).collect(),
        }
    }

    fn most_epochs(&self, stage: usize) -> usize {
        match stage.cmp(&self.n_layers()) {
            std::cmp::Ordering::Less => self.params.pretrain_epochs,
            std::cmp::Ordering::Equal => self.params.epochs,
            std::cmp::Ordering::Greater => 0,
        }
    }

    /// Mean squared error on a batch before the step that lowers it.
    fn step(&mut self, rows: &[f32], at: usize, n_batches: usize, rng: &mut ChaCha8Rng) -> f64 {
        let trained = self.trained();
        let alone = self.stage < self.n_layers();
        let target = self.before_stage(rows);
        // Forward: what goes into each layer, noise included, and what comes out of it.
        let mut inputs: Vec<Vec<f32>> = Vec::new();
        let mut factors: Vec<Vec<f32>> = Vec::new();
        let mut current = target.clone();
        for &layer in &trained {
            // Of all layers together, only what goes into the first.
            let noise = if alone || layer == 0 { self.params.noise } else { 0.0 };
            factors.push(wipe(&mut current, noise, rng));
            let output = self.layers[layer].forward(&current);
            inputs.push(std::mem::replace(&mut current, output));
        }
        let mut slope = current.clone();
        let loss = difference(&mut slope, &target);
        // Backward.
        self.n_steps += 1;
        let through = (self.n_epochs as f64 + at as f64 / n_batches as f64)
            / self.most_epochs(self.stage) as f64;
        let rate = self.params.learning_rate * 0.5 * (1.0 + (PI * through).cos());
        let mut output = current;
        for (place, &layer) in trained.iter().enumerate().rev() {
            self.layers[layer].cut(&output, &mut slope);
            let gradient = self.layers[layer].gradient(&inputs[place], &slope);
            if place > 0 {
                slope = self.layers[layer].backward(&slope);
                // Noise: what was wiped out has no influence, and the rest was raised.
                let pairs = slope.iter_mut().zip(&factors[place]);
                pairs.for_each(|(slope, factor)| *slope *= factor);
            }
            self.layers[layer].descend(&mut self.moments[layer], &gradient, self.n_steps, rate);
            output = inputs.pop().unwrap_or_default();
        }
        loss
    }

    /// What the layers before this stage's make of rows.
    fn before_stage(&self, rows: &[f32]) -> Vec<f32> {
        let before = if self.stage < self.n_layers() { self.stage } else { 0 };
        self.layers[..before].iter().fold(rows.to_vec(), |rows, layer| layer.forward(&rows))
    }

    /// Mean squared error without noise.
    fn loss<T: Real>(&self, points: &Points<'_, T>, rows: &[usize]) -> f64 {
        let trained = self.trained();
        let of_batch = |batch: &[usize]| {
            let target = self.before_stage(&self.gather(points, batch));
            let mut made = trained
                .iter()
                .fold(target.clone(), |rows, &layer| self.layers[layer].forward(&rows));
            difference(&mut made, &target) * batch.len() as f64
        };
        rows.chunks(self.params.batch).map(of_batch).sum::<f64>() / rows.len() as f64
    }

    /// Keeps the layers if they are the best so far, and goes to the next stage if it is time.
    fn note(&mut self, pass: Pass) {
        let of_stage = self.curve.iter().filter(|one| one.stage == pass.stage);
        let losses: Vec<f64> = of_stage.filter_map(|one| one.held_out).collect();
        self.curve.push(pass);
        self.n_epochs += 1;
        let best_before = losses.iter().copied().fold(f64::INFINITY, f64::min);
        if pass.held_out.is_none_or(|loss| loss < best_before) {
            self.best = self.layers.clone();
        }
        if self.n_epochs == self.most_epochs(self.stage) || self.is_stuck() {
            self.layers = std::mem::take(&mut self.best);
            self.moments = vec![Moments::default(); self.layers.len()];
            (self.stage, self.n_epochs, self.n_steps) = (self.stage + 1, 0, 0);
        }
    }

    /// Whether the loss on the rows held out has stopped falling.
    fn is_stuck(&self) -> bool {
        let of_stage = self.curve.iter().filter(|pass| pass.stage == self.stage);
        let (mut lowest, mut since) = (f64::INFINITY, 0);
        for loss in of_stage.filter_map(|pass| pass.held_out) {
            if loss < lowest * (1.0 - LOWER) {
                (lowest, since) = (loss, 0);
            } else {
                since += 1;
            }
        }
        since >= self.params.patience
    }

    /// The rows that are never trained on, the same in all passes.
    fn held_out_rows(&self) -> Vec<usize> {
        let mut rows: Vec<usize> = (0..self.n_rows).collect();
        rows.shuffle(&mut stream(self.params.seed, OF_HELD_OUT));
        rows.truncate((self.params.held_out * self.n_rows as f64).round() as usize);
        rows
    }

    /// Rows as the layers take them.
    fn gather<T: Real>(&self, points: &Points<'_, T>, rows: &[usize]) -> Vec<f32> {
        let values = rows.iter().flat_map(|&row| points.row(row));
        values.map(|value| value.as_f64() as f32 * self.factor).collect()
    }

    /// Rows as this pass trains on them: pictures are moved a little.
    fn gather_moved<T: Real>(&self, points: &Points<'_, T>, rows: &[usize]) -> Vec<f32> {
        let mut values = self.gather(points, rows);
        if let Some(shape) = self.params.picture {
            let pass = OF_MOVES + self.curve.len() as u64;
            move_all(&mut values, shape, |at| Move::draw(self.params.seed, pass, rows[at]));
        }
        values
    }

    fn progress(&self, at: usize, n_batches: usize) -> Progress {
        let n_layers = self.n_layers();
        let size = |layer: usize| self.layers[layer].weights.len() as u64;
        // Forward, back, and the gradient: three products for each layer that is trained.
        let cost = |stage: usize| match stage < n_layers {
            true => (0..stage).map(size).sum::<u64>() + 6 * size(stage),
            false => 3 * (0..self.layers.len()).map(size).sum::<u64>(),
        };
        let of_stage = |stage: usize| cost(stage) * (self.most_epochs(stage) * n_batches) as u64;
        let in_stage = cost(self.stage) * (self.n_epochs * n_batches + at) as u64;
        Progress {
            stage: self.stage,
            n_stages: n_layers + 1,
            epoch: self.n_epochs + 1,
            done: ((0..self.stage).map(of_stage).sum::<u64>() + in_stage) / 1_000,
            total: (0..=n_layers).map(of_stage).sum::<u64>() / 1_000,
        }
    }
}

/// Wipes out a share of the values and raises the others, so that sums stay as large: what each was
/// multiplied by; nothing if there is no noise.
fn wipe(values: &mut [f32], noise: f64, rng: &mut ChaCha8Rng) -> Vec<f32> {
    if noise == 0.0 {
        return Vec::new();
    }
    let below = (noise * f64::from(u32::MAX)) as u32;
    let raised = (1.0 - noise).recip() as f32;
    let factor = |_: &f32| if rng.next_u32() < below { 0.0 } else { raised };
    let factors: Vec<f32> = values.iter().map(factor).collect();
    values.iter_mut().zip(&factors).for_each(|(value, factor)| *value *= factor);
    factors
}

/// What is left of `made` is the slope of the loss along it; the loss is the mean squared difference.
fn difference(made: &mut [f32], target: &[f32]) -> f64 {
    let n = made.len() as f64;
    let mut total = 0.0;
    for (made, &target) in made.iter_mut().zip(target) {
        let off = *made - target;
        total += f64::from(off) * f64::from(off);
        *made = (2.0 / n) as f32 * off;
    }
    total / n
}

fn stream(seed: u64, number: u64) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(number);
    rng
}
