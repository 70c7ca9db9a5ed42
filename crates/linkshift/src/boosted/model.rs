//! What boosted mean shift found, and the labels of points it has not seen.

use super::fit::Run;
use super::grid::Grid;
use super::ground::Ground;
use super::hold::hold_linked;
use super::steps::assign;
use crate::error::Result;
use crate::links::{LinkClosure, LinkReport};
use crate::points::Points;
use crate::predictor::Predictor;
use crate::real::Real;
use crate::shared::held::Held;
use crate::shared::relabel::number_by_first_member;

/// A fitted boosted mean shift.
#[derive(Debug, Clone)]
pub struct BoostedModel<T: Real> {
    labels: Vec<i64>,
    modes: Points<'static, T>,
    sizes: Vec<usize>,
    skeleton: Points<'static, T>,
    skeleton_labels: Vec<i64>,
    ground: Ground<T>,
    held: Held<T>,
    grid: Grid,
    n_iter: usize,
    converged: bool,
    bandwidth: f64,
    eps: f64,
    n_modes_found: usize,
    n_drawn: usize,
    pub(super) link_report: LinkReport,
}

impl<T: Real> BoostedModel<T> {
    /// Lines 21 and 22: labels from modes.
    pub(super) fn new(run: Run<T>, points: &Points<'_, T>, closure: &LinkClosure) -> Result<Self> {
        let found = Points::new(run.modes, points.n_features())?;
        let is_clustered = |&mode: &usize| run.cluster_of_mode[mode] >= 0;
        let clustered: Vec<usize> = (0..found.n_points()).filter(is_clustered).collect();
        let clusters: Vec<i64> = clustered.iter().map(|&mode| run.cluster_of_mode[mode]).collect();
        let kept = found.select(&clustered);
        let mut raw = assign(points, &run.ground, &kept, &clusters);
        let held_rows = match &run.climbed {
            Some(places) => hold_linked(&mut raw, places, &kept, &clusters, closure),
            None => Vec::new(),
        };
        let (labels, raw_of) = number_by_first_member(&raw);
        let mut sizes = vec![0; raw_of.len()];
        labels.iter().for_each(|&label| sizes[label as usize] += 1);

        // Modes of a cluster that no point is nearest to say nothing.
        let label_of =
            |mode: usize| raw_of.iter().position(|&raw| raw as i64 == run.cluster_of_mode[mode]);
        let mut skeleton = Vec::new();
        let mut skeleton_labels = Vec::new();
        let mut best: Vec<usize> = vec![usize::MAX; raw_of.len()];
        for mode in clustered {
            let Some(label) = label_of(mode) else { continue };
            skeleton.push(mode);
            skeleton_labels.push(label as i64);
            if best[label] == usize::MAX || run.support[mode] > run.support[best[label]] {
                best[label] = mode;
            }
        }
        Ok(Self {
            modes: found.select(&best),
            sizes,
            skeleton: found.select(&skeleton),
            skeleton_labels,
            ground: run.ground,
            held: Held::of(points, &labels, &held_rows),
            labels,
            grid: run.grid,
            n_iter: run.n_epochs,
            converged: run.converged,
            bandwidth: run.bandwidth,
            eps: run.eps,
            n_modes_found: found.n_points(),
            n_drawn: run.n_drawn,
            link_report: LinkReport::default(),
        })
    }

    /// The cluster of each point, numbered from 0 by first member.
    pub fn labels(&self) -> &[i64] {
        &self.labels
    }

    /// The mode of each cluster: of its modes the one that most points of a cell climbed to.
    pub fn modes(&self) -> &Points<'static, T> {
        &self.modes
    }

    /// All modes that make up the clusters, in the order they were found: what labels are read
    /// from.
    pub fn skeleton(&self) -> &Points<'static, T> {
        &self.skeleton
    }

    /// The cluster of each mode of the skeleton.
    pub fn skeleton_labels(&self) -> &[i64] {
        &self.skeleton_labels
    }

    /// The number of points in each cluster.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// The number of clusters.
    pub fn n_clusters(&self) -> usize {
        self.sizes.len()
    }

    /// Epochs done.
    pub fn n_iter(&self) -> usize {
        self.n_iter
    }

    /// Whether the number of clusters was stable before the epochs ran out.
    pub fn converged(&self) -> bool {
        self.converged
    }

    /// The torus of cells.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The bandwidth of the first epoch.
    pub fn bandwidth(&self) -> f64 {
        self.bandwidth
    }

    /// How near two modes had to be to belong together.
    pub fn eps(&self) -> f64 {
        self.eps
    }

    /// Modes found in all epochs, noise counted.
    pub fn n_modes_found(&self) -> usize {
        self.n_modes_found
    }

    /// How many points the cells held at first; the others were only assigned.
    pub fn n_drawn(&self) -> usize {
        self.n_drawn
    }

    /// Which links the labels keep and break.
    pub fn link_report(&self) -> &LinkReport {
        &self.link_report
    }

    /// Labels of new points: each climbs a few steps and takes that of the nearest mode, as the
    /// fitted points did; fitted points that links held elsewhere are known again.
    pub fn predict(&self, points: &Points<'_, T>) -> Result<Vec<i64>> {
        points.expect_features(self.skeleton.n_features())?;
        let mut labels = assign(points, &self.ground, &self.skeleton, &self.skeleton_labels);
        self.held.apply(points, &mut labels);
        Ok(labels)
    }

    /// All that [`predict`](Self::predict) takes, as plain data.
    pub fn into_predictor(self) -> Predictor<T> {
        Predictor::Basin(self.ground.into_basin(self.skeleton, self.skeleton_labels, self.held))
    }
}
