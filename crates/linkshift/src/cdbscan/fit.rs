//! The method from points and links to model.

use super::model::CdbscanDetails;
use super::params::{self, CdbscanParams};
use crate::error::Result;
use crate::links::{LinkClosure, LinkKind};
use crate::memory::{self, Size};
use crate::method::{Algorithm, Clusters, Counts, GivenLinks, Info, LinkUse, Method, Outcome};
use crate::neighbors::{Neighbor, Neighbors};
use crate::observe::{Observer, Stages};
use crate::params::Param;
use crate::points::Points;
use crate::predictor::{Nearest, Predictor, Reach};
use crate::real::Real;
use crate::shared::apart::ApartSets;
use crate::shared::means::cluster_means;
use crate::shared::relabel::number_by_first_member;
use crate::stop::Stoppable;
use rayon::prelude::*;

/// Links, and local clusters; joining them is the third, after which nothing is left to show.
const STAGES: usize = 2;

/// C-DBSCAN with checked parameters.
pub type Cdbscan = Method<CdbscanParams>;

impl Algorithm for CdbscanParams {
    const INFO: Info = Info {
        name: "cdbscan",
        class: "CDBSCAN",
        sentence: "dense regions are clusters, joined and kept apart by links; no link is ever broken",
        links: LinkUse::Certain,
        clusters: Clusters::Found,
        counts: Counts::STEPS,
        takes_similarities: false,
        shows_distances: false,
    };
    const TABLE: &'static [Param<Self>] = params::TABLE;

    type Details<T: Real> = CdbscanDetails;

    /// `n_live` is the number of sets that points are in.
    fn needs(&self, size: &Size) -> u64 {
        // The tree and the core points; those within reach are counted in the run.
        2 * size.points() + size.rows(130)
    }

    fn run<T: Real>(
        &self,
        points: &Points<'_, T>,
        links: &GivenLinks<'_>,
        observer: &mut Observer<'_>,
    ) -> Result<Outcome<T, CdbscanDetails>> {
        let (n, closure) = (points.n_points(), &links.closure);
        let mut stages = Stages::new(observer, STAGES, self.eps);
        let near = self.neighbors_within_eps(points)?;
        let is_core: Vec<bool> = near.iter().map(|near| near.len() >= self.min_points).collect();
        let mut sets = ApartSets::new(n);
        obey(closure, &mut sets);
        stages.done(sets.n_sets())?;
        make_local_clusters(&near, &is_core, closure, &mut sets);
        stages.done(sets.n_sets())?;
        join_nearest_first(&near, &is_core, &mut sets);

        let raw = without_noise(&near, &is_core, closure, &mut sets);
        let (labels, _) = number_by_first_member(&raw);
        let core_rows: Vec<usize> = (0..n).filter(|&row| is_core[row]).collect();
        let predictor = match core_rows.is_empty() {
            true => Predictor::nowhere(points.n_features()),
            false => Predictor::Nearest(Nearest {
                places: points.places(&core_rows),
                labels: core_rows.iter().map(|&row| labels[row]).collect(),
                reach: Reach::Below(T::of(self.eps)),
            }),
        };
        Ok(Outcome {
            centers: cluster_means(points, &labels),
            labels,
            mode_bandwidth: None,
            n_iter: stages.n_done(),
            converged: true,
            notes: Vec::new(),
            predictor,
            details: CdbscanDetails { eps: self.eps, core_rows },
        })
    }
}

impl CdbscanParams {
    /// Step 1: for each point those within reach, itself among them.
    fn neighbors_within_eps<T: Real>(
        &self,
        points: &Points<'_, T>,
    ) -> Result<Vec<Vec<Neighbor<T>>>> {
        let index = Neighbors::new(points);
        let eps = T::of(self.eps);
        let rows = || points.values().par_chunks_exact(points.n_features()).stoppable();
        if self.memory_mb.is_some() {
            let count = |row: &[T]| {
                let mut count = 0_u64;
                index.visit_within(row, eps, |_| count += 1);
                count
            };
            // Each pair is in two lists, and once more when pairs are sorted.
            let pairs = rows().map(count).sum::<u64>() * 2 * size_of::<Neighbor<T>>() as u64;
            let needed = self.needs(&Size::of(points, 0)) + pairs;
            memory::allow(needed, self.memory_mb, "take a smaller eps, or allow more")?;
        }
        Ok(rows().map(|row| index.within(row, eps)).collect())
    }
}

/// Step 3a, first of all: must-linked points are together, and groups that belong apart are foes.
fn obey(closure: &LinkClosure, sets: &mut ApartSets) {
    for group in 0..closure.n_groups() {
        let members = closure.members(group);
        for pair in members.windows(2) {
            sets.try_join(pair[0] as usize, pair[1] as usize);
        }
    }
    for pair in closure.cannot_pairs() {
        sets.part(closure.members(pair.a)[0] as usize, closure.members(pair.b)[0] as usize);
    }
}

/// Step 2: the unclaimed neighbours of a core point are a local cluster with it, unless two of its
/// neighbours belong apart.
fn make_local_clusters<T: Real>(
    near: &[Vec<Neighbor<T>>],
    is_core: &[bool],
    closure: &LinkClosure,
    sets: &mut ApartSets,
) {
    let mut is_claimed = vec![false; near.len()];
    for row in 0..near.len() {
        if !is_core[row] || is_claimed[row] {
            continue;
        }
        let rows: Vec<usize> = near[row].iter().map(|neighbor| neighbor.row).collect();
        let at_peace = !any_apart(&rows, closure);
        for &other in &rows {
            // A border point waits for its nearest core point.
            if !is_claimed[other] && is_core[other] {
                is_claimed[other] = true;
                if at_peace {
                    sets.try_join(row, other);
                }
            }
        }
    }
}

/// Whether two of the rows belong apart.
fn any_apart(rows: &[usize], closure: &LinkClosure) -> bool {
    let linked: Vec<usize> =
        rows.iter().copied().filter(|&row| closure.group_of(row).is_some()).collect();
    linked.iter().enumerate().any(|(at, &a)| {
        linked[..at].iter().any(|&b| closure.relation(a, b) == Some(LinkKind::Cannot))
    })
}

/// Step 3b: what core points reach joins them, nearest first, foes excepted; then each border point
/// the nearest core point that it may be with.
fn join_nearest_first<T: Real>(near: &[Vec<Neighbor<T>>], is_core: &[bool], sets: &mut ApartSets) {
    let mut pairs: Vec<(T, bool, usize, usize)> = Vec::new();
    for (row, near) in near.iter().enumerate().filter(|&(row, _)| is_core[row]) {
        let others = near.iter().filter(|other| other.row > row || !is_core[other.row]);
        pairs.extend(others.map(|other| (other.distance_sq, !is_core[other.row], row, other.row)));
    }
    pairs.par_sort_unstable_by(|a, b| {
        let nearer = a.0.partial_cmp(&b.0).unwrap_or(std::cmp::Ordering::Equal);
        a.1.cmp(&b.1).then(nearer).then((a.2, a.3).cmp(&(b.2, b.3)))
    });
    let mut is_placed = is_core.to_vec();
    for (_, is_border, core, other) in pairs {
        if !is_border {
            sets.try_join(core, other);
        } else if !is_placed[other] {
            // A must-link may have put it there already.
            is_placed[other] = sets.try_join(core, other) || sets.find(core) == sets.find(other);
        }
    }
}

/// The set of each point, or −1: no core point, within reach of none that it may be with, and not
/// told to belong to anything.
fn without_noise<T: Real>(
    near: &[Vec<Neighbor<T>>],
    is_core: &[bool],
    closure: &LinkClosure,
    sets: &mut ApartSets,
) -> Vec<i64> {
    let n = near.len();
    let of: Vec<usize> = (0..n).map(|row| sets.find(row)).collect();
    let mut has_core = vec![false; n];
    (0..n).filter(|&row| is_core[row]).for_each(|row| has_core[of[row]] = true);
    let told =
        |row: usize| closure.group_of(row).is_some_and(|group| closure.members(group).len() > 1);
    (0..n).map(|row| if has_core[of[row]] || told(row) { of[row] as i64 } else { -1 }).collect()
}
