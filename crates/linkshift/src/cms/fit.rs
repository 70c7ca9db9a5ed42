//! The method from points and links to model.

use super::label::components;
use super::leftovers;
use super::model::{CmsDetails, Gathered, conclude};
use super::params::{self, CmsParams};
use super::replay::Stage;
use super::samples::Samples;
use super::state::{self, State};
use super::step::Iteration;
use super::ties::{self, Tie, Ties};
use crate::bandwidth;
use crate::distance::distance_sq;
use crate::error::Result;
use crate::links::{LinkClosure, LinkKind, Links};
use crate::memory::{self, Size};
use crate::method::{Algorithm, Clusters, Counts, GivenLinks, Info, LinkUse, Method, Outcome};
use crate::observe::{self, Observer, Step};
use crate::params::{Param, Preset};
use crate::points::Points;
use crate::real::Real;
use crate::shared::representatives::{self, Gathering};
use std::collections::HashMap;

/// A run has converged if in its last iteration no center went farther than this share of the
/// bandwidth, far less than what the labels tell apart.
const AT_REST: f64 = 1e-3;

/// Constrained mean shift with checked parameters.
pub type Cms = Method<CmsParams>;

impl Algorithm for CmsParams {
    const INFO: Info = Info {
        name: "cms",
        class: "ConstrainedMeanShift",
        sentence: "constrained mean shift: links weigh the density, the bandwidth grows until only what they part is apart",
        links: LinkUse::Evidence,
        clusters: Clusters::Found,
        counts: Counts::ITERATIONS,
        takes_similarities: false,
        shows_distances: false,
    };
    const TABLE: &'static [Param<Self>] = params::TABLE;
    const PRESETS: &'static [Preset<Self>] = params::PRESETS;

    type Details<T: Real> = CmsDetails;

    fn check_together(&self) -> Result<()> {
        self.agree()
    }

    fn needs(&self, size: &Size) -> u64 {
        // The centers' way and the ties are counted in the run.
        size.points() + size.rows(70) + bandwidth::sampled(size.n_points)
    }

    fn run<T: Real>(
        &self,
        points: &Points<'_, T>,
        links: &GivenLinks<'_>,
        observer: &mut Observer<'_>,
    ) -> Result<Outcome<T, CmsDetails>> {
        let params = self;
        let GivenLinks { closure, doubtful: soft, .. } = links;
        let schedule = &params.schedule;
        let bandwidths =
            schedule.bandwidths(params.max_iter, || bandwidth::extremes(points, params.seed));
        let needed = self.needs(&Size::of(points, links.all.len()));
        self.check_link_memory(closure, needed)?;
        let (ties, pairs_left_out) = self.ties(closure, soft, points);
        let gathering = match params.representatives.count_for(points.n_points()) {
            Some(count) => Some(representatives::gather(points, count, params.seed)?),
            None => None,
        };
        let (samples, sample_of, ties) = match &gathering {
            Some(Gathering { points, of, .. }) => (points, of.clone(), outside(ties.regroup(of))),
            None => (points, (0..points.n_points() as u32).collect(), ties),
        };
        let n_ties = ties.cannot.len() + ties.must.len();
        self.check_memory(samples, n_ties, bandwidths.len(), needed)?;
        let (samples, sample_of, ties) = by_place(samples, sample_of, &ties);
        let mut run = self.iterate(&samples, ties, &bandwidths, observer)?;
        if params.leftover_size > 0 {
            let component = |&sample: &u32| run.component_of_sample(sample);
            let before: Vec<i64> = sample_of.iter().map(component).collect();
            let mut after = before.clone();
            leftovers::join(points, &mut after, closure, soft, params.leftover_size)?;
            run.rename_components(&before, &after);
        }

        let gathered = gathering.map(|gathering| Gathered {
            n_representatives: gathering.points.n_points(),
            rms_distance: gathering.rms_distance,
        });
        Ok(conclude(run, samples, sample_of, self, gathered, pairs_left_out, links))
    }
}

impl CmsParams {
    /// What the links say of pairs of points, and how many implied pairs were left out.
    fn ties<T: Real>(
        &self,
        closure: &LinkClosure,
        soft: &Links,
        points: &Points<'_, T>,
    ) -> (Ties, u64) {
        let CmsParams { link_cap, must_strength, seed, .. } = *self;
        let (mut cannot, left_out) = ties::expand(closure, points, link_cap, seed);
        cannot.extend(ties::soft(soft.as_slice(), LinkKind::Cannot, 1.0));
        let mut must = Vec::new();
        if must_strength > 0.0 {
            must = ties::expand_must(closure, must_strength, link_cap, seed);
            must.extend(ties::soft(soft.as_slice(), LinkKind::Must, must_strength));
        }
        (Ties { cannot: ties::group(cannot), must: ties::group(must) }, left_out)
    }

    /// All iterations.
    fn iterate<T: Real>(
        &self,
        points: &Points<'_, T>,
        ties: Ties,
        bandwidths: &[f64],
        observer: &mut Observer<'_>,
    ) -> Result<Run<T>> {
        let params = self;
        let weights: Vec<T> = (0..points.n_points()).map(|row| points.weight(row)).collect();
        let mut state = State::new(points.values(), points.n_features(), weights, ties.clone());
        let mut path = Vec::with_capacity(bandwidths.len());
        let before_first = state.merge(T::zero(), false);
        let mut samples = Samples::new(points, params.profile);
        let mut n_iter = 0;
        let mut at_rest = false;
        for (at, &h) in bandwidths.iter().enumerate() {
            if params.blurring {
                samples = Samples::new(&blurred(points, &state), params.profile);
            }
            let drift = if params.blurring { 0.0 } else { drift(points, &state) };
            let mut moved = state.centers.clone();
            let largest_shift =
                Iteration::new(&samples, &state, h, drift, params).shift(&mut moved, true);
            let before = std::mem::replace(&mut state.centers, moved);
            let merged = state.merge(T::of(params.merge_tolerance * h), at % 2 == 0);
            path.push(Stage { h, centers: before, merged });
            n_iter = at + 1;
            let step = Step {
                n_iter,
                max_iter: bandwidths.len(),
                n_live: state.n_centers(),
                bandwidth: h,
                largest_shift: largest_shift.as_f64(),
            };
            observe::show(observer, &step)?;

            let shift = largest_shift.as_f64() / h;
            at_rest = shift <= params.tolerance.max(AT_REST);
            // Centers at rest under a growing bandwidth may set out again, so they alone end nothing.
            if shift < params.tolerance && bandwidths[at..].iter().all(|&later| later == h) {
                break;
            }
        }
        let last = bandwidths[n_iter - 1];
        if params.blurring {
            samples = Samples::new(&blurred(points, &state), params.profile);
        }
        let iteration = Iteration::new(&samples, &state, last, drift(points, &state), params);
        let centers = Points::checked_before(state.centers.clone(), points.n_features(), None);
        let component_of_center = components(&iteration, &state, &centers, last, params);
        let bandwidths = bandwidths[..n_iter].to_vec();
        Ok(Run {
            state,
            ties,
            before_first,
            path,
            bandwidths,
            component_of_center,
            centers,
            at_rest,
        })
    }

    /// Fails if the pairs that the links imply would not fit beside what is needed anyway, before they
    /// are made.
    fn check_link_memory(&self, closure: &LinkClosure, needed: u64) -> Result<()> {
        let size = |group: usize| closure.members(group).len() as u64;
        let pairs = closure.cannot_pairs().iter().map(|pair| size(pair.a) * size(pair.b));
        let n_ties: u64 = pairs.map(|n_pairs| 2 * n_pairs.min(self.link_cap as u64)).sum();
        let remedy = "set link_cap lower, or allow more";
        let ties = n_ties.saturating_mul(2 * size_of::<Tie>() as u64);
        memory::allow(needed.saturating_add(ties), self.memory_mb, remedy)
    }

    /// Fails if the run would not fit: the way of the centers, and for each tie the centers near it.
    fn check_memory<T: Real>(
        &self,
        points: &Points<'_, T>,
        n_ties: usize,
        n_iter: usize,
        needed: u64,
    ) -> Result<()> {
        /// Ties are near to many centers only once there are few: at its peak, a run with 55,000
        /// ties and 4,000 representatives held less than this share of all pairs.
        const NEAR_SHARE: u64 = 8;
        let n = points.n_points() as u64;
        let near = n_ties as u64 * n / NEAR_SHARE * (size_of::<T>() + size_of::<u32>()) as u64;
        let path = (6 + n_iter as u64) * n * (points.n_features() * size_of::<T>()) as u64;
        let remedy = "gather points into fewer representatives (representatives=1000), set link_cap lower, or allow more";
        memory::allow(needed + near + path, self.memory_mb, remedy)
    }
}

/// What all iterations together leave behind.
pub(crate) struct Run<T: Real> {
    pub(crate) state: State<T>,
    /// The ties between the samples, before any merged.
    pub(crate) ties: Ties,
    /// Sample → center of the first iteration.
    pub(crate) before_first: Vec<u32>,
    pub(crate) path: Vec<Stage<T>>,
    pub(crate) bandwidths: Vec<f64>,
    pub(crate) component_of_center: Vec<i64>,
    pub(crate) centers: Points<'static, T>,
    pub(crate) at_rest: bool,
}

impl<T: Real> Run<T> {
    pub(crate) fn component_of_sample(&self, sample: u32) -> i64 {
        self.component_of_center[self.state.of[sample as usize] as usize]
    }

    /// Component `before[i]` becomes `after[i]`, for all i.
    fn rename_components(&mut self, before: &[i64], after: &[i64]) {
        let new_of: HashMap<i64, i64> = before.iter().copied().zip(after.iter().copied()).collect();
        for component in &mut self.component_of_center {
            *component = new_of.get(component).copied().unwrap_or(*component);
        }
    }
}

/// The same samples numbered by place: what is near in space is then near in memory.
fn by_place<T: Real>(
    samples: &Points<'_, T>,
    mut sample_of: Vec<u32>,
    ties: &Ties,
) -> (Points<'static, T>, Vec<u32>, Ties) {
    let (order, new_of) = state::by_place(samples);
    sample_of.iter_mut().for_each(|sample| *sample = new_of[*sample as usize]);
    (samples.select(&order), sample_of, ties.regroup(&new_of))
}

/// Ties between two representatives; those inside one cannot hold it apart from itself.
fn outside(ties: Ties) -> Ties {
    Ties { cannot: ties.cannot.into_iter().filter(|tie| tie.x != tie.y).collect(), ..ties }
}

/// The samples of blurring mode: each at its center, so that rows stay what they are.
fn blurred<T: Real>(points: &Points<'_, T>, state: &State<T>) -> Points<'static, T> {
    let values: Vec<T> =
        state.of.iter().flat_map(|&center| state.center(center as usize)).copied().collect();
    let weights = points.weights().map(<[T]>::to_vec);
    Points::checked_before(values, points.n_features(), weights)
}

/// The longest way from a sample to its center.
pub(crate) fn drift<T: Real>(points: &Points<'_, T>, state: &State<T>) -> f64 {
    let way_sq =
        |(sample, &center): (&[T], &u32)| distance_sq(sample, state.center(center as usize));
    points.rows().zip(&state.of).map(way_sq).fold(T::zero(), T::max).as_f64().sqrt()
}
