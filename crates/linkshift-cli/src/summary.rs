//! What a fit found: for people as a few lines, for machines as JSON.

use linkshift::scores::Scores;
use linkshift::{Link, LinkKind, LinkReport};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// More cluster sizes or broken links than this are counted, not listed.
const MOST_LISTED: usize = 10;

/// Everything worth saying about a fit.
pub(crate) struct Summary<'a> {
    pub(crate) method: &'static str,
    pub(crate) data: String,
    pub(crate) n_points: usize,
    pub(crate) n_features: usize,
    pub(crate) scale: &'static str,
    pub(crate) dtype: &'static str,
    pub(crate) seed: u64,
    pub(crate) labels: &'a [i64],
    pub(crate) n_iter: usize,
    pub(crate) converged: bool,
    pub(crate) seconds: f64,
    pub(crate) details: &'a [(&'static str, Value)],
    pub(crate) links: &'a LinkReport,
    pub(crate) uses_links: bool,
    /// The names of the points, where links name them so.
    pub(crate) ids: Option<&'a [String]>,
    pub(crate) scores: Option<Scores>,
    pub(crate) notes: &'a [String],
    /// What was written, by what it is.
    pub(crate) files: Vec<(&'static str, String)>,
}

impl Summary<'_> {
    /// A few aligned lines.
    pub(crate) fn text(&self) -> String {
        let sizes: Vec<usize> = clusters(self.labels).into_values().collect();
        let mut lines = vec![
            ("method", format!("{}, {} numbers", self.method, self.dtype)),
            ("points", format!("{} × {} from {}", self.n_points, self.n_features, self.data)),
        ];
        if self.scale != "none" {
            lines.push(("scale", self.scale.into()));
        }
        lines.push(match sizes.len() {
            0 => ("clusters", "none".into()),
            n_clusters => ("clusters", format!("{n_clusters} (sizes {})", list(&sizes))),
        });
        match n_noise(self.labels) {
            0 => {}
            n_noise => lines.push(("noise", format!("{n_noise} points in no cluster"))),
        }
        let end = if self.converged { "converged" } else { "not converged" };
        lines.push(("iterations", format!("{}, {end}", self.n_iter)));
        for (name, value) in self.details {
            lines.push((name, plain(value)));
        }
        lines.push(("time", format!("{:.3} s", self.seconds)));
        if self.links.must + self.links.cannot > 0 {
            lines.push(("links", self.links_line()));
            for link in self.links.broken.iter().take(MOST_LISTED) {
                lines.push(("", format!("broken: {}", self.named(link))));
            }
            match self.links.broken.len().saturating_sub(MOST_LISTED) {
                0 => {}
                more => lines.push(("", format!("and {more} more, all in --json"))),
            }
        }
        if let Some(scores) = &self.scores {
            lines.push(("scores", score_line(scores)));
        }
        for (what, path) in &self.files {
            lines.push((what, path.clone()));
        }
        if !self.files.iter().any(|(what, _)| *what == "labels") {
            lines.push(("labels", "not written: add -o labels.csv".into()));
        }
        aligned(&lines)
    }

    fn links_line(&self) -> String {
        let LinkReport { must, cannot, must_kept, cannot_kept, broken } = self.links;
        let used = if self.uses_links { "" } else { "not used; " };
        format!(
            "{used}{must_kept} of {must} must-links and {cannot_kept} of {cannot} cannot-links \
             kept, {} broken",
            broken.len()
        )
    }

    /// The same as one JSON object.
    pub(crate) fn json(&self) -> Value {
        let (numbers, sizes): (Vec<i64>, Vec<usize>) = clusters(self.labels).into_iter().unzip();
        let broken: Vec<Value> =
            self.links.broken.iter().map(|link| self.link_json(link)).collect();
        let mut object = Map::new();
        let mut put = |key: &str, value: Value| object.insert(key.into(), value);
        put("method", json!(self.method));
        put("data", json!(self.data));
        put("n_points", json!(self.n_points));
        put("n_features", json!(self.n_features));
        put("scale", json!(self.scale));
        put("dtype", json!(self.dtype));
        put("seed", json!(self.seed));
        put("n_clusters", json!(sizes.len()));
        put("cluster_numbers", json!(numbers));
        put("cluster_sizes", json!(sizes));
        put("n_noise", json!(n_noise(self.labels)));
        put("n_iter", json!(self.n_iter));
        put("converged", json!(self.converged));
        put("seconds", json!(self.seconds));
        for (name, value) in self.details {
            put(name, value.clone());
        }
        let links = json!({
            "must": self.links.must,
            "cannot": self.links.cannot,
            "broken": self.links.broken.len(),
            "share_kept": self.links.share_kept(),
            "used": self.uses_links,
            "broken_links": broken,
        });
        put("links", links);
        put("scores", self.scores.as_ref().map_or(Value::Null, scores_json));
        let files = self.files.iter().map(|(what, path)| ((*what).to_owned(), json!(path)));
        put("files", Value::Object(files.collect()));
        put("notes", json!(self.notes));
        Value::Object(object)
    }

    fn link_json(&self, link: &Link) -> Value {
        let end = |row: usize| match self.ids {
            Some(ids) => json!(ids[row]),
            None => json!(row),
        };
        json!({ "a": end(link.a), "b": end(link.b), "kind": kind(link) })
    }

    fn named(&self, link: &Link) -> String {
        match self.ids {
            Some(ids) => format!("{} {}–{}", kind(link), ids[link.a], ids[link.b]),
            None => link.to_string(),
        }
    }
}

fn kind(link: &Link) -> &'static str {
    match link.kind {
        LinkKind::Must => "must",
        LinkKind::Cannot => "cannot",
    }
}

/// The scores as one JSON object.
pub(crate) fn scores_json(scores: &Scores) -> Value {
    json!({
        "ari": scores.ari,
        "nmi": scores.nmi,
        "nmi_geometric": scores.nmi_geometric,
        "ri": scores.ri,
        "accuracy": scores.accuracy,
    })
}

/// The scores in one line.
pub(crate) fn score_line(scores: &Scores) -> String {
    format!(
        "ARI {:.3}, NMI {:.3}, RI {:.3}, accuracy {:.3}",
        scores.ari, scores.nmi, scores.ri, scores.accuracy
    )
}

/// Names in one column, values in the next.
pub(crate) fn aligned(lines: &[(&str, String)]) -> String {
    let width = lines.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    lines.iter().fold(String::new(), |mut text, (name, value)| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name:width$}  {value}");
        text
    })
}

/// The clusters there are, by number, and how many points each has.
pub(crate) fn clusters(labels: &[i64]) -> BTreeMap<i64, usize> {
    let mut sizes = BTreeMap::new();
    for &label in labels.iter().filter(|&&label| label >= 0) {
        *sizes.entry(label).or_insert(0) += 1;
    }
    sizes
}

/// The sizes of clusters 0, 1, ….
pub(crate) fn cluster_sizes(labels: &[i64]) -> Vec<usize> {
    let mut sizes = Vec::new();
    for label in labels.iter().filter_map(|&label| usize::try_from(label).ok()) {
        if label >= sizes.len() {
            sizes.resize(label + 1, 0);
        }
        sizes[label] += 1;
    }
    sizes
}

pub(crate) fn n_noise(labels: &[i64]) -> usize {
    labels.iter().filter(|&&label| label < 0).count()
}

/// The largest first, and how many more.
pub(crate) fn list(sizes: &[usize]) -> String {
    let mut sorted = sizes.to_vec();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    let shown: Vec<String> = sorted.iter().take(MOST_LISTED).map(usize::to_string).collect();
    match sizes.len().saturating_sub(MOST_LISTED) {
        0 => shown.join(", "),
        more => format!("{} and {more} smaller", shown.join(", ")),
    }
}

/// A value as a person would write it.
fn plain(value: &Value) -> String {
    match (value.as_str(), value.as_f64()) {
        (Some(text), _) => text.to_owned(),
        (None, Some(number)) if number.fract() != 0.0 && number.abs() < 1e-3 => {
            format!("{number:.3e}")
        }
        (None, Some(number)) if number.fract() != 0.0 => format!("{number:.4}"),
        _ => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_leave_noise_out() {
        assert_eq!(cluster_sizes(&[0, -1, 1, 1]), [1, 2]);
        assert_eq!(clusters(&[7, -1, 3, 3]), BTreeMap::from([(3, 2), (7, 1)]));
        assert_eq!(n_noise(&[0, -1, 1, 1]), 1);
    }

    #[test]
    fn many_sizes_are_counted_not_listed() {
        let sizes: Vec<usize> = (1..=12).collect();
        assert_eq!(list(&sizes), "12, 11, 10, 9, 8, 7, 6, 5, 4, 3 and 2 smaller");
    }

    #[test]
    fn small_numbers_keep_their_digits() {
        assert_eq!(plain(&json!(0.25)), "0.2500");
        assert_eq!(plain(&json!(0.000_012_34)), "1.234e-5");
        assert_eq!(plain(&json!(3.0)), "3.0");
        assert_eq!(plain(&json!("ball")), "ball");
    }
}
