//! The methods that `fit` knows: one file each, one line each in [`ALL`].
//!
//! A method's file holds a [`Method`] (name, summary, table of parameters) and a `fit` that turns
//! its settings into checked parameters of the core and the core's model into an [`Outcome`].

mod boosted;
mod cdbscan;
mod cms;
mod constrained_spectral;
mod kernel;
mod kmeans;
mod mean_shift;
mod settings;
mod spectral;

pub(crate) use settings::Settings;
pub(crate) use spectral::{METHOD as SPECTRAL, params as spectral_params};

use crate::failure::{Failure, Result};
use linkshift::observe::Observer;
use linkshift::{Links, Points, Predictor, Real};
use linkshift_io::Element;
use linkshift_plot::MatrixPicture;
use serde_json::Value;
use std::cell::RefCell;

/// Every method there is.
pub(crate) const ALL: &[Method] = &[
    mean_shift::METHOD,
    cms::METHOD,
    boosted::METHOD,
    kernel::METHOD,
    kmeans::plain::METHOD,
    kmeans::cop::METHOD,
    kmeans::pck::METHOD,
    kmeans::mpck::METHOD,
    kmeans::pcck::METHOD,
    kmeans::ampcc::METHOD,
    spectral::METHOD,
    constrained_spectral::METHOD,
    cdbscan::METHOD,
];

/// A method as the command line sees it.
pub(crate) struct Method {
    pub(crate) name: &'static str,
    /// One line.
    pub(crate) summary: &'static str,
    /// Whether links change the result.
    pub(crate) uses_links: bool,
    /// Whether the number of clusters can be given.
    pub(crate) takes_k: bool,
    pub(crate) params: &'static [Param],
    /// Fails on settings that cannot work, before anything is read.
    pub(crate) check: fn(&Settings) -> Result<()>,
    pub(crate) fit_f32: Fit<f32>,
    pub(crate) fit_f64: Fit<f64>,
}

/// A parameter that `--set` knows.
pub(crate) struct Param {
    pub(crate) key: &'static str,
    /// Empty if there is none.
    pub(crate) default: &'static str,
    pub(crate) allowed: &'static str,
    pub(crate) what: &'static str,
}

/// From points and links to labels.
pub(crate) type Fit<T> = fn(&Task<'_, T>, &mut Observer<'_>) -> Result<Outcome<T>>;

/// What a method gets.
pub(crate) struct Task<'a, T: Real> {
    pub(crate) points: &'a Points<'a, T>,
    pub(crate) links: &'a Links,
    /// The number of clusters, if it was given.
    pub(crate) k: Option<usize>,
    pub(crate) settings: &'a Settings,
    pub(crate) seed: u64,
    /// What it may use of memory; `None` = no limit.
    pub(crate) memory_mb: Option<u64>,
    /// Where pictures of distances go, if they are wanted; only some methods have any.
    pub(crate) distances: Option<&'a RefCell<Vec<MatrixPicture>>>,
}

/// What a method gives: all that summaries, files and pictures are made of.
pub(crate) struct Outcome<T: Real> {
    /// The cluster of each point; -1 is noise.
    pub(crate) labels: Vec<i64>,
    pub(crate) modes: Points<'static, T>,
    pub(crate) n_iter: usize,
    pub(crate) converged: bool,
    /// What else the method found, by name; part of the summary.
    pub(crate) details: Vec<(&'static str, Value)>,
    /// What the user should know besides.
    pub(crate) notes: Vec<String>,
    /// The bandwidth of the modes, if there is one for each cluster and it lies among the points.
    pub(crate) bandwidth: Option<f64>,
    /// What labels new points.
    pub(crate) predictor: Predictor<T>,
}

/// A number type whose version of a method can be chosen.
pub(crate) trait Number: Real + Element {
    fn fit_of(method: &Method) -> Fit<Self>;
}

impl Number for f32 {
    fn fit_of(method: &Method) -> Fit<f32> {
        method.fit_f32
    }
}

impl Number for f64 {
    fn fit_of(method: &Method) -> Fit<f64> {
        method.fit_f64
    }
}

/// The method with this name.
pub(crate) fn find(name: &str) -> Result<&'static Method> {
    ALL.iter().find(|method| method.name == name).ok_or_else(|| {
        let known: Vec<&str> = ALL.iter().map(|method| method.name).collect();
        let near = did_you_mean(name, &known);
        let text = format!("there is no method {name:?}{near}; there is: {}", known.join(", "));
        Failure::Input(text)
    })
}

/// ` (did you mean "…"?)` if one of the known words may have been meant.
pub(crate) fn did_you_mean(word: &str, known: &[&str]) -> String {
    /// Two of three letters right.
    const ALIKE: f64 = 0.65;
    let word = word.to_lowercase();
    let likeness = |known: &str| strsim::normalized_damerau_levenshtein(&word, known);
    let nearest = known.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    match nearest {
        Some(near) if likeness(near) >= ALIKE => format!(" (did you mean {near:?}?)"),
        _ => String::new(),
    }
}
