//! Labels at once: the last fit's, with all that the asker has learned since.
//!
//! The full fit knows more than the asker (several methods, a space learned from links), but takes seconds. So
//! its labels stay where the asker has learned nothing new. Where it has become sure of a row since the
//! fit, or has changed its mind about one, the row goes where the asker says; a cluster most of whose sure
//! rows go somewhere goes along as a whole. Before the first fit the asker's own labels are shown, and so they
//! are where the fit parts nothing: without links it may find one cluster, which answers must not have to fight.

use linkshift::{Result, keep_numbers};
use std::collections::{BTreeMap, HashMap};

/// From this chance on the asker counts as sure of a row.
const SURE: f64 = 0.5;

/// A group that has less than this share of its rows in common with a cluster is not that cluster.
const IN_COMMON: f64 = 0.25;

/// What the asker thought at some time.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Opinion {
    labels: Vec<i64>,
    sure: Vec<bool>,
}

impl Opinion {
    pub(crate) fn new(labels: Vec<i64>, chances: Option<Vec<f64>>) -> Self {
        let sure = match chances {
            Some(chances) => chances.iter().map(|&chance| chance >= SURE).collect(),
            None => vec![false; labels.len()],
        };
        Self { labels, sure }
    }

    pub(crate) fn labels(&self) -> &[i64] {
        &self.labels
    }

    /// The labels of sure rows; −1 for the others.
    fn of_sure(&self) -> Vec<i64> {
        let rows = self.labels.iter().zip(&self.sure);
        rows.map(|(&label, &sure)| if sure { label } else { -1 }).collect()
    }
}

/// The labels of a fit, changed by what the asker thinks `now` and did not when the fit began; it may have
/// thought nothing `then`.
pub(crate) fn at_once(fit: &[i64], then: Option<&Opinion>, now: &Opinion) -> Result<Vec<i64>> {
    if fit.iter().all(|label| *label == fit[0]) {
        return Ok(now.labels.clone());
    }
    let before = then.map_or_else(|| vec![-1; fit.len()], Opinion::of_sure);
    let after = now.of_sure();
    let same = keep_numbers(&before, &after, 0)?.apply(&after);
    let homes = homes(fit, &after)?;
    let mut labels = fit.to_vec();
    // For each cluster: rows that the asker is sure of, and where those go that go.
    let mut n_sure: BTreeMap<i64, usize> = BTreeMap::new();
    let mut gone: BTreeMap<i64, BTreeMap<i64, usize>> = BTreeMap::new();
    for (row, label) in labels.iter_mut().enumerate().filter(|&(row, _)| after[row] >= 0) {
        *n_sure.entry(*label).or_default() += 1;
        let home = homes[&after[row]];
        if same[row] != before[row] && home != *label {
            *gone.entry(*label).or_default().entry(home).or_default() += 1;
            *label = home;
        }
    }
    let follow = |(cluster, to): (i64, BTreeMap<i64, usize>)| {
        let (home, n) = to.into_iter().max_by_key(|&(_, n)| n)?;
        (2 * n > n_sure[&cluster]).then_some((cluster, home))
    };
    let whole: HashMap<i64, i64> = gone.into_iter().filter_map(follow).collect();
    if !whole.is_empty() {
        let left = labels.iter_mut().enumerate().filter(|&(row, _)| after[row] < 0);
        left.for_each(|(_, label)| *label = whole.get(label).copied().unwrap_or(*label));
    }
    Ok(labels)
}

/// The cluster that each group is, where they agree best; a new number for a group that is none of them.
fn homes(fit: &[i64], groups: &[i64]) -> Result<HashMap<i64, i64>> {
    let numbering = keep_numbers(fit, groups, 0)?;
    let mut next = numbering.first_unused();
    let mut counts: BTreeMap<i64, (usize, usize)> = BTreeMap::new();
    for (&cluster, &group) in fit.iter().zip(groups).filter(|&(_, &group)| group >= 0) {
        let (n_in_common, n) = counts.entry(group).or_default();
        *n_in_common += usize::from(numbering.number(group) == cluster);
        *n += 1;
    }
    let home = |(group, (n_in_common, n)): (i64, (usize, usize))| {
        if (n_in_common as f64) < IN_COMMON * n as f64 {
            next += 1;
            return (group, next - 1);
        }
        (group, numbering.number(group))
    };
    Ok(counts.into_iter().map(home).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opinion(labels: &[i64], sure: &[u8]) -> Opinion {
        Opinion { labels: labels.to_vec(), sure: sure.iter().map(|&one| one == 1).collect() }
    }

    #[test]
    fn nothing_learned_changes_nothing() {
        // The asker thinks otherwise than the fit, but it did so when the fit began.
        let thought = opinion(&[0, 0, 1, 1, 1, 1], &[1, 1, 1, 1, 1, 1]);
        let fit = [0, 0, 0, 1, 1, 1];
        assert_eq!(at_once(&fit, Some(&thought), &thought).unwrap(), fit);
    }

    #[test]
    fn a_row_goes_where_the_asker_has_learned_that_it_belongs() {
        let then = opinion(&[0, 0, 0, 1, 1, 1], &[1, 1, 0, 1, 1, 1]);
        let now = opinion(&[0, 0, 1, 1, 1, 1], &[1, 1, 1, 1, 1, 1]);
        assert_eq!(at_once(&[0, 0, 0, 1, 1, 1], Some(&then), &now).unwrap(), [0, 0, 1, 1, 1, 1]);
    }

    #[test]
    fn groups_that_are_one_now_become_one_cluster_as_a_whole() {
        // Row 5 is of the smaller cluster, and nobody is sure of it: it goes along.
        let then = opinion(&[0, 0, 0, 1, 1, 1], &[1, 1, 1, 1, 1, 0]);
        let now = opinion(&[0, 0, 0, 0, 0, 0], &[1, 1, 1, 1, 1, 0]);
        assert_eq!(at_once(&[7, 7, 7, 8, 8, 8], Some(&then), &now).unwrap(), [7; 6]);
    }

    #[test]
    fn a_group_that_is_no_cluster_becomes_a_new_one() {
        let then = opinion(&[0, 0, 0, 0, 0, 2], &[1, 1, 1, 1, 1, 1]);
        let now = opinion(&[0, 0, 0, 1, 1, 2], &[1, 1, 1, 1, 1, 1]);
        let labels = at_once(&[0, 0, 0, 0, 0, 5], Some(&then), &now).unwrap();
        assert!(labels[..3] == [0, 0, 0] && labels[3] > 0 && labels[3] == labels[4]);
        assert!(labels[5] == 5 && labels[3] != 5);
    }

    #[test]
    fn a_fit_that_parts_nothing_leaves_it_to_the_asker() {
        // It is sure of two rows only, yet its guess is better than none.
        let now = opinion(&[0, 0, 0, 1, 1], &[1, 0, 0, 0, 1]);
        assert_eq!(at_once(&[3; 5], None, &now).unwrap(), [0, 0, 0, 1, 1]);
    }
}
