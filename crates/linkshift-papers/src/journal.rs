//! The file of finished repeats: what makes a run resume where it stopped.
//!
//! One line per repeat, written as soon as it is done: experiment, set, method, the fingerprint of
//! the settings, seed, values, seconds, processor seconds, commit; with tabs between. A repeat that is in the file is
//! not computed again unless its settings changed, so a new default of the core is measured anew.

use crate::failure::{Failure, Result};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::fmt::{Debug, Write as _};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// What tells one repeat from all others.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub(crate) experiment: String,
    pub(crate) set: String,
    pub(crate) method: String,
    /// A fingerprint of all parameters.
    pub(crate) settings: String,
    pub(crate) seed: u64,
}

/// What one repeat came to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    /// The measures, NaN throughout if the method gave up.
    pub(crate) values: Vec<f64>,
    pub(crate) seconds: f64,
    /// Of all cores together: what counts on a machine that others use, too.
    pub(crate) processor_seconds: f64,
    pub(crate) commit: String,
}

/// The finished repeats of a folder of results.
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
    entries: HashMap<Key, Entry>,
}

impl Journal {
    /// Opens the file, or begins it. A last line that was cut short (the machine went off while it was
    /// written), maybe in the middle of a letter, is cut off.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let bytes = match path.exists() {
            true => fs::read(path).map_err(Failure::file(path))?,
            false => Vec::new(),
        };
        let n_whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let text = String::from_utf8_lossy(&bytes[..n_whole]);
        let entries = text.lines().filter_map(parse).collect();
        let file =
            OpenOptions::new().create(true).append(true).open(path).map_err(Failure::file(path))?;
        if n_whole < bytes.len() {
            file.set_len(n_whole as u64).map_err(Failure::file(path))?;
        }
        Ok(Self { path: path.into(), file, entries })
    }

    /// A repeat, if it is done.
    pub(crate) fn get(&self, key: &Key) -> Option<&Entry> {
        self.entries.get(key)
    }

    /// Writes a repeat down at once.
    pub(crate) fn add(&mut self, key: Key, entry: Entry) -> Result<()> {
        let line = line_of(&key, &entry);
        self.file.write_all(line.as_bytes()).map_err(Failure::file(&self.path))?;
        self.entries.insert(key, entry);
        Ok(())
    }
}

/// The first digits of the SHA-256 of how the settings are printed.
pub(crate) fn fingerprint(settings: &impl Debug) -> String {
    hex(&Sha256::digest(format!("{settings:?}")))[..12].to_string()
}

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}"); // writing to a String cannot fail
        text
    })
}

fn line_of(key: &Key, entry: &Entry) -> String {
    let values: Vec<String> = entry.values.iter().map(f64::to_string).collect();
    format!(
        "{}\t{}\t{}\t{}\t{}\t{}\t{:.3}\t{:.2}\t{}\n",
        key.experiment,
        key.set,
        key.method,
        key.settings,
        key.seed,
        values.join(" "),
        entry.seconds,
        entry.processor_seconds,
        entry.commit
    )
}

fn parse(line: &str) -> Option<(Key, Entry)> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [experiment, set, method, settings, seed, values, seconds, processor, commit] = fields[..]
    else {
        return None;
    };
    let values = values.split(' ').map(str::parse).collect::<std::result::Result<_, _>>().ok()?;
    let [experiment, set, method, settings] = [experiment, set, method, settings].map(String::from);
    let key = Key { experiment, set, method, settings, seed: seed.parse().ok()? };
    let [seconds, processor_seconds] = [seconds.parse().ok()?, processor.parse().ok()?];
    Some((key, Entry { values, seconds, processor_seconds, commit: commit.into() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(seed: u64) -> Key {
        let [experiment, set, method] = ["cms-table-1", "moons", "CMS, K̃"].map(String::from);
        Key { experiment, set, method, settings: fingerprint(&(1, "a")), seed }
    }

    fn entry(values: Vec<f64>) -> Entry {
        Entry { values, seconds: 1.5, processor_seconds: 2.25, commit: "abc".into() }
    }

    #[test]
    fn what_was_written_is_there_after_opening_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("repeats.tsv");
        let entry = entry(vec![0.1, -2e-17, f64::INFINITY]);
        Journal::open(&path).unwrap().add(key(3), entry.clone()).unwrap();
        let journal = Journal::open(&path).unwrap();
        assert_eq!(journal.get(&key(3)), Some(&entry));
        assert_eq!(journal.get(&key(4)), None);
    }

    #[test]
    fn a_line_cut_short_is_computed_again_and_harms_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("repeats.tsv");
        let entry = entry(vec![1.0]);
        Journal::open(&path).unwrap().add(key(1), entry.clone()).unwrap();
        let whole = fs::read_to_string(&path).unwrap();
        // Wherever it is cut: in a letter of several bytes, and in the last field, too.
        for cut in 0..whole.len() {
            fs::write(&path, [whole.as_bytes(), &whole.as_bytes()[..cut]].concat()).unwrap();
            Journal::open(&path).unwrap().add(key(2), entry.clone()).unwrap();
            let journal = Journal::open(&path).unwrap();
            assert_eq!(journal.get(&key(1)), Some(&entry));
            assert_eq!(journal.get(&key(2)), Some(&entry));
            assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 2);
        }
    }

    #[test]
    fn other_settings_have_another_fingerprint() {
        assert_ne!(fingerprint(&0.5), fingerprint(&0.25));
        assert_eq!(fingerprint(&"x").len(), 12);
    }
}
