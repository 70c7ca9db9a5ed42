//! A table in chunks is the same table.

use linkshift_io::{
    At, IoError, LabelChunk, Problem, ReadOptions, Survey, TableChunks, read_column, read_table,
    write_label_chunks, write_labels, write_table,
};
use std::collections::HashSet;
use std::path::PathBuf;
use tempfile::TempDir;

/// More rows of one column than a chunk holds.
const N_ROWS: usize = 2_500_000;

fn long_file() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("long.parquet");
    let values: Vec<f32> = (0..N_ROWS).map(|row| row as f32).collect();
    write_table(&path, &["x".into()], &values, None).expect("written");
    (folder, path)
}

#[test]
fn chunks_are_the_table_in_order() {
    let (_folder, path) = long_file();
    let none = HashSet::new();
    let survey =
        Survey::of(std::slice::from_ref(&path), &ReadOptions::default(), &none).expect("counted");
    assert_eq!(survey.n_rows, N_ROWS);
    let chunks = TableChunks::<f32>::open(std::slice::from_ref(&path), &ReadOptions::default())
        .expect("open");
    let chunks: Vec<_> = chunks.map(|chunk| chunk.expect("a chunk")).collect();
    assert!(chunks.len() > 1);
    let values: Vec<f32> = chunks.iter().flat_map(|chunk| chunk.values.clone()).collect();
    let whole = read_table::<f32>(&path, &ReadOptions::default()).expect("a table");
    assert!(values == whole.values);
}

#[test]
fn an_error_in_a_later_chunk_names_the_row_of_the_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("hole.parquet");
    let mut values = vec![0.0_f64; N_ROWS];
    values[N_ROWS - 3] = f64::NAN;
    write_table(&path, &["x".into()], &values, None).expect("written");
    let chunks = TableChunks::<f64>::open(&[path], &ReadOptions::default()).expect("open");
    let read: Result<(), IoError> =
        chunks.into_iter().try_for_each(|chunk| chunk?.points().map(|_| ()));
    let error = read.expect_err("NaN is refused");
    assert_eq!(error.place.at, Some(At::Row(N_ROWS - 3)), "{error}");
}

#[test]
fn every_format_comes_in_chunks_and_many_files_as_one() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // More rows than a chunk holds, in three files of different formats.
    let sizes = [140_000, 3, 150_000];
    let names = ["a.csv", "b.arrow", "c.parquet"];
    let mut files = Vec::new();
    let mut all = Vec::new();
    for (name, size) in names.iter().zip(sizes) {
        let values: Vec<f32> = (0..2 * size).map(|at| (all.len() + at) as f32).collect();
        let path = folder.path().join(name);
        write_table(&path, &["x".into(), "y".into()], &values, None).expect("written");
        all.extend(values);
        files.push(path);
    }
    let options = ReadOptions::default();
    let survey = Survey::of(&files, &options, &HashSet::new()).expect("counted");
    assert_eq!(survey.n_rows, sizes.iter().sum::<usize>());
    let chunks: Vec<_> = TableChunks::<f32>::open(&files, &options)
        .expect("open")
        .map(|chunk| chunk.expect("a chunk"))
        .collect();
    assert!(chunks.len() > 3);
    let values: Vec<f32> = chunks.iter().flat_map(|chunk| chunk.values.clone()).collect();
    assert!(values == all);
}

#[test]
fn ids_are_found_across_files_and_one_that_comes_twice_is_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        path
    };
    let files = [file("1.csv", "id,x\nann,1\nbob,2\n"), file("2.csv", "x,id\n3,cy\n4,dot\n")];
    let options = ReadOptions { id_column: Some("id".into()), ..Default::default() };
    let asked: HashSet<String> = ["bob", "dot", "eve"].map(String::from).into();
    let survey = Survey::of(&files, &options, &asked).expect("found");
    assert_eq!(survey.n_rows, 4);
    // Derived: bob is the second row, dot the last of four; nobody is called eve.
    assert_eq!(survey.row_of, [("bob".to_owned(), 1), ("dot".to_owned(), 3)].into());
    // The columns of the second file come in another order.
    let values: Vec<f32> = TableChunks::<f32>::open(&files, &options)
        .expect("open")
        .flat_map(|chunk| chunk.expect("a chunk").values)
        .collect();
    assert_eq!(values, [1.0, 2.0, 3.0, 4.0]);
    let twice = [files[0].clone(), files[0].clone()];
    let error = Survey::of(&twice, &options, &asked).expect_err("bob is there twice");
    assert_eq!(error.place.at, Some(At::Row(3)), "{error}");
    assert!(matches!(error.problem, Problem::DuplicateId { first: At::Row(1), .. }));
}

#[test]
fn what_a_column_holds_is_settled_by_the_first_chunk() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("turns.csv");
    let mut text = "word,x\n".to_owned();
    (0..140_000).for_each(|row| text.push_str(&format!("w{row},{row}\n")));
    text.push_str("w,seven\n");
    std::fs::write(&path, text).expect("written");
    let chunks = TableChunks::<f32>::open(&[path], &ReadOptions::default()).expect("open");
    let read: Result<Vec<usize>, IoError> =
        chunks.map(|chunk| chunk.map(|table| table.n_features)).collect();
    // Derived: a header and 140,000 rows before it.
    assert_eq!(read.expect_err("a text among numbers").place.at, Some(At::Line(140_002)));
}

#[test]
fn what_is_no_table_in_parts_is_refused() {
    for name in ["data.npy", "-"] {
        let path = PathBuf::from(name);
        let error = TableChunks::<f32>::open(&[path], &ReadOptions::default()).err();
        let error = error.expect("refused");
        assert!(matches!(error.problem, Problem::NotInChunks), "{error}");
    }
}

#[test]
fn labels_in_chunks_are_the_labels_at_once() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let ids = ["a", "b", "c"].map(String::from);
    for name in ["l.csv", "l.tsv.gz", "l.parquet", "l.arrow", "l.npy"] {
        let (once, parts) = (folder.path().join(name), folder.path().join(format!("parts-{name}")));
        write_labels(&once, &[4, 5, 6], Some(&ids)).expect("written");
        let chunk = |labels: &'static [i64], ids: &'static [&str]| {
            let ids: Vec<String> = ids.iter().map(|id| id.to_string()).collect();
            Ok::<_, IoError>(LabelChunk { labels: labels.into(), ids: Some(ids.into()) })
        };
        let chunks = [chunk(&[4, 5], &["a", "b"]), chunk(&[6], &["c"])];
        write_label_chunks(&parts, 3, chunks.into_iter()).expect("written");
        let column = name.ends_with("npy").then_some("f0").or(Some("label"));
        assert_eq!(read_column(&once, column).expect("read"), ["4", "5", "6"], "{name}");
        assert_eq!(read_column(&parts, column).expect("read"), ["4", "5", "6"], "{name}");
    }
}

#[test]
fn a_chunk_that_fails_leaves_the_old_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in ["l.csv", "l.parquet", "l.npy"] {
        let path = folder.path().join(name);
        std::fs::write(&path, "old").expect("written");
        let good = LabelChunk { labels: vec![0].into(), ids: None };
        let bad: Box<dyn std::error::Error> = "no ink".into();
        let failed = write_label_chunks(&path, 2, [Ok(good), Err(bad)].into_iter());
        assert_eq!(failed.expect_err("it failed").to_string(), "no ink");
        assert_eq!(std::fs::read(&path).expect("there"), b"old");
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
        std::fs::remove_file(&path).expect("removed");
    }
}
