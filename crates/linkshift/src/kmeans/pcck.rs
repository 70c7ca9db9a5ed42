//! PCCKMeans: groups of must-linked points travel as one, a broken cannot-link has a price.

use super::descent::{Descent, Problem};
use super::fit::{best_of, info};
use super::model::{BestRun, KMeansDetails, conclude};
use super::params::{self, PcckParams};
use super::penalties::Penalties;
use super::seeding::Starts;
use super::units::Units;
use crate::error::Result;
use crate::memory::Size;
use crate::method::{Algorithm, GivenLinks, Info, LinkUse, Method, Outcome};
use crate::observe::Observer;
use crate::params::Param;
use crate::points::Points;
use crate::real::Real;

/// PCCKMeans with checked parameters.
pub type Pcck = Method<PcckParams>;

impl Algorithm for PcckParams {
    const INFO: Info = info(
        "pcck",
        "PCCKMeans",
        "PCCKMeans: must-linked points travel as one, a broken cannot-link costs by their numbers",
        LinkUse::Certain,
    );
    const TABLE: &'static [Param<Self>] = params::PCCK;

    type Details<T: Real> = KMeansDetails<T>;

    fn needs(&self, size: &Size) -> u64 {
        // Groups are points of their own.
        let groups = size.points() + size.rows(40);
        self.common.holds(size) + groups + self.common.of_linked(size, 1)
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
        let units = Units::new(points, closure)?;
        // Eq. 4: two groups in one cluster cost the product of their sizes.
        let size = |group: usize| units.weight(units.closure.members(group)[0] as usize);
        let cannot_cost = |a, b, _| penalty * size(a) * size(b);
        let penalties = Penalties::new(&units.closure, |_| 0.0, cannot_cost);
        let starts = Starts::new(points, closure);
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
        conclude(points, BestRun::of_units(best, &units), params.n_clusters)
    }
}
