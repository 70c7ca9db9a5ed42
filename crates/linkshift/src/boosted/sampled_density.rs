//! The slope that points climb a few steps before they take the cluster of the nearest mode.
//!
//! The modes of a cluster are its skeleton, and a point between two skeletons may be nearer to the
//! wrong one, while the points around it say where it belongs. So it first goes where mean shift
//! would take it, on the density of a few points drawn at random.

use super::params::BoostedParams;
use crate::bandwidth::Found;
use crate::error::Result;
use crate::kernel::Profile;
use crate::links::LinkClosure;
use crate::mean_shift::field::Field;
use crate::mean_shift::{Basin, Uphill};
use crate::points::Points;
use crate::real::Real;
use crate::shared::held::Held;
use crate::stop::Stoppable;
use rayon::prelude::*;

/// Of the whole density only what is near: a point is to find the next slope, not the highest
/// summit, and far samples need not be looked at.
pub(super) const PROFILE: Profile = Profile::TRUNCATED;

/// Some points, and how others climb their density.
#[derive(Debug, Clone, PartialEq)]
pub struct SampledDensity<T: Real> {
    samples: Points<'static, T>,
    bandwidth: T,
    n_steps: usize,
}

impl<T: Real> SampledDensity<T> {
    /// Of the points in the cells of the first epoch as many as one cell holds by default, evenly
    /// from all cells: a thousand know a density, and each costs every point a distance per step.
    pub fn draw(
        points: &Points<'_, T>,
        cells: &[Vec<usize>],
        params: &BoostedParams,
    ) -> Result<Self> {
        let share = BoostedParams::CELL_SIZE.div_ceil(cells.len().max(1));
        let rows: Vec<usize> =
            cells.iter().flat_map(|rows| &rows[..share.min(rows.len())]).copied().collect();
        let samples = points.select(&rows);
        let bandwidth = T::of(params.bandwidth.find(&samples, params.seed)?.mean());
        Ok(Self { samples, bandwidth, n_steps: params.climb_steps })
    }

    /// Eq. 4, some times: moves each place to the mean of the samples around it; where there are
    /// none it stays.
    pub fn climb(&self, places: &mut [T]) {
        let field = Field::new(&self.samples, PROFILE, &Found::Same(self.bandwidth));
        places.par_chunks_exact_mut(self.samples.n_features()).stoppable().for_each_init(
            || field.scratch(),
            |scratch, place| {
                for _ in 0..self.n_steps {
                    if field.shift(place, scratch) == T::zero() {
                        break;
                    }
                }
            },
        );
    }

    /// The points, those with links where they climb to.
    pub fn climbed(&self, points: &Points<'_, T>, closure: &LinkClosure) -> Points<'static, T> {
        let linked = (0..closure.n_groups()).flat_map(|group| closure.members(group));
        let rows: Vec<usize> = linked.map(|&row| row as usize).collect();
        let mut places = points.select(&rows).values().to_vec();
        self.climb(&mut places);
        let d = points.n_features();
        let mut all = points.values().to_vec();
        for (&row, place) in rows.iter().zip(places.chunks_exact(d)) {
            all[row * d..][..d].copy_from_slice(place);
        }
        Points::checked_before(all, d, None)
    }

    /// The same as plain data, with the modes that the climb ends at and the points that go
    /// elsewhere.
    pub(super) fn into_basin(
        self,
        modes: Points<'static, T>,
        labels: Vec<i64>,
        held: Held<T>,
    ) -> Basin<T> {
        let way = Uphill::Climb {
            samples: self.samples,
            bandwidth: Found::Same(self.bandwidth),
            max_iter: self.n_steps,
            tolerance: T::zero(),
            merge_tolerance: T::zero(),
        };
        Basin { profile: PROFILE, way, ends: modes, labels, held }
    }
}
