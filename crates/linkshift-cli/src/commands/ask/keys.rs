//! Keys: single ones at a terminal, characters of the input elsewhere.

use crate::failure::{Failure, Result};
use console::Term;
use linkshift::ask::Answer;
use std::io::{self, IsTerminal, Read};

/// What a person can do at a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    Answer(Answer),
    Undo,
    Quit,
    Unknown(char),
}

pub(super) enum Keys {
    Terminal(Term),
    Input(io::Stdin),
}

impl Keys {
    pub(super) fn new() -> Self {
        match io::stdin().is_terminal() && io::stderr().is_terminal() {
            true => Keys::Terminal(Term::stderr()),
            false => Keys::Input(io::stdin()),
        }
    }

    /// The next key; the end of the input quits.
    pub(super) fn next(&self) -> Result<Key> {
        loop {
            let character = match self {
                Keys::Terminal(terminal) => Some(terminal.read_char().map_err(unreadable)?),
                Keys::Input(stdin) => {
                    let mut byte = [0];
                    let n_read = stdin.lock().read(&mut byte).map_err(unreadable)?;
                    (n_read == 1).then(|| char::from(byte[0]))
                }
            };
            match character {
                None => return Ok(Key::Quit),
                Some(character) if character.is_whitespace() => {}
                Some(character) => return Ok(Key::of(character)),
            }
        }
    }
}

impl Key {
    fn of(character: char) -> Self {
        match character.to_ascii_lowercase() {
            's' => Key::Answer(Answer::Same),
            'd' => Key::Answer(Answer::Different),
            'u' => Key::Answer(Answer::Unsure),
            'z' => Key::Undo,
            'q' => Key::Quit,
            _ => Key::Unknown(character),
        }
    }
}

fn unreadable(error: io::Error) -> Failure {
    Failure::Input(format!("the keyboard cannot be read ({error}): answers so far are kept"))
}
