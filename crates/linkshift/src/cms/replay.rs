//! The run once more, for points that were not there: what prediction takes, as plain data.

use super::fit::drift;
use super::params::CmsParams;
use super::samples::Samples;
use super::state::State;
use super::step::Iteration;
use super::ties::{Tie, Ties};
use crate::error::Result;
use crate::method::Algorithm;
use crate::neighbors::Neighbors;
use crate::points::Points;
use crate::predictor::{Nearest, Predictor, Reach, all_below, same_count, whole};
use crate::real::Real;
use crate::shared::coincident;
use crate::stop::Stoppable;
use rayon::prelude::*;

/// One iteration as it was: the centers before the move, and which became one after it.
#[derive(Debug, Clone, PartialEq)]
pub struct Stage<T> {
    /// The bandwidth.
    pub h: f64,
    /// The centers before the move, row by row.
    pub centers: Vec<T>,
    /// Center of this iteration → center of the next.
    pub merged: Vec<u32>,
}

/// A run as it was.
#[derive(Debug, Clone, PartialEq)]
pub struct Replay<T: Real> {
    /// The parameters of the run.
    pub params: CmsParams,
    /// What centers are drawn to: the points or their representatives, with their weights.
    pub samples: Points<'static, T>,
    /// Point → its sample.
    pub sample_of: Vec<u32>,
    /// Whether samples are representatives of points.
    pub gathered: bool,
    /// What links hold apart and pull together, by sample.
    pub ties: Ties,
    /// Sample → center of the first iteration.
    pub before_first: Vec<u32>,
    /// The iterations.
    pub path: Vec<Stage<T>>,
    /// The centers after the last iteration.
    pub final_centers: Points<'static, T>,
    /// The label of each of them.
    pub label_of_center: Vec<i64>,
}

impl<T: Real> Replay<T> {
    /// The place of each point's center before the first and after each iteration, row by row.
    pub(super) fn trace(&self) -> Vec<Vec<T>> {
        let Self { samples, sample_of, before_first, path, final_centers, .. } = self;
        let d = samples.n_features();
        let first = |&sample: &u32| before_first[sample as usize];
        let mut of: Vec<u32> = sample_of.iter().map(first).collect();
        let spread = |of: &[u32], centers: &[T]| -> Vec<T> {
            of.iter().flat_map(|&c| &centers[c as usize * d..][..d]).copied().collect()
        };
        let mut trace = Vec::with_capacity(path.len() + 1);
        for stage in path {
            trace.push(spread(&of, &stage.centers));
            of.iter_mut().for_each(|center| *center = stage.merged[*center as usize]);
        }
        trace.push(spread(&of, final_centers.values()));
        trace
    }

    /// Labels of new points: each is carried through all iterations by the samples and links of
    /// the fit, and from where it meets a center of the fit it shares that center's fate. A point
    /// of the fit meets its own at once, so it keeps its label.
    pub fn predict(&self, points: &Points<'_, T>) -> Result<Vec<i64>> {
        points.expect_features(self.samples.n_features())?;
        let fates = self.fates();
        let mut labels = Vec::with_capacity(points.n_points());
        for part in points.parts() {
            labels.extend(self.carried(&part, &fates));
        }
        Ok(labels)
    }

    /// The labels of some points, none of which knows of another.
    fn carried(&self, points: &Points<'_, T>, fates: &[Vec<i64>]) -> Vec<i64> {
        let d = points.n_features();
        let mut labels = vec![-1; points.n_points()];
        let mut places = points.values().to_vec();
        let mut rows: Vec<Vec<u32>> = (0..points.n_points() as u32).map(|row| vec![row]).collect();
        let mut samples = Samples::new(&self.samples, self.params.profile);
        let weights: Vec<T> =
            (0..self.samples.n_points()).map(|row| self.samples.weight(row)).collect();
        let mut state = State::new(self.samples.values(), d, weights, self.ties.clone());
        state.follow(&self.before_first);

        for (stage, fates) in self.path.iter().zip(fates) {
            state.centers.clone_from(&stage.centers);
            // Where points were gathered, a new one belongs to the nearest representative, as they do.
            let tolerance = match self.gathered {
                true => T::infinity(),
                false => T::of(self.params.merge_tolerance * stage.h),
            };
            settle(&mut places, &mut rows, &stage.centers, d, tolerance, |row, center| {
                labels[row as usize] = fates[center];
            });
            if rows.is_empty() {
                return labels;
            }
            let drift = if self.params.blurring { 0.0 } else { drift(&self.samples, &state) };
            if self.params.blurring {
                let at: Vec<T> =
                    state.of.iter().flat_map(|&c| state.center(c as usize)).copied().collect();
                samples = Samples::new(&self.samples.clone().replaced(&at), self.params.profile);
            }
            Iteration::new(&samples, &state, stage.h, drift, &self.params)
                .shift(&mut places, false);
            state.follow(&stage.merged);
        }
        let all = T::infinity();
        settle(&mut places, &mut rows, self.final_centers.values(), d, all, |row, center| {
            labels[row as usize] = self.label_of_center[center];
        });
        labels
    }

    /// What predicts the same with less. Where points were gathered, a new one goes with the nearest
    /// representative from the start, so its end is all that counts.
    pub(crate) fn slim(mut self) -> Predictor<T> {
        let fates = self.fates();
        let d = self.samples.n_features();
        match (self.path.first(), fates.into_iter().next()) {
            (Some(first), Some(labels)) if self.gathered => {
                let places = Points::checked_before(first.centers.clone(), d, None);
                Predictor::Nearest(Nearest { places, labels, reach: Reach::Any })
            }
            _ => {
                self.sample_of = Vec::new();
                Predictor::Replay(self)
            }
        }
    }

    /// The center of a fitted point before the first iteration and after each; none if there is no
    /// such point.
    pub fn centers_of(&self, row: usize) -> Option<Vec<u32>> {
        let sample = *self.sample_of.get(row)? as usize;
        let mut centers = vec![*self.before_first.get(sample)?];
        for stage in &self.path {
            centers.push(*stage.merged.get(*centers.last()? as usize)?);
        }
        Some(centers)
    }

    /// Fails if the parts do not fit each other.
    pub(crate) fn check(&self) -> Result<()> {
        self.params.check()?;
        let (n, d) = (self.samples.n_points(), self.samples.n_features());
        all_below("samples of points", &self.sample_of, n)?;
        same_count("centers of samples", self.before_first.len(), n)?;
        for tie in self.ties.cannot.iter().chain(&self.ties.must) {
            let ends_exist = (tie.x as usize) < n && (tie.y as usize) < n;
            let is_strength = tie.strength > 0.0 && tie.strength <= 1.0;
            whole(ends_exist && is_strength, "ties", || format!("{tie:?} among {n} samples"))?;
        }
        are_paired(&self.ties.cannot)?;
        are_paired(&self.ties.must)?;
        let mut next_of = &self.before_first;
        for Stage { h, centers, merged } in &self.path {
            whole(*h > 0.0 && h.is_finite(), "bandwidths", || format!("one is {h}"))?;
            leads_to(next_of, merged.len())?;
            same_count("numbers of a stage", centers.len(), merged.len() * d)?;
            Points::new(&centers[..], d)?;
            next_of = merged;
        }
        leads_to(next_of, self.final_centers.n_points())?;
        same_count("columns of the centers", self.final_centers.n_features(), d)?;
        same_count("labels", self.label_of_center.len(), self.final_centers.n_points())
    }

    /// For each iteration the final label of each of its centers.
    fn fates(&self) -> Vec<Vec<i64>> {
        let mut next = self.label_of_center.clone();
        let mut fates: Vec<Vec<i64>> = Vec::with_capacity(self.path.len());
        for stage in self.path.iter().rev() {
            next = stage.merged.iter().map(|&center| next[center as usize]).collect();
            fates.push(next.clone());
        }
        fates.reverse();
        fates
    }
}

/// Fails unless every tie has its reverse, as strong and in order: steps find it by that.
fn are_paired(ties: &[Tie]) -> Result<()> {
    let key = |tie: &Tie| (tie.x, tie.y, tie.strength.to_bits(), tie.count);
    let ends: Vec<_> = ties.iter().map(key).collect();
    let mut reversed: Vec<_> =
        ends.iter().map(|&(x, y, strength, n)| (y, x, strength, n)).collect();
    // Strengths are above 0, so their bits are in their order.
    reversed.sort_unstable();
    whole(ends == reversed, "ties", || "not in order, each with its reverse".to_owned())
}

/// Fails unless the centers that others become are exactly the next ones.
fn leads_to(next_of: &[u32], n_next: usize) -> Result<()> {
    let n_led_to = next_of.iter().max().map_or(0, |&last| last as usize + 1);
    same_count("centers of an iteration", n_led_to, n_next)
}

/// Takes out the places that have met a center (within `tolerance`), reporting their rows; places
/// that are equal become one. (Near ones do not: who comes together must not change what becomes of
/// each.)
fn settle<T: Real>(
    places: &mut Vec<T>,
    rows: &mut Vec<Vec<u32>>,
    centers: &[T],
    d: usize,
    tolerance: T,
    mut met: impl FnMut(u32, usize),
) {
    let near = Neighbors::new(&Points::checked_before(centers, d, None));
    let nearest: Vec<_> =
        places.par_chunks_exact(d).stoppable().map(|place| near.nearest(place, 1)[0]).collect();
    let mut left = (Vec::new(), Vec::new());
    for ((place, rows), nearest) in places.chunks_exact(d).zip(rows.drain(..)).zip(nearest) {
        if nearest.distance_sq <= tolerance * tolerance {
            rows.into_iter().for_each(|row| met(row, nearest.row));
        } else {
            left.0.extend_from_slice(place);
            left.1.push(rows);
        }
    }
    let merged = coincident::merge(&left.0, d, |_| T::zero(), false);
    places.clear();
    rows.resize(merged.first.len(), Vec::new());
    for &first in &merged.first {
        places.extend_from_slice(&left.0[first as usize * d..][..d]);
    }
    for (old, &new) in left.1.into_iter().zip(&merged.of) {
        rows[new as usize].extend(old);
    }
}
