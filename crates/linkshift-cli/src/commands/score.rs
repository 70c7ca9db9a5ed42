//! `linkshift score`: how well labels agree with the truth.

use crate::failure::{Failure, Result};
use crate::summary::{aligned, scores_json};
use crate::terminal;
use linkshift::scores::Scores;
use linkshift::{LinkReport, Links};
use linkshift_io::{read_column, read_links};
use serde_json::json;
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
    let known = labels.iter().zip(&truth).filter(|&(_, &class)| class != UNKNOWN);
    let (known_labels, known_truth): (Vec<i64>, Vec<i64>) = known.unzip();
    if known_truth.is_empty() {
        let file = args.truth.display();
        return Err(Failure::Input(format!("{file}: no row has a class: name another column")));
    }
    let scores = Scores::of(&known_truth, &known_labels)?;
    let links = args.links.is_some().then(|| link_report(args, &labels)).transpose()?;
    let text = match args.json {
        true => json(labels.len(), known_truth.len(), &scores, links.as_ref()),
        false => lines(labels.len(), known_truth.len(), &scores, links.as_ref()),
    };
    terminal::say(&text)
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

fn link_report(args: &Args, labels: &[i64]) -> Result<LinkReport> {
    let ids = match &args.id_column {
        Some(name) => Some(read_column(&args.labels, Some(name))?),
        None => None,
    };
    let path = args.links.as_deref().unwrap_or(&args.labels);
    let links: Links = read_links(path, labels.len(), ids.as_deref())?.into_iter().collect();
    Ok(links.report(labels))
}

fn lines(n_points: usize, n_known: usize, scores: &Scores, links: Option<&LinkReport>) -> String {
    let score = |value: f64| format!("{value:.4}");
    let mut lines = vec![
        ("points", format!("{n_known} with a class, of {n_points}")),
        ("clusters", scores.n_clusters.to_string()),
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

fn json(n_points: usize, n_known: usize, scores: &Scores, links: Option<&LinkReport>) -> String {
    let links = links.map(|links| {
        json!({
            "must": links.must,
            "cannot": links.cannot,
            "broken": links.broken.len(),
            "share_kept": links.share_kept(),
        })
    });
    let found = json!({
        "n_points": n_points,
        "n_scored": n_known,
        "n_clusters": scores.n_clusters,
        "scores": scores_json(scores),
        "links": links,
    });
    format!("{found:#}")
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
