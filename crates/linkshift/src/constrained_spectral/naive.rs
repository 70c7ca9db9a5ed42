//! Constrained spectral clustering as the paper says, matrix by matrix: slow, obvious, the oracle of
//! the fast path. The pencil is solved as it stands, by the QZ algorithm; nothing is made symmetric.
//! The clusters of the embedding are found by [`KMeans`], which has an oracle of its own.

use crate::distance::distance_sq_f64;
use crate::error::{Error, Result};
use crate::kmeans::{KMeans, KMeansParams};
use crate::links::{LinkKind, Links};
use crate::points::Points;
use crate::real::Real;
use faer::Mat;

/// Starts of k-means, as on the fast path.
const STARTS: usize = 10;

/// A: exp(−|x−y|²/(2σ²)), with zeros on the diagonal.
pub fn affinity<T: Real>(points: &Points<'_, T>, sigma: f64) -> Mat<f64> {
    let n = points.n_points();
    Mat::from_fn(n, n, |a, b| {
        let distance_sq = distance_sq_f64(points.row(a), points.row(b));
        if a == b { 0.0 } else { (-distance_sq / (2.0 * sigma * sigma)).exp() }
    })
}

/// The row sums of A.
pub fn degrees(affinity: &Mat<f64>) -> Vec<f64> {
    let n = affinity.nrows();
    (0..n).map(|a| (0..n).map(|b| affinity[(a, b)]).sum()).collect()
}

/// L̄ = I − D^(−1/2)·A·D^(−1/2).
pub fn laplacian(affinity: &Mat<f64>) -> Mat<f64> {
    let (n, degrees) = (affinity.nrows(), degrees(affinity));
    Mat::from_fn(n, n, |a, b| {
        let identity = if a == b { 1.0 } else { 0.0 };
        identity - affinity[(a, b)] / (degrees[a] * degrees[b]).sqrt()
    })
}

/// Q: the confidence of a must-link, less that of a cannot-link. (No pair is linked twice.)
pub fn link_matrix(links: &Links, n: usize) -> Mat<f64> {
    let mut matrix = Mat::zeros(n, n);
    for link in links {
        let value = match link.kind {
            LinkKind::Must => link.confidence,
            LinkKind::Cannot => -link.confidence,
        };
        matrix[(link.a, link.b)] = value;
        matrix[(link.b, link.a)] = value;
    }
    matrix
}

/// A solution of L̄·v = λ·(Q − β·I)·v, v of length 1, and its cost vᵀ·L̄·v.
#[derive(Debug, Clone)]
pub struct NaiveCut {
    /// λ.
    pub lambda: f64,
    /// v.
    pub vector: Vec<f64>,
    /// vᵀ·L̄·v.
    pub cost: f64,
}

/// The solutions with λ > 0 that are cuts, with entries of both signs; the cheapest first.
pub fn feasible_cuts(laplacian: &Mat<f64>, links: &Mat<f64>, beta: f64) -> Result<Vec<NaiveCut>> {
    let n = laplacian.nrows();
    let right = Mat::from_fn(n, n, |a, b| links[(a, b)] - if a == b { beta } else { 0.0 });
    let solved = laplacian
        .generalized_eigen(&right)
        .map_err(|_| Error::Numerical { what: "eigenvectors" })?;
    let mut cuts = Vec::new();
    for at in 0..n {
        let lambda = (solved.S_a()[at] / solved.S_b()[at]).re;
        let mut vector: Vec<f64> = (0..n).map(|row| solved.U()[(row, at)].re).collect();
        let length = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
        vector.iter_mut().for_each(|x| *x /= length);
        let cost = (0..n)
            .flat_map(|a| (0..n).map(move |b| (a, b)))
            .map(|(a, b)| vector[a] * laplacian[(a, b)] * vector[b])
            .sum();
        let is_cut = vector.iter().any(|&x| x > 0.0) && vector.iter().any(|&x| x < 0.0);
        if lambda > 0.0 && is_cut {
            cuts.push(NaiveCut { lambda, vector, cost });
        }
    }
    cuts.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    Ok(cuts)
}

/// The cluster of each point: k-means on D^(−1/2)·v of the k − 1 cheapest cuts, each at length √vol
/// and times 1 − its cost.
pub fn fit<T: Real>(
    points: &Points<'_, T>,
    links: &Links,
    n_clusters: usize,
    sigma: f64,
    beta: f64,
    seed: u64,
) -> Result<Vec<i64>> {
    let affinity = affinity(points, sigma);
    let degrees = degrees(&affinity);
    let volume: f64 = degrees.iter().sum();
    let cuts = feasible_cuts(&laplacian(&affinity), &link_matrix(links, degrees.len()), beta)?;
    let taken = &cuts[..cuts.len().min(n_clusters - 1)];
    if taken.is_empty() {
        return Ok(vec![0; degrees.len()]);
    }
    let coordinate = |row: usize, cut: &NaiveCut| {
        volume.sqrt() * cut.vector[row] / degrees[row].sqrt() * (1.0 - cut.cost)
    };
    let rows = (0..degrees.len()).flat_map(|row| taken.iter().map(move |cut| coordinate(row, cut)));
    let embedding = Points::new(rows.collect::<Vec<f64>>(), taken.len())?;
    let params = KMeansParams { n_init: STARTS, seed, ..KMeansParams::of(n_clusters) };
    Ok(KMeans::new(params)?.fit(&embedding, &Links::new())?.labels().to_vec())
}
