//! The squared distance between two rows, written once.
//!
//! What sweeps over many rows at a time is in `neighbors/blocks.rs`; with fewer than `LANES`
//! columns it adds in the same order.

use crate::neighbors::blocks::{LANES, fold};
use crate::real::Real;

/// |a − b|² in the rows' own type.
#[inline]
pub fn distance_sq<T: Real>(a: &[T], b: &[T]) -> T {
    squares(a, b, |a, b| a - b)
}

/// |a − b|² in `f64`, whatever the rows' type: for sums and comparisons over many pairs.
#[inline(always)]
pub fn distance_sq_f64<T: Real>(a: &[T], b: &[T]) -> f64 {
    squares(a, b, |a, b| a.as_f64() - b.as_f64())
}

/// The sum of squared differences.
#[inline(always)]
fn squares<T: Real, S: Real>(a: &[T], b: &[T], difference: impl Fn(T, T) -> S) -> S {
    sum_over(a, b, |a, b| difference(a, b) * difference(a, b))
}

/// The sum of a term over the columns: by lanes, since one after the other each addition would wait
/// for the one before; what is left over of the columns one by one.
#[inline(always)]
pub(crate) fn sum_over<T: Real, S: Real>(a: &[T], b: &[T], term: impl Fn(T, T) -> S) -> S {
    let (a_chunks, a_rest) = a.as_chunks::<LANES>();
    let (b_chunks, b_rest) = b.as_chunks::<LANES>();
    let rest: S = a_rest.iter().zip(b_rest).map(|(&a, &b)| term(a, b)).sum();
    if a_chunks.is_empty() {
        return rest;
    }
    let mut lanes = [S::zero(); LANES];
    for (a, b) in a_chunks.iter().zip(b_chunks) {
        for lane in 0..LANES {
            lanes[lane] += term(a[lane], b[lane]);
        }
    }
    fold(lanes) + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_four_five() {
        // Derived: 3² + 4² = 25.
        assert_eq!(distance_sq(&[1.0_f32, 2.0], &[4.0, 6.0]), 25.0);
        assert_eq!(distance_sq_f64(&[1.0_f32, 2.0], &[4.0, 6.0]), 25.0);
    }

    #[test]
    fn both_give_the_same_bits_for_f64() {
        let row = |from: f64| (0..37).map(|col| (from + f64::from(col)).sin()).collect::<Vec<_>>();
        assert_eq!(distance_sq(&row(0.3), &row(7.1)), distance_sq_f64(&row(0.3), &row(7.1)));
    }
}
