//! The studio's page: its built form lies in the repository, so that cargo never needs npm. Here
//! it is built anew, compared with its sources, and tried in a real browser.

mod browser;
mod hash;

use crate::python::target;
use crate::test::built;
use crate::{Failure, cargo, root, succeed};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const PAGE: &str = "crates/linkshift-studio/page";
/// What the program embeds.
const BUNDLE: &[&str] = &["app.css", "app.js", "icon.svg", "index.html"];
/// What a bundle is made of; tests and mocks are not part of it.
const SOURCES: &[&str] = &[
    "index.html",
    "package.json",
    "package-lock.json",
    "public",
    "src",
    "tsconfig.json",
    "vite.config.mjs",
];
/// In the folder of the bundle: a hash of the sources it was built from, and its own.
const HASHES: &str = "hashes.txt";

fn page() -> PathBuf {
    root().join(PAGE)
}

/// `cargo xtask studio`: builds the page and writes down what it was built from. With pictures,
/// also the pictures of the documents, as a browser shows the page.
pub(crate) fn run(args: &[&str]) -> Result<(), Failure> {
    match args {
        [] => rebuild(),
        ["--pictures"] => {
            build_program()?;
            let browser = browser::find()?.ok_or("there is no browser to take pictures with")?;
            packages()?;
            succeed(&mut browser_tests(
                &browser,
                &["tests/browser/pictures.test.mjs"],
                Some("docs/studio"),
            ))
        }
        _ => Err("usage: cargo xtask studio [--pictures]".into()),
    }
}

fn rebuild() -> Result<(), Failure> {
    packages()?;
    succeed(&mut npm(&["run", "--silent", "build"]))?;
    let hashes = hashes(&page().join("dist"))?;
    write(&page().join("dist").join(HASHES), &hashes)?;
    println!("{PAGE}/dist is built; commit it with the sources");
    Ok(())
}

/// The stage of `cargo xtask test`.
pub(crate) fn test() -> Result<(), Failure> {
    check_hashes()?;
    if !there("npm") || !there("node") {
        println!(
            "skipped: without node and npm the page is neither rebuilt nor tried in a browser"
        );
        return Ok(());
    }
    if let Err(failure) = packages() {
        println!("skipped: npm cannot fetch what the page is built with ({failure})");
        return Ok(());
    }
    compare_with_a_rebuild()?;
    succeed(&mut node(&["--test", "tests/unit/"]))?;
    match browser::find()? {
        Some(browser) => {
            build_program()?;
            succeed(&mut browser_tests(&browser, &["tests/browser/"], None))
        }
        None => {
            println!("skipped: no Chromium here, and none can be installed");
            Ok(())
        }
    }
}

/// `cargo xtask bench studio`: a million points.
pub(crate) fn bench() -> Result<(), Failure> {
    build_program()?;
    packages()?;
    let browser =
        browser::find()?.ok_or("the studio is measured in Chromium, which is not here")?;
    let mut command = node(&["tests/bench.mjs"]);
    succeed(with_places(&mut command, &browser))
}

/// `cargo xtask bench studio --dialogue`: 60,000 embeddings, 200 answers, 10 of them wrong.
pub(crate) fn dialogue() -> Result<(), Failure> {
    build_program()?;
    packages()?;
    // No browser is needed: the script speaks to the server as a page would.
    succeed(with_places(&mut node(&["tests/dialogue.mjs"]), Path::new("none")))
}

fn build_program() -> Result<(), Failure> {
    succeed(&mut cargo(&["build", "--release", "--quiet", "--package", "linkshift-cli"]))
}

fn browser_tests(browser: &Path, files: &[&str], pictures: Option<&str>) -> Command {
    // One file at a time: two browsers with a software renderer on two cores only measure each
    // other.
    let mut command = node(&["--test", "--test-concurrency=1"]);
    command.args(files);
    with_places(&mut command, browser);
    let folder = pictures.map_or_else(|| target().join("studio-pictures"), |to| root().join(to));
    command.env("LINKSHIFT_PICTURES", folder);
    command
}

fn with_places<'a>(command: &'a mut Command, browser: &Path) -> &'a mut Command {
    command
        .env("LINKSHIFT_PROGRAM", built("linkshift").get_program())
        .env("LINKSHIFT_BROWSER", browser)
}

/// Fetches the packages that the lock names, unless they are there.
fn packages() -> Result<(), Failure> {
    let lock = fs::read(page().join("package-lock.json")).map_err(|error| error.to_string())?;
    let stamp = page().join("node_modules/.linkshift-lock");
    if fs::read(&stamp).is_ok_and(|old| old == lock) {
        return Ok(());
    }
    succeed(&mut npm(&["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]))?;
    fs::write(&stamp, lock).map_err(|error| error.to_string())
}

/// The bundle is the one that the sources say it is; this needs no npm.
fn check_hashes() -> Result<(), Failure> {
    let file = page().join("dist").join(HASHES);
    let stored = fs::read_to_string(&file).unwrap_or_default();
    if stored == hashes(&page().join("dist"))? {
        return Ok(());
    }
    Err(format!(
        "{PAGE}/dist was not built from these sources: run `cargo xtask studio` and commit what it makes"
    ))
}

fn compare_with_a_rebuild() -> Result<(), Failure> {
    let folder = target().join("studio-page");
    let out = folder.to_string_lossy().into_owned();
    let mut build = npm(&[
        "run",
        "--silent",
        "build",
        "--",
        "--logLevel",
        "warn",
        "--emptyOutDir",
        "--outDir",
        &out,
    ]);
    succeed(&mut build)?;
    for name in BUNDLE {
        let read =
            |folder: &Path| fs::read(folder.join(name)).map_err(|error| format!("{name}: {error}"));
        if read(&folder)? != read(&page().join("dist"))? {
            return Err(format!(
                "{PAGE}/dist/{name} is not what its sources give: run `cargo xtask studio`"
            ));
        }
    }
    Ok(())
}

/// One line for the sources, one for the bundle in `folder`.
fn hashes(folder: &Path) -> Result<String, Failure> {
    let sources = hash::of(&page(), SOURCES)?;
    let bundle = hash::of(folder, BUNDLE)?;
    Ok(format!("sources {sources}\nbundle {bundle}\n"))
}

fn write(file: &Path, text: &str) -> Result<(), Failure> {
    fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}

fn there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

fn npm(args: &[&str]) -> Command {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.args(args).current_dir(page());
    command
}

fn node(args: &[&str]) -> Command {
    let mut command = Command::new("node");
    command.args(args).current_dir(page());
    command
}
