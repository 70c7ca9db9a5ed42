//! What k-means or one of its relatives found, and the labels of points it has not seen.

use super::assignment::Assignment;
use super::descent::Descent;
use super::metric::Metric;
use super::seeding::mean;
use super::units::Units;
use crate::error::Result;
use crate::links::{LinkReport, Links};
use crate::points::Points;
use crate::predictor::Predictor;
use crate::real::Real;
use crate::shared::held::Held;
use crate::shared::relabel::number_by_first_member;

/// A fitted k-means, or one of its relatives.
#[derive(Debug, Clone)]
pub struct KMeansModel<T: Real> {
    labels: Vec<i64>,
    centers: Points<'static, T>,
    sizes: Vec<usize>,
    objectives: Vec<f64>,
    converged: bool,
    link_report: LinkReport,
    pairs_left_out: u64,
    assignment: Assignment<T>,
}

/// What a run leaves behind.
pub(super) struct Found<T> {
    /// Row → center.
    pub(super) of: Vec<u32>,
    pub(super) centers: Vec<T>,
    pub(super) per_cluster: usize,
    pub(super) objectives: Vec<f64>,
    pub(super) converged: bool,
    /// One for all clusters, one for each, or none.
    pub(super) metrics: Vec<Metric>,
    pub(super) pairs_left_out: u64,
}

impl<T: Real> Found<T> {
    /// Of a run whose units are points.
    pub(super) fn of_points(run: Descent<T>, per_cluster: usize) -> Self {
        let Descent { of, centers, objectives, converged } = run;
        let (metrics, pairs_left_out) = (Vec::new(), 0);
        Self { of, centers, per_cluster, objectives, converged, metrics, pairs_left_out }
    }

    /// Of a run whose units are groups: points go where their group is.
    pub(super) fn of_units(run: Descent<T>, units: &Units<T>) -> Self {
        let of = units.of.iter().map(|&unit| run.of[unit as usize]).collect();
        Self::of_points(Descent { of, ..run }, 1)
    }
}

impl<T: Real> KMeansModel<T> {
    pub(super) fn new(points: &Points<'_, T>, links: &Links, found: Found<T>) -> Result<Self> {
        let (d, per_cluster) = (points.n_features(), found.per_cluster);
        let raw: Vec<i64> =
            found.of.iter().map(|&center| i64::from(center) / per_cluster as i64).collect();
        let (labels, raw_of) = number_by_first_member(&raw);
        let mut members = vec![Vec::new(); raw_of.len()];
        for (row, &label) in labels.iter().enumerate() {
            members[label as usize].push(row);
        }
        let (mut centers, mut representatives) = (Vec::new(), Vec::new());
        let (mut label_of_representative, mut metrics) = (Vec::new(), Vec::new());
        for (label, &cluster) in raw_of.iter().enumerate() {
            let own = &found.centers[cluster * per_cluster * d..][..per_cluster * d];
            representatives.extend_from_slice(own);
            label_of_representative.extend(vec![label as i64; per_cluster]);
            match per_cluster {
                1 => centers.extend_from_slice(own),
                _ => centers.extend(mean(points, &members[label])),
            }
            if found.metrics.len() > 1 {
                metrics.push(found.metrics[cluster].clone());
            }
        }
        if found.metrics.len() == 1 {
            metrics = found.metrics;
        }
        let mut model = Self {
            sizes: members.iter().map(Vec::len).collect(),
            centers: Points::new(centers, d)?,
            objectives: found.objectives,
            converged: found.converged,
            link_report: links.report(&labels),
            pairs_left_out: found.pairs_left_out,
            assignment: Assignment {
                centers: Points::new(representatives, d)?,
                labels: label_of_representative,
                metrics,
                held: Held::default(),
            },
            labels,
        };
        model.assignment.hold(points, &model.labels)?;
        Ok(model)
    }

    /// The cluster of each point, numbered from 0 by first member.
    pub fn labels(&self) -> &[i64] {
        &self.labels
    }

    /// The center of each cluster; with several representatives, the mean of its points.
    pub fn centers(&self) -> &Points<'static, T> {
        &self.centers
    }

    /// All centers that clusters have, cluster by cluster: one each, except in AMPCC.
    pub fn representatives(&self) -> &Points<'static, T> {
        &self.assignment.centers
    }

    /// The number of points in each cluster.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// The number of clusters: as many as asked for, unless there are fewer different points, or
    /// links left no point for one.
    pub fn n_clusters(&self) -> usize {
        self.sizes.len()
    }

    /// What was made small, in the end.
    pub fn objective(&self) -> f64 {
        self.objectives.last().copied().unwrap_or_default()
    }

    /// The same after each iteration of the best run; it never rises.
    pub fn objectives(&self) -> &[f64] {
        &self.objectives
    }

    /// Iterations of the best run.
    pub fn n_iter(&self) -> usize {
        self.objectives.len()
    }

    /// Whether the best run came to rest.
    pub fn converged(&self) -> bool {
        self.converged
    }

    /// Which of the links given were kept, and which were broken.
    pub fn link_report(&self) -> &LinkReport {
        &self.link_report
    }

    /// Pairs implied by links that MPCKMeans left out because their groups exceed its cap.
    pub fn pairs_left_out(&self) -> u64 {
        self.pairs_left_out
    }

    /// The learned metrics, one for all clusters or one for each; none unless MPCKMeans made it.
    pub fn metrics(&self) -> &[Metric] {
        &self.assignment.metrics
    }

    /// Labels of new points: that of the nearest center. Fitted points that links hold elsewhere
    /// keep their labels.
    pub fn predict(&self, points: &Points<'_, T>) -> Result<Vec<i64>> {
        self.assignment.predict(points)
    }

    /// All that [`predict`](Self::predict) takes, as plain data.
    pub fn into_predictor(self) -> Predictor<T> {
        Predictor::Assignment(self.assignment)
    }
}
