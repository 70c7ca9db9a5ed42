//! What constrained spectral clustering found, and the labels of points it has not seen.

use crate::error::Result;
use crate::links::LinkReport;
use crate::neighbors::Neighbors;
use crate::points::Points;
use crate::predictor::{Nearest, Predictor, Reach};
use crate::real::Real;
use rayon::prelude::*;

/// A fitted constrained spectral clustering.
#[derive(Debug, Clone)]
pub struct ConstrainedSpectralModel<T: Real> {
    pub(crate) labels: Vec<i64>,
    pub(crate) sizes: Vec<usize>,
    pub(crate) bandwidth: f64,
    pub(crate) beta: f64,
    pub(crate) costs: Vec<f64>,
    pub(crate) link_report: LinkReport,
    pub(crate) points: Points<'static, T>,
}

impl<T: Real> ConstrainedSpectralModel<T> {
    /// The cluster of each point, numbered from 0 by first member.
    pub fn labels(&self) -> &[i64] {
        &self.labels
    }

    /// The number of points in each cluster.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// The number of clusters.
    pub fn n_clusters(&self) -> usize {
        self.sizes.len()
    }

    /// σ of the affinities; the mean of them if each point had its own.
    pub fn bandwidth(&self) -> f64 {
        self.bandwidth
    }

    /// β, what the links ask for.
    pub fn beta(&self) -> f64 {
        self.beta
    }

    /// The costs vᵀ·L̄·v of the cuts that were taken, cheapest first; fewer than k − 1 if there
    /// were not so many feasible ones.
    pub fn costs(&self) -> &[f64] {
        &self.costs
    }

    /// The links kept and broken, as they were told.
    pub fn link_report(&self) -> &LinkReport {
        &self.link_report
    }

    /// Labels of new points: that of the nearest fitted point.
    pub fn predict(&self, points: &Points<'_, T>) -> Result<Vec<i64>> {
        points.expect_features(self.points.n_features())?;
        let near = Neighbors::new(&self.points);
        let label = |row: &[T]| self.labels[near.nearest(row, 1)[0].row];
        Ok(points.values().par_chunks_exact(points.n_features()).map(label).collect())
    }

    /// All that [`predict`](Self::predict) takes, as plain data.
    pub fn into_predictor(self) -> Predictor<T> {
        let (places, labels) = (self.points, self.labels);
        Predictor::Nearest(Nearest { places, labels, reach: Reach::Any })
    }
}
