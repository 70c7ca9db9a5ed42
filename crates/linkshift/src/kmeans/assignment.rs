//! Labels by the nearest center: what prediction takes, as plain data.

use super::centers::ByColumn;
use super::metric::Metric;
use crate::error::Result;
use crate::points::Points;
use crate::predictor::{same_count, whole};
use crate::real::Real;
use rayon::prelude::*;
use std::collections::HashMap;

/// Centers with their labels and metrics, and the points that links hold elsewhere.
#[derive(Debug, Clone, PartialEq)]
pub struct Assignment<T: Real> {
    /// All centers.
    pub centers: Points<'static, T>,
    /// The label of each.
    pub labels: Vec<i64>,
    /// One for all centers, one for each, or none.
    pub metrics: Vec<Metric>,
    /// Fitted points that links keep from where they would go by themselves, row by row.
    pub held: Vec<T>,
    /// The label of each of these.
    pub held_labels: Vec<i64>,
}

impl<T: Real> Assignment<T> {
    /// The label of the nearest center, or of where links hold the point.
    pub fn predict(&self, points: &Points<'_, T>) -> Result<Vec<i64>> {
        points.expect_features(self.centers.n_features())?;
        let d = points.n_features();
        let mut nearest: Vec<i64> = if self.metrics.is_empty() {
            let by_column = ByColumn::new(self.centers.values(), d);
            let nearest = by_column.nearest(points.values(), d);
            nearest.iter().map(|&(at, _)| self.labels[at as usize]).collect()
        } else {
            points.values().par_chunks_exact(d).map(|row| self.nearest_by_metric(row)).collect()
        };
        if !self.held.is_empty() {
            let held = self.held.chunks_exact(d).zip(&self.held_labels);
            // Of equal points the first counts.
            let held: HashMap<Vec<u64>, i64> =
                held.rev().map(|(row, &label)| (bits(row), label)).collect();
            for (row, label) in points.rows().zip(&mut nearest) {
                *label = held.get(&bits(row)).copied().unwrap_or(*label);
            }
        }
        Ok(nearest)
    }

    /// Holds the points whose labels are not those that they would get by themselves.
    pub(super) fn hold(&mut self, points: &Points<'_, T>, labels: &[i64]) -> Result<()> {
        let free = self.predict(points)?;
        for row in (0..free.len()).filter(|&row| free[row] != labels[row]) {
            self.held.extend_from_slice(points.row(row));
            self.held_labels.push(labels[row]);
        }
        Ok(())
    }

    /// Fails if the parts do not fit each other.
    pub(crate) fn check(&self) -> Result<()> {
        let (n, d) = (self.centers.n_points(), self.centers.n_features());
        same_count("labels", self.labels.len(), n)?;
        let n_metrics = self.metrics.len();
        let fits = [0, 1, n].contains(&n_metrics);
        whole(fits, "metrics", || format!("there are {n_metrics} for {n} centers"))?;
        for metric in &self.metrics {
            same_count("columns of a metric", metric.n_features(), d)?;
        }
        same_count("numbers of held points", self.held.len(), self.held_labels.len() * d)
    }

    fn nearest_by_metric(&self, row: &[T]) -> i64 {
        let mut best = (f64::INFINITY, 0);
        for (at, center) in self.centers.rows().enumerate() {
            let metric = &self.metrics[if self.metrics.len() == 1 { 0 } else { at }];
            let cost = metric.distance_sq(row, center) - metric.log_det();
            if cost < best.0 {
                best = (cost, at);
            }
        }
        self.labels[best.1]
    }
}

/// A row as a key; −0 is 0.
fn bits<T: Real>(row: &[T]) -> Vec<u64> {
    row.iter().map(|value| (value.as_f64() + 0.0).to_bits()).collect()
}
