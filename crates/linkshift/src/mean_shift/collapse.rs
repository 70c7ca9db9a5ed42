//! Blurring mean shift: the samples are the centers, and move with them.

use super::climb::{Arrived, Limits};
use super::field::Field;
use crate::bandwidth::Found;
use crate::error::Result;
use crate::kernel::Profile;
use crate::observe::{self, Observer, Step};
use crate::points::Points;
use crate::real::Real;
use crate::stop::Stoppable;
use rayon::prelude::*;

/// The field of every iteration. A new point that is carried through them goes the way that a
/// training point at its place went, so prediction agrees with the labels.
pub(crate) type Stages<T> = Vec<Field<T>>;

/// Lets the points collapse onto each other until none moves any more.
pub(crate) fn collapse<T: Real>(
    points: &Points<'_, T>,
    profile: Profile,
    h: T,
    limits: &Limits<T>,
    observer: &mut Observer<'_>,
) -> Result<(Arrived<T>, Stages<T>)> {
    let d = points.n_features();
    let mut arrived = Arrived::at(points.values().to_vec(), d);
    let mut weights: Vec<T> = (0..points.n_points()).map(|row| points.weight(row)).collect();
    merge(&mut arrived, &mut weights, d, T::zero());
    let mut stages = Vec::new();

    while arrived.n_iter < limits.max_iter && !arrived.converged {
        arrived.n_iter += 1;
        let samples = Points::checked_before(&arrived.centers[..], d, Some(weights.clone()));
        let field = Field::new(&samples, profile, &Found::Same(h));
        let largest_shift = carry(&field, &mut arrived.centers);
        stages.push(field);
        merge(&mut arrived, &mut weights, d, limits.merge_tolerance);
        arrived.converged = largest_shift <= limits.tolerance;
        let step = Step {
            n_iter: arrived.n_iter,
            max_iter: limits.max_iter,
            n_live: weights.len(),
            bandwidth: limits.bandwidth,
            largest_shift: largest_shift.as_f64(),
        };
        observe::show(observer, &step)?;
    }
    Ok((arrived, stages))
}

/// Moves all centers once and returns the longest way that one went.
pub(crate) fn carry<T: Real>(field: &Field<T>, centers: &mut [T]) -> T {
    centers
        .par_chunks_exact_mut(field.n_features())
        .with_min_len(16)
        .stoppable()
        .map_init(|| field.scratch(), |scratch, center| field.shift(center, scratch))
        .reduce(T::zero, T::max)
}

/// Makes coincident centers one that has their weight together.
fn merge<T: Real>(arrived: &mut Arrived<T>, weights: &mut Vec<T>, d: usize, tolerance: T) {
    let before = weights.clone();
    let new_of = arrived.merge(d, |_| tolerance, weights);
    weights.fill(T::zero());
    for (&new, &weight) in new_of.iter().zip(&before) {
        weights[new as usize] += weight;
    }
}
