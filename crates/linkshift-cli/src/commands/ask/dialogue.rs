//! The dialogue with a person, on standard error: results alone go to standard output.

use super::keys::{self, Key, Keys};
use super::rows::Shown;
use super::state::{State, outlook_line};
use crate::clusters::Clusters;
use crate::failure::Result;
use crate::summary::aligned;
use crate::terminal::{self, aside};
use linkshift::ask::{Answer, Choice, Kind, Question, Reply};

/// Rows of a group that can be marked with one key each.
const MOST_MARKED: usize = 9;

/// The keys at the end.
const AT_THE_END: &str =
    "f fit the default method with these answers, and keep the better labels   q leave it at these";

/// What a person did at a question.
enum Act {
    Reply(Reply),
    TakeBack,
    Quit,
}

/// Asks until there is nothing to ask or the person stops; whether the default method shall be fit
/// with the answers then.
pub(super) fn run(
    state: &mut State<'_>,
    shown: &Shown<'_>,
    kinds: &[Kind],
    budget: Option<usize>,
    every: usize,
) -> Result<bool> {
    let pressed = Keys::new();
    if state.n_answers() > 0 {
        aside(&format!("going on after {}\n", state.counts()));
    }
    while budget.is_none_or(|budget| state.n_answers() < budget) {
        let Some(question) = state.asker.question(kinds).map(for_one_key_each) else {
            terminal::note("there is nothing left to ask");
            break;
        };
        let number = state.n_answers() + 1;
        aside(&format!(
            "\nquestion {number}: {}\n{}{}\n",
            words(&question),
            shown.question(&question),
            keys::help(question.kind())
        ));
        match answer(&question, &pressed)? {
            Act::Quit => break,
            Act::TakeBack => take_back(state, shown)?,
            Act::Reply(reply) => {
                state.reply(&reply)?;
                aside(&format!("{}\n", shown.told(&reply)));
                if state.n_answers().is_multiple_of(every) {
                    show_clustering(state)?;
                }
            }
        }
    }
    // Who named a method has chosen.
    Ok(state.n_answers() > 0 && state.clustering.chosen.is_none() && wants_fit(&pressed)?)
}

fn wants_fit(pressed: &Keys) -> Result<bool> {
    loop {
        aside(&format!("\n{AT_THE_END}\n"));
        match pressed.next()? {
            Key::Fit => return Ok(true),
            Key::Quit => return Ok(false),
            _ => {}
        }
    }
}

fn words(question: &Question) -> &'static str {
    match question {
        Question::Pair(pair) if pair.again => {
            "do these belong together? (earlier answers fit badly here)"
        }
        Question::Pair(_) => "do these belong together?",
        Question::Place(_) => "which of these groups does it belong to?",
        Question::Group(_) => "is this group one thing?",
    }
}

/// A group that is shown at a terminal has no more rows than there are digits.
fn for_one_key_each(question: Question) -> Question {
    match question {
        Question::Group(mut group) => {
            group.rows.truncate(MOST_MARKED);
            group.chances.truncate(MOST_MARKED);
            Question::Group(group)
        }
        other => other,
    }
}

/// Keys until there is an answer.
fn answer(question: &Question, pressed: &Keys) -> Result<Act> {
    let mut certain = false;
    let mut odd: Vec<usize> = Vec::new();
    loop {
        let key = pressed.next()?;
        let reply = match (key, question) {
            (Key::Quit, _) => return Ok(Act::Quit),
            (Key::Undo, _) => return Ok(Act::TakeBack),
            (Key::Certain, _) => {
                certain = !certain;
                aside(if certain { "certain …\n" } else { "not certain …\n" });
                continue;
            }
            (Key::Answer(answer), Question::Pair(pair)) => Reply::pair(pair.a, pair.b, answer),
            (Key::Digit(0), Question::Place(place)) => {
                Reply::place(place.row, &place.groups, Choice::NoneOfThese)?
            }
            (Key::Digit(number), Question::Place(place)) if number <= place.groups.len() => {
                Reply::place(place.row, &place.groups, Choice::Group(number - 1))?
            }
            (Key::Answer(Answer::Unsure), Question::Place(place)) => {
                Reply::place(place.row, &place.groups, Choice::Unsure)?
            }
            (Key::Digit(number), Question::Group(group))
                if (1..=group.rows.len()).contains(&number) =>
            {
                let row = group.rows[number - 1];
                match odd.iter().position(|&other| other == row) {
                    Some(at) => drop(odd.remove(at)),
                    None => odd.push(row),
                }
                let numbers = group.rows.iter().zip(1..).filter(|(row, _)| odd.contains(row));
                let numbers: Vec<String> =
                    numbers.map(|(_, n): (_, usize)| n.to_string()).collect();
                aside(&format!("odd: {}\n", numbers.join(" ")));
                continue;
            }
            (Key::Answer(Answer::Same), Question::Group(group)) if odd.len() < group.rows.len() => {
                Reply::group(&group.rows, Some(&odd))?
            }
            (Key::Answer(Answer::Unsure), Question::Group(group)) => {
                Reply::group(&group.rows, None)?
            }
            (key, _) => {
                let key = match key {
                    Key::Unknown(character) => format!("{character:?}"),
                    Key::Digit(number) => number.to_string(),
                    Key::Answer(answer) => format!("{answer:?}").to_lowercase(),
                    Key::Fit => "f".into(),
                    Key::Certain | Key::Undo | Key::Quit => String::new(),
                };
                aside(&format!("{key} is none of the keys\n{}\n", keys::help(question.kind())));
                continue;
            }
        };
        return Ok(Act::Reply(if certain { reply.certain() } else { reply }));
    }
}

fn take_back(state: &mut State<'_>, shown: &Shown<'_>) -> Result<()> {
    match state.undo()? {
        Some(reply) => aside(&format!("taken back: {}\n", shown.told(&reply))),
        None => aside("there is no answer to take back\n"),
    }
    Ok(())
}

fn show_clustering(state: &State<'_>) -> Result<()> {
    let labels = state.labels()?;
    let lines = [
        ("answers", state.counts().to_string()),
        ("clusters", state.clusters_line(&Clusters::of(&labels), None)),
        ("links", state.links_line(&labels)),
        ("outlook", outlook_line(&state.asker.outlook())),
    ];
    aside(&format!("\n{}", aligned(&lines)));
    Ok(())
}
