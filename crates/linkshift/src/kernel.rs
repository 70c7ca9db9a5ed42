//! Kernel profiles: how much a sample counts, by its squared distance over the squared bandwidth.
//!
//! The papers use two conventions for the Gaussian, exp(−x) and exp(−x/2). They are two profiles
//! with two names here, so that a bandwidth never carries a hidden factor.

use crate::error::{Error, Result};
use crate::params::Named;
use crate::real::Real;

/// A profile k: `[0, ∞) → [0, 1]` of x = |s − t|² / h².
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Profile {
    /// `[x < 1]`: every sample nearer than the bandwidth counts the same.
    Ball,
    /// exp(−x), the CMS paper's RBF and, as its results show, the boosted mean shift paper's Gaussian.
    Rbf,
    /// exp(−x) where that exceeds `cut`, else 0: the CMS paper's truncated RBF (`cut` = 0.2).
    Truncated {
        /// Values at or below this count as 0; in (0, 1).
        cut: f64,
    },
    /// exp(−x/2), the Gaussian of the kernel and spectral mean shift papers.
    Gaussian,
}

impl Profile {
    /// The CMS paper's cut.
    pub const CUT: f64 = 0.2;

    /// The truncated RBF with the CMS paper's cut.
    pub const TRUNCATED: Profile = Profile::Truncated { cut: Self::CUT };

    /// Fails if the profile has a parameter that cannot work.
    pub fn check(self) -> Result<Self> {
        match self {
            Profile::Truncated { cut } if !(cut > 0.0 && cut < 1.0) => {
                Err(Error::param("cut", cut, "above 0 and below 1"))
            }
            _ => Ok(self),
        }
    }

    /// k(x) for `x` = squared distance / squared bandwidth.
    #[inline(always)]
    pub fn value<T: Real>(self, x: T) -> T {
        match self {
            Profile::Ball if x < T::one() => T::one(),
            Profile::Ball => T::zero(),
            Profile::Rbf => (-x).exp(),
            Profile::Truncated { cut } => {
                let value = (-x).exp();
                if value > T::of(cut) { value } else { T::zero() }
            }
            Profile::Gaussian => (T::of(-0.5) * x).exp(),
        }
    }

    /// The x from which on k is exactly 0, if there is one.
    ///
    /// Ball: 1. Truncated: exp(−x) > c exactly where x < −ln c.
    pub fn support(self) -> Option<f64> {
        match self {
            Profile::Ball => Some(1.0),
            Profile::Truncated { cut } => Some(-cut.ln()),
            Profile::Rbf | Profile::Gaussian => None,
        }
    }

    /// The x below which k exceeds `value`, for a value in [0, 1).
    pub fn exceeds_until(self, value: f64) -> f64 {
        match self {
            Profile::Ball => 1.0,
            Profile::Rbf => -value.ln(),
            Profile::Truncated { cut } => -value.max(cut).ln(),
            Profile::Gaussian => -2.0 * value.ln(),
        }
    }
}

impl Named for Profile {
    const ALL: &'static [Profile] =
        &[Profile::Ball, Profile::Rbf, Profile::TRUNCATED, Profile::Gaussian];

    fn name(self) -> &'static str {
        match self {
            Profile::Ball => "ball",
            Profile::Rbf => "rbf",
            Profile::Truncated { .. } => "truncated",
            Profile::Gaussian => "gaussian",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Profile; 4] = [Profile::Ball, Profile::Rbf, Profile::TRUNCATED, Profile::Gaussian];

    #[test]
    fn values_are_the_formulas() {
        // Derived: e⁻¹ = 0.36788, e⁻² = 0.13534 (below the cut of 0.2), e^(−1/2) = 0.60653.
        assert_eq!(Profile::Ball.value(0.999), 1.0);
        assert_eq!(Profile::Ball.value(1.0), 0.0);
        assert!((Profile::Rbf.value(1.0_f64) - 0.36788).abs() < 1e-5);
        assert!((Profile::TRUNCATED.value(1.0_f64) - 0.36788).abs() < 1e-5);
        assert_eq!(Profile::TRUNCATED.value(2.0), 0.0);
        assert!((Profile::Gaussian.value(1.0_f64) - 0.60653).abs() < 1e-5);
    }

    #[test]
    fn every_profile_starts_at_one_and_never_rises() {
        for profile in ALL {
            assert_eq!(profile.value(0.0), 1.0, "{}", profile.name());
            let values: Vec<f64> = (0..500).map(|i| profile.value(f64::from(i) * 0.01)).collect();
            assert!(values.windows(2).all(|pair| pair[1] <= pair[0]), "{}", profile.name());
        }
    }

    #[test]
    fn support_is_where_the_profile_vanishes() {
        for profile in ALL {
            let Some(end) = profile.support() else { continue };
            assert!(profile.value(end * 0.999_999) > 0.0, "{}", profile.name());
            assert_eq!(profile.value(end * 1.000_001), 0.0, "{}", profile.name());
        }
    }

    #[test]
    fn a_value_is_exceeded_up_to_where_it_says() {
        for profile in ALL {
            for value in [0.1, 0.5, 0.995] {
                let end = profile.exceeds_until(value);
                assert!(profile.value(end * 0.999) > value, "{}", profile.name());
                assert!(profile.value(end * 1.001) <= value, "{}", profile.name());
            }
        }
    }

    #[test]
    fn a_cut_outside_its_range_is_refused() {
        for cut in [0.0, 1.0, -0.1, f64::NAN] {
            assert!(Profile::Truncated { cut }.check().is_err());
        }
        assert!(Profile::TRUNCATED.check().is_ok());
    }
}
