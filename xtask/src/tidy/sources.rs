//! Sources are short and finished.

/// A longer file has more than one idea in it.
const MOST_LINES: usize = 600;

/// Words of unfinished work; spelled in halves, so that this file may hold them.
const UNFINISHED: &[&str] = &[concat!("to", "do!"), concat!("FIX", "ME")];

/// Findings in one source file.
pub(crate) fn check(path: &str, text: &str) -> Vec<String> {
    let mut findings = Vec::new();
    let n_lines = text.lines().count();
    if n_lines > MOST_LINES {
        findings.push(format!("{path}: {n_lines} lines, more than {MOST_LINES}"));
    }
    for (index, line) in text.lines().enumerate() {
        for word in UNFINISHED.iter().filter(|word| line.contains(*word)) {
            findings.push(format!("{path}:{}: {word}", index + 1));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_may_have_600_lines_and_no_more() {
        assert!(check("a.rs", &"\n".repeat(600)).is_empty());
        assert_eq!(check("a.rs", &"\n".repeat(601)), ["a.rs: 601 lines, more than 600"]);
    }

    #[test]
    fn unfinished_work_is_named_by_line() {
        let text = format!("fn f() {{\n    {}()\n}}\n// {}\n", UNFINISHED[0], UNFINISHED[1]);
        let findings = check("a.rs", &text);
        assert_eq!(findings.len(), 2);
        assert!(findings[0].starts_with("a.rs:2: "));
        assert!(findings[1].starts_with("a.rs:4: "));
    }
}
