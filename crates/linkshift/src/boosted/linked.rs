//! Linked points take a cluster together, and not one that links forbid.
//!
//! By itself every point takes the cluster of its nearest mode, and beside a border that may be
//! against what is known of it. So each group of points that must be together chooses one cluster
//! for all of them, by the distances to its nearest mode, and leaves those that were taken by
//! groups it cannot be with. Who has the fewest clusters left chooses next, and of those who has the
//! most to lose by another choice (the order of D. Brélaz, *New methods to color the vertices of a
//! graph*, CACM 1979: with two clusters a link is broken only if no choice at all keeps them all).

use crate::distance::distance_sq;
use crate::links::LinkClosure;
use crate::points::Points;
use crate::real::Real;
use crate::stop::Stoppable;
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Gives the linked points among `labels` the clusters of their groups, and returns the rows that
/// changed, ascending. `places` are where the points climbed to; clusters are numbered from 0 and
/// each has a mode.
pub fn assign_linked<T: Real>(
    labels: &mut [i64],
    places: &Points<'_, T>,
    modes: &Points<'_, T>,
    cluster_of_mode: &[i64],
    closure: &LinkClosure,
) -> Vec<usize> {
    let n_clusters = cluster_of_mode.iter().max().map_or(0, |&last| last as usize + 1);
    if n_clusters < 2 {
        return Vec::new();
    }
    let costs: Vec<Vec<f64>> = (0..closure.n_groups())
        .into_par_iter()
        .stoppable()
        .map(|group| {
            let mut costs = vec![0.0; n_clusters];
            for &row in closure.members(group) {
                let row = places.row(row as usize);
                let distances = nearest_of_each(row, modes, cluster_of_mode, n_clusters);
                costs.iter_mut().zip(distances).for_each(|(cost, distance)| *cost += distance);
            }
            costs
        })
        .collect();
    let mut surest: Vec<usize> = (0..costs.len()).collect();
    let to_lose: Vec<f64> = costs.iter().map(|costs| lead(costs)).collect();
    // Equal ones keep their order, which is by first member.
    surest.sort_by(|&a, &b| to_lose[b].total_cmp(&to_lose[a]));
    let mut rank_of = vec![0; surest.len()];
    surest.iter().enumerate().for_each(|(rank, &group)| rank_of[group] = rank);

    let mut chosen: Vec<Option<usize>> = vec![None; costs.len()];
    let mut forbidden = vec![vec![0.0_f64; n_clusters]; costs.len()];
    let mut turns: BinaryHeap<_> = (0..costs.len()).map(|rank| (0, Reverse(rank))).collect();
    let mut changed = Vec::new();
    while let Some((_, Reverse(rank))) = turns.pop() {
        let group = surest[rank];
        if chosen[group].is_some() {
            continue;
        }
        let worth = |&cluster: &usize| (forbidden[group][cluster], costs[group][cluster]);
        let by_worth = |a: &usize, b: &usize| {
            let (a, b) = (worth(a), worth(b));
            a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
        };
        let Some(cluster) = (0..n_clusters).min_by(by_worth) else { break };
        chosen[group] = Some(cluster);
        for other in closure.cannot_groups_of(group) {
            let forbidden = &mut forbidden[other.group];
            forbidden[cluster] += other.confidence;
            let n_forbidden = forbidden.iter().filter(|&&weight| weight > 0.0).count();
            turns.push((n_forbidden, Reverse(rank_of[other.group])));
        }
        for &row in closure.members(group) {
            if labels[row as usize] != cluster as i64 {
                labels[row as usize] = cluster as i64;
                changed.push(row as usize);
            }
        }
    }
    changed.sort_unstable();
    changed
}

/// The distance from a place to the nearest mode of each cluster.
fn nearest_of_each<T: Real>(
    place: &[T],
    modes: &Points<'_, T>,
    cluster_of_mode: &[i64],
    n_clusters: usize,
) -> impl Iterator<Item = f64> {
    let mut nearest = vec![T::infinity(); n_clusters];
    for (mode, &cluster) in modes.rows().zip(cluster_of_mode) {
        let nearest = &mut nearest[cluster as usize];
        *nearest = nearest.min(distance_sq(mode, place));
    }
    nearest.into_iter().map(|distance_sq| distance_sq.as_f64().sqrt())
}

/// By how much the best of at least two costs is below the second.
fn lead(costs: &[f64]) -> f64 {
    let mut sorted = costs.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted[1] - sorted[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::links::Links;

    /// Two clusters with a mode each, at 0 and 10; the labels of points on a line.
    fn held(points: &[f64], must: &[(usize, usize)], cannot: &[(usize, usize)]) -> Vec<i64> {
        let modes = Points::new(vec![0.0, 10.0], 1).unwrap();
        let places = Points::new(points.to_vec(), 1).unwrap();
        let closure = Links::from_pairs(must, cannot).close(points.len()).unwrap();
        let mut labels: Vec<i64> = points.iter().map(|&at| i64::from(at > 5.0)).collect();
        assign_linked(&mut labels, &places, &modes, &[0, 1], &closure);
        labels
    }

    #[test]
    fn points_that_must_be_together_go_where_it_is_nearest_for_all() {
        // Derived: 4 + 9 + 9 from the mode at 0, 6 + 1 + 1 from that at 10.
        assert_eq!(held(&[4.0, 9.0, 9.0, 1.0], &[(0, 1), (1, 2)], &[]), [1, 1, 1, 0]);
        assert_eq!(held(&[4.0, 7.0], &[(0, 1)], &[]), [1, 1]);
    }

    #[test]
    fn of_two_that_cannot_be_together_the_one_beside_the_border_goes() {
        assert_eq!(held(&[1.0, 4.0], &[], &[(0, 1)]), [0, 1]);
        assert_eq!(held(&[4.0, 1.0], &[], &[(0, 1)]), [1, 0]);
    }

    #[test]
    fn who_has_no_choice_left_chooses_next() {
        // A chain of cannot-links, 0 – 1 – 2 – 3. By distance alone 0 and 3 would choose first, both
        // the mode at 0, and a link between them would break.
        let chain = [(0, 1), (1, 2), (2, 3)];
        assert_eq!(held(&[0.0, 4.0, 4.5, 0.5], &[], &chain), [0, 1, 0, 1]);
    }

    #[test]
    fn where_every_cluster_is_taken_the_nearest_will_do() {
        // Three that cannot be together, two clusters: 0 and 10 choose, 3 breaks one link.
        assert_eq!(held(&[0.0, 3.0, 10.0], &[], &[(0, 1), (0, 2), (1, 2)]), [0, 0, 1]);
    }
}
