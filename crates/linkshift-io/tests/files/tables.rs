//! Tables that can be read: what each format and option gives.

use linkshift_io::{Header, Problem, ReadOptions, Table, read_column, read_table};
use std::io::Write;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn file(name: &str, content: impl AsRef<[u8]>) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    std::fs::write(&path, content).expect("a file in it");
    (folder, path)
}

fn read(name: &str, content: impl AsRef<[u8]>, options: &ReadOptions) -> Table<f64> {
    let (_folder, path) = file(name, content);
    read_table(&path, options).expect("a table")
}

#[test]
fn a_header_is_any_first_row_that_is_not_all_numbers() {
    let plain = ReadOptions::default();
    let table = read("t.csv", "x,y\n1,2\n3,4\n", &plain);
    assert_eq!((table.columns, table.values), (vec!["x".into(), "y".into()], vec![1., 2., 3., 4.]));
    let table = read("t.csv", "1,2\n3,4\n", &plain);
    assert_eq!((table.columns, table.n_rows), (vec!["f0".into(), "f1".into()], 2));
    let table = read("t.csv", "1,2\n3,4\n", &ReadOptions { header: Header::Yes, ..plain });
    assert_eq!((table.columns, table.n_rows), (vec!["1".into(), "2".into()], 1));
}

#[test]
fn a_table_takes_no_more_than_it_may() {
    // 3 rows of 2 numbers of 8 bytes; ids of 3 letters, each with what keeping it takes besides.
    let content = "x,y,name\n1,2,ann\n3,4,bob\n5,6,eve\n";
    let named = ReadOptions { id_column: Some("name".into()), ..Default::default() };
    let columns = Some(vec!["x".into(), "y".into()]);
    let plain = ReadOptions { columns, ..Default::default() };
    for (options, takes) in [(plain, 3 * 2 * 8), (named, 3 * (2 * 8 + 3 + 24 + 24))] {
        let within = |most_bytes| ReadOptions { most_bytes: Some(most_bytes), ..options.clone() };
        assert_eq!(read("t.csv", content, &within(takes)).n_rows, 3);
        let (_folder, path) = file("t.csv", content);
        let error = read_table::<f64>(&path, &within(takes - 1)).unwrap_err();
        assert_eq!(error.problem, Problem::NoRoom);
    }
}

#[test]
fn every_delimiter_reads_the_same() {
    let plain = ReadOptions::default();
    let texts = ["1,2\n3,4", "1;2\r\n3;4\r\n", "1\t2\n3\t4\n", "1|2\n3|4", "  1   2\n  3   4 \n"];
    for text in texts {
        assert_eq!(read("t.txt", text, &plain).values, [1., 2., 3., 4.], "{text:?}");
    }
    assert_eq!(read("t.tsv", "1\t2", &plain).values, [1., 2.]);
    let odd = ReadOptions { delimiter: Some(b':'), ..plain };
    assert_eq!(read("t.csv", "1:2", &odd).values, [1., 2.]);
}

#[test]
fn columns_take_the_parts_they_are_given() {
    let options = ReadOptions {
        columns: Some(vec!["y".into(), "x".into()]),
        label_column: Some("class".into()),
        id_column: Some("name".into()),
        weight_column: Some("w".into()),
        ..Default::default()
    };
    let text = "\u{feff}name,x,note,y,w,class\n\"a, b\",1,hm,2,0.5,cat\nc,3,,4,2,\nd,5,,6,1,dog\n";
    let table = read("t.csv", text, &options);
    assert_eq!(table.values, [2., 1., 4., 3., 6., 5.]);
    assert_eq!(table.ids, Some(["a, b", "c", "d"].map(String::from).to_vec()));
    assert_eq!(table.labels, Some(vec![0, -1, 1]));
    assert_eq!(table.label_names, ["cat", "dog"]);
    assert_eq!(table.skipped_columns, ["note"]);
    let points = table.points().unwrap();
    assert_eq!(points.weights().unwrap(), [0.5, 2., 1.]);
    assert!(std::ptr::eq(points.values(), &table.values[..]), "borrowed, not copied");
}

#[test]
fn without_a_choice_every_other_column_is_a_feature() {
    let options = ReadOptions { label_column: Some("class".into()), ..Default::default() };
    let table = read("t.csv", "x,class,y\n1,7,2\n3,-1,4\n", &options);
    assert_eq!(table.columns, ["x", "y"]);
    assert_eq!((table.labels, table.label_names), (Some(vec![7, -1]), vec![]));
}

#[test]
fn gzip_is_known_by_its_bytes_and_may_have_several_members() {
    let mut bytes = Vec::new();
    for part in ["x,y\n1,2\n", "3,4\n"] {
        let mut encoder = flate2::write::GzEncoder::new(&mut bytes, flate2::Compression::fast());
        encoder.write_all(part.as_bytes()).unwrap();
        encoder.finish().unwrap();
    }
    assert_eq!(read("t.csv.gz", &bytes, &ReadOptions::default()).values, [1., 2., 3., 4.]);
    assert_eq!(read("t.csv", &bytes, &ReadOptions::default()).values, [1., 2., 3., 4.]);
}

/// An NPY file, version 1.0, as NumPy writes it.
fn npy(descr: &str, fortran: bool, shape: &str, data: &[u8]) -> Vec<u8> {
    let order = if fortran { "True" } else { "False" };
    let mut header =
        format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': ({shape}), }}");
    header.push_str(&" ".repeat(127 - (header.len() + 10) % 64));
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

#[test]
fn npy_arrays_of_every_number_type_and_order_are_read() {
    let plain = ReadOptions::default();
    let values = [1., 2., 3., 4., 5., 6.];
    let by = |bytes: fn(u8) -> Vec<u8>, order: [u8; 6]| -> Vec<u8> {
        order.into_iter().flat_map(bytes).collect()
    };
    let rows_first = [1, 2, 3, 4, 5, 6];
    let columns_first = [1, 4, 2, 5, 3, 6];
    let cases = [
        npy("<f4", false, "2, 3", &by(|v| f32::from(v).to_le_bytes().into(), rows_first)),
        npy(">f4", false, "2, 3", &by(|v| f32::from(v).to_be_bytes().into(), rows_first)),
        npy("<f8", true, "2, 3", &by(|v| f64::from(v).to_le_bytes().into(), columns_first)),
        npy(">f8", true, "2, 3", &by(|v| f64::from(v).to_be_bytes().into(), columns_first)),
        npy("|i1", false, "2, 3", &by(|v| vec![v], rows_first)),
        npy("|u1", true, "2, 3", &by(|v| vec![v], columns_first)),
        npy(">i2", false, "2, 3", &by(|v| i16::from(v).to_be_bytes().into(), rows_first)),
        npy("<u2", false, "2, 3", &by(|v| u16::from(v).to_le_bytes().into(), rows_first)),
        npy("<i4", false, "2, 3", &by(|v| i32::from(v).to_le_bytes().into(), rows_first)),
        npy(">u4", false, "2, 3", &by(|v| u32::from(v).to_be_bytes().into(), rows_first)),
        npy("<i8", false, "2, 3", &by(|v| i64::from(v).to_le_bytes().into(), rows_first)),
        npy(">u8", false, "2, 3", &by(|v| u64::from(v).to_be_bytes().into(), rows_first)),
    ];
    for (at, bytes) in cases.iter().enumerate() {
        let table = read("t.npy", bytes, &plain);
        assert_eq!((table.n_features, &table.values[..]), (3, &values[..]), "case {at}");
    }
    let one_column = read("t.npy", npy("|u1", false, "3,", &[7, 8, 9]), &plain);
    assert_eq!((one_column.n_rows, one_column.n_features), (3, 1));
    let options = ReadOptions {
        label_column: Some("f2".into()),
        id_column: Some("f0".into()),
        ..Default::default()
    };
    let table = read("t.npy", &cases[2], &options);
    assert_eq!((table.values, table.labels), (vec![2., 5.], Some(vec![3, 6])));
    assert_eq!(table.ids, Some(vec!["1".into(), "4".into()]));
}

#[test]
fn npy_files_that_are_not_matrices_of_numbers_are_refused() {
    let problem = |bytes: Vec<u8>| {
        let (_folder, path) = file("t.npy", bytes);
        read_table::<f64>(&path, &ReadOptions::default()).unwrap_err().problem
    };
    for descr in ["<c16", "|b1", "<U4", "<f2", "|O"] {
        let found = problem(npy(descr, false, "1, 1", &[0; 16]));
        assert!(matches!(found, Problem::NpyType { .. }), "{descr}: {found}");
    }
    let cube = problem(npy("|u1", false, "1, 1, 2", &[1, 2]));
    assert_eq!(cube, Problem::NpyShape { shape: vec![1, 1, 2] });
    for (shape, data) in [("2, 3", &[0; 20][..]), ("4000000000, 3", &[0; 20])] {
        let found = problem(npy("<f8", false, shape, data));
        assert!(matches!(found, Problem::Damaged { format: "NPY", .. }), "{found}");
    }
    assert!(matches!(problem(b"garbage, no array".to_vec()), Problem::Damaged { .. }));
    assert_eq!(problem(Vec::new()), Problem::Empty);
    assert_eq!(problem(npy("<f8", false, "0, 3", &[])), Problem::NoRows);
}

#[test]
fn npy_files_that_numpy_wrote_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join("npy");
    let read = |name: &str| read_table::<f64>(&folder.join(name), &ReadOptions::default());
    for name in ["f8", "f4_by_columns", "u2_big_endian", "f8_version_2"] {
        let table = read(&format!("{name}.npy")).unwrap();
        assert_eq!(table.values, [1., 2., 3., 4., 5., 6.], "{name}");
        assert_eq!((table.n_rows, table.n_features), (2, 3), "{name}");
    }
    assert_eq!(read("i8_one_column.npy").unwrap().values, [7., 8., 9.]);
    let found = "[('x', '<f8'), ('n', '<i4')]".to_owned();
    assert_eq!(read("records.npy").unwrap_err().problem, Problem::NpyType { found });
    let shape = Vec::new();
    assert_eq!(read("scalar.npy").unwrap_err().problem, Problem::NpyShape { shape });
}

#[test]
fn cut_or_scrambled_npy_files_are_errors_never_panics() {
    let whole = npy("<f8", false, "2, 3", &[0x3f; 48]);
    for keep in 1..whole.len() {
        let (_folder, path) = file("t.npy", &whole[..keep]);
        let error = read_table::<f64>(&path, &ReadOptions::default()).unwrap_err();
        assert!(matches!(error.problem, Problem::Damaged { .. }), "{keep} bytes: {error}");
    }
    for at in 0..whole.len() {
        let mut scrambled = whole.clone();
        scrambled[at] ^= 0x55;
        let (_folder, path) = file("t.npy", &scrambled);
        // A flipped bit of a value may still read well.
        let _ = read_table::<f64>(&path, &ReadOptions::default());
    }
}

#[test]
fn one_column_can_be_read_as_text() {
    let (_folder, path) = file("t.csv", "id,label\na,1\nb,\nc,x\n");
    assert_eq!(read_column(&path, None).unwrap(), ["1", "", "x"]);
    assert_eq!(read_column(&path, Some("id")).unwrap(), ["a", "b", "c"]);
    let (_folder, path) = file("t.txt", "3\n1\n3\n");
    assert_eq!(read_column(&path, None).unwrap(), ["3", "1", "3"]);
    let (_folder, path) = file("t.csv", "x,y\n1,2\n");
    let error = read_column(&path, None).unwrap_err();
    assert!(matches!(error.problem, Problem::WhichColumn { .. }), "{error}");
}

#[test]
fn a_type_with_a_line_break_in_it_is_shown_on_one_line() {
    // Found by fuzzing: the header's text went into the message as it was.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.npy");
    let header = "{'descr': '<f8\n', 'fortran_order': False, 'shape': (1,), }\n";
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend_from_slice(&(header.len() as u16).to_le_bytes());
    bytes.extend_from_slice(header.as_bytes());
    bytes.extend_from_slice(&[0; 8]);
    std::fs::write(&path, bytes).unwrap();
    let error = read_table::<f64>(&path, &ReadOptions::default()).unwrap_err();
    assert!(!error.to_string().contains('\n'), "{error:?}");
}
