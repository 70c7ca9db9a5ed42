//! A pair worth asking.

use super::answers::Answer;

/// Two rows of which it would help to know whether they belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Question {
    /// The row that the question is about.
    pub a: usize,
    /// The row it is compared with.
    pub b: usize,
    /// What the chooser expects to hear, [`Answer::Same`] or [`Answer::Different`].
    pub guess: Answer,
}
