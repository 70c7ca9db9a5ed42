//! How much memory a fit takes, asked before it is taken.
//!
//! Every method says what it [needs](crate::method::Algorithm::needs) for points of a [`Size`], by
//! measured peaks. A fit that may use less ([`memory_mb`](crate::params::MEMORY_MB)) is refused before it
//! begins, with how many points would fit. What depends on more than sizes (the pairs within reach, the
//! modes that are found) a method adds as soon as it knows it, before it takes it.

use crate::error::{Error, Result};
use crate::method::Algorithm;
use crate::points::Points;
use crate::real::Real;

/// What decides how much memory a fit takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Rows.
    pub n_points: u64,
    /// Columns.
    pub n_features: u64,
    /// Bytes of a number.
    pub number: u64,
    /// Links that were given.
    pub n_links: u64,
}

impl Size {
    /// Of a fit of these points, with so many links.
    pub fn of<T: Real>(points: &Points<'_, T>, n_links: usize) -> Self {
        Self {
            n_points: points.n_points() as u64,
            n_features: points.n_features() as u64,
            number: size_of::<T>() as u64,
            n_links: n_links as u64,
        }
    }

    /// Bytes of all points.
    pub fn points(&self) -> u64 {
        self.numbers(self.number)
    }

    /// Bytes of as many numbers as the points have, of so many bytes each.
    pub fn numbers(&self, bytes: u64) -> u64 {
        self.n_points.saturating_mul(self.n_features).saturating_mul(bytes)
    }

    /// Bytes, if there are so many for each point, and what every method holds for each link.
    pub fn rows(&self, bytes: u64) -> u64 {
        /// The link, its closure, its report.
        const PER_LINK: u64 = 150;
        self.n_points.saturating_mul(bytes).saturating_add(self.n_links.saturating_mul(PER_LINK))
    }
}

/// Fails if a fit of this size needs more than its parameters allow.
pub(crate) fn check<P: Algorithm>(params: &P, size: &Size) -> Result<()> {
    let Some(allowed_mb) = params.memory_mb() else { return Ok(()) };
    if in_mb(params.needs(size)) <= allowed_mb {
        return Ok(());
    }
    // What is known of links goes with the points that they are about.
    let fits = |n_points: u64| {
        let n_links = size.n_links as f64 * (n_points as f64 / size.n_points as f64);
        in_mb(params.needs(&Size { n_points, n_links: n_links as u64, ..*size })) <= allowed_mb
    };
    let (mut most, mut too_many) = (0, size.n_points);
    while too_many - most > 1 {
        let middle = most + (too_many - most) / 2;
        *(if fits(middle) { &mut most } else { &mut too_many }) = middle;
    }
    let remedy = match most {
        0 => "allow more".to_owned(),
        most => format!(
            "allow more, or take fewer points: about {most} of these {} would fit",
            size.n_points
        ),
    };
    allow(params.needs(size), Some(allowed_mb), &remedy)
}

/// Fails if `needed_bytes` are more than is allowed (`None`: anything is); `remedy` says what the
/// caller can change.
pub(crate) fn allow(needed_bytes: u64, allowed_mb: Option<u64>, remedy: &str) -> Result<()> {
    let needed_mb = in_mb(needed_bytes);
    match allowed_mb {
        Some(allowed_mb) if needed_mb > allowed_mb => {
            Err(Error::Memory { needed_mb, allowed_mb, remedy: remedy.into() })
        }
        _ => Ok(()),
    }
}

/// A begun megabyte counts whole.
fn in_mb(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 20)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kmeans::{KMeans, KMeansParams};
    use crate::links::Links;

    #[test]
    fn a_begun_megabyte_counts_whole() {
        const MB: u64 = 1 << 20;
        assert!(allow(2 * MB, Some(2), "").is_ok() && allow(u64::MAX, None, "").is_ok());
        let error = allow(2 * MB + 1, Some(2), "take less").unwrap_err();
        let remedy = "take less".to_string();
        assert_eq!(error, Error::Memory { needed_mb: 3, allowed_mb: 2, remedy });
    }

    #[test]
    fn what_would_fit_fits_and_one_point_more_does_not() {
        let n = 100_000;
        let params =
            KMeansParams { memory_mb: Some(1), max_iter: 1, n_init: 1, ..Default::default() };
        let fit = |n: usize| {
            let points = Points::new(vec![1.0; n], 1).unwrap();
            KMeans::new(params.clone()).unwrap().fit(&points, &Links::new())
        };
        let Err(Error::Memory { remedy, needed_mb, allowed_mb: 1 }) = fit(n) else {
            panic!("it fits")
        };
        assert!(needed_mb > 1);
        let told = remedy.split("about ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
        let told: usize = told.parse().unwrap();
        assert!(fit(told).is_ok() && fit(told + 1).is_err(), "{remedy}");
    }
}
