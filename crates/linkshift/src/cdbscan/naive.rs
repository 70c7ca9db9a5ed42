//! DBSCAN as its definition says, the oracle for C-DBSCAN without links; and the test of a
//! neighbourhood by all its pairs.

use crate::distance::distance_sq_f64;
use crate::points::Points;
use crate::real::Real;

/// The labels of DBSCAN: chains of core points are clusters, numbered by first member; a border
/// point belongs to its nearest core point, of equally near ones the first; the rest is −1.
pub fn dbscan<T: Real>(points: &Points<'_, T>, eps: f64, min_points: usize) -> Vec<i64> {
    let n = points.n_points();
    let distance_sq = |a: usize, b: usize| distance_sq_f64(points.row(a), points.row(b));
    let reaches = |a: usize, b: usize| distance_sq(a, b) < eps * eps;
    let is_core: Vec<bool> =
        (0..n).map(|a| (0..n).filter(|&b| reaches(a, b)).count() >= min_points).collect();
    // The first core row of each cluster stands for it.
    let mut cluster = vec![-1; n];
    for first in 0..n {
        if !is_core[first] || cluster[first] >= 0 {
            continue;
        }
        let mut stack = vec![first];
        while let Some(core) = stack.pop() {
            cluster[core] = first as i64;
            stack.extend((0..n).filter(|&b| is_core[b] && cluster[b] < 0 && reaches(core, b)));
        }
    }
    let of_cores = cluster.clone();
    for row in (0..n).filter(|&row| !is_core[row]) {
        let within = (0..n).filter(|&core| is_core[core] && reaches(core, row));
        let nearest = within.min_by(|&a, &b| distance_sq(a, row).total_cmp(&distance_sq(b, row)));
        cluster[row] = nearest.map_or(-1, |core| of_cores[core]);
    }
    crate::shared::relabel::number_by_first_member(&cluster).0
}
