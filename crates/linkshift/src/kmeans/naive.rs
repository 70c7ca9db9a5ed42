//! The objectives of the papers, one function each, pair by pair, with nothing factored.
//!
//! This is the yardstick for the fast path: what a model says of its objective, and that no single
//! point could go elsewhere at a lower cost, is checked against these sums.

use crate::distance::distance_sq_f64;
use crate::links::LinkClosure;
use crate::points::Points;
use crate::real::Real;

/// Eq. 3: the mean of the points with a label.
pub fn mean<T: Real>(points: &Points<'_, T>, labels: &[i64], label: i64) -> Vec<f64> {
    let rows: Vec<usize> = (0..labels.len()).filter(|&row| labels[row] == label).collect();
    let column = |col: usize| rows.iter().map(|&row| points.row(row)[col].as_f64()).sum::<f64>();
    (0..points.n_features()).map(|col| column(col) / rows.len() as f64).collect()
}

/// The sum of squared distances from the points to the centers of their labels.
pub fn inertia<T: Real>(points: &Points<'_, T>, centers: &Points<'_, T>, labels: &[i64]) -> f64 {
    let center = |row: usize| centers.row(labels[row] as usize);
    (0..labels.len()).map(|row| distance_sq_f64(points.row(row), center(row))).sum()
}

/// All pairs of rows of one group.
pub fn must_pairs(closure: &LinkClosure) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for group in 0..closure.n_groups() {
        let members = closure.members(group);
        for (at, &a) in members.iter().enumerate() {
            pairs.extend(members[at + 1..].iter().map(|&b| (a as usize, b as usize)));
        }
    }
    pairs
}

/// All pairs of rows of two groups that belong apart, each once.
pub fn cannot_pairs(closure: &LinkClosure) -> Vec<(usize, usize)> {
    closure.directed_cannot().filter(|(a, b)| a < b).collect()
}

/// Eq. 1: J_pckm, with w the cost of every broken link.
pub fn pck<T: Real>(
    points: &Points<'_, T>,
    centers: &Points<'_, T>,
    labels: &[i64],
    closure: &LinkClosure,
    w: f64,
) -> f64 {
    let must = must_pairs(closure).into_iter().filter(|&(a, b)| labels[a] != labels[b]).count();
    let cannot = cannot_pairs(closure).into_iter().filter(|&(a, b)| labels[a] == labels[b]).count();
    0.5 * inertia(points, centers, labels) + w * (must + cannot) as f64
}

/// Eq. 4: J_pcckm, a sum over groups (rows without links are groups of their own).
pub fn pcck<T: Real>(
    points: &Points<'_, T>,
    centers: &Points<'_, T>,
    labels: &[i64],
    closure: &LinkClosure,
) -> f64 {
    let mut groups: Vec<Vec<usize>> = (0..closure.n_groups())
        .map(|group| closure.members(group).iter().map(|&row| row as usize).collect())
        .collect();
    groups.extend(
        (0..labels.len()).filter(|&row| closure.group_of(row).is_none()).map(|row| vec![row]),
    );
    let distances = groups.iter().map(|rows| {
        let n = rows.len() as f64;
        let column =
            |col: usize| rows.iter().map(|&row| points.row(row)[col].as_f64()).sum::<f64>();
        let mean: Vec<f64> = (0..points.n_features()).map(|col| column(col) / n).collect();
        let center = centers.row(labels[rows[0]] as usize);
        let center: Vec<f64> = center.iter().map(|x| x.as_f64()).collect();
        n * distance_sq_f64(&mean, &center)
    });
    let cannot = closure.cannot_pairs().iter().map(|pair| {
        let (a, b) = (closure.members(pair.a), closure.members(pair.b));
        let together = labels[a[0] as usize] == labels[b[0] as usize];
        if together { (a.len() * b.len()) as f64 } else { 0.0 }
    });
    distances.sum::<f64>() + cannot.sum::<f64>()
}

/// Eq. 7: J_ampcc, where each point goes to the nearest of the centers of its cluster;
/// `representatives` has as many rows for each cluster.
pub fn ampcc<T: Real>(
    points: &Points<'_, T>,
    representatives: &Points<'_, T>,
    per_cluster: usize,
    labels: &[i64],
    closure: &LinkClosure,
) -> f64 {
    let nearest = |row: usize| {
        let own = labels[row] as usize * per_cluster;
        let distance =
            |center: usize| distance_sq_f64(points.row(row), representatives.row(center));
        (own..own + per_cluster).map(distance).fold(f64::INFINITY, f64::min)
    };
    let size =
        |row: usize| closure.group_of(row).map_or(1, |group| closure.members(group).len()) as f64;
    let must = must_pairs(closure).into_iter().filter(|&(a, b)| labels[a] != labels[b]);
    let cannot = cannot_pairs(closure).into_iter().filter(|&(a, b)| labels[a] == labels[b]);
    (0..labels.len()).map(nearest).sum::<f64>()
        + must.map(|(a, _)| size(a)).sum::<f64>()
        + cannot.map(|(a, b)| size(a) * size(b)).sum::<f64>()
}

/// The two rows farthest from each other under a metric, and their squared distance.
pub fn farthest_pair<T: Real>(
    points: &Points<'_, T>,
    distance_sq: impl Fn(&[T], &[T]) -> f64,
) -> (usize, usize, f64) {
    let mut best = (0, 0, 0.0);
    for a in 0..points.n_points() {
        for b in 0..a {
            let sq = distance_sq(points.row(a), points.row(b));
            if sq > best.2 {
                best = (b, a, sq);
            }
        }
    }
    best
}

/// Every assignment to `n_clusters` clusters that breaks no link, tried one by one.
pub fn assignments(n_points: usize, n_clusters: usize, closure: &LinkClosure) -> Vec<Vec<i64>> {
    let (must, cannot) = (must_pairs(closure), cannot_pairs(closure));
    let mut labels = vec![0_i64; n_points];
    let mut found = Vec::new();
    loop {
        if must.iter().all(|&(a, b)| labels[a] == labels[b])
            && cannot.iter().all(|&(a, b)| labels[a] != labels[b])
        {
            found.push(labels.clone());
        }
        let Some(at) = labels.iter().position(|&label| label + 1 < n_clusters as i64) else {
            return found;
        };
        labels[..at].fill(0);
        labels[at] += 1;
    }
}
