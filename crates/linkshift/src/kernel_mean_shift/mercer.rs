//! Mercer kernels: similarities that are inner products in some feature space.

use crate::bandwidth;
use crate::distance::{distance_sq_f64, sum_over};
use crate::error::{Error, KernelError, Result};
use crate::params::{Form, Setting, Value};
use crate::points::Points;
use crate::real::Real;

/// How similar two points are; every variant but the first is an inner product ⟨φ(x), φ(y)⟩ (Eq. 5).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Mercer {
    /// Gaussian, of some widths, or cosine, whichever links speak for; Gaussian where they are too few, or σ
    /// is told.
    Auto {
        /// σ of the Gaussian.
        sigma: Option<f64>,
    },
    /// exp(−|x − y|²/(2σ²)).
    Gaussian {
        /// σ, above 0; `None` = a multiple of the mean distance between the points.
        sigma: Option<f64>,
    },
    /// (x·y + offset)^degree; of degree 1 it is Euclidean mean shift.
    Polynomial {
        /// The degree, at least 1.
        degree: u32,
        /// The offset, at least 0: a negative one is no inner product.
        offset: f64,
    },
    /// x·y.
    Linear,
    /// 2·Σ xᵢyᵢ/(xᵢ + yᵢ), for histograms: nothing may be negative.
    ChiSquared,
    /// x·y/(|x||y|); a row of zeros is like nothing, not even itself.
    Cosine,
    /// The points are themselves the matrix of similarities, n × n.
    Precomputed,
}

impl Mercer {
    /// All of them; one that holds numbers stands there with its defaults.
    pub const ALL: &'static [Self] = &[
        Mercer::Auto { sigma: None },
        Mercer::Gaussian { sigma: None },
        Mercer::Polynomial { degree: Mercer::DEGREE, offset: Mercer::OFFSET },
        Mercer::Linear,
        Mercer::ChiSquared,
        Mercer::Cosine,
        Mercer::Precomputed,
    ];

    /// The name, the same in every door.
    pub fn name(self) -> &'static str {
        match self {
            Mercer::Auto { .. } => AUTO,
            Mercer::Gaussian { .. } => "gaussian",
            Mercer::Polynomial { .. } => "polynomial",
            Mercer::Linear => "linear",
            Mercer::ChiSquared => "chi2",
            Mercer::Cosine => "cosine",
            Mercer::Precomputed => "precomputed",
        }
    }

    /// The degree of a polynomial, if nobody says another.
    pub const DEGREE: u32 = 2;
    /// The offset of a polynomial, if nobody says another.
    pub const OFFSET: f64 = 1.0;

    /// Fails if the kernel has a parameter that cannot work.
    pub fn check(self) -> Result<Self> {
        match self {
            Mercer::Auto { sigma: Some(sigma) } | Mercer::Gaussian { sigma: Some(sigma) }
                if !(sigma > 0.0 && sigma.is_finite()) =>
            {
                Err(Error::param("sigma", sigma, "a finite number above 0"))
            }
            Mercer::Polynomial { degree: 0, .. } => Err(Error::param("degree", 0, "at least 1")),
            Mercer::Polynomial { offset, .. } if !(offset >= 0.0 && offset.is_finite()) => {
                Err(Error::param("offset", offset, "a finite number from 0"))
            }
            _ => Ok(self),
        }
    }

    /// The same kernel with nothing left to the data or to links: σ is found from the points.
    pub(super) fn settled<T: Real>(
        self,
        points: &Points<'_, T>,
        sigma_factor: f64,
        seed: u64,
    ) -> Self {
        match self {
            Mercer::Auto { sigma } | Mercer::Gaussian { sigma } => {
                let by_distance = || sigma_factor * bandwidth::mean_distance(points, seed);
                Mercer::Gaussian { sigma: Some(sigma.unwrap_or_else(by_distance)) }
            }
            other => other,
        }
    }

    /// Fails at the first point that the kernel cannot take.
    pub(super) fn accept<T: Real>(self, points: &Points<'_, T>) -> Result<()> {
        for (row, values) in points.rows().enumerate() {
            if self == Mercer::ChiSquared
                && let Some(col) = values.iter().position(|&value| value < T::zero())
            {
                return Err(KernelError::Negative { row, col, value: values[col].as_f64() }.into());
            }
            let own = self.value(values, values);
            // The square of it must be finite too: distances are sums and differences of such.
            if self != Mercer::Precomputed && !(own * own).is_finite() {
                return Err(KernelError::TooLarge { row, value: own }.into());
            }
        }
        Ok(())
    }

    /// K(x, y). Of a precomputed matrix there is no value but its own entries.
    #[inline(always)]
    pub fn value<T: Real>(self, x: &[T], y: &[T]) -> f64 {
        let dot = |x, y| sum_over(x, y, |x: T, y: T| x.as_f64() * y.as_f64());
        match self {
            Mercer::Auto { sigma } | Mercer::Gaussian { sigma } => {
                let sigma = sigma.unwrap_or(1.0);
                (-distance_sq_f64(x, y) / (2.0 * sigma * sigma)).exp()
            }
            Mercer::Polynomial { degree, offset } => (dot(x, y) + offset).powf(f64::from(degree)),
            Mercer::Linear | Mercer::Precomputed => dot(x, y),
            Mercer::ChiSquared => {
                // Two empty bins have nothing in common; 0/0 would say NaN.
                let shared = |x: f64, y: f64| if x + y > 0.0 { x * y / (x + y) } else { 0.0 };
                2.0 * sum_over(x, y, |x, y| shared(x.as_f64(), y.as_f64()))
            }
            Mercer::Cosine => {
                let lengths = dot(x, x).sqrt() * dot(y, y).sqrt();
                if lengths > 0.0 { dot(x, y) / lengths } else { 0.0 }
            }
        }
    }
}

const AUTO: &str = "auto";

/// Like an enumeration with names, but that what is left to links is `auto`, in Python also `None`.
impl Setting for Mercer {
    fn get(&self) -> Value {
        match self {
            Mercer::Auto { .. } => Value::Auto,
            _ => self.name().into(),
        }
    }

    fn set(&mut self, value: &Value) -> bool {
        let word = if *value == Value::Auto { Some(AUTO) } else { value.as_word() };
        let chosen = Mercer::ALL.iter().copied().find(|kernel| Some(kernel.name()) == word);
        // The numbers of a kernel that stays are kept.
        *self = chosen.filter(|kernel| kernel.name() != self.name()).unwrap_or(*self);
        chosen.is_some()
    }

    fn words(&self) -> Vec<&'static str> {
        Mercer::ALL.iter().map(|kernel| kernel.name()).collect()
    }

    fn form(&self) -> Form {
        Form::Words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_the_formulas() {
        let (x, y) = ([1.0, 3.0], [2.0, 1.0]);
        let close = |kernel: Mercer, expected: f64| {
            let found = kernel.value(&x, &y);
            assert!((found - expected).abs() < 1e-12, "{}: {found}", kernel.name());
        };
        // Derived: |x−y|² = 5, x·y = 5, |x|² = 10, |y|² = 5; χ²: 2·(2/3 + 3/4) = 17/6.
        close(Mercer::Gaussian { sigma: Some(2.0) }, (-5.0_f64 / 8.0).exp());
        close(Mercer::Linear, 5.0);
        close(Mercer::Polynomial { degree: 2, offset: 1.0 }, 36.0);
        close(Mercer::ChiSquared, 17.0 / 6.0);
        close(Mercer::Cosine, 5.0 / 50.0_f64.sqrt());
    }

    #[test]
    fn empty_bins_and_rows_of_zeros_are_like_nothing() {
        assert_eq!(Mercer::ChiSquared.value(&[0.0, 1.0], &[0.0, 1.0]), 1.0);
        assert_eq!(Mercer::Cosine.value(&[0.0], &[3.0]), 0.0);
    }

    #[test]
    fn what_a_kernel_cannot_take_is_named() {
        let points = Points::new(vec![1.0, 2.0, 3.0, -4.0], 2).unwrap();
        let negative = KernelError::Negative { row: 1, col: 1, value: -4.0 };
        assert_eq!(Mercer::ChiSquared.accept(&points), Err(negative.into()));
        let steep = Mercer::Polynomial { degree: 1_000, offset: 0.0 };
        assert!(matches!(
            steep.accept(&points),
            Err(Error::Kernel(KernelError::TooLarge { row: 0, .. }))
        ));
        for bad in [
            Mercer::Gaussian { sigma: Some(0.0) },
            Mercer::Polynomial { degree: 0, offset: 0.0 },
            Mercer::Polynomial { degree: 2, offset: -1.0 },
        ] {
            assert!(bad.check().is_err());
        }
    }
}
