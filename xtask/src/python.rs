//! Python for the chores that need one: environments of their own under the target folder.

use crate::{Failure, root, succeed};
use std::path::PathBuf;
use std::process::Command;

/// The oldest Python that the package runs on; as in `crates/linkshift-py/pyproject.toml`.
const OLDEST: (u32, u32) = (3, 10);

/// A virtual environment under the target folder.
pub(crate) struct Environment {
    folder: PathBuf,
}

impl Environment {
    pub(crate) fn new(name: &str) -> Self {
        Self { folder: target().join(name) }
    }

    /// The interpreter in it.
    pub(crate) fn python(&self) -> PathBuf {
        self.folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
    }

    /// Its interpreter, to be run at the workspace's root.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(self.python());
        command.args(args).current_dir(root());
        command
    }

    /// Whether it is there and has a module.
    pub(crate) fn has(&self, module: &str) -> bool {
        let import = self.command(&["-c", &format!("import {module}")]).output();
        import.is_ok_and(|output| output.status.success())
    }

    /// Makes it anew and empty.
    pub(crate) fn make(&self) -> Result<(), Failure> {
        check_version()?;
        println!("making a Python environment in {}", self.folder.display());
        succeed(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&self.folder))
    }

    pub(crate) fn install(&self, packages: &[&str]) -> Result<(), Failure> {
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        succeed(self.command(&pip).args(packages))
    }
}

/// The target folder.
pub(crate) fn target() -> PathBuf {
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from);
    root().join(target)
}

fn check_version() -> Result<(), Failure> {
    let (major, minor) = OLDEST;
    let need = format!("Python {major}.{minor} or later is needed, as `python3`");
    let output = Command::new("python3").arg("--version").output();
    let output = output.map_err(|error| format!("{need}, but it does not start: {error}"))?;
    let told = String::from_utf8_lossy(&output.stdout);
    match version(&told) {
        Some(found) if found >= OLDEST => Ok(()),
        _ => Err(format!("{need}; it says: {}", told.trim())),
    }
}

/// The version in `Python 3.12.1`.
fn version(told: &str) -> Option<(u32, u32)> {
    let mut parts = told.trim().strip_prefix("Python ")?.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert_eq!(version("Python 3.9.18\n"), Some((3, 9)));
        assert!(version("Python 3.13.0rc1").is_some_and(|found| found >= OLDEST));
        assert!(version("Python 3.9.18").is_some_and(|found| found < OLDEST));
        assert_eq!(version("command not found"), None);
    }
}
