//! What spectral clustering found.

use super::affinity::Affinity;
use super::params::Route;
use crate::cms::Gathered;
use crate::links::LinkClosure;
use crate::model::{Detail, Fact, IntoDetails, Model};
use crate::obey::Renumbered;
use crate::params::Named;
use crate::points::Points;
use crate::real::Real;
use crate::shared::relabel::number_by_first_member;

/// The number of clusters as the data suggest it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClusterCount {
    /// The number of clusters with the largest fall behind it.
    pub n_clusters: usize,
    /// How far the tree's affinities (their logarithms) or the eigenvalues fall there.
    pub fall: f64,
    /// The next best number of clusters; the same if there is no other.
    pub runner_up: usize,
    /// How far they fall there.
    pub runner_up_fall: f64,
}

/// How sure a number of clusters is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Certainty {
    /// The fall is at least twice as large as any other.
    Clear,
    /// The fall is at least a quarter larger than any other.
    Likely,
    /// Another number is about as good.
    Doubtful,
}

impl Named for Certainty {
    const ALL: &'static [Self] = &[Certainty::Clear, Certainty::Likely, Certainty::Doubtful];

    fn name(self) -> &'static str {
        match self {
            Certainty::Clear => "clear",
            Certainty::Likely => "likely",
            Certainty::Doubtful => "doubtful",
        }
    }
}

impl ClusterCount {
    /// The largest of some falls, each with its number of clusters; of equal ones the first.
    /// `otherwise` is the answer if there is none.
    pub(crate) fn best_of(falls: Vec<(usize, f64)>, otherwise: usize) -> Self {
        let (mut best, mut next) = ((otherwise, 0.0), (otherwise, 0.0));
        for (at, &fall) in falls.iter().enumerate() {
            if at == 0 || fall.1 > best.1 {
                next = if at == 0 { fall } else { best };
                best = fall;
            } else if at == 1 || fall.1 > next.1 {
                next = fall;
            }
        }
        let next = if falls.len() < 2 { (best.0, 0.0) } else { next };
        ClusterCount { n_clusters: best.0, fall: best.1, runner_up: next.0, runner_up_fall: next.1 }
    }

    /// How sure the number is: by how far the largest fall exceeds the next.
    pub fn certainty(&self) -> Certainty {
        if self.fall >= 2.0 * self.runner_up_fall {
            Certainty::Clear
        } else if self.fall >= 1.25 * self.runner_up_fall {
            Certainty::Likely
        } else {
            Certainty::Doubtful
        }
    }
}

impl std::fmt::Display for ClusterCount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ClusterCount { n_clusters, runner_up, .. } = self;
        match self.certainty() {
            Certainty::Clear => write!(f, "{n_clusters}, clear"),
            Certainty::Likely => write!(f, "{n_clusters}, likely; the next best is {runner_up}"),
            Certainty::Doubtful => {
                write!(f, "{n_clusters}, doubtful; {runner_up} is about as good")
            }
        }
    }
}

/// A fitted spectral clustering. The center of a cluster is the mode with most points in it. A new
/// point climbs to a mode as the fitted points did and takes its cluster; without mean shift, or if
/// points were gathered, it takes that of the nearest sample. There are fewer clusters than asked
/// for if there were not so many modes or must-links joined more, more if cannot-links held more
/// apart.
pub type SpectralModel<T> = Model<T, SpectralDetails<T>>;

/// What only spectral clustering has to say.
#[derive(Debug, Clone)]
pub struct SpectralDetails<T: Real> {
    pub(super) modes: Points<'static, T>,
    pub(super) mode_of: Vec<u32>,
    pub(super) cluster_of_mode: Vec<i64>,
    pub(super) affinity: Affinity,
    pub(super) tree: Vec<f64>,
    pub(super) found: Option<ClusterCount>,
    pub(super) bandwidth: f64,
    pub(super) route: Route,
    pub(super) gathered: Option<Gathered>,
    pub(super) n_implied_broken: u64,
}

impl<T: Real> SpectralModel<T> {
    /// The modes, the rows of the matrix of affinities (without mean shift: the points themselves).
    pub fn modes(&self) -> &Points<'static, T> {
        &self.details.modes
    }

    /// The mode of each point.
    pub fn mode_of(&self) -> &[u32] {
        &self.details.mode_of
    }

    /// The cluster of each mode.
    pub fn cluster_of_mode(&self) -> &[i64] {
        &self.details.cluster_of_mode
    }

    /// K̃ (Eq. 8), row by row, for the modes in this order.
    pub fn affinity(&self, order: &[usize]) -> Vec<f64> {
        let dense = self.details.affinity.dense();
        order.iter().flat_map(|&a| order.iter().map(move |&b| (a, b))).map(|ab| dense[ab]).collect()
    }

    /// The affinities of the maximum spanning tree's edges, strongest first, as far as links left
    /// them open; the first n − k of them were joined. Empty on the other routes.
    pub fn tree(&self) -> &[f64] {
        &self.details.tree
    }

    /// How the number of clusters was found, and how sure it is; `None` if it was told.
    pub fn found(&self) -> Option<ClusterCount> {
        self.details.found
    }

    /// σ; the mean of them if each point had its own.
    pub fn bandwidth(&self) -> f64 {
        self.details.bandwidth
    }

    /// That points were gathered into representatives first, and how far that moved them.
    pub fn gathered(&self) -> Option<Gathered> {
        self.details.gathered
    }

    /// Pairs of points that links imply to be apart and that share a cluster.
    pub fn n_implied_broken(&self) -> u64 {
        self.details.n_implied_broken
    }
}

impl<T: Real> IntoDetails<T> for SpectralDetails<T> {
    fn into_details(self) -> Vec<Detail<T>> {
        vec![
            Detail::new("bandwidth", self.bandwidth),
            Detail::new("route", self.route.name()),
            Detail::new("n_modes", self.modes.n_points()),
            Detail::new("n_clusters_found", self.found.map(|found| found.n_clusters)),
            Detail::new("certainty", self.found.map(|found| found.certainty().name())),
            Detail::new("next_best", self.found.map(|found| found.runner_up)),
            Detail::new("n_representatives", self.gathered.map(|it| it.n_representatives)),
            Detail::new("rms_distance", self.gathered.map(|it| it.rms_distance)),
            Detail::new("n_implied_broken", self.n_implied_broken),
            Detail::new("modes", self.modes),
            Detail::new("cluster_of_mode", Fact::Labels(self.cluster_of_mode)),
            Detail::new("tree", self.tree),
        ]
    }

    fn renumber(&mut self, numbers: &Renumbered, labels: &[i64], closure: &LinkClosure) {
        let cluster_of_mode = self.cluster_of_mode.iter_mut();
        cluster_of_mode.for_each(|cluster| *cluster = numbers.number(*cluster));
        self.n_implied_broken = closure.n_broken(labels);
    }
}

/// Clusters of nodes as clusters of points.
pub(super) struct Numbered {
    pub(super) labels: Vec<i64>,
    pub(super) cluster_of_node: Vec<i64>,
    pub(super) n_clusters: usize,
}

impl Numbered {
    /// `mode_of`: point → node; `cluster_of_node`: for each node a number that is the same within
    /// its cluster.
    pub(super) fn new(mode_of: &[u32], cluster_of_node: &[usize]) -> Self {
        let raw: Vec<i64> =
            mode_of.iter().map(|&node| cluster_of_node[node as usize] as i64).collect();
        let (labels, raw_of) = number_by_first_member(&raw);
        let n_raw = cluster_of_node.iter().max().map_or(0, |largest| largest + 1);
        let mut new_of = vec![-1; n_raw];
        raw_of.iter().enumerate().for_each(|(new, &raw)| new_of[raw] = new as i64);
        let cluster_of_node = cluster_of_node.iter().map(|&raw| new_of[raw]).collect();
        Self { labels, cluster_of_node, n_clusters: raw_of.len() }
    }
}

/// For each cluster the mode with most points in it; of several with as many the first.
pub(super) fn largest_modes<T: Real>(
    modes: &Points<'_, T>,
    mode_of: &[u32],
    cluster_of_mode: &[i64],
    n_clusters: usize,
) -> Points<'static, T> {
    let mut counts = vec![0_usize; modes.n_points()];
    mode_of.iter().for_each(|&mode| counts[mode as usize] += 1);
    let mut largest = vec![None; n_clusters];
    for (mode, &cluster) in cluster_of_mode.iter().enumerate() {
        let Ok(cluster) = usize::try_from(cluster) else { continue };
        let best = largest[cluster].get_or_insert(mode);
        if counts[mode] > counts[*best] {
            *best = mode;
        }
    }
    modes.select(&largest.into_iter().flatten().collect::<Vec<usize>>())
}
