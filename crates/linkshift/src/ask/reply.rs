//! What a person says at one go: one answer, and all the pairs that it tells of.

use super::answers::{Answer, Told};
use crate::error::{Error, Result};
use crate::params::Named;

/// Kinds of questions, and of what is told unasked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Do these two belong together?
    Pair,
    /// Which of these groups does it belong to?
    Place,
    /// Is this group one thing?
    Group,
    /// Several pairs told together, unasked: a correction.
    Links,
}

impl Kind {
    /// The kinds that are asked.
    pub const ASKED: [Kind; 3] = [Kind::Pair, Kind::Place, Kind::Group];

    /// The seconds that a person is assumed to take for an answer. The choice between kinds
    /// depends on their ratios alone: reading six groups is about two comparisons, looking over a
    /// dozen rows about three.
    pub fn seconds(self) -> f64 {
        match self {
            Kind::Pair | Kind::Links => 4.0,
            Kind::Place => 8.0,
            Kind::Group => 12.0,
        }
    }
}

impl Named for Kind {
    const ALL: &'static [Self] = &[Kind::Pair, Kind::Place, Kind::Group, Kind::Links];

    fn name(self) -> &'static str {
        match self {
            Kind::Pair => "pair",
            Kind::Place => "place",
            Kind::Group => "group",
            Kind::Links => "links",
        }
    }
}

/// The answer to "which of these groups does it belong to?".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Choice {
    /// To this one of the groups, counted from 0.
    Group(usize),
    /// To none of these.
    NoneOfThese,
    /// One cannot say.
    Unsure,
}

/// One answer of any kind, as the pairs that it tells of.
///
/// It is remembered, taken back and written as a whole.
///
/// ```
/// use linkshift::ask::{Answer, Choice, Reply};
///
/// // Row 4 belongs with 20 and 21, not with 8 and 9: a must-link and a cannot-link.
/// let reply = Reply::place(4, &[vec![8, 9], vec![20, 21]], Choice::Group(1))?.certain();
/// let pairs: Vec<_> = reply.told().iter().map(|told| (told.a, told.b, told.answer)).collect();
/// assert_eq!(pairs, [(4, 8, Answer::Different), (4, 20, Answer::Same)]);
/// assert!(reply.is_certain());
///
/// // 10 is the odd one among four.
/// let reply = Reply::group(&[8, 9, 10, 11], Some(&[10]))?;
/// let pairs: Vec<_> = reply.told().iter().map(|told| (told.a, told.b, told.answer)).collect();
/// assert_eq!(pairs, [(8, 9, Answer::Same), (8, 10, Answer::Different), (8, 11, Answer::Same)]);
/// # Ok::<(), linkshift::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    kind: Kind,
    told: Vec<Told>,
}

impl Reply {
    /// What is said of two rows.
    pub fn pair(a: usize, b: usize, answer: Answer) -> Self {
        Reply { kind: Kind::Pair, told: vec![Told::new(a, b, answer)] }
    }

    /// Where a row belongs, among groups shown by some of their members: a must-link with the first
    /// member shown of the chosen group, a cannot-link with the first of each other one.
    pub fn place(row: usize, groups: &[Vec<usize>], chosen: Choice) -> Result<Self> {
        if groups.is_empty() || groups.iter().any(Vec::is_empty) {
            return Err(Error::param("groups", "empty", "at least one group, each with a member"));
        }
        if let Choice::Group(at) = chosen
            && at >= groups.len()
        {
            let most = groups.len() - 1;
            return Err(Error::param("chosen", at, format!("a group from 0 to {most}")));
        }
        let answer = |at: usize| match chosen {
            Choice::Unsure => Answer::Unsure,
            Choice::Group(chosen) if chosen == at => Answer::Same,
            _ => Answer::Different,
        };
        let told = |(at, group): (usize, &Vec<usize>)| Told::new(row, group[0], answer(at));
        Ok(Reply { kind: Kind::Place, told: groups.iter().enumerate().map(told).collect() })
    }

    /// Which of some rows are odd, none of them (`Some(&[])`), or that one cannot say (`None`): a
    /// must-link from the first row that is not odd to each like it, a cannot-link to each odd one.
    pub fn group(rows: &[usize], odd: Option<&[usize]>) -> Result<Self> {
        if rows.len() < 2 {
            return Err(Error::param("rows", rows.len(), "two rows or more"));
        }
        let marked = odd.unwrap_or_default();
        if let Some(row) = marked.iter().find(|row| !rows.contains(row)) {
            return Err(Error::param("odd", row, "among the rows that were shown"));
        }
        let Some(first) = rows.iter().find(|row| !marked.contains(row)).copied() else {
            return Err(Error::param("odd", "all rows", "fewer: one row at least is not odd"));
        };
        let others = rows.iter().copied().filter(|&row| row != first);
        let told = others.map(|row| {
            let answer = match odd {
                None => Answer::Unsure,
                Some(odd) if odd.contains(&row) => Answer::Different,
                Some(_) => Answer::Same,
            };
            Told::new(first, row, answer)
        });
        Ok(Reply { kind: Kind::Group, told: told.collect() })
    }

    /// Several pairs told together.
    pub fn links(told: Vec<Told>) -> Result<Self> {
        Self::of(Kind::Links, told)
    }

    /// From its parts, for instance out of a file.
    pub fn of(kind: Kind, told: Vec<Told>) -> Result<Self> {
        let one_end = told.windows(2).all(|two| two[0].a == two[1].a);
        let fits = match kind {
            Kind::Pair => told.len() == 1,
            Kind::Place | Kind::Group => !told.is_empty() && one_end,
            Kind::Links => !told.is_empty(),
        };
        match fits {
            true => Ok(Reply { kind, told }),
            false => {
                Err(Error::param("pairs", told.len(), format!("those of one {}", kind.name())))
            }
        }
    }

    /// The same from a person who is certain, and is believed.
    pub fn certain(mut self) -> Self {
        self.told.iter_mut().for_each(|told| told.certain = told.answer != Answer::Unsure);
        self
    }

    /// Whether the person was certain.
    pub fn is_certain(&self) -> bool {
        self.told.iter().all(|told| told.certain)
    }

    /// What was asked.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The pairs that the answer tells of.
    pub fn told(&self) -> &[Told] {
        &self.told
    }

    /// All rows that it is about, each once.
    pub fn rows(&self) -> Vec<usize> {
        let mut rows = Vec::new();
        for row in self.told.iter().flat_map(|told| [told.a, told.b]) {
            if !rows.contains(&row) {
                rows.push(row);
            }
        }
        rows
    }

    /// Where the row was put, if this answers [`Kind::Place`]; groups are in the order shown.
    pub fn choice(&self) -> Option<Choice> {
        if self.kind != Kind::Place {
            return None;
        }
        let same = self.told.iter().position(|told| told.answer == Answer::Same);
        Some(match same {
            Some(at) => Choice::Group(at),
            None if self.told[0].answer == Answer::Unsure => Choice::Unsure,
            None => Choice::NoneOfThese,
        })
    }

    /// The odd ones, if this answers [`Kind::Group`] and the person could say.
    pub fn odd(&self) -> Option<Vec<usize>> {
        if self.kind != Kind::Group || self.told[0].answer == Answer::Unsure {
            return None;
        }
        let odd = self.told.iter().filter(|told| told.answer == Answer::Different);
        Some(odd.map(|told| told.b).collect())
    }

    /// The answer in one word: same, different, unsure; group, none, unsure; one, odd, unsure.
    pub fn word(&self) -> &'static str {
        match (self.kind, self.choice(), self.odd()) {
            (Kind::Place, Some(Choice::Group(_)), _) => "group",
            (Kind::Place, Some(Choice::NoneOfThese), _) => "none",
            (Kind::Group, _, Some(odd)) => {
                if odd.is_empty() {
                    "one"
                } else {
                    "odd"
                }
            }
            (Kind::Place | Kind::Group, ..) => Answer::Unsure.name(),
            (Kind::Links, ..) => Kind::Links.name(),
            (Kind::Pair, ..) => self.told[0].answer.name(),
        }
    }
}

impl From<Told> for Reply {
    fn from(told: Told) -> Self {
        Reply { kind: Kind::Pair, told: vec![told] }
    }
}
