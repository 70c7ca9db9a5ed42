//! A Parquet file in chunks is the same file.

use linkshift_io::{
    At, IoError, LabelChunk, Problem, ReadOptions, TableChunks, read_column, read_table,
    write_label_chunks, write_labels, write_table,
};
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
    let chunks = TableChunks::<f32>::open(&path, &ReadOptions::default()).expect("open");
    assert_eq!((chunks.n_rows(), chunks.n_features()), (N_ROWS, 1));
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
    let chunks = TableChunks::<f64>::open(&path, &ReadOptions::default()).expect("open");
    let read: Result<(), IoError> =
        chunks.into_iter().try_for_each(|chunk| chunk?.points().map(|_| ()));
    let error = read.expect_err("NaN is refused");
    assert_eq!(error.place.at, Some(At::Row(N_ROWS - 3)), "{error}");
}

#[test]
fn only_parquet_comes_in_chunks() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("data.csv");
    std::fs::write(&path, "x\n1\n").expect("written");
    let error = TableChunks::<f32>::open(&path, &ReadOptions::default()).err().expect("refused");
    assert!(matches!(error.problem, Problem::NotParquet));
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
