//! The dialogue with a person, on standard error: results alone go to standard output.

use super::keys::{self, Key, Keys};
use super::rows::Shown;
use super::state::{State, outlook_line};
use crate::clusters::Clusters;
use crate::failure::Result;
use crate::summary::aligned;
use crate::terminal::{self, aside};
use linkshift::ask::Reply;

pub(super) fn run(
    state: &mut State<'_>,
    shown: &Shown<'_>,
    budget: Option<usize>,
    every: usize,
) -> Result<()> {
    let pressed = Keys::new();
    if state.n_answers() > 0 {
        aside(&format!("going on after {}\n", state.counts()));
    }
    while budget.is_none_or(|budget| state.n_answers() < budget) {
        let Some(question) = state.asker.next(1).pop() else {
            terminal::note("there is nothing left to ask");
            break;
        };
        let (a, b) = (question.a, question.b);
        let number = state.n_answers() + 1;
        aside(&format!(
            "\nquestion {number}: do these belong together?\n{}{}\n",
            shown.pair(a, b),
            keys::help()
        ));
        let answer = match pressed.next()? {
            Key::Answer(answer) => answer,
            Key::Quit => break,
            Key::Undo => {
                take_back(state, shown)?;
                continue;
            }
            Key::Unknown(key) => {
                aside(&format!("{key:?} is none of the keys\n"));
                continue;
            }
        };
        let reply = Reply::pair(a, b, answer);
        state.reply(&reply)?;
        aside(&format!("{}\n", shown.told(&reply)));
        if state.n_answers().is_multiple_of(every) {
            show_clustering(state)?;
        }
    }
    Ok(())
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
        ("clusters", state.clusters_line(&Clusters::of(&labels))),
        ("links", state.links_line(&labels)),
        ("outlook", outlook_line(&state.asker.outlook())),
    ];
    aside(&format!("\n{}", aligned(&lines)));
    Ok(())
}
