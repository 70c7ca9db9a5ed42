//! The book of `docs/`: every page is in its table of contents.

/// The table of contents.
pub(crate) const SUMMARY: &str = "docs/SUMMARY.md";

/// Pages that the table of contents does not lead to. That its links lead somewhere is looked at with
/// those of all documents.
pub(crate) fn check(summary: &str, entries: &[String]) -> Vec<String> {
    let listed = |page: &str| summary.contains(&format!("]({page})"));
    let pages = entries.iter().filter_map(|entry| entry.strip_prefix("docs/"));
    let pages = pages.filter(|page| page.ends_with(".md") && *page != "SUMMARY.md");
    let missing = pages.filter(|page| !listed(page));
    missing.map(|page| format!("{SUMMARY}: docs/{page} is not in it")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_that_nobody_finds_are_named() {
        let entries =
            ["docs/", "docs/SUMMARY.md", "docs/a.md", "docs/how/b.md", "docs/c.svg", "README.md"];
        let entries: Vec<String> = entries.map(String::from).to_vec();
        assert_eq!(check("- [a](a.md)", &entries), ["docs/SUMMARY.md: docs/how/b.md is not in it"]);
    }
}
