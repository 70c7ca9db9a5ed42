//! Places whose label is known without a climb: balls that no climb leaves.
//!
//! A step leads to a mean of the samples within reach of a place, so into any ball that holds them all.
//! If no sample lies beyond a ball but within reach of it, then a place in the ball sees samples in the
//! ball only (or none, and stays), and goes nowhere else, however often it steps. If besides all of the
//! ball is nearest to ends of one label, that is the label of every place in it. A cluster that keeps its
//! distance from the others has such a ball, which costs a place one distance instead of a climb;
//! others have none, and their places climb.
//!
//! It is a proof, not a guess, so labels are the same with it and without.

use super::field::Field;
use crate::distance::distance_sq;
use crate::points::Points;
use crate::real::Real;
use crate::stop;
use std::collections::BTreeMap;

/// Each ball costs every place a distance, so only the clusters with most samples are tried.
const MOST_BALLS: usize = 64;

/// A label by a climb costs a place about so many distances, so that balls must not take more to find.
const DISTANCES_PER_CLIMB: usize = 100;

/// Balls, and the label of all places in each.
pub(super) struct Sure<T> {
    centers: Vec<T>,
    radius_sq: Vec<T>,
    labels: Vec<i64>,
}

impl<T: Real> Sure<T> {
    /// Balls around clusters, if so many points are to be labelled that it pays to look for them.
    pub(super) fn worth_finding(
        field: &Field<T>,
        ends: &Points<'_, T>,
        label_of_end: &[i64],
        n_points: usize,
    ) -> Self {
        let n_tries = label_of_end.iter().max().map_or(0, |&most| most.max(0) as usize + 1);
        let cost = n_tries.min(MOST_BALLS) * (field.n_samples() + ends.n_points());
        let middles = field.n_samples() * ends.n_points().min(DISTANCES_PER_CLIMB);
        if cost + middles > n_points.saturating_mul(DISTANCES_PER_CLIMB) {
            return Self::none();
        }
        Self::find(field, ends, label_of_end)
    }

    fn none() -> Self {
        Self { centers: Vec::new(), radius_sq: Vec::new(), labels: Vec::new() }
    }

    fn find(field: &Field<T>, ends: &Points<'_, T>, label_of_end: &[i64]) -> Self {
        let mut sure = Self::none();
        let Some(reach) = field.reach() else { return sure };
        let samples = field.samples();
        let world = World::new(&samples, ends, label_of_end, reach.as_f64());
        for center in world.middles() {
            let center: Vec<T> = center.into_iter().map(T::of).collect();
            let exact: Vec<f64> = center.iter().map(|value| value.as_f64()).collect();
            if let Some((radius, label)) = world.ball_around(&exact) {
                // The distance that a place is compared by rounds, too.
                let radius = radius * (1.0 - 8.0 * world.rounding);
                sure.centers.extend(center);
                sure.radius_sq.push(T::of(radius * radius));
                sure.labels.push(label);
            }
        }
        sure
    }

    /// The label of all that climbs from a place, if it is sure.
    #[inline]
    pub(super) fn label_at(&self, place: &[T]) -> Option<i64> {
        let balls = self.centers.chunks_exact(place.len()).zip(&self.radius_sq);
        let at = balls.map(|(center, &radius_sq)| distance_sq(center, place) < radius_sq);
        at.into_iter().position(|is_in| is_in).map(|ball| self.labels[ball])
    }
}

/// Samples and ends, in f64: what is proven here must hold for what is computed in the points' own type.
struct World<'a> {
    samples: Points<'a, f64>,
    ends: Points<'a, f64>,
    label_of_end: &'a [i64],
    reach: f64,
    /// The relative error of a squared distance in the points' own type.
    rounding: f64,
    /// How far a computed mean may be from the true one.
    mean_error: f64,
}

impl<'a> World<'a> {
    fn new<T: Real>(
        samples: &Points<'_, T>,
        ends: &Points<'_, T>,
        label_of_end: &'a [i64],
        reach: f64,
    ) -> Self {
        let d = samples.n_features();
        let wide = |points: &Points<'_, T>| {
            let values: Vec<f64> = points.values().iter().map(|value| value.as_f64()).collect();
            Points::checked_before(values, d, None)
        };
        let (samples, ends) = (wide(samples), wide(ends));
        let eps = T::epsilon().as_f64();
        let largest = samples.values().iter().fold(0.0_f64, |most, value| most.max(value.abs()));
        // A difference, its square and d additions, each to half of ε: more than that.
        let rounding = (d as f64 + 8.0) * eps;
        // A stretch of 512 samples is added in 16 lanes: 32 additions each, 4 to fold them, up to 15 at
        // the end; the product before and the division after, above and below the line. Less than 256.
        let mean_error = 256.0 * eps * largest * (d as f64).sqrt();
        let reach = reach * (1.0 + 8.0 * rounding);
        Self { samples, ends, label_of_end, reach, rounding, mean_error }
    }

    /// The middle of the samples that are nearest to the ends of each label, large clusters first.
    fn middles(&self) -> Vec<Vec<f64>> {
        let d = self.samples.n_features();
        let near = crate::neighbors::Neighbors::new(&self.ends);
        let mut sums: BTreeMap<i64, (usize, Vec<f64>)> = BTreeMap::new();
        let mut distances = Vec::new();
        for sample in self.samples.rows() {
            stop::look();
            let label = self.label_of_end[near.nearest_one(sample, &mut distances).row];
            let (n, sum) = sums.entry(label).or_insert_with(|| (0, vec![0.0; d]));
            *n += 1;
            sum.iter_mut().zip(sample).for_each(|(sum, &value)| *sum += value);
        }
        let mut sums: Vec<(usize, Vec<f64>)> = sums.into_values().collect();
        sums.sort_by_key(|&(n, _)| std::cmp::Reverse(n));
        sums.truncate(MOST_BALLS);
        let middle = |(n, sum): (usize, Vec<f64>)| sum.iter().map(|sum| sum / n as f64).collect();
        sums.into_iter().map(middle).collect()
    }

    /// The radius of the largest ball around a place that no climb leaves and that has one label, and
    /// that label.
    fn ball_around(&self, center: &[f64]) -> Option<(f64, i64)> {
        stop::look();
        let (widest, label) = self.one_label_around(center)?;
        let mut away: Vec<f64> =
            self.samples.rows().map(|sample| distance_sq(sample, center).sqrt()).collect();
        away.sort_by(f64::total_cmp);
        // From outside in: between the last sample inside and the first outside must be room for the
        // reach, and for what means are off.
        let slack = 2.0 * self.mean_error + 8.0 * self.rounding * (widest + self.reach);
        for n_inside in (1..=away.len()).rev() {
            let last = away[n_inside - 1] + slack;
            let first = away.get(n_inside).copied().unwrap_or(f64::INFINITY);
            let radius = widest.min(first - self.reach - slack);
            if last < radius {
                return Some((radius, label));
            }
        }
        None
    }

    /// How far around a place all is nearer to one end of its label than to any end of another label.
    fn one_label_around(&self, center: &[f64]) -> Option<(f64, i64)> {
        let to_end: Vec<f64> = self.ends.rows().map(|end| distance_sq(end, center)).collect();
        let own = (0..to_end.len()).min_by(|&a, &b| to_end[a].total_cmp(&to_end[b]))?;
        let label = self.label_of_end[own];
        // Without another label it is anywhere; no farther than numbers may be, for the slack above.
        let mut widest = 4.0 * (self.reach + to_end[own].sqrt() + self.width(center));
        for (other, &other_sq) in to_end.iter().enumerate() {
            if self.label_of_end[other] == label {
                continue;
            }
            let between = distance_sq(self.ends.row(own), self.ends.row(other)).sqrt();
            // To the plane in the middle of both; less what squared distances may be off there.
            let plane = (other_sq - to_end[own]) / (2.0 * between);
            let off = self.rounding * (2.0 * (other_sq.sqrt() + plane.abs())).powi(2) / between;
            // Equal ends of two labels give no number, and no ball.
            let sure = plane - off;
            widest = if sure > 0.0 { widest.min(sure) } else { return None };
        }
        Some((widest, label))
    }

    /// How far the farthest sample is.
    fn width(&self, center: &[f64]) -> f64 {
        self.samples.rows().map(|sample| distance_sq(sample, center)).fold(0.0, f64::max).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bandwidth::Found;
    use crate::datasets;
    use crate::kernel::Profile;
    use crate::mean_shift::climb::{Limits, Pace, climb};
    use crate::neighbors::Neighbors;
    use crate::observe;
    use proptest::prelude::*;

    /// Places, and the labels of those that are sure, beside the labels that they climb to.
    fn compare<T: Real>(
        samples: &Points<'_, T>,
        ends: &Points<'_, T>,
        places: Vec<T>,
        h: f64,
        n_steps: usize,
    ) -> usize {
        let d = samples.n_features();
        let labels: Vec<i64> = (0..ends.n_points() as i64).collect();
        let field = Field::new(samples, Profile::TRUNCATED, &Found::Same(T::of(h)));
        let sure = Sure::find(&field, ends, &labels);
        let limits = Limits {
            max_iter: n_steps,
            tolerance: T::zero(),
            merge_tolerance: T::zero(),
            bandwidth: h,
            pace: Pace::Steps,
        };
        let arrived = climb(&field, places.clone(), &limits, &mut observe::ignore).unwrap();
        let near = Neighbors::new(ends);
        let mut n_sure = 0;
        for (place, &center) in places.chunks_exact(d).zip(&arrived.of) {
            let end = &arrived.centers[center as usize * d..][..d];
            let climbed = labels[near.nearest(end, 1)[0].row];
            let said = sure.label_at(place);
            assert!(said.is_none_or(|label| label == climbed), "{place:?}: {said:?}, {climbed}");
            n_sure += usize::from(said.is_some());
        }
        n_sure
    }

    /// Blobs whose means are the ends, all of it `shift` away from the origin.
    fn blobs<T: Real>(d: usize, half_width: f64, shift: f64, seed: u64) -> [Points<'static, T>; 2] {
        let set = datasets::blobs(400, d, 5, 1.0, half_width, seed).unwrap();
        let mut means = vec![0.0; 5 * d];
        for (row, &label) in set.points.rows().zip(&set.labels) {
            for (mean, value) in means[label as usize * d..][..d].iter_mut().zip(row) {
                *mean += value / 80.0;
            }
        }
        let moved = |values: &[f64]| {
            let values: Vec<T> = values.iter().map(|&value| T::of(value + shift)).collect();
            Points::new(values, d).unwrap()
        };
        [moved(set.points.values()), moved(&means)]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn what_is_sure_is_what_a_climb_finds(
            d in 1_usize..6,
            half_width in 1.0_f64..40.0,
            shift in prop::sample::select(vec![0.0, 1e3, 1e6]),
            h in 0.2_f64..4.0,
            n_steps in 0_usize..6,
            seed in 0_u64..1000,
        ) {
            let [samples, ends] = blobs::<f64>(d, half_width, shift, seed);
            let [places, _] = blobs::<f64>(d, 1.5 * half_width, shift, seed + 1);
            compare(&samples, &ends, places.values().to_vec(), h, n_steps);
            compare(&samples, &ends, samples.values().to_vec(), h, n_steps);
            let [samples, ends] = blobs::<f32>(d, half_width, shift, seed);
            let [places, _] = blobs::<f32>(d, 1.5 * half_width, shift, seed + 1);
            compare(&samples, &ends, places.values().to_vec(), h, n_steps);
            compare(&samples, &ends, samples.values().to_vec(), h, n_steps);
        }
    }

    #[test]
    fn clusters_that_keep_their_distance_are_sure() {
        // Five blobs of deviation 1 in a cube of width 200: hardly any two nearer than 50.
        let [samples, ends] = blobs::<f64>(5, 100.0, 0.0, 3);
        assert_eq!(compare(&samples, &ends, samples.values().to_vec(), 2.0, 3), 400);
    }

    #[test]
    fn clusters_that_touch_climb() {
        let values: Vec<f64> = (0..100).map(|i| f64::from(i) * 0.1).collect();
        let samples = Points::new(values, 1).unwrap();
        let ends = Points::new(vec![2.5, 7.5], 1).unwrap();
        assert_eq!(compare(&samples, &ends, samples.values().to_vec(), 1.0, 3), 0);
    }
}
