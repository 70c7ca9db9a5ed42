//! What is on the disk, whatever happened.

use super::session::{data, pair, take};
use crate::session::{Change, Session};
use crate::store::{Opened, Store, sidecar_of};
use linkshift::ask::Answer;
use std::fs;
use std::path::Path;

fn open(path: &Path) -> Opened {
    Store::open(path, &data(20)).unwrap()
}

fn step(opened: &mut Opened, change: &Change) {
    let after = opened.session.after(change).unwrap();
    opened.store.write(change, opened.session.now(), &after.now).unwrap();
    opened.session.commit(after);
}

/// Some steps of all kinds.
fn begin(path: &Path) -> Opened {
    let mut opened = open(path);
    for (a, b) in [(0, 1), (2, 3), (4, 5)] {
        let change = pair(&opened.session, a, b, Answer::Same, a == 2);
        step(&mut opened, &change);
    }
    step(&mut opened, &Change::Rename { cluster: 0, name: "cats".into() });
    step(&mut opened, &Change::Undo);
    step(&mut opened, &Change::Redo);
    opened
}

#[test]
fn everything_is_there_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.answers.csv");
    let before = begin(&path).session;
    let after = open(&path).session;
    assert_eq!(after.now(), before.now());
    assert_eq!((after.undo_text(), after.redo_text()), (before.undo_text(), before.redo_text()));
    let links = linkshift_io::read_links(&path, 20, None).unwrap();
    // As `fit --links` reads them: the certain one is surer.
    let read: Vec<f64> = links.iter().map(|link| link.confidence).collect();
    assert_eq!(read, [0.99, 1.0, 0.99]);
    assert_eq!(after.links().as_slice(), links);
}

#[test]
fn a_crash_at_any_byte_loses_nothing_that_was_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.answers.csv");
    let mut opened = begin(&path);
    let acknowledged = opened.session.now().clone();
    let old = (fs::read(&path).unwrap(), fs::read(sidecar_of(&path)).unwrap());
    let change = pair(&opened.session, 6, 7, Answer::Different, false);
    step(&mut opened, &change);
    let whole = opened.session.now().clone();
    drop(opened);
    let new = (fs::read(&path).unwrap(), fs::read(sidecar_of(&path)).unwrap());
    // The sidecar is written first, byte by byte for all we know; then the answers.
    for n in old.1.len()..=new.1.len() {
        fs::write(&path, &old.0).unwrap();
        fs::write(sidecar_of(&path), &new.1[..n]).unwrap();
        let now = open(&path).session.now().clone();
        assert!(now == acknowledged || now == whole && n == new.1.len(), "{n}: {now:?}");
    }
    for n in old.0.len()..=new.0.len() {
        fs::write(&path, &new.0[..n]).unwrap();
        fs::write(sidecar_of(&path), &new.1).unwrap();
        assert_eq!(*open(&path).session.now(), whole, "{n}");
    }
}

#[test]
fn what_others_wrote_into_the_answers_is_taken_up() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.answers.csv");
    drop(begin(&path));
    let text = fs::read_to_string(&path).unwrap();
    let other: String = text
        .lines()
        .filter(|line| !line.starts_with("0,1"))
        .map(|line| format!("{line}\n"))
        .collect();
    fs::write(&path, other + "8,9,cannot,\n").unwrap();
    let opened = open(&path);
    assert!(
        opened.notes.iter().any(|note| note.contains("changed elsewhere")),
        "{:?}",
        opened.notes
    );
    let rows: Vec<Vec<usize>> =
        opened.session.now().entries.iter().map(|entry| entry.said.rows()).collect();
    assert_eq!(rows, [vec![2, 3], vec![4, 5], vec![8, 9]]);
    assert_eq!(opened.session.now().names[&0], "cats");
    let now = opened.session.now().clone();
    drop(opened);
    assert_eq!(*open(&path).session.now(), now);
}

#[test]
fn a_second_studio_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.answers.csv");
    let first = open(&path);
    let text = Store::open(&path, &data(20)).unwrap_err().to_string();
    assert!(text.contains("another studio") && text.contains("--answers"), "{text}");
    drop(first);
    open(&path);
}

#[test]
fn files_of_other_data_and_other_makers_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.answers.csv");
    drop(begin(&path));
    let text = Store::open(&path, &data(21)).unwrap_err().to_string();
    assert!(text.contains("20 rows") && text.contains("have 21"), "{text}");
    for content in ["not json\n", "{\"linkshift-studio\":9}\n", "[]\n"] {
        fs::write(sidecar_of(&path), content).unwrap();
        let text = Store::open(&path, &data(20)).unwrap_err().to_string();
        assert!(text.contains("move the file away"), "{text}");
    }
    let mut session = Session::new(data(20));
    let change = pair(&session, 0, 1, Answer::Same, false);
    take(&mut session, &change);
}
