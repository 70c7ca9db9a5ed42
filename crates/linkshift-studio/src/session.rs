//! The state of a dialogue: what was said, names, undo and redo. No files, no HTTP, no threads.
//!
//! Everything that changes it is a [`Change`]. A change is tried first ([`Session::after`]), then put on
//! the disk by whoever keeps the files, then taken ([`Session::commit`]); replaying all changes gives the
//! same session.

use crate::data::Data;
use crate::entry::{Entry, Said};
use crate::error::{Result, StudioError};
use linkshift::ask::{Answer, Reply, Told};
use linkshift::error::LinkError;
use linkshift::{Error, Link, LinkKind, Links};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Steps that can be taken back.
const MOST_STEPS: usize = 10_000;

/// Something that changes a session.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Change {
    /// Something was said.
    Add(Entry),
    /// An entry is another now, or gone; some of its answers may be replaced by a new one.
    Edit {
        /// The entries that go.
        gone: Vec<u64>,
        /// What stands in the place of the first of them.
        entry: Option<Entry>,
    },
    /// A cluster got a name; an empty one takes it away.
    Rename {
        /// The cluster.
        cluster: i64,
        /// Its name.
        name: String,
    },
    /// The last step is taken back.
    Undo,
    /// What was taken back is done again.
    Redo,
}

impl Change {
    /// As the sidecar file has it.
    pub(crate) fn to_json(&self) -> Value {
        match self {
            Change::Add(entry) => json!({ "op": "add", "entry": entry.to_json() }),
            Change::Edit { gone, entry } => {
                json!({ "op": "edit", "gone": gone, "entry": entry.as_ref().map(Entry::to_json) })
            }
            Change::Rename { cluster, name } => {
                json!({ "op": "rename", "cluster": cluster, "name": name })
            }
            Change::Undo => json!({ "op": "undo" }),
            Change::Redo => json!({ "op": "redo" }),
        }
    }

    /// What [`to_json`](Self::to_json) wrote; `None` if it is something else.
    pub(crate) fn from_json(change: &Value) -> Result<Option<Self>> {
        let gone = |gone: &Value| {
            let ids = gone.as_array().into_iter().flatten();
            ids.filter_map(Value::as_u64).collect::<Vec<u64>>()
        };
        Ok(Some(match change["op"].as_str() {
            Some("add") => Change::Add(Entry::from_json(&change["entry"])?),
            Some("edit") => Change::Edit {
                gone: gone(&change["gone"]),
                entry: match &change["entry"] {
                    Value::Null => None,
                    entry => Some(Entry::from_json(entry)?),
                },
            },
            Some("rename") => Change::Rename {
                cluster: change["cluster"].as_i64().unwrap_or(-1),
                name: change["name"].as_str().unwrap_or_default().to_owned(),
            },
            Some("undo") => Change::Undo,
            Some("redo") => Change::Redo,
            _ => return Ok(None),
        }))
    }
}

/// All that a step can change.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Snapshot {
    /// What was said, oldest first.
    pub(crate) entries: Vec<Arc<Entry>>,
    /// Names of clusters.
    pub(crate) names: BTreeMap<i64, String>,
}

impl Snapshot {
    /// All answers, in order.
    pub(crate) fn replies(&self) -> Vec<Reply> {
        self.entries.iter().map(|entry| entry.reply.clone()).collect()
    }

    fn told(&self) -> impl Iterator<Item = &Told> {
        self.entries.iter().flat_map(|entry| entry.reply.told())
    }

    /// The links, in order. Where some are certain, the others are a little less sure, as readers of
    /// the answers file take them.
    pub(crate) fn links(&self) -> Links {
        let any_certain = self.told().any(|told| told.certain);
        let sure = |told: &Told| if told.certain || !any_certain { 1.0 } else { Told::PLAIN };
        let link = |told: &Told| Some(Link { confidence: sure(told), ..told.link()? });
        self.told().filter_map(link).collect()
    }
}

/// A step that can be taken back or done again: where it leads, and what it is called.
#[derive(Debug, Clone)]
struct Step {
    to: Snapshot,
    text: String,
}

/// A session as it would be after a change.
#[derive(Debug)]
pub(crate) struct After {
    /// What would be said and named.
    pub(crate) now: Snapshot,
    moves: Moves,
}

#[derive(Debug)]
enum Moves {
    Forward { text: String },
    Back,
    Again,
}

/// A dialogue.
#[derive(Debug)]
pub(crate) struct Session {
    data: Arc<Data>,
    now: Snapshot,
    past: Vec<Step>,
    future: Vec<Step>,
    next_id: u64,
}

impl Session {
    /// Nothing said yet.
    pub(crate) fn new(data: Arc<Data>) -> Self {
        Self { data, now: Snapshot::default(), past: Vec::new(), future: Vec::new(), next_id: 1 }
    }

    /// What was said and named.
    pub(crate) fn now(&self) -> &Snapshot {
        &self.now
    }

    /// A number for a new entry.
    pub(crate) fn next_id(&self) -> u64 {
        self.next_id
    }

    /// What undo would take back, in words.
    pub(crate) fn undo_text(&self) -> Option<&str> {
        self.past.last().map(|step| &step.text[..])
    }

    /// What redo would do again, in words.
    pub(crate) fn redo_text(&self) -> Option<&str> {
        self.future.last().map(|step| &step.text[..])
    }

    /// The entry with this number.
    pub(crate) fn entry(&self, id: u64) -> Result<&Arc<Entry>> {
        let found = self.now.entries.iter().find(|entry| entry.id == id);
        found.ok_or_else(|| StudioError::missing(format!("there is no entry {id} any more")))
    }

    /// The links that hold: those that came with the data, and those told.
    pub(crate) fn links(&self) -> Links {
        let mut links = self.data.given.clone();
        links.extend(self.now.links().iter().copied());
        links
    }

    /// Whether all links there are were told with certainty. (Where nobody spoke of certainty every link
    /// says 1 too, but may be wrong.)
    pub(crate) fn all_certain(&self) -> bool {
        let mut links = self.now.told().filter(|told| told.answer != Answer::Unsure).peekable();
        self.data.given.is_empty() && links.peek().is_some() && links.all(|told| told.certain)
    }

    /// The change that an answer is: a new entry, in the place of an earlier answer about the same
    /// pair.
    pub(crate) fn say(&self, entry: Entry) -> Change {
        let Said::Pair { a, b, .. } = entry.said else { return Change::Add(entry) };
        let is_same_pair = |other: &Entry| match other.said {
            Said::Pair { a: x, b: y, .. } => (x, y) == (a, b) || (y, x) == (a, b),
            _ => false,
        };
        let earlier = self.now.entries.iter().filter(|other| is_same_pair(other));
        let gone: Vec<u64> = earlier.map(|entry| entry.id).collect();
        match gone.is_empty() {
            true => Change::Add(entry),
            false => Change::Edit { gone, entry: Some(entry) },
        }
    }

    /// What a change would lead to; fails if it cannot be. Nothing is changed yet.
    pub(crate) fn after(&self, change: &Change) -> Result<After> {
        let mut now = self.now.clone();
        let moves = match change {
            Change::Add(entry) => {
                now.entries.push(Arc::new(entry.clone()));
                Moves::Forward { text: entry.text(&self.data) }
            }
            Change::Edit { gone, entry } => {
                let first = gone.first().ok_or_else(|| StudioError::bad("nothing to edit"))?;
                let old = self.entry(*first)?.clone();
                if let Some(entry) = entry {
                    let place = now.entries.iter().position(|one| one.id == *first);
                    let entry = Arc::new(entry.clone());
                    match place {
                        // An edit stays in its place; a new answer to an old question is the newest.
                        Some(at) if entry.id == *first => now.entries[at] = entry,
                        _ => now.entries.push(entry),
                    }
                }
                let keep = entry.as_ref().map(|entry| entry.id);
                now.entries.retain(|one| !gone.contains(&one.id) || Some(one.id) == keep);
                let text = match entry {
                    Some(entry) if entry.said.is_correction() && entry.id != *first => format!(
                        "{}, overruling {} earlier answers",
                        entry.text(&self.data),
                        gone.len()
                    ),
                    Some(entry) => format!("changed: {}", entry.text(&self.data)),
                    None => format!("deleted: {}", old.text(&self.data)),
                };
                Moves::Forward { text }
            }
            Change::Rename { cluster, name } => {
                let text = match name.is_empty() {
                    true => now.names.remove(cluster).map(|_| "name removed".to_owned()),
                    false => {
                        now.names.insert(*cluster, name.clone());
                        Some(format!("cluster {cluster} named {name}"))
                    }
                };
                Moves::Forward { text: text.unwrap_or_else(|| "name removed".into()) }
            }
            Change::Undo => {
                let step = self.past.last();
                let step = step.ok_or_else(|| StudioError::bad("there is nothing to take back"))?;
                now = step.to.clone();
                Moves::Back
            }
            Change::Redo => {
                let step = self.future.last();
                let step = step.ok_or_else(|| StudioError::bad("there is nothing to do again"))?;
                now = step.to.clone();
                Moves::Again
            }
        };
        if now.entries != self.now.entries {
            self.check(&now)?;
        }
        Ok(After { now, moves })
    }

    /// Fails if what was said with certainty contradicts itself, and says where.
    fn check(&self, now: &Snapshot) -> Result<()> {
        let certain = now.told().filter(|told| told.certain).filter_map(Told::link);
        let closed = certain.collect::<Links>().close(self.data.n_rows());
        let Err(error) = closed else { return Ok(()) };
        let Error::Links(LinkError::Contradiction { cannot, chain }) = &error else {
            return Err(error.into());
        };
        let chain: Vec<String> = chain.iter().map(|link| self.data.link_text(link)).collect();
        Err(StudioError::Conflict(format!(
            "this contradicts what was said for certain: {}, but {}; change or delete one of these first",
            self.data.link_text(cannot),
            chain.join(", ")
        )))
    }

    /// All that an asker is told: links that came with the data, then the answers.
    pub(crate) fn replies_with_given(&self) -> Vec<Reply> {
        let answer = |link: &Link| match link.kind {
            LinkKind::Must => Answer::Same,
            LinkKind::Cannot => Answer::Different,
        };
        let given = self.data.given_consistent.iter();
        let given = given.map(|link| Reply::pair(link.a, link.b, answer(link)));
        given.chain(self.now.replies()).collect()
    }

    /// Takes a change that was tried, and says whether links changed.
    pub(crate) fn commit(&mut self, after: After) -> bool {
        let before = std::mem::replace(&mut self.now, after.now);
        let changed = before.entries != self.now.entries;
        let newest = self.now.entries.iter().map(|entry| entry.id).max().unwrap_or_default();
        self.next_id = self.next_id.max(newest + 1);
        match after.moves {
            Moves::Forward { text } => {
                self.future.clear();
                self.past.push(Step { to: before, text });
                if self.past.len() > MOST_STEPS {
                    self.past.remove(0);
                }
            }
            Moves::Back => {
                let text = self.past.pop().map(|step| step.text).unwrap_or_default();
                self.future.push(Step { to: before, text });
            }
            Moves::Again => {
                let text = self.future.pop().map(|step| step.text).unwrap_or_default();
                self.past.push(Step { to: before, text });
            }
        }
        changed
    }

    /// Takes up what a file holds instead of what was said: steps before it are forgotten.
    pub(crate) fn adopt(&mut self, now: Snapshot) -> Result<()> {
        self.check(&now)?;
        let newest = now.entries.iter().map(|entry| entry.id).max().unwrap_or_default();
        self.next_id = self.next_id.max(newest + 1);
        self.now = now;
        self.past.clear();
        self.future.clear();
        Ok(())
    }
}
