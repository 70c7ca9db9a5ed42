//! What every method finds: one type for all of them.
//!
//! A [`Model`] has what a person asks of any clustering: who is where, the centers, whether it
//! came to rest, which links are kept and broken, what is worth knowing besides, and the labels of
//! new points. What only one method has to say is in its details `D`; each method's own model, such
//! as [`CmsModel`](crate::cms::CmsModel), is this type with details of its own. Doors that choose a
//! method at run time take the details as a list of named values, [`Detail`], the default `D`.

use crate::auto::Suspect;
use crate::error::Result;
use crate::links::{LinkClosure, LinkReport};
use crate::obey::Renumbered;
use crate::points::Points;
use crate::predictor::Predictor;
use crate::real::Real;
use std::fmt;

/// A fitted model.
#[derive(Debug, Clone, PartialEq)]
pub struct Model<T: Real, D = Vec<Detail<T>>> {
    pub(crate) labels: Vec<i64>,
    pub(crate) moved: Vec<usize>,
    pub(crate) sizes: Vec<usize>,
    pub(crate) centers: Option<Points<'static, T>>,
    pub(crate) mode_bandwidth: Option<f64>,
    pub(crate) n_iter: usize,
    pub(crate) converged: bool,
    pub(crate) link_report: LinkReport,
    pub(crate) notes: Vec<Note>,
    pub(crate) predictor: Predictor<T>,
    pub(crate) details: D,
}

impl<T: Real, D> Model<T, D> {
    /// The cluster of each point, numbered from 0 by first member; −1 is noise.
    pub fn labels(&self) -> &[i64] {
        &self.labels
    }

    /// The rows that were moved after the method was done, so that certain links are kept.
    pub fn moved(&self) -> &[usize] {
        &self.moved
    }

    /// The number of points in each cluster.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// The number of clusters.
    pub fn n_clusters(&self) -> usize {
        self.sizes.len()
    }

    /// The center of each cluster: its mode where the method has modes, else its mean. None if all
    /// points are noise.
    pub fn centers(&self) -> Option<&Points<'static, T>> {
        self.centers.as_ref()
    }

    /// The bandwidth that the centers belong to, if they are modes of a density among the points.
    pub fn mode_bandwidth(&self) -> Option<f64> {
        self.mode_bandwidth
    }

    /// Iterations done (epochs, or steps, where the method counts in those).
    pub fn n_iter(&self) -> usize {
        self.n_iter
    }

    /// Whether the method came to rest before its iterations ran out.
    pub fn converged(&self) -> bool {
        self.converged
    }

    /// Which of the links given were kept, and which were broken.
    pub fn link_report(&self) -> &LinkReport {
        &self.link_report
    }

    /// What a person should know besides.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Labels of new points, by the way they would have gone; see the method for what that is.
    pub fn predict(&self, points: &Points<'_, T>) -> Result<Vec<i64>> {
        self.predictor.predict(points)
    }

    /// All that [`predict`](Self::predict) takes, as plain data.
    pub fn predictor(&self) -> &Predictor<T> {
        &self.predictor
    }

    /// All that [`predict`](Self::predict) takes, as plain data.
    pub fn into_predictor(self) -> Predictor<T> {
        self.predictor
    }

    /// What only this method has to say.
    pub fn details(&self) -> &D {
        &self.details
    }

    /// Gives every cluster another number, in labels and predictions alike.
    pub fn relabel(&mut self, name: impl Fn(i64) -> i64) {
        self.labels.iter_mut().for_each(|label| *label = name(*label));
        self.predictor.relabel(name);
    }
}

impl<T: Real, D: IntoDetails<T>> Model<T, D> {
    /// The same with its details as a list.
    pub fn listed(self) -> Model<T> {
        Model {
            labels: self.labels,
            moved: self.moved,
            sizes: self.sizes,
            centers: self.centers,
            mode_bandwidth: self.mode_bandwidth,
            n_iter: self.n_iter,
            converged: self.converged,
            link_report: self.link_report,
            notes: self.notes,
            predictor: self.predictor,
            details: self.details.into_details(),
        }
    }
}

impl<T: Real> Model<T> {
    /// The detail of this name.
    pub fn detail(&self, name: &str) -> Option<&Fact<T>> {
        self.details.iter().find(|detail| detail.name == name).map(|detail| &detail.fact)
    }
}

/// Something that only some methods find, by its name in every door.
#[derive(Debug, Clone, PartialEq)]
pub struct Detail<T: Real> {
    /// The name.
    pub name: &'static str,
    /// What was found.
    pub fact: Fact<T>,
    /// Whether a person who looks at the result wants to read it, too.
    pub is_told: bool,
}

impl<T: Real> Detail<T> {
    /// A detail.
    pub fn new(name: &'static str, fact: impl Into<Fact<T>>) -> Self {
        Self { name, fact: fact.into(), is_told: true }
    }

    /// A detail for programs only.
    pub fn aside(name: &'static str, fact: impl Into<Fact<T>>) -> Self {
        Self { is_told: false, ..Self::new(name, fact) }
    }
}

/// A detail's value.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Fact<T: Real> {
    /// There is none.
    None,
    /// How many.
    Count(u64),
    /// A number.
    Number(f64),
    /// A word.
    Word(String),
    /// Several numbers.
    Numbers(Vec<f64>),
    /// A number for each of several names.
    Named(Vec<(&'static str, f64)>),
    /// Rows of the points.
    Rows(Vec<usize>),
    /// Numbers of clusters, as they were when the method was done.
    Clusters(Vec<usize>),
    /// Links that are probably wrong.
    Suspects(Vec<Suspect>),
    /// A label for each of something.
    Labels(Vec<i64>),
    /// Numbers in rows and columns (and further axes), row by row.
    Array(Vec<f64>, Vec<usize>),
    /// Places among the points.
    Places(Points<'static, T>),
}

/// Details that can be told as a list.
pub trait IntoDetails<T: Real> {
    /// The list, in the order in which people should read it.
    fn into_details(self) -> Vec<Detail<T>>;

    /// The rows that the method itself moved so that links are kept.
    fn moved(&self) -> &[usize] {
        &[]
    }

    /// Follows clusters to new numbers, after links moved points; `closure` is of the links that
    /// the method was given.
    fn renumber(&mut self, _numbers: &Renumbered, _labels: &[i64], _closure: &LinkClosure) {}
}

impl<T: Real> IntoDetails<T> for Vec<Detail<T>> {
    fn into_details(self) -> Vec<Detail<T>> {
        self
    }
}

impl<T: Real> From<f64> for Fact<T> {
    fn from(number: f64) -> Self {
        Fact::Number(number)
    }
}

impl<T: Real> From<usize> for Fact<T> {
    fn from(count: usize) -> Self {
        Fact::Count(count as u64)
    }
}

impl<T: Real> From<u64> for Fact<T> {
    fn from(count: u64) -> Self {
        Fact::Count(count)
    }
}

impl<T: Real> From<&str> for Fact<T> {
    fn from(word: &str) -> Self {
        Fact::Word(word.into())
    }
}

impl<T: Real> From<Vec<f64>> for Fact<T> {
    fn from(numbers: Vec<f64>) -> Self {
        Fact::Numbers(numbers)
    }
}

impl<T: Real> From<Vec<(&'static str, f64)>> for Fact<T> {
    fn from(numbers: Vec<(&'static str, f64)>) -> Self {
        Fact::Named(numbers)
    }
}

impl<T: Real> From<Points<'static, T>> for Fact<T> {
    fn from(places: Points<'static, T>) -> Self {
        Fact::Places(places)
    }
}

impl<T: Real, F: Into<Fact<T>>> From<Option<F>> for Fact<T> {
    fn from(fact: Option<F>) -> Self {
        fact.map_or(Fact::None, Into::into)
    }
}

/// Something that a person should know about a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// What kind of note it is.
    pub kind: NoteKind,
    /// The sentence.
    pub text: String,
}

impl Note {
    /// A note.
    pub fn new(kind: NoteKind, text: impl Into<String>) -> Self {
        Self { kind, text: text.into() }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The kinds of notes, so that doors can tell them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoteKind {
    /// The iterations ran out.
    NotConverged,
    /// Links were given to a method, or to a setting of it, that does not use them.
    LinksUnused,
    /// Nothing holds clusters apart, so all ends in one.
    NothingHoldsApart,
    /// Not all pairs that the links imply were looked at.
    PairsLeftOut,
    /// Points were moved so that certain links are kept.
    PointsMoved,
    /// Not all points took part in finding the clusters.
    PointsDrawn,
    /// There are fewer or more clusters than asked for.
    OtherNumberOfClusters,
    /// Links would tell how good the result is, but there are none.
    NoLinks,
    /// Some links are probably wrong.
    Suspects,
}

impl NoteKind {
    /// All kinds.
    pub const ALL: &'static [NoteKind] = &[
        NoteKind::NotConverged,
        NoteKind::LinksUnused,
        NoteKind::NothingHoldsApart,
        NoteKind::PairsLeftOut,
        NoteKind::PointsMoved,
        NoteKind::PointsDrawn,
        NoteKind::OtherNumberOfClusters,
        NoteKind::NoLinks,
        NoteKind::Suspects,
    ];

    /// The kind with a name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name)
    }

    /// The word for it in machine-readable output.
    pub fn name(self) -> &'static str {
        match self {
            NoteKind::NotConverged => "not-converged",
            NoteKind::LinksUnused => "links-unused",
            NoteKind::NothingHoldsApart => "nothing-holds-apart",
            NoteKind::PairsLeftOut => "pairs-left-out",
            NoteKind::PointsMoved => "points-moved",
            NoteKind::PointsDrawn => "points-drawn",
            NoteKind::OtherNumberOfClusters => "other-number-of-clusters",
            NoteKind::NoLinks => "no-links",
            NoteKind::Suspects => "suspects",
        }
    }

    /// Whether the result may not be what was hoped for; otherwise it is only worth knowing.
    pub fn is_doubt(self) -> bool {
        !matches!(
            self,
            NoteKind::PairsLeftOut
                | NoteKind::PointsDrawn
                | NoteKind::PointsMoved
                | NoteKind::NoLinks
        )
    }
}
