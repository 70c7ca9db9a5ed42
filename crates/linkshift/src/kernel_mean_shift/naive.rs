//! The equations of the paper on vectors of n weights, one function each: slow, obvious, the
//! oracle of the fast path.
//!
//! A matrix is a list of rows. A step of one center costs n²; nothing is factored, nothing merged.
//! The weights 1/h^(d+2) are taken relative to the smallest h, which cancels in the quotient.

use crate::error::Result;
use crate::links::LinkKind;
use crate::pca::leading_eigen;
use crate::points::Points;
use crate::real::Real;
use faer::Mat;

use super::mercer::Mercer;

/// A square matrix, row by row.
pub type Matrix = Vec<Vec<f64>>;

/// Below this share of the largest, an eigenvalue has no inverse (the ⁺ of Eq. 14).
const NEGLIGIBLE: f64 = 1e-12;

/// Eq. 5 for all pairs: K_ij = K(x_i, x_j).
pub fn kernel_matrix<T: Real>(points: &Points<'_, T>, kernel: Mercer) -> Matrix {
    points.rows().map(|x| points.rows().map(|y| kernel.value(x, y)).collect()).collect()
}

/// Eq. 11: the squared distance between Φα and Φβ.
pub fn distance_sq(k: &Matrix, alpha: &[f64], beta: &[f64]) -> f64 {
    form(k, alpha, alpha) + form(k, beta, beta) - 2.0 * form(k, alpha, beta)
}

/// Eq. 12: the weights after one step, with one bandwidth per point and `d` for d_φ.
pub fn shift(k: &Matrix, alpha: &[f64], bandwidths: &[f64], d: f64) -> Vec<f64> {
    let smallest = bandwidths.iter().copied().fold(f64::INFINITY, f64::min);
    // K·α once: eᵢᵀKα is its i-th entry.
    let k_alpha: Vec<f64> = k.iter().map(|row| dot(row, alpha)).collect();
    let own = dot(alpha, &k_alpha);
    let shares: Vec<f64> = (0..k.len())
        .map(|i| {
            let h = bandwidths[i];
            let distance_sq = own + k[i][i] - 2.0 * k_alpha[i];
            // g(x) = exp(−x/2)/2 by Eq. 2; the half cancels.
            (smallest / h).powf(d + 2.0) * (-0.5 * distance_sq / (h * h)).exp()
        })
        .collect();
    let total: f64 = shares.iter().sum();
    shares.into_iter().map(|share| share / total).collect()
}

/// Eqs. 15, 19: S_ij, the inner products of the differences that the must-links stand for.
pub fn scaling_matrix(k: &Matrix, must: &[(usize, usize)]) -> Matrix {
    let entry =
        |&(a, b): &(usize, usize), &(c, d): &(usize, usize)| k[a][c] - k[a][d] - k[b][c] + k[b][d];
    must.iter().map(|i| must.iter().map(|j| entry(i, j)).collect()).collect()
}

/// Eq. 20: K̂ = K − (K_ν1 − K_ν2) S⁺ (K_ν1 − K_ν2)ᵀ.
pub fn project(k: &Matrix, must: &[(usize, usize)]) -> Result<Matrix> {
    if must.is_empty() {
        return Ok(k.clone());
    }
    let inverse = pseudo_inverse(&scaling_matrix(k, must))?;
    let differences: Matrix =
        k.iter().map(|row| must.iter().map(|&(a, b)| row[a] - row[b]).collect()).collect();
    let entry = |i: usize, j: usize| k[i][j] - form(&inverse, &differences[i], &differences[j]);
    Ok((0..k.len()).map(|i| (0..k.len()).map(|j| entry(i, j)).collect()).collect())
}

/// A squared distance that is asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Asked {
    /// One end.
    pub a: usize,
    /// The other end.
    pub b: usize,
    /// Must: at most so far apart; cannot: at least.
    pub kind: LinkKind,
    /// The squared distance.
    pub distance_sq: f64,
    /// γ: how dear it is not to get it.
    pub firmness: f64,
}

/// Davis et al., Algorithm 1, on K itself: each squared distance asked for is projected to in turn,
/// `n_turns` times, by changes of rank one, K ← K + β·(K_a − K_b)(K_a − K_b)ᵀ.
pub fn learn(k: &Matrix, asked: &[Asked], n_turns: usize) -> Matrix {
    let mut k = k.clone();
    let mut targets: Vec<f64> = asked.iter().map(|asked| asked.distance_sq).collect();
    let mut multipliers = vec![0.0_f64; asked.len()];
    for _ in 0..n_turns {
        for (at, &Asked { a, b, kind, firmness, .. }) in asked.iter().enumerate() {
            let delta = if kind == LinkKind::Must { 1.0 } else { -1.0 };
            let p = k[a][a] + k[b][b] - 2.0 * k[a][b];
            let give = firmness / (firmness + 1.0);
            let alpha = multipliers[at].min(delta * give * (1.0 / p - 1.0 / targets[at]));
            let beta = delta * alpha / (1.0 - delta * alpha * p);
            targets[at] = firmness * targets[at] / (firmness + delta * alpha * targets[at]);
            multipliers[at] -= alpha;
            let difference: Vec<f64> = k.iter().map(|row| row[a] - row[b]).collect();
            for (row, left) in k.iter_mut().zip(&difference) {
                for (entry, right) in row.iter_mut().zip(&difference) {
                    *entry += beta * left * right;
                }
            }
        }
    }
    k
}

/// For each point the distance to its k-th other point under K, by Eq. 11.
pub fn bandwidths(matrix: &Matrix, k: usize) -> Vec<f64> {
    let n = matrix.len();
    let from = |i: usize| {
        // Eq. 11 between eᵢ and eⱼ.
        let distance_sq = |j: usize| matrix[i][i] + matrix[j][j] - 2.0 * matrix[i][j];
        let mut distances: Vec<f64> = (0..n).map(|j| distance_sq(j).max(0.0).sqrt()).collect();
        distances.sort_by(f64::total_cmp);
        distances[k.min(n - 1)]
    };
    (0..n).map(from).collect()
}

/// Figure 2: the weights of every point's center after `max_iter` steps, or when a step is no longer
/// than `tolerance`.
pub fn climb(k: &Matrix, bandwidths: &[f64], d: f64, tolerance: f64, max_iter: usize) -> Matrix {
    let n = k.len();
    let climb_from = |i: usize| {
        let mut alpha = unit(n, i);
        for _ in 0..max_iter {
            let next = shift(k, &alpha, bandwidths, d);
            let by_sq = distance_sq(k, &next, &alpha);
            alpha = next;
            if by_sq <= tolerance * tolerance {
                break;
            }
        }
        alpha
    };
    (0..n).map(climb_from).collect()
}

/// eᵢ.
fn unit(n: usize, i: usize) -> Vec<f64> {
    (0..n).map(|j| if i == j { 1.0 } else { 0.0 }).collect()
}

/// aᵀKb.
fn form(k: &Matrix, a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(k).map(|(a, row)| a * dot(row, b)).sum()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// S⁺ = Σ vvᵀ/λ over the eigenvalues λ that are not 0.
fn pseudo_inverse(s: &Matrix) -> Result<Matrix> {
    let m = s.len();
    let (values, vectors) = leading_eigen(&Mat::from_fn(m, m, |i, j| s[i][j]), m)?;
    let mut inverse = vec![vec![0.0; m]; m];
    for (value, v) in values.iter().zip(&vectors) {
        if *value > NEGLIGIBLE * values[0] {
            for i in 0..m {
                for j in 0..m {
                    inverse[i][j] += v[i] * v[j] / value;
                }
            }
        }
    }
    Ok(inverse)
}
