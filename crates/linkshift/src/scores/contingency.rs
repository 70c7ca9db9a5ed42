//! Which class meets which cluster how often, kept sparse.

use crate::error::{LinkError, PointsError, Result};
use std::collections::HashMap;

/// The non-empty cells of the classes × clusters table, and its margins.
///
/// There are never more cells than points, so 10⁵ classes against 10⁵ clusters cost no more than
/// two against two. Classes and clusters are numbered in order of appearance: the table does not
/// depend on what the labels are called.
#[derive(Debug)]
pub(super) struct Contingency {
    /// (class, cluster, number of points), ascending, without zeros.
    pub(super) cells: Vec<(usize, usize, u64)>,
    /// Points in each class.
    pub(super) class_sizes: Vec<u64>,
    /// Points in each cluster.
    pub(super) cluster_sizes: Vec<u64>,
    pub(super) n_points: u64,
}

impl Contingency {
    /// Counts; fails unless there is one label for each true label, and at least one.
    pub(super) fn of(truth: &[i64], labels: &[i64]) -> Result<Self> {
        if truth.len() != labels.len() {
            return Err(LinkError::LabelCount { found: labels.len(), expected: truth.len() }.into());
        }
        if truth.is_empty() {
            return Err(PointsError::Empty.into());
        }
        let (classes, class_sizes) = numbered(truth);
        let (clusters, cluster_sizes) = numbered(labels);
        let mut pairs: Vec<(usize, usize)> = classes.into_iter().zip(clusters).collect();
        pairs.sort_unstable();
        let cells = pairs
            .chunk_by(|a, b| a == b)
            .map(|same| (same[0].0, same[0].1, same.len() as u64))
            .collect();
        Ok(Self { cells, class_sizes, cluster_sizes, n_points: truth.len() as u64 })
    }
}

/// The labels as 0, 1, 2 … in order of appearance, and how often each occurs.
fn numbered(labels: &[i64]) -> (Vec<usize>, Vec<u64>) {
    let mut numbers = HashMap::new();
    let mut sizes = Vec::new();
    let numbered = labels
        .iter()
        .map(|label| {
            let number = *numbers.entry(label).or_insert(sizes.len());
            if number == sizes.len() {
                sizes.push(0);
            }
            sizes[number] += 1;
            number
        })
        .collect();
    (numbered, sizes)
}
