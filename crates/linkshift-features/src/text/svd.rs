//! The leading right singular vectors of a sparse matrix, by randomised subspace iteration.
//!
//! A few more random directions than are wanted go through A and Aᵀ in turn (Halko, Martinsson &
//! Tropp, "Finding structure with randomness", SIAM Review 2011, algorithm 4.4); each passage leaves
//! more of the leading ones. Directions are made orthonormal by the eigenvectors of their inner
//! products, a matrix as small as the number of directions, which at the end also puts them in order.

use super::sparse::Sparse;
use crate::error::Result;
use faer::diag::Diag;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd::{ComputeEigenvectors, self_adjoint_evd, self_adjoint_evd_scratch};
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatMut, MatRef, Par};
use linkshift::Error;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use rayon::prelude::*;

/// Directions beyond those wanted: the usual number, with which the error bound of Halko et al. is
/// within a small factor of the best.
const SURPLUS: usize = 10;

/// Passages through AᵀA after the first. The singular values of texts fall slowly, which is when
/// passages are needed; from 4 on cosines between points change by less than 1 %.
const PASSAGES: usize = 4;

/// Rows of a dense matrix that one thread multiplies at a time. Fixed, so that every sum has the same
/// order for any number of threads.
const BLOCK: usize = 1_024;

/// Inner products below this share of the largest are rounding, not a direction.
const NEGLIGIBLE: f64 = 1e-12;

/// Loadings this near to the largest one count as equally large when the sign is chosen, lest
/// rounding choose it.
const SIGN_TIE: f64 = 1e-6;

/// Vectors side by side: `width` numbers in each row.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Dense {
    pub(super) values: Vec<f64>,
    pub(super) width: usize,
}

/// The right singular vectors of the `n_wanted` largest singular values, largest first; fewer where
/// the matrix has a lower rank. Of each the loading of largest size is positive.
pub(super) fn right_vectors(matrix: &Sparse, n_wanted: usize, seed: u64) -> Result<Dense> {
    let most = matrix.n_rows().min(matrix.n_columns());
    let n_wanted = n_wanted.min(most);
    let width = (n_wanted + SURPLUS).min(most);
    let transposed = matrix.transposed();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let random = StandardNormal.sample_iter(&mut rng).take(matrix.n_columns() * width).collect();
    let mut right = Dense { values: random, width };
    for _ in 0..=PASSAGES {
        let left = orthonormal(&through(matrix, &right))?;
        right = orthonormal(&through(&transposed, &left))?;
    }
    Ok(leading(&right, n_wanted))
}

fn through(matrix: &Sparse, dense: &Dense) -> Dense {
    Dense { values: matrix.times(&dense.values, dense.width), width: dense.width }
}

/// Orthonormal columns that span the same, the longest direction first; directions that are nothing
/// but rounding are left out.
fn orthonormal(dense: &Dense) -> Result<Dense> {
    // Y·W·Λ^(−1/2) for YᵀY = W·Λ·Wᵀ.
    let (values, vectors) = eigen(&inner_products(dense))?;
    let width = dense.width;
    let least = values[width - 1] * NEGLIGIBLE;
    let kept: Vec<usize> = (0..width).rev().filter(|&at| values[at] > least).collect();
    if kept.is_empty() {
        return Err(Error::param("texts", "given", "of finite weights, not all zero").into());
    }
    let turn = Mat::from_fn(width, kept.len(), |row, at| {
        vectors[(row, kept[at])] / values[kept[at]].sqrt()
    });
    let nearly = times(dense, &turn);
    // What rounding left of the inner products, mended by the nearest orthonormal columns,
    // Y·(YᵀY)^(−1/2): these stay in their order.
    let (values, vectors) = eigen(&inner_products(&nearly))?;
    let scaled = Mat::from_fn(kept.len(), kept.len(), |row, at| {
        vectors[(row, at)] / values[at].max(f64::MIN_POSITIVE).sqrt()
    });
    let mut mend = Mat::zeros(kept.len(), kept.len());
    matmul(&mut mend, Accum::Replace, &scaled, vectors.transpose(), 1.0, Par::Seq);
    Ok(times(&nearly, &mend))
}

/// Each row times a small matrix.
fn times(dense: &Dense, small: &Mat<f64>) -> Dense {
    let width = small.ncols();
    let product = |block: &[f64]| {
        let n_rows = block.len() / dense.width;
        let mut out = vec![0.0; n_rows * width];
        let block = MatRef::from_row_major_slice(block, n_rows, dense.width);
        let product = MatMut::from_row_major_slice_mut(&mut out, n_rows, width);
        matmul(product, Accum::Replace, block, small.as_ref(), 1.0, Par::Seq);
        out
    };
    let blocks: Vec<Vec<f64>> = dense.values.par_chunks(BLOCK * dense.width).map(product).collect();
    Dense { values: blocks.concat(), width }
}

/// YᵀY, block after block.
fn inner_products(dense: &Dense) -> Mat<f64> {
    let width = dense.width;
    let products = |block: &[f64]| {
        let block = MatRef::from_row_major_slice(block, block.len() / width, width);
        let mut products = Mat::zeros(width, width);
        matmul(&mut products, Accum::Replace, block.transpose(), block, 1.0, Par::Seq);
        products
    };
    let blocks: Vec<Mat<f64>> = dense.values.par_chunks(BLOCK * width).map(products).collect();
    blocks.into_iter().fold(Mat::zeros(width, width), |sum, block| sum + block)
}

/// Eigenvalues, ascending, and their vectors as columns.
fn eigen(matrix: &Mat<f64>) -> Result<(Vec<f64>, Mat<f64>)> {
    let size = matrix.nrows();
    let mut values = Diag::zeros(size);
    let mut vectors = Mat::zeros(size, size);
    // On one thread: how the work is split among several would show in the last digits.
    let par = Par::Seq;
    let memory =
        self_adjoint_evd_scratch::<f64>(size, ComputeEigenvectors::Yes, par, Default::default());
    self_adjoint_evd(
        matrix.as_ref(),
        values.as_mut(),
        Some(vectors.as_mut()),
        par,
        MemStack::new(&mut MemBuffer::new(memory)),
        Default::default(),
    )
    .map_err(|_| Error::param("texts", "given", "of finite weights: no basis was found"))?;
    Ok(((0..size).map(|at| values[at]).collect(), vectors))
}

/// The first columns, each with its sign chosen.
fn leading(dense: &Dense, n_wanted: usize) -> Dense {
    let width = n_wanted.min(dense.width);
    let rows = || dense.values.chunks_exact(dense.width);
    let sign = |at: usize| {
        let largest = rows().fold(0.0_f64, |largest, row| largest.max(row[at].abs()));
        let deciding = rows().find(|row| row[at].abs() >= largest * (1.0 - SIGN_TIE));
        if deciding.is_some_and(|row| row[at] < 0.0) { -1.0 } else { 1.0 }
    };
    let signs: Vec<f64> = (0..width).map(sign).collect();
    let values = rows().flat_map(|row| row.iter().zip(&signs).map(|(x, sign)| x * sign)).collect();
    Dense { values, width }
}
