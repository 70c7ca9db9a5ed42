//! Cluster numbers that stay: what a person has given a name to keeps its number when the points
//! are clustered again, with more links say, or with rows added.
//!
//! Old and new clusters are paired so that as many rows as possible keep their number (the best
//! matching of all, not the best pair first). A new cluster that no old one is paired with gets a
//! number that none has had: a name must not pass to a stranger.

use crate::error::{LinkError, Result};
use crate::scores::matching;
use std::collections::{BTreeMap, BTreeSet};

/// The number that each new cluster has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Numbering {
    number_of: BTreeMap<i64, i64>,
    n_kept: usize,
    first_unused: i64,
}

/// Numbers the clusters of `labels` so that as many rows as possible keep their number in
/// `previous`; −1 there is a row that was in no cluster, or was not there. Numbers below
/// `first_unused` are given to nobody anew, nor are those in `previous`.
///
/// ```
/// use linkshift::keep_numbers;
///
/// // Old clusters 4 and 7; one row left 4, the last two are new.
/// let previous = [4, 4, 4, 7, 7, -1, -1];
/// let labels = [0, 1, 1, 2, 2, 2, 3];
/// let numbering = keep_numbers(&previous, &labels, 0)?;
/// assert_eq!(numbering.apply(&labels), [8, 4, 4, 7, 7, 7, 9]);
/// # Ok::<(), linkshift::Error>(())
/// ```
pub fn keep_numbers(previous: &[i64], labels: &[i64], first_unused: i64) -> Result<Numbering> {
    if previous.len() != labels.len() {
        let (found, expected) = (previous.len(), labels.len());
        return Err(LinkError::LabelCount { found, expected }.into());
    }
    let old = distinct(previous);
    let new = distinct(labels);
    let place = |all: &[i64], label: i64| all.binary_search(&label).ok();
    let pairs = previous.iter().zip(labels);
    let shared = pairs.filter_map(|(&was, &is)| Some((place(&old, was)?, place(&new, is)?)));
    let mut overlaps: BTreeMap<(usize, usize), u64> = BTreeMap::new();
    shared.for_each(|pair| *overlaps.entry(pair).or_default() += 1);

    let mut number_of: BTreeMap<i64, i64> =
        best_pairs(&overlaps, old.len(), new.len()).map(|(o, n)| (new[n], old[o])).collect();
    let n_kept = number_of.len();
    let mut next = old.last().map_or(0, |&last| last.saturating_add(1)).max(first_unused);
    let mut seen = BTreeSet::new();
    for &label in labels.iter().filter(|&&label| label >= 0 && seen.insert(label)) {
        number_of.entry(label).or_insert_with(|| {
            next = next.saturating_add(1);
            next - 1
        });
    }
    Ok(Numbering { number_of, n_kept, first_unused: next })
}

impl Numbering {
    /// The number of a new cluster; −1 for what is none.
    pub fn number(&self, label: i64) -> i64 {
        self.number_of.get(&label).copied().unwrap_or(-1)
    }

    /// The labels by their numbers.
    pub fn apply(&self, labels: &[i64]) -> Vec<i64> {
        labels.iter().map(|&label| self.number(label)).collect()
    }

    /// How many clusters have kept an old number.
    pub fn n_kept(&self) -> usize {
        self.n_kept
    }

    /// How many clusters there are.
    pub fn n_clusters(&self) -> usize {
        self.number_of.len()
    }

    /// The least number that no cluster has had, now or before.
    pub fn first_unused(&self) -> i64 {
        self.first_unused
    }
}

/// The labels that there are, ascending, without the negative ones.
fn distinct(labels: &[i64]) -> Vec<i64> {
    let known: BTreeSet<i64> = labels.iter().copied().filter(|&label| label >= 0).collect();
    known.into_iter().collect()
}

/// Which old cluster goes with which new one; the matching wants the fewer of them in its rows.
fn best_pairs(
    overlaps: &BTreeMap<(usize, usize), u64>,
    n_old: usize,
    n_new: usize,
) -> impl Iterator<Item = (usize, usize)> {
    let old_in_rows = n_old <= n_new;
    let cell = |(&(old, new), &count): (&(usize, usize), &u64)| match old_in_rows {
        true => (old, new, count),
        false => (new, old, count),
    };
    let mut cells: Vec<(usize, usize, u64)> = overlaps.iter().map(cell).collect();
    cells.sort_unstable();
    let (n_rows, n_cols) = if old_in_rows { (n_old, n_new) } else { (n_new, n_old) };
    let matched = matching::best_columns(&cells, n_rows, n_cols);
    matched.into_iter().enumerate().filter_map(move |(row, col)| {
        col.map(|col| if old_in_rows { (row, col) } else { (col, row) })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn as_many_rows_as_possible_keep_their_number() {
        // Derived: old 0 shares 3 rows with new 5 and 2 with new 6, old 1 shares 2 with new 5. The
        // best pair first would keep 3 rows; 0–6 and 1–5 together keep 4.
        let previous = [0, 0, 0, 0, 0, 1, 1];
        let labels = [5, 5, 5, 6, 6, 5, 5];
        let numbering = keep_numbers(&previous, &labels, 0).unwrap();
        assert_eq!((numbering.number(6), numbering.number(5)), (0, 1));
        assert_eq!(numbering.n_kept(), 2);
    }

    #[test]
    fn nobody_gets_a_number_that_another_had() {
        // The old cluster 2 is gone; the new one beside 0 and 1 does not become 2, nor 3 and 4,
        // which earlier runs have used up.
        let numbering = keep_numbers(&[0, 1, 2, -1], &[0, 1, 1, 2], 5).unwrap();
        assert_eq!(numbering.apply(&[0, 1, 1, 2]), [0, 1, 1, 5]);
        assert_eq!(numbering.first_unused(), 6);
    }

    #[test]
    fn noise_stays_noise() {
        let numbering = keep_numbers(&[-1, 3, 3], &[-1, -1, 0], 0).unwrap();
        assert_eq!(numbering.apply(&[-1, -1, 0]), [-1, -1, 3]);
    }

    #[test]
    fn nothing_in_common_is_numbered_by_first_member() {
        let numbering = keep_numbers(&[-1; 3], &[7, 2, 7], 0).unwrap();
        assert_eq!(numbering.apply(&[7, 2, 7]), [0, 1, 0]);
        assert_eq!(keep_numbers(&[], &[], 0).unwrap().n_clusters(), 0);
        assert!(keep_numbers(&[1], &[], 0).is_err());
    }

    proptest! {
        #[test]
        fn equal_clusters_keep_all_their_numbers(
            previous in prop::collection::vec(-1_i64..6, 1..40),
        ) {
            // Another path: the same clusters under other names must get their old numbers back.
            let renamed: Vec<i64> =
                previous.iter().map(|&label| if label < 0 { -1 } else { 9 - label }).collect();
            let numbering = keep_numbers(&previous, &renamed, 0).unwrap();
            prop_assert_eq!(numbering.apply(&renamed), previous);
        }

        #[test]
        fn different_clusters_have_different_numbers(
            rows in prop::collection::vec((-1_i64..6, -1_i64..6), 1..40),
        ) {
            let (previous, labels): (Vec<i64>, Vec<i64>) = rows.into_iter().unzip();
            let numbering = keep_numbers(&previous, &labels, 0).unwrap();
            let numbers: BTreeSet<i64> =
                distinct(&labels).iter().map(|&label| numbering.number(label)).collect();
            prop_assert_eq!(numbers.len(), numbering.n_clusters());
        }
    }
}
