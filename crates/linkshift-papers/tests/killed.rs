//! kill −9 at moments spread over a run: what is in the journal stays there, the next run goes on from it, and
//! every other file is the old one or the new one, whole. `LINKSHIFT_KILLS=500` kills so often.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A second at most, with tables and pictures, and without data of others.
const EXPERIMENT: &str = "spectral-figure-2";

const JOURNAL: &str = "repeats.tsv";

fn command(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_linkshift-papers"));
    command.args([EXPERIMENT, "--quick", "--out"]).arg(folder);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// All files by name.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let entries = fs::read_dir(folder).into_iter().flatten();
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths.map(|path| (name(&path), fs::read(&path).expect("a file"))).collect()
}

/// Experiment, set, method, settings, seed and values of each whole line: all but how long it took.
fn repeats(journal: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(journal);
    let whole = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    whole.map(|line| line.split('\t').take(6).collect::<Vec<_>>().join("\t")).collect()
}

#[test]
fn a_run_that_is_killed_goes_on_from_its_journal() {
    let n_kills: u32 =
        std::env::var("LINKSHIFT_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(12);
    let place = tempfile::tempdir().expect("a folder");
    let whole = place.path().join("whole");
    let begin = Instant::now();
    assert!(command(&whole).status().expect("it runs").success());
    let took = begin.elapsed();
    let mut expected = files(&whole);
    let all = repeats(&expected.remove(JOURNAL).expect("a journal"));

    let folder = place.path().join("killed");
    let (mut known, mut n_stopped) = (0, 0);
    for round in 0..n_kills {
        let mut child = command(&folder).spawn().expect("it runs");
        let moment = took.mul_f64(f64::from(round * 7919 % n_kills) / f64::from(n_kills) * 0.8);
        std::thread::sleep(moment.max(Duration::from_millis(1)));
        child.kill().expect("SIGKILL");
        n_stopped += u32::from(!child.wait().expect("an end").success());
        let mut found = files(&folder);
        let told = repeats(&found.remove(JOURNAL).unwrap_or_default());
        // Repeats are done in order, so those that are there are the first ones.
        assert!(told.len() >= known && told[..] == all[..told.len()], "after {moment:?}: {told:?}");
        known = told.len();
        for (name, bytes) in found.iter().filter(|(name, _)| !name.starts_with('.')) {
            assert!(expected.get(name) == Some(bytes), "{name} is not whole after {moment:?}");
        }
        if told.len() == all.len() && found.len() >= expected.len() {
            fs::remove_dir_all(&folder).expect("a folder");
            known = 0;
        }
    }
    assert!(n_stopped > 0, "no kill came before the end");
    assert!(command(&folder).status().expect("it runs").success());
    let mut found = files(&folder);
    assert_eq!(repeats(&found.remove(JOURNAL).expect("a journal")), all);
    found.retain(|name, _| !name.starts_with('.'));
    assert!(found == expected, "the tables differ");
}
