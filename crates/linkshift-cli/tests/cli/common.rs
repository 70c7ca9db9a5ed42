//! Runs the command line as a process, in a folder of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// What takes longer hangs, on any machine: nothing here takes a hundredth of it on a slow one.
pub(crate) const PATIENCE: Duration = Duration::from_secs(600);

/// Seconds of the processor that a run has had so far, where the system tells (Linux): unlike those of the
/// clock they do not grow when others use the machine.
pub(crate) fn processor_seconds(child: &Child) -> Option<f64> {
    const PER_SECOND: f64 = 100.0; // the unit of the file on every Linux
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
    // The name in brackets may hold blanks; user and system time are the 12th and 13th field after it.
    let fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11).take(2);
    let ticks: Option<f64> = fields.map(|field| field.parse::<f64>().ok()).sum();
    Some(ticks? / PER_SECOND)
}

/// A folder in which `linkshift` is run.
pub(crate) struct Place {
    folder: TempDir,
}

/// What a run left behind.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Place {
    pub(crate) fn new() -> Self {
        Place { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path().join(name), content).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap()
    }

    /// Every file with its bytes, hidden ones too.
    pub(crate) fn listing(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut files: Vec<PathBuf> =
            fs::read_dir(self.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files.into_iter().map(|file| (file.clone(), fs::read(&file).unwrap_or_default())).collect()
    }

    /// A command that is ready to run; arguments are separated by spaces.
    pub(crate) fn command(&self, args: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_linkshift"));
        command.args(args.split_whitespace()).current_dir(self.path()).stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, args: &str) -> Run {
        let Output { status, stdout, stderr } = self.command(args).output().unwrap();
        Run {
            code: status.code(),
            stdout: String::from_utf8(stdout).unwrap(),
            stderr: String::from_utf8(stderr).unwrap(),
        }
    }

    /// A run that must succeed.
    pub(crate) fn good(&self, args: &str) -> Run {
        let run = self.run(args);
        assert_eq!(run.code, Some(0), "{args}: {}", run.stderr);
        run
    }
}

impl Run {
    /// Exit code 2 and a single line that says all of `words`.
    pub(crate) fn is_refused(&self, words: &[&str]) {
        assert_eq!(self.code, Some(2), "{}{}", self.stdout, self.stderr);
        assert_eq!(self.stdout, "");
        assert_eq!(self.stderr.lines().count(), 1, "{}", self.stderr);
        assert!(self.stderr.starts_with("error: "), "{}", self.stderr);
        for word in words {
            assert!(self.stderr.contains(word), "{word:?} is not in: {}", self.stderr);
        }
    }
}
