//! The two streams: results on standard output, all else on standard error.

use crate::failure::{Failure, Result};
use std::io::{self, Write};

/// Writes a result to standard output.
pub(crate) fn say(text: &str) -> Result<()> {
    let mut stdout = io::stdout().lock();
    let ending = if text.ends_with('\n') { "" } else { "\n" };
    write!(stdout, "{text}{ending}").and_then(|()| stdout.flush()).map_err(Failure::Stdout)
}

/// Something worth knowing that is not the result.
pub(crate) fn note(text: &str) {
    one_line("note", text);
}

/// What ended the run.
pub(crate) fn complain(text: &str) {
    one_line("error", text);
}

/// Plain text on standard error, for a summary that has lost its place to the labels.
pub(crate) fn aside(text: &str) {
    // Nobody is left to tell if standard error is closed.
    let _ = write!(io::stderr().lock(), "{text}");
}

fn one_line(what: &str, text: &str) {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    aside(&format!("{what}: {text}\n"));
}
