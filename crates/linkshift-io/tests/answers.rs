//! Answers files: what is told is there again, whatever happened in between.

use linkshift::ask::{Answer, Told};
use linkshift_io::{AnswersFile, IoError, Problem};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("answers.csv");
    (folder, path)
}

fn told(a: usize, b: usize, answer: Answer) -> Told {
    Told { a, b, answer }
}

fn reopen(path: &Path) -> Result<(AnswersFile, Vec<Told>), IoError> {
    AnswersFile::open(path, 9, None)
}

#[test]
fn answers_come_back_in_their_order() {
    let (_folder, path) = place();
    let all = [told(3, 8, Answer::Same), told(0, 3, Answer::Unsure), told(1, 2, Answer::Different)];
    let (mut file, _) = reopen(&path).unwrap();
    all.iter().for_each(|told| file.append(told).unwrap());
    assert_eq!(fs::read_to_string(&path).unwrap(), "a,b,kind\n3,8,must\n0,3,unsure\n1,2,cannot\n");
    assert_eq!(reopen(&path).unwrap().1, all);

    // Undone in the middle, and then one more.
    file.rewrite(&[all[0], all[2]]).unwrap();
    file.append(&told(4, 5, Answer::Same)).unwrap();
    assert_eq!(reopen(&path).unwrap().1, [all[0], all[2], told(4, 5, Answer::Same)]);
}

#[test]
fn ids_may_hold_anything() {
    let (_folder, path) = place();
    let ids = ["a,b", "say \"no\"", " x "].map(String::from);
    let (mut file, _) = AnswersFile::open(&path, 3, Some(&ids)).unwrap();
    file.append(&told(0, 1, Answer::Same)).unwrap();
    assert_eq!(AnswersFile::open(&path, 3, Some(&ids)).unwrap().1, [told(0, 1, Answer::Same)]);
}

#[test]
fn an_unfinished_last_line_is_dropped_and_said() {
    let (_folder, path) = place();
    fs::write(&path, "a,b,kind\n3,8,must\n1,2,can").unwrap();
    let (mut file, answers) = reopen(&path).unwrap();
    assert_eq!((answers, file.dropped()), (vec![told(3, 8, Answer::Same)], Some("1,2,can")));
    file.append(&told(1, 2, Answer::Different)).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "a,b,kind\n3,8,must\n1,2,cannot\n");

    fs::write(&path, "a,b,kind\n3,8,must").unwrap();
    let (mut file, _) = reopen(&path).unwrap();
    assert_eq!(file.dropped(), None, "the line is whole");
    file.append(&told(1, 2, Answer::Different)).unwrap();
    assert_eq!(reopen(&path).unwrap().1.len(), 2);
}

#[test]
fn other_files_are_left_alone() {
    let (folder, path) = place();
    fs::write(&path, "x,y\n1,2").unwrap();
    assert_eq!(reopen(&path).unwrap_err().problem, Problem::NotAnswers);
    assert_eq!(fs::read_to_string(&path).unwrap(), "x,y\n1,2");
    let error = reopen(&folder.path().join("answers.csv.gz")).unwrap_err();
    assert!(matches!(error.problem, Problem::AnswersName), "{error}");
    fs::write(&path, "a,b,kind\n3,80,must\n").unwrap();
    let error = reopen(&path).unwrap_err();
    assert_eq!(error.problem, Problem::OutOfRange { row: 80, n_points: 9 });
}
