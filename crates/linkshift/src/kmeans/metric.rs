//! Metrics that MPCKMeans learns: |x − y|²_A = (x − y)ᵀ A (x − y).

use super::params::MetricKind;
use crate::error::Result;
use crate::pca::leading_eigen;
use crate::predictor::whole;
use crate::real::Real;
use faer::Mat;

/// Variances below this share of that of all points are taken for it: a cluster of one point, or
/// one that is flat, must not make a distance infinite.
const LEAST_SHARE: f64 = 1e-6;

/// A learned metric A, kept as a root of it: A = RᵀR.
#[derive(Debug, Clone, PartialEq)]
pub struct Metric {
    /// The diagonal of R, or all of it row by row.
    root: Vec<f64>,
    n_features: usize,
    log_det: f64,
}

impl Metric {
    /// The Euclidean metric in a unit of one's choice: 1 is `unit_sq` squared units of the points.
    pub(super) fn euclidean(kind: MetricKind, n_features: usize, unit_sq: f64) -> Self {
        let diagonal = vec![unit_sq.sqrt().recip(); n_features];
        let log_det = -(n_features as f64) * unit_sq.ln();
        let root = match kind {
            MetricKind::Diagonal => diagonal,
            MetricKind::Full => {
                let entry = |at: usize| {
                    if at / n_features == at % n_features { diagonal[0] } else { 0.0 }
                };
                (0..n_features * n_features).map(entry).collect()
            }
        };
        Self { root, n_features, log_det }
    }

    /// The metric under which the scatter S of `weight` points costs least: A = weight · S⁻¹.
    ///
    /// `scatter` is a diagonal or a whole matrix; `variances` are those of all points by column.
    pub(super) fn least_costly(scatter: &[f64], weight: f64, variances: &[f64]) -> Result<Self> {
        let n_features = variances.len();
        if scatter.len() == n_features {
            // A column that never varies tells nothing: any weight will do.
            let spread = |(&sum, &variance): (&f64, &f64)| match variance > 0.0 {
                true => (sum / weight).max(LEAST_SHARE * variance),
                false => 1.0,
            };
            let spreads: Vec<f64> = scatter.iter().zip(variances).map(spread).collect();
            let log_det = -spreads.iter().map(|spread| spread.ln()).sum::<f64>();
            let root = spreads.iter().map(|spread| spread.sqrt().recip()).collect();
            return Ok(Self { root, n_features, log_det });
        }
        let matrix = Mat::from_fn(n_features, n_features, |row, col| {
            scatter[row * n_features + col] / weight
        });
        let (values, vectors) = leading_eigen(&matrix, n_features)?;
        let mean_variance = variances.iter().sum::<f64>() / n_features as f64;
        let least = if mean_variance > 0.0 { LEAST_SHARE * mean_variance } else { 1.0 };
        let mut root = Vec::with_capacity(n_features * n_features);
        let mut log_det = 0.0;
        for (value, vector) in values.iter().zip(&vectors) {
            let spread = value.max(least);
            log_det -= spread.ln();
            root.extend(vector.iter().map(|x| x / spread.sqrt()));
        }
        Ok(Self { root, n_features, log_det })
    }

    /// The metric with this root R of A = RᵀR (a diagonal, or all of it row by row) and this log det A.
    pub fn from_root(root: Vec<f64>, n_features: usize, log_det: f64) -> Result<Self> {
        let fits = root.len() == n_features || Some(root.len()) == n_features.checked_pow(2);
        let is_finite = root.iter().all(|entry| entry.is_finite()) && log_det.is_finite();
        whole(fits && is_finite, "metric", || {
            format!("{} finite numbers for {n_features} columns", root.len())
        })?;
        Ok(Self { root, n_features, log_det })
    }

    /// R: its diagonal, or all of it row by row.
    pub fn root(&self) -> &[f64] {
        &self.root
    }

    /// How many columns it is for.
    pub fn n_features(&self) -> usize {
        self.n_features
    }

    /// |x − y|²_A.
    pub fn distance_sq<T: Real>(&self, x: &[T], y: &[T]) -> f64 {
        let difference: Vec<f64> = x.iter().zip(y).map(|(x, y)| x.as_f64() - y.as_f64()).collect();
        let mut image = vec![0.0; self.n_features];
        self.apply(&difference, &mut image);
        image.iter().map(|x| x * x).sum()
    }

    /// The logarithm of the determinant of A.
    pub fn log_det(&self) -> f64 {
        self.log_det
    }

    /// A itself, row by row.
    pub fn matrix(&self) -> Vec<f64> {
        let d = self.n_features;
        let entry = |row: usize, col: usize| {
            if self.root.len() > d || d == 1 {
                let line = |at: usize| &self.root[at * d..][..d];
                return (0..d).map(|at| line(at)[row] * line(at)[col]).sum();
            }
            if row == col { self.root[row].powi(2) } else { 0.0 }
        };
        (0..d * d).map(|at| entry(at / d, at % d)).collect()
    }

    /// R·x: what was at a distance under A is there at the plain distance.
    pub(super) fn apply(&self, x: &[f64], out: &mut [f64]) {
        if self.root.len() == x.len() {
            for ((out, x), root) in out.iter_mut().zip(x).zip(&self.root) {
                *out = x * root;
            }
            return;
        }
        for (out, line) in out.iter_mut().zip(self.root.chunks_exact(x.len())) {
            *out = line.iter().zip(x).map(|(a, b)| a * b).sum();
        }
    }
}
