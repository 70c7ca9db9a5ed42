//! Documents keep to what they promise: links lead somewhere, and the README is short.

/// A longer one is not read.
const MOST_WORDS: usize = 900;

/// Findings in one document.
pub(crate) fn check(path: &str, text: &str, entries: &[String]) -> Vec<String> {
    let mut findings = Vec::new();
    let n_words = text.split_whitespace().count();
    if path == "README.md" && n_words > MOST_WORDS {
        findings.push(format!("{path}: {n_words} words, more than {MOST_WORDS}"));
    }
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    for (line, target) in targets(text) {
        let there = joined(folder, target);
        if !entries.iter().any(|entry| entry.trim_end_matches('/') == there) {
            findings.push(format!("{path}:{line}: the link to {target} leads nowhere"));
        }
    }
    findings
}

/// Where the links of a text lead within the repository, with the number of the line.
fn targets(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().flat_map(|(index, line)| {
        let links = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        // A part of a page is not looked for.
        let pages = links.map(|link| link.split('#').next().unwrap_or(link));
        let ours = pages.filter(|page| !page.is_empty() && !page.contains("://"));
        ours.map(move |page| (index + 1, page.trim_end_matches('/')))
    })
}

/// A relative path as seen from the root.
fn joined(folder: &str, target: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in target.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries() -> Vec<String> {
        ["README.md", "docs/", "docs/a.md", "docs/b.svg"].map(String::from).to_vec()
    }

    #[test]
    fn links_are_followed_from_where_the_document_lies() {
        let text = "[a](docs/a.md#part) ![b](docs/b.svg) [d](docs/) [w](https://x.y/z) [h](#here)";
        assert!(check("README.md", text, &entries()).is_empty());
        assert!(check("docs/a.md", "[up](../README.md) [b](b.svg)", &entries()).is_empty());
        assert_eq!(
            check("docs/a.md", "\n[a](docs/a.md)", &entries()),
            ["docs/a.md:2: the link to docs/a.md leads nowhere"]
        );
    }

    #[test]
    fn the_readme_has_900_words_at_most() {
        assert!(check("README.md", &"word ".repeat(900), &entries()).is_empty());
        assert_eq!(check("README.md", &"word ".repeat(901), &entries()).len(), 1);
        assert!(check("docs/a.md", &"word ".repeat(901), &entries()).is_empty());
    }
}
