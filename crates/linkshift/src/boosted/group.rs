//! Line 14: modes become clusters, by DBSCAN and by what links say.
//!
//! Each linked point speaks through its nearest mode that is not noise. A must-link joins the
//! clusters of two modes, however far apart they are. A cannot-link keeps two modes from sharing
//! a cluster: near modes are then joined nearest first, and a join that would bring the two
//! together is left out. Where both ends of a cannot-link have the same mode nothing can be done;
//! the report lists it as broken.

use super::params::Eps;
use crate::dbscan::{Dbscan, Reach};
use crate::disjoint_sets::DisjointSets;
use crate::error::Result;
use crate::links::LinkClosure;
use crate::neighbors::Neighbors;
use crate::points::Points;
use crate::real::Real;
use std::collections::BTreeSet;

impl Eps {
    /// The distance: from the bandwidth, or from the modes of the first epoch and how many of them
    /// make a core.
    pub fn find<T: Real>(self, bandwidth: f64, modes: &Points<'_, T>, min_points: usize) -> f64 {
        match self {
            Eps::Fixed(eps) => eps,
            Eps::Bandwidths(times) => times * bandwidth,
            Eps::NeighborMedian => {
                let median = neighbor_median(modes, min_points).min(bandwidth);
                // Most modes at one place: a part of the bandwidth is as good as none.
                if T::of(median) > T::zero() { median } else { 1e-3 * bandwidth }
            }
        }
    }
}

/// The median distance from a mode to its k-th nearest other (the farthest if there are fewer).
fn neighbor_median<T: Real>(modes: &Points<'_, T>, k: usize) -> f64 {
    let near = Neighbors::new(modes);
    let kth = |row: &[T]| {
        let found = near.nearest(row, k.saturating_add(1));
        found.last().map_or(0.0, |last| last.distance_sq.as_f64().sqrt())
    };
    let mut distances: Vec<f64> = modes.rows().map(kth).collect();
    distances.sort_unstable_by(f64::total_cmp);
    let n = distances.len();
    (distances[(n - 1) / 2] + distances[n / 2]) / 2.0
}

/// The cluster of each mode, numbered from 0 by first member; −1 is noise. If no mode has
/// `min_points` within `eps`, one is enough, so there is always a cluster.
pub fn group_modes<T: Real>(
    modes: &Points<'_, T>,
    eps: f64,
    min_points: usize,
    points: &Points<'_, T>,
    closure: &LinkClosure,
) -> Result<Vec<i64>> {
    let mut reach = Dbscan::new(eps, min_points)?.reach(modes);
    if !reach.is_core.contains(&true) {
        reach.is_core.fill(true);
    }
    let mut sets = ApartSets::new(modes.n_points());
    if closure.is_empty() {
        reach.core_pairs().for_each(|(a, b, _)| sets.join(a, b));
        return Ok(reach.label(|core| sets.find(core)));
    }
    let spokesmen = spokesmen(modes, &reach, points, closure);
    for pair in closure.cannot_pairs() {
        for &a in &spokesmen[pair.a] {
            for &b in &spokesmen[pair.b] {
                sets.hold_apart(a, b);
            }
        }
    }
    for cores in &spokesmen {
        cores.windows(2).for_each(|pair| sets.join(pair[0], pair[1]));
    }
    let mut pairs: Vec<(usize, usize, T)> = reach.core_pairs().collect();
    // Equal distances keep their order, which is by row.
    pairs.sort_by(|a, b| a.2.partial_cmp(&b.2).unwrap_or(std::cmp::Ordering::Equal));
    pairs.into_iter().for_each(|(a, b, _)| sets.join(a, b));
    Ok(reach.label(|core| sets.find(core)))
}

/// For each group of linked points the core modes that its points speak through, ascending.
fn spokesmen<T: Real>(
    modes: &Points<'_, T>,
    reach: &Reach<T>,
    points: &Points<'_, T>,
    closure: &LinkClosure,
) -> Vec<Vec<usize>> {
    let clustered: Vec<(usize, usize)> = (0..modes.n_points())
        .filter_map(|mode| reach.core_of(mode).map(|core| (mode, core)))
        .collect();
    let rows: Vec<usize> = clustered.iter().map(|&(mode, _)| mode).collect();
    let near = Neighbors::new(&modes.select(&rows));
    let core_of = |&row: &u32| clustered[near.nearest(points.row(row as usize), 1)[0].row].1;
    (0..closure.n_groups())
        .map(|group| {
            let cores: BTreeSet<usize> = closure.members(group).iter().map(core_of).collect();
            cores.into_iter().collect()
        })
        .collect()
}

/// Union-find in which some sets are held apart.
struct ApartSets {
    sets: DisjointSets,
    /// For the root of each set the roots of the sets held apart from it.
    apart: Vec<BTreeSet<usize>>,
}

impl ApartSets {
    fn new(n: usize) -> Self {
        Self { sets: DisjointSets::new(n), apart: vec![BTreeSet::new(); n] }
    }

    fn find(&mut self, item: usize) -> usize {
        self.sets.find(item)
    }

    /// Has no effect on two that are together already.
    fn hold_apart(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            self.apart[a].insert(b);
            self.apart[b].insert(a);
        }
    }

    /// Has no effect on two that are held apart.
    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        if a == b || self.apart[a].contains(&b) {
            return;
        }
        self.sets.join(a, b);
        let root = self.find(a);
        let other = if root == a { b } else { a };
        for third in std::mem::take(&mut self.apart[other]) {
            self.apart[third].remove(&other);
            self.apart[third].insert(root);
            self.apart[root].insert(third);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::links::Links;

    fn line(values: &[f64]) -> Points<'static, f64> {
        Points::new(values.to_vec(), 1).unwrap()
    }

    /// Modes 0, 1, 2, 3 in a row, and 9 by itself; points sit on the modes.
    fn grouped(must: &[(usize, usize)], cannot: &[(usize, usize)]) -> Vec<i64> {
        let modes = line(&[0.0, 1.0, 2.1, 3.0, 9.0]);
        let closure = Links::from_pairs(must, cannot).close(5).unwrap();
        group_modes(&modes, 1.2, 1, &modes, &closure).unwrap()
    }

    #[test]
    fn without_links_it_is_dbscan() {
        assert_eq!(grouped(&[], &[]), [0, 0, 0, 0, 1]);
    }

    #[test]
    fn a_cannot_link_parts_a_chain_at_its_widest_gap() {
        // Derived: the gaps are 1, 1.1 and 0.9; the widest is the last to be joined, and is not.
        assert_eq!(grouped(&[], &[(0, 3)]), [0, 0, 1, 1, 2]);
    }

    #[test]
    fn a_must_link_joins_what_is_far_apart() {
        assert_eq!(grouped(&[(2, 4)], &[]), [0, 0, 0, 0, 0]);
        assert_eq!(grouped(&[(2, 4)], &[(0, 4)]), [0, 0, 1, 1, 1]);
    }

    #[test]
    fn where_no_mode_has_company_one_is_enough() {
        let modes = line(&[0.0, 5.0, 5.1]);
        let none = LinkClosure::none(3);
        assert_eq!(group_modes(&modes, 1.0, 4, &modes, &none).unwrap(), [0, 1, 1]);
    }

    #[test]
    fn the_median_is_of_the_distance_to_the_kth_other() {
        // Derived: 4th others of 0, 1, 2, 3, 4, 10 are at 4, 3, 2 … : 0→4 is 4, 1→4 is 3 (0, 2, 3
        // are nearer), 2→4 … is 2, 3→0 is 3, 4→0 is 4, 10→1 is 9. Sorted 2, 3, 3, 4, 4, 9: 3.5.
        assert_eq!(neighbor_median(&line(&[0.0, 1.0, 2.0, 3.0, 4.0, 10.0]), 4), 3.5);
        let equal = line(&[2.0; 9]);
        assert_eq!(Eps::NeighborMedian.find(2.0, &equal, 4), 2e-3);
    }

    #[test]
    fn sets_held_apart_stay_so_when_they_grow() {
        let mut sets = ApartSets::new(6);
        sets.hold_apart(0, 1);
        sets.join(0, 2);
        sets.join(1, 3);
        sets.join(4, 3);
        sets.join(2, 4);
        assert_ne!(sets.find(2), sets.find(4));
        sets.join(2, 5);
        assert_eq!(sets.find(0), sets.find(5));
        sets.join(5, 1);
        assert_ne!(sets.find(5), sets.find(1));
    }
}
