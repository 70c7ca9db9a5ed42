//! Where a dialogue stands: the asker, its file, and the clustering by the answers so far.

use crate::clusters::Clusters;
use crate::failure::{Failure, Result};
use crate::interrupt;
use crate::methods::Chosen;
use crate::progress;
use linkshift::ask::{Asker, Finish, Kept, Outlook, Reply, Tally};
use linkshift::registry::DEFAULT;
use linkshift_io::AnswersFile;

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
        let model = chosen.fit(|method, observer| method.fit(asker.points(), &links, observer))?;
        if interrupt::asked() {
            return Err(Failure::Cancelled);
        }
        Ok(model.labels().to_vec())
    }

    pub(super) fn method(&self) -> Option<&'static str> {
        self.chosen.as_ref().map(|chosen| chosen.method.info().name)
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

    pub(super) fn counts(&self) -> Tally {
        self.asker.answers().tally()
    }

    /// The clustering by all answers so far.
    pub(super) fn labels(&self) -> Result<Vec<i64>> {
        self.clustering.labels(&self.asker)
    }

    /// The default method's fit with the answers, if it is the better clustering.
    pub(super) fn finish(&self) -> Result<Finish<f64>> {
        let end = progress::watched(|observer| self.asker.finish(observer));
        if interrupt::asked() {
            return Err(Failure::Cancelled);
        }
        Ok(end?)
    }

    pub(super) fn clusters_line(&self, clusters: &Clusters, end: Option<&Finish<f64>>) -> String {
        let by = match end.map(|end| end.kept) {
            Some(Kept::Fit) => DEFAULT,
            _ => self.clustering.method().unwrap_or("answers spread over near points"),
        };
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

/// Whose labels were kept at the end, and why.
pub(super) fn finish_line(end: &Finish<f64>) -> String {
    let (Some(fit), Some(own)) = (end.fit, end.own) else {
        return format!("{DEFAULT} was fit; too few answers to say whether it is better: not kept");
    };
    let kept = match end.kept {
        Kept::Fit => "its labels were kept",
        Kept::Own => "the labels shown before were kept",
    };
    let (fit, own) = (100.0 * fit, 100.0 * own);
    format!(
        "{DEFAULT} was fit, {kept}: of answers held back it agrees with {fit:.0} %, they with {own:.0} %"
    )
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
