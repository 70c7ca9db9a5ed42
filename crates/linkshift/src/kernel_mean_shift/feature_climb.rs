//! Labels by where a place climbs to in feature space: what prediction takes, as plain data.

use super::climb::{Limits, climb};
use super::factor::Pivots;
use super::field::Field;
use super::mercer::Mercer;
use super::metric;
use crate::error::Result;
use crate::neighbors::Neighbors;
use crate::observe;
use crate::points::Points;
use crate::predictor::{all_below, same_count, whole};
use crate::real::Real;
use faer::Mat;

/// The way from a point to feature space, what it climbs on there, and the label of each end.
#[derive(Debug, Clone, PartialEq)]
pub struct FeatureClimb<T: Real> {
    /// How similar two points are.
    pub kernel: Mercer,
    /// How many numbers a point has; of a precomputed kernel, its similarities to all fitted ones.
    pub n_features: usize,
    /// The rows of the pivots among the fitted points.
    pub pivot_rows: Vec<u32>,
    /// The points at the pivots, row by row; none of a precomputed kernel.
    pub pivots: Vec<T>,
    /// The rows of the factor at the pivots, a lower triangle.
    pub triangle: Vec<f64>,
    /// Coordinates by the factor → final coordinates, column by column.
    pub map: Vec<f64>,
    /// What centers are drawn to, row by row in final coordinates.
    pub samples: Vec<f64>,
    /// Whether samples are representatives of points.
    pub gathered: bool,
    /// −1/(2h²) of each sample.
    pub scales: Vec<f64>,
    /// The logarithm of each sample's share of the density.
    pub log_shares: Vec<f64>,
    /// Iterations at the most.
    pub max_iter: usize,
    /// A center that moves no farther has arrived.
    pub tolerance: f64,
    /// Centers this near to each other become one.
    pub merge_tolerance: f64,
    /// Where the centers of the fitted points ended.
    pub ends: Points<'static, f64>,
    /// The label of each end.
    pub labels: Vec<i64>,
}

impl<T: Real> FeatureClimb<T> {
    /// The label of the end that each point climbs to.
    pub fn predict(&self, points: &Points<'_, T>) -> Result<Vec<i64>> {
        let (rank, d) = (self.pivot_rows.len(), self.ends.n_features());
        let at_pivots = match self.kernel {
            Mercer::Precomputed => None,
            _ => Some(Points::new(self.pivots.clone(), self.n_features)?),
        };
        let pivots = Pivots {
            kernel: self.kernel,
            rows: self.pivot_rows.iter().map(|&row| row as usize).collect(),
            points: at_pivots,
            n_features: self.n_features,
            triangle: self.triangle.clone(),
        };
        let (samples, scales) = (self.samples.clone(), self.scales.clone());
        let field = Field::from_shares(samples, d, scales, self.log_shares.clone());
        let limits = Limits {
            max_iter: self.max_iter,
            tolerance: self.tolerance,
            // Who comes together must not change where each of them goes.
            merge_tolerance: 0.0,
            bandwidth: 0.0,
        };
        let ascent = Ascent {
            pivots: &pivots,
            map: &Mat::from_fn(rank, d, |row, col| self.map[col * rank + row]),
            field: &field,
            limits: &limits,
            gathered: self.gathered,
            ends: &self.ends,
            labels: &self.labels,
        };
        ascent.predict(points)
    }

    /// Fails if the parts do not fit each other.
    pub(crate) fn check(&self) -> Result<()> {
        self.kernel.check()?;
        let (rank, d) = (self.pivot_rows.len(), self.ends.n_features());
        whole(rank > 0, "pivots", || "there are none".into())?;
        match self.kernel {
            Mercer::Precomputed => all_below("pivots", &self.pivot_rows, self.n_features)?,
            _ => {
                whole(self.n_features > 0, "columns", || "there are none".into())?;
                let n_numbers = rank.saturating_mul(self.n_features);
                same_count("numbers of pivots", self.pivots.len(), n_numbers)?;
            }
        }
        same_count("triangle", self.triangle.len(), rank * rank)?;
        same_count("map", self.map.len(), rank * d)?;
        let n_samples = self.scales.len();
        same_count("numbers of samples", self.samples.len(), n_samples * d)?;
        same_count("shares", self.log_shares.len(), n_samples)?;
        whole(n_samples > 0, "samples", || "there are none".into())?;
        same_count("labels", self.labels.len(), self.ends.n_points())
    }
}

/// All that prediction takes, ready to be used.
pub(super) struct Ascent<'a, T: Real> {
    pub(super) pivots: &'a Pivots<T>,
    /// Coordinates by the factor → final coordinates.
    pub(super) map: &'a Mat<f64>,
    pub(super) field: &'a Field,
    pub(super) limits: &'a Limits,
    pub(super) gathered: bool,
    pub(super) ends: &'a Points<'a, f64>,
    pub(super) labels: &'a [i64],
}

impl<T: Real> Ascent<'_, T> {
    pub(super) fn predict(&self, points: &Points<'_, T>) -> Result<Vec<i64>> {
        let d = self.ends.n_features();
        let rows = metric::apply(&self.pivots.extend(points)?, self.map);
        // Where points were gathered, a new one belongs to the nearest representative, as they do.
        let seeds = match self.gathered {
            false => rows,
            true => {
                let samples = self.field.samples();
                let near = Neighbors::new(&Points::new(samples, d)?);
                let nearest = |row: &[f64]| near.nearest(row, 1)[0].row * d;
                rows.chunks_exact(d)
                    .flat_map(|row| &samples[nearest(row)..][..d])
                    .copied()
                    .collect()
            }
        };
        let arrived = climb(self.field, seeds, self.limits, &mut observe::ignore)?;
        let near = Neighbors::new(self.ends);
        let label = |end: &[f64]| self.labels[near.nearest(end, 1)[0].row];
        let labels: Vec<i64> = arrived.centers.chunks_exact(d).map(label).collect();
        Ok(arrived.of.iter().map(|&center| labels[center as usize]).collect())
    }
}
