//! Line 14: modes become clusters, by DBSCAN and by what links say.
//!
//! Each linked point speaks through its nearest mode that is not noise, and a point beside the
//! border of two clusters may speak through the wrong one. So it is the majority that counts: near
//! modes are joined, nearest first, unless among the linked points behind the two sets more pairs
//! cannot be together than must; and sets that are not near each other are joined where more must
//! than cannot. What the minority said is left to [`assign_linked`](super::assign_linked).

use super::params::Eps;
use crate::dbscan::{Dbscan, DensityGraph};
use crate::error::Result;
use crate::links::LinkClosure;
use crate::neighbors::Neighbors;
use crate::points::Points;
use crate::real::Real;
use crate::shared::disjoint_sets::DisjointSets;
use std::collections::BTreeMap;

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
    let mut graph = Dbscan::new(eps, min_points)?.density_graph(modes);
    if !graph.is_core.contains(&true) {
        graph.is_core.fill(true);
    }
    let mut sets = DisjointSets::new(modes.n_points());
    if closure.is_empty() {
        graph.core_pairs().for_each(|(a, b, _)| sets.join(a, b));
        return Ok(graph.label(|core| sets.find(core)));
    }
    let mut parties = Parties::new(sets, voices(modes, &graph, points, closure), closure);
    let mut near: Vec<(usize, usize, T)> = graph.core_pairs().collect();
    // Equal distances keep their order, which is by row.
    near.sort_by(|a, b| a.2.partial_cmp(&b.2).unwrap_or(std::cmp::Ordering::Equal));
    loop {
        let n_apart = near.len();
        near.retain(|&(a, b, _)| !parties.join_unless_they_disagree(a, b));
        // A larger set has more voices, so who disagreed before may agree now.
        if near.len() == n_apart && !parties.join_those_who_agree_most() {
            return Ok(graph.label(|core| parties.sets.find(core)));
        }
    }
}

/// How many points of each group of linked points speak through a mode: by core mode, then group.
type Voices = Vec<BTreeMap<usize, f64>>;

fn voices<T: Real>(
    modes: &Points<'_, T>,
    graph: &DensityGraph<T>,
    points: &Points<'_, T>,
    closure: &LinkClosure,
) -> Voices {
    let clustered: Vec<(usize, usize)> = (0..modes.n_points())
        .filter_map(|mode| graph.core_of(mode).map(|core| (mode, core)))
        .collect();
    let rows: Vec<usize> = clustered.iter().map(|&(mode, _)| mode).collect();
    let near = Neighbors::new(&modes.select(&rows));
    let mut voices = vec![BTreeMap::new(); modes.n_points()];
    for group in 0..closure.n_groups() {
        for &row in closure.members(group) {
            let (_, core) = clustered[near.nearest(points.row(row as usize), 1)[0].row];
            *voices[core].entry(group).or_insert(0.0) += 1.0;
        }
    }
    voices
}

/// Sets of modes, and the linked points that speak through each.
struct Parties<'a> {
    sets: DisjointSets,
    /// Of the root of each set.
    voices: Voices,
    closure: &'a LinkClosure,
}

impl<'a> Parties<'a> {
    fn new(sets: DisjointSets, voices: Voices, closure: &'a LinkClosure) -> Self {
        Self { sets, voices, closure }
    }

    /// How many pairs of points, one of each set, must be together, less how many cannot.
    fn agreement(&self, a: usize, b: usize) -> f64 {
        let theirs = |group: usize| self.voices[b].get(&group).copied().unwrap_or(0.0);
        let of_group = |(&group, &count): (&usize, &f64)| {
            let apart = self.closure.cannot_groups_of(group).iter();
            count
                * (theirs(group)
                    - apart.map(|other| other.confidence * theirs(other.group)).sum::<f64>())
        };
        self.voices[a].iter().map(of_group).sum()
    }

    fn join_roots(&mut self, a: usize, b: usize) {
        self.sets.join(a, b);
        let root = self.sets.find(a);
        let other = if root == a { b } else { a };
        for (group, count) in std::mem::take(&mut self.voices[other]) {
            *self.voices[root].entry(group).or_insert(0.0) += count;
        }
    }

    /// Whether two modes share a set after this.
    fn join_unless_they_disagree(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.sets.find(a), self.sets.find(b));
        let joins = a == b || self.agreement(a, b) >= 0.0;
        if a != b && joins {
            self.join_roots(a, b);
        }
        joins
    }

    /// Joins the two sets that agree most, however far apart they are, if any two agree at all.
    fn join_those_who_agree_most(&mut self) -> bool {
        let roots: Vec<usize> =
            (0..self.voices.len()).filter(|&mode| !self.voices[mode].is_empty()).collect();
        let mut best = (0.0, 0, 0);
        for (at, &a) in roots.iter().enumerate() {
            for &b in &roots[at + 1..] {
                let agreement = self.agreement(a, b);
                if agreement > best.0 {
                    best = (agreement, a, b);
                }
            }
        }
        if best.0 > 0.0 {
            self.join_roots(best.1, best.2);
        }
        best.0 > 0.0
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
}
