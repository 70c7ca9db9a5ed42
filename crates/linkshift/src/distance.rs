//! The squared distance between two rows, written once.
//!
//! What sweeps over many rows at a time is in `neighbors/blocks.rs`; it adds in the same order.

use crate::real::Real;

/// |a − b|², column after column in the rows' own type.
#[inline]
pub fn distance_sq<T: Real>(a: &[T], b: &[T]) -> T {
    a.iter().zip(b).map(|(&a, &b)| (a - b) * (a - b)).sum()
}

/// |a − b|² in `f64`, whatever the rows' type: for sums and comparisons over many pairs.
#[inline]
pub fn distance_sq_f64<T: Real>(a: &[T], b: &[T]) -> f64 {
    let difference = |(a, b): (&T, &T)| a.as_f64() - b.as_f64();
    a.iter().zip(b).map(difference).map(|gap| gap * gap).sum()
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
