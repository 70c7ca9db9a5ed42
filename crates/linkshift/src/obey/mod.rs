//! A last step after every method: links that are certain are kept.
//!
//! A method weighs links against the density and may end with some of them broken. Unless it is
//! told to leave its labels [as found](Obey::AsFound), the linked points are then given clusters in
//! which every link of confidence 1 holds, and as few points as possible change theirs. It is a
//! coloring: each group of must-linked points takes one cluster, the one most of them are in, and
//! of two groups that cannot be together and are, the one goes whose move costs less (`moves.rs`).
//! It goes to the nearest cluster that no link forbids, or to a new one if there is none; where the
//! number of clusters is told and all are forbidden, as few links as possible stay broken, and the
//! report lists them.
//!
//! Points that no certain link touches never move.

mod moves;

use crate::distance::distance_sq;
use crate::links::LinkClosure;
use crate::params::Named;
use crate::points::Points;
use crate::real::Real;
use crate::shared::means::cluster_means;
use crate::shared::relabel::number_by_first_member;
use moves::Board;
use std::collections::BTreeMap;

/// What becomes of certain links that the method itself would break.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Obey {
    /// They are kept: as few linked points as possible change their cluster.
    #[default]
    Certain,
    /// The labels stay as the method found them.
    AsFound,
}

impl Named for Obey {
    const ALL: &'static [Self] = &[Obey::Certain, Obey::AsFound];

    fn name(self) -> &'static str {
        match self {
            Obey::Certain => "certain",
            Obey::AsFound => "as-found",
        }
    }
}

/// Labels in which links are kept, and what became of the clusters on the way.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Kept {
    /// The labels, numbered by first member again.
    pub(crate) labels: Vec<i64>,
    /// The rows that changed their cluster, ascending.
    pub(crate) moved: Vec<usize>,
    /// The numbers that clusters have now.
    pub(crate) numbers: Renumbered,
}

/// Clusters under new numbers, after links moved points.
#[derive(Debug, Clone, PartialEq)]
pub struct Renumbered {
    /// For each former cluster its number now; one that lost all its points goes by the cluster
    /// that most of them are in.
    pub number_of: Vec<i64>,
    /// For each cluster the one it was before; a new one has none.
    pub former: Vec<Option<usize>>,
    /// For each cluster its first row.
    pub first_row: Vec<usize>,
}

impl Renumbered {
    /// The number that a label has now; noise stays noise.
    pub fn number(&self, label: i64) -> i64 {
        usize::try_from(label).map_or(label, |former| self.number_of[former])
    }
}

/// Gives linked points clusters in which the links are kept; `None` if they are already.
///
/// `labels` are numbered from 0 without gaps, −1 is noise; `centers` has a row for each cluster, if
/// there are any. A new cluster is opened only where `may_open`.
pub(crate) fn keep<T: Real>(
    labels: &[i64],
    points: &Points<'_, T>,
    centers: Option<&Points<'_, T>>,
    closure: &LinkClosure,
    may_open: bool,
) -> Option<Kept> {
    let n_clusters = labels.iter().max().map_or(0, |&last| (last + 1) as usize);
    let distance = |group: usize, cluster: usize| match centers {
        Some(centers) if cluster < centers.n_points() => {
            let center = centers.row(cluster);
            let to = |&row: &u32| distance_sq(points.row(row as usize), center).as_f64();
            closure.members(group).iter().map(to).sum()
        }
        _ => f64::INFINITY,
    };
    let mut board = Board::new(labels, closure, n_clusters, may_open, &distance);
    board.settle();
    let mut raw = labels.to_vec();
    let mut moved = Vec::new();
    for group in 0..closure.n_groups() {
        let label = board.label(group);
        for row in closure.members(group).iter().map(|&row| row as usize) {
            if raw[row] != label {
                raw[row] = label;
                moved.push(row);
            }
        }
    }
    if moved.is_empty() {
        return None;
    }
    moved.sort_unstable();
    let numbers = renumber(labels, &raw, n_clusters);
    let (labels, _) = number_by_first_member(&raw);
    Some(Kept { labels, moved, numbers })
}

/// The labels after as few points as possible changed their cluster so that all links hold; a new cluster is
/// opened where no other may take a point. `labels` are numbered from 0 without gaps, −1 is noise.
///
/// ```
/// use linkshift::{Links, Points, obey};
///
/// let points = Points::new(vec![0.0, 0.1, 0.2, 5.0, 5.1], 1)?;
/// let closure = Links::from_pairs(&[(2, 3)], &[(0, 1)]).close(5)?;
/// let kept = obey::with_links_kept(&[0, 0, 0, 1, 1], &points, &closure);
/// assert!(kept[2] == kept[3] && kept[0] != kept[1]);
/// # Ok::<(), linkshift::Error>(())
/// ```
pub fn with_links_kept<T: Real>(
    labels: &[i64],
    points: &Points<'_, T>,
    closure: &LinkClosure,
) -> Vec<i64> {
    let centers = cluster_means(points, labels);
    let kept = keep(labels, points, centers.as_ref(), closure, true);
    kept.map_or_else(|| labels.to_vec(), |kept| kept.labels)
}

fn renumber(before: &[i64], raw: &[i64], n_before: usize) -> Renumbered {
    let (labels, raw_of) = number_by_first_member(raw);
    let mut number_of = vec![-1; n_before];
    let mut former = vec![None; raw_of.len()];
    for (new, &old) in raw_of.iter().enumerate().filter(|&(_, &old)| old < n_before) {
        number_of[old] = new as i64;
        former[new] = Some(old);
    }
    // Where the points of clusters that are gone went.
    let mut went: BTreeMap<i64, BTreeMap<i64, usize>> = BTreeMap::new();
    for (&old, &new) in before.iter().zip(&labels) {
        if old >= 0 && number_of[old as usize] < 0 {
            *went.entry(old).or_default().entry(new).or_default() += 1;
        }
    }
    for (old, to) in went {
        // The first of equals: the smallest number.
        let most = to.iter().max_by_key(|&(&new, &count)| (count, std::cmp::Reverse(new)));
        number_of[old as usize] = most.map_or(-1, |(&new, _)| new);
    }
    let mut first_row = vec![usize::MAX; raw_of.len()];
    for (row, &label) in labels.iter().enumerate().filter(|&(_, &label)| label >= 0) {
        let first = &mut first_row[label as usize];
        *first = (*first).min(row);
    }
    Renumbered { number_of, former, first_row }
}

#[cfg(test)]
mod tests;
