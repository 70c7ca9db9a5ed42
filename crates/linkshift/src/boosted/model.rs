//! What boosted mean shift found.

use super::fit::Run;
use super::grid::Grid;
use super::linked::assign_linked;
use super::steps::assign;
use crate::links::LinkClosure;
use crate::method::Outcome;
use crate::model::{Detail, Fact, IntoDetails, Model, Note, NoteKind};
use crate::obey::Renumbered;
use crate::points::Points;
use crate::predictor::Predictor;
use crate::real::Real;
use crate::shared::held::Held;
use crate::shared::relabel::number_by_first_member;

/// A fitted boosted mean shift. The center of a cluster is of its modes the one that most points
/// of a cell climbed to. New points climb a few steps and take the label of the nearest mode, as the
/// fitted points did; fitted points that links held elsewhere are known again.
pub type BoostedModel<T> = Model<T, BoostedDetails<T>>;

/// What only boosted mean shift has to say.
#[derive(Debug, Clone, PartialEq)]
pub struct BoostedDetails<T: Real> {
    skeleton: Points<'static, T>,
    skeleton_labels: Vec<i64>,
    grid: Grid,
    bandwidth: f64,
    eps: f64,
    n_modes_found: usize,
    n_drawn: usize,
}

/// Lines 21 and 22: labels from modes. Of `n_points` points, `points` may be those in the cells.
pub(super) fn conclude<T: Real>(
    run: Run<T>,
    points: &Points<'_, T>,
    closure: &LinkClosure,
    n_points: usize,
) -> Outcome<T, BoostedDetails<T>> {
    let found = Points::checked_before(run.modes, points.n_features(), None);
    let is_clustered = |&mode: &usize| run.cluster_of_mode[mode] >= 0;
    let clustered: Vec<usize> = (0..found.n_points()).filter(is_clustered).collect();
    let clusters: Vec<i64> = clustered.iter().map(|&mode| run.cluster_of_mode[mode]).collect();
    let kept = found.select(&clustered);
    let mut raw = assign(points, &run.density, &kept, &clusters);
    let held_rows = match &run.climbed {
        Some(places) => assign_linked(&mut raw, places, &kept, &clusters, closure),
        None => Vec::new(),
    };
    let (labels, raw_of) = number_by_first_member(&raw);

    // Modes of a cluster that no point is nearest to say nothing.
    let label_of =
        |mode: usize| raw_of.iter().position(|&raw| raw as i64 == run.cluster_of_mode[mode]);
    let mut skeleton = Vec::new();
    let mut skeleton_labels = Vec::new();
    let mut best: Vec<usize> = vec![usize::MAX; raw_of.len()];
    for mode in clustered {
        let Some(label) = label_of(mode) else { continue };
        skeleton.push(mode);
        skeleton_labels.push(label as i64);
        if best[label] == usize::MAX || run.support[mode] > run.support[best[label]] {
            best[label] = mode;
        }
    }
    let details = BoostedDetails {
        skeleton: found.select(&skeleton),
        skeleton_labels: skeleton_labels.clone(),
        grid: run.grid,
        bandwidth: run.bandwidth,
        eps: run.eps,
        n_modes_found: found.n_points(),
        n_drawn: run.n_drawn,
    };
    let held = Held::of(points, &labels, &held_rows);
    let basin = run.density.into_basin(details.skeleton.clone(), skeleton_labels, held);
    Outcome {
        labels,
        centers: Some(found.select(&best)),
        mode_bandwidth: Some(run.bandwidth),
        n_iter: run.n_epochs,
        converged: run.converged,
        notes: drawn(run.n_drawn, n_points).into_iter().collect(),
        predictor: Predictor::Basin(basin),
        details,
    }
}

/// A remark where the cells did not hold all points.
fn drawn(n_drawn: usize, n_points: usize) -> Option<Note> {
    (n_drawn < n_points).then(|| {
        let text = format!(
            "the cells held {n_drawn} of the {n_points} points, drawn at random; the others were assigned to the modes found: cells and cell_size change that"
        );
        Note::new(NoteKind::PointsDrawn, text)
    })
}

impl<T: Real> BoostedModel<T> {
    /// All modes that make up the clusters, in the order they were found: what labels are read
    /// from.
    pub fn skeleton(&self) -> &Points<'static, T> {
        &self.details.skeleton
    }

    /// The cluster of each mode of the skeleton.
    pub fn skeleton_labels(&self) -> &[i64] {
        &self.details.skeleton_labels
    }

    /// The torus of cells.
    pub fn grid(&self) -> Grid {
        self.details.grid
    }

    /// The bandwidth of the first epoch.
    pub fn bandwidth(&self) -> f64 {
        self.details.bandwidth
    }

    /// How near two modes had to be to belong together.
    pub fn eps(&self) -> f64 {
        self.details.eps
    }

    /// Modes found in all epochs, noise counted.
    pub fn n_modes_found(&self) -> usize {
        self.details.n_modes_found
    }

    /// How many points the cells held at first; the others were only assigned.
    pub fn n_drawn(&self) -> usize {
        self.details.n_drawn
    }
}

impl<T: Real> IntoDetails<T> for BoostedDetails<T> {
    fn into_details(self) -> Vec<Detail<T>> {
        vec![
            Detail::new("bandwidth", self.bandwidth),
            Detail::new("eps", self.eps),
            Detail::new(
                "cells",
                Fact::Word(format!("{}x{}", self.grid.width(), self.grid.height())),
            ),
            Detail::new("n_modes_found", self.n_modes_found),
            Detail::new("n_drawn", self.n_drawn),
            Detail::new("modes", self.skeleton),
            Detail::new("mode_labels", Fact::Labels(self.skeleton_labels)),
        ]
    }

    fn renumber(&mut self, numbers: &Renumbered, _labels: &[i64], _closure: &LinkClosure) {
        let labels = self.skeleton_labels.iter_mut();
        labels.for_each(|label| *label = numbers.number(*label));
    }
}
