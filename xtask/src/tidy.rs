//! The rules of the house that no compiler knows.
//!
//! Each rule is a function from text to findings; this file reads the workspace and gathers them.

mod book;
mod copies;
mod directions;
mod documents;
mod paths;
mod sources;

use crate::{Failure, root};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Folders that programs make.
const MADE: &[&str] = &["target", "dist", "__pycache__", "node_modules"];

/// Checks all rules; fails with one line per finding.
pub(crate) fn run() -> Result<(), Failure> {
    let findings = findings(&root()).map_err(|error| format!("cannot read it all: {error}"))?;
    if findings.is_empty() {
        println!("tidy");
        return Ok(());
    }
    Err(format!("not tidy:\n  {}", findings.join("\n  ")))
}

fn findings(root: &Path) -> io::Result<Vec<String>> {
    let mut entries = Vec::new();
    list(root, Path::new(""), &mut entries)?;
    let mut findings = Vec::new();
    let mut all_sources = Vec::new();
    for entry in &entries {
        let text = || fs::read_to_string(root.join(entry));
        match entry.rsplit('/').next() {
            Some("Cargo.toml") if entry != "Cargo.toml" => {
                findings.extend(directions::check(entry, &text()?));
            }
            Some(name) if name.ends_with(".md") => {
                findings.extend(documents::check(entry, &text()?, &entries));
                if ["ARCHITECTURE.md", "CONTRIBUTING.md"].contains(&name) {
                    findings.extend(paths::check(entry, &text()?, &entries));
                }
                if name == "ARCHITECTURE.md" {
                    findings.extend(directions::check_table(entry, &text()?));
                }
            }
            Some(name)
                if [".rs", ".py", ".ts", ".tsx", ".mjs", ".css"]
                    .iter()
                    .any(|end| name.ends_with(end)) =>
            {
                let text = text()?;
                findings.extend(sources::check(entry, &text));
                all_sources.push((entry.clone(), text));
            }
            _ => {}
        }
    }
    findings.extend(copies::check(&all_sources));
    findings.extend(book::check(&fs::read_to_string(root.join(book::SUMMARY))?, &entries));
    if !entries.iter().any(|entry| entry == "ARCHITECTURE.md") {
        findings.push("ARCHITECTURE.md is missing".to_string());
    }
    Ok(findings)
}

/// All files and folders below `folder`, relative to `root`, with `/` between and after folders.
/// Hidden folders and what programs make are left out.
fn list(root: &Path, folder: &Path, entries: &mut Vec<String>) -> io::Result<()> {
    let mut children: Vec<PathBuf> = fs::read_dir(root.join(folder))?
        .map(|entry| entry.map(|entry| folder.join(entry.file_name())))
        .collect::<io::Result<_>>()?;
    children.sort();
    for child in children {
        let path = child.to_string_lossy().replace('\\', "/");
        if !root.join(&child).is_dir() {
            entries.push(path);
            continue;
        }
        entries.push(format!("{path}/"));
        let name = path.rsplit('/').next().unwrap_or_default();
        if !name.starts_with('.') && !MADE.contains(&name) {
            list(root, &child, entries)?;
        }
    }
    Ok(())
}
