//! Questions as the page shows them.

use linkshift::ask;
use linkshift::params::Named;
use serde_json::{Value, json};

/// What is asked next.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Question {
    Asked(ask::Question),
    /// A pair that somebody wants to look at again.
    Again {
        a: usize,
        b: usize,
    },
    /// Nothing is left.
    None,
    /// It is not known yet.
    Wait,
}

impl Question {
    /// As the page takes it; `look` gives the number and the name of a row's cluster.
    pub(crate) fn to_json(&self, look: &dyn Fn(usize) -> (i64, String)) -> Value {
        const PAIR: &str = "Do these two belong together?";
        match self {
            Question::Asked(ask::Question::Pair(pair)) => json!({
                "kind": "pair", "a": pair.a, "b": pair.b,
                "guess": pair.guess.name(),
                "chance": pair.chance,
                "again": pair.again,
                "text": PAIR,
            }),
            Question::Asked(ask::Question::Place(place)) => {
                let group = |(at, rows): (usize, &Vec<usize>)| {
                    let (cluster, name) =
                        rows.first().map_or((-1, String::new()), |&row| look(row));
                    json!({
                        "cluster": cluster, "name": name, "rows": rows, "chance": place.chances.get(at),
                    })
                };
                json!({
                    "kind": "place", "row": place.row,
                    "groups": place.groups.iter().enumerate().map(group).collect::<Vec<_>>(),
                    "text": "Which of these groups does it belong to?",
                })
            }
            Question::Asked(ask::Question::Group(group)) => {
                let (cluster, name) =
                    group.rows.first().map_or((-1, String::new()), |&row| look(row));
                json!({
                    "kind": "group", "cluster": cluster, "name": name,
                    "rows": group.rows, "chances": group.chances,
                    "text": "Is this group one thing?",
                })
            }
            Question::Again { a, b } => json!({
                "kind": "pair", "a": a, "b": b, "guess": null, "chance": null, "again": true,
                "text": PAIR,
            }),
            Question::None => json!({ "kind": "none", "text": "there is nothing left to ask" }),
            Question::Wait => json!({ "kind": "wait", "text": "looking for a good question …" }),
        }
    }
}

impl From<ask::Question> for Question {
    fn from(question: ask::Question) -> Self {
        Question::Asked(question)
    }
}
