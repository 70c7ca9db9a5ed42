//! Lists, gaps, truths and categories: files as people have them.
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests too")]

use arrow_array::builder::{FixedSizeListBuilder, Float64Builder, ListBuilder};
use arrow_array::types::{Float16Type, Float32Type, Int32Type, Int64Type};
use arrow_array::{
    ArrayRef, ArrowPrimitiveType, FixedSizeListArray, Float64Array, Int64Array, LargeListArray,
    ListArray, RecordBatch, StringArray,
};
use linkshift_io::{
    At, Categories, ColumnKind, IntakeProblem, IoError, Missing, Problem, ReadOptions, Table,
    TableChunks, read_table,
};
use parquet::arrow::ArrowWriter;
use std::path::PathBuf;
use std::sync::Arc;
use tempfile::TempDir;

/// Columns as Parquet and as Arrow.
fn files(columns: Vec<(&str, ArrayRef)>) -> (TempDir, [PathBuf; 2]) {
    let folder = tempfile::tempdir().unwrap();
    let columns = columns.into_iter().map(|(name, array)| (name, array, true));
    let batch = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
    let paths = ["t.parquet", "t.arrow"].map(|name| folder.path().join(name));
    let file = std::fs::File::create(&paths[0]).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    let file = std::fs::File::create(&paths[1]).unwrap();
    let mut writer = arrow_ipc::writer::FileWriter::try_new(file, &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap();
    (folder, paths)
}

fn csv<T: linkshift::Real>(text: &str, options: &ReadOptions) -> Result<Table<T>, IoError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    std::fs::write(&path, text).unwrap();
    read_table(&path, options)
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| name.to_string()).collect()
}

fn lists<P: ArrowPrimitiveType>(rows: &[[P::Native; 2]]) -> [ArrayRef; 3] {
    let rows = || rows.iter().map(|row| Some(row.map(Some)));
    [
        Arc::new(ListArray::from_iter_primitive::<P, _, _>(rows())),
        Arc::new(LargeListArray::from_iter_primitive::<P, _, _>(rows())),
        Arc::new(FixedSizeListArray::from_iter_primitive::<P, _, _>(rows(), 2)),
    ]
}

#[test]
fn the_only_column_of_lists_is_found_without_being_named() {
    let half = |x: f32| <Float16Type as ArrowPrimitiveType>::Native::from_f32(x);
    let rows = [[0.5_f32, 1.0], [1.5, -2.0], [0.0, 4.0]];
    let all = lists::<Float32Type>(&rows)
        .into_iter()
        .chain(lists::<Float16Type>(&rows.map(|row| row.map(half))));
    for list in all {
        let (_folder, paths) = files(vec![
            ("id", Arc::new(Int64Array::from(vec![7, 8, 9]))),
            ("text", Arc::new(StringArray::from(vec!["a", "b", "c"]))),
            ("embedding", list),
        ]);
        for path in paths {
            let table = read_table::<f32>(&path, &ReadOptions::default()).unwrap();
            assert_eq!(table.columns, ["embedding_0", "embedding_1"]);
            assert_eq!(table.values, rows.as_flattened());
            assert_eq!(table.text_columns, ["id", "text"]);
            assert_eq!(table.recipe.columns[0].kind, ColumnKind::List(2));
            // The recipe treats the same file the same way.
            let recipe = Some(table.recipe.clone());
            let options = ReadOptions { recipe, ..Default::default() };
            assert_eq!(read_table::<f32>(&path, &options).unwrap().values, table.values);
        }
    }
}

#[test]
fn lists_stand_beside_each_other_and_beside_numbers_when_named() {
    let [first, second, _] = lists::<Int32Type>(&[[1, 2], [3, 4]]);
    let (_folder, paths) = files(vec![
        ("a", first),
        ("x", Arc::new(Float64Array::from(vec![0.5, 1.5]))),
        ("b", second),
    ]);
    for path in paths {
        let error = read_table::<f64>(&path, &ReadOptions::default()).unwrap_err();
        let known = names(&["a", "b"]);
        assert_eq!(error.problem, IntakeProblem::WhichList { known }.into());
        let columns = Some(names(&["b", "x", "a"]));
        let options = ReadOptions { columns, ..Default::default() };
        let table = read_table::<f64>(&path, &options).unwrap();
        assert_eq!(table.columns, ["b_0", "b_1", "x", "a_0", "a_1"]);
        assert_eq!(table.values, [1., 2., 0.5, 1., 2., 3., 4., 1.5, 3., 4.]);
    }
}

#[test]
fn lists_that_are_missing_or_of_another_length_are_named_by_row() {
    // Several batches, the bad row in the third.
    let bad_row = 2_500;
    let list = |bad: Option<&[Option<f64>]>| {
        let mut lists = ListBuilder::new(Float64Builder::new());
        for row in 0..3_000 {
            match bad {
                Some(numbers) if row == bad_row => lists.append_value(numbers.iter().copied()),
                None if row == bad_row => lists.append_null(),
                _ => lists.append_value([Some(1.0), Some(2.0)]),
            }
        }
        Arc::new(lists.finish()) as ArrayRef
    };
    let ragged = |found| IntakeProblem::RaggedList { expected: 2, found };
    let cases = [
        (list(Some(&[Some(1.0)])), ragged(1)),
        (list(Some(&[])), ragged(0)),
        (list(None), IntakeProblem::NoList),
        (list(Some(&[Some(1.0), None])), IntakeProblem::NoList),
        (list(Some(&[Some(1.0), Some(f64::NAN)])), IntakeProblem::NoList),
    ];
    for (list, expected) in cases {
        let (_folder, paths) = files(vec![("e", list)]);
        for path in paths {
            let error = read_table::<f32>(&path, &ReadOptions::default()).unwrap_err();
            assert_eq!(error.problem, expected.clone().into());
            assert_eq!(error.place.at, Some(At::Row(bad_row)));
            assert_eq!(error.place.column.as_deref(), Some("e"));
        }
    }
    let mut fixed = FixedSizeListBuilder::new(Float64Builder::new(), 1);
    fixed.values().append_null();
    fixed.append(false);
    let (_folder, paths) = files(vec![("e", Arc::new(fixed.finish()))]);
    let error = read_table::<f32>(&paths[0], &ReadOptions::default()).unwrap_err();
    assert_eq!(error.problem, IntakeProblem::NoList.into());
}

#[test]
fn lists_are_read_in_chunks_too() {
    let rows: Vec<[f32; 2]> = (0..3_000).map(|at| [at as f32, 0.5]).collect();
    for list in lists::<Float32Type>(&rows) {
        let (_folder, paths) = files(vec![("e", list)]);
        let chunks = TableChunks::<f32>::open(&paths[..1], &ReadOptions::default()).unwrap();
        let values: Vec<f32> = chunks.flat_map(|chunk| chunk.unwrap().values).collect();
        assert_eq!(values, rows.as_flattened());
    }
}

/// Two gaps, in different rows and columns; "?" is one too.
const GAPS: &str = "id,x,y\na,1,10\nb,,20\nc,3,?\nd,5,30\n";

fn with(missing: Missing) -> ReadOptions {
    ReadOptions { id_column: Some("id".into()), missing, ..Default::default() }
}

#[test]
fn gaps_are_an_error_that_counts_them() {
    let error = csv::<f64>(GAPS, &with(Missing::Error)).unwrap_err();
    assert_eq!(error.place.at, Some(At::Line(3)));
    let end = "line 3, column \"x\": the value is missing; 2 rows are not whole, in the columns \
               \"x\", \"y\": fill them in, or set missing to drop (leave such rows out) or median \
               (put in the column's median)";
    assert!(error.to_string().ends_with(end), "{error}");
}

#[test]
fn rows_with_gaps_are_dropped_with_all_that_belongs_to_them() {
    let options = ReadOptions {
        label_column: Some("y".into()),
        weight_column: Some("w".into()),
        ..with(Missing::Drop)
    };
    let text = "id,x,y,w\na,1,10,1\nb,,20,2\nc,3,,3\n";
    let table = csv::<f64>(text, &options).unwrap();
    assert_eq!((table.n_rows, &table.values[..]), (2, &[1.0, 3.0][..]));
    assert_eq!(table.kept_rows, Some(vec![0, 2]));
    assert_eq!(table.ids, Some(names(&["a", "c"])));
    assert_eq!(table.labels, Some(vec![10, -1]));
    assert_eq!(table.weights, Some(vec![1.0, 3.0]));
    // A later error still names the line of the file.
    let text = "id,x,y,w\na,1,10,1\nb,,20,2\nc,1e200,,3\n";
    let error = csv::<f64>(text, &options).unwrap().points().unwrap_err();
    assert_eq!(error.place.at, Some(At::Line(4)));
    let error = csv::<f64>("id,x\na,\n", &with(Missing::Drop)).unwrap_err();
    assert_eq!(error.problem, IntakeProblem::NothingLeft { n_rows: 1 }.into());
}

#[test]
fn gaps_are_filled_with_the_median_of_the_first_rows() {
    let table = csv::<f64>(GAPS, &with(Missing::Median)).unwrap();
    // Derived: the medians of 1, 3, 5 and of 10, 20, 30.
    assert_eq!(table.values, [1., 10., 3., 20., 3., 20., 5., 30.]);
    assert_eq!(table.recipe.columns[1].median, Some(20.0));
    // New rows get those medians, not their own.
    let recipe = Some(table.recipe);
    let options = ReadOptions { recipe, ..with(Missing::Error) };
    let new = csv::<f64>("y,id,x\n100,n,\n,m,200\n", &options).unwrap();
    assert_eq!(new.values, [3., 100., 200., 20.]);
    let error = csv::<f64>("id,x,y\na,1,\n", &with(Missing::Median)).unwrap_err();
    assert_eq!(error.problem, IntakeProblem::EmptyColumn.into());
    assert_eq!(error.place.column.as_deref(), Some("y"));
}

const CITIES: &str = "x,city,ok\n1,Rome,true\n2,Oslo,False\n3,,TRUE\n4,Rome,true\n";

#[test]
fn texts_are_skipped_and_named_unless_one_insists() {
    let table = csv::<f64>(CITIES, &ReadOptions::default()).unwrap();
    assert_eq!(table.columns, ["x", "ok"]);
    assert_eq!(table.values, [1., 1., 2., 0., 3., 1., 4., 1.]);
    assert_eq!(table.text_columns, ["city"]);
    let columns = Some(names(&["x", "city"]));
    let insisting = ReadOptions { columns, ..Default::default() };
    let strict = ReadOptions { categories: Categories::Error, ..Default::default() };
    for options in [insisting, strict] {
        let error = csv::<f64>(CITIES, &options).unwrap_err();
        assert_eq!(error.problem, Problem::NotANumber { text: "Rome".into() });
    }
}

#[test]
fn categories_become_a_column_each() {
    let options = ReadOptions { categories: Categories::OneHot, ..Default::default() };
    let table = csv::<f32>(CITIES, &options).unwrap();
    assert_eq!(table.columns, ["x", "city=Rome", "city=Oslo", "ok"]);
    let expected = [1., 1., 0., 1., 2., 0., 1., 0., 3., 0., 0., 1., 4., 1., 0., 1.];
    assert_eq!(table.values, expected);
    // New rows: the same columns in the same order; a city that was never seen is none of them.
    let options = ReadOptions { recipe: Some(table.recipe), ..Default::default() };
    let new = csv::<f32>("ok,city,x\nfalse,Oslo,7\ntrue,Paris,8\n", &options).unwrap();
    assert_eq!(new.columns, table.columns);
    assert_eq!(new.values, [7., 0., 1., 0., 8., 0., 0., 1.]);
    let error = csv::<f32>("ok,city,x\nmaybe,Oslo,7\n", &options).unwrap_err();
    assert_eq!(error.problem, Problem::NotANumber { text: "maybe".into() });
}

#[test]
fn typed_files_and_text_files_give_the_same_table() {
    let (_folder, paths) = files(vec![
        ("x", Arc::new(Int64Array::from(vec![Some(1), None, Some(3)]))),
        ("city", Arc::new(StringArray::from(vec![Some("Rome"), Some("Oslo"), None]))),
        ("ok", Arc::new(arrow_array::BooleanArray::from(vec![Some(true), Some(false), None]))),
    ]);
    let text = "x,city,ok\n1,Rome,true\n,Oslo,false\n3,,\n";
    for categories in [Categories::OneHot, Categories::Skip] {
        for missing in [Missing::Drop, Missing::Median] {
            let options = ReadOptions { missing, categories, ..Default::default() };
            let expected = csv::<f64>(text, &options).unwrap();
            for path in &paths {
                let table = read_table::<f64>(path, &options).unwrap();
                assert_eq!(table.values, expected.values);
                assert_eq!(table.columns, expected.columns);
                assert_eq!(table.recipe, expected.recipe);
                assert_eq!(table.kept_rows, expected.kept_rows);
            }
        }
    }
}

#[test]
fn hardly_a_category_of_more_than_one_row_is_refused() {
    let rows: String = (0..1_001).map(|at| format!("{at},name{at}\n")).collect();
    let options = ReadOptions { categories: Categories::OneHot, ..Default::default() };
    let error = csv::<f64>(&format!("x,name\n{rows}"), &options).unwrap_err();
    let expected = IntakeProblem::TooManyCategories { found: 1_001, most: 1_000 };
    assert_eq!(error.problem, expected.into());
}

#[test]
fn what_needs_the_whole_file_is_refused_in_chunks() {
    let values = Arc::new(Int64Array::from(vec![1, 2]));
    let (_folder, paths) = files(vec![("x", values)]);
    for options in [
        ReadOptions { missing: Missing::Median, ..Default::default() },
        ReadOptions { categories: Categories::OneHot, ..Default::default() },
    ] {
        let error = TableChunks::<f64>::open(&paths[..1], &options).err().unwrap();
        assert_eq!(error.problem, IntakeProblem::NotInChunks.into());
    }
}

#[test]
fn a_column_of_wide_numbers_stays_exact() {
    // Int64 lists in f64: every number up to 2⁵³ is itself.
    let [list, ..] = lists::<Int64Type>(&[[1 << 53, -1]]);
    let (_folder, paths) = files(vec![("e", list)]);
    let table = read_table::<f64>(&paths[0], &ReadOptions::default()).unwrap();
    assert_eq!(table.values, [9_007_199_254_740_992.0, -1.0]);
}

#[test]
fn labels_and_links_of_the_file_survive_dropped_rows() {
    let options = ReadOptions { missing: Missing::Drop, ..Default::default() };
    let table = csv::<f64>("x,y\n1,1\n,1\n3,1\n", &options).unwrap();
    assert_eq!((table.n_rows, table.n_file_rows), (2, 3));
    // Without ids the rows are called by their numbers in the file, which has none to show.
    assert_eq!(table.ids, Some(names(&["0", "2"])));
    assert_eq!(table.file_ids(), None);
    assert_eq!(table.labels_of_file(&[7, 8]), [7, -1, 8]);
    assert_eq!(table.of_rows(vec!['a', 'b', 'c']), ['a', 'c']);
    let table = csv::<f64>(GAPS, &with(Missing::Drop)).unwrap();
    assert_eq!(table.file_ids().unwrap(), names(&["a", "b", "c", "d"]));
    assert_eq!(table.ids, Some(names(&["a", "d"])));
}

#[test]
fn columns_made_elsewhere_stand_after_the_table_s_own() {
    let options = ReadOptions {
        columns: Some(names(&["x"])),
        content_column: Some("title".into()),
        ..Default::default()
    };
    let table = csv::<f64>("x,title\n1,one\n2,two\n3,three\n", &options).unwrap();
    assert_eq!(table.contents, Some(names(&["one", "two", "three"])));
    let table = table.with_columns(names(&["a", "b"]), &[10., 11., 30., 31.], &[0, 2]);
    assert_eq!(table.columns, ["x", "a", "b"]);
    assert_eq!(table.values, [1., 10., 11., 3., 30., 31.]);
    assert_eq!(table.contents, Some(names(&["one", "three"])));
    assert_eq!(table.kept_rows, Some(vec![0, 2]));
    let alone = ReadOptions { columns: None, ..options };
    let table = csv::<f64>("x,title\n1,one\n2,two\n", &alone).unwrap();
    assert_eq!((table.n_features, table.n_rows), (0, 2));
    assert_eq!(table.skipped_columns, ["x"]);
}

#[test]
fn a_folder_is_a_table_of_its_files() {
    let folder = tempfile::tempdir().unwrap();
    ["b.png", "a.png", ".hidden"].iter().for_each(|name| {
        std::fs::write(folder.path().join(name), "").unwrap();
    });
    std::fs::create_dir(folder.path().join("inner")).unwrap();
    let options = ReadOptions {
        content_column: Some("file".into()),
        id_column: Some("file".into()),
        ..Default::default()
    };
    let table = read_table::<f64>(folder.path(), &options).unwrap();
    assert_eq!(table.contents, Some(names(&["a.png", "b.png"])));
    assert_eq!(table.ids, table.contents);
}

#[test]
fn typed_dates_are_numbers_when_asked_for() {
    use arrow_array::{Date32Array, TimestampMillisecondArray};
    use linkshift_io::DateUnit;
    let (_folder, paths) = files(vec![
        ("x", Arc::new(Float64Array::from(vec![0.5, 1.5]))),
        ("day", Arc::new(Date32Array::from(vec![0, 365]))),
        // One and a half days after the beginning of 1970; and the day before it.
        ("stamp", Arc::new(TimestampMillisecondArray::from(vec![129_600_000, -86_400_000]))),
        ("text", Arc::new(StringArray::from(vec!["1970-01-03", "1970-01-01T12:00"]))),
    ]);
    for path in paths {
        let table = read_table::<f64>(&path, &ReadOptions::default()).unwrap();
        assert_eq!(table.columns, ["x"]);
        let options = ReadOptions { dates: Some(DateUnit::Days), ..Default::default() };
        let table = read_table::<f64>(&path, &options).unwrap();
        assert_eq!(table.columns, ["x", "day", "stamp", "text"]);
        assert_eq!(table.values, [0.5, 0.0, 1.5, 2.0, 1.5, 365.0, -1.0, 0.5]);
        assert_eq!(table.recipe.columns[1].kind, ColumnKind::Date(DateUnit::Days));
        let recipe = Some(table.recipe.clone());
        let options = ReadOptions { recipe, ..Default::default() };
        assert_eq!(read_table::<f64>(&path, &options).unwrap().values, table.values);
        let columns = Some(names(&["x", "day"]));
        let error = read_table::<f64>(&path, &ReadOptions { columns, ..Default::default() });
        assert!(error.unwrap_err().to_string().contains("dates if asked"));
    }
}
