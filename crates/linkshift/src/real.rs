//! The two number types that points may have.

use num_traits::{Float, NumAssign};
use std::fmt::{Debug, Display};
use std::iter::Sum;

/// `f32` or `f64`, and nothing else: the trait is sealed.
///
/// What arrives as `f32` stays `f32`: points, centers and modes keep the caller's type. Only
/// scalars such as bandwidths and scores are `f64` everywhere.
pub trait Real:
    sealed::Sealed + Float + NumAssign + Sum + Debug + Display + Default + Send + Sync + 'static
{
    /// The name a user would write: `f32` or `f64`.
    const NAME: &'static str;

    /// The nearest value of this type.
    fn of(value: f64) -> Self;

    /// The same value as `f64`; exact for both types.
    fn as_f64(self) -> f64;
}

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
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}
