//! The Python package: building its wheel, and trying that wheel as a user would get it.

use crate::python::{Environment, target};
use crate::{Failure, root, succeed};
use std::path::{Path, PathBuf};
use std::{fs, io};

const CRATE: &str = "crates/linkshift-py";

/// The version that `pyproject.toml` asks for.
const MATURIN: &str = "maturin>=1.9.4,<2";

/// What the tests use beyond what the package itself asks for.
const TEST_PACKAGES: &[&str] = &[
    "pytest",
    "pandas",
    "matplotlib",
    "pillow",
    "pyarrow",
    "dask[array,dataframe]",
    "distributed",
];

/// Leaves the wheel in `dist/`, in place of any that was there.
pub(crate) fn run() -> Result<(), Failure> {
    let wheel = build(&root().join("dist"))?;
    let size = fs::metadata(&wheel).map_err(|error| error.to_string())?.len();
    let name = wheel.file_name().unwrap_or_default().to_string_lossy();
    println!("dist/{name}, {:.1} MB", size as f64 / 1e6);
    Ok(())
}

/// Installs a wheel in a fresh environment, first with nothing but what it asks for, and runs its
/// tests there.
pub(crate) fn test() -> Result<(), Failure> {
    let environment = for_tests()?;
    succeed(&mut environment.command(&["-m", "pytest", "--quiet", "-p", "no:cacheprovider", CRATE]))
}

/// An environment with a fresh wheel, tried with nothing but what it asks for, and what tests use.
pub(crate) fn for_tests() -> Result<Environment, Failure> {
    let environment = installed("py-test-venv", &[])?;
    succeed(&mut environment.command(&["-c", "import linkshift; print(linkshift.__version__)"]))?;
    environment.install(TEST_PACKAGES)?;
    Ok(environment)
}

/// A fresh environment with a fresh wheel and some packages.
pub(crate) fn installed(name: &str, packages: &[&str]) -> Result<Environment, Failure> {
    let wheel = build(&target().join("fresh-wheel"))?;
    let environment = Environment::new(name);
    environment.make()?;
    environment.install(&[&[&*wheel.to_string_lossy()], packages].concat())?;
    Ok(environment)
}

/// The wheel, built into a folder in place of any that was there; in release, whose dependencies
/// the other tests have compiled already.
pub(crate) fn build(folder: &Path) -> Result<PathBuf, Failure> {
    let environment = Environment::new("py-venv");
    if !environment.has("maturin") {
        environment.make()?;
        environment.install(&[MATURIN])?;
    }
    let manifest = format!("{CRATE}/Cargo.toml");
    let read = |error: io::Error| format!("cannot read {}: {error}", folder.display());
    for old in wheels(folder).map_err(read)? {
        fs::remove_file(&old)
            .map_err(|error| format!("cannot remove {}: {error}", old.display()))?;
    }
    let build = ["-m", "maturin", "build", "--quiet", "--release"];
    let build = &mut environment.command(&build);
    succeed(build.args(["--manifest-path", &manifest, "--out"]).arg(folder))?;
    let wheels = wheels(folder).map_err(read)?;
    wheels.into_iter().next().ok_or_else(|| "maturin left no wheel".into())
}

/// Our wheels in a folder, if it is there.
fn wheels(folder: &Path) -> io::Result<Vec<PathBuf>> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    let is_wheel = |name: &str| name.starts_with("linkshift-") && name.ends_with(".whl");
    let ours = entries.iter().filter(|entry| is_wheel(&entry.file_name().to_string_lossy()));
    Ok(ours.map(|entry| entry.path()).collect())
}
