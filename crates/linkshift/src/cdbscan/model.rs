//! What C-DBSCAN found, and the labels of points it has not seen.

use crate::error::Result;
use crate::links::LinkReport;
use crate::neighbors::Neighbors;
use crate::points::Points;
use crate::predictor::{Nearest, Predictor, Reach};
use crate::real::Real;
use rayon::prelude::*;

/// A fitted C-DBSCAN.
#[derive(Debug, Clone)]
pub struct CdbscanModel<T: Real> {
    pub(crate) labels: Vec<i64>,
    pub(crate) sizes: Vec<usize>,
    pub(crate) link_report: LinkReport,
    pub(crate) eps: T,
    /// The core points and their rows; `None` if there are none.
    pub(crate) cores: Option<(Points<'static, T>, Vec<usize>)>,
    pub(crate) n_features: usize,
}

impl<T: Real> CdbscanModel<T> {
    /// The cluster of each point, numbered from 0 by first member; −1 is noise.
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

    /// The rows of the core points, ascending.
    pub fn core_rows(&self) -> &[usize] {
        self.cores.as_ref().map_or(&[], |(_, rows)| rows)
    }

    /// The links kept and broken. None is broken, unless one of them joins noise.
    pub fn link_report(&self) -> &LinkReport {
        &self.link_report
    }

    /// Labels of new points: that of the nearest core point, or −1 if none is within reach. (Fitted
    /// points whose place in a cluster is owed to a link may so get another label.)
    pub fn predict(&self, points: &Points<'_, T>) -> Result<Vec<i64>> {
        points.expect_features(self.n_features)?;
        let Some((cores, rows)) = &self.cores else { return Ok(vec![-1; points.n_points()]) };
        let near = Neighbors::new(cores);
        let label = |row: &[T]| {
            let found = near.nearest(row, 1)[0];
            let within = found.distance_sq < self.eps * self.eps;
            if within { self.labels[rows[found.row]] } else { -1 }
        };
        Ok(points.values().par_chunks_exact(points.n_features()).map(label).collect())
    }

    /// All that [`predict`](Self::predict) takes, as plain data.
    pub fn into_predictor(self) -> Predictor<T> {
        let (places, labels) = match self.cores {
            Some((cores, rows)) => (cores, rows.into_iter().map(|row| self.labels[row]).collect()),
            // Without core points all is noise, wherever it lies.
            None => {
                let anywhere = vec![T::zero(); self.n_features];
                (Points::checked_before(anywhere, self.n_features, None), vec![-1])
            }
        };
        Predictor::Nearest(Nearest { places, labels, reach: Reach::Below(self.eps) })
    }
}
