//! Parquet and Arrow columns of every type, written with the Arrow crates themselves.

use arrow_array::types::Int8Type;
use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, DictionaryArray, Float32Array, Float64Array, Int16Array,
    RecordBatch, StringViewArray, UInt8Array, UInt64Array,
};
use linkshift_io::{
    At, Categories, IntakeProblem, Problem, ReadOptions, Table, read_column, read_table,
};
use parquet::arrow::ArrowWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

/// The same columns as Parquet, Arrow file and Arrow stream.
fn files(columns: Vec<(&str, ArrayRef)>) -> (TempDir, Vec<PathBuf>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let batch = RecordBatch::try_from_iter_with_nullable(
        columns.into_iter().map(|(name, array)| (name, array, true)),
    )
    .expect("columns of one length");
    let create = |name: &str| {
        let path = folder.path().join(name);
        (std::fs::File::create(&path).expect("a file"), path)
    };
    let (file, parquet) = create("t.parquet");
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).expect("a writer");
    writer.write(&batch).expect("written");
    writer.close().expect("closed");
    let (file, arrow) = create("t.arrow");
    let mut writer = arrow_ipc::writer::FileWriter::try_new(file, &batch.schema()).expect("writer");
    writer.write(&batch).expect("written");
    writer.finish().expect("finished");
    let (file, stream) = create("stream.ipc");
    let mut writer =
        arrow_ipc::writer::StreamWriter::try_new(file, &batch.schema()).expect("writer");
    writer.write(&batch).expect("written");
    writer.finish().expect("finished");
    (folder, vec![parquet, arrow, stream])
}

fn read(path: &Path, options: &ReadOptions) -> Table<f32> {
    read_table(path, options).expect("a table")
}

#[test]
fn numbers_of_every_width_become_the_type_that_is_asked_for() {
    let (_folder, paths) = files(vec![
        ("half", Arc::new(Float32Array::from(vec![0.5, 1.5]))),
        ("byte", Arc::new(UInt8Array::from(vec![1, 255]))),
        ("short", Arc::new(Int16Array::from(vec![-300, 300]))),
        ("long", Arc::new(UInt64Array::from(vec![0, u64::MAX]))),
    ]);
    for path in paths {
        let table = read(&path, &ReadOptions::default());
        // Derived: the nearest f32 to 2⁶⁴ − 1 is 2⁶⁴.
        let expected = [0.5, 1., -300., 0., 1.5, 255., 300., 18_446_744_073_709_551_616.];
        assert_eq!(table.values, expected);
    }
}

#[test]
fn a_table_takes_no_more_than_it_may() {
    let (_folder, paths) = files(vec![("x", Arc::new(Float64Array::from(vec![1., 2., 3.])))]);
    for path in paths {
        // 3 numbers of 8 bytes.
        let within =
            |most_bytes| ReadOptions { most_bytes: Some(most_bytes), ..Default::default() };
        assert_eq!(read(&path, &within(24)).n_rows, 3);
        let error = read_table::<f64>(&path, &within(23)).unwrap_err();
        assert_eq!(error.problem, Problem::NoRoom);
    }
}

#[test]
fn labels_and_ids_may_be_categories_texts_or_numbers() {
    let categories: DictionaryArray<Int8Type> =
        vec![Some("cat"), None, Some("dog"), Some("cat")].into_iter().collect();
    let (_folder, paths) = files(vec![
        ("x", Arc::new(Float64Array::from(vec![1., 2., 3., 4.]))),
        ("class", Arc::new(categories)),
        ("name", Arc::new(StringViewArray::from(vec!["a", "b", "c", "d"]))),
        ("code", Arc::new(Float64Array::from(vec![Some(3.), None, Some(f64::NAN), Some(7.)]))),
        ("flag", Arc::new(BooleanArray::from(vec![true, false, true, true]))),
    ]);
    for path in paths {
        let options = ReadOptions {
            columns: Some(vec!["x".into()]),
            label_column: Some("class".into()),
            id_column: Some("name".into()),
            ..Default::default()
        };
        let table = read(&path, &options);
        assert_eq!(table.labels, Some(vec![0, -1, 1, 0]));
        assert_eq!(table.label_names, ["cat", "dog"]);
        assert_eq!(table.ids, Some(["a", "b", "c", "d"].map(String::from).to_vec()));
        let options = ReadOptions { label_column: Some("code".into()), ..options };
        assert_eq!(read(&path, &options).labels, Some(vec![3, -1, -1, 7]));
        assert_eq!(read_column(&path, Some("flag")).unwrap(), ["true", "false", "true", "true"]);
    }
}

#[test]
fn nulls_and_what_does_not_fit_are_named_by_row_and_column() {
    let rows = 3_000; // several batches
    let values = |bad: Option<f64>| {
        let mut values = vec![Some(1.0); rows];
        values[2_500] = bad;
        Arc::new(Float64Array::from(values)) as ArrayRef
    };
    let columns = vec!["y".to_owned()];
    let missing: Problem = IntakeProblem::Missing { n_rows: 1, columns }.into();
    for (bad, expected) in [
        (None, missing.clone()),
        (Some(f64::NAN), missing),
        (Some(f64::INFINITY), Problem::NotFinite { text: "inf".into() }),
        (Some(1e60), Problem::TooLarge { text: format!("1{}", "0".repeat(60)), dtype: "f32" }),
    ] {
        let (_folder, paths) = files(vec![("x", values(Some(1.0))), ("y", values(bad))]);
        for path in paths {
            let error = read_table::<f32>(&path, &ReadOptions::default()).unwrap_err();
            assert_eq!(std::mem::discriminant(&error.problem), std::mem::discriminant(&expected));
            assert_eq!(error.place.at, Some(At::Row(2_500)), "{error}");
            assert_eq!(error.place.column.as_deref(), Some("y"));
        }
    }
}

#[test]
fn columns_of_other_types_are_refused_by_name() {
    let (_folder, paths) = files(vec![
        ("x", Arc::new(Float64Array::from(vec![1.]))),
        ("day", Arc::new(Date32Array::from(vec![1]))),
    ]);
    for path in paths {
        let strict = ReadOptions { categories: Categories::Error, ..Default::default() };
        let named = ReadOptions { columns: Some(vec!["day".into(), "x".into()]), ..strict.clone() };
        for options in [strict, named] {
            let error = read_table::<f64>(&path, &options).unwrap_err();
            assert!(matches!(error.problem, Problem::ColumnType { .. }), "{error}");
            assert_eq!(error.place.column.as_deref(), Some("day"));
        }
        let table = read(&path, &ReadOptions::default());
        assert_eq!((table.columns, table.text_columns), (vec!["x".into()], vec!["day".into()]));
        let options = ReadOptions { label_column: Some("day".into()), ..Default::default() };
        let error = read_table::<f64>(&path, &options).unwrap_err();
        assert!(matches!(error.problem, Problem::ColumnType { .. }), "{error}");
    }
}
