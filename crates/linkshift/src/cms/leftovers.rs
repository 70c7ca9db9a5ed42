//! The end step for leftovers: clusters of a few points that links have kept from going anywhere.
//!
//! Where links block each other, single points and pairs stay behind as clusters of their own. Each
//! of them joins a real cluster: one that a must-link names, or else the one that has most of its
//! nearest points (the densest there, by the nearest-neighbour estimate of a density); but only one
//! that breaks no link. Where every cluster around would break one, a leftover stays what it is.

use crate::error::Result;
use crate::links::{LinkClosure, LinkKind, Links};
use crate::neighbors::Neighbors;
use crate::points::Points;
use crate::real::Real;
use std::collections::{BTreeMap, BTreeSet};

/// How many nearest points of real clusters have a vote; twice as many, and so on, where all of
/// those voted for are ruled out.
const VOTERS: usize = 10;

/// Joins linked clusters of at most `largest` points to others, in place: `cluster_of_row` are any numbers.
pub(super) fn join<T: Real>(
    points: &Points<'_, T>,
    cluster_of_row: &mut [i64],
    closure: &LinkClosure,
    doubtful: &Links,
    largest: usize,
) -> Result<()> {
    let mut members: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
    for (row, &cluster) in cluster_of_row.iter().enumerate() {
        members.entry(cluster).or_default().push(row);
    }
    let doubted: BTreeSet<usize> = doubtful.iter().flat_map(|link| [link.a, link.b]).collect();
    let is_linked = |row: usize| closure.group_of(row).is_some() || doubted.contains(&row);
    let mut leftovers: Vec<Vec<usize>> = Vec::new();
    let mut settled: Vec<usize> = Vec::new();
    let mut real_clusters = BTreeSet::new();
    for (cluster, rows) in members {
        // A small cluster that no link touches is what the density made of it: an outlier, say.
        if rows.len() <= largest && rows.iter().any(|&row| is_linked(row)) {
            leftovers.push(rows);
        } else {
            real_clusters.insert(cluster);
            settled.extend(rows);
        }
    }
    if leftovers.is_empty() || settled.is_empty() {
        return Ok(());
    }
    settled.sort_unstable();
    // The largest first: it has the most to go by.
    leftovers.sort_by_key(|rows| (std::cmp::Reverse(rows.len()), rows[0]));
    let index = Neighbors::new(&points.select(&settled));
    for rows in leftovers {
        let (friends, foes) = linked_clusters(&rows, cluster_of_row, closure, doubtful);
        let friend = friends.intersection(&real_clusters).find(|friend| !foes.contains(friend));
        let home = friend.copied().or_else(|| {
            let near = |n_voters| votes(points, &rows, &index, &settled, cluster_of_row, n_voters);
            let mut n_voters = VOTERS;
            loop {
                let best = near(n_voters).into_iter().find(|cluster| !foes.contains(cluster));
                if best.is_some() || n_voters >= settled.len() {
                    return best;
                }
                n_voters *= 2;
            }
        });
        if let Some(home) = home {
            rows.iter().for_each(|&row| cluster_of_row[row] = home);
        }
    }
    Ok(())
}

/// The clusters that links put some rows together with, and those that they keep them apart from.
fn linked_clusters(
    rows: &[usize],
    cluster_of_row: &[i64],
    closure: &LinkClosure,
    doubtful: &Links,
) -> (BTreeSet<i64>, BTreeSet<i64>) {
    let (mut friends, mut foes) = (BTreeSet::new(), BTreeSet::new());
    for &row in rows {
        let Some(group) = closure.group_of(row) else { continue };
        let clusters =
            |group| closure.members(group).iter().map(|&row| cluster_of_row[row as usize]);
        friends.extend(clusters(group));
        for apart in closure.cannot_groups_of(group) {
            foes.extend(clusters(apart.group));
        }
    }
    for link in doubtful {
        for (row, other) in [(link.a, link.b), (link.b, link.a)] {
            if rows.contains(&row) {
                let side = if link.kind == LinkKind::Must { &mut friends } else { &mut foes };
                side.insert(cluster_of_row[other]);
            }
        }
    }
    friends.remove(&cluster_of_row[rows[0]]);
    foes.remove(&cluster_of_row[rows[0]]);
    (friends, foes)
}

/// The clusters of the nearest settled points, the one with most of them first.
fn votes<T: Real>(
    points: &Points<'_, T>,
    rows: &[usize],
    index: &Neighbors<T>,
    settled: &[usize],
    cluster_of_row: &[i64],
    n_voters: usize,
) -> Vec<i64> {
    let mut votes: BTreeMap<i64, usize> = BTreeMap::new();
    for &row in rows {
        for neighbor in index.nearest(points.row(row), n_voters) {
            *votes.entry(cluster_of_row[settled[neighbor.row]]).or_default() += 1;
        }
    }
    let mut by_votes: Vec<(i64, usize)> = votes.into_iter().collect();
    by_votes.sort_by_key(|&(cluster, votes)| (std::cmp::Reverse(votes), cluster));
    by_votes.into_iter().map(|(cluster, _)| cluster).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two real clusters on a line, 0 at the left and 1 at the right, and two points between, nearer
    /// to the left: a leftover if linked to anything else.
    fn joined(must: &[(usize, usize)], cannot: &[(usize, usize)]) -> i64 {
        let mut values: Vec<f64> = (0..20).map(|i| f64::from(i) * 0.01).collect();
        values.extend((0..20).map(|i| 1.0 + f64::from(i) * 0.01));
        values.extend([0.4, 0.4]);
        let points = Points::new(values, 1).unwrap();
        let mut clusters: Vec<i64> = (0..42).map(|row| row / 20).collect();
        let closure = Links::from_pairs(must, cannot).close(42).unwrap();
        join(&points, &mut clusters, &closure, &Links::new(), 3).unwrap();
        assert_eq!(clusters[40], clusters[41]);
        assert_eq!(clusters[..40], (0..40).map(|row| row / 20).collect::<Vec<i64>>());
        clusters[40]
    }

    #[test]
    fn a_leftover_joins_the_cluster_around_it_and_an_outlier_does_not() {
        assert_eq!(joined(&[(40, 41)], &[]), 0);
        assert_eq!(joined(&[], &[]), 2);
    }

    #[test]
    fn links_come_first_and_none_is_broken() {
        assert_eq!(joined(&[(40, 25)], &[]), 1);
        assert_eq!(joined(&[], &[(40, 3)]), 1);
        // Apart from both: it stays by itself.
        assert_eq!(joined(&[], &[(40, 3), (40, 33)]), 2);
    }
}
