//! Without a person: known classes answer, and scores are written by number of answers.

use super::state::{State, n_clusters};
use crate::failure::{Failure, Result};
use crate::interrupt;
use linkshift::Scores;
use linkshift::ask::{KnownLabels, Oracle};

/// What a row of the curve holds.
pub(super) const COLUMNS: [&str; 8] =
    ["answers", "same", "different", "unsure", "clusters", "ari", "nmi", "links_kept"];

/// Asks the oracle until the budget is spent or nothing is left to ask. If classes are given, the
/// rows of the curve: at the beginning, after every so many answers, and at the end.
pub(super) fn run(
    state: &mut State<'_>,
    mut oracle: KnownLabels,
    budget: usize,
    classes: Option<&[i64]>,
    every: usize,
) -> Result<Vec<f64>> {
    let mut curve = Vec::new();
    let mut n_shown = None;
    loop {
        if interrupt::asked() {
            return Err(Failure::Cancelled);
        }
        let question = match state.n_answers() < budget {
            true => state.asker.next(1).pop(),
            false => None,
        };
        let due = question.is_none() || state.n_answers().is_multiple_of(every);
        if let (Some(classes), true) = (classes, due && n_shown != Some(state.n_answers())) {
            curve.extend(row(state, classes)?);
            n_shown = Some(state.n_answers());
        }
        let Some(question) = question else { return Ok(curve) };
        state.tell(question.a, question.b, oracle.answer(question.a, question.b))?;
    }
}

fn row(state: &State<'_>, classes: &[i64]) -> Result<[f64; 8]> {
    let labels = state.labels()?;
    let counts = state.counts();
    let kept = state.asker.answers().links().report(&labels).share_kept();
    let (ari, nmi) = score(classes, &labels).map_or((0.0, 0.0), |scores| (scores.ari, scores.nmi));
    let counted = [state.n_answers(), counts.same, counts.different, counts.unsure];
    let [answers, same, different, unsure] = counted.map(|count| count as f64);
    Ok([answers, same, different, unsure, n_clusters(&labels) as f64, ari, nmi, kept])
}

/// Scores over the rows whose class is known, if there are any.
pub(super) fn score(classes: &[i64], labels: &[i64]) -> Option<Scores> {
    let known: Vec<usize> = (0..classes.len()).filter(|&row| classes[row] != -1).collect();
    let select = |all: &[i64]| known.iter().map(|&row| all[row]).collect::<Vec<i64>>();
    Scores::of(&select(classes), &select(labels)).ok()
}
