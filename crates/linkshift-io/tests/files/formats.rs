//! Every format has a name, and what is written under it is what it says.

use linkshift::params::Named;
use linkshift_io::{Format, ReadOptions, read_table, write_table};
use std::path::Path;

#[test]
fn names_are_those_that_files_end_in() {
    for &format in Format::ALL {
        assert_eq!(Format::parse(format.name()), Some(format));
        let file = format!("points.{}", format.name());
        assert_eq!(Format::of(Path::new(&file)).unwrap(), format);
        for extension in format.extensions() {
            assert!(Format::of(Path::new(&format!("points.{extension}"))).is_ok());
        }
    }
}

#[test]
fn each_format_begins_as_it_must() {
    // The first bytes by the formats' own documents: gzip, Parquet, Arrow, NPY.
    let starts: [(&str, &[u8]); 7] = [
        ("csv", b"x,y\n"),
        ("csv.gz", b"\x1f\x8b"),
        ("tsv", b"x\ty\n"),
        ("tsv.gz", b"\x1f\x8b"),
        ("parquet", b"PAR1"),
        ("arrow", b"ARROW1"),
        ("npy", b"\x93NUMPY"),
    ];
    assert_eq!(
        starts.map(|(name, _)| name)[..],
        Format::ALL.iter().map(|f| f.name()).collect::<Vec<_>>()
    );
    let folder = tempfile::tempdir().unwrap();
    for (name, start) in starts {
        let path = folder.path().join(format!("points.{name}"));
        write_table(&path, &["x".into(), "y".into()], &[1.0, 2.0], None).unwrap();
        assert!(std::fs::read(&path).unwrap().starts_with(start), "{name}");
        let table = read_table::<f64>(&path, &ReadOptions::default()).unwrap();
        assert_eq!(table.values, [1.0, 2.0], "{name}");
    }
}
