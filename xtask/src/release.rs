//! Whether a release could go out: versions agree, the changelog knows it, crates and wheel are packed.

use crate::{Failure, USAGE, package, root, wheel};
use std::fs;
use std::path::Path;

/// Tries everything but the publishing, which is done by hand (RELEASING.md).
pub(crate) fn run(args: &[&str]) -> Result<(), Failure> {
    if args != ["--dry-run"] {
        return Err(format!(
            "a release is tried with --dry-run, and published by hand: see RELEASING.md\n{USAGE}"
        ));
    }
    let read = |name: &str| {
        fs::read_to_string(root().join(name))
            .map_err(|error| format!("cannot read {name}: {error}"))
    };
    let version = version(&read("Cargo.toml")?)?;
    let mut findings = others(&read("Cargo.toml")?, &version);
    findings.extend(citation(&read("CITATION.cff")?, &version));
    let changelog = read("CHANGELOG.md")?;
    findings.extend(heading(&changelog, &version));
    if !findings.is_empty() {
        return Err(format!("not ready:\n  {}", findings.join("\n  ")));
    }
    println!("{version}: versions agree, the changelog has it");
    package::run()?;
    println!("packed: {}", package::PUBLISHED.join(", "));
    let wheel = wheel::build(&root().join("dist"))?;
    check_wheel(&wheel, &version)?;
    println!("wheel: {}", wheel.file_name().unwrap_or_default().to_string_lossy());
    if is_open(&changelog, &version) {
        println!("left to do: the changelog says {version} is unreleased; put the date there");
    }
    println!("ready; the next steps are in RELEASING.md");
    Ok(())
}

/// The version that all crates of the workspace have.
fn version(manifest: &str) -> Result<String, Failure> {
    let package = manifest.split("[workspace.package]").nth(1).unwrap_or_default();
    let line = package.lines().find_map(|line| line.trim().strip_prefix("version = \""));
    let version = line.and_then(|rest| rest.split('"').next());
    version.map(str::to_owned).ok_or_else(|| "Cargo.toml names no version of the workspace".into())
}

/// Crates of ours that are asked for in another version.
fn others(manifest: &str, version: &str) -> Vec<String> {
    let ours = manifest.lines().filter(|line| line.starts_with("linkshift"));
    let other = ours.filter(|line| !line.contains(&format!("version = \"{version}\"")));
    other.map(|line| format!("Cargo.toml: not version {version}: {line}")).collect()
}

fn citation(text: &str, version: &str) -> Option<String> {
    let has = text.lines().any(|line| line.trim() == format!("version: {version}"));
    (!has).then(|| format!("CITATION.cff has no line `version: {version}`"))
}

fn heading(changelog: &str, version: &str) -> Option<String> {
    let has = changelog.lines().any(|line| line.starts_with(&format!("## {version} ")));
    (!has).then(|| format!("CHANGELOG.md has no heading `## {version} — DATE`"))
}

fn is_open(changelog: &str, version: &str) -> bool {
    let mut lines = changelog.lines();
    lines.any(|line| line.starts_with(&format!("## {version} ")) && line.contains("unreleased"))
}

fn check_wheel(wheel: &Path, version: &str) -> Result<(), Failure> {
    let name = wheel.file_name().unwrap_or_default().to_string_lossy();
    match name.starts_with(&format!("linkshift-{version}-")) {
        true => Ok(()),
        false => Err(format!("the wheel is {name}, not of version {version}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str = "[workspace.package]\nversion = \"1.2.3\"\n[workspace.dependencies]\n\
        linkshift = { path = \"a\", version = \"1.2.3\" }\nlinkshift-io = { version = \"1.2.2\" }\n";

    #[test]
    fn versions_that_differ_are_named() {
        assert_eq!(version(MANIFEST), Ok("1.2.3".into()));
        let findings = others(MANIFEST, "1.2.3");
        assert_eq!(findings.len(), 1);
        assert!(findings[0].contains("linkshift-io"));
        assert!(citation("version: 1.2.3", "1.2.3").is_none());
        assert!(citation("version: 1.2.30", "1.2.3").is_some());
    }

    #[test]
    fn the_changelog_has_the_version() {
        let changelog = "# Changelog\n\n## 1.2.3 — unreleased\n";
        assert!(heading(changelog, "1.2.3").is_none());
        assert!(heading(changelog, "1.2").is_some());
        assert!(is_open(changelog, "1.2.3"));
        assert!(!is_open("## 1.2.3 — 2026-01-01", "1.2.3"));
    }
}
