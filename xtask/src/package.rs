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
    let mut pack = cargo(&["package", "--quiet", "--offline", "--no-verify", "--allow-dirty"]);
    PUBLISHED.iter().for_each(|name| {
        pack.args(["--package", name]);
    });
    succeed(&mut pack)
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
    fn keys_may_stand_in_the_workspace() {
        let manifest = "description = \"x\"\nlicense.workspace = true\nreadme.workspace = true\n";
        assert_eq!(missing(manifest), ["keywords", "categories"]);
    }
}
