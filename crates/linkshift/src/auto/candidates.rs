//! Who is asked: methods that understand links, each where it understands them best, and k-means
//! with many numbers of clusters, which needs none.

use super::space::{Directions, LinearMap, scaled};
use crate::ask;
use crate::boosted::BoostedParams;
use crate::cdbscan::CdbscanParams;
use crate::cms::CmsParams;
use crate::error::{Error, Result};
use crate::kmeans::KMeansParams;
use crate::links::Links;
use crate::method::{Algorithm, Method};
use crate::obey::Obey;
use crate::observe::{self, Observer, Step};
use crate::points::Points;
use crate::real::Real;
use crate::scale::Scaling;
use crate::spectral::SpectralParams;
use crate::stop::Stop;
use std::ops::ControlFlow;

/// The candidates that listen to links, by method and space.
pub(super) const CANDIDATES: [&str; 5] = [
    "spectral, min-max",
    "boosted, min-max",
    "cdbscan, min-max",
    "spectral, z-score",
    "cms, learned",
];

/// Families of clusterings that do not listen to links: k-means with many clusters, with few; communities.
pub(super) const FAMILIES: usize = 3;

/// Numbers of clusters of k-means, as a share of √n: far more than there are clusters, so that only
/// near points are together.
const FINE: [f64; 6] = [0.7, 0.96, 1.22, 1.48, 1.74, 2.0];

/// Numbers of clusters of k-means, about as many as people look for.
const COARSE: [usize; 7] = [2, 3, 4, 5, 7, 9, 12];

/// Resolutions of the communities of a graph of neighbours: from a few large ones to many small ones.
const RESOLUTIONS: [f64; 4] = [0.25, 0.5, 1.0, 2.0];

/// Where the candidates look, whatever the links are.
pub(super) struct Ground {
    pub(super) min_max: Points<'static, f32>,
    z_score: Points<'static, f32>,
    directions: Directions,
}

impl Ground {
    pub(super) fn new<T: Real>(points: &Points<'_, T>) -> Result<Self> {
        Ok(Self {
            min_max: scaled(points, Scaling::MinMax)?,
            z_score: scaled(points, Scaling::ZScore)?,
            directions: Directions::new(points)?,
        })
    }
}

/// What all candidates found with some of the links.
pub(super) struct Part {
    /// The learned space.
    pub(super) map: LinearMap,
    /// The points there.
    pub(super) places: Points<'static, f32>,
    /// Labels by candidate.
    pub(super) labels: Vec<Vec<i64>>,
    /// Labels of k-means with many clusters, with few; communities.
    pub(super) families: [Vec<Vec<i64>>; FAMILIES],
}

/// Shows how far all candidates together have come.
pub(super) struct Progress<'a, 'o> {
    pub(super) observer: &'a mut Observer<'o>,
    pub(super) n_done: usize,
    pub(super) n_all: usize,
}

impl Progress<'_, '_> {
    /// Steps of one part.
    pub(super) const PER_PART: usize = CANDIDATES.len() + 1;

    /// Runs a piece of work, whose own steps only give the chance to cancel.
    fn one<R>(&mut self, work: impl FnOnce(&mut Observer<'_>) -> Result<R>) -> Result<R> {
        self.n_done += 1;
        let (n_iter, max_iter) = (self.n_done, self.n_all);
        let outer = &mut *self.observer;
        let mut inner =
            |step: &Step| -> ControlFlow<()> { outer(&Step { n_iter, max_iter, ..*step }) };
        let outcome = Stop::here().within(|| work(&mut inner));
        outcome.map_err(|error| match error {
            Error::Cancelled { .. } => Error::Cancelled { n_iter },
            other => other,
        })
    }

    /// Shows a step without iterations of its own.
    fn show(&mut self, n_live: usize) -> Result<()> {
        let (n_iter, max_iter) = (self.n_done, self.n_all);
        let step = Step { n_iter, max_iter, n_live, bandwidth: 0.0, largest_shift: 0.0 };
        observe::show(self.observer, &step)
    }
}

impl Part {
    /// Asks all candidates. One that cannot answer says nothing.
    pub(super) fn fit<T: Real>(
        points: &Points<'_, T>,
        ground: &Ground,
        links: &Links,
        seed: u64,
        progress: &mut Progress<'_, '_>,
    ) -> Result<Self> {
        let map = ground.directions.learn(links.iter());
        let places: Points<'static, f32> = map.apply(points)?;
        let weighted = match ground.min_max.weights() {
            Some(weights) => places.clone().with_weights(weights.to_vec())?,
            None => places.clone(),
        };
        let spectral = SpectralParams { seed, obey: Obey::AsFound, ..SpectralParams::default() };
        let boosted = BoostedParams { seed, obey: Obey::AsFound, ..BoostedParams::default() };
        let cms = CmsParams { seed, obey: Obey::AsFound, ..CmsParams::default() };
        let cdbscan = CdbscanParams { obey: Obey::AsFound, ..CdbscanParams::default() };
        let labels = vec![
            heard(&spectral, &ground.min_max, links, progress)?,
            heard(&boosted, &ground.min_max, links, progress)?,
            heard(&cdbscan, &ground.min_max, links, progress)?,
            heard(&spectral, &ground.z_score, links, progress)?,
            heard(&cms, &weighted, links, progress)?,
        ];
        let n = points.n_points();
        let fine = FINE.map(|share| ((n as f64).sqrt() * share) as usize);
        let families = progress.one(|observer| {
            Ok([
                several(&weighted, &fine, seed, observer)?,
                several(&weighted, &COARSE, seed, observer)?,
                ask::communities(&weighted, &RESOLUTIONS),
            ])
        })?;
        progress.show(n)?;
        Ok(Self { map, places, labels, families })
    }
}

/// The labels of one candidate; −1 everywhere if it fails.
fn heard<P: Algorithm>(
    params: &P,
    points: &Points<'_, f32>,
    links: &Links,
    progress: &mut Progress<'_, '_>,
) -> Result<Vec<i64>> {
    let method = Method::new(params.clone())?;
    let fitted = progress.one(|observer| method.fit_observed(points, links, observer));
    progress.show(points.n_points())?;
    match fitted {
        Ok(model) => Ok(model.labels),
        Err(Error::Cancelled { n_iter }) => Err(Error::Cancelled { n_iter }),
        Err(_) => Ok(vec![-1; points.n_points()]),
    }
}

/// k-means with each of these numbers of clusters, from one start each.
fn several(
    points: &Points<'_, f32>,
    counts: &[usize],
    seed: u64,
    observer: &mut Observer<'_>,
) -> Result<Vec<Vec<i64>>> {
    let n = points.n_points();
    let one = |(at, &count): (usize, &usize)| {
        let params = KMeansParams {
            n_clusters: count.clamp(1, (n / 2).max(1)),
            n_init: 1,
            max_iter: 20,
            seed: seed.wrapping_add(at as u64),
            ..KMeansParams::default()
        };
        Ok(Method::new(params)?.fit_observed(points, &Links::new(), observer)?.labels)
    };
    counts.iter().enumerate().map(one).collect()
}
