//! What we build on: licences, crates that are there twice, C code. Without a network, from what cargo has.

use crate::{Failure, cargo};
use std::collections::BTreeMap;

/// Licences that ask for no more than their text; an expression needs one of them on each side of an AND.
const ALLOWED: &[&str] = &[
    "MIT",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "Zlib",
    "0BSD",
    "CC0-1.0",
    "Unlicense",
    "Unicode-3.0",
    "BSL-1.0",
    "OFL-1.1",
    "MIT-0",
];

/// Prints the list, and fails at a licence that is not allowed.
pub(crate) fn run() -> Result<(), Failure> {
    let licences = tree(&["--format", "{p}\t{l}", "--edges", "normal,build"])?;
    let refused: Vec<&String> = licences.iter().filter(|line| !is_allowed(line)).collect();
    if !refused.is_empty() {
        let lines: Vec<&str> = refused.iter().map(|line| line.as_str()).collect();
        return Err(format!("licences that nobody has looked at:\n  {}", lines.join("\n  ")));
    }
    let mut versions: BTreeMap<&str, usize> = BTreeMap::new();
    for line in &licences {
        *versions.entry(line.split(' ').next().unwrap_or_default()).or_default() += 1;
    }
    let doubles: Vec<String> =
        versions.iter().filter(|(_, n)| **n > 1).map(|(name, n)| format!("{name} ×{n}")).collect();
    let c_code: Vec<&&str> = versions.keys().filter(|name| name.ends_with("-sys")).collect();
    println!("{} crates, all licences allowed", licences.len());
    println!("more than one version: {}", list(&doubles));
    println!("bindings to C: {}", list(&c_code));
    Ok(())
}

fn list(names: &[impl std::fmt::Display]) -> String {
    match names {
        [] => "none".into(),
        names => names.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
    }
}

/// One line for each crate that programs and the wheel are made of.
fn tree(options: &[&str]) -> Result<Vec<String>, Failure> {
    let mut command = cargo(&["tree", "--offline", "--prefix", "none"]);
    command.args(["--package", "linkshift-cli", "--package", "linkshift-py"]).args(options);
    let output = command.output().map_err(|error| format!("cargo tree: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let mut lines: Vec<String> =
        text.lines().map(|line| line.trim_end_matches(" (*)").to_owned()).collect();
    lines.retain(|line| !line.is_empty());
    lines.sort();
    lines.dedup();
    Ok(lines)
}

fn is_allowed(line: &str) -> bool {
    let licence = line.split('\t').nth(1).unwrap_or_default().replace('/', " OR ");
    let licence = licence.replace(['(', ')'], "");
    let is_one = |part: &str| part.split(" OR ").any(|one| ALLOWED.contains(&one.trim()));
    licence.split(" AND ").all(is_one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_several_licences_is_enough_and_all_of_several_are_needed() {
        assert!(is_allowed("a v1\tGPL-3.0 OR MIT") && is_allowed("a v1\tMIT/Apache-2.0"));
        assert!(is_allowed("a v1\t(MIT OR Apache-2.0) AND Unicode-3.0"));
        assert!(!is_allowed("a v1\tGPL-3.0") && !is_allowed("a v1\tMIT AND GPL-3.0"));
        assert!(!is_allowed("a v1\t"));
    }
}
