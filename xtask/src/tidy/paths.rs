//! The paths that ARCHITECTURE.md and CONTRIBUTING.md name are there.

/// Findings in one text: paths in backticks that are no tail of any of the workspace's `entries`
/// (so `links/closure.rs` will do for the file at whatever depth it lies).
pub(crate) fn check(path: &str, text: &str, entries: &[String]) -> Vec<String> {
    named(text)
        .filter(|(_, name)| !entries.iter().any(|entry| is_tail(name, entry)))
        .map(|(line, name)| format!("{path}:{line}: there is no `{name}`"))
        .collect()
}

/// The paths that a text names, with the number of the line.
fn named(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().flat_map(|(index, line)| {
        // Between backticks is every other piece.
        let quoted = line.split('`').skip(1).step_by(2);
        quoted.filter(|name| is_path(name)).map(move |name| (index + 1, name))
    })
}

/// A file of ours or a folder. Patterns (`crates/*/`, `…/params.rs`) and sentences are no paths.
fn is_path(quoted: &str) -> bool {
    let ending = [".rs", ".py", ".md", ".toml", "/"].iter().any(|ending| quoted.ends_with(ending));
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    ending && quoted.len() > 1 && quoted.chars().all(plain)
}

fn is_tail(name: &str, entry: &str) -> bool {
    entry.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_in_backticks_are_looked_for() {
        let text = "See `src/links/`, `fit.rs` and src/x.rs;\n`cargo xtask test`, `crates/*/`, `…/fit.rs`, `/`, `a.md`";
        let expected = [(1, "src/links/"), (1, "fit.rs"), (2, "a.md")];
        assert_eq!(named(text).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_path_is_found_by_its_tail() {
        let entries = ["crates/a/src/", "crates/a/src/points.rs"].map(String::from);
        let text = "`points.rs` `src/` `src/points.rs` `ints.rs`\n`links.rs`";
        assert_eq!(
            check("A.md", text, &entries),
            ["A.md:1: there is no `ints.rs`", "A.md:2: there is no `links.rs`"]
        );
    }
}
