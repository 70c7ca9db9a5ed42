//! Who may use whom among our crates.

/// Each crate of the workspace with those of ours that it may use.
const MAY_USE: &[(&str, &[&str])] = &[
    ("linkshift", &[]),
    ("linkshift-features", &["linkshift", "linkshift-io"]),
    ("linkshift-io", &["linkshift"]),
    ("linkshift-plot", &["linkshift"]),
    ("linkshift-studio", &["linkshift", "linkshift-features", "linkshift-io", "linkshift-plot"]),
    (
        "linkshift-cli",
        &["linkshift", "linkshift-features", "linkshift-io", "linkshift-plot", "linkshift-studio"],
    ),
    (
        "linkshift-py",
        &[
            "linkshift",
            "linkshift-cli",
            "linkshift-features",
            "linkshift-io",
            "linkshift-plot",
            "linkshift-studio",
        ],
    ),
    ("linkshift-papers", &["linkshift", "linkshift-features", "linkshift-io", "linkshift-plot"]),
    ("linkshift-fuzz", &["linkshift", "linkshift-features", "linkshift-io", "linkshift-studio"]),
    ("xtask", &[]),
];

/// Findings in one crate's manifest.
pub(crate) fn check(path: &str, manifest: &str) -> Vec<String> {
    let manifest = Manifest::read(manifest);
    let Some((_, allowed)) = MAY_USE.iter().find(|(name, _)| *name == manifest.name) else {
        return vec![format!(
            "{path}: crate `{}` has no line in the table of who may use whom \
             (xtask/src/tidy/directions.rs)",
            manifest.name
        )];
    };
    let ours = |name: &&String| MAY_USE.iter().any(|(known, _)| known == name);
    let used = manifest.dependencies.iter().filter(ours);
    used.filter(|name| !allowed.contains(&name.as_str()))
        .map(|name| format!("{path}: {} may not use {name}", manifest.name))
        .collect()
}

/// Findings in the document that shows the table to people: rows that are missing.
pub(crate) fn check_table(path: &str, text: &str) -> Vec<String> {
    let row = |&(name, allowed): &(&str, &[&str])| {
        let quoted: Vec<String> = allowed.iter().map(|name| format!("`{name}`")).collect();
        let allowed = if quoted.is_empty() { "none of ours".into() } else { quoted.join(", ") };
        format!("| `{name}` | {allowed} |")
    };
    let missing = |row: &String| !text.lines().any(|line| line == row);
    let rows = MAY_USE.iter().map(row).filter(missing);
    rows.map(|row| format!("{path}: the table of who may use whom lacks {row}")).collect()
}

/// What the rule needs to know of a manifest.
#[derive(Debug, Default, PartialEq)]
struct Manifest {
    name: String,
    /// Of all kinds: normal, for tests, for the build, for one platform.
    dependencies: Vec<String>,
}

impl Manifest {
    /// Reads the TOML that people write in manifests: tables and one key per line.
    fn read(text: &str) -> Self {
        let mut manifest = Self::default();
        let mut table = String::new();
        for line in text.lines().map(str::trim) {
            if let Some(header) = line.strip_prefix('[').and_then(|line| line.split(']').next()) {
                table = header.to_string();
                // [dependencies.name]
                if let Some((kind, name)) = table.rsplit_once('.')
                    && kind.ends_with("dependencies")
                {
                    manifest.dependencies.push(name.to_string());
                }
            } else if let Some((key, value)) = line.split_once('=') {
                let key = key.trim().trim_matches('"');
                if table == "package" && key == "name" {
                    manifest.name = value.trim().trim_matches('"').to_string();
                } else if table.ends_with("dependencies") {
                    // name = …, name.workspace = true, or other = { package = "name", … }
                    let name = key.split('.').next().unwrap_or(key);
                    manifest.dependencies.push(renamed(value).unwrap_or(name).to_string());
                }
            }
        }
        manifest
    }
}

/// The true name of a dependency that is called by another.
fn renamed(value: &str) -> Option<&str> {
    value.split_once("package")?.1.split('"').nth(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_are_read_however_they_are_written() {
        let text = r#"
            [package]
            name = "linkshift-io"
            [dependencies] # what it needs
            linkshift.workspace = true
            csv = "1"
            other = { package = "rayon", version = "1" }
            [target.'cfg(unix)'.dependencies]
            libc = { version = "0.2" }
            [dev-dependencies.proptest]
            version = "1"
        "#;
        let expected = ["linkshift", "csv", "rayon", "libc", "proptest"].map(String::from);
        let manifest = Manifest::read(text);
        assert_eq!(manifest.name, "linkshift-io");
        assert_eq!(manifest.dependencies, expected);
    }

    fn findings(name: &str, dependency: &str) -> Vec<String> {
        let text = format!("[package]\nname = \"{name}\"\n[dependencies]\n{dependency} = \"1\"\n");
        check("Cargo.toml", &text)
    }

    #[test]
    fn a_crate_uses_only_what_the_table_allows() {
        assert!(findings("linkshift-cli", "linkshift-io").is_empty());
        assert!(findings("linkshift", "rayon").is_empty());
        assert_eq!(
            findings("linkshift-io", "linkshift-plot"),
            ["Cargo.toml: linkshift-io may not use linkshift-plot"]
        );
        assert_eq!(findings("linkshift", "linkshift-io").len(), 1);
    }

    #[test]
    fn the_document_shows_the_whole_table() {
        let all = "| `linkshift` | none of ours |\n| `linkshift-io` | `linkshift` |\n";
        let findings = check_table("A.md", all);
        assert_eq!(findings.len(), MAY_USE.len() - 2);
        let plot = "lacks | `linkshift-plot` | `linkshift` |";
        assert!(findings.iter().any(|finding| finding.ends_with(plot)));
    }

    #[test]
    fn an_unknown_crate_is_an_error() {
        assert!(findings("linkshift-web", "linkshift")[0].contains("no line in the table"));
    }
}
