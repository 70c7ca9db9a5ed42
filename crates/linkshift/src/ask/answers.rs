//! What was answered so far, and what follows from it.

use crate::error::Result;
use crate::links::{Link, LinkClosure, LinkKind, Links};
use crate::params::Named;

/// What a person can say of two rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Answer {
    /// They belong together.
    Same,
    /// They belong apart.
    Different,
    /// One cannot say: no link, but the pair is not asked again.
    Unsure,
}

impl Named for Answer {
    const ALL: &'static [Self] = &[Answer::Same, Answer::Different, Answer::Unsure];

    fn name(self) -> &'static str {
        match self {
            Answer::Same => "same",
            Answer::Different => "different",
            Answer::Unsure => "unsure",
        }
    }
}

/// One answer, as it was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Told {
    /// One row.
    pub a: usize,
    /// The other row.
    pub b: usize,
    /// What was said of the two.
    pub answer: Answer,
}

impl Told {
    /// The link that the answer is, unless it was [`Answer::Unsure`].
    pub fn link(&self) -> Option<Link> {
        match self.answer {
            Answer::Same => Some(Link::must(self.a, self.b)),
            Answer::Different => Some(Link::cannot(self.a, self.b)),
            Answer::Unsure => None,
        }
    }

    /// Whether this is about the pair, in either order.
    pub fn is_about(&self, a: usize, b: usize) -> bool {
        (self.a, self.b) == (a, b) || (self.a, self.b) == (b, a)
    }
}

/// All answers in the order they were told, with their closure.
///
/// Nothing else is remembered between two questions: the next one is a function of the points and
/// of these. So an answer can be undone wherever it stands, and a dialogue resumed from a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Answers {
    told: Vec<Told>,
    closure: LinkClosure,
}

impl Answers {
    /// No answers yet about rows 0 to `n_points` − 1.
    pub fn new(n_points: usize) -> Self {
        Answers { told: Vec::new(), closure: LinkClosure::none(n_points) }
    }

    /// Takes up a list, for instance from a file.
    pub fn resume(n_points: usize, told: Vec<Told>) -> Result<Self> {
        let unsure = told.iter().filter(|told| told.answer == Answer::Unsure);
        // A pair of rows is checked as the link it would be.
        unsure
            .map(|told| Link::cannot(told.a, told.b))
            .try_for_each(|link| Links::from_iter([link]).close(n_points).map(|_| ()))?;
        let closure = links_of(&told).close(n_points)?;
        Ok(Answers { told, closure })
    }

    /// Adds an answer. One that contradicts those before it is an error that names the chain of
    /// answers against it, and is not added.
    pub fn tell(&mut self, a: usize, b: usize, answer: Answer) -> Result<()> {
        let mut told = self.told.clone();
        told.push(Told { a, b, answer });
        *self = Self::resume(self.n_points(), told)?;
        Ok(())
    }

    /// Takes back the latest answer about a pair, and gives it; `None` if there is none.
    pub fn undo(&mut self, a: usize, b: usize) -> Option<Told> {
        let at = self.told.iter().rposition(|told| told.is_about(a, b))?;
        self.remove(at)
    }

    /// Takes back the latest answer of all, and gives it; `None` if there is none.
    pub fn undo_last(&mut self) -> Option<Told> {
        self.remove(self.told.len().checked_sub(1)?)
    }

    fn remove(&mut self, at: usize) -> Option<Told> {
        let mut told = self.told.clone();
        let removed = told.remove(at);
        // Fewer links never contradict each other more: this does not fail.
        *self = Self::resume(self.n_points(), told).ok()?;
        Some(removed)
    }

    /// The answers without the last `n`.
    pub(super) fn without_last(&self, n: usize) -> Self {
        let told = self.told[..self.told.len().saturating_sub(n)].to_vec();
        Self::resume(self.n_points(), told).unwrap_or_else(|_| Self::new(self.n_points()))
    }

    /// Number of rows that can be asked about.
    pub fn n_points(&self) -> usize {
        self.closure.n_points()
    }

    /// The answers in the order they were told.
    pub fn told(&self) -> &[Told] {
        &self.told
    }

    /// The links among the answers, in the order they were told.
    pub fn links(&self) -> Links {
        links_of(&self.told)
    }

    /// What the answers imply.
    pub fn closure(&self) -> &LinkClosure {
        &self.closure
    }

    /// What is known of two rows: an answer, a conclusion from answers, or [`Answer::Unsure`] if
    /// that is all that was said.
    pub fn known(&self, a: usize, b: usize) -> Option<Answer> {
        match self.closure.relation(a, b) {
            Some(LinkKind::Must) => Some(Answer::Same),
            Some(LinkKind::Cannot) => Some(Answer::Different),
            None => self.told.iter().any(|told| told.is_about(a, b)).then_some(Answer::Unsure),
        }
    }
}

fn links_of(told: &[Told]) -> Links {
    told.iter().filter_map(Told::link).collect()
}
