//! Mean shift as the formulas say, one by one: slow, obvious, the oracle of the fast path.
//!
//! O(n²·d) per iteration, nothing merged, no index, no SIMD.

use crate::distance::distance_sq;
use crate::kernel::Profile;
use crate::points::Points;
use crate::real::Real;

/// Eq. 3.1 at `x`: the mean of the samples weighted by k(|s_j − x|²/h_j²)·w_j/h_j^(d+2), which for
/// one bandwidth is k·w_j. `None` where no sample counts.
pub fn mean<T: Real>(
    samples: &Points<'_, T>,
    profile: Profile,
    h: impl Fn(usize) -> T,
    x: &[T],
) -> Option<Vec<T>> {
    let d = samples.n_features();
    // Relative to the smallest bandwidth, which cancels in the quotient.
    let smallest = (0..samples.n_points()).map(&h).fold(T::infinity(), T::min);
    let share = |j: usize| samples.weight(j) * (smallest / h(j)).powi(d as i32 + 2);
    let lightest = (0..samples.n_points()).map(share).filter(|&w| w > T::zero());
    let lightest = lightest.fold(T::infinity(), T::min);
    let mut sum = vec![T::zero(); d];
    let mut total = T::zero();
    for (j, s) in samples.rows().enumerate() {
        let k = profile.value(distance_sq(s, x) / (h(j) * h(j)));
        let weight = k * share(j);
        sum.iter_mut().zip(s).for_each(|(sum, &value)| *sum += weight * value);
        total += weight;
    }
    let counts = total > T::of(super::field::VANISHED) * lightest;
    counts.then(|| sum.into_iter().map(|sum| sum / total).collect())
}

/// Where each point's center ends, row by row. Each center stops when it moves no farther than
/// `tolerance`; in blurring mode all go on until none does.
pub fn climb<T: Real>(
    points: &Points<'_, T>,
    profile: Profile,
    h: impl Fn(usize) -> T,
    blurring: bool,
    tolerance: T,
    max_iter: usize,
) -> Vec<T> {
    let d = points.n_features();
    let mut centers = points.values().to_vec();
    let mut moving = vec![true; points.n_points()];
    for _ in 0..max_iter {
        let blurred = points.clone().replaced(&centers);
        let samples = if blurring { &blurred } else { points };
        for (center, moves) in centers.chunks_exact_mut(d).zip(&mut moving) {
            if !*moves && !blurring {
                continue;
            }
            let next = mean(samples, profile, &h, center).unwrap_or_else(|| center.to_vec());
            *moves = distance_sq(&next, center).sqrt() > tolerance;
            center.copy_from_slice(&next);
        }
        if !moving.contains(&true) {
            break;
        }
    }
    centers
}
