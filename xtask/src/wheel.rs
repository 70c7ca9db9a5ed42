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
    let wheel = wheels.into_iter().next().ok_or("maturin left no wheel")?;
    let list = &mut environment.command(&["-m", "zipfile", "--list"]);
    let output = list.arg(&wheel).output().map_err(|error| format!("python3: {error}"))?;
    let odd = odd_files(&files(&String::from_utf8_lossy(&output.stdout)), &sources()?);
    match odd.is_empty() {
        true => Ok(wheel),
        false => Err(format!("the wheel: {}", odd.join(", "))),
    }
}

/// The names in Python's list of an archive: a line of titles, then a line for each, which ends with day,
/// time and size. A long name is followed by a single space.
fn files(list: &str) -> Vec<String> {
    let name = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        words[..words.len().saturating_sub(3)].join(" ")
    };
    list.lines().skip(1).map(name).collect()
}

/// The package's own files, as they lie in the wheel.
fn sources() -> Result<Vec<String>, Failure> {
    let folder = root().join(CRATE).join("python/linkshift");
    let read = |error: io::Error| format!("cannot read {}: {error}", folder.display());
    let entries = fs::read_dir(&folder).map_err(read)?.collect::<io::Result<Vec<_>>>();
    let names = entries.map_err(read)?;
    let names = names.iter().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let is_source = |name: &String| [".py", ".pyi", ".typed"].iter().any(|end| name.ends_with(end));
    Ok(names.filter(is_source).map(|name| format!("linkshift/{name}")).collect())
}

/// What should not be among the files of the wheel, and what is missing there.
fn odd_files(files: &[String], sources: &[String]) -> Vec<String> {
    /// What says of a wheel what it is.
    const ABOUT: &[&str] = &["METADATA", "WHEEL", "RECORD", "entry_points.txt"];
    const LICENCES: &[&str] = &["licenses/LICENSE-APACHE", "licenses/LICENSE-MIT"];
    let about = |file: &str| {
        let folder = file.strip_prefix("linkshift-")?;
        folder.split_once(".dist-info/").map(|(_, name)| name.to_owned())
    };
    let belongs = |file: &String| {
        let is_module = file.starts_with("linkshift/_core.")
            && [".so", ".pyd"].iter().any(|end| file.ends_with(end));
        let is_about =
            about(file).is_some_and(|name| ABOUT.contains(&&*name) || LICENCES.contains(&&*name));
        is_module || is_about || sources.contains(file)
    };
    let odd = files.iter().filter(|file| !belongs(file)).map(|file| format!("what is {file} for?"));
    let has = |wanted: &&&str| files.iter().any(|file| about(file).as_deref() == Some(**wanted));
    let missing = ABOUT.iter().chain(LICENCES).filter(|wanted| !has(wanted));
    let lost = sources.iter().filter(|source| !files.contains(source)).cloned();
    odd.chain(missing.map(|name| (*name).to_owned()).chain(lost).map(|name| format!("no {name}")))
        .collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_belong_into_a_wheel_is_named() {
        let list = "File Name    Modified    Size\n\
                    linkshift/_core.abi3.so    2026-01-01 00:00:00    9\n\
                    linkshift/a.py    2026-01-01 00:00:00    9\n\
                    linkshift/notes.txt    2026-01-01 00:00:00    9\n\
                    linkshift-0.1.0.dist-info/METADATA    2026-01-01 00:00:00    9\n\
                    linkshift-0.1.0.dist-info/WHEEL    2026-01-01 00:00:00    9\n\
                    linkshift-0.1.0.dist-info/RECORD    2026-01-01 00:00:00    9\n\
                    linkshift-0.1.0.dist-info/entry_points.txt    2026-01-01 00:00:00    9\n\
                    linkshift-0.1.0.dist-info/licenses/LICENSE-MIT 2026-01-01 00:00:00    9\n";
        let sources = ["linkshift/a.py".to_owned(), "linkshift/b.py".to_owned()];
        let expected =
            ["what is linkshift/notes.txt for?", "no licenses/LICENSE-APACHE", "no linkshift/b.py"];
        assert_eq!(odd_files(&files(list), &sources), expected);
    }
}
