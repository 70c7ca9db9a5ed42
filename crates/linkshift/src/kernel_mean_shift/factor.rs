//! K ≈ G·Gᵀ without ever forming K: Cholesky with the largest remainder as the next pivot.
//!
//! Row i of G is φ(xᵢ) in coordinates of the features of the pivots, as far as these reach; what
//! they do not reach is the remainder on the diagonal, the largest of which is the error. A column
//! of K per pivot is all that is ever computed: O(n·r²) time, O(n·r) memory.

use super::gram::Gram;
use super::mercer::Mercer;
use crate::error::Result;
use crate::neighbors::blocks::Wide;
use crate::observe::{self, Observer, Step};
use crate::points::Points;
use crate::real::Real;
use crate::stop::{self, Stoppable};
use rayon::prelude::*;

/// Rows that one thread handles at a time.
const ROWS: usize = 1024;

/// Pivots between two looks at the observer.
const BETWEEN_LOOKS: usize = 32;

/// The factor of the similarities of fitted points, and what it takes to extend it to others.
#[derive(Debug, Clone)]
pub(super) struct Factor<T: Real> {
    /// G, row by row.
    pub(super) rows: Vec<f64>,
    pub(super) rank: usize,
    /// The largest remainder on the diagonal, as a share of the largest similarity.
    pub(super) left_out: f64,
    pub(super) pivots: Pivots<T>,
}

/// The points whose features the coordinates are along.
#[derive(Debug, Clone)]
pub(super) struct Pivots<T: Real> {
    pub(super) kernel: Mercer,
    pub(super) rows: Vec<usize>,
    /// The points at the pivots; of a precomputed matrix the row numbers say all.
    pub(super) points: Option<Points<'static, T>>,
    pub(super) n_features: usize,
    /// Their rows of G in order: a lower triangle.
    pub(super) triangle: Vec<f64>,
}

/// When pivots are enough.
#[derive(Debug, Clone, Copy)]
pub(super) struct Enough {
    /// There are so many of them.
    pub(super) most: usize,
    /// The remainder is at most this share of the largest similarity.
    pub(super) tolerance: f64,
    /// All remainders together are at most this.
    pub(super) negligible: f64,
}

impl<T: Real> Factor<T> {
    /// Takes pivots until they are enough. `allow` is asked now and then whether there may be so many.
    pub(super) fn new(
        gram: &Gram<'_, '_, T>,
        points: &Points<'_, T>,
        kernel: Mercer,
        enough: Enough,
        allow: impl Fn(usize) -> Result<()>,
        observer: &mut Observer<'_>,
    ) -> Result<Self> {
        let Enough { most, tolerance, negligible } = enough;
        let n = gram.n_points();
        let wide = Wide::new();
        let mut left: Vec<f64> = (0..n).map(|i| gram.value(i, i)).collect();
        let largest = left.iter().copied().fold(0.0, f64::max);
        let mut columns: Vec<Vec<f64>> = Vec::new();
        let mut pivots = Vec::new();
        loop {
            let (pivot, remainder) = largest_of(&left);
            let is_enough = || left.iter().sum::<f64>() <= negligible;
            if columns.len() == most.min(n) || remainder <= tolerance * largest || is_enough() {
                break;
            }
            if columns.len() % BETWEEN_LOOKS == BETWEEN_LOOKS - 1 {
                allow(columns.len() + 1)?;
                observe::show(observer, &not_yet_begun(n))?;
            }
            let scale = remainder.sqrt();
            let mut column = vec![0.0; n];
            column.par_chunks_mut(ROWS).enumerate().stoppable().for_each(|(chunk, column)| {
                let first = chunk * ROWS;
                wide.run(
                    #[inline(always)]
                    || {
                        for (at, value) in column.iter_mut().enumerate() {
                            *value = gram.value(first + at, pivot);
                        }
                        for earlier in &columns {
                            let at_pivot = earlier[pivot];
                            for (value, g) in column.iter_mut().zip(&earlier[first..]) {
                                *value -= g * at_pivot;
                            }
                        }
                        column.iter_mut().for_each(|value| *value /= scale);
                    },
                );
            });
            left.iter_mut().zip(&column).for_each(|(left, g)| *left -= g * g);
            // Exactly nothing is left of a pivot; rounding must not make it one again.
            left[pivot] = 0.0;
            pivots.push(pivot);
            columns.push(column);
        }
        let left_out = if largest > 0.0 { largest_of(&left).1.max(0.0) / largest } else { 0.0 };
        if columns.is_empty() {
            // All points are zero: one column says so, and nothing downstream is without columns.
            (pivots, columns) = (vec![0], vec![vec![0.0; n]]);
        }
        let rank = columns.len();
        let mut rows = vec![0.0; n * rank];
        for (at, column) in columns.iter().enumerate() {
            stop::look();
            column.iter().enumerate().for_each(|(row, &value)| rows[row * rank + at] = value);
        }
        gram.check_positive(&rows, rank)?;
        let triangle = pivots.iter().flat_map(|&p| &rows[p * rank..][..rank]).copied().collect();
        let at_pivots = (kernel != Mercer::Precomputed).then(|| points.places(&pivots));
        let n_features = points.n_features();
        let pivots = Pivots { kernel, rows: pivots, points: at_pivots, n_features, triangle };
        Ok(Self { rows, rank, left_out, pivots })
    }
}

impl<T: Real> Pivots<T> {
    /// The coordinates of other points, row by row: what Cholesky would have given them. Of a
    /// precomputed kernel, the points are rows of similarities to the fitted ones.
    pub(super) fn extend(&self, points: &Points<'_, T>) -> Result<Vec<f64>> {
        points.expect_features(self.n_features)?;
        self.kernel.accept(points)?;
        let rank = self.rows.len();
        let mut rows = vec![0.0; points.n_points() * rank];
        rows.par_chunks_exact_mut(rank).enumerate().stoppable().for_each(|(row, coordinates)| {
            for at in 0..rank {
                let pivot_row = &self.triangle[at * rank..][..rank];
                let similarity = self.similarity(points.row(row), at);
                let earlier = coordinates[..at].iter().zip(pivot_row);
                let rest = earlier.fold(similarity, |rest, (g, at_pivot)| rest - g * at_pivot);
                coordinates[at] = if pivot_row[at] > 0.0 { rest / pivot_row[at] } else { 0.0 };
            }
        });
        Ok(rows)
    }

    /// How similar a point is to the pivot number `at`.
    fn similarity(&self, point: &[T], at: usize) -> f64 {
        match &self.points {
            Some(points) => self.kernel.value(point, points.row(at)),
            None => point[self.rows[at]].as_f64(),
        }
    }
}

/// The first of the largest values and its place.
fn largest_of(values: &[f64]) -> (usize, f64) {
    let mut best = (0, f64::NEG_INFINITY);
    for (at, &value) in values.iter().enumerate() {
        if value > best.1 {
            best = (at, value);
        }
    }
    best
}

/// What the observer sees before the first iteration: the chance to cancel.
pub(super) fn not_yet_begun(n_points: usize) -> Step {
    Step { n_iter: 0, max_iter: 0, n_live: n_points, bandwidth: 0.0, largest_shift: 0.0 }
}
