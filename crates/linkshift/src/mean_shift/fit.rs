//! The method from points to model.

use super::climb::{Arrived, Limits, Pace, climb};
use super::collapse::collapse;
use super::field::Field;
use super::model::{MeanShiftModel, Way};
use super::modes::gather;
use super::params::{LabelRule, MeanShiftParams};
use super::seeds::plant;
use crate::bandwidth::Found;
use crate::error::Result;
use crate::kernel::Profile;
use crate::neighbors::Neighbors;
use crate::observe::{self, Observer};
use crate::points::Points;
use crate::real::Real;
use crate::shared::coincident;
use crate::shared::relabel::number_by_first_member;
use rayon::prelude::*;

/// Mean shift with checked parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct MeanShift {
    params: MeanShiftParams,
}

impl MeanShift {
    /// Checks the parameters; every parameter error is here.
    pub fn new(params: MeanShiftParams) -> Result<Self> {
        params.check()?;
        Ok(Self { params })
    }

    /// The parameters.
    pub fn params(&self) -> &MeanShiftParams {
        &self.params
    }

    /// Finds the modes and the clusters around them.
    pub fn fit<T: Real>(&self, points: &Points<'_, T>) -> Result<MeanShiftModel<T>> {
        self.fit_observed(points, &mut observe::ignore)
    }

    /// Like [`fit`](Self::fit), showing each iteration to an observer that may cancel.
    pub fn fit_observed<T: Real>(
        &self,
        points: &Points<'_, T>,
        observer: &mut Observer<'_>,
    ) -> Result<MeanShiftModel<T>> {
        let bandwidth = self.params.bandwidth.find(points, self.params.seed)?;
        self.fit_at(points, bandwidth, Pace::Steps, observer)
    }

    /// Like [`fit_observed`](Self::fit_observed), at bandwidths that are found already and at a pace
    /// of the caller's choice.
    pub(crate) fn fit_at<T: Real>(
        &self,
        points: &Points<'_, T>,
        bandwidth: Found<T>,
        pace: Pace,
        observer: &mut Observer<'_>,
    ) -> Result<MeanShiftModel<T>> {
        let params = &self.params;
        let limits = self.limits(&bandwidth, pace);
        let (arrived, way) = if let (true, Found::Same(h)) = (params.blurring, &bandwidth) {
            let (arrived, stages) = collapse(points, params.profile, *h, &limits, observer)?;
            (arrived, Way::Collapse(stages))
        } else {
            let seeds = plant(&params.seeding, points, bandwidth.mean())?;
            let field = field_of(points, params.profile, &bandwidth)?;
            (climb(&field, seeds, &limits, observer)?, Way::Climb(Box::new(field), limits))
        };
        self.conclude(points, &bandwidth, arrived, way)
    }

    /// The parameters that are shares of the bandwidth, in the units of the points.
    fn limits<T: Real>(&self, bandwidth: &Found<T>, pace: Pace) -> Limits<T> {
        let h = match bandwidth {
            Found::Same(h) => *h,
            // The finest of them sets what "arrived" and "coincident" mean.
            Found::PerPoint(all) => all.iter().copied().fold(T::infinity(), T::min),
        };
        Limits {
            max_iter: self.params.max_iter,
            tolerance: T::of(self.params.tolerance) * h,
            merge_tolerance: T::of(self.params.merge_tolerance) * h,
            bandwidth: bandwidth.mean(),
            pace,
        }
    }

    /// Modes from the final centers, labels from the modes.
    fn conclude<T: Real>(
        &self,
        points: &Points<'_, T>,
        bandwidth: &Found<T>,
        arrived: Arrived<T>,
        way: Way<T>,
    ) -> Result<MeanShiftModel<T>> {
        let terminals = Points::new(arrived.centers, points.n_features())?;
        let density = density_at(&terminals, &way, points, self.params.profile, bandwidth)?;
        let reach = T::of(self.params.mode_radius);
        let nearest_sample = match bandwidth {
            Found::PerPoint(_) => Some(Neighbors::new(points)),
            Found::Same(_) => None,
        };
        let modes = gather(&terminals, &density, |center| {
            let h = match (bandwidth, &nearest_sample) {
                (Found::PerPoint(all), Some(near)) => {
                    all[near.nearest(terminals.row(center), 1)[0].row]
                }
                (Found::PerPoint(all), None) => all[0],
                (Found::Same(h), _) => *h,
            };
            h * reach
        });
        let modes_at = terminals.select(&modes.centers);

        let mut model = MeanShiftModel {
            labels: Vec::new(),
            modes: modes_at,
            sizes: Vec::new(),
            n_iter: arrived.n_iter,
            converged: arrived.converged,
            bandwidth: bandwidth.mean(),
            noise_beyond: None,
            rule: self.params.labels,
            way,
            terminals,
            label_of_terminal: modes.of.iter().map(|&mode| mode as i64).collect(),
        };
        let raw = match self.params.labels {
            LabelRule::Basin => {
                let of = |&center: &u32| modes.of[center as usize] as i64;
                let mut raw: Vec<i64> = arrived.of.iter().map(of).collect();
                if self.params.orphans_as_noise {
                    drop_lone_points(&mut raw);
                }
                raw
            }
            LabelRule::Nearest => {
                if self.params.orphans_as_noise {
                    model.noise_beyond = Some(T::of(bandwidth.mean()));
                }
                model.nearest_modes(points)
            }
        };
        let (labels, raw_of) = number_by_first_member(&raw);
        model.renumber(labels, &raw_of);
        Ok(model)
    }
}

/// The field of the points, equal points gathered into one sample of their weight together.
fn field_of<T: Real>(
    points: &Points<'_, T>,
    profile: Profile,
    bandwidth: &Found<T>,
) -> Result<Field<T>> {
    let merged = coincident::merge(points.values(), points.n_features(), |_| T::zero(), false);
    if merged.first.len() == points.n_points() {
        return Ok(Field::new(points, profile, bandwidth));
    }
    let first: Vec<usize> = merged.first.iter().map(|&row| row as usize).collect();
    let mut weights = vec![T::zero(); first.len()];
    for (row, &sample) in merged.of.iter().enumerate() {
        weights[sample as usize] += points.weight(row);
    }
    let samples = points.select(&first).with_weights(weights)?;
    let bandwidth = match bandwidth {
        Found::Same(h) => Found::Same(*h),
        Found::PerPoint(all) => Found::PerPoint(first.iter().map(|&row| all[row]).collect()),
    };
    Ok(Field::new(&samples, profile, &bandwidth))
}

/// The density at each final center: the field's, or after blurring that of the points themselves.
fn density_at<T: Real>(
    terminals: &Points<'_, T>,
    way: &Way<T>,
    points: &Points<'_, T>,
    profile: Profile,
    bandwidth: &Found<T>,
) -> Result<Vec<f64>> {
    let of_points;
    let field = match way {
        Way::Climb(field, _) => field,
        Way::Collapse(_) => {
            of_points = field_of(points, profile, bandwidth)?;
            &of_points
        }
    };
    Ok(terminals
        .values()
        .par_chunks_exact(terminals.n_features())
        .map_init(|| field.scratch(), |scratch, at| field.weigh(at, scratch))
        .collect())
}

/// A cluster of one point is no cluster.
fn drop_lone_points(raw: &mut [i64]) {
    let mut sizes = std::collections::HashMap::new();
    raw.iter().for_each(|&label| *sizes.entry(label).or_insert(0_usize) += 1);
    raw.iter_mut().filter(|label| sizes[*label] == 1).for_each(|label| *label = -1);
}
