//! Where similarities come from: points and a kernel, or a matrix that was given.

use super::mercer::Mercer;
use crate::bandwidth;
use crate::error::{KernelError, Result};
use crate::pca::leading_eigen;
use crate::points::Points;
use crate::real::Real;
use crate::stop;
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};

/// The n × n similarities, any column of which can be had; K itself is never made.
pub(super) enum Gram<'p, 'a, T: Real> {
    Of(&'p Points<'a, T>, Mercer),
    /// A matrix as it was given: square and symmetric, up to rounding.
    Given(&'p Points<'a, T>),
    /// A matrix made positive semi-definite.
    Repaired(Mat<f64>),
}

impl<'p, 'a, T: Real> Gram<'p, 'a, T> {
    pub(super) fn new(points: &'p Points<'a, T>, kernel: Mercer, repair: bool) -> Result<Self> {
        kernel.accept(points)?;
        if kernel != Mercer::Precomputed {
            return Ok(Gram::Of(points, kernel));
        }
        check_symmetry(points)?;
        if repair { Ok(Gram::Repaired(without_negative(points)?)) } else { Ok(Gram::Given(points)) }
    }

    pub(super) fn n_points(&self) -> usize {
        match self {
            Gram::Of(points, _) | Gram::Given(points) => points.n_points(),
            Gram::Repaired(matrix) => matrix.nrows(),
        }
    }

    /// K(i, j).
    #[inline(always)]
    pub(super) fn value(&self, i: usize, j: usize) -> f64 {
        match self {
            Gram::Of(points, kernel) => kernel.value(points.row(i), points.row(j)),
            // The mean of both entries: they may differ by rounding.
            Gram::Given(points) => (points.row(i)[j].as_f64() + points.row(j)[i].as_f64()) / 2.0,
            Gram::Repaired(matrix) => matrix[(i, j)],
        }
    }

    /// Half the mean squared distance between two points in feature space, from a sample: their
    /// variance around their mean.
    pub(super) fn variance(&self, seed: u64) -> f64 {
        let rows = bandwidth::sample(self.n_points(), SAMPLE, seed);
        let own: f64 = rows.iter().map(|&i| self.value(i, i)).sum();
        let shared: f64 = rows
            .iter()
            .flat_map(|&i| rows.iter().map(move |&j| (i, j)))
            .map(|(i, j)| self.value(i, j))
            .sum();
        let n = rows.len() as f64;
        own / n - shared / (n * n)
    }

    /// Fails if the given matrix is no matrix of inner products, shown by what `rows`, its factor of
    /// `rank` columns, leaves unexplained: of a positive semi-definite matrix that is one again, so
    /// |R_ij| ≤ √(R_ii·R_jj). No eigenvalue is needed to see it.
    pub(super) fn check_positive(&self, rows: &[f64], rank: usize) -> Result<()> {
        let Gram::Given(points) = self else { return Ok(()) };
        let n = points.n_points();
        let largest = (0..n).map(|i| self.value(i, i).abs()).fold(0.0, f64::max);
        let slack = rounding::<T>() * largest;
        let factor = MatRef::from_row_major_slice(rows, n, rank);
        let left_on_diagonal: Vec<f64> = (0..n)
            .map(|i| self.value(i, i) - rows[i * rank..][..rank].iter().map(|g| g * g).sum::<f64>())
            .collect();
        for start in (0..n).step_by(BLOCK) {
            stop::look();
            let n_rows = BLOCK.min(n - start);
            let mut explained = Mat::<f64>::zeros(n_rows, n);
            let block = factor.subrows(start, n_rows);
            matmul(&mut explained, Accum::Replace, block, factor.transpose(), 1.0, Par::Seq);
            for at in 0..n_rows {
                let row = start + at;
                for col in 0..=row {
                    let left = self.value(row, col) - explained[(at, col)];
                    let allowed = (left_on_diagonal[row].max(0.0) * left_on_diagonal[col].max(0.0))
                        .sqrt()
                        + slack;
                    if left.abs() > allowed {
                        return Err(KernelError::NotPositive { row, col }.into());
                    }
                }
            }
        }
        Ok(())
    }
}

/// Points from which the variance is estimated.
const SAMPLE: usize = 200;

/// Rows checked at once.
const BLOCK: usize = 256;

/// How far from exact a matrix in this type may be, as a share of its largest entry: products and
/// sums on the way to it cost digits, half of them at the most.
fn rounding<T: Real>() -> f64 {
    T::epsilon().as_f64().sqrt()
}

fn check_symmetry<T: Real>(matrix: &Points<'_, T>) -> Result<()> {
    let (n, n_columns) = (matrix.n_points(), matrix.n_features());
    if n != n_columns {
        return Err(KernelError::NotSquare { n_rows: n, n_columns }.into());
    }
    let largest = matrix.values().iter().fold(T::zero(), |most, value| most.max(value.abs()));
    let slack = largest.as_f64() * rounding::<T>();
    for row in 0..n {
        for col in 0..row {
            let (here, there) = (matrix.row(row)[col].as_f64(), matrix.row(col)[row].as_f64());
            if (here - there).abs() > slack {
                return Err(KernelError::NotSymmetric { row, col, here, there }.into());
            }
        }
    }
    Ok(())
}

/// The nearest positive semi-definite matrix: negative eigenvalues become 0.
fn without_negative<T: Real>(matrix: &Points<'_, T>) -> Result<Mat<f64>> {
    let n = matrix.n_points();
    let given = Gram::Given(matrix);
    let symmetric = Mat::from_fn(n, n, |i, j| given.value(i, j));
    let (values, vectors) = leading_eigen(&symmetric, n)?;
    let scaled = Mat::from_fn(n, n, |i, at| vectors[at][i] * values[at].max(0.0).sqrt());
    let mut nearest = Mat::zeros(n, n);
    matmul(&mut nearest, Accum::Replace, &scaled, scaled.transpose(), 1.0, Par::Seq);
    Ok(nearest)
}
