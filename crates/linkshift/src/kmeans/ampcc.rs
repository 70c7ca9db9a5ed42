//! AMPCC: several centers for each cluster, found in the points that links name for it.

use super::descent::{Descent, Problem};
use super::fit::{best_of, info};
use super::lloyd::KMeans;
use super::model::{BestRun, KMeansDetails, conclude};
use super::params::{self, AmpccParams, KMeansParams};
use super::penalties::Penalties;
use super::seeding::{fill_up, mean};
use crate::error::Result;
use crate::links::{LinkClosure, LinkKind, Links};
use crate::memory::Size;
use crate::method::{Algorithm, GivenLinks, Info, LinkUse, Method, Outcome};
use crate::observe::Observer;
use crate::params::Param;
use crate::points::Points;
use crate::real::Real;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Times that k-means starts anew within a group: groups are small and the starts cheap.
const STARTS_IN_GROUP: usize = 3;

/// AMPCC with checked parameters.
pub type Ampcc = Method<AmpccParams>;

impl Algorithm for AmpccParams {
    const INFO: Info = info(
        "ampcc",
        "AMPCC",
        "AMPCC: several centers for each cluster, found in the points that links name for it",
        LinkUse::Certain,
    );
    const TABLE: &'static [Param<Self>] = params::AMPCC;

    type Details<T: Real> = KMeansDetails<T>;

    fn needs(&self, size: &Size) -> u64 {
        let per_cluster = self.n_representatives.unwrap_or(2) as u64;
        self.common.holds(size) + self.common.of_linked(size, per_cluster)
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
        // Eq. 7: pairs within a group cost its size, pairs of two groups the product of theirs.
        let size = |group: usize| closure.members(group).len() as f64;
        let must_cost = |group| penalty * size(group);
        let penalties = Penalties::new(closure, must_cost, |a, b, _| penalty * size(a) * size(b));
        let groups = groups_apart(closure, params.n_clusters);
        let smallest = match groups.len() == params.n_clusters {
            true => groups.iter().map(Vec::len).min().unwrap_or(1),
            false => 1, // a cluster that no link names begins at a single point
        };
        let per_cluster = self.n_representatives.unwrap_or(n_representatives(smallest));
        let problem = Problem {
            points,
            distance_cost: 1.0,
            penalties: &penalties,
            n_clusters: params.n_clusters,
            per_cluster,
        };
        let best = best_of(params, observer, Descent::objective, |rng, watch| {
            let centers = starts(points, &groups, params.n_clusters, per_cluster, rng)?;
            problem.descend(centers, params, rng, watch)
        })?;
        conclude(points, BestRun::of_points(best, per_cluster), params.n_clusters)
    }
}

/// Eq. 5: k_s, the centers of each cluster, from the size of the smallest group.
pub(super) fn n_representatives(smallest: usize) -> usize {
    (smallest as f64).sqrt().ceil() as usize
}

/// Up to `most` groups of which each is held apart from all others: the closures that stand for
/// the clusters. The largest come first; what does not fit to those before is passed over.
fn groups_apart(closure: &LinkClosure, most: usize) -> Vec<Vec<usize>> {
    let mut by_size: Vec<usize> = (0..closure.n_groups()).collect();
    by_size.sort_by_key(|&group| std::cmp::Reverse(closure.members(group).len()));
    let mut chosen: Vec<usize> = Vec::new();
    for group in by_size {
        let row = |group: usize| closure.members(group)[0] as usize;
        let apart =
            |&other: &usize| closure.relation(row(group), row(other)) == Some(LinkKind::Cannot);
        if chosen.len() < most && chosen.iter().all(apart) {
            chosen.push(group);
        }
    }
    let rows = |group: usize| closure.members(group).iter().map(|&row| row as usize).collect();
    chosen.into_iter().map(rows).collect()
}

/// Starting centers, cluster by cluster: by k-means within the group of each cluster (steps 2 and 3
/// of the paper's algorithm); clusters without a group begin at points far from the others.
fn starts<T: Real>(
    points: &Points<'_, T>,
    groups: &[Vec<usize>],
    n_clusters: usize,
    per_cluster: usize,
    rng: &mut ChaCha8Rng,
) -> Result<Vec<T>> {
    let d = points.n_features();
    let mut means: Vec<T> = groups.iter().flat_map(|rows| mean(points, rows)).collect();
    fill_up(&mut means, n_clusters, points, rng);
    let mut centers = Vec::with_capacity(n_clusters * per_cluster * d);
    for (cluster, mean) in means.chunks_exact(d).enumerate() {
        let own = match groups.get(cluster) {
            Some(rows) => points.select(rows),
            None => Points::checked_before(mean, d, None),
        };
        let n_own = per_cluster.min(own.n_points());
        let mut found = if n_own == 1 {
            mean.to_vec()
        } else {
            let params = KMeansParams {
                n_init: STARTS_IN_GROUP,
                seed: rng.random(),
                ..KMeansParams::of(n_own)
            };
            let unweighted = Points::checked_before(own.values(), d, None);
            KMeans::new(params)?
                .fit(&unweighted, &Links::new())?
                .representatives()
                .values()
                .to_vec()
        };
        // Fewer different points than centers: the last stands for the missing ones.
        while found.len() < per_cluster * d {
            found.extend_from_within(found.len() - d..);
        }
        centers.extend(found);
    }
    Ok(centers)
}
