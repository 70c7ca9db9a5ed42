//! Tables that cannot be read: the error names file, line and column, and says how to mend it.

use linkshift_io::{
    At, Categories, IntakeProblem, IoError, Problem, ReadOptions, read_column, read_table,
    write_labels, write_table,
};
use std::io::Write;
use std::path::Path;

fn error_in(name: &str, content: &[u8], options: &ReadOptions) -> IoError {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    std::fs::write(&path, content).expect("a file in it");
    let error = read_table::<f32>(&path, options).expect_err("this table is bad");
    assert_eq!(error.place.file, path);
    let message = error.to_string();
    assert!(message.contains(name) && !message.contains('\n'), "{message}");
    error
}

fn missing(n_rows: usize, columns: &[&str]) -> Problem {
    let columns = columns.iter().map(|name| name.to_string()).collect();
    IntakeProblem::Missing { n_rows, columns }.into()
}

/// The problem of a CSV file with its line and column.
fn problem(text: &str) -> (Problem, Option<At>, Option<String>) {
    let error = error_in("bad.csv", text.as_bytes(), &ReadOptions::default());
    (error.problem, error.place.at, error.place.column)
}

#[test]
fn a_file_without_rows_says_what_is_missing() {
    let missing = read_table::<f64>(Path::new("no/such.csv"), &ReadOptions::default()).unwrap_err();
    assert_eq!(missing.to_string(), "no/such.csv: there is no such file: check the path");
    assert_eq!(problem("").0, Problem::Empty);
    assert_eq!(problem("\n \r\n\n").0, Problem::Empty);
    assert_eq!(problem("x,y\n").0, Problem::NoRows);
    let unknown = error_in("bad.xlsx", b"x", &ReadOptions::default());
    assert_eq!(unknown.problem, Problem::UnknownFormat);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("folder.csv");
    std::fs::create_dir(&path).unwrap();
    let error = read_table::<f64>(&path, &ReadOptions::default()).unwrap_err();
    assert!(matches!(error.problem, Problem::Read { .. }), "{error}");
}

#[test]
fn a_bad_field_is_named_by_line_and_column() {
    let at = |line, column: &str| (Some(At::Line(line)), Some(column.to_owned()));
    let cases = [
        ("x,y\n1,2\n\n3,abc\n", Problem::NotANumber { text: "abc".into() }, 4),
        ("x,y\r\n1,2\r\n3,nan\r\n", missing(1, &["y"]), 3),
        ("x,y\n1,-inf\n", Problem::NotFinite { text: "-inf".into() }, 2),
        ("x,y\n1,\n", missing(1, &["y"]), 2),
        ("x,y\n1,1e39\n", Problem::TooLarge { text: "1e39".into(), dtype: "f32" }, 2),
    ];
    for (text, expected, line) in cases {
        let (found, place, column) = problem(text);
        assert_eq!((found, (place, column)), (expected, at(line, "y")), "{text:?}");
    }
    let error = error_in("bad.csv", b"x,y\n1,2\n3,abc\n", &ReadOptions::default());
    let message = error.to_string();
    let end = "bad.csv, line 3, column \"y\": \"abc\" is not a number: mend it, or let other columns \
               be the features, or this one the label or the id";
    assert!(message.ends_with(end), "{message}");
}

#[test]
fn a_long_or_multiline_field_is_shown_short_on_one_line() {
    let text = format!("x\n1\n\"a\nb{}\"\n", "z".repeat(500));
    let error = error_in("bad.csv", text.as_bytes(), &ReadOptions::default());
    assert_eq!(error.place.at, Some(At::Line(3)));
    assert!(error.to_string().len() < 400, "{error}");
}

#[test]
fn a_ragged_row_says_how_many_fields_were_expected() {
    let (found, at, _) = problem("x,y\n1,2\n3\n");
    assert_eq!((found, at), (Problem::Ragged { expected: 2, found: 1 }, Some(At::Line(3))));
    assert_eq!(problem("x,y\n1,2,3\n").0, Problem::Ragged { expected: 2, found: 3 });
}

#[test]
fn a_table_of_texts_has_no_numeric_column() {
    let known = vec!["name".to_owned(), "town".to_owned()];
    assert_eq!(problem("name,town\nann,rome\n").0, Problem::NoNumericColumn { known });
    let options = ReadOptions { label_column: Some("x".into()), ..Default::default() };
    let error = error_in("bad.csv", b"x\n1\n", &options);
    assert!(matches!(error.problem, Problem::NoNumericColumn { .. }));
}

#[test]
fn a_column_that_is_not_there_is_answered_with_those_that_are() {
    let choose = |names: &[&str]| ReadOptions {
        columns: Some(names.iter().map(|&name| name.into()).collect()),
        ..Default::default()
    };
    let error = error_in("bad.csv", b"width,height\n1,2\n", &choose(&["heigth"]));
    let message = error.to_string();
    let end = "there is no column \"heigth\" (did you mean \"height\"?); \
               there are 2: \"width\", \"height\"";
    assert!(message.ends_with(end), "{message}");
    let twice = error_in("bad.csv", b"x,y\n1,2\n", &choose(&["x", "x"]));
    assert_eq!(twice.problem, Problem::ChosenTwice { name: "x".into() });
    let unclear = error_in("bad.csv", b"x,x\n1,2\n", &choose(&["x"]));
    assert_eq!(unclear.problem, Problem::NamedTwice { name: "x".into() });
}

#[test]
fn ids_differ_and_are_not_empty() {
    let options = ReadOptions { id_column: Some("id".into()), ..Default::default() };
    let error = error_in("bad.csv", b"id,x\na,1\nb,2\n\na,3\n", &options);
    let expected = Problem::DuplicateId { id: "a".into(), first: At::Line(2) };
    assert_eq!((error.problem, error.place.at), (expected, Some(At::Line(5))));
    let error = error_in("bad.csv", b"id,x\na,1\n,2\n", &options);
    assert_eq!((error.problem, error.place.at), (Problem::NoValue, Some(At::Line(3))));
    let error = error_in("bad.csv", b"id,x\n\xff,1\n", &options);
    assert_eq!(error.problem, Problem::NotUtf8);
}

#[test]
fn what_the_core_refuses_is_named_by_line_and_column() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    std::fs::write(&path, "x,w\n1,1\n\n1e19,-1\n").unwrap();
    let options = ReadOptions { weight_column: Some("w".into()), ..Default::default() };
    // 1e19 is a fine f32, but the square of a distance between such values is not.
    let error = read_table::<f32>(&path, &options).unwrap().points().unwrap_err();
    assert!(matches!(error.problem, Problem::TooLarge { .. }), "{error}");
    assert_eq!((error.place.at, error.place.column.as_deref()), (Some(At::Line(4)), Some("x")));
    let error = read_table::<f64>(&path, &options).unwrap().points().unwrap_err();
    assert_eq!(error.problem, Problem::Weight { value: -1.0 });
    assert_eq!((error.place.at, error.place.column.as_deref()), (Some(At::Line(4)), Some("w")));
}

#[test]
fn a_cut_gzip_file_is_damaged() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    for row in 0..2_000 {
        writeln!(encoder, "{},{}", row, row * 7).unwrap();
    }
    let bytes = encoder.finish().unwrap();
    for keep in [3, 12, bytes.len() / 2, bytes.len() - 1] {
        let error = error_in("bad.csv.gz", &bytes[..keep], &ReadOptions::default());
        assert!(matches!(error.problem, Problem::Damaged { format: "gzip", .. }), "{error}");
    }
}

#[test]
fn cut_or_scrambled_binary_files_are_errors_never_panics() {
    let folder = tempfile::tempdir().unwrap();
    let values: Vec<f64> = (0..300).map(f64::from).collect();
    let columns = ["x", "y", "z"].map(String::from);
    for name in ["t.parquet", "t.arrow"] {
        let path = folder.path().join(name);
        write_table(&path, &columns, &values, Some(&[1; 100])).unwrap();
        let whole = std::fs::read(&path).unwrap();
        for keep in (0..whole.len()).step_by(97) {
            std::fs::write(&path, &whole[..keep]).unwrap();
            let error = read_table::<f64>(&path, &ReadOptions::default()).unwrap_err();
            assert!(matches!(error.problem, Problem::Damaged { .. }), "{keep} bytes: {error}");
        }
        for at in (0..whole.len()).step_by(31) {
            let mut scrambled = whole.clone();
            scrambled[at] ^= 0x55;
            std::fs::write(&path, &scrambled).unwrap();
            // A flipped bit of a value may still read well.
            let _ = read_table::<f64>(&path, &ReadOptions::default());
        }
        std::fs::write(&path, "x,y\n1,2\n").unwrap();
        let error = read_table::<f64>(&path, &ReadOptions::default()).unwrap_err();
        assert!(matches!(error.problem, Problem::Damaged { .. }), "{error}");
    }
}

#[test]
fn columns_of_text_are_refused_as_features_but_serve_as_labels_and_ids() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["t.parquet", "t.arrow"] {
        let path = folder.path().join(name);
        let ids = ["a", "b"].map(String::from);
        write_labels(&path, &[5, -1], Some(&ids)).unwrap();
        let strict = ReadOptions { categories: Categories::Error, ..Default::default() };
        let error = read_table::<f64>(&path, &strict).unwrap_err();
        assert!(matches!(error.problem, Problem::ColumnType { .. }), "{error}");
        assert_eq!(error.place.column.as_deref(), Some("id"));
        let options = ReadOptions { id_column: Some("id".into()), ..Default::default() };
        let table = read_table::<f32>(&path, &options).unwrap();
        assert_eq!((table.values, table.ids), (vec![5., -1.], Some(ids.to_vec())));
        let only_text = ReadOptions { columns: Some(vec!["id".into()]), ..Default::default() };
        let error = read_table::<f64>(&path, &only_text).unwrap_err();
        assert!(matches!(error.problem, Problem::NoNumericColumn { .. }), "{error}");
        assert_eq!(read_column(&path, None).unwrap(), ["5", "-1"]);
    }
}
