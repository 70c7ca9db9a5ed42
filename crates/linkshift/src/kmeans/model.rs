//! What k-means or one of its relatives found.

use super::assignment::Assignment;
use super::descent::Descent;
use super::metric::Metric;
use super::seeding::mean;
use super::units::Units;
use crate::error::Result;
use crate::links::LinkClosure;
use crate::method::Outcome;
use crate::model::{Detail, Fact, IntoDetails, Model, Note, NoteKind};
use crate::obey::Renumbered;
use crate::points::Points;
use crate::predictor::Predictor;
use crate::real::Real;
use crate::shared::held::Held;
use crate::shared::relabel::number_by_first_member;

/// A fitted k-means, or one of its relatives. The center of a cluster is its own, or the mean of its
/// points where it has several representatives. A new point takes the label of the nearest center;
/// fitted points that links hold elsewhere keep theirs. There are as many clusters as asked for,
/// unless there are fewer different points, or links left no point for one.
pub type KMeansModel<T> = Model<T, KMeansDetails<T>>;

/// What only k-means and its relatives have to say.
#[derive(Debug, Clone, PartialEq)]
pub struct KMeansDetails<T: Real> {
    objectives: Vec<f64>,
    pairs_left_out: u64,
    representatives: Points<'static, T>,
    metrics: Vec<Metric>,
}

/// What a run leaves behind.
pub(super) struct BestRun<T> {
    /// Row → center.
    pub(super) of: Vec<u32>,
    pub(super) centers: Vec<T>,
    pub(super) per_cluster: usize,
    pub(super) objectives: Vec<f64>,
    pub(super) converged: bool,
    /// One for all clusters, one for each, or none.
    pub(super) metrics: Vec<Metric>,
    pub(super) pairs_left_out: u64,
}

impl<T: Real> BestRun<T> {
    /// Of a run whose units are points.
    pub(super) fn of_points(run: Descent<T>, per_cluster: usize) -> Self {
        let Descent { of, centers, objectives, converged } = run;
        let (metrics, pairs_left_out) = (Vec::new(), 0);
        Self { of, centers, per_cluster, objectives, converged, metrics, pairs_left_out }
    }

    /// Of a run whose units are groups: points go where their group is.
    pub(super) fn of_units(run: Descent<T>, units: &Units<T>) -> Self {
        let of = units.of.iter().map(|&unit| run.of[unit as usize]).collect();
        Self::of_points(Descent { of, ..run }, 1)
    }
}

/// The clusters of the best run, of which so many were asked for.
pub(super) fn conclude<T: Real>(
    points: &Points<'_, T>,
    found: BestRun<T>,
    asked: usize,
) -> Result<Outcome<T, KMeansDetails<T>>> {
    let (d, per_cluster) = (points.n_features(), found.per_cluster);
    let raw: Vec<i64> =
        found.of.iter().map(|&center| i64::from(center) / per_cluster as i64).collect();
    let (labels, raw_of) = number_by_first_member(&raw);
    let mut members = vec![Vec::new(); raw_of.len()];
    for (row, &label) in labels.iter().enumerate() {
        members[label as usize].push(row);
    }
    let (mut centers, mut representatives) = (Vec::new(), Vec::new());
    let (mut label_of_representative, mut metrics) = (Vec::new(), Vec::new());
    for (label, &cluster) in raw_of.iter().enumerate() {
        let own = &found.centers[cluster * per_cluster * d..][..per_cluster * d];
        representatives.extend_from_slice(own);
        label_of_representative.extend(vec![label as i64; per_cluster]);
        match per_cluster {
            1 => centers.extend_from_slice(own),
            _ => centers.extend(mean(points, &members[label])),
        }
        if found.metrics.len() > 1 {
            metrics.push(found.metrics[cluster].clone());
        }
    }
    if found.metrics.len() == 1 {
        metrics = found.metrics;
    }
    let representatives = Points::checked_before(representatives, d, None);
    let mut assignment = Assignment {
        centers: representatives.clone(),
        labels: label_of_representative,
        metrics: metrics.clone(),
        held: Held::default(),
    };
    assignment.hold(points, &labels)?;
    Ok(Outcome {
        labels,
        centers: Some(Points::checked_before(centers, d, None)),
        mode_bandwidth: None,
        n_iter: found.objectives.len(),
        converged: found.converged,
        notes: notes(raw_of.len(), asked, found.pairs_left_out),
        predictor: Predictor::Assignment(assignment),
        details: KMeansDetails {
            objectives: found.objectives,
            pairs_left_out: found.pairs_left_out,
            representatives,
            metrics,
        },
    })
}

fn notes(n_clusters: usize, asked: usize, pairs_left_out: u64) -> Vec<Note> {
    let mut notes = Vec::new();
    if n_clusters < asked {
        let text =
            format!("{n_clusters} clusters instead of {asked}: no other point would gain by one");
        notes.push(Note::new(NoteKind::OtherNumberOfClusters, text));
    }
    if pairs_left_out > 0 {
        let text = format!(
            "{pairs_left_out} implied pairs were left out, the others count for them: link_cap changes that"
        );
        notes.push(Note::new(NoteKind::PairsLeftOut, text));
    }
    notes
}

impl<T: Real> KMeansModel<T> {
    /// All centers that clusters have, cluster by cluster: one each, except in AMPCC.
    pub fn representatives(&self) -> &Points<'static, T> {
        &self.details.representatives
    }

    /// What was made small, in the end.
    pub fn objective(&self) -> f64 {
        self.details.objectives.last().copied().unwrap_or_default()
    }

    /// The same after each iteration of the best run; it never rises.
    pub fn objectives(&self) -> &[f64] {
        &self.details.objectives
    }

    /// Pairs implied by links that MPCKMeans left out because their groups exceed its cap.
    pub fn pairs_left_out(&self) -> u64 {
        self.details.pairs_left_out
    }

    /// The learned metrics, one for all clusters or one for each; none unless MPCKMeans made it.
    pub fn metrics(&self) -> &[Metric] {
        &self.details.metrics
    }
}

impl<T: Real> IntoDetails<T> for KMeansDetails<T> {
    fn into_details(self) -> Vec<Detail<T>> {
        let d = self.representatives.n_features();
        let matrices: Vec<f64> = self.metrics.iter().flat_map(Metric::matrix).collect();
        let shape = vec![self.metrics.len(), d, d];
        vec![
            Detail::new("objective", self.objectives.last().copied()),
            Detail::new("pairs_left_out", self.pairs_left_out),
            Detail::new("representatives", self.representatives),
            Detail::new("metrics", Fact::Array(matrices, shape)),
        ]
    }

    fn renumber(&mut self, numbers: &Renumbered, _labels: &[i64], _closure: &LinkClosure) {
        // The number of clusters is told, so that none is new.
        let former: Vec<usize> = numbers.former.iter().flatten().copied().collect();
        let each = self.representatives.n_points() / numbers.number_of.len().max(1);
        let rows: Vec<usize> =
            former.iter().flat_map(|&cluster| cluster * each..(cluster + 1) * each).collect();
        self.representatives = self.representatives.select(&rows);
        if self.metrics.len() == numbers.number_of.len() {
            self.metrics = former.iter().map(|&cluster| self.metrics[cluster].clone()).collect();
        }
    }
}
