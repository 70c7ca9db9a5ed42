//! Files that belong together appear together, or none of them does.

use linkshift_io::{IoError, Output, Problem, Staged, write_beside, write_labels};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::{fs, io};
use tempfile::TempDir;

fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().to_owned();
    (folder, path)
}

fn n_entries(folder: &Path) -> usize {
    fs::read_dir(folder).expect("a folder").count()
}

fn write(text: &'static str) -> impl FnOnce(&Path) -> Result<(), IoError> {
    move |path| write_beside(path, |file| file.write_all(text.as_bytes()))
}

#[test]
fn all_files_are_put_in_place_at_the_end() {
    let (_folder, folder) = folder();
    let [first, second] = ["first.txt", "second.txt"].map(|name| folder.join(name));
    fs::write(&first, "old").unwrap();
    let outputs = [&first, &second].map(|path| Output::check(path, &[]).unwrap());
    let mut staged = Staged::default();
    staged.add(&outputs[0], write("new")).unwrap();
    staged.add(&outputs[1], write("newer")).unwrap();
    assert_eq!(fs::read_to_string(&first).unwrap(), "old");
    assert!(!second.exists());
    staged.place().unwrap();
    assert_eq!(fs::read_to_string(&first).unwrap(), "new");
    assert_eq!(fs::read_to_string(&second).unwrap(), "newer");
    assert_eq!(n_entries(&folder), 2, "nothing is left behind");
}

#[test]
fn one_failure_leaves_every_place_as_it_was() {
    let (_folder, folder) = folder();
    let [first, second] = ["first.txt", "second.txt"].map(|name| folder.join(name));
    fs::write(&first, "old").unwrap();
    let mut staged = Staged::default();
    staged.add(&Output::check(&first, &[]).unwrap(), write("new")).unwrap();
    let output = Output::check(&second, &[]).unwrap();
    let failed = staged
        .add(&output, |path| write_beside(path, |_| Err(io::Error::other("the cable was pulled"))));
    let error = failed.unwrap_err();
    assert_eq!(error.place.file, second, "the user's name for it, not ours");
    drop(staged);
    assert_eq!(fs::read_to_string(&first).unwrap(), "old");
    assert_eq!(n_entries(&folder), 1);
}

#[test]
fn an_error_about_another_file_keeps_its_name() {
    let (_folder, folder) = folder();
    let output = Output::check(&folder.join("labels.csv"), &[]).unwrap();
    let input = folder.join("input.csv");
    let failed =
        Staged::default().add(&output, |_| linkshift_io::read_column(&input, None).map(|_| ()));
    assert_eq!(failed.unwrap_err().place.file, input);
}

#[test]
fn what_cannot_be_written_is_known_before_the_work() {
    let (_folder, folder) = folder();
    let missing = Output::check(&folder.join("no").join("such.csv"), &[]).unwrap_err();
    assert!(matches!(missing.problem, Problem::Write { .. }), "{missing}");
    assert!(!missing.to_string().contains(".linkshift-"), "{missing}");
    assert!(Output::check(&folder, &[]).is_err(), "a folder is no file");
    let input = folder.join("data.csv");
    fs::write(&input, "x\n1\n").unwrap();
    let itself = Output::check(&folder.join(".").join("data.csv"), &[&input]).unwrap_err();
    assert_eq!(itself.problem, Problem::IsInput);
    assert!(Output::check(&folder.join("new.csv"), &[&input]).is_ok());
    assert_eq!(n_entries(&folder), 1, "checking touches nothing");
}

#[test]
fn an_error_keeps_what_the_operating_system_said() {
    let (_folder, folder) = folder();
    let error = write_labels(&folder.join("no").join("such.csv"), &[0], None).unwrap_err();
    assert_eq!(error.kind(), Some(io::ErrorKind::NotFound));
    let source = error.source().and_then(|source| source.downcast_ref::<io::Error>());
    assert_eq!(source.map(io::Error::kind), Some(io::ErrorKind::NotFound));
    let broken = write_beside(&folder.join("pipe"), |_| Err(io::ErrorKind::BrokenPipe.into()));
    assert_eq!(broken.unwrap_err().kind(), Some(io::ErrorKind::BrokenPipe));
}

#[cfg(unix)]
#[test]
fn permissions_and_symbolic_links_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let (_folder, folder) = folder();
    let [real, alias] = ["real.csv", "alias.csv"].map(|name| folder.join(name));
    fs::write(&real, "old").unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&real, &alias).unwrap();
    let mut staged = Staged::default();
    staged.add(&Output::check(&alias, &[]).unwrap(), write("new")).unwrap();
    staged.place().unwrap();
    assert!(fs::symlink_metadata(&alias).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&real).unwrap(), "new");
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
}
