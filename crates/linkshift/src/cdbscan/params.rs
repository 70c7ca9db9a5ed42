//! What C-DBSCAN can be told, checked once.

use crate::error::{Error, Result};

/// All parameters of C-DBSCAN.
#[derive(Debug, Clone, PartialEq)]
pub struct CdbscanParams {
    /// How far a point reaches. Default 0.1, what the CMS paper took for points scaled to 0–1.
    pub eps: f64,
    /// Points within reach, itself counted, that make a core point. Default 4, the rule of DBSCAN's
    /// authors for the plane (the CMS paper: 2).
    pub min_points: usize,
    /// What the pairs within reach may use, in megabytes; `None` = no limit.
    pub memory_mb: Option<u64>,
}

impl Default for CdbscanParams {
    fn default() -> Self {
        Self { eps: 0.1, min_points: 4, memory_mb: None }
    }
}

impl CdbscanParams {
    /// Fails on the first parameter that cannot work.
    pub fn check(&self) -> Result<()> {
        if !(self.eps > 0.0 && self.eps.is_finite()) {
            return Err(Error::param("eps", self.eps, "a finite number above 0"));
        }
        if self.min_points == 0 {
            return Err(Error::param("min_points", 0, "at least 1"));
        }
        Ok(())
    }
}
