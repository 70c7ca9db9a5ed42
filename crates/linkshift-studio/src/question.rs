//! Questions as the page shows them.

use linkshift::ask::{self, Answer};
use linkshift::params::Named;
use serde_json::{Value, json};

/// What is asked next.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Question {
    Pair { a: usize, b: usize, guess: Option<Answer>, again: bool },
    /// Nothing is left.
    None,
    /// It is not known yet.
    Wait,
}

impl Question {
    pub(crate) fn again(a: usize, b: usize) -> Self {
        Question::Pair { a, b, guess: None, again: true }
    }

    pub(crate) fn to_json(&self) -> Value {
        match self {
            Question::Pair { a, b, guess, again } => json!({
                "kind": "pair", "a": a, "b": b,
                "guess": guess.map(Named::name),
                "chance": null,
                "again": again,
                "text": "Do these two belong together?",
            }),
            Question::None => json!({ "kind": "none", "text": "there is nothing left to ask" }),
            Question::Wait => json!({ "kind": "wait", "text": "looking for a good question …" }),
        }
    }
}

impl From<ask::Question> for Question {
    fn from(question: ask::Question) -> Self {
        let ask::Question { a, b, guess } = question;
        Question::Pair { a, b, guess: Some(guess), again: false }
    }
}
