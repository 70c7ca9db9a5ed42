//! Without a person: known classes answer, and scores are written by number of answers.

use super::state::{Clustering, State};
use crate::clusters::Clusters;
use crate::failure::{Failure, Result};
use crate::interrupt;
use linkshift::ask::{self, Answer, Asker, Kind, KnownLabels};
use linkshift::params::Named;
use linkshift::{Error, Scores};

/// What a row of the curve holds.
pub(super) fn columns() -> Vec<String> {
    let kinds = Answer::ALL.iter().map(|answer| answer.name());
    let all = ["answers"].into_iter().chain(kinds).chain(["clusters", "ari", "nmi", "links_kept"]);
    all.map(str::to_owned).collect()
}

/// The curve, as far as it is wanted.
struct Curve<'a> {
    clustering: &'a Clustering,
    /// None if nobody wants a curve.
    classes: Option<&'a [i64]>,
    values: Vec<f64>,
    /// The number of answers of the last row.
    n_shown: Option<usize>,
}

/// Asks the oracle until the budget is spent or nothing is left to ask. If classes are given, the
/// rows of the curve: at the beginning, after every so many answers, and at the end.
pub(super) fn run(
    state: &mut State<'_>,
    mut oracle: KnownLabels,
    kinds: &[Kind],
    budget: usize,
    classes: Option<&[i64]>,
    every: usize,
) -> Result<Vec<f64>> {
    let State { asker, clustering, file } = state;
    let mut curve = Curve { clustering, classes, values: Vec::new(), n_shown: None };
    if asker.answers().replies().len().is_multiple_of(every) {
        curve.add(asker)?;
    }
    let mut after = |asker: &Asker<'_, f64>| -> Result<()> {
        let replies = asker.answers().replies();
        if let (Some(file), Some(last)) = (file.as_mut(), replies.last()) {
            file.append(last)?;
        }
        if interrupt::asked() {
            return Err(Failure::Cancelled);
        }
        if replies.len().is_multiple_of(every) { curve.add(asker) } else { Ok(()) }
    };
    // The core stops at an error of its own; which one stopped it is kept beside.
    let mut stopped = None;
    let asked = ask::run_kinds(asker, &mut oracle, kinds, budget, |asker| {
        after(asker).map_err(|failure| {
            stopped = Some(failure);
            Error::Cancelled { n_iter: asker.answers().replies().len() }
        })
    });
    if let Some(failure) = stopped {
        return Err(failure);
    }
    asked?;
    curve.add(asker)?;
    Ok(curve.values)
}

impl Curve<'_> {
    /// A row for where the dialogue stands, unless there is one.
    fn add(&mut self, asker: &Asker<'_, f64>) -> Result<()> {
        let n_answers = asker.answers().replies().len();
        let Some(classes) = self.classes.filter(|_| self.n_shown != Some(n_answers)) else {
            return Ok(());
        };
        let labels = self.clustering.labels(asker)?;
        let scores = Scores::of_known(classes, &labels)?.0;
        let (ari, nmi) = scores.map_or((0.0, 0.0), |scores| (scores.ari, scores.nmi));
        let kept = asker.answers().links().report(&labels).share_kept();
        self.values.push(n_answers as f64);
        self.values.extend(asker.answers().tally().pairs().map(|(_, n)| n as f64));
        self.values.extend([Clusters::of(&labels).count() as f64, ari, nmi, kept]);
        self.n_shown = Some(n_answers);
        Ok(())
    }
}
