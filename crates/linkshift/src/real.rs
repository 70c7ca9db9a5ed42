//! The two number types that points may have.

use crate::compiled::Compiled;
use num_traits::{Float, NumAssign};
use std::fmt::{Debug, Display};
use std::iter::Sum;

/// `f32` or `f64`, and nothing else: the trait is sealed.
///
/// What arrives as `f32` stays `f32`: points, centers and modes keep the caller's type. Only
/// scalars such as bandwidths and scores are `f64` everywhere.
pub trait Real:
    sealed::Sealed
    + Compiled
    + Float
    + NumAssign
    + Sum
    + Debug
    + Display
    + Default
    + Send
    + Sync
    + 'static
{
    /// The name a user would write: `f32` or `f64`.
    const NAME: &'static str;

    /// The nearest value of this type.
    fn of(value: f64) -> Self;

    /// The same value as `f64`; exact for both types.
    fn as_f64(self) -> f64;

    /// e^self for self ≤ 0, without a branch or a call, so that loops over it become SIMD.
    ///
    /// Within 2 units in the last place of `exp`; 0 where that would be subnormal.
    fn exp_fast(self) -> Self;
}

/// Taylor coefficients 1/13!, …, 1/2!, 1, 1. On |r| ≤ ln 2 / 2 the first 14 terms leave an error
/// of r¹⁴/14! < 4e-18, the first 8 one of r⁸/8! < 6e-9, below half a unit of f64 and of f32.
const TAYLOR: [f64; 14] = [
    1.0 / 6_227_020_800.0,
    1.0 / 479_001_600.0,
    1.0 / 39_916_800.0,
    1.0 / 3_628_800.0,
    1.0 / 362_880.0,
    1.0 / 40_320.0,
    1.0 / 5_040.0,
    1.0 / 720.0,
    1.0 / 120.0,
    1.0 / 24.0,
    1.0 / 6.0,
    0.5,
    1.0,
    1.0,
];

impl Real for f32 {
    const NAME: &'static str = "f32";

    #[inline(always)]
    fn of(value: f64) -> Self {
        value as f32
    }

    #[inline(always)]
    fn as_f64(self) -> f64 {
        f64::from(self)
    }

    // e^x = 2^k · e^r with k = round(x / ln 2). Adding ROUND leaves k in the low bits of the sum,
    // from where a shift moves it into the exponent. ln 2 is split so that k·LN_2_HIGH is exact.
    #[inline(always)]
    fn exp_fast(self) -> Self {
        const ROUND: f32 = 12_582_912.0; // 1.5 · 2²³
        const LN_2_HIGH: f32 = 0.693_359_4;
        const LN_2_LOW: f32 = -2.121_944_4e-4;
        const LEAST: f32 = -87.0; // e^-87 is still normal
        let x = self.max(LEAST);
        let shifted = x * std::f32::consts::LOG2_E + ROUND;
        let k = shifted - ROUND;
        let r = (x - k * LN_2_HIGH) - k * LN_2_LOW;
        let mut sum = 0.0;
        for &coefficient in &TAYLOR[6..] {
            sum = sum * r + coefficient as f32;
        }
        let value = f32::from_bits(sum.to_bits().wrapping_add(shifted.to_bits() << 23));
        if self < LEAST { 0.0 } else { value }
    }
}

impl Real for f64 {
    const NAME: &'static str = "f64";

    #[inline(always)]
    fn of(value: f64) -> Self {
        value
    }

    #[inline(always)]
    fn as_f64(self) -> f64 {
        self
    }

    // As for f32.
    #[inline(always)]
    fn exp_fast(self) -> Self {
        const ROUND: f64 = 6_755_399_441_055_744.0; // 1.5 · 2⁵²
        const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1;
        const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
        const LEAST: f64 = -708.0;
        let x = self.max(LEAST);
        let shifted = x * std::f64::consts::LOG2_E + ROUND;
        let k = shifted - ROUND;
        let r = (x - k * LN_2_HIGH) - k * LN_2_LOW;
        let mut sum = 0.0;
        for &coefficient in &TAYLOR {
            sum = sum * r + coefficient;
        }
        let value = f64::from_bits(sum.to_bits().wrapping_add(shifted.to_bits() << 52));
        if self < LEAST { 0.0 } else { value }
    }
}

mod sealed {
    use faer::linalg::matmul::matmul;
    use faer::{Accum, MatMut, MatRef, Par};

    /// Products of matrices, all of them row by row in memory, on one thread: whoever asks has cut
    /// up the work already.
    pub trait Sealed: Sized {
        /// `out` = left · rightᵀ; both have rows of `inner` values.
        fn multiply_transposed(left: &[Self], right: &[Self], inner: usize, out: &mut [Self]);

        /// `out` = left · right; `right` and `out` have rows of `n_cols` values.
        fn multiply(left: &[Self], right: &[Self], n_cols: usize, out: &mut [Self]);
    }

    macro_rules! by_faer {
        ($($real:ty)*) => {$(
            impl Sealed for $real {
                fn multiply_transposed(left: &[Self], right: &[Self], inner: usize, out: &mut [Self]) {
                    let (n_rows, n_cols) = (left.len() / inner, right.len() / inner);
                    let left = MatRef::from_row_major_slice(left, n_rows, inner);
                    let right = MatRef::from_row_major_slice(right, n_cols, inner);
                    let out = MatMut::from_row_major_slice_mut(out, n_rows, n_cols);
                    matmul(out, Accum::Replace, left, right.transpose(), 1.0, Par::Seq);
                }

                fn multiply(left: &[Self], right: &[Self], n_cols: usize, out: &mut [Self]) {
                    let (n_rows, inner) = (out.len() / n_cols, right.len() / n_cols);
                    let left = MatRef::from_row_major_slice(left, n_rows, inner);
                    let right = MatRef::from_row_major_slice(right, inner, n_cols);
                    let out = MatMut::from_row_major_slice_mut(out, n_rows, n_cols);
                    matmul(out, Accum::Replace, left, right, 1.0, Par::Seq);
                }
            }
        )*};
    }
    by_faer!(f32 f64);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fast_exponentials_agree_with_the_library() {
        for i in 0..200_000 {
            let x = -f64::from(i) * 0.0035;
            // Another path: the standard library's exp. Two units in the last place.
            assert!((x.exp_fast() - x.exp()).abs() <= 2.0 * f64::EPSILON * x.exp(), "{x}");
            let x = x as f32 * 0.12;
            assert!((x.exp_fast() - x.exp()).abs() <= 2.0 * f32::EPSILON * x.exp(), "{x}");
        }
    }

    #[test]
    fn fast_exponentials_end_at_one_and_at_zero() {
        assert_eq!(0.0_f64.exp_fast(), 1.0);
        assert_eq!(0.0_f32.exp_fast(), 1.0);
        assert_eq!((-1e9_f64).exp_fast(), 0.0);
        assert_eq!((-1e9_f32).exp_fast(), 0.0);
    }
}
