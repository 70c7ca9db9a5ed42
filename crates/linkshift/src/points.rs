//! Checked points: n rows of d finite numbers, with optional weights.

use crate::error::{Error, PointsError, Result};
use crate::real::Real;
use std::borrow::Cow;

/// n × d numbers, row by row, known to be finite; borrowed from the caller where possible.
///
/// Every method takes its points in this form, so no method checks them again.
///
/// ```
/// use linkshift::Points;
///
/// let values = [0.0_f32, 0.0, 1.0, 0.5];
/// let points = Points::new(&values[..], 2)?; // borrowed: nothing is copied
/// assert_eq!(points.n_points(), 2);
/// assert_eq!(points.row(1), [1.0, 0.5]);
///
/// let error = Points::new(vec![0.0, f64::NAN], 1).unwrap_err();
/// assert!(error.to_string().starts_with("row 1, column 0 is NaN"));
/// # Ok::<(), linkshift::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Points<'a, T: Real> {
    values: Cow<'a, [T]>,
    n_features: usize,
    weights: Option<Cow<'a, [T]>>,
}

impl<'a, T: Real> Points<'a, T> {
    /// Checks `values`, given row by row with `n_features` numbers in each row.
    pub fn new(values: impl Into<Cow<'a, [T]>>, n_features: usize) -> Result<Self> {
        let values = values.into();
        if n_features == 0 {
            return Err(PointsError::NoColumns.into());
        }
        if values.is_empty() {
            return Err(PointsError::Empty.into());
        }
        if values.len() % n_features != 0 {
            return Err(PointsError::Ragged { len: values.len(), n_features }.into());
        }
        if let Some(at) = values.iter().position(|value| !value.is_finite()) {
            return Err(PointsError::NotFinite {
                row: at / n_features,
                col: at % n_features,
                value: values[at].as_f64(),
            }
            .into());
        }
        // (a−b)² summed over the columns must stay finite: |a−b| ≤ 2·limit, so d·4·limit² ≤ max.
        let limit = (T::max_value().as_f64() / (4.0 * n_features as f64)).sqrt();
        if let Some(at) = values.iter().position(|value| value.as_f64().abs() > limit) {
            return Err(PointsError::TooLarge {
                row: at / n_features,
                col: at % n_features,
                value: values[at].as_f64(),
                dtype: T::NAME,
            }
            .into());
        }
        Ok(Self { values, n_features, weights: None })
    }

    /// Gives every point a weight: a point of weight 2 counts like two equal points.
    pub fn with_weights(mut self, weights: impl Into<Cow<'a, [T]>>) -> Result<Self> {
        let weights = weights.into();
        if weights.len() != self.n_points() {
            return Err(PointsError::WeightCount {
                n_weights: weights.len(),
                n_points: self.n_points(),
            }
            .into());
        }
        // Products with values and sums over all points must stay finite.
        let most = T::max_value().sqrt() / T::of(self.n_points() as f64);
        let bad = |weight: &T| !weight.is_finite() || *weight < T::zero() || *weight > most;
        let all_zero = weights.iter().all(|weight| weight.is_zero());
        if let Some(row) = weights.iter().position(bad).or(all_zero.then_some(0)) {
            let value = weights[row].as_f64();
            return Err(Error::Points(PointsError::Weight { row, value }));
        }
        self.weights = Some(weights);
        Ok(self)
    }

    /// Number of rows, at least 1.
    pub fn n_points(&self) -> usize {
        self.values.len() / self.n_features
    }

    /// Number of columns, at least 1.
    pub fn n_features(&self) -> usize {
        self.n_features
    }

    /// All numbers, row by row.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// One row.
    pub fn row(&self, row: usize) -> &[T] {
        &self.values[row * self.n_features..][..self.n_features]
    }

    /// All rows in order.
    pub fn rows(&self) -> std::slice::ChunksExact<'_, T> {
        self.values.chunks_exact(self.n_features)
    }

    /// The weights, if any were given.
    pub fn weights(&self) -> Option<&[T]> {
        self.weights.as_deref()
    }

    /// The weight of one row; 1 if none were given.
    pub fn weight(&self, row: usize) -> T {
        self.weights.as_ref().map_or(T::one(), |weights| weights[row])
    }

    /// A copy of some rows with their weights, in the order given; without, if all of those are 0: points
    /// cannot have that, and rows of which none weighs anything count alike.
    pub fn select(&self, rows: &[usize]) -> Points<'static, T> {
        let mut values = Vec::with_capacity(rows.len() * self.n_features);
        for &row in rows {
            values.extend_from_slice(self.row(row));
        }
        let weights = self.weights.as_ref().map(|weights| rows.iter().map(|&row| weights[row]));
        let weights = weights.map(Iterator::collect::<Vec<T>>);
        let weights = weights.filter(|all| all.iter().any(|weight| !weight.is_zero()));
        let weights = weights.map(Cow::Owned);
        Points { values: Cow::Owned(values), n_features: self.n_features, weights }
    }

    /// A copy of some rows without weights: what is only near or far weighs nothing.
    pub(crate) fn places(&self, rows: &[usize]) -> Points<'static, T> {
        Points { weights: None, ..self.select(rows) }
    }

    /// The rows, some ten thousand at a time and without weights: what is copied on the way to a label
    /// is copied part by part, so that there is never a second copy of all.
    pub(crate) fn parts(&self) -> impl Iterator<Item = Points<'_, T>> {
        const ROWS: usize = 65_536;
        let parts = self.values.chunks(ROWS * self.n_features);
        parts.map(|part| Points::checked_before(part, self.n_features, None))
    }

    /// Values and weights that were checked before, or are means of such: finite, in whole rows, at
    /// least one.
    pub(crate) fn checked_before(
        values: impl Into<Cow<'a, [T]>>,
        n_features: usize,
        weights: Option<Vec<T>>,
    ) -> Self {
        let values = values.into();
        debug_assert!(values.len() >= n_features && values.len().is_multiple_of(n_features));
        debug_assert!(values.iter().all(|value| value.is_finite()));
        Points { values, n_features, weights: weights.map(Cow::Owned) }
    }

    /// The same weights at other places (as many, and finite).
    pub(crate) fn replaced(self, values: &[T]) -> Points<'a, T> {
        Points { values: Cow::Owned(values.to_vec()), ..self }
    }

    /// Fails unless the columns are as many as a model was fitted on.
    pub fn expect_features(&self, expected: usize) -> Result<()> {
        if self.n_features == expected {
            return Ok(());
        }
        Err(PointsError::FeatureCount { found: self.n_features, expected }.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error_of<T: Real>(values: &[T], n_features: usize) -> Error {
        Points::new(values, n_features).unwrap_err()
    }

    #[test]
    fn borrowed_values_are_not_copied() {
        let values = [1.0_f64, 2.0];
        let points = Points::new(&values[..], 1).unwrap();
        assert!(std::ptr::eq(points.values(), &values[..]));
    }

    #[test]
    fn what_is_not_finite_is_named_by_row_and_column() {
        let error = error_of(&[0.0, 1.0, 2.0, f64::NEG_INFINITY], 2);
        let expected = PointsError::NotFinite { row: 1, col: 1, value: f64::NEG_INFINITY };
        assert_eq!(error, expected.into());
    }

    #[test]
    fn shapes_that_cannot_be_are_refused() {
        assert_eq!(error_of::<f64>(&[], 2), PointsError::Empty.into());
        assert_eq!(error_of(&[1.0_f32], 0), PointsError::NoColumns.into());
        assert_eq!(
            error_of(&[1.0_f32; 5], 2),
            PointsError::Ragged { len: 5, n_features: 2 }.into()
        );
    }

    #[test]
    fn distances_can_never_overflow() {
        // f32: 1e19² = 1e38 alone fits below 3.4e38, but (2e19)² = 4e38 does not.
        assert!(matches!(
            error_of(&[1e19_f32, -1e19], 1),
            Error::Points(PointsError::TooLarge { .. })
        ));
        assert!(Points::new(vec![1e18_f32, -1e18], 1).is_ok());
    }

    #[test]
    fn weights_are_finite_and_not_all_zero() {
        let points = || Points::new(vec![0.0, 1.0], 1).unwrap();
        assert!(points().with_weights(vec![0.0, 2.0]).is_ok());
        assert!(points().with_weights(vec![0.0, 0.0]).is_err());
        assert!(points().with_weights(vec![1.0, -1.0]).is_err());
        assert!(points().with_weights(vec![1.0]).is_err());
    }

    #[test]
    fn selected_rows_keep_their_weights() {
        let points = Points::new(vec![0.0, 1.0, 2.0], 1).unwrap();
        let points = points.with_weights(vec![1.0, 2.0, 3.0]).unwrap().select(&[2, 0]);
        assert_eq!(points.values(), [2.0, 0.0]);
        assert_eq!(points.weights().unwrap(), [3.0, 1.0]);
        assert_eq!(points.places(&[1]).weights(), None);
        let points = Points::new(vec![0.0, 1.0], 1).unwrap().with_weights(vec![0.0, 2.0]).unwrap();
        assert_eq!(points.select(&[0, 1]).weights().unwrap(), [0.0, 2.0]);
        assert_eq!(points.select(&[0, 0]).weights(), None);
    }
}
