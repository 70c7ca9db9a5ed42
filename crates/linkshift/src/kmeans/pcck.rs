//! PCCKMeans: groups of must-linked points travel as one, a broken cannot-link has a price.

use super::descent::{Descent, Problem};
use super::model::{Found, KMeansModel};
use super::params::PcckParams;
use super::penalties::Penalties;
use super::seeding::Neighborhoods;
use super::units::Units;
use super::watch::best_of;
use crate::error::Result;
use crate::links::Links;
use crate::observe::{self, Observer};
use crate::points::Points;
use crate::real::Real;

/// PCCKMeans with checked parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Pcck {
    params: PcckParams,
}

impl Pcck {
    /// Checks the parameters; every parameter error is here but more clusters than points.
    pub fn new(params: PcckParams) -> Result<Self> {
        params.check()?;
        Ok(Self { params })
    }

    /// The parameters.
    pub fn params(&self) -> &PcckParams {
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
        let units = Units::new(points, &closure)?;
        // Eq. 4: two groups in one cluster cost the product of their sizes.
        let size = |group: usize| units.weight(units.closure.members(group)[0] as usize);
        let cannot_cost = |a, b, _| penalty * size(a) * size(b);
        let penalties = Penalties::new(&units.closure, |_| 0.0, cannot_cost);
        let starts = Neighborhoods::new(points, &closure);
        let problem = Problem {
            points: &units.points,
            distance_cost: 1.0,
            penalties: &penalties,
            n_clusters: params.n_clusters,
            per_cluster: 1,
        };
        let best = best_of(params, observer, Descent::objective, |rng, watch| {
            let centers = starts.draw(points, params.n_clusters, rng);
            problem.descend(centers, params, rng, watch)
        })?;
        KMeansModel::new(points, links, Found::of_units(best, &units))
    }
}
