//! Where a dialogue stands: the asker, its file, and the clustering by the answers so far.

use crate::failure::{Failure, Result};
use crate::methods::{Method, Settings, Task};
use crate::summary::cluster_sizes;
use crate::{memory, progress};
use linkshift::ask::{Answer, Asker, Outlook, Told};
use linkshift_io::AnswersFile;
use std::fmt;

pub(super) struct State<'a> {
    pub(super) asker: Asker<'a, f64>,
    pub(super) clustering: Clustering,
    pub(super) file: Option<AnswersFile>,
}

/// How labels are made of the answers.
pub(super) struct Clustering {
    /// `None`: the asker spreads them itself.
    pub(super) method: Option<&'static Method>,
    pub(super) k: Option<usize>,
    pub(super) settings: Settings,
    pub(super) seed: u64,
}

/// How many answers there are of each kind.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Counts {
    pub(super) same: usize,
    pub(super) different: usize,
    pub(super) unsure: usize,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.same + self.different + self.unsure;
        let Counts { same, different, unsure } = self;
        write!(f, "{all} ({same} same, {different} different, {unsure} unsure)")
    }
}

impl State<'_> {
    /// Takes an answer; it is on the disk when this returns.
    pub(super) fn tell(&mut self, a: usize, b: usize, answer: Answer) -> Result<()> {
        self.asker.tell(a, b, answer)?;
        match &mut self.file {
            Some(file) => Ok(file.append(&Told { a, b, answer })?),
            None => Ok(()),
        }
    }

    /// Takes back the latest answer, also in the file.
    pub(super) fn undo(&mut self) -> Result<Option<Told>> {
        let undone = self.asker.undo_last();
        if let (Some(_), Some(file)) = (&undone, &mut self.file) {
            file.rewrite(self.asker.answers().told())?;
        }
        Ok(undone)
    }

    pub(super) fn n_answers(&self) -> usize {
        self.asker.answers().told().len()
    }

    pub(super) fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for told in self.asker.answers().told() {
            match told.answer {
                Answer::Same => counts.same += 1,
                Answer::Different => counts.different += 1,
                Answer::Unsure => counts.unsure += 1,
            }
        }
        counts
    }

    /// The clustering by all answers so far.
    pub(super) fn labels(&self) -> Result<Vec<i64>> {
        let Some(method) = self.clustering.method else { return Ok(self.asker.labels()) };
        let links = self.asker.links();
        let task = Task {
            points: self.asker.points(),
            links: &links,
            k: self.clustering.k,
            settings: &self.clustering.settings,
            seed: self.clustering.seed,
            memory_mb: memory::usable_mb(),
            distances: None,
        };
        let outcome = progress::watched(|observer| (method.fit_f64)(&task, observer))?;
        if crate::interrupt::asked() {
            return Err(Failure::Cancelled);
        }
        Ok(outcome.labels)
    }

    pub(super) fn clusters_line(&self, labels: &[i64]) -> String {
        let by = self.clustering.method.map_or("answers spread over near points", |m| m.name);
        let sizes = cluster_sizes(labels);
        let shown: Vec<String> = sizes.iter().take(12).map(usize::to_string).collect();
        let more = if sizes.len() > shown.len() { ", …" } else { "" };
        format!("{} (sizes {}{more}), by {by}", sizes.len(), shown.join(", "))
    }

    pub(super) fn links_line(&self, labels: &[i64]) -> String {
        let report = self.asker.answers().links().report(labels);
        let kept = report.must_kept + report.cannot_kept;
        format!("{kept} of {} kept", report.must + report.cannot)
    }
}

pub(super) fn n_clusters(labels: &[i64]) -> usize {
    cluster_sizes(labels).len()
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
