//! PCKMeans: k-means in which a broken link has a price.

use super::descent::{Descent, Problem};
use super::fit::{best_of, info};
use super::model::{BestRun, KMeansDetails, conclude};
use super::params::{self, PckParams};
use super::penalties::{Penalties, must_confidence};
use super::seeding::Starts;
use crate::error::Result;
use crate::memory::Size;
use crate::method::{Algorithm, GivenLinks, Info, LinkUse, Method, Outcome};
use crate::observe::Observer;
use crate::params::Param;
use crate::points::Points;
use crate::real::Real;

/// PCKMeans with checked parameters.
pub type Pck = Method<PckParams>;

impl Algorithm for PckParams {
    const INFO: Info = info(
        "pck",
        "PCKMeans",
        "PCKMeans: a broken link costs the same whatever its length",
        LinkUse::Weighed,
    );
    const TABLE: &'static [Param<Self>] = params::PCK;

    type Details<T: Real> = KMeansDetails<T>;

    fn needs(&self, size: &Size) -> u64 {
        self.common.holds(size) + self.common.of_linked(size, 1)
    }

    fn run<T: Real>(
        &self,
        points: &Points<'_, T>,
        links: &GivenLinks<'_>,
        observer: &mut Observer<'_>,
    ) -> Result<Outcome<T, KMeansDetails<T>>> {
        let (params, penalty) = (&self.common, self.penalty);
        params.check_points(points.n_points())?;
        let closure = &links.closure;
        // Eq. 1: w_ij is the penalty by the confidence of what was told.
        let sure = must_confidence(links.all, closure);
        let must_cost = |group: usize| penalty * sure[group];
        let penalties = Penalties::new(closure, must_cost, |_, _, sure| penalty * sure);
        let starts = Starts::new(points, closure);
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
        conclude(points, BestRun::of_points(best, 1), params.n_clusters)
    }
}
