//! Files are complete or not there, and what cannot be written leaves everything as it was.

use linkshift_io::{Problem, write_beside, write_labels, write_table};
use std::fs;
use std::io;
use std::path::Path;

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let name = |entry: io::Result<fs::DirEntry>| entry.expect("an entry").file_name();
    entries.map(|entry| name(entry).to_string_lossy().into_owned()).collect()
}

#[test]
fn a_writer_that_fails_leaves_the_old_file_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("labels.csv");
    let fail = |file: &mut (dyn io::Write + Send)| {
        file.write_all(&[b'x'; 1 << 20])?;
        Err(io::Error::other("the cable was pulled"))
    };
    let error = write_beside(&path, fail).unwrap_err();
    assert_eq!(names(folder.path()), [""; 0], "nothing there, nothing left behind");
    assert!(error.to_string().contains("labels.csv"), "{error}");
    assert!(error.to_string().contains("the cable was pulled"), "{error}");
    fs::write(&path, "old").unwrap();
    assert!(write_beside(&path, fail).is_err());
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(names(folder.path()), ["labels.csv"]);
    write_beside(&path, |file| file.write_all(b"new")).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    assert_eq!(names(folder.path()), ["labels.csv"]);
}

#[test]
fn a_target_that_cannot_be_written_is_named_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("no").join("such.csv");
    let message = write_labels(&missing, &[0], None).unwrap_err().to_string();
    assert!(message.contains("such.csv: it cannot be written (No such file"), "{message}");
    assert!(!message.contains(".linkshift-"), "{message}");
    let error = write_beside(folder.path(), |_| Ok(())).unwrap_err();
    assert!(matches!(error.problem, Problem::Write { .. }), "{error}");
    let error = write_labels(&folder.path().join("labels.doc"), &[0], None).unwrap_err();
    assert_eq!(error.problem, Problem::UnknownFormat);
}

#[test]
fn columns_of_unequal_length_are_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    let columns = ["x", "y"].map(String::from);
    assert!(write_labels(&path, &[0, 1], Some(&columns[..1])).is_err());
    assert!(write_table(&path, &columns, &[1.0, 2.0, 3.0], None).is_err());
    assert!(write_table(&path, &columns, &[1.0, 2.0], Some(&[1, 2])).is_err());
    assert!(write_table::<f32>(&path, &[], &[], None).is_err());
    let npy = folder.path().join("t.npy");
    let error = write_table(&npy, &columns, &[1.0, 2.0], Some(&[1])).unwrap_err();
    assert!(matches!(error.problem, Problem::CannotHold { .. }), "{error}");
    assert_eq!(names(folder.path()), [""; 0]);
}

#[test]
fn numbers_are_written_short() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    let values = [0.1_f32, -3.0, 1e-20, 1e30];
    write_table(&path, &["x".into(), "y".into()], &values, None).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "x,y\n0.1,-3\n1e-20,1e30\n");
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn permissions_and_symbolic_links_stay() {
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().join("real.csv");
        let alias = folder.path().join("alias.csv");
        fs::write(&real, "old").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&real, &alias).unwrap();
        write_labels(&alias, &[1], None).unwrap();
        assert!(fs::symlink_metadata(&alias).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&real).unwrap(), "label\n1\n");
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    }

    #[test]
    fn devices_are_written_directly() {
        write_beside(Path::new("/dev/null"), |file| file.write_all(b"gone")).unwrap();
        let full = Path::new("/dev/full");
        if full.exists() {
            let error = write_beside(full, |file| file.write_all(b"x")).unwrap_err();
            assert!(error.to_string().contains("No space left"), "{error}");
        }
    }
}
