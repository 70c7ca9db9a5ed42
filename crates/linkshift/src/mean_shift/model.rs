//! What mean shift found, and the labels of points it has not seen.

use super::climb::{Limits, climb};
use super::collapse::{Stages, carry};
use super::field::Field;
use super::params::LabelRule;
use crate::error::Result;
use crate::neighbors::Neighbors;
use crate::observe;
use crate::points::Points;
use crate::real::Real;
use rayon::prelude::*;

/// The way from a place to where its center ends.
#[derive(Debug, Clone)]
pub(crate) enum Way<T: Real> {
    Climb(Box<Field<T>>, Limits<T>),
    Collapse(Stages<T>),
}

/// A fitted mean shift.
#[derive(Debug, Clone)]
pub struct MeanShiftModel<T: Real> {
    pub(crate) labels: Vec<i64>,
    pub(crate) modes: Points<'static, T>,
    pub(crate) sizes: Vec<usize>,
    pub(crate) n_iter: usize,
    pub(crate) converged: bool,
    pub(crate) bandwidth: f64,
    /// With the nearest rule: points farther than this from every mode are noise.
    pub(crate) noise_beyond: Option<T>,
    pub(crate) rule: LabelRule,
    pub(crate) way: Way<T>,
    /// Where the centers of the fitted points ended, and the label of each such place.
    pub(crate) terminals: Points<'static, T>,
    pub(crate) label_of_terminal: Vec<i64>,
}

impl<T: Real> MeanShiftModel<T> {
    /// The cluster of each point, numbered from 0 by first member; −1 is noise.
    pub fn labels(&self) -> &[i64] {
        &self.labels
    }

    /// The mode of each cluster. (If all points are noise there is no cluster, and these are the
    /// modes that none of them was near enough to.)
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
        self.n_iter
    }

    /// Whether every center arrived before the iterations ran out.
    pub fn converged(&self) -> bool {
        self.converged
    }

    /// The bandwidth used; the mean of them if each point had its own.
    pub fn bandwidth(&self) -> f64 {
        self.bandwidth
    }

    /// Labels of new points. By basin, each climbs as the fitted points did and takes the label of
    /// the place it reaches, so fitted points get their own labels again (up to what merging
    /// centers within `merge_tolerance` leaves open, if only some of them are given).
    pub fn predict(&self, points: &Points<'_, T>) -> Result<Vec<i64>> {
        points.expect_features(self.modes.n_features())?;
        if self.sizes.is_empty() {
            return Ok(vec![-1; points.n_points()]);
        }
        if self.rule == LabelRule::Nearest {
            return Ok(self.nearest_modes(points));
        }
        let mut ends = points.values().to_vec();
        match &self.way {
            Way::Climb(field, limits) => {
                let arrived = climb(field, ends, limits, &mut observe::ignore)?;
                let at = |&center: &u32| {
                    &arrived.centers[center as usize * points.n_features()..][..points.n_features()]
                };
                ends = arrived.of.iter().flat_map(at).copied().collect();
            }
            Way::Collapse(stages) => {
                for field in stages {
                    carry(field, &mut ends);
                }
            }
        }
        let near = Neighbors::new(&self.terminals);
        Ok(ends
            .par_chunks_exact(points.n_features())
            .map(|end| self.label_of_terminal[near.nearest(end, 1)[0].row])
            .collect())
    }

    /// The nearest mode of each point, or −1 where none is near enough.
    pub(crate) fn nearest_modes(&self, points: &Points<'_, T>) -> Vec<i64> {
        let near = Neighbors::new(&self.modes);
        points
            .values()
            .par_chunks_exact(points.n_features())
            .map(|row| {
                let mode = near.nearest(row, 1)[0];
                match self.noise_beyond {
                    Some(limit) if mode.distance_sq > limit * limit => -1,
                    _ => mode.row as i64,
                }
            })
            .collect()
    }

    /// Takes the final labels; `raw_of` gives for each of them the mode it came from. Modes that
    /// no point belongs to are dropped.
    pub(crate) fn renumber(&mut self, labels: Vec<i64>, raw_of: &[usize]) {
        let mut new_of = vec![-1; self.modes.n_points()];
        raw_of.iter().enumerate().for_each(|(new, &raw)| new_of[raw] = new as i64);
        self.label_of_terminal.iter_mut().for_each(|label| *label = new_of[*label as usize]);
        if !raw_of.is_empty() {
            self.modes = self.modes.select(raw_of);
        }
        self.sizes = vec![0; raw_of.len()];
        labels.iter().filter(|&&label| label >= 0).for_each(|&l| self.sizes[l as usize] += 1);
        self.labels = labels;
    }
}
