//! What is left of a model once only new points are to be labelled: plain data, of any method.
//!
//! Models own indexes and reports that nobody needs twice. A [`Predictor`] is what their `predict`
//! works from, with nothing hidden, so that an outer crate can put it into a file and take it out
//! again; it gives the labels that the model's own `predict` gives. Since it may come from
//! anywhere, it is checked before it is used.
//!
//! ```
//! use linkshift::mean_shift::{MeanShift, MeanShiftParams};
//! use linkshift::{Links, datasets};
//!
//! let moons = datasets::moons(90, 0.1, 7)?;
//! let model = MeanShift::new(MeanShiftParams::default())?.fit(&moons.points, &Links::new())?;
//! let labels = model.labels().to_vec();
//! let predictor = model.into_predictor();
//! assert_eq!(predictor.predict(&moons.points)?, labels);
//! # Ok::<(), linkshift::Error>(())
//! ```

pub use crate::shared::held::Held;

use crate::auto::Projected;
use crate::cms::Replay;
use crate::error::{Error, Result};
use crate::kernel_mean_shift::FeatureClimb;
use crate::kmeans::Assignment;
use crate::mean_shift::Basin;
use crate::neighbors::Neighbors;
use crate::points::Points;
use crate::real::Real;
use crate::stop::Stoppable;
use rayon::prelude::*;

/// How new points get their labels.
///
/// Exhaustive on purpose, as is what it is made of: who writes it to a file must hear of a new kind
/// when compiling.
#[derive(Debug, Clone, PartialEq)]
pub enum Predictor<T: Real> {
    /// From the nearest of some places.
    Nearest(Nearest<T>),
    /// From where they climb to: mean shift.
    Basin(Basin<T>),
    /// From the centers of the fit, whose way they go: constrained mean shift.
    Replay(Replay<T>),
    /// From the nearest center under learned metrics, unless links hold them: k-means and relatives.
    Assignment(Assignment<T>),
    /// From where they climb to in feature space: kernel mean shift.
    FeatureClimb(FeatureClimb<T>),
    /// From the nearest of some places in a learned space: the default method.
    Projected(Projected<T>),
    /// From links, for the points that these moved; all others by another way.
    Holding(Box<Holding<T>>),
}

/// Points that links moved, before another way to label points.
#[derive(Debug, Clone, PartialEq)]
pub struct Holding<T: Real> {
    /// The points that links moved.
    pub held: Held<T>,
    /// What labels all others.
    pub others: Predictor<T>,
}

impl<T: Real> Predictor<T> {
    /// That of a model without clusters: all is noise, wherever it lies.
    pub(crate) fn nowhere(n_features: usize) -> Self {
        let anywhere = Points::checked_before(vec![T::zero(); n_features], n_features, None);
        Predictor::Nearest(Nearest { places: anywhere, labels: vec![-1], reach: Reach::Any })
    }

    /// How points get their labels that no link moved.
    pub fn unlinked(&self) -> &Self {
        match self {
            Predictor::Holding(holding) => holding.others.unlinked(),
            own => own,
        }
    }

    /// The same, but for these points.
    pub(crate) fn holding(self, held: Held<T>) -> Self {
        Predictor::Holding(Box::new(Holding { held, others: self }))
    }

    /// What labels new points the same with less: without what is kept only to tell why fitted points
    /// went where they went.
    pub fn slim(self) -> Self {
        match self {
            Predictor::Replay(replay) => replay.slim(),
            Predictor::Holding(holding) => {
                let Holding { held, others } = *holding;
                others.slim().holding(held)
            }
            own => own,
        }
    }

    /// Labels of new points: those that the model it comes from would give. Each is looked at by
    /// itself, whoever comes with it.
    pub fn predict(&self, points: &Points<'_, T>) -> Result<Vec<i64>> {
        T::predict(self, points)
    }

    pub(crate) fn predict_any(&self, points: &Points<'_, T>) -> Result<Vec<i64>> {
        self.check()?;
        match self {
            Predictor::Nearest(nearest) => nearest.predict(points),
            Predictor::Basin(basin) => basin.predict(points),
            Predictor::Replay(replay) => replay.predict(points),
            Predictor::Assignment(assignment) => assignment.predict(points),
            Predictor::FeatureClimb(climb) => climb.predict(points),
            Predictor::Projected(projected) => projected.predict(points),
            Predictor::Holding(holding) => {
                let mut labels = holding.others.predict(points)?;
                holding.held.apply(points, &mut labels);
                Ok(labels)
            }
        }
    }

    /// Fails if the parts do not fit each other.
    pub fn check(&self) -> Result<()> {
        T::check(self)
    }

    pub(crate) fn check_any(&self) -> Result<()> {
        match self {
            Predictor::Nearest(nearest) => nearest.check(),
            Predictor::Basin(basin) => basin.check(),
            Predictor::Replay(replay) => replay.check(),
            Predictor::Assignment(assignment) => assignment.check(),
            Predictor::FeatureClimb(climb) => climb.check(),
            Predictor::Projected(projected) => projected.check(),
            Predictor::Holding(holding) => {
                holding.held.check_shape()?;
                holding.others.check()
            }
        }
    }

    /// Gives every label that a prediction can take another name.
    pub fn relabel(&mut self, name: impl Fn(i64) -> i64) {
        self.rename(&name);
    }

    fn rename(&mut self, name: &dyn Fn(i64) -> i64) {
        let (labels, held): (&mut [i64], &mut [i64]) = match self {
            Predictor::Holding(holding) => {
                holding.others.rename(name);
                (&mut [], &mut holding.held.labels)
            }
            Predictor::Nearest(nearest) => (&mut nearest.labels, &mut []),
            Predictor::Basin(basin) => (&mut basin.labels, &mut basin.held.labels),
            Predictor::Replay(replay) => (&mut replay.label_of_center, &mut []),
            Predictor::Assignment(assignment) => {
                (&mut assignment.labels, &mut assignment.held.labels)
            }
            Predictor::FeatureClimb(climb) => (&mut climb.labels, &mut []),
            Predictor::Projected(projected) => (&mut projected.nearest.labels, &mut []),
        };
        labels.iter_mut().chain(held).for_each(|label| *label = name(*label));
    }
}

/// Labels from the nearest of some places.
#[derive(Debug, Clone, PartialEq)]
pub struct Nearest<T: Real> {
    /// The places.
    pub places: Points<'static, T>,
    /// The label of each.
    pub labels: Vec<i64>,
    /// How near a place must be; beyond it a point is noise, −1.
    pub reach: Reach<T>,
}

/// How near is near enough.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reach<T> {
    /// However far.
    Any,
    /// No farther than this.
    UpTo(T),
    /// Nearer than this.
    Below(T),
}

impl<T: Real> Nearest<T> {
    /// The label of the nearest place, for each point.
    pub fn predict(&self, points: &Points<'_, T>) -> Result<Vec<i64>> {
        points.expect_features(self.places.n_features())?;
        let near = Neighbors::new(&self.places);
        let label = |row: &[T]| {
            let found = near.nearest(row, 1)[0];
            let is_near = match self.reach {
                Reach::Any => true,
                Reach::UpTo(limit) => found.distance_sq <= limit * limit,
                Reach::Below(limit) => found.distance_sq < limit * limit,
            };
            if is_near { self.labels[found.row] } else { -1 }
        };
        Ok(points.values().par_chunks_exact(points.n_features()).stoppable().map(label).collect())
    }

    pub(crate) fn check(&self) -> Result<()> {
        same_count("labels", self.labels.len(), self.places.n_points())
    }
}

/// Fails unless there are as many as there must be.
pub(crate) fn same_count(part: &'static str, found: usize, expected: usize) -> Result<()> {
    whole(found == expected, part, || format!("there are {found}, not {expected}"))
}

/// Fails unless every number is a place in a list of this length.
pub(crate) fn all_below(part: &'static str, numbers: &[u32], n: usize) -> Result<()> {
    let largest = numbers.iter().max().copied().unwrap_or(0) as usize;
    whole(largest < n.max(1), part, || format!("there is no number {largest} among {n}"))
}

/// Fails unless a part of a model is as it must be.
pub(crate) fn whole(
    holds: bool,
    part: &'static str,
    problem: impl FnOnce() -> String,
) -> Result<()> {
    if holds { Ok(()) } else { Err(Error::Model { part, problem: problem() }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nearest(reach: Reach<f64>) -> Nearest<f64> {
        let places = Points::new(vec![0.0, 10.0], 1).unwrap();
        Nearest { places, labels: vec![3, 5], reach }
    }

    #[test]
    fn the_nearest_place_gives_the_label_if_it_is_within_reach() {
        let points = Points::new(vec![1.0, 4.0, 6.0], 1).unwrap();
        let labels = |reach| nearest(reach).predict(&points).unwrap();
        assert_eq!(labels(Reach::Any), [3, 3, 5]);
        assert_eq!(labels(Reach::UpTo(4.0)), [3, 3, 5]);
        assert_eq!(labels(Reach::Below(4.0)), [3, -1, -1]);
    }

    #[test]
    fn what_does_not_fit_together_is_refused() {
        let broken = Nearest { labels: vec![1], ..nearest(Reach::Any) };
        let points = Points::new(vec![1.0], 1).unwrap();
        let error = Predictor::Nearest(broken).predict(&points).unwrap_err();
        assert_eq!(error, Error::Model { part: "labels", problem: "there are 1, not 2".into() });
        assert!(nearest(Reach::Any).predict(&Points::new(vec![1.0; 2], 2).unwrap()).is_err());
    }
}
