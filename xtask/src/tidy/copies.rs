//! Few places say the same: what stands twice drifts apart.
//!
//! Two places are a pair if six or more lines in a row are the same in both. Only lines that can
//! drift count: not comments, imports, brackets, tests, or the tables of parameters.

use std::collections::HashMap;

/// Lines in a row that make a pair.
const LEAST_LINES: usize = 6;

/// As many pairs are a finding. Some are no copies: a trait's method begins alike wherever it is
/// implemented.
const TOO_MANY: usize = 40;

/// A line that counts: its number in the file, and what it says.
type Line<'a> = (usize, &'a str);

/// Findings in all sources together, each with its path.
pub(crate) fn check(sources: &[(String, String)]) -> Vec<String> {
    let counted: Vec<(&str, Vec<Line<'_>>)> = sources
        .iter()
        .filter(|(path, _)| counts(path))
        .map(|(path, text)| (path.as_str(), lines(text)))
        .collect();
    let pairs = pairs(&counted);
    match pairs.len() {
        n if n < TOO_MANY => Vec::new(),
        n => {
            [format!("{n} pairs of places share {LEAST_LINES} lines or more, not below {TOO_MANY}")]
                .into_iter()
                .chain(pairs)
                .collect()
        }
    }
}

/// Whether a file's lines count.
fn counts(path: &str) -> bool {
    let is_ours = path.starts_with("crates/") && path.contains("/src/") && path.ends_with(".rs");
    let name = path.rsplit('/').next().unwrap_or_default();
    is_ours && !["tests.rs", "naive_tests.rs", "params.rs"].contains(&name)
}

/// The lines that count, up to the tests.
fn lines(text: &str) -> Vec<Line<'_>> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let mut in_import = false;
    let mut found = Vec::new();
    for (index, line) in code.lines().map(str::trim).enumerate() {
        let begins = line.starts_with("use ") || line.starts_with("pub use ");
        if in_import || begins {
            in_import = !line.ends_with(';');
        } else if !line.starts_with("//") && line.contains(|c: char| c.is_alphabetic()) {
            found.push((index + 1, line));
        }
    }
    found
}

/// Each pair of places, where it begins.
fn pairs(files: &[(&str, Vec<Line<'_>>)]) -> Vec<String> {
    let mut places: HashMap<Vec<&str>, Vec<(usize, usize)>> = HashMap::new();
    for (file, (_, lines)) in files.iter().enumerate() {
        for (at, window) in lines.windows(LEAST_LINES).enumerate() {
            let said = window.iter().map(|(_, line)| *line).collect();
            places.entry(said).or_default().push((file, at));
        }
    }
    let said = |(file, at): (usize, usize)| files[file].1[at].1;
    let continues = |(a, i): (usize, usize), (b, j): (usize, usize)| {
        i > 0 && j > 0 && said((a, i - 1)) == said((b, j - 1))
    };
    let mut found = Vec::new();
    for places in places.values() {
        for (n, &a) in places.iter().enumerate() {
            for &b in places[n + 1..].iter().filter(|&&b| !continues(a, b)) {
                let place = |(file, at): (usize, usize)| {
                    format!("{}:{}", files[file].0, files[file].1[at].0)
                };
                found.push(format!("{} and {}", place(a), place(b)));
            }
        }
    }
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, lines: &[&str]) -> (String, String) {
        (path.to_string(), lines.join("\n"))
    }

    const SEVEN: [&str; 7] = ["a()", "b()", "c()", "d()", "e()", "f()", "g()"];

    fn pairs_of(files: &[(String, String)]) -> Vec<String> {
        pairs(&files.iter().map(|(path, text)| (path.as_str(), lines(text))).collect::<Vec<_>>())
    }

    #[test]
    fn a_longer_run_is_one_pair() {
        let two = [file("x.rs", &SEVEN), file("y.rs", &[&["z()"], &SEVEN[..]].concat())];
        assert_eq!(pairs_of(&two), ["x.rs:1 and y.rs:2"]);
        let short = [file("x.rs", &SEVEN[..5]), file("y.rs", &SEVEN[..5])];
        assert!(pairs_of(&short).is_empty());
    }

    #[test]
    fn comments_imports_brackets_and_tests_do_not_count() {
        let text = "use a::{\n    b,\n};\n// why\nx()\n}\n\ny()\n#[cfg(test)]\nz()\n";
        assert_eq!(lines(text), [(5, "x()"), (8, "y()")]);
        assert!(counts("crates/a/src/b.rs") && !counts("crates/a/src/tests.rs"));
        assert!(!counts("crates/a/benches/b.rs"));
    }

    #[test]
    fn only_many_pairs_are_a_finding() {
        let some = |n: usize| -> Vec<(String, String)> {
            (0..n).map(|at| file(&format!("crates/a/src/x{at}.rs"), &SEVEN)).collect()
        };
        // Derived: n places that are all alike are n·(n − 1)/2 pairs; 9 make 36, 10 make 45.
        assert!(check(&some(9)).is_empty());
        assert_eq!(check(&some(10)).len(), 1 + 45);
    }
}
