//! PCKMeans: k-means in which a broken link has a price.

use super::descent::{Descent, Problem};
use super::model::{Found, KMeansModel};
use super::params::PckParams;
use super::penalties::{Penalties, must_confidence};
use super::seeding::Neighborhoods;
use super::watch::best_of;
use crate::error::Result;
use crate::links::Links;
use crate::observe::{self, Observer};
use crate::points::Points;
use crate::real::Real;

/// PCKMeans with checked parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Pck {
    params: PckParams,
}

impl Pck {
    /// Checks the parameters; every parameter error is here but more clusters than points.
    pub fn new(params: PckParams) -> Result<Self> {
        params.check()?;
        Ok(Self { params })
    }

    /// The parameters.
    pub fn params(&self) -> &PckParams {
        &self.params
    }

    /// Finds the clusters; every error of points and links is here.
    pub fn fit<T: Real>(&self, points: &Points<'_, T>, links: &Links) -> Result<KMeansModel<T>> {
        self.fit_observed(points, links, &mut observe::ignore)
    }

    /// Like [`fit`](Self::fit), showing each iteration to an observer that may cancel.
    pub fn fit_observed<T: Real>(
        &self,
        points: &Points<'_, T>,
        links: &Links,
        observer: &mut Observer<'_>,
    ) -> Result<KMeansModel<T>> {
        let (params, penalty) = (&self.params.common, self.params.penalty);
        params.check_points(points.n_points())?;
        let closure = links.close(points.n_points())?;
        // Eq. 1: w_ij is the penalty by the confidence of what was told.
        let sure = must_confidence(links, &closure);
        let must_cost = |group: usize| penalty * sure[group];
        let penalties = Penalties::new(&closure, must_cost, |_, _, sure| penalty * sure);
        let starts = Neighborhoods::new(points, &closure);
        let problem = Problem {
            points,
            distance_cost: 0.5,
            penalties: &penalties,
            n_clusters: params.n_clusters,
            per_cluster: 1,
        };
        let best = best_of(params, observer, Descent::objective, |rng, watch| {
            let centers = starts.draw(points, params.n_clusters, rng);
            problem.descend(centers, params, rng, watch)
        })?;
        KMeansModel::new(points, links, Found::of_points(best, 1))
    }
}
