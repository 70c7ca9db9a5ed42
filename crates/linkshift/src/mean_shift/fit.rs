//! The method from points to model.

use super::basin::{Ascent, Basin};
use super::climb::{Arrived, Limits, Pace, climb};
use super::collapse::collapse;
use super::field::Field;
use super::model::MeanShiftDetails;
use super::modes::gather;
use super::params::{self, LabelRule, MeanShiftParams};
use super::seeds::plant;
use crate::bandwidth::Found;
use crate::error::Result;
use crate::kernel::Profile;
use crate::memory::Size;
use crate::method::{Algorithm, Clusters, Counts, GivenLinks, Info, LinkUse, Method, Outcome};
use crate::neighbors::Neighbors;
use crate::observe::Observer;
use crate::params::{Param, Preset};
use crate::points::Points;
use crate::predictor::{Nearest, Predictor, Reach};
use crate::real::Real;
use crate::shared::coincident;
use crate::shared::held::Held;
use crate::shared::relabel::number_by_first_member;
use crate::stop::Stoppable;
use rayon::prelude::*;

/// Mean shift with checked parameters.
pub type MeanShift = Method<MeanShiftParams>;

impl Algorithm for MeanShiftParams {
    const INFO: Info = Info {
        name: "mean-shift",
        class: "MeanShift",
        sentence: "every point climbs the density of all points; those that meet are a cluster",
        links: LinkUse::Unused,
        clusters: Clusters::Found,
        counts: Counts::ITERATIONS,
        takes_similarities: false,
        shows_distances: false,
    };
    const TABLE: &'static [Param<Self>] = params::TABLE;
    const PRESETS: &'static [Preset<Self>] = params::PRESETS;

    type Details<T: Real> = MeanShiftDetails;

    fn check_together(&self) -> Result<()> {
        self.agree()
    }

    fn needs(&self, size: &Size) -> u64 {
        // The tree, the places on their way, and what they come to; the bandwidth's sample.
        2 * size.points() + size.rows(180) + self.bandwidth.holds(size.n_points)
    }

    fn run<T: Real>(
        &self,
        points: &Points<'_, T>,
        _: &GivenLinks<'_>,
        observer: &mut Observer<'_>,
    ) -> Result<Outcome<T, MeanShiftDetails>> {
        let bandwidth = self.bandwidth.find(points, self.seed)?;
        self.run_at(points, bandwidth, Pace::Steps, observer)
    }
}

impl MeanShiftParams {
    /// At bandwidths that are found already, and at a pace of the caller's choice.
    pub(crate) fn run_at<T: Real>(
        &self,
        points: &Points<'_, T>,
        bandwidth: Found<T>,
        pace: Pace,
        observer: &mut Observer<'_>,
    ) -> Result<Outcome<T, MeanShiftDetails>> {
        let limits = self.limits(&bandwidth, pace);
        let (arrived, way) = if let (true, Found::Same(h)) = (self.blurring, &bandwidth) {
            let (arrived, stages) = collapse(points, self.profile, *h, &limits, observer)?;
            (arrived, Ascent::Collapse(stages))
        } else {
            let seeds = plant(self, points, bandwidth.mean())?;
            let field = field_of(points, self.profile, &bandwidth)?;
            (climb(&field, seeds, &limits, observer)?, Ascent::Climb(Box::new(field), limits))
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
            max_iter: self.max_iter,
            tolerance: T::of(self.tolerance) * h,
            merge_tolerance: T::of(self.merge_tolerance) * h,
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
        way: Ascent<T>,
    ) -> Result<Outcome<T, MeanShiftDetails>> {
        let terminals = Points::checked_before(arrived.centers, points.n_features(), None);
        let density = density_at(&terminals, &way, points, self.profile, bandwidth)?;
        let reach = T::of(self.mode_radius);
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
        let rule = self.label_rule();
        // By the nearest rule, points farther than this from every mode are noise.
        let reach = match self.cluster_all {
            true => Reach::Any,
            false => Reach::UpTo(T::of(bandwidth.mean())),
        };
        let raw = match rule {
            LabelRule::Basin => {
                let of = |&center: &u32| modes.of[center as usize] as i64;
                let mut raw: Vec<i64> = arrived.of.iter().map(of).collect();
                if !self.cluster_all {
                    drop_lone_points(&mut raw);
                }
                raw
            }
            LabelRule::Nearest => {
                let labels = (0..modes_at.n_points() as i64).collect();
                Nearest { places: modes_at.clone(), labels, reach }.predict(points)?
            }
        };
        let (labels, raw_of) = number_by_first_member(&raw);
        // Modes that no point belongs to are no clusters.
        let centers = (!raw_of.is_empty()).then(|| modes_at.select(&raw_of));
        let predictor = match &centers {
            None => Predictor::nowhere(points.n_features()),
            Some(centers) if rule == LabelRule::Nearest => {
                let labels = (0..raw_of.len() as i64).collect();
                Predictor::Nearest(Nearest { places: centers.clone(), labels, reach })
            }
            Some(_) => {
                let mut new_of = vec![-1; modes_at.n_points()];
                raw_of.iter().enumerate().for_each(|(new, &raw)| new_of[raw] = new as i64);
                let labels = modes.of.iter().map(|&mode| new_of[mode]).collect();
                let (profile, way) = way.into_plain();
                let held = Held::default();
                Predictor::Basin(Basin { profile, way, ends: terminals, labels, held })
            }
        };
        Ok(Outcome {
            labels,
            centers,
            mode_bandwidth: Some(bandwidth.mean()),
            n_iter: arrived.n_iter,
            converged: arrived.converged,
            notes: Vec::new(),
            predictor,
            details: MeanShiftDetails { bandwidth: bandwidth.mean(), profile: self.profile },
        })
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
    way: &Ascent<T>,
    points: &Points<'_, T>,
    profile: Profile,
    bandwidth: &Found<T>,
) -> Result<Vec<f64>> {
    let of_points;
    let field = match way {
        Ascent::Climb(field, _) => field,
        Ascent::Collapse(_) => {
            of_points = field_of(points, profile, bandwidth)?;
            &of_points
        }
    };
    Ok(terminals
        .values()
        .par_chunks_exact(terminals.n_features())
        .stoppable()
        .map_init(|| field.scratch(), |scratch, at| field.weigh(at, scratch))
        .collect())
}

/// A cluster of one point is no cluster.
fn drop_lone_points(raw: &mut [i64]) {
    let mut sizes = std::collections::HashMap::new();
    raw.iter().for_each(|&label| *sizes.entry(label).or_insert(0_usize) += 1);
    raw.iter_mut().filter(|label| sizes[*label] == 1).for_each(|label| *label = -1);
}
