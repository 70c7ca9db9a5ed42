//! What a fit found: for people as a few lines, for machines as JSON.

use super::Job;
use crate::clusters::Clusters;
use crate::failure::Result;
use crate::json::{self, Object};
use crate::methods::Number;
use crate::notes::Note;

use crate::previous::Kept;
use crate::scored::Scored;
use crate::summary::{aligned, detail_lines};
use crate::terminal;
use linkshift::auto::Suspect;
use linkshift::model::Fact;
use linkshift::params::Named;
use linkshift::scale::Scaling;
use linkshift::{Link, LinkReport, Model};
use linkshift_io::Output;

/// More links than this are counted, not listed.
const MOST_LISTED: usize = 10;

/// Everything worth saying about a fit.
pub(super) struct Summary<'a, T: Number> {
    pub(super) job: &'a Job<'a>,
    pub(super) model: &'a Model<T>,
    pub(super) n_points: usize,
    /// Rows that found the clusters, of a stream.
    pub(super) n_drawn: Option<usize>,
    pub(super) n_features: usize,
    pub(super) scaling: Scaling,
    pub(super) clusters: Clusters,
    pub(super) seconds: f64,
    /// Links left out because they contradict surer ones.
    pub(super) dropped: &'a [Link],
    /// The names of the points, where links name them so.
    pub(super) ids: Option<&'a [String]>,
    pub(super) kept: Option<&'a Kept>,
    pub(super) scored: Option<Scored>,
    pub(super) notes: &'a [Note],
}

impl Job<'_> {
    /// Says what was found; labels on standard output stand alone there.
    pub(super) fn tell<T: Number>(&self, summary: &Summary<'_, T>) -> Result<()> {
        summary.notes.iter().for_each(Note::show);
        if self.args.json {
            return summary.json().say();
        }
        if self.outputs.labels.as_ref().is_some_and(Output::is_stdout) {
            terminal::aside(&summary.text());
            return Ok(());
        }
        terminal::say(&summary.text())
    }
}

impl<T: Number> Summary<'_, T> {
    fn text(&self) -> String {
        let Job { args, chosen, outputs, .. } = self.job;
        let info = chosen.method.info();
        let mut lines: Vec<(String, String)> = Vec::new();
        let mut put = |name: &str, value: String| lines.push((name.to_owned(), value));
        let source = args.table.source();
        put("method", format!("{}, {} numbers", info.name, T::NAME));
        put("points", format!("{} × {} from {source}", self.n_points, self.n_features));
        if let Some(n_drawn) = self.n_drawn {
            put("fitted on", format!("{n_drawn} rows: those drawn, and all that links name"));
        }
        if self.scaling != Scaling::None {
            put("scale", self.scaling.name().into());
        }
        lines.extend(self.clusters.lines());
        let end = if self.model.converged() { "converged" } else { "not converged" };
        lines.push((info.counts.unit.to_owned(), format!("{}, {end}", self.model.n_iter())));
        lines.extend(detail_lines(self.model.details()));
        let mut put = |name: &str, value: String| lines.push((name.to_owned(), value));
        if let Some(kept) = self.kept {
            put("numbers kept", kept.line());
        }
        put("time", format!("{:.3} s", self.seconds));
        self.link_lines().into_iter().for_each(|(name, value)| put(name, value));
        if let Some(scored) = &self.scored {
            put("scores", scored.line());
        }
        let files = outputs.files();
        files.iter().for_each(|(what, path)| put(&what.replace('_', " "), path.clone()));
        if outputs.labels.is_none() {
            put("labels", "not written: add -o labels.csv".into());
        }
        aligned(&lines)
    }

    fn link_lines(&self) -> Vec<(&'static str, String)> {
        let LinkReport { must, cannot, must_kept, cannot_kept, broken } = self.model.link_report();
        if must + cannot == 0 {
            return Vec::new();
        }
        let used = if self.uses_links() { "" } else { "not used; " };
        let mut lines = vec![(
            "links",
            format!(
                "{used}{must_kept} of {must} must-links and {cannot_kept} of {cannot} cannot-links \
                 kept, {} broken",
                broken.len()
            ),
        )];
        let suspects = match self.model.detail("suspects") {
            Some(Fact::Suspects(suspects)) => &suspects[..],
            _ => &[],
        };
        // A suspect is told with its reason, below.
        let is_told = |link: &&Link| suspects.iter().any(|suspect| suspect.link == **link);
        let broken: Vec<&Link> = broken.iter().filter(|link| !is_told(link)).collect();
        let dropped: Vec<&Link> = self.dropped.iter().collect();
        for (what, links) in [("broken", &broken), ("dropped", &dropped)] {
            let shown = links.iter().take(MOST_LISTED);
            lines.extend(shown.map(|link| ("", format!("{what}: {}", self.named(link)))));
        }
        for suspect in suspects.iter().take(MOST_LISTED) {
            lines.push((
                "",
                format!("suspect: {}: {}", self.named(&suspect.link), self.why(suspect)),
            ));
        }
        if broken.len().max(self.dropped.len()).max(suspects.len()) > MOST_LISTED {
            lines.push(("", "and more, all in --json".into()));
        }
        lines
    }

    /// The reason of a suspect, and what is likely true instead.
    fn why(&self, suspect: &Suspect) -> String {
        let likely = suspect.likely().name();
        if suspect.chain.is_empty() {
            return format!("{}; likely {likely}", suspect.sentence());
        }
        let chain: Vec<String> = suspect.chain.iter().map(|link| self.named(link)).collect();
        format!("{}: {}; likely {likely}", suspect.sentence(), chain.join(", "))
    }

    fn named(&self, link: &Link) -> String {
        match self.ids {
            Some(ids) => format!("{} {}–{}", link.kind.name(), ids[link.a], ids[link.b]),
            None => link.to_string(),
        }
    }

    fn uses_links(&self) -> bool {
        self.job.chosen.method.info().links.is_used()
    }

    fn json(&self) -> Object {
        let Job { args, chosen, outputs, .. } = self.job;
        Object::new("fit")
            .with("method", chosen.method.info().name)
            .with("settings", json::settings(&chosen.given))
            .with("seed", args.settings.seed)
            .with("data", args.table.source())
            .with("n_points", self.n_points)
            .with("n_drawn", self.n_drawn)
            .with("n_features", self.n_features)
            .with("scale", self.scaling.name())
            .with("dtype", T::NAME)
            .with_clusters(&self.clusters)
            .with("n_iter", self.model.n_iter())
            .with("converged", self.model.converged())
            .with("n_moved", self.model.moved().len())
            .with("details", json::details(self.model.details(), self.ids))
            .with("seconds", self.seconds)
            .with("links", json::links(self.model.link_report(), self.ids))
            .with("links_used", self.uses_links())
            .with("dropped_links", json::link_list(self.dropped, self.ids))
            .with("numbering", self.kept.map(Kept::json))
            .with_scores(self.scored.as_ref())
            .with_files(&outputs.files())
            .with_notes(self.notes)
    }
}
