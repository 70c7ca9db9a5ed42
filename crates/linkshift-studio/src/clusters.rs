//! What there is to say of each cluster: how large it is, who is typical of it, who is doubtful.

use linkshift::Points;
use linkshift::distance::distance_sq;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Members that are named of each kind.
const MOST_NAMED: usize = 9;

/// With more clusters than this only a member's own center is looked at.
const MOST_CENTERS: usize = 256;

/// Members that representatives are drawn from: going through all of a million would take too long.
const MOST_TRIED: usize = 2_000;

/// A cluster.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Cluster {
    /// Its number.
    pub(crate) id: i64,
    /// How many rows it has.
    pub(crate) size: usize,
    /// Rows nearest to its center, nearest first.
    pub(crate) typical: Vec<usize>,
    /// Rows that another cluster is nearly as near to, the most doubtful first.
    pub(crate) doubtful: Vec<usize>,
}

/// The rows of each cluster, by its number; rows in no cluster are left out.
pub(crate) fn members(labels: &[i64]) -> BTreeMap<i64, Vec<usize>> {
    let mut members: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
    for (row, &label) in labels.iter().enumerate().filter(|&(_, &label)| label >= 0) {
        members.entry(label).or_default().push(row);
    }
    members
}

/// All clusters, by number.
pub(crate) fn describe(points: &Points<'_, f64>, labels: &[i64]) -> Vec<Cluster> {
    let members = members(labels);
    let rows: Vec<(&i64, &Vec<usize>)> = members.iter().collect();
    let centers: Vec<Vec<f64>> = rows.par_iter().map(|(_, rows)| mean(points, rows)).collect();
    let margin = |row: usize, own: usize| {
        let near = distance_sq(points.row(row), &centers[own]);
        let others = centers.iter().enumerate().filter(|&(at, _)| at != own);
        let other = match centers.len() {
            2..=MOST_CENTERS => others
                .map(|(_, center)| distance_sq(points.row(row), center))
                .fold(f64::INFINITY, f64::min),
            _ => 0.0,
        };
        (near, other.sqrt() - near.sqrt())
    };
    let one = |(own, (id, rows)): (usize, &(&i64, &Vec<usize>))| {
        let judged: Vec<(f64, f64)> = rows.par_iter().map(|&row| margin(row, own)).collect();
        let ranked = |key: &dyn Fn(usize) -> f64| {
            let mut order: Vec<usize> = (0..rows.len()).collect();
            let by_key = |a: &usize, b: &usize| key(*a).total_cmp(&key(*b)).then(a.cmp(b));
            if order.len() > MOST_NAMED {
                order.select_nth_unstable_by(MOST_NAMED, by_key);
                order.truncate(MOST_NAMED);
            }
            order.sort_by(by_key);
            order.into_iter().map(|at| rows[at]).collect::<Vec<usize>>()
        };
        Cluster {
            id: **id,
            size: rows.len(),
            typical: ranked(&|at| judged[at].0),
            doubtful: ranked(&|at| judged[at].1),
        }
    };
    rows.iter().enumerate().map(one).collect()
}

fn mean(points: &Points<'_, f64>, rows: &[usize]) -> Vec<f64> {
    let mut sum = vec![0.0; points.n_features()];
    for &row in rows {
        sum.iter_mut().zip(points.row(row)).for_each(|(sum, value)| *sum += value);
    }
    sum.iter_mut().for_each(|sum| *sum /= rows.len() as f64);
    sum
}

/// Up to `n` rows that stand for all: the one nearest to the center, then always the one farthest from
/// those before it.
pub(crate) fn spread(points: &Points<'_, f64>, rows: &[usize], n: usize) -> Vec<usize> {
    if rows.len() <= n {
        return rows.to_vec();
    }
    let step = rows.len().div_ceil(MOST_TRIED);
    let tried: Vec<usize> = rows.iter().copied().step_by(step).collect();
    let center = mean(points, rows);
    let far = |row: usize, from: &[f64]| distance_sq(points.row(row), from);
    let first = tried.iter().copied().min_by(|&a, &b| far(a, &center).total_cmp(&far(b, &center)));
    let Some(first) = first else { return Vec::new() };
    let mut found = vec![first];
    let mut nearest: Vec<f64> = tried.par_iter().map(|&row| far(row, points.row(first))).collect();
    while found.len() < n.min(tried.len()) {
        let farthest = (0..tried.len()).max_by(|&a, &b| nearest[a].total_cmp(&nearest[b]));
        let Some(next) = farthest else { break };
        let row = tried[next];
        found.push(row);
        nearest.par_iter_mut().zip(&tried).for_each(|(near, &other)| {
            *near = near.min(far(other, points.row(row)));
        });
        nearest[next] = f64::NEG_INFINITY;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two clusters on a line: 0 1 2 and 10 11 15.
    fn line() -> Points<'static, f64> {
        Points::new(vec![0.0, 1.0, 2.0, 10.0, 11.0, 15.0], 1).unwrap()
    }

    #[test]
    fn typical_rows_are_near_the_center_and_doubtful_ones_near_another() {
        let clusters = describe(&line(), &[4, 4, 4, 7, 7, 7]);
        let ids: Vec<(i64, usize)> = clusters.iter().map(|one| (one.id, one.size)).collect();
        assert_eq!(ids, [(4, 3), (7, 3)]);
        // Derived: centers 1 and 12. To the first: 1, 0, 1. Margins of the first: 12−1, 11−0, 10−1.
        assert_eq!(clusters[0].typical, [1, 0, 2]);
        assert_eq!(clusters[0].doubtful, [2, 0, 1]);
        // Margins of the second: 9−2, 10−1, 14−3.
        assert_eq!(clusters[1].doubtful, [3, 4, 5]);
    }

    #[test]
    fn rows_in_no_cluster_are_in_none() {
        assert!(describe(&line(), &[-1; 6]).is_empty());
        assert_eq!(members(&[-1, 2, -1, 2]), BTreeMap::from([(2, vec![1, 3])]));
    }

    #[test]
    fn representatives_are_spread() {
        // Derived: the mean is 6.5, the nearest row 10 (row 3); farthest from it 0, then 15.
        assert_eq!(spread(&line(), &[0, 1, 2, 3, 4, 5], 3), [3, 0, 5]);
        assert_eq!(spread(&line(), &[1, 2], 3), [1, 2]);
        let equal = Points::new(vec![1.0; 5], 1).unwrap();
        let found = spread(&equal, &[0, 1, 2, 3, 4], 3);
        assert_eq!(found.len(), 3);
        assert!(found.windows(2).all(|two| two[0] != two[1]));
    }
}
