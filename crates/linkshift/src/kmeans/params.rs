//! What k-means and its relatives can be told, checked once.

use crate::error::{Error, Result};

/// What all methods of the family share.
#[derive(Debug, Clone, PartialEq)]
pub struct KMeansParams {
    /// Number of clusters. Default 8, as scikit-learn; there is no value that suits all data.
    pub n_clusters: usize,
    /// Runs from different starts, of which the one with the lowest objective is kept. Default 4:
    /// from one to four the ARI of PCKMeans changed by −.02 to +.05 on four sets (four seeds), from
    /// four to ten by up to .09 (aggregation), for two and a half times the work.
    pub n_init: usize,
    /// Iterations of a run at the most. Default 300, as scikit-learn.
    pub max_iter: usize,
    /// A run has arrived when an iteration lowers the objective by no more than this share of it.
    /// Default 1e-6: what is left changes single points at the border of two clusters.
    pub tolerance: f64,
    /// Seed of everything drawn: starts, and the order in which linked points are assigned.
    pub seed: u64,
}

impl Default for KMeansParams {
    fn default() -> Self {
        Self { n_clusters: 8, n_init: 4, max_iter: 300, tolerance: 1e-6, seed: 0 }
    }
}

impl KMeansParams {
    /// The defaults for `n_clusters` clusters.
    pub fn of(n_clusters: usize) -> Self {
        Self { n_clusters, ..Self::default() }
    }

    /// Fails at the first parameter that cannot work.
    pub fn check(&self) -> Result<()> {
        for (name, value) in
            [("n_clusters", self.n_clusters), ("n_init", self.n_init), ("max_iter", self.max_iter)]
        {
            if value == 0 {
                return Err(Error::param(name, 0, "at least 1"));
            }
        }
        if !(0.0..1.0).contains(&self.tolerance) {
            let must = "at least 0 and below 1 (a share of the objective)";
            return Err(Error::param("tolerance", self.tolerance, must));
        }
        Ok(())
    }

    /// Fails if there are fewer points than clusters.
    pub(super) fn check_points(&self, n_points: usize) -> Result<()> {
        if self.n_clusters <= n_points {
            return Ok(());
        }
        let must = format!("at most {n_points}, the number of points");
        Err(Error::param("n_clusters", self.n_clusters, must))
    }
}

/// Parameters of COP-k-means.
#[derive(Debug, Clone, PartialEq)]
pub struct CopParams {
    /// What all methods of the family share.
    pub common: KMeansParams,
    /// Orders of assignment tried before links are said to admit none. Default 20: where the links
    /// come from labels, the first nearly always does.
    pub n_orders: usize,
}

impl Default for CopParams {
    fn default() -> Self {
        Self { common: KMeansParams::default(), n_orders: 20 }
    }
}

impl CopParams {
    /// Fails at the first parameter that cannot work.
    pub fn check(&self) -> Result<()> {
        self.common.check()?;
        match self.n_orders {
            0 => Err(Error::param("n_orders", 0, "at least 1")),
            _ => Ok(()),
        }
    }
}

/// Parameters of PCKMeans.
#[derive(Debug, Clone, PartialEq)]
pub struct PckParams {
    /// What all methods of the family share.
    pub common: KMeansParams,
    /// w of Eq. 1: what a broken link of confidence 1 costs. Default 1, as its users have it: for
    /// columns of unit range more than most distances, so that links are broken only by need.
    pub penalty: f64,
}

impl Default for PckParams {
    fn default() -> Self {
        Self { common: KMeansParams::default(), penalty: 1.0 }
    }
}

impl PckParams {
    /// Fails at the first parameter that cannot work.
    pub fn check(&self) -> Result<()> {
        self.common.check()?;
        check_penalty(self.penalty)
    }
}

/// Parameters of PCCKMeans.
#[derive(Debug, Clone, PartialEq)]
pub struct PcckParams {
    /// What all methods of the family share.
    pub common: KMeansParams,
    /// A factor on the costs of Eq. 4. Default 1, as the paper.
    pub penalty: f64,
}

impl Default for PcckParams {
    fn default() -> Self {
        Self { common: KMeansParams::default(), penalty: 1.0 }
    }
}

impl PcckParams {
    /// Fails at the first parameter that cannot work.
    pub fn check(&self) -> Result<()> {
        self.common.check()?;
        check_penalty(self.penalty)
    }
}

/// Parameters of AMPCC.
#[derive(Debug, Clone, PartialEq)]
pub struct AmpccParams {
    /// What all methods of the family share.
    pub common: KMeansParams,
    /// A factor on the costs of Eq. 7. Default 1, as the paper.
    pub penalty: f64,
    /// Centers of each cluster; `None` = the paper's rule, Eq. 5.
    pub n_representatives: Option<usize>,
}

impl Default for AmpccParams {
    fn default() -> Self {
        Self { common: KMeansParams::default(), penalty: 1.0, n_representatives: None }
    }
}

impl AmpccParams {
    /// Fails at the first parameter that cannot work.
    pub fn check(&self) -> Result<()> {
        self.common.check()?;
        check_penalty(self.penalty)?;
        match self.n_representatives {
            Some(0) => Err(Error::param("n_representatives", 0, "at least 1")),
            _ => Ok(()),
        }
    }
}

/// The kind of metric that MPCKMeans learns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetricKind {
    /// A weight for each column.
    Diagonal,
    /// A whole matrix: columns may count together.
    Full,
}

/// Parameters of MPCKMeans.
#[derive(Debug, Clone, PartialEq)]
pub struct MpckParams {
    /// What all methods of the family share.
    pub common: KMeansParams,
    /// w: a factor on what a broken link costs. Default 1, as the paper.
    pub penalty: f64,
    /// The kind of metric. Default: diagonal, which little data suffices to learn.
    pub metric: MetricKind,
    /// Whether all clusters share one metric. Default: yes; a metric for each cluster needs many
    /// points in each.
    pub shared: bool,
    /// Most pairs of points that a group, or two groups held apart, stand for; beyond that as many
    /// are drawn. Default 10,000: all pairs of a group of 141.
    pub link_cap: usize,
}

impl Default for MpckParams {
    fn default() -> Self {
        Self {
            common: KMeansParams::default(),
            penalty: 1.0,
            metric: MetricKind::Diagonal,
            shared: true,
            link_cap: 10_000,
        }
    }
}

impl MpckParams {
    /// Fails at the first parameter that cannot work.
    pub fn check(&self) -> Result<()> {
        self.common.check()?;
        check_penalty(self.penalty)?;
        match self.link_cap {
            0 => Err(Error::param("link_cap", 0, "at least 1")),
            _ => Ok(()),
        }
    }
}

fn check_penalty(penalty: f64) -> Result<()> {
    // Products with counts of pairs must stay finite.
    if (0.0..=1e100).contains(&penalty) {
        return Ok(());
    }
    Err(Error::param("penalty", penalty, "0 or a positive number"))
}
