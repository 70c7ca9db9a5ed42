//! What every method is and does.
//!
//! A method is its parameters: an [`Algorithm`] says what it is called, what can be set, and how it
//! goes from points and links to clusters. [`Method`] holds parameters that are known to be good,
//! and does what is the same for all: it checks and closes the links, once, runs the algorithm, sees to
//! it that certain links are kept ([`obey`]), and reports which were. Each method's own type, such as
//! [`Cms`](crate::cms::Cms), is `Method` with its parameters. Doors that choose at run time go through
//! [`registry`](crate::registry), whose entries make a [`dyn Clusterer`](Clusterer).

use crate::compiled::Compiled;
use crate::drawn::{self, Draw};
use crate::error::Result;
use crate::links::{LinkClosure, LinkKind, Links};
use crate::memory::{self, Size};
use crate::model::{IntoDetails, Model, Note, NoteKind};
use crate::obey::{self, Kept, Obey, Renumbered};
use crate::observe::{self, Observer};
use crate::params::{self, N_CLUSTERS, Named, Param, Preset, Value};
use crate::points::Points;
use crate::predictor::{Held, Predictor};
use crate::real::Real;
use crate::shared::means::cluster_means;
use std::fmt::Debug;

/// A way to cluster, as its parameters.
pub trait Algorithm: Clone + Debug + Default + PartialEq + Send + Sync + 'static {
    /// What it is.
    const INFO: Info;

    /// What can be set.
    const TABLE: &'static [Param<Self>];

    /// Settings under a name.
    const PRESETS: &'static [Preset<Self>] = &[];

    /// What only this method has to say of its models.
    type Details<T: Real>: IntoDetails<T> + Clone + Debug;

    /// Fails if parameters that are good by themselves cannot work together.
    fn check_together(&self) -> Result<()> {
        Ok(())
    }

    /// What becomes of certain links that the algorithm itself would break: the parameter
    /// [`OBEY`](params::OBEY) of its table.
    fn obey(&self) -> Obey {
        let told = params::value(self, params::OBEY);
        told.as_ref().and_then(Value::as_word).and_then(Obey::parse).unwrap_or_default()
    }

    /// What a fit may use beside the points, in megabytes: the parameter
    /// [`MEMORY_MB`](params::MEMORY_MB) of its table.
    fn memory_mb(&self) -> Option<u64> {
        let told = params::value(self, params::MEMORY_MB);
        told.as_ref().and_then(Value::as_number).map(|megabytes| megabytes as u64)
    }

    /// Bytes that a fit of this size holds at the most beside the points, as far as sizes tell.
    fn needs(&self, size: &Size) -> u64;

    /// From points and links to clusters; the parameters are known to be good.
    fn run<T: Real>(
        &self,
        points: &Points<'_, T>,
        links: &GivenLinks<'_>,
        observer: &mut Observer<'_>,
    ) -> Result<Outcome<T, Self::Details<T>>>;

    /// How many rows are drawn by chance where the points are never in one place.
    const DRAWN: usize = 50_000;

    /// The rows, ascending, that are drawn by chance of so many points: `most` of them, or as many as
    /// suit the method.
    fn drawn_rows(&self, n_points: usize, most: Option<usize>) -> Result<Vec<usize>> {
        Ok(drawn::at_random(n_points, most.unwrap_or(Self::DRAWN), drawn::seed_of(self)))
    }

    /// Like [`run`](Self::run), given only the points of a [draw](Draw), with links between these.
    fn run_drawn<T: Real>(
        &self,
        draw: &Draw,
        points: &Points<'_, T>,
        links: &GivenLinks<'_>,
        observer: &mut Observer<'_>,
    ) -> Result<Outcome<T, Self::Details<T>>> {
        self.run(&draw.weighed(points)?, links, observer)
    }

    /// Fails at the first parameter, or pair of parameters, that cannot work.
    fn check(&self) -> Result<()> {
        params::check(self)
    }
}

/// What a method is, for people and for doors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Info {
    /// Its name at the command line and in model files.
    pub name: &'static str,
    /// Its name in Python.
    pub class: &'static str,
    /// One line.
    pub sentence: &'static str,
    /// What links mean to it.
    pub links: LinkUse,
    /// Who says how many clusters there are.
    pub clusters: Clusters,
    /// What it counts, and which parameter limits that.
    pub counts: Counts,
    /// Whether the points may be a matrix of similarities (`kernel=precomputed`).
    pub takes_similarities: bool,
    /// Whether its models say where points lie in a feature space and where they end there (the
    /// details `embedding`, `ends` and `end_of`), so that their distances can be shown.
    pub shows_distances: bool,
}

/// What links mean to a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkUse {
    /// Nothing to the method itself; certain ones are kept after it ([`obey`]).
    Unused,
    /// Every link is taken as certain, whatever its confidence.
    Certain,
    /// Links count by their confidence.
    Weighed,
    /// Links of confidence 1 are obeyed with all that follows from them. One of a lower confidence
    /// is evidence about its own two ends, and contradicts nothing.
    Evidence,
    /// Every link is evidence whose truth is judged: contradictions stop nothing, and those that are
    /// probably wrong are not obeyed.
    Judged,
}

impl LinkUse {
    /// Whether links change the result.
    pub fn is_used(self) -> bool {
        self != LinkUse::Unused
    }

    /// The word for it in machine-readable output.
    pub fn name(self) -> &'static str {
        match self {
            LinkUse::Unused => "unused",
            LinkUse::Certain => "certain",
            LinkUse::Weighed => "weighed",
            LinkUse::Evidence => "evidence",
            LinkUse::Judged => "judged",
        }
    }
}

/// Who says how many clusters there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clusters {
    /// The method finds out.
    Found,
    /// The caller.
    Told,
    /// The caller, or else the method finds out.
    Either,
}

impl Clusters {
    /// The word for it in machine-readable output.
    pub fn name(self) -> &'static str {
        match self {
            Clusters::Found => "found",
            Clusters::Told => "told",
            Clusters::Either => "either",
        }
    }
}

/// What a method counts as it goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// In the plural.
    pub unit: &'static str,
    /// The parameter that limits it, if there is one.
    pub limit: Option<&'static str>,
}

impl Counts {
    /// Iterations, up to `max_iter`.
    pub const ITERATIONS: Counts = Counts { unit: "iterations", limit: Some("max_iter") };
    /// A fixed number of steps.
    pub const STEPS: Counts = Counts { unit: "steps", limit: None };
}

/// Links, and what follows from them.
#[derive(Debug)]
pub struct GivenLinks<'a> {
    /// As they were given.
    pub all: &'a Links,
    /// What follows from those that bind: all, or the certain ones if the others are
    /// [evidence](LinkUse::Evidence).
    pub closure: LinkClosure,
    /// Those that do not bind.
    pub doubtful: Links,
}

impl<'a> GivenLinks<'a> {
    /// Checks the links and draws their conclusions.
    pub fn new(all: &'a Links, n_points: usize, used: LinkUse) -> Result<Self> {
        let (binding, doubtful) = match used {
            LinkUse::Evidence => all.split_by_certainty(),
            LinkUse::Judged => (Links::new(), all.clone()),
            _ => (all.clone(), Links::new()),
        };
        let closure = binding.close(n_points)?;
        doubtful.check(n_points)?;
        Ok(Self { all, closure, doubtful })
    }

    /// What follows from the certain ones alone.
    fn certain(&self, n_points: usize) -> Result<LinkClosure> {
        match self.all.iter().all(|link| link.confidence == 1.0) {
            true => Ok(self.closure.clone()),
            false => self.all.split_by_certainty().0.close(n_points),
        }
    }

    /// Whether there is a cannot-link, certain or not.
    pub fn hold_apart(&self) -> bool {
        self.all.iter().any(|link| link.kind == LinkKind::Cannot)
    }
}

/// What an algorithm finds; [`Method`] makes a [`Model`] of it.
#[derive(Debug)]
pub struct Outcome<T: Real, D> {
    /// The cluster of each point, numbered from 0 by first member; −1 is noise.
    pub labels: Vec<i64>,
    /// The center of each cluster; none if there is no cluster.
    pub centers: Option<Points<'static, T>>,
    /// The bandwidth that the centers belong to, if they are modes among the points.
    pub mode_bandwidth: Option<f64>,
    /// Iterations done.
    pub n_iter: usize,
    /// Whether it came to rest.
    pub converged: bool,
    /// What a person should know besides.
    pub notes: Vec<Note>,
    /// What labels new points.
    pub predictor: Predictor<T>,
    /// What only this method has to say.
    pub details: D,
}

/// A method with parameters that are known to be good.
#[derive(Debug, Clone, PartialEq)]
pub struct Method<P> {
    params: P,
}

impl<P: Algorithm> Method<P> {
    /// Checks the parameters; every error of theirs that does not depend on the points is here.
    pub fn new(params: P) -> Result<Self> {
        params.check()?;
        Ok(Self { params })
    }

    /// The parameters.
    pub fn params(&self) -> &P {
        &self.params
    }

    /// Finds the clusters; every error of points and links is here.
    pub fn fit<T: Real>(
        &self,
        points: &Points<'_, T>,
        links: &Links,
    ) -> Result<Model<T, P::Details<T>>> {
        self.fit_observed(points, links, &mut observe::ignore)
    }

    /// Like [`fit`](Self::fit), showing each iteration to an observer that may cancel.
    pub fn fit_observed<T: Real>(
        &self,
        points: &Points<'_, T>,
        links: &Links,
        observer: &mut Observer<'_>,
    ) -> Result<Model<T, P::Details<T>>> {
        let given = GivenLinks::new(links, points.n_points(), P::INFO.links)?;
        memory::check(&self.params, &Size::of(points, links.len()))?;
        let mut outcome = self.params.run(points, &given, observer)?;
        let moved = self.obeyed(&mut outcome, points, &given)?;
        Ok(self.model(outcome, moved, links))
    }

    /// The last step, unless the method does without; returns the rows that it moved.
    pub(crate) fn obeyed<T: Real>(
        &self,
        outcome: &mut Outcome<T, P::Details<T>>,
        points: &Points<'_, T>,
        given: &GivenLinks<'_>,
    ) -> Result<Vec<usize>> {
        match self.params.obey() {
            // Who judges links has kept those that are right.
            Obey::Certain if P::INFO.links != LinkUse::Judged => {
                self.keep_certain(outcome, points, given)
            }
            _ => Ok(outcome.details.moved().to_vec()),
        }
    }

    /// Moves linked points so that certain links are kept, and returns their rows.
    fn keep_certain<T: Real>(
        &self,
        outcome: &mut Outcome<T, P::Details<T>>,
        points: &Points<'_, T>,
        given: &GivenLinks<'_>,
    ) -> Result<Vec<usize>> {
        let certain = given.certain(points.n_points())?;
        let may_open = match P::INFO.clusters {
            Clusters::Found => true,
            Clusters::Told => false,
            Clusters::Either => params::differences(&self.params)
                .iter()
                .all(|(key, value)| *key != N_CLUSTERS || *value == Value::Auto),
        };
        let centers = outcome.centers.as_ref();
        let Some(kept) = obey::keep(&outcome.labels, points, centers, &certain, may_open) else {
            return Ok(Vec::new());
        };
        let Kept { labels, moved, numbers } = kept;
        outcome.centers = follow_centers(outcome.centers.take(), &numbers, points, &labels);
        outcome.predictor.relabel(|label| numbers.number(label));
        let held = Held::of(points, &labels, &moved);
        let predictor = std::mem::replace(&mut outcome.predictor, Predictor::nowhere(1));
        outcome.predictor = predictor.holding(held);
        outcome.details.renumber(&numbers, &labels, &given.closure);
        outcome.labels = labels;
        Ok(moved)
    }

    /// What is the same in every model, from what the algorithm found.
    pub(crate) fn model<T: Real>(
        &self,
        outcome: Outcome<T, P::Details<T>>,
        moved: Vec<usize>,
        links: &Links,
    ) -> Model<T, P::Details<T>> {
        let mut notes = outcome.notes;
        if !moved.is_empty() {
            let who = if moved.len() == 1 { "point was" } else { "points were" };
            let text = match P::INFO.links {
                LinkUse::Judged => format!("{} {who} moved so that links are kept", moved.len()),
                _ => format!(
                    "{} {who} moved so that certain links are kept; obey=as-found leaves labels alone",
                    moved.len()
                ),
            };
            notes.push(Note::new(NoteKind::PointsMoved, text));
        }
        if P::INFO.links == LinkUse::Unused && !links.is_empty() {
            let text =
                format!("{} itself does not use links: it finds the same without", P::INFO.name);
            notes.push(Note::new(NoteKind::LinksUnused, text));
        }
        if !outcome.converged {
            let Counts { unit, limit } = P::INFO.counts;
            let raise = limit.map_or(String::new(), |limit| format!(": raise {limit}"));
            let text = format!("not converged after {} {unit}{raise}", outcome.n_iter);
            notes.push(Note::new(NoteKind::NotConverged, text));
        }
        let n_clusters = outcome.labels.iter().max().map_or(0, |&last| (last + 1) as usize);
        let mut sizes = vec![0; n_clusters];
        outcome.labels.iter().filter(|&&label| label >= 0).for_each(|&l| sizes[l as usize] += 1);
        Model {
            link_report: links.report(&outcome.labels),
            labels: outcome.labels,
            moved,
            sizes,
            centers: outcome.centers,
            mode_bandwidth: outcome.mode_bandwidth,
            n_iter: outcome.n_iter,
            converged: outcome.converged,
            notes,
            predictor: outcome.predictor,
            details: outcome.details,
        }
    }
}

/// Centers under their clusters' new numbers; a new cluster's is the mean of its points.
fn follow_centers<T: Real>(
    centers: Option<Points<'static, T>>,
    numbers: &Renumbered,
    points: &Points<'_, T>,
    labels: &[i64],
) -> Option<Points<'static, T>> {
    let means = cluster_means(points, labels)?;
    let of = |(number, former): (usize, &Option<usize>)| match (&centers, former) {
        (Some(centers), Some(former)) => centers.row(*former).to_vec(),
        _ => means.row(number).to_vec(),
    };
    let values: Vec<T> = numbers.former.iter().enumerate().flat_map(of).collect();
    Some(Points::checked_before(values, means.n_features(), None))
}

/// A method chosen at run time; [`registry::Entry::configure`](crate::registry::Entry::configure)
/// makes one.
pub trait Clusterer: Debug + Send + Sync {
    /// What it is.
    fn info(&self) -> Info;

    /// What is set otherwise than by default.
    fn settings(&self) -> Vec<(&'static str, Value)>;

    /// Fits points of 32 bits; `fit` takes both types.
    fn fit_f32(
        &self,
        points: &Points<'_, f32>,
        links: &Links,
        observer: &mut Observer<'_>,
    ) -> Result<Model<f32>>;

    /// Fits points of 64 bits; `fit` takes both types.
    fn fit_f64(
        &self,
        points: &Points<'_, f64>,
        links: &Links,
        observer: &mut Observer<'_>,
    ) -> Result<Model<f64>>;

    /// See [`Method::draw`].
    fn draw(&self, n_points: usize, most: Option<usize>, links: &Links) -> Result<Draw>;

    /// For points of 32 bits; `fit_drawn` takes both types.
    fn fit_drawn_f32(
        &self,
        draw: &Draw,
        points: &Points<'_, f32>,
        links: &Links,
        observer: &mut Observer<'_>,
    ) -> Result<Model<f32>>;

    /// For points of 64 bits; `fit_drawn` takes both types.
    fn fit_drawn_f64(
        &self,
        draw: &Draw,
        points: &Points<'_, f64>,
        links: &Links,
        observer: &mut Observer<'_>,
    ) -> Result<Model<f64>>;
}

impl dyn Clusterer {
    /// Finds the clusters, showing each iteration to an observer that may cancel.
    pub fn fit<T: Real>(
        &self,
        points: &Points<'_, T>,
        links: &Links,
        observer: &mut Observer<'_>,
    ) -> Result<Model<T>> {
        <T as Compiled>::fit(self, points, links, observer)
    }

    /// See [`Method::fit_drawn`].
    pub fn fit_drawn<T: Real>(
        &self,
        draw: &Draw,
        points: &Points<'_, T>,
        links: &Links,
        observer: &mut Observer<'_>,
    ) -> Result<Model<T>> {
        T::fit_drawn(self, draw, points, links, observer)
    }

    /// The number of clusters it was told.
    pub fn n_clusters(&self) -> Option<usize> {
        let settings = self.settings();
        let told = settings.iter().find(|(key, _)| *key == N_CLUSTERS);
        told.and_then(|(_, value)| value.as_number()).map(|count| count as usize)
    }
}

impl<P: Algorithm> Clusterer for Method<P> {
    fn info(&self) -> Info {
        P::INFO
    }

    fn settings(&self) -> Vec<(&'static str, Value)> {
        params::differences(&self.params)
    }

    fn fit_f32(
        &self,
        points: &Points<'_, f32>,
        links: &Links,
        observer: &mut Observer<'_>,
    ) -> Result<Model<f32>> {
        self.fit_observed(points, links, observer).map(Model::listed)
    }

    fn fit_f64(
        &self,
        points: &Points<'_, f64>,
        links: &Links,
        observer: &mut Observer<'_>,
    ) -> Result<Model<f64>> {
        self.fit_observed(points, links, observer).map(Model::listed)
    }

    fn draw(&self, n_points: usize, most: Option<usize>, links: &Links) -> Result<Draw> {
        self.draw(n_points, most, links)
    }

    fn fit_drawn_f32(
        &self,
        draw: &Draw,
        points: &Points<'_, f32>,
        links: &Links,
        observer: &mut Observer<'_>,
    ) -> Result<Model<f32>> {
        self.fit_drawn(draw, points, links, observer).map(Model::listed)
    }

    fn fit_drawn_f64(
        &self,
        draw: &Draw,
        points: &Points<'_, f64>,
        links: &Links,
        observer: &mut Observer<'_>,
    ) -> Result<Model<f64>> {
        self.fit_drawn(draw, points, links, observer).map(Model::listed)
    }
}
