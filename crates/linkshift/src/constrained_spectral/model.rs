//! What constrained spectral clustering found.

use crate::model::{Detail, IntoDetails, Model};
use crate::real::Real;

/// A fitted constrained spectral clustering. The center of a cluster is its mean; a new point takes
/// the label of the nearest fitted one.
pub type ConstrainedSpectralModel<T> = Model<T, ConstrainedSpectralDetails>;

/// What only constrained spectral clustering has to say.
#[derive(Debug, Clone, PartialEq)]
pub struct ConstrainedSpectralDetails {
    pub(super) bandwidth: f64,
    pub(super) beta: f64,
    pub(super) costs: Vec<f64>,
}

impl<T: Real> ConstrainedSpectralModel<T> {
    /// σ of the affinities; the mean of them if each point had its own.
    pub fn bandwidth(&self) -> f64 {
        self.details.bandwidth
    }

    /// β, what the links ask for.
    pub fn beta(&self) -> f64 {
        self.details.beta
    }

    /// The costs vᵀ·L̄·v of the cuts that were taken, cheapest first; fewer than k − 1 if there
    /// were not so many feasible ones.
    pub fn costs(&self) -> &[f64] {
        &self.details.costs
    }
}

impl<T: Real> IntoDetails<T> for ConstrainedSpectralDetails {
    fn into_details(self) -> Vec<Detail<T>> {
        vec![
            Detail::new("bandwidth", self.bandwidth),
            Detail::new("beta", self.beta),
            Detail::new("costs", self.costs),
        ]
    }
}
