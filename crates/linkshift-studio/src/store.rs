//! What is on the disk: the answers file, which `ask` and `fit --links` read, and beside it a sidecar of
//! one JSON line per step, with names, comments, flags and what was undone.
//!
//! Each step is written to the sidecar and then to the answers file, and both are on the disk before
//! anything is acknowledged. After a crash the sidecar's last step may be missing in the answers
//! file; it is then completed. If somebody else changed the answers file (`linkshift ask`, an editor), the
//! file is right: what it lacks is dropped, what it has besides is taken up.

use crate::data::Data;
use crate::entry::{Entry, Said};
use crate::error::{Result, StudioError};
use crate::session::{Change, Session, Snapshot};
use linkshift::ask::{Kind, Reply};
use linkshift_io::AnswersFile;
use serde_json::{Value, json};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The version of the sidecar.
const VERSION: u64 = 1;

/// The files of a dialogue.
#[derive(Debug)]
pub(crate) struct Store {
    answers: AnswersFile,
    sidecar_path: PathBuf,
    /// Locked as long as it is open; the system lets go of it however the process ends.
    sidecar: File,
}

/// Which rows stood for each cluster, so that numbers stay when the studio is started again.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Anchors {
    /// Number of a cluster, and some of its rows.
    pub(crate) rows: Vec<(i64, Vec<usize>)>,
    /// The least number that no cluster has had.
    pub(crate) first_unused: i64,
}

impl Anchors {
    fn to_json(&self) -> Value {
        json!({ "op": "clusters", "rows": self.rows, "first_unused": self.first_unused })
    }

    fn from_json(line: &Value) -> Self {
        let rows = |one: &Value| {
            let rows = one[1].as_array().into_iter().flatten();
            let rows = rows.filter_map(Value::as_u64).map(|row| row as usize).collect();
            Some((one[0].as_i64()?, rows))
        };
        Self {
            rows: line["rows"].as_array().into_iter().flatten().filter_map(rows).collect(),
            first_unused: line["first_unused"].as_i64().unwrap_or_default(),
        }
    }
}

/// A dialogue that was taken up.
#[derive(Debug)]
pub(crate) struct Opened {
    /// The files.
    pub(crate) store: Store,
    /// Where the dialogue stands.
    pub(crate) session: Session,
    /// The clusters when it was left.
    pub(crate) anchors: Anchors,
    /// What a person should know of it.
    pub(crate) notes: Vec<String>,
}

/// The sidecar of an answers file.
pub(crate) fn sidecar_of(answers: &Path) -> PathBuf {
    answers.with_extension("studio.jsonl")
}

impl Store {
    /// Opens the files of a dialogue, or begins them.
    pub(crate) fn open(path: &Path, data: &Arc<Data>) -> Result<Opened> {
        let mut notes = Vec::new();
        let sidecar_path = sidecar_of(path);
        let (mut sidecar, is_new) = open_locked(path, &sidecar_path)?;
        let lines = read_lines(&mut sidecar, &sidecar_path, &mut notes)?;
        let (answers, file) = AnswersFile::open(path, data.n_rows(), data.ids.as_deref())?;
        if let Some(line) = answers.dropped() {
            notes.push(format!("the unfinished last line {line:?} of the answers was dropped"));
        }
        let mut store = Store { answers, sidecar_path, sidecar };
        if lines.is_empty() {
            store.log(&json!({ "linkshift-studio": VERSION, "n_rows": data.n_rows() }))?;
        }
        if is_new && !file.is_empty() {
            notes.push(format!("going on after {} answers", file.len()));
        }
        let (mut session, before, anchors) = replay(&lines, data, &store.sidecar_path)?;
        let reconciled = reconcile(&session, &before, &file);
        match reconciled {
            Reconciled::Same => {}
            Reconciled::Complete => store.answers.rewrite(&session.now().replies())?,
            Reconciled::Other(now) => {
                notes.push("the answers file was changed elsewhere: it is taken as it is".into());
                adopt(&mut session, now, path)?;
                store.log(&snapshot_line(session.now()))?;
                store.answers.rewrite(&session.now().replies())?;
            }
        }
        Ok(Opened { store, session, anchors, notes })
    }

    /// Puts a step on the disk; `before` and `after` are all answers without and with it.
    pub(crate) fn write(
        &mut self,
        change: &Change,
        before: &Snapshot,
        after: &Snapshot,
    ) -> Result<()> {
        self.log(&change.to_json())?;
        if before.entries == after.entries {
            return Ok(());
        }
        let (before, after) = (before.replies(), after.replies());
        match after.strip_prefix(&before[..]) {
            Some([]) => {}
            Some([reply]) => self.answers.append(reply)?,
            _ => self.answers.rewrite(&after)?,
        }
        Ok(())
    }

    /// Lets another studio have the files; nothing is written from here on.
    pub(crate) fn release(&self) {
        // Where that fails, the lock goes with the file.
        let _ = self.sidecar.unlock();
    }

    /// Remembers which rows stand for which cluster.
    pub(crate) fn write_anchors(&mut self, anchors: &Anchors) -> Result<()> {
        self.log(&anchors.to_json())
    }

    fn log(&mut self, line: &Value) -> Result<()> {
        let mut bytes = line.to_string().into_bytes();
        bytes.push(b'\n');
        // One write for the whole line: a process that is killed has written all of it or nothing.
        let written = self.sidecar.write_all(&bytes).and_then(|()| self.sidecar.sync_data());
        written.map_err(|error| unwritable(&self.sidecar_path, &error))
    }
}

fn unwritable(path: &Path, error: &std::io::Error) -> StudioError {
    StudioError::inside(format!(
        "{} cannot be written ({error}): nothing was changed; make room or choose another place with \
         --answers",
        path.display()
    ))
}

/// Opens the sidecar to append, for this studio alone.
fn open_locked(answers: &Path, path: &Path) -> Result<(File, bool)> {
    let is_new = !path.exists();
    let file = OpenOptions::new().read(true).append(true).create(true).open(path);
    let file = file.map_err(|error| unwritable(path, &error))?;
    match file.try_lock() {
        Ok(()) => Ok((file, is_new)),
        Err(TryLockError::WouldBlock) => Err(StudioError::Busy(format!(
            "another studio works on {}: close that one, or name another file of answers (--answers)",
            answers.display()
        ))),
        Err(TryLockError::Error(error)) => Err(unwritable(path, &error)),
    }
}

/// The lines of the sidecar; a last one that was cut off is dropped, also in the file.
fn read_lines(file: &mut File, path: &Path, notes: &mut Vec<String>) -> Result<Vec<Value>> {
    let damaged = |line: usize| {
        StudioError::bad(format!(
            "{}, line {line}: not a line of a studio; move the file away to begin anew (the answers are \
             kept)",
            path.display()
        ))
    };
    let mut bytes = Vec::new();
    let read = file.seek(SeekFrom::Start(0)).and_then(|_| file.read_to_end(&mut bytes));
    read.map_err(|error| {
        StudioError::inside(format!("{} cannot be read: {error}", path.display()))
    })?;
    let n_whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    if n_whole < bytes.len() {
        notes.push("an unfinished last step was dropped".into());
        let cut = file.set_len(n_whole as u64).and_then(|()| file.sync_data());
        cut.map_err(|error| unwritable(path, &error))?;
    }
    let text = std::str::from_utf8(&bytes[..n_whole]).map_err(|_| damaged(1))?;
    let lines = text.lines().enumerate();
    lines.map(|(at, line)| serde_json::from_str(line).map_err(|_| damaged(at + 1))).collect()
}

/// The session that the lines tell of, its state before the last step, and the last anchors.
fn replay(lines: &[Value], data: &Arc<Data>, path: &Path) -> Result<(Session, Snapshot, Anchors)> {
    let mut session = Session::new(data.clone());
    let (mut before, mut anchors) = (Snapshot::default(), Anchors::default());
    let Some(head) = lines.first() else { return Ok((session, before, anchors)) };
    let version = head["linkshift-studio"].as_u64();
    if version != Some(VERSION) {
        return Err(StudioError::bad(format!(
            "{}: written by another version of the studio; move the file away to begin anew (the answers \
             are kept)",
            path.display()
        )));
    }
    if head["n_rows"].as_u64() != Some(data.n_rows() as u64) {
        return Err(StudioError::bad(format!(
            "{}: it is about {} rows, the data have {}; name another file of answers (--answers)",
            path.display(),
            head["n_rows"],
            data.n_rows()
        )));
    }
    for (at, line) in lines.iter().enumerate().skip(1) {
        let place = |error: StudioError| {
            StudioError::bad(format!("{}, line {}: {error}", path.display(), at + 1))
        };
        match line["op"].as_str() {
            Some("clusters") => anchors = Anchors::from_json(line),
            Some("adopt") => {
                before = session.now().clone();
                session.adopt(snapshot_of(line).map_err(place)?).map_err(place)?;
            }
            _ => {
                // A line of a kind that a later version adds.
                let Some(change) = Change::from_json(line).map_err(place)? else { continue };
                before = session.now().clone();
                let after = session.after(&change).map_err(place)?;
                session.commit(after);
            }
        }
    }
    Ok((session, before, anchors))
}

/// What the answers file says, compared with the sidecar.
enum Reconciled {
    /// The same.
    Same,
    /// What it said before the last step, which is to be completed.
    Complete,
    /// Something else, which is right.
    Other(Snapshot),
}

fn reconcile(session: &Session, before: &Snapshot, file: &[Reply]) -> Reconciled {
    let now = session.now();
    if now.replies() == file {
        return Reconciled::Same;
    }
    if before.replies() == file {
        return Reconciled::Complete;
    }
    // Entries that the file still has stay what they are, and the file's order holds.
    let mut left: Vec<Option<&Arc<Entry>>> = now.entries.iter().map(Some).collect();
    let mut id = session.next_id();
    let mut entries = Vec::new();
    for reply in file {
        let known = left.iter_mut().find(|one| one.is_some_and(|entry| entry.reply == *reply));
        if let Some(entry) = known.and_then(Option::take) {
            entries.push(entry.clone());
        } else if let Some(said) = said_of(reply) {
            let (reply, comment) = (reply.clone(), String::new());
            entries.push(Arc::new(Entry { id, said, reply, comment, look_again: false }));
            id += 1;
        }
    }
    Reconciled::Other(Snapshot { entries, names: now.names.clone() })
}

/// What a reply in the file says, as far as that is known without the page that asked.
fn said_of(reply: &Reply) -> Option<Said> {
    let told = reply.told();
    let first = told.first()?;
    Some(match reply.kind() {
        Kind::Pair => Said::Pair { a: first.a, b: first.b, answer: first.answer },
        Kind::Place => Said::Place {
            row: first.a,
            groups: told.iter().map(|told| vec![told.b]).collect(),
            chosen: reply.choice()?,
        },
        Kind::Group => Said::Group { rows: reply.rows(), odd: reply.odd() },
        Kind::Links => Said::Together { rows: reply.rows() },
    })
}

fn adopt(session: &mut Session, now: Snapshot, path: &Path) -> Result<()> {
    session.adopt(now).map_err(|error| StudioError::bad(format!("{}: {error}", path.display())))
}

fn snapshot_line(now: &Snapshot) -> Value {
    let entries: Vec<Value> = now.entries.iter().map(|entry| entry.to_json()).collect();
    let names: Vec<Value> =
        now.names.iter().map(|(cluster, name)| json!([cluster, name])).collect();
    json!({ "op": "adopt", "entries": entries, "names": names })
}

fn snapshot_of(line: &Value) -> Result<Snapshot> {
    let entries = line["entries"].as_array().into_iter().flatten();
    let names = line["names"].as_array().into_iter().flatten();
    let name = |one: &Value| Some((one[0].as_i64()?, one[1].as_str()?.to_owned()));
    Ok(Snapshot {
        entries: entries
            .map(|entry| Entry::from_json(entry).map(Arc::new))
            .collect::<Result<_>>()?,
        names: names.filter_map(name).collect(),
    })
}
