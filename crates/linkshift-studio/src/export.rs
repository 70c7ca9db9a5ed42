//! Results as files.

use crate::app::App;
use crate::error::{Result, StudioError};
use crate::routes::{Asked, Reply};

/// A file of results.
pub(crate) fn export(app: &App, asked: &Asked) -> Result<Reply> {
    let what = asked.get("what").unwrap_or_default();
    let format = asked.get("format").unwrap_or_default();
    let _ = app;
    Err(StudioError::bad(format!("{what:?} as {format:?}: not there yet")))
}

/// A table as CSV. A text that a spreadsheet would take for a formula stays a text for readers of CSV.
pub(crate) fn csv<const N: usize>(rows: &[[String; N]]) -> Vec<u8> {
    let field = |text: &String| match text.contains(['"', ',', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.clone(),
    };
    let line = |row: &[String; N]| row.iter().map(field).collect::<Vec<_>>().join(",") + "\n";
    rows.iter().map(line).collect::<String>().into_bytes()
}
