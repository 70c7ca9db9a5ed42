//! What mean shift found, and the labels of points it has not seen.

use super::basin::{Basin, Uphill};
use super::climb::{Limits, climb};
use super::collapse::{Stages, carry};
use super::field::Field;
use super::params::LabelRule;
use crate::bandwidth::Found;
use crate::error::Result;
use crate::kernel::Profile;
use crate::neighbors::Neighbors;
use crate::observe;
use crate::points::Points;
use crate::predictor::{Nearest, Predictor, Reach};
use crate::real::Real;
use crate::shared::held::Held;
use rayon::prelude::*;

/// The way from a place to where its center ends.
#[derive(Debug, Clone)]
pub(crate) enum Way<T: Real> {
    Climb(Box<Field<T>>, Limits<T>),
    Collapse(Stages<T>),
}

impl<T: Real> Way<T> {
    /// The labels of points that go this way: that of the nearest end.
    pub(crate) fn labels_of(
        &self,
        points: &Points<'_, T>,
        ends: &Points<'_, T>,
        label_of_end: &[i64],
    ) -> Result<Vec<i64>> {
        let d = points.n_features();
        let mut places = points.values().to_vec();
        match self {
            Way::Climb(field, limits) => {
                let arrived = climb(field, places, limits, &mut observe::ignore)?;
                let at = |&center: &u32| &arrived.centers[center as usize * d..][..d];
                places = arrived.of.iter().flat_map(at).copied().collect();
            }
            Way::Collapse(stages) => {
                for field in stages {
                    carry(field, &mut places);
                }
            }
        }
        let near = Neighbors::new(ends);
        let label = |place: &[T]| label_of_end[near.nearest(place, 1)[0].row];
        Ok(places.par_chunks_exact(d).map(label).collect())
    }

    /// The same as plain data, and the profile.
    fn into_plain(self) -> (Profile, Uphill<T>) {
        match self {
            Way::Climb(field, limits) => {
                let way = Uphill::Climb {
                    samples: field.samples(),
                    bandwidth: field.bandwidth().clone(),
                    max_iter: limits.max_iter,
                    tolerance: limits.tolerance,
                    merge_tolerance: limits.merge_tolerance,
                };
                (field.profile(), way)
            }
            Way::Collapse(stages) => {
                // Every stage has the same, and there is at least one.
                let first = stages.first();
                let bandwidth = match first.map(Field::bandwidth) {
                    Some(Found::Same(h)) => *h,
                    _ => T::one(),
                };
                let profile = first.map_or(Profile::Ball, Field::profile);
                let stages = stages.iter().map(Field::samples).collect();
                (profile, Uphill::Collapse { stages, bandwidth })
            }
        }
    }
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
        self.way.labels_of(points, &self.terminals, &self.label_of_terminal)
    }

    /// All that [`predict`](Self::predict) takes, as plain data.
    pub fn into_predictor(self) -> Predictor<T> {
        let n_modes = self.modes.n_points();
        if self.sizes.is_empty() {
            let labels = vec![-1; n_modes];
            return Predictor::Nearest(Nearest { places: self.modes, labels, reach: Reach::Any });
        }
        if self.rule == LabelRule::Nearest {
            let labels = (0..n_modes as i64).collect();
            let reach = self.noise_beyond.map_or(Reach::Any, Reach::UpTo);
            return Predictor::Nearest(Nearest { places: self.modes, labels, reach });
        }
        let (profile, way) = self.way.into_plain();
        let (ends, labels) = (self.terminals, self.label_of_terminal);
        Predictor::Basin(Basin { profile, way, ends, labels, held: Held::default() })
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
