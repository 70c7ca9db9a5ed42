//! The generalised eigenproblem L̄·v = λ·(Q − β·I)·v, for its solutions with λ > 0.

use crate::error::Result;
use crate::shared::eigen;
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, Par};

/// Eigenvalues of L̄ below this count as this much. They belong to cuts that cost nothing, whose
/// inverse would drown everything else.
const LEAST_COST: f64 = 1e-6;

/// A feasible cut.
#[derive(Debug, Clone)]
pub(crate) struct Cut {
    /// Of length 1.
    pub(crate) vector: Vec<f64>,
    /// vᵀ·L̄·v.
    pub(crate) cost: f64,
}

/// One entry of a symmetric matrix, off its diagonal; it stands for both (a, b) and (b, a).
pub(crate) type Entry = (usize, usize, f64);

/// The feasible cuts, cheapest first.
///
/// With L̄ = U·Λ·Uᵀ and v = U·Λ^(−1/2)·y the problem is the symmetric one S·y = (1/λ)·y of
/// S = Λ^(−1/2)·(Uᵀ·Q·U − β·I)·Λ^(−1/2).
pub(crate) fn feasible(laplacian: &Mat<f64>, links: &[Entry], beta: f64) -> Result<Vec<Cut>> {
    let n = laplacian.nrows();
    let of_laplacian = eigen::whole(laplacian)?;
    let roots: Vec<f64> = of_laplacian.values.iter().map(|v| v.max(LEAST_COST).sqrt()).collect();
    let vectors = Mat::from_fn(n, n, |row, col| of_laplacian.vectors[col][row] / roots[col]);
    let mut linked = Mat::<f64>::zeros(n, n);
    for &(a, b, value) in links {
        for col in 0..n {
            linked[(a, col)] += value * vectors[(b, col)];
            linked[(b, col)] += value * vectors[(a, col)];
        }
    }
    let mut symmetric = Mat::zeros(n, n);
    matmul(&mut symmetric, Accum::Replace, vectors.transpose(), &linked, 1.0, Par::Seq);
    (0..n).for_each(|at| symmetric[(at, at)] -= beta / (roots[at] * roots[at]));
    let solved = eigen::whole(&symmetric)?;

    let positive = solved.values.iter().zip(&solved.vectors).filter(|&(&value, _)| value > 0.0);
    let mut cuts: Vec<Cut> =
        positive.map(|(_, y)| cut(&vectors, &of_laplacian.values, y)).collect();
    cuts.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    Ok(cuts)
}

/// v = U·Λ^(−1/2)·y at length 1, and its cost.
fn cut(vectors: &Mat<f64>, values: &[f64], y: &[f64]) -> Cut {
    let n = y.len();
    // In the basis of L̄'s eigenvectors length and cost are sums over coordinates y_i/√λ_i.
    let share = |at: usize| y[at] * y[at] / values[at].max(LEAST_COST);
    let length_sq: f64 = (0..n).map(share).sum();
    let cost = (0..n).map(|at| share(at) * values[at].max(0.0)).sum::<f64>() / length_sq;
    let mut vector = vec![0.0; n];
    for (col, y) in y.iter().enumerate() {
        let factor = y / length_sq.sqrt();
        vector.iter_mut().zip(vectors.col(col).iter()).for_each(|(v, u)| *v += factor * u);
    }
    Cut { vector, cost }
}

/// The eigenvalues, largest first, of the symmetric matrix with these entries and zeros elsewhere.
/// Rows without an entry only add zeros, which are left out.
pub(crate) fn spectrum(entries: &[Entry]) -> Result<Vec<f64>> {
    let mut rows: Vec<usize> = entries.iter().flat_map(|&(a, b, _)| [a, b]).collect();
    rows.sort_unstable();
    rows.dedup();
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let place = |row: usize| rows.partition_point(|&other| other < row);
    let mut matrix = Mat::zeros(rows.len(), rows.len());
    for &(a, b, value) in entries {
        let (a, b) = (place(a), place(b));
        matrix[(a, b)] += value;
        matrix[(b, a)] += value;
    }
    let mut values = eigen::whole(&matrix)?.values;
    values.reverse();
    Ok(values)
}
