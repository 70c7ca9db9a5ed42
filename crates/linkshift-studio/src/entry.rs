//! What a person said: answers and corrections, each with the links it became.

use crate::data::Data;
use crate::error::{Result, StudioError};
use linkshift::ask::{Answer, Choice, Kind, Reply, Told};
use linkshift::params::Named;
use serde_json::{Value, json};

/// One thing that was said, as it stands in the history.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    /// Its number; none is given twice.
    pub(crate) id: u64,
    /// What was said.
    pub(crate) said: Said,
    /// The links it became, and what one could not say.
    pub(crate) reply: Reply,
    /// A remark.
    pub(crate) comment: String,
    /// Whether the person wants to come back to it.
    pub(crate) look_again: bool,
}

/// An answer or a correction.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Said {
    /// About two rows.
    Pair {
        /// One row.
        a: usize,
        /// The other.
        b: usize,
        /// What was said of the two.
        answer: Answer,
    },
    /// Where a row belongs.
    Place {
        /// The row.
        row: usize,
        /// Rows of each group that was shown.
        groups: Vec<Vec<usize>>,
        /// Which of them it belongs to.
        chosen: Choice,
    },
    /// Whether rows are one thing.
    Group {
        /// The rows.
        rows: Vec<usize>,
        /// Those that are not; none if one cannot say.
        odd: Option<Vec<usize>>,
    },
    /// These all belong together.
    Together {
        /// The rows.
        rows: Vec<usize>,
    },
    /// These do not belong to the cluster.
    Apart {
        /// The rows.
        rows: Vec<usize>,
        /// The cluster they leave.
        cluster: i64,
        /// Whether they stay together.
        together: bool,
    },
    /// These belong to another cluster.
    Move {
        /// The rows.
        rows: Vec<usize>,
        /// Where they belong.
        cluster: i64,
    },
    /// These clusters are one.
    Merge {
        /// The clusters.
        clusters: Vec<i64>,
    },
}

impl Said {
    /// The word for its kind.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Said::Pair { .. } => "pair",
            Said::Place { .. } => "place",
            Said::Group { .. } => "group",
            Said::Together { .. } => "together",
            Said::Apart { .. } => "apart",
            Said::Move { .. } => "move",
            Said::Merge { .. } => "merge",
        }
    }

    /// Whether it was said of one's own accord, on clusters.
    pub(crate) fn is_correction(&self) -> bool {
        !matches!(self, Said::Pair { .. } | Said::Place { .. } | Said::Group { .. })
    }

    /// What it is to the asker.
    pub(crate) fn reply_kind(&self) -> Kind {
        match self {
            Said::Pair { .. } => Kind::Pair,
            Said::Place { .. } => Kind::Place,
            Said::Group { .. } => Kind::Group,
            _ => Kind::Links,
        }
    }

    /// All rows it names.
    pub(crate) fn rows(&self) -> Vec<usize> {
        match self {
            Said::Pair { a, b, .. } => vec![*a, *b],
            Said::Place { row, groups, .. } => {
                std::iter::once(*row).chain(groups.iter().flatten().copied()).collect()
            }
            Said::Group { rows, .. }
            | Said::Together { rows }
            | Said::Apart { rows, .. }
            | Said::Move { rows, .. } => rows.clone(),
            Said::Merge { .. } => Vec::new(),
        }
    }

    /// What an answer tells; corrections depend on the clusters of the moment.
    pub(crate) fn reply(&self) -> Result<Reply> {
        match self {
            &Said::Pair { a, b, answer } => Ok(Reply::pair(a, b, answer)),
            Said::Place { row, groups, chosen } => Ok(Reply::place(*row, groups, *chosen)?),
            Said::Group { rows, odd } => Ok(Reply::group(rows, odd.as_deref())?),
            _ => Err(StudioError::bad("a correction is not an answer: send it to /api/correct")),
        }
    }

    /// Fails if a row is none, or stands twice where it must not.
    pub(crate) fn check(&self, n_rows: usize) -> Result<()> {
        let rows = self.rows();
        if let Some(row) = rows.iter().find(|&&row| row >= n_rows) {
            let last = n_rows.saturating_sub(1);
            return Err(StudioError::bad(format!("there is no row {row}: rows are 0 to {last}")));
        }
        let mut sorted = rows;
        sorted.sort_unstable();
        if let Some(twice) = sorted.windows(2).find(|two| two[0] == two[1]) {
            return Err(StudioError::bad(format!("row {} is named twice: name it once", twice[0])));
        }
        Ok(())
    }

    /// The answer alone, in a word.
    pub(crate) fn answer(&self) -> Value {
        match self {
            Said::Pair { answer, .. } => json!(answer.name()),
            Said::Place { chosen, .. } => choice_json(*chosen),
            Said::Group { odd, .. } => odd.as_ref().map_or(json!("unsure"), |odd| json!(odd)),
            other => json!(other.kind()),
        }
    }

    /// What was said, in words.
    pub(crate) fn text(&self, data: &Data) -> String {
        let name = |row: &usize| shorten(&data.name_of(*row));
        match self {
            Said::Pair { a, b, answer } => {
                format!("{} and {}: {}", name(a), name(b), answer.name())
            }
            Said::Place { row, groups, chosen } => match chosen {
                Choice::Group(at) => {
                    let with = groups.get(*at).and_then(|rows| rows.first());
                    format!("{} belongs with {}", name(row), with.map_or(String::new(), name))
                }
                Choice::NoneOfThese => {
                    format!("{} belongs to none of {} groups", name(row), groups.len())
                }
                Choice::Unsure => format!("{}: unsure where it belongs", name(row)),
            },
            Said::Group { rows, odd } => {
                let first = rows.first().map_or(String::new(), name);
                let n = rows.len();
                match odd.as_ref().map(Vec::len) {
                    None => format!("{first} and {} more: unsure", n.saturating_sub(1)),
                    Some(0) => format!("{first} and {} more: one thing", n.saturating_sub(1)),
                    Some(odd) => format!("{odd} of {n} beside {first} do not belong"),
                }
            }
            Said::Together { rows } => format!("{} items belong together", rows.len()),
            Said::Apart { rows, cluster, .. } => {
                format!("{} items leave cluster {cluster}", rows.len())
            }
            Said::Move { rows, cluster } => match rows[..] {
                [row] => format!("{} moved to cluster {cluster}", name(&row)),
                _ => format!("{} items moved to cluster {cluster}", rows.len()),
            },
            Said::Merge { clusters } => {
                let all: Vec<String> = clusters.iter().map(i64::to_string).collect();
                format!("clusters {} merged", all.join(" and "))
            }
        }
    }

    /// What else could have been answered, as words and as [`with_answer`](Self::with_answer) takes it; which
    /// of a group's rows do not belong is not here, as any may be.
    pub(crate) fn choices(&self, data: &Data) -> Vec<Value> {
        let choice = |text: &str, answer: Value| json!({ "text": text, "answer": answer });
        match self {
            Said::Pair { .. } => {
                let all = [Answer::Same, Answer::Different, Answer::Unsure];
                all.map(|answer| choice(answer.name(), json!(answer.name()))).to_vec()
            }
            Said::Place { groups, .. } => {
                let with = |(at, rows): (usize, &Vec<usize>)| {
                    let name = rows.first().map(|&row| shorten(&data.name_of(row)));
                    choice(&format!("with {}", name.unwrap_or_default()), json!(at))
                };
                let none = choice("none of these", choice_json(Choice::NoneOfThese));
                let unsure = choice("unsure", choice_json(Choice::Unsure));
                groups.iter().enumerate().map(with).chain([none, unsure]).collect()
            }
            Said::Group { .. } => {
                vec![choice("one thing", json!([])), choice("unsure", json!("unsure"))]
            }
            _ => Vec::new(),
        }
    }

    fn to_json(&self) -> Value {
        let kind = self.kind();
        match self {
            Said::Pair { a, b, answer } => {
                json!({ "kind": kind, "a": a, "b": b, "answer": answer.name() })
            }
            Said::Place { row, groups, chosen } => {
                json!({ "kind": kind, "row": row, "groups": groups, "chosen": choice_json(*chosen) })
            }
            Said::Group { rows, odd: Some(odd) } => {
                json!({ "kind": kind, "rows": rows, "odd": odd })
            }
            Said::Group { rows, odd: None } => {
                json!({ "kind": kind, "rows": rows, "unsure": true })
            }
            Said::Together { rows } => json!({ "kind": kind, "rows": rows }),
            Said::Apart { rows, cluster, together } => {
                json!({ "kind": kind, "rows": rows, "cluster": cluster, "together": together })
            }
            Said::Move { rows, cluster } => {
                json!({ "kind": kind, "rows": rows, "cluster": cluster })
            }
            Said::Merge { clusters } => json!({ "kind": kind, "clusters": clusters }),
        }
    }

    /// An answer or a correction, as the page and the sidecar file write it.
    pub(crate) fn from_json(said: &Value) -> Result<Self> {
        match said["kind"].as_str() {
            Some("pair") => Ok(Said::Pair {
                a: row(said, "a")?,
                b: row(said, "b")?,
                answer: answer(&said["answer"])?,
            }),
            Some("place") => {
                let groups = said["groups"].as_array().ok_or_else(|| lacks("groups"))?;
                Ok(Said::Place {
                    row: row(said, "row")?,
                    groups: groups
                        .iter()
                        .map(|group| rows_of(group, "groups"))
                        .collect::<Result<_>>()?,
                    chosen: choice_of(&said["chosen"])?,
                })
            }
            Some("group") => Ok(Said::Group {
                rows: rows_of(&said["rows"], "rows")?,
                odd: match said["unsure"].as_bool() {
                    Some(true) => None,
                    _ => Some(rows_of(&said["odd"], "odd")?),
                },
            }),
            Some("together") => Ok(Said::Together { rows: rows_of(&said["rows"], "rows")? }),
            Some("apart") => Ok(Said::Apart {
                rows: rows_of(&said["rows"], "rows")?,
                cluster: cluster(&said["cluster"])?,
                together: said["together"].as_bool().unwrap_or(true),
            }),
            Some("move") => Ok(Said::Move {
                rows: rows_of(&said["rows"], "rows")?,
                cluster: cluster(&said["cluster"])?,
            }),
            Some("merge") => {
                let clusters = said["clusters"].as_array().ok_or_else(|| lacks("clusters"))?;
                Ok(Said::Merge { clusters: clusters.iter().map(cluster).collect::<Result<_>>()? })
            }
            _ => Err(StudioError::bad(
                "kind must be pair, place, group, together, apart, move or merge",
            )),
        }
    }

    /// The same with another answer.
    pub(crate) fn with_answer(&self, other: &Value) -> Result<Self> {
        match self {
            &Said::Pair { a, b, .. } => Ok(Said::Pair { a, b, answer: answer(other)? }),
            Said::Place { row, groups, .. } => {
                Ok(Said::Place { row: *row, groups: groups.clone(), chosen: choice_of(other)? })
            }
            Said::Group { rows, .. } => {
                let odd = match other.as_str() {
                    Some("unsure") => None,
                    _ => Some(rows_of(other, "answer")?),
                };
                Ok(Said::Group { rows: rows.clone(), odd })
            }
            _ => Err(StudioError::bad("a correction has no answer to change: delete or undo it")),
        }
    }
}

fn choice_json(choice: Choice) -> Value {
    match choice {
        Choice::Group(at) => json!(at),
        Choice::NoneOfThese => Value::Null,
        Choice::Unsure => json!("unsure"),
    }
}

fn choice_of(chosen: &Value) -> Result<Choice> {
    match chosen {
        Value::Null => Ok(Choice::NoneOfThese),
        Value::String(word) if word == "unsure" => Ok(Choice::Unsure),
        _ => match chosen.as_u64() {
            Some(at) => Ok(Choice::Group(at as usize)),
            None => Err(StudioError::bad("chosen must be a number, null or \"unsure\"")),
        },
    }
}

impl Entry {
    /// The entry as the sidecar file has it.
    pub(crate) fn to_json(&self) -> Value {
        let link = |told: &Told| json!([told.a, told.b, told.answer.name()]);
        json!({
            "id": self.id,
            "said": self.said.to_json(),
            "told": self.reply.told().iter().map(link).collect::<Vec<_>>(),
            "certain": self.is_certain(),
            "comment": self.comment,
            "look_again": self.look_again,
        })
    }

    /// What [`to_json`](Self::to_json) wrote.
    pub(crate) fn from_json(entry: &Value) -> Result<Self> {
        let told = entry["told"].as_array().ok_or_else(|| lacks("told"))?;
        let link = |told: &Value| -> Result<Told> {
            let end = |at: usize| told[at].as_u64().ok_or_else(|| lacks("told"));
            Ok(Told::new(end(0)? as usize, end(1)? as usize, answer(&told[2])?))
        };
        let told = told.iter().map(link).collect::<Result<_>>()?;
        let said = Said::from_json(&entry["said"])?;
        let reply = Reply::of(said.reply_kind(), told)?;
        let is_certain = entry["certain"].as_bool().unwrap_or_default();
        Ok(Entry {
            id: entry["id"].as_u64().ok_or_else(|| lacks("id"))?,
            said,
            reply: if is_certain { reply.certain() } else { reply },
            comment: entry["comment"].as_str().unwrap_or_default().to_owned(),
            look_again: entry["look_again"].as_bool().unwrap_or_default(),
        })
    }

    /// Whether the person was certain.
    pub(crate) fn is_certain(&self) -> bool {
        self.reply.told().iter().any(|told| told.certain)
    }

    /// Links it became.
    pub(crate) fn n_links(&self) -> usize {
        self.reply.told().iter().filter(|told| told.answer != Answer::Unsure).count()
    }

    /// What was said, in words, with the number of links if it is not plain.
    pub(crate) fn text(&self, data: &Data) -> String {
        let text = self.said.text(data);
        match (&self.said, self.n_links()) {
            (Said::Pair { .. }, _) => text,
            (_, 1) => format!("{text} (1 link)"),
            (_, n) => format!("{text} ({n} links)"),
        }
    }
}

/// All rows belong with the first.
pub(crate) fn star(rows: &[usize]) -> Vec<Told> {
    let Some((&a, others)) = rows.split_first() else { return Vec::new() };
    others.iter().map(|&b| Told::new(a, b, Answer::Same)).collect()
}

fn lacks(key: &str) -> StudioError {
    StudioError::bad(format!("{key} is missing or not what it should be"))
}

fn row(from: &Value, key: &str) -> Result<usize> {
    from[key].as_u64().map(|row| row as usize).ok_or_else(|| lacks(key))
}

fn rows_of(rows: &Value, key: &str) -> Result<Vec<usize>> {
    let rows = rows.as_array().ok_or_else(|| lacks(key))?;
    rows.iter().map(|row| row.as_u64().map(|row| row as usize).ok_or_else(|| lacks(key))).collect()
}

fn answer(word: &Value) -> Result<Answer> {
    let known = word.as_str().and_then(Answer::parse);
    known.ok_or_else(|| StudioError::bad("answer must be same, different or unsure"))
}

fn cluster(number: &Value) -> Result<i64> {
    number.as_i64().ok_or_else(|| lacks("cluster"))
}

/// Longer names are cut.
fn shorten(text: &str) -> String {
    const MOST_CHARS: usize = 40;
    match text.chars().count() > MOST_CHARS {
        true => text.chars().take(MOST_CHARS - 1).chain(['…']).collect(),
        false => text.to_owned(),
    }
}
