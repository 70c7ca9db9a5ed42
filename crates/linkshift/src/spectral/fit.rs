//! The method from points and links to model.

use super::affinity::{Affinity, Kernel, between};
use super::cut::{Wishes, cut};
use super::gather::gather;
use super::model::{Found, SpectralModel, Way};
use super::params::{Route, SpectralParams};
use super::{routes, votes};
use crate::bandwidth::{Bandwidth, Found as Sigma};
use crate::cms::Gathered;
use crate::error::{Error, Result};
use crate::kernel::Profile;
use crate::links::{LinkClosure, Links};
use crate::mean_shift::climb::Pace;
use crate::mean_shift::{MeanShift, MeanShiftParams};
use crate::observe::{self, Observer};
use crate::points::Points;
use crate::real::Real;
use crate::shared::memory;
use crate::shared::representatives::Gathering;
use std::f64::consts::SQRT_2;

/// Spectral clustering after mean shift, with checked parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Spectral {
    params: SpectralParams,
}

/// The rows of the matrix, and the way to them.
struct Nodes<T: Real> {
    /// Where they are.
    places: Points<'static, T>,
    /// Sample → node.
    of: Vec<u32>,
    n_iter: usize,
    converged: bool,
    way: Option<Way<T>>,
}

impl Spectral {
    /// Checks the parameters; every parameter error that does not depend on the points is here.
    pub fn new(params: SpectralParams) -> Result<Self> {
        params.check()?;
        Ok(Self { params })
    }

    /// The parameters.
    pub fn params(&self) -> &SpectralParams {
        &self.params
    }

    /// Finds the clusters; every error of points and links is here.
    pub fn fit<T: Real>(&self, points: &Points<'_, T>, links: &Links) -> Result<SpectralModel<T>> {
        self.fit_observed(points, links, &mut observe::ignore)
    }

    /// Like [`fit`](Self::fit), showing each iteration of mean shift to an observer that may
    /// cancel.
    pub fn fit_observed<T: Real>(
        &self,
        points: &Points<'_, T>,
        links: &Links,
        observer: &mut Observer<'_>,
    ) -> Result<SpectralModel<T>> {
        let params = &self.params;
        let closure = links.close(points.n_points())?;
        self.check_n_clusters(points)?;
        let gathering = match params.n_representatives(
            points.n_points(),
            points.n_features(),
            !links.is_empty(),
        ) {
            Some(count) => Some(gather(points, count)?),
            None => None,
        };
        let samples = gathering.as_ref().map_or(points, |gathering| &gathering.points);
        let sigma = self.sigma(points, samples)?;
        let spread_sq = gathering.as_ref().map_or(0.0, |gathering| {
            gathering.rms_distance * gathering.rms_distance / points.n_features() as f64
        });
        let nodes = if params.quantise {
            self.climb(samples, &widened(&sigma, spread_sq), observer)?
        } else {
            Nodes::of_samples(samples)
        };
        let n_nodes = nodes.places.n_points();
        self.check_memory(n_nodes)?;
        let bandwidth = sigma.mean();
        // Both points of a pair are spread around their representatives.
        let kernel = Kernel::new(widened(&sigma, 2.0 * spread_sq), params.negligible);
        let affinity = between(samples, &nodes.of, n_nodes, &kernel);

        let node_of_point = |sample: &u32| nodes.of[*sample as usize];
        let mode_of = match &gathering {
            Some(Gathering { of, .. }) => of.iter().map(node_of_point).collect(),
            None => nodes.of.clone(),
        };
        let (cluster_of_node, tree, found) =
            self.part(&affinity, &nodes.places, &mode_of, &closure)?;
        let way = match (nodes.way, &gathering) {
            (Some(way), None) => way,
            _ => Way::Nearest(owned(samples), nodes.of),
        };
        let mut model = SpectralModel {
            labels: Vec::new(),
            sizes: Vec::new(),
            modes: nodes.places,
            mode_of,
            cluster_of_mode: Vec::new(),
            affinity,
            tree,
            found,
            bandwidth,
            n_iter: nodes.n_iter,
            converged: nodes.converged,
            gathered: gathering.map(|gathering| Gathered {
                n_representatives: gathering.points.n_points(),
                rms_distance: gathering.rms_distance,
            }),
            link_report: Default::default(),
            n_implied_broken: 0,
            way,
        };
        model.number(&cluster_of_node);
        model.link_report = links.report(model.labels());
        model.n_implied_broken = closure.n_broken(model.labels());
        Ok(model)
    }

    /// K (Eq. 7) of some rows, row by row: the matrix before mean shift, for pictures.
    pub fn full_affinity<T: Real>(
        &self,
        points: &Points<'_, T>,
        rows: &[usize],
    ) -> Result<Vec<f64>> {
        self.check_memory(rows.len())?;
        let sigma = match self.sigma(points, points)? {
            Sigma::Same(sigma) => Sigma::Same(sigma),
            Sigma::PerPoint(all) => Sigma::PerPoint(rows.iter().map(|&row| all[row]).collect()),
        };
        let some = Points::new(points.select(rows).values().to_vec(), points.n_features())?;
        let of: Vec<u32> = (0..rows.len() as u32).collect();
        let kernel = Kernel::new(sigma, self.params.negligible);
        let dense = between(&some, &of, of.len(), &kernel).dense();
        let n = rows.len();
        Ok((0..n * n).map(|at| dense[(at / n, at % n)]).collect())
    }

    /// One σ comes from all points, since their number counts in it; one σ each, from the samples.
    fn sigma<T: Real>(&self, points: &Points<'_, T>, samples: &Points<'_, T>) -> Result<Sigma<T>> {
        let (rule, factor) = (self.params.bandwidth, T::of(self.params.bandwidth_factor));
        let from = if matches!(rule, Bandwidth::PerPoint { .. }) { samples } else { points };
        Ok(match rule.find(from, self.params.seed)? {
            Sigma::Same(sigma) => Sigma::Same(sigma * factor),
            Sigma::PerPoint(all) => {
                Sigma::PerPoint(all.into_iter().map(|sigma| sigma * factor).collect())
            }
        })
    }

    /// Eq. 6: every sample climbs to its mode.
    fn climb<T: Real>(
        &self,
        samples: &Points<'_, T>,
        sigma: &Sigma<T>,
        observer: &mut Observer<'_>,
    ) -> Result<Nodes<T>> {
        let params = &self.params;
        // The Gaussian exp(−x/2) at σ is exp(−x) at √2·σ, and that has a form that ends.
        let pace = if matches!(sigma, Sigma::Same(_)) { Pace::Leaps } else { Pace::Steps };
        let (sigma, profile, per_sigma) = match sigma {
            Sigma::Same(sigma) if params.negligible > 0.0 => (
                Sigma::Same(*sigma * T::of(SQRT_2)),
                Profile::Truncated { cut: params.negligible },
                SQRT_2,
            ),
            sigma => (sigma.clone(), Profile::Gaussian, 1.0),
        };
        let defaults = MeanShiftParams::default();
        let model = MeanShift::new(MeanShiftParams {
            profile,
            max_iter: params.max_iter,
            tolerance: params.tolerance / per_sigma,
            merge_tolerance: defaults.merge_tolerance / per_sigma,
            mode_radius: defaults.mode_radius / per_sigma,
            ..defaults
        })?
        .fit_at(samples, sigma, pace, observer)?;
        Ok(Nodes {
            places: model.modes().clone(),
            of: model.labels().iter().map(|&mode| mode as u32).collect(),
            n_iter: model.n_iter(),
            converged: model.converged(),
            way: Some(Way::Climb(Box::new(model))),
        })
    }

    /// From affinities to clusters: for each node the one that stands for its cluster, the edges
    /// of the tree, and how the number of clusters was found.
    fn part<T: Real>(
        &self,
        affinity: &Affinity,
        places: &Points<'_, T>,
        node_of: &[u32],
        closure: &LinkClosure,
    ) -> Result<(Vec<usize>, Vec<f64>, Option<Found>)> {
        let params = &self.params;
        let (clusters, found) = match params.route {
            Route::Tree => {
                let mut sizes = vec![0; affinity.n_nodes()];
                node_of.iter().for_each(|&node| sizes[node as usize] += 1);
                let wishes = Wishes {
                    n_clusters: params.n_clusters,
                    votes: &votes::count(closure, node_of),
                    sizes: &sizes,
                    min_support: params.min_share() * node_of.len() as f64,
                };
                let cut = cut(affinity, places, &wishes);
                return Ok((cut.cluster_of, cut.tree, cut.found));
            }
            Route::LeadingVector => (routes::leading_vector(&affinity.dense())?, None),
            Route::SecondVector => (routes::second_vector(&affinity.dense())?, None),
            Route::Embedding => {
                routes::embedding(&affinity.dense(), params.n_clusters, params.seed)?
            }
        };
        Ok((clusters, Vec::new(), found))
    }

    fn check_n_clusters<T: Real>(&self, points: &Points<'_, T>) -> Result<()> {
        let n = points.n_points();
        match self.params.n_clusters {
            Some(k) if k > n => {
                Err(Error::param("n_clusters", k, format!("at most {n}, the number of points")))
            }
            _ => Ok(()),
        }
    }

    /// Fails if the matrix would not fit: its edges, and on the way to them as much again.
    fn check_memory(&self, n_nodes: usize) -> Result<()> {
        const BYTES_PER_PAIR: u64 = 32;
        let n = n_nodes as u64;
        let remedy =
            "gather points into fewer representatives, take a larger bandwidth, or allow more";
        memory::allow(n * n / 2 * BYTES_PER_PAIR, self.params.memory_mb, remedy)
    }
}

impl<T: Real> Nodes<T> {
    /// Every sample by itself.
    fn of_samples(samples: &Points<'_, T>) -> Self {
        Self {
            places: owned(samples),
            of: (0..samples.n_points() as u32).collect(),
            n_iter: 0,
            converged: true,
            way: None,
        }
    }
}

/// The sum of Gaussians around points that are spread around their representative, each column by
/// this variance, is a Gaussian around the representative that is wider by so much. (A σ for each
/// sample is a distance between representatives, and wide enough.)
fn widened<T: Real>(sigma: &Sigma<T>, spread_sq: f64) -> Sigma<T> {
    match sigma {
        Sigma::Same(sigma) => Sigma::Same(T::of(sigma.as_f64().hypot(spread_sq.sqrt()))),
        Sigma::PerPoint(all) => Sigma::PerPoint(all.clone()),
    }
}

/// A copy of the samples' own.
fn owned<T: Real>(samples: &Points<'_, T>) -> Points<'static, T> {
    let rows: Vec<usize> = (0..samples.n_points()).collect();
    samples.select(&rows)
}
