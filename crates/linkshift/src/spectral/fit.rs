//! The method from points and links to model.

use super::affinity::{Affinity, Kernel, between};
use super::cut::{Wishes, cut};
use super::gather::gather;
use super::model::{ClusterCount, Numbered, SpectralDetails, largest_modes};
use super::params::{self, Route, SpectralParams};
use super::{routes, votes};
use crate::bandwidth::{Bandwidth, Found as Sigma};
use crate::cms::Gathered;
use crate::error::{Error, Result};
use crate::kernel::Profile;
use crate::links::LinkClosure;
use crate::mean_shift::MeanShiftParams;
use crate::mean_shift::climb::Pace;
use crate::memory::{self, Size};
use crate::method::{Algorithm, Clusters, Counts, GivenLinks, Info, LinkUse, Method, Outcome};
use crate::model::{Note, NoteKind};
use crate::observe::Observer;
use crate::params::{Named, Param, Preset};
use crate::points::Points;
use crate::predictor::{Nearest, Predictor, Reach};
use crate::real::Real;
use crate::shared::representatives::Gathering;
use std::f64::consts::SQRT_2;

/// Spectral clustering after mean shift, with checked parameters.
pub type Spectral = Method<SpectralParams>;

/// The rows of the matrix, and the way to them.
struct Nodes<T: Real> {
    /// Where they are.
    places: Points<'static, T>,
    /// Sample → node.
    of: Vec<u32>,
    n_iter: usize,
    converged: bool,
    /// What leads new points to a node; none if they go to that of the nearest sample.
    predictor: Option<Predictor<T>>,
}

impl Algorithm for SpectralParams {
    const INFO: Info = Info {
        name: "spectral",
        class: "SpectralMeanShift",
        sentence: "mean shift finds modes, and their graph is cut where it is weakest",
        links: LinkUse::Weighed,
        clusters: Clusters::Either,
        counts: Counts::ITERATIONS,
        takes_similarities: false,
        shows_distances: false,
    };
    const TABLE: &'static [Param<Self>] = params::TABLE;
    const PRESETS: &'static [Preset<Self>] = params::PRESETS;

    type Details<T: Real> = SpectralDetails<T>;

    fn check_together(&self) -> Result<()> {
        self.agree()
    }

    fn needs(&self, size: &Size) -> u64 {
        // Places and tree; the matrix of the modes is counted in the run.
        size.points() + size.rows(80) + self.bandwidth.holds(size.n_points)
    }

    fn run<T: Real>(
        &self,
        points: &Points<'_, T>,
        links: &GivenLinks<'_>,
        observer: &mut Observer<'_>,
    ) -> Result<Outcome<T, SpectralDetails<T>>> {
        let (params, closure) = (self, &links.closure);
        self.check_n_clusters(points)?;
        let gathering = match params.n_representatives(
            points.n_points(),
            points.n_features(),
            !links.all.is_empty(),
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
        self.check_memory(n_nodes, self.needs(&Size::of(points, links.all.len())))?;
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
            self.part(&affinity, &nodes.places, &mode_of, closure)?;
        let mut predictor = match (nodes.predictor, &gathering) {
            (Some(predictor), None) => predictor,
            _ => Predictor::Nearest(Nearest {
                places: places_of(samples),
                labels: nodes.of.iter().map(|&node| i64::from(node)).collect(),
                reach: Reach::Any,
            }),
        };
        let numbered = Numbered::new(&mode_of, &cluster_of_node);
        let cluster_of_mode = numbered.cluster_of_node;
        let cluster = |node: usize| cluster_of_mode[node];
        predictor.relabel(|node| usize::try_from(node).map_or(-1, cluster));
        let n_clusters = numbered.n_clusters;
        let centers = largest_modes(&nodes.places, &mode_of, &cluster_of_mode, n_clusters);
        Ok(Outcome {
            centers: Some(centers),
            mode_bandwidth: None,
            n_iter: nodes.n_iter,
            converged: nodes.converged,
            notes: self.notes(links, n_clusters, n_nodes),
            predictor,
            details: SpectralDetails {
                modes: nodes.places,
                mode_of,
                cluster_of_mode,
                affinity,
                tree,
                found,
                bandwidth,
                route: self.route,
                gathered: gathering.map(|gathering| Gathered {
                    n_representatives: gathering.points.n_points(),
                    rms_distance: gathering.rms_distance,
                }),
                n_implied_broken: closure.n_broken(&numbered.labels),
            },
            labels: numbered.labels,
        })
    }
}

impl Spectral {
    /// K (Eq. 7) of some rows, row by row: the matrix before mean shift, for pictures.
    pub fn full_affinity<T: Real>(
        &self,
        points: &Points<'_, T>,
        rows: &[usize],
    ) -> Result<Vec<f64>> {
        let params = self.params();
        params.check_memory(rows.len(), 0)?;
        let sigma = match params.sigma(points, points)? {
            Sigma::Same(sigma) => Sigma::Same(sigma),
            Sigma::PerPoint(all) => Sigma::PerPoint(rows.iter().map(|&row| all[row]).collect()),
        };
        let some = Points::new(points.select(rows).values().to_vec(), points.n_features())?;
        let of: Vec<u32> = (0..rows.len() as u32).collect();
        let kernel = Kernel::new(sigma, params.negligible);
        let dense = between(&some, &of, of.len(), &kernel).dense();
        let n = rows.len();
        Ok((0..n * n).map(|at| dense[(at / n, at % n)]).collect())
    }
}

impl SpectralParams {
    /// One σ comes from all points, since their number counts in it; one σ each, from the samples.
    fn sigma<T: Real>(&self, points: &Points<'_, T>, samples: &Points<'_, T>) -> Result<Sigma<T>> {
        let (rule, factor) = (self.bandwidth, T::of(self.bandwidth_factor));
        let from = if matches!(rule, Bandwidth::PerPoint { .. }) { samples } else { points };
        let sigma = match rule.find(from, self.seed)? {
            Sigma::Same(sigma) => Sigma::Same(sigma * factor),
            Sigma::PerPoint(all) => {
                Sigma::PerPoint(all.into_iter().map(|sigma| sigma * factor).collect())
            }
        };
        // Both (2σ)² and what is divided by it must be numbers.
        let is_number = |sigma: &T| {
            let square = T::of(4.0) * *sigma * *sigma;
            square.is_finite() && square.recip().is_finite()
        };
        let are_numbers = match &sigma {
            Sigma::Same(sigma) => is_number(sigma),
            Sigma::PerPoint(all) => all.iter().all(is_number),
        };
        if are_numbers { Ok(sigma) } else { Err(Error::Numerical { what: "bandwidths" }) }
    }

    /// Eq. 6: every sample climbs to its mode.
    fn climb<T: Real>(
        &self,
        samples: &Points<'_, T>,
        sigma: &Sigma<T>,
        observer: &mut Observer<'_>,
    ) -> Result<Nodes<T>> {
        let params = self;
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
        let shift = MeanShiftParams {
            profile,
            max_iter: params.max_iter,
            tolerance: params.tolerance / per_sigma,
            merge_tolerance: defaults.merge_tolerance / per_sigma,
            mode_radius: defaults.mode_radius / per_sigma,
            ..defaults
        };
        let shifted = shift.run_at(samples, sigma, pace, observer)?;
        Ok(Nodes {
            places: shifted.centers.unwrap_or_else(|| places_of(samples)),
            of: shifted.labels.iter().map(|&mode| mode as u32).collect(),
            n_iter: shifted.n_iter,
            converged: shifted.converged,
            predictor: Some(shifted.predictor),
        })
    }

    fn notes(&self, links: &GivenLinks<'_>, n_clusters: usize, n_modes: usize) -> Vec<Note> {
        let mut notes = Vec::new();
        if self.route != Route::Tree && !links.all.is_empty() {
            let name = self.route.name();
            let text = format!("route={name} does not listen to links: route=tree does");
            notes.push(Note::new(NoteKind::LinksUnused, text));
        }
        let why = match self.n_clusters {
            Some(k) if n_clusters < k => format!(
                "{k}: there are {n_modes} modes, and must-links join some: a smaller bandwidth has more"
            ),
            Some(k) if n_clusters > k => format!("{k}: cannot-links hold more apart"),
            _ => return notes,
        };
        let text = format!("{n_clusters} clusters instead of {why}");
        notes.push(Note::new(NoteKind::OtherNumberOfClusters, text));
        notes
    }

    /// From affinities to clusters: for each node the one that stands for its cluster, the edges
    /// of the tree, and how the number of clusters was found.
    fn part<T: Real>(
        &self,
        affinity: &Affinity,
        places: &Points<'_, T>,
        node_of: &[u32],
        closure: &LinkClosure,
    ) -> Result<(Vec<usize>, Vec<f64>, Option<ClusterCount>)> {
        let params = self;
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
        match self.n_clusters {
            Some(k) if k > n => {
                Err(Error::param("n_clusters", k, format!("at most {n}, the number of points")))
            }
            _ => Ok(()),
        }
    }

    /// Fails if the matrix would not fit beside what is needed anyway: its edges, and on the way to them
    /// as much again.
    fn check_memory(&self, n_nodes: usize, needed: u64) -> Result<()> {
        const BYTES_PER_PAIR: u64 = 32;
        let n = n_nodes as u64;
        let remedy =
            "gather points into fewer representatives, take a larger bandwidth, or allow more";
        memory::allow(needed + n * n / 2 * BYTES_PER_PAIR, self.memory_mb, remedy)
    }
}

impl<T: Real> Nodes<T> {
    /// Every sample by itself.
    fn of_samples(samples: &Points<'_, T>) -> Self {
        Self {
            places: places_of(samples),
            of: (0..samples.n_points() as u32).collect(),
            n_iter: 0,
            converged: true,
            predictor: None,
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

/// A copy of the samples' own, without weights.
fn places_of<T: Real>(samples: &Points<'_, T>) -> Points<'static, T> {
    let rows: Vec<usize> = (0..samples.n_points()).collect();
    samples.places(&rows)
}
