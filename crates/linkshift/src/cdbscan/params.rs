//! What C-DBSCAN can be told, checked once.

use crate::obey::Obey;
use crate::params::{Param, Range, Slot, shared};

/// All parameters of C-DBSCAN.
#[derive(Debug, Clone, PartialEq)]
pub struct CdbscanParams {
    /// How far a point reaches. Default 0.1, what the CMS paper took for points scaled to 0–1.
    pub eps: f64,
    /// Points within reach, itself counted, that make a core point. Default 4, the rule of DBSCAN's
    /// authors for the plane (the CMS paper: 2).
    pub min_points: usize,
    /// What becomes of certain links that the method itself would break.
    pub obey: Obey,
    /// What the pairs within reach may use, in megabytes; `None` = no limit.
    pub memory_mb: Option<u64>,
}

impl Default for CdbscanParams {
    fn default() -> Self {
        Self { eps: 0.1, min_points: 4, obey: Obey::Certain, memory_mb: None }
    }
}

pub(super) const TABLE: &[Param<CdbscanParams>] = &[
    Param::new(
        "eps",
        Range::Above(0.0),
        |params| Slot::Field(&mut params.eps),
        "how far a point reaches; 0.1 suits columns scaled to 0–1 (min-max)",
    ),
    Param::new(
        "min_points",
        Range::From(1.0),
        |params| Slot::Field(&mut params.min_points),
        "points within reach, itself counted, that make a region dense",
    ),
    shared::obey(|params| Slot::Field(&mut params.obey)),
    shared::memory_mb(|params| Slot::Field(&mut params.memory_mb)),
];
