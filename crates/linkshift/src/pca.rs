//! Principal components: the directions in which the points vary most.
//!
//! The components are the eigenvectors of the covariance, a d × d matrix. With fewer points than
//! columns those of the n × n matrix of inner products lead to the same components, so that nothing
//! larger than min(n, d)² is ever decomposed. Both matrices are summed block by block in `f64`;
//! the points are never copied as a whole. Weights count like repeated points.
//!
//! Cost: O(n·d·m + m³) time and O(m²) memory for m = min(n, d).

use crate::error::{Error, Result};
use crate::points::Points;
use crate::real::Real;
use crate::scale::{means, weighted_rows, with_weights_of};
use crate::stop::Stoppable;
use faer::diag::Diag;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd::{ComputeEigenvectors, self_adjoint_evd, self_adjoint_evd_scratch};
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};
use rayon::prelude::*;
use std::ops::Range;

/// Numbers of one block: 2 MB, which stays in a core's cache.
const BLOCK: usize = 1 << 18;

/// Columns of a product that one thread computes. Fixed, so that every sum has the same order for
/// any number of threads.
const PANEL: usize = 128;

/// Loadings this near to the largest one count as equally large when the sign is chosen, lest
/// rounding choose it.
const SIGN_TIE: f64 = 1e-6;

/// A projection to the first principal components.
///
/// The sign of a component is free; here the loading of largest size is positive (the first of
/// them, if several are equally large). Where the points vary in fewer directions than components
/// were asked for, the surplus components are zeros.
///
/// ```
/// use linkshift::{Points, pca::Pca};
///
/// // Three points on a line: one direction tells everything.
/// let points = Points::new(vec![0.0_f64, 0.0, 3.0, 4.0, 6.0, 8.0], 2)?;
/// let pca = Pca::fit(&points, 1)?;
/// assert!((pca.explained()[0] - 1.0).abs() < 1e-12);
/// let flat = pca.apply(&points)?;
/// assert!((flat.row(2)[0] - 5.0).abs() < 1e-12);
/// # Ok::<(), linkshift::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Pca {
    mean: Vec<f64>,
    /// One component after the other, each of length 1 or all zeros.
    components: Vec<f64>,
    explained: Vec<f64>,
}

impl Pca {
    /// Finds the `n_components` directions of largest variance.
    pub fn fit<T: Real>(points: &Points<'_, T>, n_components: usize) -> Result<Self> {
        T::components(points, n_components)
    }

    pub(crate) fn fit_any<T: Real>(points: &Points<'_, T>, n_components: usize) -> Result<Self> {
        let (n, d) = (points.n_points(), points.n_features());
        if n_components == 0 || n_components > d {
            let must = format!("at least 1 and at most {d}, the number of columns");
            return Err(Error::param("n_components", n_components, must));
        }
        let centred = Centred::new(points);
        let products = if d <= n { centred.covariance() } else { centred.inner_products() };
        let total: f64 = (0..products.nrows()).map(|i| products[(i, i)]).sum();
        let (values, vectors) = leading_eigen(&products, n_components)?;
        // Below this an eigenvalue is rounding, not a direction.
        let negligible = n.max(d) as f64 * f64::EPSILON * values[0];

        let mut components = vec![0.0; n_components * d];
        let mut explained = vec![0.0; n_components];
        let real = values.iter().take_while(|&&value| value > negligible);
        for (at, value) in real.enumerate() {
            let direction = if d <= n { vectors[at].clone() } else { centred.sum(&vectors[at]) };
            components[at * d..][..d].copy_from_slice(&unit_with_sign(direction));
            explained[at] = value / total;
        }
        Ok(Self { mean: centred.mean, components, explained })
    }

    /// The coordinates of the points along the components; their weights are kept.
    ///
    /// Fails if the columns are not as many as were fitted.
    pub fn apply<T: Real>(&self, points: &Points<'_, T>) -> Result<Points<'static, T>> {
        let (d, k) = (self.mean.len(), self.explained.len());
        points.expect_features(d)?;
        let components = MatRef::from_column_major_slice(&self.components, d, k);
        let project = |block: &[T]| {
            let n_rows = block.len() / d;
            let centred: Vec<f64> = block
                .chunks_exact(d)
                .flat_map(|row| row.iter().zip(&self.mean).map(|(x, mean)| x.as_f64() - mean))
                .collect();
            let centred = MatRef::from_row_major_slice(&centred, n_rows, d);
            let mut flat = Mat::<f64>::zeros(n_rows, k);
            matmul(&mut flat, Accum::Replace, centred, components, 1.0, Par::Seq);
            (0..n_rows * k).map(|at| T::of(flat[(at / k, at % k)])).collect::<Vec<T>>()
        };
        let blocks: Vec<Vec<T>> =
            points.values().par_chunks(lines_per_block(d) * d).stoppable().map(project).collect();
        with_weights_of(points, Points::new(blocks.concat(), k)?)
    }

    /// The share of the total variance along each component, largest first.
    pub fn explained(&self) -> &[f64] {
        &self.explained
    }

    /// The components in the same order: each one's loadings on the columns.
    pub fn components(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.components.chunks_exact(self.mean.len())
    }
}

/// The points seen from their mean, in units of the farthest value, each times the root of its
/// weight: numbers in [-1, 1], whose products neither overflow nor vanish.
struct Centred<'p, 'a, T: Real> {
    points: &'p Points<'a, T>,
    mean: Vec<f64>,
    unit: f64,
}

impl<'p, 'a, T: Real> Centred<'p, 'a, T> {
    fn new(points: &'p Points<'a, T>) -> Self {
        let mean = means(points);
        let offsets = weighted_rows(points)
            .filter(|&(_, weight)| weight > 0.0)
            .flat_map(|(row, _)| row.iter().zip(&mean).map(|(x, mean)| (x.as_f64() - mean).abs()));
        let farthest = offsets.fold(0.0, f64::max);
        Self { points, mean, unit: if farthest > 0.0 { farthest } else { 1.0 } }
    }

    /// Some columns of all rows.
    fn rows(&self, columns: Range<usize>) -> impl Iterator<Item = impl Iterator<Item = f64>> {
        weighted_rows(self.points).map(move |(row, weight)| {
            let factor = weight.sqrt();
            // A point without weight may lie any number of units away; it must still become 0.
            let unit = if weight > 0.0 { self.unit } else { f64::INFINITY };
            let offsets = row[columns.clone()].iter().zip(&self.mean[columns.clone()]);
            offsets.map(move |(x, mean)| (x.as_f64() - mean) / unit * factor)
        })
    }

    /// The covariance of the columns, up to a factor; lower triangle only.
    fn covariance(&self) -> Mat<f64> {
        let d = self.mean.len();
        let mut products = Mat::zeros(d, d);
        let mut rows = self.rows(0..d).peekable();
        while rows.peek().is_some() {
            let block: Vec<f64> = rows.by_ref().take(lines_per_block(d)).flatten().collect();
            let columns = MatRef::from_column_major_slice(&block, d, block.len() / d);
            add_products(&mut products, columns);
        }
        products
    }

    /// The inner products of the rows; lower triangle only.
    fn inner_products(&self) -> Mat<f64> {
        let (n, d) = (self.points.n_points(), self.mean.len());
        let mut products = Mat::zeros(n, n);
        let width = lines_per_block(n);
        for start in (0..d).step_by(width) {
            let block: Vec<f64> = self.rows(start..d.min(start + width)).flatten().collect();
            add_products(&mut products, MatRef::from_row_major_slice(&block, n, block.len() / n));
        }
        products
    }

    /// The sum of all rows, each times its factor: turns an eigenvector of the inner products into
    /// one of the covariance.
    fn sum(&self, factors: &[f64]) -> Vec<f64> {
        let mut sum = vec![0.0; self.mean.len()];
        for (row, factor) in self.rows(0..self.mean.len()).zip(factors) {
            for (sum, x) in sum.iter_mut().zip(row) {
                *sum += factor * x;
            }
        }
        sum
    }
}

fn lines_per_block(line_len: usize) -> usize {
    (BLOCK / line_len).max(1)
}

/// Adds a·aᵀ to the lower triangle of `products`.
pub(crate) fn add_products(products: &mut Mat<f64>, a: MatRef<'_, f64>) {
    products.par_col_chunks_mut(PANEL).enumerate().stoppable().for_each(|(panel, columns)| {
        let start = panel * PANEL;
        let n_columns = columns.ncols();
        let below = columns.subrows_mut(start, a.nrows() - start);
        let left = a.subrows(start, a.nrows() - start);
        let right = a.subrows(start, n_columns).transpose();
        matmul(below, Accum::Add, left, right, 1.0, Par::Seq);
    });
}

/// The `n_wanted` largest eigenvalues, largest first, and the eigenvectors that belong to them.
pub(crate) fn leading_eigen(
    lower: &Mat<f64>,
    n_wanted: usize,
) -> Result<(Vec<f64>, Vec<Vec<f64>>)> {
    let m = lower.nrows();
    let mut values = Diag::zeros(m);
    let mut vectors = Mat::zeros(m, m);
    // On one thread: how the work is split among several would show in the last digits.
    let par = Par::Seq;
    let memory =
        self_adjoint_evd_scratch::<f64>(m, ComputeEigenvectors::Yes, par, Default::default());
    self_adjoint_evd(
        lower.as_ref(),
        values.as_mut(),
        Some(vectors.as_mut()),
        par,
        MemStack::new(&mut MemBuffer::new(memory)),
        Default::default(),
    )
    .map_err(|_| Error::Numerical { what: "principal axes" })?;
    let leading = (0..m).rev().take(n_wanted);
    Ok(leading.map(|at| (values[at], vectors.col(at).iter().copied().collect())).unzip())
}

/// The vector at length 1, its largest loading positive.
fn unit_with_sign(mut vector: Vec<f64>) -> Vec<f64> {
    let largest = vector.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
    let deciding = vector.iter().find(|x| x.abs() >= largest * (1.0 - SIGN_TIE));
    let sign = if deciding.is_some_and(|&x| x < 0.0) { -1.0 } else { 1.0 };
    let length = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
    vector.iter_mut().for_each(|x| *x *= sign / length);
    vector
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Eigenvectors of small, well separated matrices: some hundred roundings.
    const ROUNDING: f64 = 1e-10;

    /// 7 × 4 numbers without a pattern.
    const VALUES: [f64; 28] = [
        2.0, -1.0, 0.5, 3.0, 1.0, 4.0, -2.0, 0.0, -3.0, 2.5, 1.5, 1.0, 0.0, 0.5, 6.0, -2.0, 5.0,
        1.0, 1.0, 2.0, -1.0, -4.0, 2.0, 0.5, 3.0, 3.0, -1.0, -1.5,
    ];

    fn assert_close(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        for (a, b) in found.iter().zip(expected) {
            assert!((a - b).abs() < ROUNDING, "{found:?} is not {expected:?}");
        }
    }

    #[test]
    fn components_are_those_of_scikit_learn() {
        let points = Points::new(&VALUES[..], 4).unwrap();
        let pca = Pca::fit(&points, 2).unwrap();
        // Outside: scikit-learn 1.9.1, PCA(2), signs turned to our rule.
        assert_close(pca.explained(), &[0.47066610552888927, 0.28231165469013086]);
        let first: Vec<f64> = pca.components().flatten().copied().collect();
        assert_close(
            &first,
            &[
                -0.4832884857054097,
                -0.6065906181242329,
                0.6296404924280703,
                -0.04508782411216883,
                -0.633213365166758,
                0.6353626532995448,
                0.0951643529232622,
                -0.43162353839781403,
            ],
        );
        assert_close(
            pca.apply(&points).unwrap().row(0),
            &[0.12252794081882927, -2.9842387611966745],
        );
    }

    #[test]
    fn more_columns_than_points_give_the_same_plane() {
        // Another path: 28 columns of which 24 are zero are decomposed by inner products (7 points
        // < 28 columns), the 4 others by their covariance.
        let narrow = Points::new(&VALUES[..], 4).unwrap();
        let padded: Vec<f64> =
            narrow.rows().flat_map(|row| row.iter().copied().chain([0.0; 24])).collect();
        let wide = Points::new(padded, 28).unwrap();
        let (from_narrow, from_wide) = (Pca::fit(&narrow, 4).unwrap(), Pca::fit(&wide, 4).unwrap());
        assert_close(from_wide.explained(), from_narrow.explained());
        let (flat, flat_wide) = (from_narrow.apply(&narrow), from_wide.apply(&wide));
        assert_close(flat_wide.unwrap().values(), flat.unwrap().values());
    }

    #[test]
    fn equal_points_have_zero_components() {
        for n_features in [1, 3, 30] {
            let points = Points::new(vec![0.1; 5 * n_features], n_features).unwrap();
            let pca = Pca::fit(&points, n_features).unwrap();
            assert!(pca.components().flatten().all(|&loading| loading == 0.0));
            assert!(pca.explained().iter().all(|&share| share == 0.0));
            assert!(pca.apply(&points).unwrap().values().iter().all(|&x| x == 0.0));
        }
    }

    #[test]
    fn components_beyond_the_rank_are_zero() {
        // Two points vary in one direction only, whatever the columns.
        let points = Points::new(vec![1.0, 2.0, 3.0, 2.0, 0.0, 5.0], 3).unwrap();
        let pca = Pca::fit(&points, 3).unwrap();
        assert_close(pca.explained(), &[1.0, 0.0, 0.0]);
        assert!(pca.components().skip(1).flatten().all(|&loading| loading == 0.0));
    }

    #[test]
    fn the_largest_and_smallest_numbers_neither_overflow_nor_vanish() {
        // Derived: both columns vary alike, so the only direction is the diagonal.
        for size in [1e150, 1e-300] {
            let points = Points::new(vec![-size, -size, size, size], 2).unwrap();
            let pca = Pca::fit(&points, 1).unwrap();
            assert_close(pca.components().next().unwrap(), &[0.5_f64.sqrt(); 2]);
        }
    }

    #[test]
    fn doubling_a_point_is_weight_two() {
        let doubled = [&VALUES[..], &VALUES[..4]].concat();
        let doubled = Pca::fit(&Points::new(doubled, 4).unwrap(), 4).unwrap();
        let weights = vec![2.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0];
        let weighted = Points::new(&VALUES[..], 4).unwrap().with_weights(weights).unwrap();
        let weighted = Pca::fit(&weighted, 4).unwrap();
        assert_close(weighted.explained(), doubled.explained());
        assert_close(&weighted.components, &doubled.components);
    }

    #[test]
    fn a_point_without_weight_is_absent_however_far() {
        let near = vec![0.0, 0.0, 3e-300, 4e-300];
        let far = [&near[..], &[1e100, -1e100]].concat();
        let far = Points::new(far, 2).unwrap().with_weights(vec![1.0, 1.0, 0.0]).unwrap();
        let expected = Pca::fit(&Points::new(near, 2).unwrap(), 1).unwrap();
        assert_close(&Pca::fit(&far, 1).unwrap().components, &expected.components);
    }

    #[test]
    fn the_number_of_threads_does_not_show() {
        // 1,000 rows of 300 columns: several panels, several blocks.
        let values: Vec<f64> = (0..1_000 * 300_u64).map(|i| (i * i % 1_009) as f64).collect();
        let points = Points::new(values, 300).unwrap();
        let fit_with = |n_threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
            pool.install(|| {
                let pca = Pca::fit(&points, 3).unwrap();
                let flat = pca.apply(&points).unwrap();
                (pca, flat)
            })
        };
        let alone = fit_with(1);
        assert!(alone == fit_with(2) && alone == fit_with(7));
    }

    #[test]
    fn components_that_cannot_be_are_refused() {
        let points = Points::new(vec![1.0, 2.0], 2).unwrap();
        for n_components in [0, 3] {
            let error = Pca::fit(&points, n_components).unwrap_err();
            assert!(matches!(error, Error::Param { name: "n_components", .. }));
        }
        let pca = Pca::fit(&points, 1).unwrap();
        assert!(pca.apply(&Points::new(vec![1.0], 1).unwrap()).is_err());
    }

    proptest! {
        #[test]
        fn all_components_together_keep_every_distance(
            values in prop::collection::vec(-10.0..10.0, 12..60),
            n_features in 1..12_usize,
        ) {
            let values = &values[..values.len() / n_features * n_features];
            let points = Points::new(values, n_features).unwrap();
            let flat = Pca::fit(&points, n_features).unwrap().apply(&points).unwrap();
            let distance_sq = |points: &Points<'_, f64>, i: usize| -> f64 {
                points.row(0).iter().zip(points.row(i)).map(|(a, b)| (a - b).powi(2)).sum()
            };
            for i in 0..points.n_points() {
                let (before, after) = (distance_sq(&points, i), distance_sq(&flat, i));
                // Squared distances up to 5,000, and directions below 1e-13 of the variance dropped.
                prop_assert!((before - after).abs() < 1e-6, "{before} is not {after}");
            }
        }
    }
}
