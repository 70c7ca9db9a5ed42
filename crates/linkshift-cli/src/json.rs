//! All JSON that commands print. A key means the same wherever it stands: `docs/json.md` lists
//! them, and a test compares that document with what the commands print.

use crate::clusters::Clusters;
use crate::failure::Result;
use crate::notes::Note;
use crate::scored::Scored;
use crate::terminal;
use linkshift::auto::Suspect;
use linkshift::model::{Detail, Fact};
use linkshift::params::{self, Named};
use linkshift::{Link, LinkReport, Real};
use serde_json::{Map, Value, json};

/// Raised when a key changes its meaning or goes.
const SCHEMA: u32 = 3;

/// The object that a command prints.
pub(crate) struct Object {
    fields: Map<String, Value>,
}

impl Object {
    pub(crate) fn new(command: &str) -> Self {
        Self { fields: Map::new() }.with("schema", SCHEMA).with("command", command)
    }

    pub(crate) fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.fields.insert(key.to_owned(), value.into());
        self
    }

    /// The number of clusters, their numbers and sizes, and the points in none.
    pub(crate) fn with_clusters(self, clusters: &Clusters) -> Self {
        let numbers: Vec<i64> = clusters.sizes.keys().copied().collect();
        let sizes: Vec<usize> = clusters.sizes.values().copied().collect();
        self.with("n_clusters", sizes.len())
            .with("cluster_numbers", numbers)
            .with("cluster_sizes", sizes)
            .with("n_noise", clusters.n_noise)
    }

    pub(crate) fn with_scores(self, scored: Option<&Scored>) -> Self {
        let scores = scored.map(|Scored { scores, n_scored }| {
            json!({
                "n_scored": n_scored,
                "ari": scores.ari,
                "nmi": scores.nmi,
                "nmi_geometric": scores.nmi_geometric,
                "ri": scores.ri,
                "accuracy": scores.accuracy,
            })
        });
        self.with("scores", scores)
    }

    /// What was written, by what it is.
    pub(crate) fn with_files(self, files: &[(&str, String)]) -> Self {
        let files = files.iter().map(|(what, path)| ((*what).to_owned(), json!(path)));
        self.with("files", files.collect::<Map<_, _>>())
    }

    pub(crate) fn with_notes(self, notes: &[Note]) -> Self {
        let note = |note: &Note| json!({ "kind": note.kind, "text": note.text });
        self.with("notes", notes.iter().map(note).collect::<Vec<_>>())
    }

    pub(crate) fn say(self) -> Result<()> {
        terminal::say(&format!("{:#}", Value::Object(self.fields)))
    }
}

/// A row by its id, or by its number where there are no ids.
pub(crate) fn row(row: usize, ids: Option<&[String]>) -> Value {
    match ids {
        Some(ids) => json!(ids[row]),
        None => json!(row),
    }
}

pub(crate) fn link(link: &Link, ids: Option<&[String]>) -> Value {
    json!({
        "a": row(link.a, ids),
        "b": row(link.b, ids),
        "kind": link.kind.name(),
        "confidence": link.confidence,
    })
}

pub(crate) fn link_list(links: &[Link], ids: Option<&[String]>) -> Vec<Value> {
    links.iter().map(|one| link(one, ids)).collect()
}

/// Which links some labels keep.
pub(crate) fn links(report: &LinkReport, ids: Option<&[String]>) -> Value {
    json!({
        "n_must": report.must,
        "n_cannot": report.cannot,
        "n_must_kept": report.must_kept,
        "n_cannot_kept": report.cannot_kept,
        "share_kept": report.share_kept(),
        "broken": link_list(&report.broken, ids),
    })
}

/// A setting as it would be written after `--set key=`, numbers and flags as such.
pub(crate) fn setting(value: &params::Value) -> Value {
    match value {
        params::Value::Auto => json!("auto"),
        params::Value::Flag(flag) => json!(flag),
        params::Value::Count(count) => json!(count),
        params::Value::Number(number) => json!(number),
        params::Value::Word(word) => json!(word),
        params::Value::List(numbers) => json!(numbers),
    }
}

pub(crate) fn settings<K: AsRef<str>>(settings: &[(K, params::Value)]) -> Value {
    settings.iter().map(|(key, value)| (key.as_ref().to_owned(), setting(value))).collect()
}

/// A link that is probably wrong.
fn suspect(suspect: &Suspect, ids: Option<&[String]>) -> Value {
    json!({
        "position": suspect.position,
        "link": link(&suspect.link, ids),
        "likely": suspect.likely().name(),
        "right": suspect.right,
        "reason": suspect.reason.name(),
        "chain": link_list(&suspect.chain, ids),
    })
}

/// What only a method has to say, but for what there is of each point or mode.
pub(crate) fn details<T: Real>(details: &[Detail<T>], ids: Option<&[String]>) -> Value {
    let fact = |fact: &Fact<T>| match fact {
        Fact::None => Some(Value::Null),
        Fact::Count(count) => Some(json!(count)),
        Fact::Number(number) => Some(json!(number)),
        Fact::Word(word) => Some(json!(word)),
        Fact::Numbers(numbers) => Some(json!(numbers)),
        Fact::Named(numbers) => {
            Some(numbers.iter().map(|(name, number)| ((*name).to_owned(), json!(number))).collect())
        }
        Fact::Clusters(numbers) => Some(json!(numbers)),
        Fact::Suspects(all) => Some(all.iter().map(|one| suspect(one, ids)).collect()),
        _ => None,
    };
    details
        .iter()
        .filter_map(|detail| Some((detail.name.to_owned(), fact(&detail.fact)?)))
        .collect()
}
