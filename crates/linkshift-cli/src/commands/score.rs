//! `linkshift score`: how well labels agree with the truth.

use crate::clusters::Clusters;
use crate::failure::{Failure, Result};
use crate::input::LinksFile;
use crate::json::{self, Object};
use crate::scored::Scored;
use crate::summary::aligned;
use crate::terminal;
use linkshift::LinkReport;
use linkshift_io::read_column;
use std::collections::HashMap;
use std::path::PathBuf;

/// Compare labels with the truth, row by row; names of clusters do not matter
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// File of labels; its only column, or the one called `label`
    labels: PathBuf,
    /// File of true classes; rows without one (empty or -1) are left out
    truth: PathBuf,
    /// Column of the labels
    #[arg(long, value_name = "NAME")]
    label_column: Option<String>,
    /// Column of the true classes
    #[arg(long, value_name = "NAME")]
    truth_column: Option<String>,
    /// Column of ids in the file of labels, by which links name points
    #[arg(long, value_name = "NAME", requires = "links")]
    id_column: Option<String>,
    /// Also say which links the labels keep
    #[arg(short, long, value_name = "FILE")]
    links: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let labels = numbered(&read_column(&args.labels, args.label_column.as_deref())?);
    let truth = numbered(&read_column(&args.truth, args.truth_column.as_deref())?);
    if labels.len() != truth.len() {
        return Err(Failure::Input(format!(
            "{} has {} labels but {} has {}: give one of each per point",
            args.labels.display(),
            labels.len(),
            args.truth.display(),
            truth.len()
        )));
    }
    // Which rows are left out is part of the result here.
    let Some(scored) = Scored::of(Some(&truth), &labels, &mut Vec::new())? else {
        let file = args.truth.display();
        return Err(Failure::Input(format!("{file}: no row has a class: name another column")));
    };
    let ids = match &args.id_column {
        Some(name) => Some(read_column(&args.labels, Some(name))?),
        None => None,
    };
    let ids = ids.as_deref();
    let links = match &args.links {
        Some(path) => Some(LinksFile::read(Some(path), labels.len(), ids)?.links.report(&labels)),
        None => None,
    };
    let clusters = Clusters::of(&labels);
    if args.json {
        return Object::new("score")
            .with("n_points", labels.len())
            .with_clusters(&clusters)
            .with_scores(Some(&scored))
            .with("links", links.map(|report| json::links(&report, ids)))
            .say();
    }
    terminal::say(&lines(labels.len(), &clusters, &scored, links.as_ref()))
}

/// No class, no cluster.
const UNKNOWN: i64 = -1;

/// Texts as numbers, in order of appearance; empty or -1 is none.
fn numbered(texts: &[String]) -> Vec<i64> {
    let mut numbers: HashMap<&str, i64> = HashMap::new();
    let mut rows = Vec::with_capacity(texts.len());
    for text in texts {
        let next = numbers.len() as i64;
        rows.push(match text.as_str() {
            "" | "-1" => UNKNOWN,
            text => *numbers.entry(text).or_insert(next),
        });
    }
    rows
}

fn lines(
    n_points: usize,
    clusters: &Clusters,
    scored: &Scored,
    links: Option<&LinkReport>,
) -> String {
    let Scored { scores, n_scored } = scored;
    let score = |value: f64| format!("{value:.4}");
    let mut lines = vec![
        ("points", format!("{n_scored} with a class, of {n_points}")),
        ("clusters", clusters.line()),
        ("ARI", score(scores.ari)),
        ("NMI", format!("{:.4} (geometric {:.4})", scores.nmi, scores.nmi_geometric)),
        ("RI", score(scores.ri)),
        ("accuracy", score(scores.accuracy)),
    ];
    if let Some(links) = links {
        let kept = links.must_kept + links.cannot_kept;
        let all = links.must + links.cannot;
        lines.push(("links", format!("{kept} of {all} kept, {} broken", links.broken.len())));
    }
    aligned(&lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_numbered_as_they_appear() {
        let texts = ["cat", "", "dog", "-1", "cat"].map(String::from);
        assert_eq!(numbered(&texts), [0, -1, 1, -1, 0]);
    }
}
