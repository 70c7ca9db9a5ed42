//! Where a dialogue stands: the asker, its file, and the clustering by the answers so far.

use crate::clusters::Clusters;
use crate::failure::{Failure, Result};
use crate::interrupt;
use crate::methods::Chosen;
use crate::progress;
use linkshift::ask::{Answer, Asker, Outlook, Reply, Told};
use linkshift::params::Named;
use linkshift_io::AnswersFile;
use std::fmt;

pub(super) struct State<'a> {
    pub(super) asker: Asker<'a, f64>,
    pub(super) clustering: Clustering,
    pub(super) file: Option<AnswersFile>,
}

/// How labels are made of the answers: by a method, or the asker spreads them itself.
pub(super) struct Clustering {
    pub(super) chosen: Option<Chosen>,
}

impl Clustering {
    /// The clustering by all answers so far.
    pub(super) fn labels(&self, asker: &Asker<'_, f64>) -> Result<Vec<i64>> {
        let Some(chosen) = &self.chosen else { return Ok(asker.labels()) };
        let links = asker.links();
        let model =
            progress::watched(|observer| chosen.method.fit(asker.points(), &links, observer))?;
        if interrupt::asked() {
            return Err(Failure::Cancelled);
        }
        Ok(model.labels().to_vec())
    }

    pub(super) fn method(&self) -> Option<&'static str> {
        self.chosen.as_ref().map(|chosen| chosen.method.info().name)
    }
}

/// How many answers there are of each kind.
#[derive(Debug, Clone, Copy)]
pub(super) struct Counts {
    counts: [usize; Answer::ALL.len()],
}

impl Counts {
    pub(super) fn of(told: &[Told]) -> Self {
        let count = |&answer| told.iter().filter(|told| told.answer == answer).count();
        let mut counts = [0; Answer::ALL.len()];
        counts.iter_mut().zip(Answer::ALL).for_each(|(n, answer)| *n = count(answer));
        Self { counts }
    }

    /// Each kind of answer by its name, and how many there are.
    pub(super) fn by_name(&self) -> impl Iterator<Item = (&'static str, usize)> {
        Answer::ALL.iter().map(|answer| answer.name()).zip(self.counts)
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: usize = self.counts.iter().sum();
        let each: Vec<String> = self.by_name().map(|(name, n)| format!("{n} {name}")).collect();
        write!(f, "{all} ({})", each.join(", "))
    }
}

impl State<'_> {
    /// Takes an answer; it is on the disk when this returns.
    pub(super) fn reply(&mut self, reply: &Reply) -> Result<()> {
        self.asker.reply(reply.clone())?;
        match &mut self.file {
            Some(file) => Ok(file.append(reply)?),
            None => Ok(()),
        }
    }

    /// Takes back the latest answer, also in the file.
    pub(super) fn undo(&mut self) -> Result<Option<Reply>> {
        let undone = self.asker.undo_last();
        if let (Some(_), Some(file)) = (&undone, &mut self.file) {
            file.rewrite(self.asker.answers().replies())?;
        }
        Ok(undone)
    }

    pub(super) fn n_answers(&self) -> usize {
        self.asker.answers().replies().len()
    }

    pub(super) fn counts(&self) -> Counts {
        Counts::of(self.asker.answers().told())
    }

    /// The clustering by all answers so far.
    pub(super) fn labels(&self) -> Result<Vec<i64>> {
        self.clustering.labels(&self.asker)
    }

    pub(super) fn clusters_line(&self, clusters: &Clusters) -> String {
        let by = self.clustering.method().unwrap_or("answers spread over near points");
        format!("{}, by {by}", clusters.line())
    }

    pub(super) fn links_line(&self, labels: &[i64]) -> String {
        let report = self.asker.answers().links().report(labels);
        let kept = report.must_kept + report.cannot_kept;
        format!("{kept} of {} kept", report.must + report.cannot)
    }
}

pub(super) fn outlook_line(outlook: &Outlook) -> String {
    let look_back = Outlook::LOOK_BACK;
    match outlook.agreement {
        _ if outlook.settled && outlook.agreement.is_none() => "nothing is left to ask".into(),
        None => format!("too early to say: ask at least {look_back}"),
        Some(agreement) => {
            let alike =
                format!("{look_back} answers ago the clusters were alike to {agreement:.3} (ARI)");
            match outlook.settled {
                true => format!("further answers are expected to change little: {alike}"),
                false => format!("further answers still change something: {alike}"),
            }
        }
    }
}

/// What the answers say of each other: how many are likely wrong.
pub(super) fn wrong_line(asker: &Asker<'_, f64>) -> Option<String> {
    let (rate, n_suspects) = (asker.error_rate()?, asker.suspects().len());
    let share = asker
        .outlook()
        .share
        .map(|share| format!("; {:.0} % of all pairs are expected to be right", 100.0 * share));
    let share = share.unwrap_or_default();
    Some(format!("{n_suspects} suspected, about {:.0} % wrong{share}", 100.0 * rate))
}
