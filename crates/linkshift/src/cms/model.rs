//! What constrained mean shift found, and the labels of points it has not seen.

use super::fit::{Run, drift};
use super::params::CmsParams;
use super::state::State;
use super::step::{Iteration, Samples};
use super::ties::Ties;
use crate::coincident;
use crate::error::Result;
use crate::links::LinkReport;
use crate::mean_shift::modes::number_by_first_member;
use crate::neighbors::Neighbors;
use crate::points::Points;
use crate::real::Real;
use rayon::prelude::*;

/// One iteration as it was: the centers before the move, and which became one after it.
#[derive(Debug, Clone)]
pub(crate) struct Stage<T> {
    pub(crate) h: f64,
    pub(crate) centers: Vec<T>,
    /// Center of this iteration → center of the next.
    pub(crate) merged: Vec<u32>,
}

/// That points were gathered into representatives, and how far that moved them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gathered {
    /// How many representatives there were.
    pub n_representatives: usize,
    /// Root of the mean squared distance from a point to its representative.
    pub rms_distance: f64,
}

/// A fitted constrained mean shift.
#[derive(Debug, Clone)]
pub struct CmsModel<T: Real> {
    labels: Vec<i64>,
    modes: Points<'static, T>,
    sizes: Vec<usize>,
    bandwidths: Vec<f64>,
    converged: bool,
    pub(super) link_report: LinkReport,
    pub(super) n_implied_broken: u64,
    pub(super) gathered: Option<Gathered>,
    pub(super) pairs_left_out: u64,
    // What prediction replays.
    params: CmsParams,
    samples: Points<'static, T>,
    sample_of: Vec<u32>,
    ties: Ties,
    before_first: Vec<u32>,
    path: Vec<Stage<T>>,
    final_centers: Points<'static, T>,
    label_of_center: Vec<i64>,
}

impl<T: Real> CmsModel<T> {
    /// `sample_of`: point → its sample, itself or its representative.
    pub(super) fn new(
        run: Run<T>,
        samples: Points<'static, T>,
        sample_of: Vec<u32>,
        params: &CmsParams,
    ) -> Self {
        let component = |&sample: &u32| run.component_of_sample(sample);
        let raw: Vec<i64> = sample_of.iter().map(component).collect();
        let (labels, raw_of) = number_by_first_member(&raw);
        let mut sizes = vec![0; raw_of.len()];
        labels.iter().for_each(|&label| sizes[label as usize] += 1);

        let mut label_of = vec![-1; run.component_of_center.len()];
        raw_of.iter().enumerate().for_each(|(label, &raw)| label_of[raw] = label as i64);
        let label_of_center: Vec<i64> =
            run.component_of_center.iter().map(|&component| label_of[component as usize]).collect();
        // The mode of a cluster is the center most of its weight has gathered at.
        let mut heaviest = vec![usize::MAX; sizes.len()];
        for (center, &label) in label_of_center.iter().enumerate() {
            let Ok(label) = usize::try_from(label) else { continue };
            let weight = |center: usize| run.state.weights[center];
            if heaviest[label] == usize::MAX || weight(center) > weight(heaviest[label]) {
                heaviest[label] = center;
            }
        }
        Self {
            labels,
            modes: run.centers.select(&heaviest),
            sizes,
            bandwidths: run.bandwidths,
            converged: run.at_rest,
            link_report: LinkReport::default(),
            n_implied_broken: 0,
            gathered: None,
            pairs_left_out: 0,
            params: params.clone(),
            samples,
            sample_of,
            ties: run.ties,
            before_first: run.before_first,
            path: run.path,
            final_centers: run.centers,
            label_of_center,
        }
    }

    /// The cluster of each point, numbered from 0 by first member.
    pub fn labels(&self) -> &[i64] {
        &self.labels
    }

    /// The mode of each cluster: where most of it has gathered.
    pub fn modes(&self) -> &Points<'static, T> {
        &self.modes
    }

    /// The number of points in each cluster.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// The number of clusters.
    pub fn n_clusters(&self) -> usize {
        self.sizes.len()
    }

    /// Iterations done.
    pub fn n_iter(&self) -> usize {
        self.bandwidths.len()
    }

    /// Whether the centers were at rest after the last iteration.
    pub fn converged(&self) -> bool {
        self.converged
    }

    /// The bandwidth of each iteration.
    pub fn bandwidths(&self) -> &[f64] {
        &self.bandwidths
    }

    /// Which of the links given were kept, and which were broken.
    pub fn link_report(&self) -> &LinkReport {
        &self.link_report
    }

    /// Pairs of points that the links imply are apart but that share a label.
    pub fn n_implied_broken(&self) -> u64 {
        self.n_implied_broken
    }

    /// Whether points were gathered into representatives first; `None` = every point was its own.
    pub fn gathered(&self) -> Option<Gathered> {
        self.gathered
    }

    /// Implied cannot-linked pairs that were left out because their groups exceed the cap.
    pub fn pairs_left_out(&self) -> u64 {
        self.pairs_left_out
    }

    /// Bytes that the way of the centers takes, which prediction and [`trace`](Self::trace) need.
    pub fn path_bytes(&self) -> usize {
        let of =
            |stage: &Stage<T>| size_of_val(&stage.centers[..]) + size_of_val(&stage.merged[..]);
        self.path.iter().map(of).sum()
    }

    /// The place of each point's center before the first and after each iteration, row by row.
    /// (Where points were gathered, they begin at their representatives.)
    pub fn trace(&self) -> Vec<Vec<T>> {
        let d = self.samples.n_features();
        let first = |&sample: &u32| self.before_first[sample as usize];
        let mut of: Vec<u32> = self.sample_of.iter().map(first).collect();
        let spread = |of: &[u32], centers: &[T]| -> Vec<T> {
            of.iter().flat_map(|&c| &centers[c as usize * d..][..d]).copied().collect()
        };
        let mut trace = Vec::with_capacity(self.path.len() + 1);
        for stage in &self.path {
            trace.push(spread(&of, &stage.centers));
            of.iter_mut().for_each(|center| *center = stage.merged[*center as usize]);
        }
        trace.push(spread(&of, self.final_centers.values()));
        trace
    }

    /// Labels of new points: each is carried through all iterations by the samples and links of
    /// the fit, and from where it meets a center of the fit it shares that center's fate. A point
    /// of the fit meets its own at once, so it keeps its label.
    pub fn predict(&self, points: &Points<'_, T>) -> Result<Vec<i64>> {
        points.expect_features(self.samples.n_features())?;
        let d = points.n_features();
        let fates = self.fates();
        let mut labels = vec![-1; points.n_points()];
        let mut places = points.values().to_vec();
        let mut rows: Vec<Vec<u32>> = (0..points.n_points() as u32).map(|row| vec![row]).collect();
        let mut samples = Samples::new(&self.samples);
        let weights: Vec<T> =
            (0..self.samples.n_points()).map(|row| self.samples.weight(row)).collect();
        let mut state = State::new(self.samples.values(), d, weights, self.ties.clone());
        state.follow(&self.before_first);

        for (stage, fates) in self.path.iter().zip(&fates) {
            state.centers.clone_from(&stage.centers);
            // Where points were gathered, a new one belongs to the nearest representative, as they do.
            let tolerance = match self.gathered {
                Some(_) => T::infinity(),
                None => T::of(self.params.merge_tolerance * stage.h),
            };
            settle(&mut places, &mut rows, &stage.centers, d, tolerance, |row, center| {
                labels[row as usize] = fates[center];
            })?;
            if rows.is_empty() {
                return Ok(labels);
            }
            let drift = if self.params.blurring { 0.0 } else { drift(&self.samples, &state) };
            if self.params.blurring {
                let at: Vec<T> =
                    state.of.iter().flat_map(|&c| state.center(c as usize)).copied().collect();
                samples = Samples::new(&self.samples.clone().replaced(&at));
            }
            Iteration::new(&samples, &state, stage.h, drift, &self.params)?
                .shift(&mut places, false);
            state.follow(&stage.merged);
        }
        let all = T::infinity();
        settle(&mut places, &mut rows, self.final_centers.values(), d, all, |row, center| {
            labels[row as usize] = self.label_of_center[center];
        })?;
        Ok(labels)
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

/// Takes out the places that have met a center (within `tolerance`), reporting their rows; places
/// that coincide with each other become one.
fn settle<T: Real>(
    places: &mut Vec<T>,
    rows: &mut Vec<Vec<u32>>,
    centers: &[T],
    d: usize,
    tolerance: T,
    mut met: impl FnMut(u32, usize),
) -> Result<()> {
    let near = Neighbors::new(&Points::new(centers, d)?);
    let nearest: Vec<_> =
        places.par_chunks_exact(d).map(|place| near.nearest(place, 1)[0]).collect();
    let mut left = (Vec::new(), Vec::new());
    for ((place, rows), nearest) in places.chunks_exact(d).zip(rows.drain(..)).zip(nearest) {
        if nearest.distance_sq <= tolerance * tolerance {
            rows.into_iter().for_each(|row| met(row, nearest.row));
        } else {
            left.0.extend_from_slice(place);
            left.1.push(rows);
        }
    }
    let tolerance = if tolerance.is_finite() { tolerance } else { T::zero() };
    let merged = coincident::merge(&left.0, d, |_| tolerance, false);
    places.clear();
    rows.resize(merged.first.len(), Vec::new());
    for &first in &merged.first {
        places.extend_from_slice(&left.0[first as usize * d..][..d]);
    }
    for (old, &new) in left.1.into_iter().zip(&merged.of) {
        rows[new as usize].extend(old);
    }
    Ok(())
}
