//! Labels by where a place climbs to: what prediction takes, as plain data.

use super::climb::{Limits, Pace};
use super::collapse::{Stages, carry};
use super::field::Field;
use super::sure::Sure;
use crate::bandwidth::Found;
use crate::error::Result;
use crate::kernel::Profile;
use crate::neighbors::Neighbors;
use crate::points::Points;
use crate::predictor::{same_count, whole};
use crate::real::Real;
use crate::shared::held::Held;
use crate::stop::{Stop, Stoppable};
use rayon::prelude::*;

/// Where places climb to, and the label of each end.
#[derive(Debug, Clone, PartialEq)]
pub struct Basin<T: Real> {
    /// How a sample counts by its distance.
    pub profile: Profile,
    /// The way up.
    pub way: Uphill<T>,
    /// Where the centers of the fitted points ended.
    pub ends: Points<'static, T>,
    /// The label of each end.
    pub labels: Vec<i64>,
    /// Fitted points that links keep from where they would go by themselves.
    pub held: Held<T>,
}

/// What a center is moved by.
#[derive(Debug, Clone, PartialEq)]
pub enum Uphill<T: Real> {
    /// It climbs the density of samples that stay.
    Climb {
        /// The samples, with their weights.
        samples: Points<'static, T>,
        /// How far a center looks, or how far each sample reaches.
        bandwidth: Found<T>,
        /// Iterations at the most.
        max_iter: usize,
        /// A center that moves no farther has arrived.
        tolerance: T,
        /// Centers this near to each other become one.
        merge_tolerance: T,
    },
    /// It is carried along by samples that moved (blurring).
    Collapse {
        /// The samples of each iteration, with their weights.
        stages: Vec<Points<'static, T>>,
        /// How far a center looks.
        bandwidth: T,
    },
}

impl<T: Real> Basin<T> {
    /// The label of the end that each point climbs to, or of where links hold it.
    pub fn predict(&self, points: &Points<'_, T>) -> Result<Vec<i64>> {
        points.expect_features(self.ends.n_features())?;
        let mut labels = self.ends_of(points);
        self.held.apply(points, &mut labels);
        Ok(labels)
    }

    /// The label of the end that each point climbs to.
    pub(crate) fn ends_of(&self, points: &Points<'_, T>) -> Vec<i64> {
        let way = match &self.way {
            Uphill::Climb { samples, bandwidth, max_iter, tolerance, .. } => {
                let limits = Limits {
                    max_iter: *max_iter,
                    tolerance: *tolerance,
                    // Who comes together must not change where each of them goes.
                    merge_tolerance: T::zero(),
                    bandwidth: bandwidth.mean(),
                    pace: Pace::Steps,
                };
                Ascent::Climb(Box::new(Field::new(samples, self.profile, bandwidth)), limits)
            }
            Uphill::Collapse { stages, bandwidth } => {
                let same = Found::Same(*bandwidth);
                let field = |samples| Field::new(samples, self.profile, &same);
                Ascent::Collapse(stages.iter().map(field).collect())
            }
        };
        way.labels_of(points, &self.ends, &self.labels)
    }

    /// Fails if the parts do not fit each other.
    pub(crate) fn check(&self) -> Result<()> {
        self.profile.check()?;
        same_count("labels", self.labels.len(), self.ends.n_points())?;
        let d = self.ends.n_features();
        self.held.check(d)?;
        let positive = |h: T| h > T::zero() && h.is_finite();
        let bandwidth_is_good = match &self.way {
            Uphill::Climb { samples, bandwidth, tolerance, merge_tolerance, .. } => {
                same_count("columns of the samples", samples.n_features(), d)?;
                for limit in [*tolerance, *merge_tolerance] {
                    let is_limit = limit >= T::zero() && limit.is_finite();
                    whole(is_limit, "tolerance", || format!("it is {limit}"))?;
                }
                match bandwidth {
                    Found::Same(h) => positive(*h),
                    Found::PerPoint(all) => {
                        same_count("bandwidths", all.len(), samples.n_points())?;
                        all.iter().all(|&h| positive(h))
                    }
                }
            }
            Uphill::Collapse { stages, bandwidth } => {
                for samples in stages {
                    same_count("columns of the samples", samples.n_features(), d)?;
                }
                positive(*bandwidth)
            }
        };
        whole(bandwidth_is_good, "bandwidth", || "it is not a positive number".into())
    }
}

/// The way from a place to where its center ends.
pub(super) enum Ascent<T: Real> {
    Climb(Box<Field<T>>, Limits<T>),
    Collapse(Stages<T>),
}

impl<T: Real> Ascent<T> {
    /// The labels of points that go this way: that of the nearest end.
    fn labels_of(
        &self,
        points: &Points<'_, T>,
        ends: &Points<'_, T>,
        label_of_end: &[i64],
    ) -> Vec<i64> {
        let near = Neighbors::new(ends);
        match self {
            Ascent::Climb(field, limits) => {
                let sure = Sure::worth_finding(field, ends, label_of_end, points.n_points());
                climbed_labels(field, limits, points, &sure, |place, distances| {
                    label_of_end[near.nearest_one(place, distances).row]
                })
            }
            Ascent::Collapse(stages) => {
                let d = points.n_features();
                let mut labels = Vec::with_capacity(points.n_points());
                for part in points.parts() {
                    let mut places = part.values().to_vec();
                    for field in stages {
                        carry(field, &mut places);
                    }
                    let label = |place: &[T]| label_of_end[near.nearest(place, 1)[0].row];
                    labels.par_extend(places.par_chunks_exact(d).stoppable().map(label));
                }
                labels
            }
        }
    }

    /// The same as plain data, and the profile.
    pub(super) fn into_plain(self) -> (Profile, Uphill<T>) {
        match self {
            Ascent::Climb(field, limits) => {
                let way = Uphill::Climb {
                    samples: field.samples(),
                    bandwidth: field.bandwidth().clone(),
                    max_iter: limits.max_iter,
                    tolerance: limits.tolerance,
                    merge_tolerance: limits.merge_tolerance,
                };
                (field.profile(), way)
            }
            Ascent::Collapse(stages) => {
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

/// The labels of points that climb, each for itself, until it arrives or is sure to arrive at one label.
fn climbed_labels<T: Real>(
    field: &Field<T>,
    limits: &Limits<T>,
    points: &Points<'_, T>,
    sure: &Sure<T>,
    label_at: impl Fn(&[T], &mut Vec<T>) -> i64 + Sync,
) -> Vec<i64> {
    let d = points.n_features();
    let rooms = || (field.scratch(), vec![T::zero(); d], Vec::new());
    let stop = Stop::here();
    let label = |(scratch, place, distances): &mut (_, Vec<T>, _), row: &[T]| {
        place.copy_from_slice(row);
        for _ in 0..limits.max_iter {
            stop.look();
            if let Some(label) = sure.label_at(place) {
                return label;
            }
            // Not `<=`: what is no number has arrived, too.
            let moves = field.shift(place, scratch) > limits.tolerance;
            if !moves {
                break;
            }
        }
        label_at(place, distances)
    };
    points
        .values()
        .par_chunks_exact(d)
        .with_min_len(64)
        .stoppable()
        .map_init(rooms, label)
        .collect()
}
