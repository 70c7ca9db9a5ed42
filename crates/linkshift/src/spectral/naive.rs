//! Spectral clustering after mean shift as the paper says, formula by formula: slow, obvious, the
//! oracle of the fast path. (Eq. 3 is [`silverman`](crate::bandwidth::silverman), Eq. 6 is
//! [`mean`](crate::mean_shift::naive::mean) with the Gaussian profile.)

use crate::distance::distance_sq_f64;
use crate::points::Points;
use crate::real::Real;

/// Eq. 7: K_kl = exp(−|x_k − x_l|²/(2σ²)), or with a σ for each point exp(−|x_k − x_l|²/(2·σ_k·σ_l)).
pub fn kernel<T: Real>(
    points: &Points<'_, T>,
    sigma: impl Fn(usize) -> f64,
    k: usize,
    l: usize,
) -> f64 {
    (-distance_sq_f64(points.row(k), points.row(l)) / (2.0 * sigma(k) * sigma(l))).exp()
}

/// Eq. 9: D_ij, the kernel summed over the points of mode i and those of mode j (times their
/// weights, which the paper does not have).
pub fn graph_cut<T: Real>(
    points: &Points<'_, T>,
    mode_of: &[u32],
    sigma: impl Fn(usize) -> f64 + Copy,
    i: u32,
    j: u32,
) -> f64 {
    let mut sum = 0.0;
    for k in (0..points.n_points()).filter(|&k| mode_of[k] == i) {
        for l in (0..points.n_points()).filter(|&l| mode_of[l] == j) {
            let weight = points.weight(k).as_f64() * points.weight(l).as_f64();
            sum += weight * kernel(points, sigma, k, l);
        }
    }
    sum
}

/// Eq. 8: K̃_ij = D_ij / (√D_ii·√D_jj), row by row.
pub fn quantised_affinity<T: Real>(
    points: &Points<'_, T>,
    mode_of: &[u32],
    n_modes: usize,
    sigma: impl Fn(usize) -> f64 + Copy,
) -> Vec<Vec<f64>> {
    let d = |i: usize, j: usize| graph_cut(points, mode_of, sigma, i as u32, j as u32);
    (0..n_modes)
        .map(|i| (0..n_modes).map(|j| d(i, j) / (d(i, i).sqrt() * d(j, j).sqrt())).collect())
        .collect()
}

/// Steps 3 to 5 of the paper's outline: remove the weakest edge of the complete graph, over and
/// over, until it has fallen into `n_clusters` trees. Of equally weak edges the one between modes
/// farther apart goes first. Returns the tree of each mode, numbered by its first mode.
pub fn cut_edges<T: Real>(
    affinity: &[Vec<f64>],
    modes: &Points<'_, T>,
    n_clusters: usize,
) -> Vec<usize> {
    let n = affinity.len();
    let mut edges: Vec<(usize, usize)> =
        (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).collect();
    let distance_sq = |(a, b): (usize, usize)| distance_sq_f64(modes.row(a), modes.row(b));
    edges.sort_by(|&x, &y| {
        let weaker = affinity[x.0][x.1].total_cmp(&affinity[y.0][y.1]);
        weaker.then(distance_sq(y).total_cmp(&distance_sq(x))).then(y.cmp(&x))
    });
    let mut weakest = 0;
    loop {
        let trees = connected(n, &edges[weakest..]);
        let n_trees = trees.iter().max().map_or(0, |last| last + 1);
        if n_trees >= n_clusters.min(n) {
            return trees;
        }
        weakest += 1;
    }
}

/// The component of each node, numbered by first node.
fn connected(n: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut of = vec![usize::MAX; n];
    let mut n_components = 0;
    for first in 0..n {
        if of[first] != usize::MAX {
            continue;
        }
        let mut stack = vec![first];
        while let Some(node) = stack.pop() {
            of[node] = n_components;
            for &(a, b) in edges.iter().filter(|&&(a, b)| a == node || b == node) {
                let other = if a == node { b } else { a };
                if of[other] == usize::MAX {
                    stack.push(other);
                }
            }
        }
        n_components += 1;
    }
    of
}
