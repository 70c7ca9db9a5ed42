//! Linked points take a cluster together, and not one that links forbid.
//!
//! By itself every point takes the cluster of its nearest mode, and beside a border that may be
//! against what is known of it. So each group of points that must be together chooses one cluster
//! for all of them, by the distances to its nearest mode, and leaves those that were taken by
//! groups it cannot be with. Who has the most to lose by another choice chooses first. A cannot-link
//! is broken only where every cluster is taken.

use crate::links::LinkClosure;
use crate::points::Points;
use crate::real::Real;
use rayon::prelude::*;

/// Gives the linked points among `labels` the clusters of their groups, and returns the rows that
/// changed, ascending. `places` are where the points climbed to; clusters are numbered from 0 and
/// each has a mode.
pub fn hold_linked<T: Real>(
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
    let mut order: Vec<usize> = (0..costs.len()).collect();
    let to_lose: Vec<f64> = costs.iter().map(|costs| lead(costs)).collect();
    // Equal ones keep their order, which is by first member.
    order.sort_by(|&a, &b| to_lose[b].total_cmp(&to_lose[a]));

    let mut chosen: Vec<Option<usize>> = vec![None; costs.len()];
    let mut changed = Vec::new();
    for group in order {
        let mut forbidden = vec![0.0; n_clusters];
        for other in closure.cannot_groups_of(group) {
            if let Some(cluster) = chosen[other.group] {
                forbidden[cluster] += other.confidence;
            }
        }
        let worth = |&cluster: &usize| (forbidden[cluster], costs[group][cluster]);
        let by_worth = |a: &usize, b: &usize| {
            let (a, b) = (worth(a), worth(b));
            a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
        };
        chosen[group] = (0..n_clusters).min_by(by_worth);
        let cluster = chosen[group].unwrap_or(0) as i64;
        for &row in closure.members(group) {
            if labels[row as usize] != cluster {
                labels[row as usize] = cluster;
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
        let distance_sq: T = mode.iter().zip(place).map(|(&a, &b)| (a - b) * (a - b)).sum();
        let nearest = &mut nearest[cluster as usize];
        *nearest = nearest.min(distance_sq);
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
        hold_linked(&mut labels, &places, &modes, &[0, 1], &closure);
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
    fn where_every_cluster_is_taken_the_nearest_will_do() {
        // Three that cannot be together, two clusters: 0 and 10 choose, 3 breaks one link.
        assert_eq!(held(&[0.0, 3.0, 10.0], &[], &[(0, 1), (0, 2), (1, 2)]), [0, 0, 1]);
    }
}
