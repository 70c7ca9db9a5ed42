//! From corrections on clusters to links: few that say it, and not more than a person would read.

use crate::clusters::{members, spread};
use crate::data::Data;
use crate::entry::{Said, star};
use crate::error::{Result, StudioError};
use linkshift::ask::{Answer, Told};

/// Up to so many rows each is named by a link of its own; of more, so many stand for all.
pub(crate) const MOST_ROWS: usize = 5_000;

/// Rows that stand for a cluster that is merged with others: enough that no part of it is left behind.
const OF_MERGED: usize = 12;

/// Rows that stand for a cluster that others leave.
const OF_LEFT: usize = 8;

/// Rows that stand for a cluster that a row is moved to or from.
const OF_MOVED: usize = 3;

/// The links that a correction is, given the clusters of the moment.
pub(crate) fn links_of(said: &Said, data: &Data, labels: &[i64]) -> Result<Vec<Told>> {
    let points = &data.points;
    let members = members(labels);
    let of_cluster = |id: i64| {
        let rows = members.get(&id);
        rows.ok_or_else(|| {
            StudioError::missing(format!(
                "there is no cluster {id} any more: choose one of the list"
            ))
        })
    };
    let needs = |n: usize, rows: &[usize], what: &str| match rows.len() >= n {
        true => Ok(()),
        false => Err(StudioError::bad(format!("{what}: select at least {n} items"))),
    };
    let different = |a: usize, b: usize| Told::new(a, b, Answer::Different);
    match said {
        Said::Together { rows } => {
            needs(2, rows, "belonging together")?;
            Ok(star(&spread(points, rows, MOST_ROWS)))
        }
        Said::Merge { clusters } => {
            if clusters.len() < 2 {
                return Err(StudioError::bad("merging: choose at least 2 clusters"));
            }
            let mut all = Vec::new();
            for &cluster in clusters {
                all.extend(spread(points, of_cluster(cluster)?, OF_MERGED));
            }
            all.dedup();
            needs(2, &all, "merging")?;
            Ok(star(&all))
        }
        Said::Apart { rows, cluster, together } => {
            needs(1, rows, "not these")?;
            let rest: Vec<usize> = difference(of_cluster(*cluster)?, rows);
            if rest.is_empty() {
                return Err(StudioError::bad(format!(
                    "all of cluster {cluster} is selected: select the part that does not belong"
                )));
            }
            let rest = spread(points, &rest, OF_LEFT);
            let rows = spread(points, rows, MOST_ROWS);
            // One row speaks for all that belong with it.
            let speakers = if *together { &rows[..1] } else { &rows[..] };
            let mut told = if *together { star(&rows) } else { Vec::new() };
            for &speaker in speakers {
                told.extend(rest.iter().map(|&other| different(speaker, other)));
            }
            Ok(told)
        }
        Said::Move { rows, cluster } => {
            needs(1, rows, "moving")?;
            let target = difference(of_cluster(*cluster)?, rows);
            if target.is_empty() {
                return Err(StudioError::bad(format!(
                    "cluster {cluster} has nothing but what is moved: choose another"
                )));
            }
            let target = spread(points, &target, OF_MOVED);
            let mut told = Vec::new();
            for &row in rows.iter().take(MOST_ROWS) {
                told.extend(target.iter().map(|&b| Told::new(row, b, Answer::Same)));
                let from = labels[row];
                if from >= 0 && from != *cluster {
                    let left = difference(of_cluster(from)?, rows);
                    let left = spread(points, &left, OF_MOVED);
                    told.extend(left.iter().map(|&other| different(row, other)));
                }
            }
            Ok(told)
        }
        Said::Pair { .. } | Said::Place { .. } | Said::Group { .. } => {
            Err(StudioError::bad("an answer is not a correction: send it to /api/answer"))
        }
    }
}

/// Those of the first that are not among the second; both ascending or not.
fn difference(all: &[usize], without: &[usize]) -> Vec<usize> {
    let without: std::collections::HashSet<usize> = without.iter().copied().collect();
    all.iter().copied().filter(|row| !without.contains(row)).collect()
}
