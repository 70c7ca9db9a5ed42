//! What constrained spectral clustering can be told.

use crate::bandwidth::Bandwidth;
use crate::obey::Obey;
use crate::params::shared::{self, HasBandwidth};
use crate::params::{N_CLUSTERS, Param, Range, Slot};

/// All parameters of constrained spectral clustering.
#[derive(Debug, Clone, PartialEq)]
pub struct ConstrainedSpectralParams {
    /// How many clusters. Default 2.
    pub n_clusters: usize,
    /// σ of the Gaussian affinity. Default: Silverman's rule, as in spectral clustering after mean
    /// shift.
    pub bandwidth: Bandwidth,
    /// What the links ask for; `None` = half the (k − 1)-th eigenvalue of Q.
    pub beta: Option<f64>,
    /// What becomes of certain links that the method itself would break.
    pub obey: Obey,
    /// What the matrices may use, in megabytes; `None` = no limit.
    pub memory_mb: Option<u64>,
    /// Seed of k-means' starts, and of sampled bandwidths.
    pub seed: u64,
}

impl Default for ConstrainedSpectralParams {
    fn default() -> Self {
        let bandwidth = Bandwidth::Silverman;
        Self { n_clusters: 2, bandwidth, beta: None, obey: Obey::Certain, memory_mb: None, seed: 0 }
    }
}

impl HasBandwidth for ConstrainedSpectralParams {
    fn bandwidth(&mut self) -> &mut Bandwidth {
        &mut self.bandwidth
    }
}

pub(super) const TABLE: &[Param<ConstrainedSpectralParams>] = &[
    Param::new(
        N_CLUSTERS,
        Range::From(1.0),
        |params| Slot::Field(&mut params.n_clusters),
        "number of clusters",
    ),
    shared::bandwidth("σ of the Gaussian affinity: a distance, or a rule that finds one"),
    shared::percentile(),
    shared::alpha(),
    shared::k(),
    Param::new(
        "beta",
        Range::Any,
        |params| Slot::Field(&mut params.beta),
        "how much the cuts must agree with the links; auto: half an eigenvalue of theirs",
    ),
    shared::obey(|params| Slot::Field(&mut params.obey)),
    shared::memory_mb(|params| Slot::Field(&mut params.memory_mb)),
    shared::seed(|params| Slot::Field(&mut params.seed)),
];
