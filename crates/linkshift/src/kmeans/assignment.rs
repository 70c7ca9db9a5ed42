//! Labels by the nearest center: what prediction takes, as plain data.

use super::centers::ByColumn;
use super::metric::Metric;
use crate::error::Result;
use crate::points::Points;
use crate::predictor::{same_count, whole};
use crate::real::Real;
use crate::shared::held::Held;
use crate::stop::Stoppable;
use rayon::prelude::*;

/// Centers with their labels and metrics, and the points that links hold elsewhere.
#[derive(Debug, Clone, PartialEq)]
pub struct Assignment<T: Real> {
    /// All centers.
    pub centers: Points<'static, T>,
    /// The label of each.
    pub labels: Vec<i64>,
    /// One for all centers, one for each, or none.
    pub metrics: Vec<Metric>,
    /// Fitted points that links keep from where they would go by themselves.
    pub held: Held<T>,
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
            points
                .values()
                .par_chunks_exact(d)
                .stoppable()
                .map(|row| self.nearest_by_metric(row))
                .collect()
        };
        self.held.apply(points, &mut nearest);
        Ok(nearest)
    }

    /// Holds the points whose labels are not those that they would get by themselves.
    pub(super) fn hold(&mut self, points: &Points<'_, T>, labels: &[i64]) -> Result<()> {
        let free = self.predict(points)?;
        let rows: Vec<usize> = (0..free.len()).filter(|&row| free[row] != labels[row]).collect();
        self.held = Held::of(points, labels, &rows);
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
        self.held.check(d)
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
