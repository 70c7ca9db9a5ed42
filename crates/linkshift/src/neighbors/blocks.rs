//! Dense sweeps over contiguous points: the inner loops of everything that is fast here.
//!
//! Each function is plain Rust over slices, inlined into a call of [`Wide::run`], which compiles it
//! for the widest instructions there are and picks the ones of the machine at run time.
//! Nothing here depends on the width: sums keep [`LANES`] running totals whatever the machine, so
//! every machine, and the scalar twin, gives the same bits.

use super::tree::Columns;
use crate::kernel::Profile;
use crate::real::Real;
use std::ops::Range;

/// Running totals of a sum; fixed, so that the order of additions never changes.
pub(crate) const LANES: usize = 16;

/// Which instructions to use: the widest there are, or plain ones (the twin that tests compare).
#[derive(Debug, Clone, Copy)]
pub(crate) enum Wide {
    Best(pulp::Arch),
    #[cfg(test)]
    Scalar,
}

impl Wide {
    pub(crate) fn new() -> Self {
        Wide::Best(pulp::Arch::new())
    }

    #[inline(always)]
    pub(crate) fn run<R>(self, work: impl FnOnce() -> R) -> R {
        match self {
            Wide::Best(arch) => arch.dispatch(work),
            #[cfg(test)]
            Wide::Scalar => work(),
        }
    }
}

/// Squared distances from `query` to the points at `range`.
#[inline(always)]
pub(crate) fn fill_distances_sq<T: Real>(
    columns: &Columns<T>,
    range: Range<usize>,
    query: &[T],
    out: &mut [T],
) {
    let (chunks, rest) = out[..range.len()].as_chunks_mut::<LANES>();
    let mut start = range.start;
    // A few points with all their columns, so that their sums stay in registers.
    for chunk in chunks {
        let mut sums = [T::zero(); LANES];
        for (col, &q) in query.iter().enumerate() {
            let values = columns.slice(col, start..start + LANES);
            for lane in 0..LANES {
                let difference = values[lane] - q;
                sums[lane] += difference * difference;
            }
        }
        *chunk = sums;
        start += LANES;
    }
    rest.fill(T::zero());
    for (col, &q) in query.iter().enumerate() {
        for (sum, &value) in rest.iter_mut().zip(columns.slice(col, start..range.end)) {
            let difference = value - q;
            *sum += difference * difference;
        }
    }
}

/// Replaces squared distances by profile values: k(distance_sq / h_sq).
#[inline(always)]
pub(crate) fn fill_profile<T: Real>(profile: Profile, h_sq: T, values: &mut [T]) {
    let inv_h_sq = h_sq.recip();
    // The match stands outside the loops: a branch inside would keep them scalar.
    match profile {
        // Compared as it is, not by the reciprocal: where a ball ends, rounding must not decide.
        Profile::Ball => {
            for value in values {
                *value = if *value < h_sq { T::one() } else { T::zero() };
            }
        }
        Profile::Rbf => {
            for value in values {
                *value = (-*value * inv_h_sq).exp_fast();
            }
        }
        Profile::Gaussian => {
            let factor = T::of(-0.5) * inv_h_sq;
            for value in values {
                *value = (*value * factor).exp_fast();
            }
        }
        Profile::Truncated { cut } => {
            let cut = T::of(cut);
            for value in values {
                let k = (-*value * inv_h_sq).exp_fast();
                *value = if k > cut { k } else { T::zero() };
            }
        }
    }
}

/// Multiplies `values` by `factors`, one by one.
#[inline(always)]
pub(crate) fn multiply<T: Real>(values: &mut [T], factors: &[T]) {
    for (value, &factor) in values.iter_mut().zip(factors) {
        *value *= factor;
    }
}

/// Whether any value is above 0.
#[inline(always)]
pub(crate) fn any_positive<T: Real>(values: &[T]) -> bool {
    // Without a way out of the loop it is SIMD.
    values.iter().fold(false, |any, &value| any | (value > T::zero()))
}

/// Whether any value is below a limit.
#[inline(always)]
pub(crate) fn any_below<T: Real>(values: &[T], limit: T) -> bool {
    values.iter().fold(false, |any, &value| any | (value < limit))
}

/// Adds Σ weight·point to `sums[..d]` and Σ weight to `sums[d]`, for the points at `range`.
#[inline(always)]
pub(crate) fn add_weighted<T: Real>(
    columns: &Columns<T>,
    range: Range<usize>,
    weights: &[T],
    sums: &mut [f64],
) {
    let d = sums.len() - 1;
    for (col, sum) in sums[..d].iter_mut().enumerate() {
        *sum += dot(columns.slice(col, range.clone()), weights).as_f64();
    }
    sums[d] += total(weights).as_f64();
}

/// Σ a·b.
#[inline(always)]
pub(crate) fn dot<T: Real>(a: &[T], b: &[T]) -> T {
    let mut lanes = [T::zero(); LANES];
    let (a_chunks, a_rest) = a.as_chunks::<LANES>();
    let (b_chunks, b_rest) = b.as_chunks::<LANES>();
    for (a, b) in a_chunks.iter().zip(b_chunks) {
        for lane in 0..LANES {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    let rest: T = a_rest.iter().zip(b_rest).map(|(&a, &b)| a * b).sum();
    fold(lanes) + rest
}

/// The sum of some values.
#[inline(always)]
pub(crate) fn total<T: Real>(values: &[T]) -> T {
    let mut lanes = [T::zero(); LANES];
    let (chunks, rest) = values.as_chunks::<LANES>();
    for chunk in chunks {
        for lane in 0..LANES {
            lanes[lane] += chunk[lane];
        }
    }
    fold(lanes) + rest.iter().copied().sum()
}

/// The sum of the running totals, by halves: one after the other, each addition would wait for the
/// one before.
#[inline(always)]
pub(crate) fn fold<T: Real>(mut lanes: [T; LANES]) -> T {
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            lanes[lane] += lanes[lane + half];
        }
        half /= 2;
    }
    lanes[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neighbors::tree::Tree;
    use crate::points::Points;

    /// Both ways of running the same sweep, for one profile and type.
    fn sweep<T: Real>(wide: Wide, profile: Profile) -> (Vec<T>, Vec<f64>) {
        let values: Vec<T> = (0..300).map(|i| T::of((f64::from(i) * 0.37).sin())).collect();
        let points = Points::new(values, 3).unwrap();
        let tree = Tree::new(&points);
        let range = 0..points.n_points();
        let mut weights = vec![T::zero(); range.len()];
        let mut sums = vec![0.0; 4];
        wide.run(
            #[inline(always)]
            || {
                fill_distances_sq(tree.columns(), range.clone(), points.row(7), &mut weights);
                fill_profile(profile, T::of(0.5), &mut weights);
                add_weighted(tree.columns(), range, &weights, &mut sums);
            },
        );
        (weights, sums)
    }

    #[test]
    fn wide_and_scalar_give_the_same_bits() {
        for profile in [Profile::Ball, Profile::Rbf, Profile::TRUNCATED, Profile::Gaussian] {
            assert_eq!(sweep::<f32>(Wide::new(), profile), sweep::<f32>(Wide::Scalar, profile));
            assert_eq!(sweep::<f64>(Wide::new(), profile), sweep::<f64>(Wide::Scalar, profile));
        }
    }
}
