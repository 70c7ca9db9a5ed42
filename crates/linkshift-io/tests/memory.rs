//! What reading takes in memory. Alone in its file: the peak is that of the whole process.

use arrow_array::types::Float32Type;
use arrow_array::{ArrayRef, FixedSizeListArray, Int64Array, RecordBatch};
use linkshift_io::{ReadOptions, read_table};
use parquet::arrow::ArrowWriter;
use std::fs::{self, File};
use std::sync::Arc;

const N_ROWS: usize = 100_000;
const WIDTH: usize = 256;

/// The most memory that this process has had, in bytes, where the system tells (Linux).
fn peak() -> Option<usize> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

#[test]
fn a_column_of_embeddings_takes_little_more_than_its_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("embeddings.parquet");
    // Written in pieces, so that writing takes less than reading.
    let batch = |from: usize| {
        let row = |row: usize| {
            let value = move |at: usize| Some(((from + row) * 31 + at * 7) as f32 / 1024.0);
            Some((0..WIDTH).map(value).collect::<Vec<_>>())
        };
        let rows = (0..1_000).map(row);
        let list = FixedSizeListArray::from_iter_primitive::<Float32Type, _, _>(rows, WIDTH as i32);
        let ids = Int64Array::from_iter_values((0..1_000).map(|row| (from + row) as i64));
        let columns =
            [("id", Arc::new(ids) as ArrayRef), ("embedding", Arc::new(list) as ArrayRef)];
        RecordBatch::try_from_iter(columns).unwrap()
    };
    let file = File::create(&path).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch(0).schema(), None).unwrap();
    for from in (0..N_ROWS).step_by(1_000) {
        writer.write(&batch(from)).unwrap();
        writer.flush().unwrap();
    }
    writer.close().unwrap();
    let before = peak();
    let table = read_table::<f32>(&path, &ReadOptions::default()).unwrap();
    assert_eq!((table.n_rows, table.n_features), (N_ROWS, WIDTH));
    let (Some(before), Some(after)) = (before, peak()) else {
        return; // this system does not tell how much memory was used
    };
    // The bar of half as much again; the peak of writing is part of what is there before.
    let size = N_ROWS * WIDTH * size_of::<f32>();
    assert!(after < before + size * 3 / 2, "{before} before, {after} after, {size} of numbers");
}
