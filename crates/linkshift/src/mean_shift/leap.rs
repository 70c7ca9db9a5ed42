//! Steps that foresee the next ones: the same way up the density, in fewer evaluations.
//!
//! On a ridge each step of mean shift is nearly the one before, only a little shorter, hundreds of
//! times. Two steps r and r + v tell where such a series ends; leaping there is Aitken's
//! extrapolation (for the expectation maximisation that mean shift is: R. Varadhan, C. Roland,
//! *Simple and globally convergent methods for accelerating the convergence of any EM algorithm*,
//! 2008, scheme S3). What it must not do is jump over a valley, so a leap is short, goes on by one
//! plain step, and is taken back where the density is lower than before it.

use super::field::{Field, Scratch};
use crate::distance::distance_sq;
use crate::real::Real;

/// No leap is longer than so many steps.
const MOST_STEPS: f64 = 100.0;

/// Moves a center by two steps, a leap of at most `longest`, and one more step; returns the length
/// of the first step. If that is within `tolerance`, it is the only one.
pub(super) fn leap<T: Real>(
    field: &Field<T>,
    center: &mut [T],
    longest: T,
    tolerance: T,
    scratch: &mut Scratch<T>,
) -> T {
    let start = center.to_vec();
    let first_step = field.shift(center, scratch);
    if first_step <= tolerance {
        return first_step;
    }
    let after_one = center.to_vec();
    field.shift(center, scratch);
    let density = scratch.weight();
    let after_two = center.to_vec();
    // Scheme S3: x ← x₀ + 2s·r + s²·v with s = |r|/|v|; s = 1 is where two steps led.
    let steps = start.iter().zip(&after_one).zip(&after_two);
    let steps: Vec<(T, T)> = steps.map(|((&a, &b), &c)| (b - a, (c - b) - (b - a))).collect();
    let change = steps.iter().map(|&(_, v)| v * v).sum::<T>().sqrt();
    let stretch = (first_step / change).min(T::of(MOST_STEPS));
    if stretch.is_nan() || stretch <= T::one() {
        return first_step;
    }
    let two = T::of(2.0);
    for (value, (&from, &(r, v))) in center.iter_mut().zip(start.iter().zip(&steps)) {
        *value = from + two * stretch * r + stretch * stretch * v;
    }
    let leapt = distance_sq(center, &after_two).sqrt();
    let share = (longest / leapt).min(T::one());
    for (value, &from) in center.iter_mut().zip(&after_two) {
        *value = from + (*value - from) * share;
    }
    field.shift(center, scratch);
    if scratch.weight() < density {
        center.copy_from_slice(&after_two);
    }
    first_step
}
