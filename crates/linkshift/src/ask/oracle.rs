//! Who answers: known labels in experiments, a function, a person behind a function.

use super::answers::Answer;
use super::asker::Asker;
use super::question::{Group, Place, Question};
use super::reply::{Choice, Kind, Reply};
use crate::error::{Error, Result};
use crate::real::Real;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Someone who can be asked whether two rows belong together.
///
/// Every function of two rows is one. The other kinds of questions are answered pair by pair
/// unless they are given a better way.
pub trait Oracle {
    /// What is said of two rows.
    fn answer(&mut self, a: usize, b: usize) -> Answer;

    /// Where a row is put.
    fn place(&mut self, question: &Place) -> Choice {
        let answers: Vec<Answer> =
            question.groups.iter().map(|group| self.answer(question.row, group[0])).collect();
        match answers.iter().position(|&answer| answer == Answer::Same) {
            Some(at) => Choice::Group(at),
            None if answers.contains(&Answer::Different) => Choice::NoneOfThese,
            None => Choice::Unsure,
        }
    }

    /// The odd ones of a group, `None` if one cannot say.
    fn odd(&mut self, question: &Group) -> Option<Vec<usize>> {
        let first = question.rows[0];
        let is_odd = |row: &usize| self.answer(first, *row) == Answer::Different;
        Some(question.rows[1..].iter().copied().filter(is_odd).collect())
    }

    /// The answer to a question of any kind.
    fn reply(&mut self, question: &Question) -> Result<Reply> {
        match question {
            Question::Pair(pair) => Ok(Reply::pair(pair.a, pair.b, self.answer(pair.a, pair.b))),
            Question::Place(place) => Reply::place(place.row, &place.groups, self.place(place)),
            Question::Group(group) => Reply::group(&group.rows, self.odd(group).as_deref()),
        }
    }
}

impl<F: FnMut(usize, usize) -> Answer> Oracle for F {
    fn answer(&mut self, a: usize, b: usize) -> Answer {
        self(a, b)
    }
}

/// Answers from known labels, wrong at a given rate, unsure where a label is negative (unknown).
#[derive(Debug, Clone)]
pub struct KnownLabels {
    labels: Vec<i64>,
    error_rate: f64,
    seed: u64,
}

impl KnownLabels {
    /// Never wrong.
    pub fn new(labels: Vec<i64>) -> Self {
        KnownLabels { labels, error_rate: 0.0, seed: 0 }
    }

    /// Wrong with probability `error_rate`; the same question gets the same answer again.
    ///
    /// Who errs about a place takes another of the groups shown, or says none of these where there
    /// is no other; who errs about a group misses one of the odd ones or, where there is none,
    /// marks one that is not odd.
    pub fn with_errors(self, error_rate: f64, seed: u64) -> Result<Self> {
        if !(0.0..=1.0).contains(&error_rate) {
            return Err(Error::param("error_rate", error_rate, "from 0 to 1"));
        }
        Ok(KnownLabels { error_rate, seed, ..self })
    }

    fn label(&self, row: usize) -> Option<i64> {
        self.labels.get(row).copied().filter(|&label| label >= 0)
    }

    /// A stream of chance of its own for each question; streams are as many as pairs of rows.
    fn chance(&self, a: usize, b: usize) -> ChaCha8Rng {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(((a.min(b) as u64) << 32) | a.max(b) as u64);
        rng
    }

    /// The label that most of some rows have, the first of equally many.
    fn main_label(&self, rows: &[usize]) -> Option<i64> {
        let labels: Vec<i64> = rows.iter().filter_map(|&row| self.label(row)).collect();
        let count = |label: i64| labels.iter().filter(|&&other| other == label).count();
        let most = labels.iter().map(|&label| count(label)).max()?;
        labels.iter().copied().find(|&label| count(label) == most)
    }
}

impl Oracle for KnownLabels {
    fn answer(&mut self, a: usize, b: usize) -> Answer {
        let (Some(one), Some(other)) = (self.label(a), self.label(b)) else {
            return Answer::Unsure;
        };
        let wrong = self.chance(a, b).random_bool(self.error_rate);
        if (one == other) != wrong { Answer::Same } else { Answer::Different }
    }

    /// By the label that most of a group's members shown have.
    fn place(&mut self, question: &Place) -> Choice {
        let Some(label) = self.label(question.row) else { return Choice::Unsure };
        let groups = &question.groups;
        let right = groups.iter().position(|rows| self.main_label(rows) == Some(label));
        let mut rng = self.chance(question.row, groups[0][0]);
        match (rng.random_bool(self.error_rate), right) {
            (false, Some(at)) => Choice::Group(at),
            (false, None) => Choice::NoneOfThese,
            (true, Some(_)) if groups.len() == 1 => Choice::NoneOfThese,
            (true, Some(at)) => {
                let other = rng.random_range(0..groups.len() - 1);
                Choice::Group(other + usize::from(other >= at))
            }
            (true, None) => Choice::Group(rng.random_range(0..groups.len())),
        }
    }

    fn odd(&mut self, question: &Group) -> Option<Vec<usize>> {
        let rows = &question.rows;
        let label = self.main_label(rows)?;
        let is_odd = |row: &usize| self.label(*row) != Some(label);
        let mut odd: Vec<usize> = rows.iter().copied().filter(is_odd).collect();
        let mut rng = self.chance(rows[0], rows[1]);
        if rng.random_bool(self.error_rate) {
            match odd.len() {
                0 => odd.push(rows[rng.random_range(0..rows.len())]),
                n => drop(odd.remove(rng.random_range(0..n))),
            }
        }
        Some(odd)
    }
}

/// Asks until `budget` answers are there in all or nothing is left to ask; `after` sees the asker
/// after each answer. Gives the number of answers there are.
pub fn run<T: Real>(
    asker: &mut Asker<'_, T>,
    oracle: &mut impl Oracle,
    budget: usize,
    after: impl FnMut(&Asker<'_, T>) -> Result<()>,
) -> Result<usize> {
    run_kinds(asker, oracle, &[Kind::Pair], budget, after)
}

/// [`run`] with questions of these kinds.
pub fn run_kinds<T: Real>(
    asker: &mut Asker<'_, T>,
    oracle: &mut impl Oracle,
    kinds: &[Kind],
    budget: usize,
    mut after: impl FnMut(&Asker<'_, T>) -> Result<()>,
) -> Result<usize> {
    while asker.answers().replies().len() < budget {
        let Some(question) = asker.question(kinds) else { break };
        asker.reply(oracle.reply(&question)?)?;
        after(asker)?;
    }
    Ok(asker.answers().replies().len())
}
