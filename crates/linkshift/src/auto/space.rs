//! Where distances are measured: columns on one scale, and a space that links have bent.
//!
//! The learned space is that of relevant component analysis with shrinkage (N. Shental, T. Hertz,
//! D. Weinshall, M. Pavel 2002): directions in which must-linked points differ count less. With W
//! the mean scatter of must-linked points in the leading principal components, x becomes L⁻¹·x with
//! L·Lᵀ = W, where W is drawn towards half the mean variance in all directions, as if that had been
//! seen as often as there are directions. Without must-links all that is left is one common factor.

use crate::error::Result;
use crate::links::{Link, LinkKind};
use crate::pca::Pca;
use crate::points::Points;
use crate::real::Real;
use crate::scale::{self, Scaler, Scaling};

/// Principal components of the learned space at the most: W has to be known in each pair of them.
const MOST_DIRECTIONS: usize = 40;

/// Beyond this many columns the scaled ones become principal components too: candidates would
/// spend their time on distances that the leading ones tell as well.
const MANY_COLUMNS: usize = 100;

/// How many principal components are left of many columns.
const OF_MANY: usize = 50;

/// x becomes M·(x − shift).
#[derive(Debug, Clone, PartialEq)]
pub struct LinearMap {
    /// What is subtracted, by column.
    pub shift: Vec<f64>,
    /// The rows of M, one after the other.
    pub matrix: Vec<f64>,
}

impl LinearMap {
    /// The number of columns that come out.
    pub fn n_directions(&self) -> usize {
        self.matrix.len() / self.shift.len().max(1)
    }

    /// The points in the space of the map; without their weights.
    pub fn apply<T: Real, U: Real>(&self, points: &Points<'_, T>) -> Result<Points<'static, U>> {
        let d = self.shift.len();
        points.expect_features(d)?;
        let mut values = Vec::with_capacity(points.n_points() * self.n_directions());
        let mut centred = vec![0.0; d];
        for row in points.rows() {
            let seen = row.iter().zip(&self.shift).map(|(x, shift)| x.as_f64() - shift);
            centred.iter_mut().zip(seen).for_each(|(to, x)| *to = x);
            let along = |direction: &[f64]| -> f64 {
                direction.iter().zip(&centred).map(|(m, x)| m * x).sum()
            };
            values.extend(self.matrix.chunks_exact(d).map(|row| U::of(along(row))));
        }
        Points::new(values, self.n_directions())
    }
}

/// Columns on one scale; many of them as principal components.
pub(super) fn scaled<T: Real>(
    points: &Points<'_, T>,
    scaling: Scaling,
) -> Result<Points<'static, f32>> {
    let scaled = Scaler::fit(points, scaling).apply(points)?;
    let (n, d) = (scaled.n_points(), scaled.n_features());
    let few = match d > MANY_COLUMNS && n > 1 {
        true => Pca::fit(&scaled, OF_MANY.min(n - 1))?.apply(&scaled)?,
        false => scaled,
    };
    let values: Vec<f32> = few.values().iter().map(|x| x.as_f64() as f32).collect();
    let single = Points::new(values, few.n_features())?;
    match points.weights() {
        Some(weights) => {
            single.with_weights(weights.iter().map(|w| w.as_f64() as f32).collect::<Vec<f32>>())
        }
        None => Ok(single),
    }
}

/// The principal components that the learned space is made of, found once.
pub(super) struct Directions {
    /// Column means.
    shift: Vec<f64>,
    /// From columns to principal components of the columns on the scale from 0 to 1.
    matrix: Vec<f64>,
    /// The points there.
    places: Points<'static, f64>,
}

impl Directions {
    pub(super) fn new<T: Real>(points: &Points<'_, T>) -> Result<Self> {
        let scaler = Scaler::fit(points, Scaling::MinMax);
        let scaled = scaler.apply(points)?;
        let (n, d) = (points.n_points(), points.n_features());
        let kept = d.min(MOST_DIRECTIONS).min(n.saturating_sub(1).max(1));
        let pca = Pca::fit(&scaled, kept)?;
        let to_columns =
            |of: &[f64]| of.iter().zip(scaler.unit()).map(|(x, unit)| x / unit).collect::<Vec<_>>();
        let matrix = pca.components().flat_map(to_columns).collect();
        let map = LinearMap { shift: scale::means(points), matrix };
        let places = map.apply(points)?;
        Ok(Self { shift: map.shift, matrix: map.matrix, places })
    }

    /// The space in which must-linked points are equally far apart in all directions.
    pub(super) fn learn<'l>(&self, links: impl Iterator<Item = &'l Link>) -> LinearMap {
        let k = self.places.n_features();
        let mut scatter = vec![0.0; k * k];
        let mut seen = 0.0;
        for link in links.filter(|link| link.kind == LinkKind::Must) {
            let (a, b) = (self.places.row(link.a), self.places.row(link.b));
            let gap: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
            for (row, x) in gap.iter().enumerate() {
                let to = &mut scatter[row * k..][..=row];
                // Two points lie half their distance from their mean.
                to.iter_mut().zip(&gap).for_each(|(sum, y)| *sum += x * y / 2.0);
            }
            seen += 1.0;
        }
        let n = self.places.n_points() as f64;
        let all: f64 = self.places.values().iter().map(|x| x * x).sum();
        let expected = 0.5 * (all / (n * k as f64)).max(f64::MIN_POSITIVE);
        let worth = k as f64;
        for row in 0..k {
            for col in 0..=row {
                let towards = if row == col { worth * expected } else { 0.0 };
                scatter[row * k + col] = (scatter[row * k + col] + towards) / (seen + worth);
            }
        }
        LinearMap { shift: self.shift.clone(), matrix: self.whiten(&cholesky(&scatter, k)) }
    }

    /// L⁻¹ times the matrix of the components.
    fn whiten(&self, lower: &[f64]) -> Vec<f64> {
        let (k, d) = (self.places.n_features(), self.shift.len());
        let mut matrix = self.matrix.clone();
        for row in 0..k {
            let (done, rest) = matrix.split_at_mut(row * d);
            let this = &mut rest[..d];
            for (before, of_before) in done.chunks_exact(d).enumerate() {
                let factor = lower[row * k + before];
                this.iter_mut().zip(of_before).for_each(|(x, y)| *x -= factor * y);
            }
            this.iter_mut().for_each(|x| *x /= lower[row * k + row]);
        }
        matrix
    }
}

/// The lower triangle L with L·Lᵀ = `matrix`, of which only the lower triangle is read.
pub(super) fn cholesky(matrix: &[f64], k: usize) -> Vec<f64> {
    let mut lower = vec![0.0; k * k];
    for row in 0..k {
        for col in 0..=row {
            let known: f64 = (0..col).map(|at| lower[row * k + at] * lower[col * k + at]).sum();
            let left = matrix[row * k + col] - known;
            lower[row * k + col] = match row == col {
                true => left.max(f64::MIN_POSITIVE).sqrt(),
                false => left / lower[col * k + col],
            };
        }
    }
    lower
}
