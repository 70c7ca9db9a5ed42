//! Plain k-means: the base of the others, without links.

use super::descent::{Descent, Problem};
use super::fit::{best_of, info};
use super::model::{BestRun, KMeansDetails, conclude};
use super::params::{self, KMeansParams};
use super::penalties::Penalties;
use super::seeding::fill_up;
use crate::error::Result;
use crate::links::LinkClosure;
use crate::memory::Size;
use crate::method::{Algorithm, GivenLinks, Info, LinkUse, Method, Outcome};
use crate::observe::Observer;
use crate::params::Param;
use crate::points::Points;
use crate::real::Real;

/// k-means with checked parameters.
pub type KMeans = Method<KMeansParams>;

impl Algorithm for KMeansParams {
    const INFO: Info = info(
        "kmeans",
        "KMeans",
        "k centers, each at the mean of the points nearest to it",
        LinkUse::Unused,
    );
    const TABLE: &'static [Param<Self>] = params::KMEANS;

    type Details<T: Real> = KMeansDetails<T>;

    fn needs(&self, size: &Size) -> u64 {
        self.holds(size)
    }

    fn run<T: Real>(
        &self,
        points: &Points<'_, T>,
        _: &GivenLinks<'_>,
        observer: &mut Observer<'_>,
    ) -> Result<Outcome<T, KMeansDetails<T>>> {
        let params = self;
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
        conclude(points, BestRun::of_points(best, 1), params.n_clusters)
    }
}
