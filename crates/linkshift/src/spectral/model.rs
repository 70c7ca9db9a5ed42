//! What spectral clustering found, and the labels of points it has not seen.

use super::affinity::Affinity;
use crate::cms::Gathered;
use crate::error::Result;
use crate::links::LinkReport;
use crate::mean_shift::MeanShiftModel;
use crate::neighbors::Neighbors;
use crate::points::Points;
use crate::predictor::{Nearest, Predictor, Reach};
use crate::real::Real;
use crate::shared::relabel::number_by_first_member;
use rayon::prelude::*;

/// The number of clusters as the data suggest it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found {
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
pub enum Certainty {
    /// The fall is at least twice as large as any other.
    Clear,
    /// The fall is at least a quarter larger than any other.
    Likely,
    /// Another number is about as good.
    Doubtful,
}

impl Found {
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
        Found { n_clusters: best.0, fall: best.1, runner_up: next.0, runner_up_fall: next.1 }
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

impl std::fmt::Display for Found {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Found { n_clusters, runner_up, .. } = self;
        match self.certainty() {
            Certainty::Clear => write!(f, "{n_clusters}, clear"),
            Certainty::Likely => write!(f, "{n_clusters}, likely; the next best is {runner_up}"),
            Certainty::Doubtful => {
                write!(f, "{n_clusters}, doubtful; {runner_up} is about as good")
            }
        }
    }
}

/// The way from a place to its node.
#[derive(Debug, Clone)]
pub(crate) enum Way<T: Real> {
    /// It climbs to a mode.
    Climb(Box<MeanShiftModel<T>>),
    /// The node of the nearest sample.
    Nearest(Points<'static, T>, Vec<u32>),
}

/// A fitted spectral clustering.
#[derive(Debug, Clone)]
pub struct SpectralModel<T: Real> {
    pub(crate) labels: Vec<i64>,
    pub(crate) sizes: Vec<usize>,
    pub(crate) modes: Points<'static, T>,
    pub(crate) mode_of: Vec<u32>,
    pub(crate) cluster_of_mode: Vec<i64>,
    pub(crate) affinity: Affinity,
    pub(crate) tree: Vec<f64>,
    pub(crate) found: Option<Found>,
    pub(crate) bandwidth: f64,
    pub(crate) n_iter: usize,
    pub(crate) converged: bool,
    pub(crate) gathered: Option<Gathered>,
    pub(crate) link_report: LinkReport,
    pub(crate) n_implied_broken: u64,
    pub(crate) way: Way<T>,
}

impl<T: Real> SpectralModel<T> {
    /// The cluster of each point, numbered from 0 by first member.
    pub fn labels(&self) -> &[i64] {
        &self.labels
    }

    /// The number of points in each cluster.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// The number of clusters. Fewer than asked for if there were not so many modes or must-links
    /// joined more, more if cannot-links held more apart.
    pub fn n_clusters(&self) -> usize {
        self.sizes.len()
    }

    /// The modes, the rows of the matrix of affinities (without mean shift: the points themselves).
    pub fn modes(&self) -> &Points<'static, T> {
        &self.modes
    }

    /// For each cluster the mode with most points in it.
    pub fn centers(&self) -> Points<'static, T> {
        let mut counts = vec![0_usize; self.modes.n_points()];
        self.mode_of.iter().for_each(|&mode| counts[mode as usize] += 1);
        let in_cluster = |cluster: usize| {
            (0..counts.len()).filter(move |&mode| self.cluster_of_mode[mode] == cluster as i64)
        };
        // Of several with as many points the first.
        let largest = |cluster| in_cluster(cluster).rev().max_by_key(|&mode| counts[mode]);
        let centers: Vec<usize> = (0..self.sizes.len()).filter_map(largest).collect();
        self.modes.select(&centers)
    }

    /// The mode of each point.
    pub fn mode_of(&self) -> &[u32] {
        &self.mode_of
    }

    /// The cluster of each mode.
    pub fn cluster_of_mode(&self) -> &[i64] {
        &self.cluster_of_mode
    }

    /// K̃ (Eq. 8), row by row, for the modes in this order.
    pub fn affinity(&self, order: &[usize]) -> Vec<f64> {
        let dense = self.affinity.dense();
        order.iter().flat_map(|&a| order.iter().map(move |&b| (a, b))).map(|ab| dense[ab]).collect()
    }

    /// The affinities of the maximum spanning tree's edges, strongest first, as far as links left
    /// them open; the first n − k of them were joined. Empty on the other routes.
    pub fn tree(&self) -> &[f64] {
        &self.tree
    }

    /// How the number of clusters was found, and how sure it is; `None` if it was told.
    pub fn found(&self) -> Option<Found> {
        self.found
    }

    /// σ; the mean of them if each point had its own.
    pub fn bandwidth(&self) -> f64 {
        self.bandwidth
    }

    /// Iterations of mean shift.
    pub fn n_iter(&self) -> usize {
        self.n_iter
    }

    /// Whether every point arrived at its mode before the iterations ran out.
    pub fn converged(&self) -> bool {
        self.converged
    }

    /// That points were gathered into representatives first, and how far that moved them.
    pub fn gathered(&self) -> Option<Gathered> {
        self.gathered
    }

    /// The links kept and broken, as they were told.
    pub fn link_report(&self) -> &LinkReport {
        &self.link_report
    }

    /// Pairs of points that links imply to be apart and that share a cluster.
    pub fn n_implied_broken(&self) -> u64 {
        self.n_implied_broken
    }

    /// Labels of new points: each climbs to a mode as the fitted points did and takes its cluster.
    /// Without mean shift, or if points were gathered, it takes that of the nearest sample.
    pub fn predict(&self, points: &Points<'_, T>) -> Result<Vec<i64>> {
        points.expect_features(self.modes.n_features())?;
        let nodes: Vec<usize> = match &self.way {
            Way::Climb(model) => {
                model.predict(points)?.into_iter().map(|mode| mode as usize).collect()
            }
            Way::Nearest(samples, node_of) => {
                let near = Neighbors::new(samples);
                let node = |row: &[T]| node_of[near.nearest(row, 1)[0].row] as usize;
                points.values().par_chunks_exact(points.n_features()).map(node).collect()
            }
        };
        Ok(nodes.into_iter().map(|node| self.cluster_of_mode[node]).collect())
    }

    /// All that [`predict`](Self::predict) takes, as plain data.
    pub fn into_predictor(self) -> Predictor<T> {
        let cluster = |node: usize| self.cluster_of_mode[node];
        match self.way {
            Way::Climb(model) => {
                let mut predictor = model.into_predictor();
                predictor.relabel(|mode| usize::try_from(mode).map_or(-1, cluster));
                predictor
            }
            Way::Nearest(places, node_of) => {
                let labels = node_of.iter().map(|&node| cluster(node as usize)).collect();
                Predictor::Nearest(Nearest { places, labels, reach: Reach::Any })
            }
        }
    }

    /// Takes the final clusters: for each node a number that is the same within its cluster.
    pub(crate) fn number(&mut self, cluster_of_node: &[usize]) {
        let raw: Vec<i64> =
            self.mode_of.iter().map(|&node| cluster_of_node[node as usize] as i64).collect();
        let (labels, raw_of) = number_by_first_member(&raw);
        let n_raw = cluster_of_node.iter().max().map_or(0, |largest| largest + 1);
        let mut new_of = vec![-1; n_raw];
        raw_of.iter().enumerate().for_each(|(new, &raw)| new_of[raw] = new as i64);
        self.cluster_of_mode = cluster_of_node.iter().map(|&raw| new_of[raw]).collect();
        self.sizes = vec![0; raw_of.len()];
        labels.iter().for_each(|&label| self.sizes[label as usize] += 1);
        self.labels = labels;
    }
}
