//! The leading eigenvectors of symmetric matrices.
//!
//! Small matrices are decomposed whole. Of larger ones only what is asked for is sought, in a
//! Krylov space that is restarted (faer's partial eigensolver); there the matrix is only ever
//! multiplied by vectors.

use crate::error::{Error, Result};
use crate::stop::Stoppable;
use faer::diag::Diag;
use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::linalg::evd::{ComputeEigenvectors, self_adjoint_evd, self_adjoint_evd_scratch};
use faer::matrix_free::LinOp;
use faer::matrix_free::eigen::{
    PartialEigenParams, partial_self_adjoint_eigen, partial_self_adjoint_eigen_scratch,
};
use faer::{Col, Mat, MatMut, MatRef, Par};
use rayon::prelude::*;

/// Up to this size the whole decomposition is as quick as the search for a few vectors.
const WHOLE: usize = 1_200;

/// Restarts of the search at the most. Where many eigenvalues are nearly equal it hardly ends; the
/// whole decomposition is quicker then.
const RESTARTS: usize = 50;

/// Residual at which a vector is taken for found, relative to the largest eigenvalue.
const TOLERANCE: f64 = 1e-9;

const NOT_FOUND: Error = Error::Numerical { what: "eigenvectors" };

/// Eigenvalues, and one eigenvector for each.
pub(crate) struct Eigen {
    pub(crate) values: Vec<f64>,
    pub(crate) vectors: Vec<Vec<f64>>,
}

/// The `n_wanted` largest eigenvalues of a symmetric matrix, largest first, with their vectors.
/// The matrix is positive semidefinite or nearly so: "largest" is by size.
pub(crate) fn leading(matrix: &Mat<f64>, n_wanted: usize) -> Result<Eigen> {
    let m = matrix.nrows();
    let n_wanted = n_wanted.min(m);
    if m > WHOLE
        && n_wanted * 4 < m
        && let Some(found) = leading_partial(matrix, n_wanted)
    {
        return Ok(found);
    }
    let Eigen { mut values, mut vectors } = whole(matrix)?;
    values.reverse();
    vectors.reverse();
    values.truncate(n_wanted);
    vectors.truncate(n_wanted);
    Ok(Eigen { values, vectors })
}

/// All eigenvalues, ascending, with their vectors; only the lower triangle is read.
pub(crate) fn whole(matrix: &Mat<f64>) -> Result<Eigen> {
    let m = matrix.nrows();
    let mut values = Diag::zeros(m);
    let mut vectors = Mat::zeros(m, m);
    // On one thread: how the work is split among several would show in the last digits.
    let par = Par::Seq;
    let memory =
        self_adjoint_evd_scratch::<f64>(m, ComputeEigenvectors::Yes, par, Default::default());
    self_adjoint_evd(
        matrix.as_ref(),
        values.as_mut(),
        Some(vectors.as_mut()),
        par,
        MemStack::new(&mut MemBuffer::new(memory)),
        Default::default(),
    )
    .map_err(|_| NOT_FOUND)?;
    let values: Vec<f64> = (0..m).map(|at| values[at]).collect();
    // What is not finite can pass through the solver unseen.
    if values.iter().any(|value| !value.is_finite()) {
        return Err(NOT_FOUND);
    }
    let vectors = (0..m).map(|at| vectors.col(at).iter().copied().collect()).collect();
    Ok(Eigen { values, vectors })
}

/// `None` if the search does not end.
fn leading_partial(matrix: &Mat<f64>, n_wanted: usize) -> Option<Eigen> {
    let m = matrix.nrows();
    let operator = Product(matrix);
    let params = PartialEigenParams { max_restarts: RESTARTS, ..Default::default() };
    let memory = partial_self_adjoint_eigen_scratch::<f64>(&operator, n_wanted, Par::Seq, params);
    let mut vectors = Mat::zeros(m, n_wanted);
    let mut values = vec![0.0; n_wanted];
    // Any vector that is orthogonal to no eigenvector will do; this one is the same every time.
    let start = Col::from_fn(m, |row| 1.0 + ((row + 1) as f64 * 0.754_877_666).fract());
    let start = &start / start.norm_l2();
    let info = partial_self_adjoint_eigen(
        vectors.as_mut(),
        &mut values,
        &operator,
        start.as_ref(),
        TOLERANCE,
        Par::Seq,
        MemStack::new(&mut MemBuffer::new(memory)),
        params,
    );
    if info.n_converged_eigen < n_wanted || values.iter().any(|value| !value.is_finite()) {
        return None;
    }
    let mut order: Vec<usize> = (0..n_wanted).collect();
    order.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
    let vector = |&at: &usize| vectors.col(at).iter().copied().collect();
    Some(Eigen {
        values: order.iter().map(|&at| values[at]).collect(),
        vectors: order.iter().map(vector).collect(),
    })
}

/// A symmetric matrix times vectors, on all cores and with the same sums on any number of them.
#[derive(Debug)]
struct Product<'a>(&'a Mat<f64>);

impl LinOp<f64> for Product<'_> {
    fn apply_scratch(&self, _: usize, _: Par) -> StackReq {
        StackReq::EMPTY
    }

    fn nrows(&self) -> usize {
        self.0.nrows()
    }

    fn ncols(&self) -> usize {
        self.0.ncols()
    }

    fn apply(&self, mut out: MatMut<'_, f64>, rhs: MatRef<'_, f64>, _: Par, _: &mut MemStack) {
        for at in 0..rhs.ncols() {
            let vector = rhs.col(at);
            // Symmetric, so that a column is a row, and its numbers lie side by side.
            let row = |row: usize| self.0.col(row).transpose() * vector;
            let products: Vec<f64> =
                (0..self.nrows()).into_par_iter().with_min_len(16).stoppable().map(row).collect();
            out.as_mut().col_mut(at).iter_mut().zip(products).for_each(|(out, sum)| *out = sum);
        }
    }

    fn conj_apply(
        &self,
        out: MatMut<'_, f64>,
        rhs: MatRef<'_, f64>,
        par: Par,
        stack: &mut MemStack,
    ) {
        self.apply(out, rhs, par, stack);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_finite_has_no_eigenvectors() {
        let broken = Mat::from_fn(4, 4, |row, col| if row == col { f64::NAN } else { 1.0 });
        assert!(matches!(whole(&broken), Err(Error::Numerical { what: "eigenvectors" })));
    }

    /// Distance of a vector's image from its multiple.
    fn residual(matrix: &Mat<f64>, value: f64, vector: &[f64]) -> f64 {
        let image =
            |row: usize| -> f64 { (0..vector.len()).map(|c| matrix[(row, c)] * vector[c]).sum() };
        (0..vector.len()).map(|row| (image(row) - value * vector[row]).powi(2)).sum::<f64>().sqrt()
    }

    #[test]
    fn a_few_vectors_of_a_large_matrix_are_those_of_the_whole() {
        let m = WHOLE + 100;
        // Gaussian affinities of points on a line: positive definite, with a spectrum that falls.
        let matrix = Mat::from_fn(m, m, |a, b| (-((a as f64 - b as f64) / 60.0).powi(2)).exp());
        let few = leading(&matrix, 6).unwrap();
        let all = whole(&matrix).unwrap();
        for at in 0..6 {
            // Another path: the whole decomposition.
            let expected = all.values[m - 1 - at];
            assert!((few.values[at] - expected).abs() < 1e-7 * all.values[m - 1], "{at}");
            assert!(residual(&matrix, few.values[at], &few.vectors[at]) < 1e-5, "{at}");
        }
    }

    #[test]
    fn equal_eigenvalues_are_all_found() {
        // Three blocks of ones of 500: the eigenvalue 500 three times, all others 0.
        let matrix = Mat::from_fn(1_500, 1_500, |a, b| f64::from(u8::from(a / 500 == b / 500)));
        let found = leading(&matrix, 3).unwrap();
        for at in 0..3 {
            assert!((found.values[at] - 500.0).abs() < 1e-6, "{:?}", found.values);
        }
    }
}
