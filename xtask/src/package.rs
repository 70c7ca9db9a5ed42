//! Whether the published crates could be put on crates.io: what can be said without a network.

use crate::{Failure, cargo, root, succeed};
use std::fs;

/// In the order in which crates.io would have to get them.
pub(crate) const PUBLISHED: &[&str] = &[
    "linkshift",
    "linkshift-io",
    "linkshift-features",
    "linkshift-plot",
    "linkshift-studio",
    "linkshift-cli",
];

/// What a page on crates.io shows of a crate.
const SHOWN: &[&str] = &["description", "license", "readme", "keywords", "categories"];

/// Packs every published crate. What they hold is compiled by the other stages, so it is not
/// compiled again; a tree with changes may be packed, since that is what is being tried.
pub(crate) fn run() -> Result<(), Failure> {
    PUBLISHED.iter().try_for_each(|name| check_manifest(name))?;
    PUBLISHED.iter().try_for_each(|name| check_content(name))?;
    let mut pack = cargo(&["package", "--quiet", "--offline", "--no-verify", "--allow-dirty"]);
    PUBLISHED.iter().for_each(|name| {
        pack.args(["--package", name]);
    });
    succeed(&mut pack)
}

/// Files that every crate has, and folders that a crate may have.
const FILES: &[&str] = &["Cargo.toml", "README.md", "LICENSE-APACHE", "LICENSE-MIT"];
const MADE: &[&str] = &["Cargo.lock", "Cargo.toml.orig", ".cargo_vcs_info.json"];
const FOLDERS: &[&str] =
    &["src", "tests", "benches", "examples", "proptest-regressions", "page/dist"];

/// Fails if a crate would be published with what nobody needs, or without what everybody does.
fn check_content(name: &str) -> Result<(), Failure> {
    let mut list = cargo(&["package", "--list", "--offline", "--allow-dirty", "--package", name]);
    let output = list.output().map_err(|error| format!("cargo package: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let odd = odd_files(&text.lines().collect::<Vec<_>>());
    match odd.is_empty() {
        true => Ok(()),
        false => Err(format!("the crate {name}: {}", odd.join(", "))),
    }
}

/// What should not be among the files of a crate, and what is missing there.
fn odd_files(files: &[&str]) -> Vec<String> {
    let is_in = |folder: &str, file: &str| {
        file.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
    };
    let belongs = |file: &str| {
        FILES.contains(&file)
            || MADE.contains(&file)
            || FOLDERS.iter().any(|folder| is_in(folder, file))
    };
    let odd = files.iter().filter(|file| !belongs(file)).map(|file| format!("what is {file} for?"));
    let missing = FILES.iter().filter(|file| !files.contains(file));
    odd.chain(missing.map(|file| format!("no {file}"))).collect()
}

fn check_manifest(name: &str) -> Result<(), Failure> {
    let path = format!("crates/{name}/Cargo.toml");
    let manifest = fs::read_to_string(root().join(&path))
        .map_err(|error| format!("cannot read {path}: {error}"))?;
    match missing(&manifest)[..] {
        [] => Ok(()),
        ref missing => Err(format!("{path} has no {}", missing.join(", "))),
    }
}

/// The keys that a manifest lacks, of its own and from the workspace.
fn missing(manifest: &str) -> Vec<&'static str> {
    let has = |key: &str| {
        let after = |line: &str| line.strip_prefix(key).and_then(|rest| rest.chars().next());
        manifest.lines().filter_map(after).any(|next| [' ', '.', '='].contains(&next))
    };
    SHOWN.iter().copied().filter(|key| !has(key)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_belong_into_a_crate_is_named() {
        let mut files = vec!["Cargo.toml", "README.md", "LICENSE-APACHE", "LICENSE-MIT"];
        files.extend(["src/lib.rs", "tests/models/v1-nearest.model", "Cargo.lock"]);
        assert!(odd_files(&files).is_empty());
        files.extend(["srcs/lib.rs", "notes.txt"]);
        files.retain(|file| *file != "LICENSE-MIT");
        let expected = ["what is srcs/lib.rs for?", "what is notes.txt for?", "no LICENSE-MIT"];
        assert_eq!(odd_files(&files), expected);
    }

    #[test]
    fn keys_may_stand_in_the_workspace() {
        let manifest = "description = \"x\"\nlicense.workspace = true\nreadme.workspace = true\n";
        assert_eq!(missing(manifest), ["keywords", "categories"]);
    }
}
