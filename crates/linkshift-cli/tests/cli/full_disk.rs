//! A disk without space: the old file stays, nothing half written is left.

use crate::common::Place;
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::Command;

/// A disk of 64 kB; gone when dropped.
struct SmallDisk {
    at: PathBuf,
}

impl SmallDisk {
    /// None without the right to mount.
    fn mount(place: &Place) -> Option<Self> {
        let at = place.path().join("disk");
        fs::create_dir(&at).unwrap();
        let mount = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"])
            .arg(&at)
            .output();
        mount.is_ok_and(|mount| mount.status.success()).then_some(SmallDisk { at })
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let unmounted = Command::new("umount").arg(&self.at).status();
        assert!(unmounted.is_ok_and(|status| status.success()));
    }
}

#[test]
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn a_full_disk_keeps_the_old_file() {
    let place = Place::new();
    let Some(disk) = SmallDisk::mount(&place) else {
        eprintln!("skipped: mounting a small disk is not permitted here");
        return;
    };
    // Labels of two bytes each: 40,000 of them do not fit.
    place.write("data.csv", format!("x\n{}", "0\n9\n".repeat(20_000)));
    let labels = disk.at.join("labels.csv");
    fs::write(&labels, "old").unwrap();
    // The picture, on a disk with space, must not appear without the labels.
    let run = place.run("fit data.csv --method mean-shift -o disk/labels.csv --plot picture.png");
    run.is_refused(&["disk/labels.csv", "No space left", "space left"]);
    assert_eq!(fs::read_to_string(&labels).unwrap(), "old");
    assert_eq!(fs::read_dir(&disk.at).unwrap().count(), 1, "something is left behind");
    assert!(!place.path().join("picture.png").exists());
}

#[test]
fn a_standard_output_without_space_is_an_error() {
    let place = Place::new();
    for args in ["methods", "make moons", "completions bash"] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = place.command(args).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args}");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains("No space left") && stderr.lines().count() == 1, "{stderr}");
    }
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    use std::io::Read;
    use std::process::Stdio;
    let place = Place::new();
    // More than a pipe holds, so that the writer still writes when the reader leaves.
    let mut child = place
        .command("make moons -n 100000")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 4];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    assert_eq!(&first, b"x,y,");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(output.stderr, b"");
}
