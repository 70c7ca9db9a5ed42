//! What constrained mean shift found.

use super::fit::Run;
use super::params::CmsParams;
use super::replay::{Replay, Stage};
use super::schedule::Schedule;
use crate::kernel::Profile;
use crate::links::LinkClosure;
use crate::method::{GivenLinks, Outcome};
use crate::model::{Detail, IntoDetails, Model, Note, NoteKind};
use crate::obey::Renumbered;
use crate::params::Named;
use crate::points::Points;
use crate::predictor::Predictor;
use crate::real::Real;
use crate::shared::relabel::number_by_first_member;

/// That points were gathered into representatives, and how far that moved them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gathered {
    /// How many representatives there were.
    pub n_representatives: usize,
    /// Root of the mean squared distance from a point to its representative.
    pub rms_distance: f64,
}

/// A fitted constrained mean shift. The center of a cluster is where most of it has gathered. A
/// new point is carried through all iterations by the samples and links of the fit, and from where
/// it meets a center of the fit it shares that center's fate; a point of the fit meets its own at
/// once, so it keeps its label.
pub type CmsModel<T> = Model<T, CmsDetails>;

/// What only constrained mean shift has to say.
#[derive(Debug, Clone, PartialEq)]
pub struct CmsDetails {
    bandwidths: Vec<f64>,
    profile: Profile,
    n_implied_broken: u64,
    pairs_left_out: u64,
    gathered: Option<Gathered>,
}

/// Labels, centers and what prediction takes; `sample_of`: point → its sample, itself or its
/// representative.
pub(super) fn conclude<T: Real>(
    run: Run<T>,
    samples: Points<'static, T>,
    sample_of: Vec<u32>,
    params: &CmsParams,
    gathered: Option<Gathered>,
    pairs_left_out: u64,
    links: &GivenLinks<'_>,
) -> Outcome<T, CmsDetails> {
    let component = |&sample: &u32| run.component_of_sample(sample);
    let raw: Vec<i64> = sample_of.iter().map(component).collect();
    let (labels, raw_of) = number_by_first_member(&raw);

    let mut label_of = vec![-1; run.component_of_center.len()];
    raw_of.iter().enumerate().for_each(|(label, &raw)| label_of[raw] = label as i64);
    let label_of_center: Vec<i64> =
        run.component_of_center.iter().map(|&component| label_of[component as usize]).collect();
    // The mode of a cluster is the center most of its weight has gathered at.
    let mut heaviest = vec![usize::MAX; raw_of.len()];
    for (center, &label) in label_of_center.iter().enumerate() {
        let Ok(label) = usize::try_from(label) else { continue };
        let weight = |center: usize| run.state.weights[center];
        if heaviest[label] == usize::MAX || weight(center) > weight(heaviest[label]) {
            heaviest[label] = center;
        }
    }
    let details = CmsDetails {
        bandwidths: run.bandwidths,
        profile: params.profile,
        n_implied_broken: links.closure.n_broken(&labels),
        pairs_left_out,
        gathered,
    };
    Outcome {
        labels,
        centers: Some(run.centers.select(&heaviest)),
        mode_bandwidth: details.bandwidths.last().copied(),
        n_iter: details.bandwidths.len(),
        converged: run.at_rest,
        notes: notes(params, links, pairs_left_out),
        predictor: Predictor::Replay(Replay {
            params: params.clone(),
            samples,
            sample_of,
            gathered: gathered.is_some(),
            ties: run.ties,
            before_first: run.before_first,
            path: run.path,
            final_centers: run.centers,
            label_of_center,
        }),
        details,
    }
}

fn notes(params: &CmsParams, links: &GivenLinks<'_>, pairs_left_out: u64) -> Vec<Note> {
    let mut notes = Vec::new();
    if matches!(params.schedule, Schedule::Linear { .. }) && !links.hold_apart() {
        let text = "without cannot-links the growing bandwidth joins everything: give links, or a number as bandwidth";
        notes.push(Note::new(NoteKind::NothingHoldsApart, text));
    }
    if pairs_left_out > 0 {
        let text = format!(
            "{pairs_left_out} implied cannot-linked pairs were left out, the nearest kept: link_cap changes that"
        );
        notes.push(Note::new(NoteKind::PairsLeftOut, text));
    }
    notes
}

impl<T: Real> CmsModel<T> {
    /// The bandwidth of each iteration.
    pub fn bandwidths(&self) -> &[f64] {
        &self.details.bandwidths
    }

    /// Pairs of points that the links imply are apart but that share a label.
    pub fn n_implied_broken(&self) -> u64 {
        self.details.n_implied_broken
    }

    /// Whether points were gathered into representatives first; `None` = every point was its own.
    pub fn gathered(&self) -> Option<Gathered> {
        self.details.gathered
    }

    /// Implied cannot-linked pairs that were left out because their groups exceed the cap.
    pub fn pairs_left_out(&self) -> u64 {
        self.details.pairs_left_out
    }

    /// The place of each point's center before the first and after each iteration, row by row.
    /// (Where points were gathered, they begin at their representatives.)
    pub fn trace(&self) -> Vec<Vec<T>> {
        match self.predictor.unlinked() {
            Predictor::Replay(replay) => replay.trace(),
            _ => Vec::new(),
        }
    }

    /// Bytes that the way of the centers takes, which prediction and [`trace`](Self::trace) need.
    pub fn path_bytes(&self) -> usize {
        let of =
            |stage: &Stage<T>| size_of_val(&stage.centers[..]) + size_of_val(&stage.merged[..]);
        match self.predictor.unlinked() {
            Predictor::Replay(replay) => replay.path.iter().map(of).sum(),
            _ => 0,
        }
    }
}

impl<T: Real> IntoDetails<T> for CmsDetails {
    fn into_details(self) -> Vec<Detail<T>> {
        let gathered = self.gathered;
        vec![
            Detail::new("bandwidth", self.bandwidths.last().copied()),
            Detail::new("bandwidths", self.bandwidths),
            Detail::new("kernel", self.profile.name()),
            Detail::new("n_representatives", gathered.map(|it| it.n_representatives)),
            Detail::new("rms_distance", gathered.map(|it| it.rms_distance)),
            Detail::new("n_implied_broken", self.n_implied_broken),
            Detail::new("pairs_left_out", self.pairs_left_out),
        ]
    }

    fn renumber(&mut self, _numbers: &Renumbered, labels: &[i64], closure: &LinkClosure) {
        self.n_implied_broken = closure.n_broken(labels);
    }
}
