//! Columns brought to one scale, min-max or z-score, or rows to one length.
//!
//! A distance adds up columns, so a column in grams drowns one in tonnes. A scaler learns one shift
//! and one unit per column from some points and applies them to those or to others. Weights count:
//! a point of weight 2 moves the mean like two equal points, a point of weight 0 not at all.

use crate::error::{Error, PointsError, Result};
use crate::points::Points;
use crate::predictor::whole;
use crate::real::Real;
use std::borrow::Cow;

/// How points are brought to one scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scaling {
    /// Columns stay as they are.
    #[default]
    None,
    /// The smallest value of a column becomes 0, the largest 1.
    MinMax,
    /// The mean of a column becomes 0, its standard deviation 1.
    ///
    /// The deviation is the population's (divided by n, not n − 1), as in scikit-learn.
    ZScore,
    /// Every row gets length 1: what counts is its direction, as for embeddings of texts.
    ///
    /// The squared distance of two rows is then 2·(1 − their cosine).
    Unit,
}

impl Scaling {
    /// Every scaling there is.
    pub const ALL: [Scaling; 4] = [Scaling::None, Scaling::MinMax, Scaling::ZScore, Scaling::Unit];

    /// The scaling with this name: `none`, `min-max`, `z-score` or `unit`.
    pub fn parse(name: &str) -> Result<Self> {
        Self::ALL
            .into_iter()
            .find(|scaling| scaling.name() == name)
            .ok_or_else(|| Error::param("scale", name, "none, min-max, z-score or unit"))
    }

    /// The word that names the scaling in every door.
    pub fn name(self) -> &'static str {
        match self {
            Scaling::None => "none",
            Scaling::MinMax => "min-max",
            Scaling::ZScore => "z-score",
            Scaling::Unit => "unit",
        }
    }
}

/// One shift and one unit per column, x becomes (x − shift) / unit; or length 1 for every row.
///
/// A constant column becomes 0: its shift is its value and its unit is 1, so that it neither
/// divides by zero nor is lost to [`inverse`](Scaler::inverse).
///
/// ```
/// use linkshift::Points;
/// use linkshift::scale::{Scaler, Scaling};
///
/// let points = Points::new(vec![10.0, 7.0, 20.0, 7.0, 15.0, 7.0], 2)?;
/// let scaler = Scaler::fit(&points, Scaling::MinMax);
/// let scaled = scaler.apply(&points)?;
/// assert_eq!(scaled.values(), [0.0, 0.0, 1.0, 0.0, 0.5, 0.0]);
/// assert_eq!(scaler.constant_columns(), [1]);
/// assert_eq!(scaler.inverse(&scaled)?, points);
/// # Ok::<(), linkshift::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Scaler {
    scaling: Scaling,
    shift: Vec<f64>,
    /// Divided by rather than multiplied with its inverse: the largest value becomes exactly 1,
    /// and a column with values of 1e-310 still has a finite unit.
    unit: Vec<f64>,
    constant_columns: Vec<usize>,
}

impl Scaler {
    /// Learns shift and unit of every column.
    pub fn fit<T: Real>(points: &Points<'_, T>, scaling: Scaling) -> Self {
        let (least, range) = extents(points);
        // Equal ends, not a small deviation: a mean that is rounded makes a constant column look
        // as if it varied a little.
        let constant_columns: Vec<usize> =
            (0..range.len()).filter(|&col| range[col] == 0.0).collect();
        let (shift, mut unit) = match scaling {
            Scaling::None | Scaling::Unit => (vec![0.0; range.len()], vec![1.0; range.len()]),
            Scaling::MinMax => (least, range),
            Scaling::ZScore => means_and_deviations(points, &least, &range),
        };
        for &col in &constant_columns {
            unit[col] = 1.0;
        }
        Self { scaling, shift, unit, constant_columns }
    }

    /// The one that leaves points of so many columns as they are.
    pub fn none(n_features: usize) -> Self {
        Self {
            scaling: Scaling::None,
            shift: vec![0.0; n_features],
            unit: vec![1.0; n_features],
            constant_columns: Vec::new(),
        }
    }

    /// The scaler with these numbers, one of each per column, as another one had them. Which
    /// columns were constant is not known to it.
    pub fn from_parts(scaling: Scaling, shift: Vec<f64>, unit: Vec<f64>) -> Result<Self> {
        whole(shift.len() == unit.len(), "scale", || {
            format!("{} shifts but {} units", shift.len(), unit.len())
        })?;
        let is_unit = |unit: &f64| unit.is_finite() && *unit > 0.0;
        let usable = shift.iter().all(|shift| shift.is_finite()) && unit.iter().all(is_unit);
        whole(usable, "scale", || "a shift or unit cannot be used".into())?;
        Ok(Self { scaling, shift, unit, constant_columns: Vec::new() })
    }

    /// How points are brought to one scale.
    pub fn scaling(&self) -> Scaling {
        self.scaling
    }

    /// What is subtracted, by column.
    pub fn shift(&self) -> &[f64] {
        &self.shift
    }

    /// What is divided by, by column.
    pub fn unit(&self) -> &[f64] {
        &self.unit
    }

    /// The points on the new scale; their weights are kept.
    ///
    /// Fails if the columns are not as many as were fitted, if a point lies so far outside what
    /// was fitted that its scaled value overflows, or if a row of zeros is to get length 1.
    pub fn apply<T: Real>(&self, points: &Points<'_, T>) -> Result<Points<'static, T>> {
        if self.scaling == Scaling::Unit {
            points.expect_features(self.shift.len())?;
            return rows_of_length_one(points);
        }
        self.convert(points, |value, shift, unit| (value - shift) / unit)
    }

    /// The points back on the scale they came from; their weights are kept. Fails for rows that
    /// were brought to length 1: their lengths are not remembered.
    pub fn inverse<T: Real>(&self, points: &Points<'_, T>) -> Result<Points<'static, T>> {
        if self.scaling == Scaling::Unit {
            return Err(Error::param("scale", "unit", "another one to be undone"));
        }
        self.convert(points, |value, shift, unit| value * unit + shift)
    }

    /// Columns, from 0, that had one and the same value in all points of the fit.
    pub fn constant_columns(&self) -> Vec<usize> {
        self.constant_columns.clone()
    }

    fn convert<T: Real>(
        &self,
        points: &Points<'_, T>,
        formula: impl Fn(f64, f64, f64) -> f64,
    ) -> Result<Points<'static, T>> {
        points.expect_features(self.shift.len())?;
        let mut values = Vec::with_capacity(points.values().len());
        for row in points.rows() {
            let columns = self.shift.iter().zip(&self.unit);
            values.extend(
                row.iter().zip(columns).map(|(x, (&s, &u))| T::of(formula(x.as_f64(), s, u))),
            );
        }
        with_weights_of(points, Points::new(values, self.shift.len())?)
    }
}

/// Every row divided by its length. The largest value of a row is taken out first, so that no
/// square overflows or vanishes.
fn rows_of_length_one<T: Real>(points: &Points<'_, T>) -> Result<Points<'static, T>> {
    let mut values = Vec::with_capacity(points.values().len());
    for (row, of_row) in points.rows().enumerate() {
        let largest = of_row.iter().fold(T::zero(), |most, x| most.max(x.abs())).as_f64();
        if largest == 0.0 {
            return Err(PointsError::NoDirection { row }.into());
        }
        let share = |x: &T| x.as_f64() / largest;
        let length = of_row.iter().map(|x| share(x).powi(2)).sum::<f64>().sqrt();
        values.extend(of_row.iter().map(|x| T::of(share(x) / length)));
    }
    with_weights_of(points, Points::new(values, points.n_features())?)
}

/// The mean of every column; of a constant column exactly its value.
pub(crate) fn means<T: Real>(points: &Points<'_, T>) -> Vec<f64> {
    let (least, range) = extents(points);
    means_and_deviations(points, &least, &range).0
}

/// Gives `to` a copy of the weights of `from`, which has as many rows.
pub(crate) fn with_weights_of<T: Real>(
    from: &Points<'_, T>,
    to: Points<'static, T>,
) -> Result<Points<'static, T>> {
    match from.weights() {
        Some(weights) => to.with_weights(Cow::Owned(weights.to_vec())),
        None => Ok(to),
    }
}

/// Every row with its weight, the largest weight being 1 so that sums of weights cannot overflow.
pub(crate) fn weighted_rows<'p, T: Real>(
    points: &'p Points<'_, T>,
) -> impl Iterator<Item = (&'p [T], f64)> {
    let weights = points.weights().unwrap_or_default();
    let largest = weights.iter().fold(T::zero(), |largest, &weight| largest.max(weight));
    let relative = move |row: usize| match weights.get(row) {
        Some(weight) => weight.as_f64() / largest.as_f64(),
        None => 1.0,
    };
    points.rows().enumerate().map(move |(row, values)| (values, relative(row)))
}

/// The least value and the range of every column, over the points that have a weight.
fn extents<T: Real>(points: &Points<'_, T>) -> (Vec<f64>, Vec<f64>) {
    let mut least = vec![f64::INFINITY; points.n_features()];
    let mut most = vec![f64::NEG_INFINITY; points.n_features()];
    for (row, _) in weighted_rows(points).filter(|&(_, weight)| weight > 0.0) {
        for ((x, least), most) in row.iter().zip(&mut least).zip(&mut most) {
            *least = least.min(x.as_f64());
            *most = most.max(x.as_f64());
        }
    }
    let range = least.iter().zip(&most).map(|(least, most)| most - least).collect();
    (least, range)
}

/// Mean and population standard deviation of every column, in two passes over (x − least) / range.
///
/// Those numbers lie in [0, 1]: no offset, however huge, costs digits and no square overflows or
/// vanishes.
fn means_and_deviations<T: Real>(
    points: &Points<'_, T>,
    least: &[f64],
    range: &[f64],
) -> (Vec<f64>, Vec<f64>) {
    let n_features = least.len();
    // The unit of a constant column does not matter: it is 0 everywhere.
    let unit: Vec<f64> = range.iter().map(|&range| if range > 0.0 { range } else { 1.0 }).collect();
    let averages = |of: &dyn Fn(usize, f64) -> f64| {
        let mut sums = vec![0.0; n_features];
        let mut total = 0.0;
        for (row, weight) in weighted_rows(points).filter(|&(_, weight)| weight > 0.0) {
            total += weight;
            for (col, x) in row.iter().enumerate() {
                sums[col] += weight * of(col, (x.as_f64() - least[col]) / unit[col]);
            }
        }
        sums.into_iter().map(|sum| sum / total).collect::<Vec<f64>>()
    };
    let mean = averages(&|_, x| x);
    let variance = averages(&|col, x| (x - mean[col]).powi(2));
    (
        (0..n_features).map(|col| least[col] + unit[col] * mean[col]).collect(),
        (0..n_features).map(|col| unit[col] * variance[col].sqrt()).collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn column(values: &[f64]) -> Points<'_, f64> {
        Points::new(values, 1).unwrap()
    }

    fn scaled(values: &[f64], scaling: Scaling) -> Vec<f64> {
        let points = column(values);
        Scaler::fit(&points, scaling).apply(&points).unwrap().values().to_vec()
    }

    fn assert_close(found: &[f64], expected: &[f64], tolerance: f64) {
        assert_eq!(found.len(), expected.len());
        for (a, b) in found.iter().zip(expected) {
            assert!((a - b).abs() <= tolerance, "{found:?} is not {expected:?}");
        }
    }

    #[test]
    fn z_scores_divide_by_the_population_deviation() {
        // Derived: mean 3, variance (4 + 0 + 1 + 1 + 4) / 5 = 2.
        let expected = [-2.0, 0.0, -1.0, 1.0, 2.0].map(|x: f64| x / 2.0_f64.sqrt());
        assert_close(&scaled(&[1.0, 3.0, 2.0, 4.0, 5.0], Scaling::ZScore), &expected, 1e-15);
    }

    #[test]
    fn min_max_reaches_exactly_zero_and_one() {
        assert_eq!(scaled(&[0.3, 0.1, 0.7], Scaling::MinMax)[1..], [0.0, 1.0]);
    }

    #[test]
    fn rows_of_any_size_get_length_one_and_rows_of_zeros_are_refused() {
        // Derived: 3² + 4² = 5²; the size of a row, tiny or huge, does not matter.
        let points = Points::new(vec![3.0, 4.0, -3e-200, 4e-200, 3e150, 4e150], 2).unwrap();
        let scaler = Scaler::fit(&points, Scaling::Unit);
        let scaled = scaler.apply(&points).unwrap();
        assert_close(scaled.values(), &[0.6, 0.8, -0.6, 0.8, 0.6, 0.8], 1e-15);
        assert!(scaler.inverse(&scaled).is_err());
        let zeros = Points::new(vec![1.0, 2.0, 0.0, 0.0], 2).unwrap();
        assert_eq!(scaler.apply(&zeros), Err(Error::Points(PointsError::NoDirection { row: 1 })));
    }

    #[test]
    fn no_scaling_changes_nothing() {
        assert_eq!(scaled(&[3.0, -1.0], Scaling::None), [3.0, -1.0]);
    }

    #[test]
    fn a_constant_column_becomes_zero_despite_rounding() {
        // Ten times 0.1 sums to 0.9999999999999999: the rounded mean is not the value.
        for scaling in [Scaling::MinMax, Scaling::ZScore] {
            assert_eq!(scaled(&[0.1; 10], scaling), [0.0; 10]);
            assert_eq!(Scaler::fit(&column(&[0.1; 10]), scaling).constant_columns(), [0]);
        }
    }

    #[test]
    fn a_huge_offset_costs_no_digits() {
        // Derived: the offset drops out, and −1, 0, 1 has variance 2/3.
        let expected = [-1.0, 0.0, 1.0].map(|x: f64| x * 1.5_f64.sqrt());
        assert_close(&scaled(&[1e15 - 1.0, 1e15, 1e15 + 1.0], Scaling::ZScore), &expected, 1e-15);
    }

    #[test]
    fn the_largest_and_smallest_numbers_neither_overflow_nor_vanish() {
        // Derived: two values, equally often, lie one deviation from their mean.
        for size in [1e150, 1e-300] {
            assert_close(&scaled(&[-size, size], Scaling::ZScore), &[-1.0, 1.0], 1e-15);
        }
    }

    #[test]
    fn doubling_a_point_is_weight_two_and_weight_zero_is_absence() {
        let doubled = Scaler::fit(&column(&[1.0, 4.0, 4.0]), Scaling::ZScore);
        let weighted = column(&[1.0, 4.0, 99.0]).with_weights(vec![1.0, 2.0, 0.0]).unwrap();
        let weighted = Scaler::fit(&weighted, Scaling::ZScore);
        assert_close(&weighted.shift, &doubled.shift, 1e-15);
        assert_close(&weighted.unit, &doubled.unit, 1e-15);
    }

    #[test]
    fn weights_are_kept() {
        let points = column(&[1.0, 4.0]).with_weights(vec![1.0, 2.0]).unwrap();
        let scaled = Scaler::fit(&points, Scaling::MinMax).apply(&points).unwrap();
        assert_eq!(scaled.weights(), points.weights());
    }

    #[test]
    fn other_columns_than_fitted_are_refused() {
        let scaler = Scaler::fit(&column(&[1.0, 2.0]), Scaling::MinMax);
        assert!(scaler.apply(&Points::new(vec![1.0, 2.0], 2).unwrap()).is_err());
    }

    #[test]
    fn names_are_read_and_unknown_ones_list_the_known() {
        for scaling in Scaling::ALL {
            assert_eq!(Scaling::parse(scaling.name()).unwrap(), scaling);
        }
        let error = Scaling::parse("robust").unwrap_err().to_string();
        assert_eq!(error, "scale = robust cannot work: it must be none, min-max, z-score or unit");
    }

    proptest! {
        #[test]
        fn scaling_there_and_back_returns_the_points(
            values in prop::collection::vec(-1e6..1e6, 2..40)
        ) {
            for scaling in [Scaling::None, Scaling::MinMax, Scaling::ZScore] {
                let points = column(&values);
                let scaler = Scaler::fit(&points, scaling);
                let back = scaler.inverse(&scaler.apply(&points).unwrap()).unwrap();
                // A few roundings at the size of the largest value, 1e6.
                assert_close(back.values(), &values, 1e-9);
            }
        }
    }
}
