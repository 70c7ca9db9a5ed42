//! Keys: single ones at a terminal, characters of the input elsewhere.

use crate::failure::{Failure, Result};
use console::Term;
use linkshift::ask::{Answer, Kind};
use linkshift::params::Named;
use std::io::{self, IsTerminal, Read};

/// What a person can do at a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    Answer(Answer),
    /// A group, or a row that is odd.
    Digit(usize),
    /// The next answer is certain.
    Certain,
    Undo,
    /// The default method's fit, at the end.
    Fit,
    Quit,
    Unknown(char),
}

/// All keys of a kind of question in one line.
pub(super) fn help(kind: Kind) -> String {
    let answers = match kind {
        Kind::Place => "1–6 the group   0 none of these   u unsure   ".to_owned(),
        Kind::Group => "1–9 mark the odd ones   s the others are one   u unsure   ".to_owned(),
        Kind::Pair | Kind::Links => {
            let names = Answer::ALL.iter().map(|answer| answer.name());
            names.map(|name| format!("{} {name}   ", &name[..1])).collect()
        }
    };
    format!("{answers}! certain   z take back   q save and quit")
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
        let lower = character.to_ascii_lowercase();
        // The key of an answer is its first letter.
        let answer = Answer::ALL.iter().find(|answer| answer.name().starts_with(lower));
        match (answer, lower) {
            (Some(answer), _) => Key::Answer(*answer),
            (None, '!') => Key::Certain,
            (None, 'z') => Key::Undo,
            (None, 'f') => Key::Fit,
            (None, 'q') => Key::Quit,
            (None, digit) => match digit.to_digit(10) {
                Some(digit) => Key::Digit(digit as usize),
                None => Key::Unknown(character),
            },
        }
    }
}

fn unreadable(error: io::Error) -> Failure {
    Failure::Input(format!("the keyboard cannot be read ({error}): answers so far are kept"))
}
