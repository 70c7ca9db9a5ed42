//! What the default method can be told: next to nothing.

use crate::params::{Named, Param, Range, Slot, shared};

/// Which answers may be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// Links that all evidence speaks against are suspects, listed and not obeyed.
    Some,
    /// Every link is right. Where links contradict each other, the fewest that the evidence speaks
    /// for least still give way.
    All,
}

impl Named for Trust {
    const ALL: &'static [Self] = &[Trust::Some, Trust::All];

    fn name(self) -> &'static str {
        match self {
            Trust::Some => "some",
            Trust::All => "all",
        }
    }
}

/// All parameters of the default method.
#[derive(Debug, Clone, PartialEq)]
pub struct AutoParams {
    /// Which answers may be wrong. Default: some; people err.
    pub trust: Trust,
    /// Of more points than this, so many take part in finding the clusters, as many linked ones as
    /// fit among them; the others join their neighbours. Default 2,500: the evidence is a matrix
    /// of all pairs.
    pub most_points: usize,
    /// What the fit may use beside the points, in megabytes; `None` = no limit.
    pub memory_mb: Option<u64>,
    /// Seed of everything drawn.
    pub seed: u64,
}

impl Default for AutoParams {
    fn default() -> Self {
        Self { trust: Trust::Some, most_points: 2_500, memory_mb: None, seed: 0 }
    }
}

pub(super) const TABLE: &[Param<AutoParams>] = &[
    Param::new(
        "trust",
        Range::Any,
        |params| Slot::Field(&mut params.trust),
        "which links are right: some lists those that are probably wrong and does not obey them, all obeys every one",
    ),
    Param::new(
        "most_points",
        Range::From(50.0),
        |params| Slot::Field(&mut params.most_points),
        "of more points so many find the clusters, and the others join their neighbours",
    ),
    shared::memory_mb(|params| Slot::Field(&mut params.memory_mb)),
    shared::seed(|params| Slot::Field(&mut params.seed)),
];
