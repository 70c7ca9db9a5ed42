//! What k-means or one of its relatives found, and the labels of points it has not seen.

use super::centers::ByColumn;
use super::descent::Descent;
use super::metric::Metric;
use super::seeding::mean;
use super::units::Units;
use crate::error::Result;
use crate::links::{LinkReport, Links};
use crate::mean_shift::modes::number_by_first_member;
use crate::points::Points;
use crate::real::Real;
use rayon::prelude::*;
use std::collections::HashMap;

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
    representatives: Points<'static, T>,
    label_of_representative: Vec<i64>,
    /// One for all representatives, one for each, or none.
    metrics: Vec<Metric>,
    /// Fitted points that links keep from where they would go by themselves.
    held: HashMap<Vec<u64>, i64>,
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
            representatives: Points::new(representatives, d)?,
            label_of_representative,
            metrics,
            held: HashMap::new(),
            labels,
        };
        let free = model.predict(points)?;
        for row in (0..free.len()).filter(|&row| free[row] != model.labels[row]) {
            model.held.entry(bits(points.row(row))).or_insert(model.labels[row]);
        }
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
        &self.representatives
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
        &self.metrics
    }

    /// Labels of new points: that of the nearest center. Fitted points that links hold elsewhere
    /// keep their labels.
    pub fn predict(&self, points: &Points<'_, T>) -> Result<Vec<i64>> {
        points.expect_features(self.centers.n_features())?;
        let d = points.n_features();
        let mut nearest: Vec<i64> = if self.metrics.is_empty() {
            let by_column = ByColumn::new(self.representatives.values(), d);
            let nearest = by_column.nearest(points.values(), d);
            nearest.iter().map(|&(at, _)| self.label_of_representative[at as usize]).collect()
        } else {
            points.values().par_chunks_exact(d).map(|row| self.nearest_by_metric(row)).collect()
        };
        if !self.held.is_empty() {
            for (row, label) in points.rows().zip(&mut nearest) {
                *label = self.held.get(&bits(row)).copied().unwrap_or(*label);
            }
        }
        Ok(nearest)
    }

    fn nearest_by_metric(&self, row: &[T]) -> i64 {
        let mut best = (f64::INFINITY, 0);
        for (at, center) in self.representatives.rows().enumerate() {
            let metric = &self.metrics[if self.metrics.len() == 1 { 0 } else { at }];
            let cost = metric.distance_sq(row, center) - metric.log_det();
            if cost < best.0 {
                best = (cost, at);
            }
        }
        self.label_of_representative[best.1]
    }
}

/// A row as a key; −0 is 0.
fn bits<T: Real>(row: &[T]) -> Vec<u64> {
    row.iter().map(|value| (value.as_f64() + 0.0).to_bits()).collect()
}
