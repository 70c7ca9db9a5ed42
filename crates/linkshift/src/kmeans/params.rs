//! What k-means and its relatives can be told.

use crate::error::{Error, Result};
use crate::memory::Size;
use crate::obey::Obey;
use crate::params::{N_CLUSTERS, Named, Param, Range, Slot, shared};

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
    /// What becomes of certain links that the method itself would break.
    pub obey: Obey,
    /// What the fit may use beside the points, in megabytes; `None` = no limit.
    pub memory_mb: Option<u64>,
    /// Seed of everything drawn: starts, and the order in which linked points are assigned.
    pub seed: u64,
}

impl Default for KMeansParams {
    fn default() -> Self {
        Self {
            n_clusters: 8,
            n_init: 4,
            max_iter: 300,
            tolerance: 1e-6,
            obey: Obey::Certain,
            memory_mb: None,
            seed: 0,
        }
    }
}

impl KMeansParams {
    /// The defaults for `n_clusters` clusters.
    pub fn of(n_clusters: usize) -> Self {
        Self { n_clusters, ..Self::default() }
    }

    /// Bytes that all of the family hold: where each point belongs, and the centers.
    pub(super) fn holds(&self, size: &Size) -> u64 {
        let centers = (self.n_clusters as u64).saturating_mul(size.n_features + 1);
        size.rows(72).saturating_add(centers.saturating_mul(40))
    }

    /// Bytes of the distances between linked points and all centers, so many in each cluster.
    pub(super) fn of_linked(&self, size: &Size, per_cluster: u64) -> u64 {
        let n_linked = size.n_points.min(size.n_links.saturating_mul(2));
        let n_centers = (self.n_clusters as u64).saturating_mul(per_cluster);
        n_linked.saturating_mul(n_centers).saturating_mul(size.number)
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

/// The kind of metric that MPCKMeans learns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MetricKind {
    /// A weight for each column.
    Diagonal,
    /// A whole matrix: columns may count together.
    Full,
}

impl Named for MetricKind {
    const ALL: &'static [Self] = &[MetricKind::Diagonal, MetricKind::Full];

    fn name(self) -> &'static str {
        match self {
            MetricKind::Diagonal => "diagonal",
            MetricKind::Full => "full",
        }
    }
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

/// Parameters that include what all methods of the family share.
trait Family {
    fn common(&mut self) -> &mut KMeansParams;
}

/// Parameters that put a price on broken links.
trait Priced {
    fn penalty(&mut self) -> &mut f64;
}

impl Family for KMeansParams {
    fn common(&mut self) -> &mut KMeansParams {
        self
    }
}

impl Family for CopParams {
    fn common(&mut self) -> &mut KMeansParams {
        &mut self.common
    }
}

impl Family for PckParams {
    fn common(&mut self) -> &mut KMeansParams {
        &mut self.common
    }
}

impl Priced for PckParams {
    fn penalty(&mut self) -> &mut f64 {
        &mut self.penalty
    }
}

impl Family for PcckParams {
    fn common(&mut self) -> &mut KMeansParams {
        &mut self.common
    }
}

impl Priced for PcckParams {
    fn penalty(&mut self) -> &mut f64 {
        &mut self.penalty
    }
}

impl Family for AmpccParams {
    fn common(&mut self) -> &mut KMeansParams {
        &mut self.common
    }
}

impl Priced for AmpccParams {
    fn penalty(&mut self) -> &mut f64 {
        &mut self.penalty
    }
}

impl Family for MpckParams {
    fn common(&mut self) -> &mut KMeansParams {
        &mut self.common
    }
}

impl Priced for MpckParams {
    fn penalty(&mut self) -> &mut f64 {
        &mut self.penalty
    }
}

const fn n_clusters<P: Family>() -> Param<P> {
    let slot: fn(&mut P) -> Slot<'_> = |params| Slot::Field(&mut params.common().n_clusters);
    Param::new(N_CLUSTERS, Range::From(1.0), slot, "number of clusters")
}

const fn n_init<P: Family>() -> Param<P> {
    let slot: fn(&mut P) -> Slot<'_> = |params| Slot::Field(&mut params.common().n_init);
    let what = "runs from different starts, of which the one with the lowest objective is kept";
    Param::new("n_init", Range::From(1.0), slot, what)
}

const fn max_iter<P: Family>() -> Param<P> {
    let slot: fn(&mut P) -> Slot<'_> = |params| Slot::Field(&mut params.common().max_iter);
    Param::new("max_iter", Range::From(1.0), slot, "iterations of a run at the most")
}

const fn tolerance<P: Family>() -> Param<P> {
    let slot: fn(&mut P) -> Slot<'_> = |params| Slot::Field(&mut params.common().tolerance);
    let what = "a run ends when an iteration lowers the objective by no more than this share of it";
    Param::new("tolerance", Range::FromBelow(0.0, 1.0), slot, what)
}

const fn obey<P: Family>() -> Param<P> {
    shared::obey(|params: &mut P| Slot::Field(&mut params.common().obey))
}

const fn memory_mb<P: Family>() -> Param<P> {
    shared::memory_mb(|params: &mut P| Slot::Field(&mut params.common().memory_mb))
}

const fn seed<P: Family>() -> Param<P> {
    shared::seed(|params: &mut P| Slot::Field(&mut params.common().seed))
}

const fn penalty<P: Priced>() -> Param<P> {
    // Products with counts of pairs must stay finite.
    let range = Range::FromTo(0.0, 1e100);
    let slot: fn(&mut P) -> Slot<'_> = |params| Slot::Field(params.penalty());
    Param::new("penalty", range, slot, "a factor on what broken links cost")
}

pub(super) const KMEANS: &[Param<KMeansParams>] =
    &[n_clusters(), n_init(), max_iter(), tolerance(), obey(), memory_mb(), seed()];

pub(super) const COP: &[Param<CopParams>] = &[
    n_clusters(),
    Param::new(
        "n_orders",
        Range::From(1.0),
        |params| Slot::Field(&mut params.n_orders),
        "orders of assignment tried before it is said that none keeps all links",
    ),
    n_init(),
    max_iter(),
    tolerance(),
    obey(),
    memory_mb(),
    seed(),
];

pub(super) const PCK: &[Param<PckParams>] =
    &[n_clusters(), penalty(), n_init(), max_iter(), tolerance(), obey(), memory_mb(), seed()];

pub(super) const PCCK: &[Param<PcckParams>] =
    &[n_clusters(), penalty(), n_init(), max_iter(), tolerance(), obey(), memory_mb(), seed()];

pub(super) const AMPCC: &[Param<AmpccParams>] = &[
    n_clusters(),
    penalty(),
    Param::new(
        "n_representatives",
        Range::From(1.0),
        |params| Slot::Field(&mut params.n_representatives),
        "centers of each cluster; auto: the root of the smallest group, rounded up",
    ),
    n_init(),
    max_iter(),
    tolerance(),
    obey(),
    memory_mb(),
    seed(),
];

pub(super) const MPCK: &[Param<MpckParams>] = &[
    n_clusters(),
    penalty(),
    Param::new(
        "metric",
        Range::Any,
        |params| Slot::Field(&mut params.metric),
        "a weight for each column, or a whole matrix",
    ),
    Param::new(
        "shared",
        Range::Any,
        |params| Slot::Field(&mut params.shared),
        "whether all clusters share one metric",
    ),
    Param::new(
        "link_cap",
        Range::From(1.0),
        |params| Slot::Field(&mut params.link_cap),
        "pairs that a group, or two groups apart, may stand for; beyond it as many are drawn",
    ),
    n_init(),
    max_iter(),
    tolerance(),
    obey(),
    memory_mb(),
    seed(),
];
