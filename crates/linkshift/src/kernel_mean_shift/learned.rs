//! The space that all links have moved, as little as possible: `metric=logdet`.
//!
//! G is cut to the principal axes that hold nearly all variance, at most [`AXES`] of them: in as many
//! directions as there are points, every link could be granted by a direction of its own, and
//! nothing would follow for others. On these axes M is learned, so that K̂ = E·M·Eᵀ, at a cost that
//! does not know n.

use super::factor::Factor;
use super::gram::Gram;
use super::logdet::{Turns, Wish, settle};
use super::mercer::Mercer;
use super::metric;
use super::params::KernelMeanShiftParams;
use crate::bandwidth;
use crate::error::Result;
use crate::links::{Link, LinkKind};
use crate::observe::Observer;
use crate::points::Points;
use crate::real::Real;
use faer::Mat;

/// Axes on which links are learned, at the most.
const AXES: usize = 100;

/// The share of the variance that the axes hold.
const ENERGY: f64 = 0.99;

/// A must-link asks for the squared distance below which this share of all pairs lies, in percent, a
/// cannot-link for the other one. Anand et al. have 1 and 99; but most pairs of points cannot be together, and
/// where all of them ask for the largest distance, the space only gains directions.
const MUST_PERCENTILE: f64 = 5.0;
const CANNOT_PERCENTILE: f64 = 50.0;

/// Links that contradict each other in so few directions push for ever; after some turns unlinked
/// points gain nothing from it.
const TURNS: Turns = Turns { most: 30, settled: 1e-3 };

/// Points between which distances are looked at to find what links ask for.
const SAMPLE: usize = 500;

/// No must-link asks for less than this share of the mean squared distance: where points coincide, the
/// percentile is 0, which no matrix of full rank can grant.
const NEAREST: f64 = 1e-3;

/// Points in the learned space.
pub(super) struct Learned<T: Real> {
    pub(super) factor: Factor<T>,
    /// Coordinates by the factor → final coordinates.
    pub(super) map: Mat<f64>,
    /// The points, row by row, along their principal axes, the longest first.
    pub(super) rows: Vec<f64>,
}

impl<T: Real> Learned<T> {
    /// How many axes there are.
    pub(super) fn n_axes(&self) -> usize {
        self.map.ncols()
    }

    /// The points on the longest axes alone.
    pub(super) fn on_longest(&self, n_axes: usize) -> Vec<f64> {
        self.rows.chunks_exact(self.n_axes()).flat_map(|row| &row[..n_axes]).copied().collect()
    }

    /// The same with only the longest axes, at most so many.
    pub(super) fn cut(mut self, most: usize) -> Self {
        if most < self.n_axes() {
            self.rows = self.on_longest(most);
            self.map = self.map.subcols(0, most).to_owned();
        }
        self
    }
}

impl KernelMeanShiftParams {
    /// The points in the space that these pairs ask for.
    pub(super) fn learn<T: Real>(
        &self,
        points: &Points<'_, T>,
        kernel: Mercer,
        pairs: &[Link],
        observer: &mut Observer<'_>,
    ) -> Result<Learned<T>> {
        let gram = Gram::new(points, kernel, self.repair)?;
        // Half of what may be left out is left to the axes.
        let negligible = 0.5 * (1.0 - ENERGY) * points.n_points() as f64 * gram.variance(self.seed);
        let allow = |rank| self.check_memory(points, rank);
        let enough = self.enough(negligible);
        let factor = Factor::new(&gram, points, kernel, enough, allow, observer)?;
        let axes = metric::leading_axes(&factor.rows, factor.rank, ENERGY, AXES)?;
        let d = axes.ncols();
        let rows = metric::apply(&factor.rows, &axes);
        let wishes = self.wishes(&rows, d, pairs)?;
        let mut learned = Mat::<f64>::identity(d, d);
        settle(&mut learned, &wishes, TURNS);
        let root = metric::root(&learned)?;
        let rows = metric::apply(&rows, &root);
        let own = metric::leading_axes(&rows, d, 1.0, d)?;
        let rows = metric::apply(&rows, &own);
        Ok(Learned { factor, map: &axes * &root * &own, rows })
    }

    /// How the ends of each pair differ, and what it asks for.
    fn wishes(&self, rows: &[f64], d: usize, pairs: &[Link]) -> Result<Vec<(Vec<f64>, Wish)>> {
        let at = Points::new(rows, d)?;
        let mut distances_sq: Vec<f64> =
            bandwidth::sampled_distances(&at, SAMPLE, self.seed).iter().map(|x| x * x).collect();
        distances_sq.sort_unstable_by(f64::total_cmp);
        let mean = distances_sq.iter().sum::<f64>() / distances_sq.len().max(1) as f64;
        let near = metric::at(&distances_sq, MUST_PERCENTILE).max(NEAREST * mean);
        let far = metric::at(&distances_sq, CANNOT_PERCENTILE);
        let wish = |link: &Link| Wish {
            kind: link.kind,
            distance_sq: if link.kind == LinkKind::Must { near } else { far },
            firmness: self.firmness * link.confidence,
        };
        let difference = |link: &Link| -> Vec<f64> {
            at.row(link.a).iter().zip(at.row(link.b)).map(|(a, b)| a - b).collect()
        };
        Ok(pairs.iter().map(|link| (difference(link), wish(link))).collect())
    }
}
