//! Plain k-means: the base of the others, without links.

use super::descent::{Descent, Problem};
use super::model::{Found, KMeansModel};
use super::params::KMeansParams;
use super::penalties::Penalties;
use super::seeding::fill_up;
use super::watch::best_of;
use crate::error::Result;
use crate::links::{LinkClosure, Links};
use crate::observe::{self, Observer};
use crate::points::Points;
use crate::real::Real;

/// k-means with checked parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct KMeans {
    params: KMeansParams,
}

impl KMeans {
    /// Checks the parameters; every parameter error is here but more clusters than points.
    pub fn new(params: KMeansParams) -> Result<Self> {
        params.check()?;
        Ok(Self { params })
    }

    /// The parameters.
    pub fn params(&self) -> &KMeansParams {
        &self.params
    }

    /// Finds the clusters.
    pub fn fit<T: Real>(&self, points: &Points<'_, T>) -> Result<KMeansModel<T>> {
        self.fit_observed(points, &mut observe::ignore)
    }

    /// Like [`fit`](Self::fit), showing each iteration to an observer that may cancel.
    pub fn fit_observed<T: Real>(
        &self,
        points: &Points<'_, T>,
        observer: &mut Observer<'_>,
    ) -> Result<KMeansModel<T>> {
        let params = &self.params;
        params.check_points(points.n_points())?;
        let no_links = LinkClosure::none(points.n_points());
        let penalties = Penalties::new(&no_links, |_| 0.0, |_, _, _| 0.0);
        let problem = Problem {
            points,
            distance_cost: 1.0,
            penalties: &penalties,
            n_clusters: params.n_clusters,
            per_cluster: 1,
        };
        let best = best_of(params, observer, Descent::objective, |rng, watch| {
            let mut centers = Vec::new();
            fill_up(&mut centers, params.n_clusters, points, rng);
            problem.descend(centers, params, rng, watch)
        })?;
        KMeansModel::new(points, &Links::new(), Found::of_points(best, 1))
    }
}
