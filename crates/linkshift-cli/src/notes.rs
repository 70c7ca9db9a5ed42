//! What a person should know besides the result: on standard error, and in the JSON.

use crate::terminal;
use linkshift::model;

/// A remark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Note {
    /// A word by which programs tell remarks apart.
    pub(crate) kind: &'static str,
    pub(crate) text: String,
}

impl Note {
    pub(crate) fn new(kind: &'static str, text: impl Into<String>) -> Self {
        Self { kind, text: text.into() }
    }

    pub(crate) fn show(&self) {
        terminal::note(&self.text);
    }
}

impl From<&model::Note> for Note {
    fn from(note: &model::Note) -> Self {
        Self::new(note.kind.name(), &note.text[..])
    }
}
