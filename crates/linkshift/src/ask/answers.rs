//! What was answered so far, and what follows from it.

use super::reply::{Kind, Reply};
use crate::error::Result;
use crate::links::{Link, LinkClosure, LinkKind, Links};
use crate::params::Named;
use std::fmt;

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

/// What was said of one pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Told {
    /// One row.
    pub a: usize,
    /// The other row.
    pub b: usize,
    /// What was said of the two.
    pub answer: Answer,
    /// Whether the person was certain, and is believed whatever else was said.
    pub certain: bool,
}

impl Told {
    /// How sure a plain answer is where others are certain: the default method suspects no link
    /// whose confidence is written as 1.
    pub const PLAIN: f64 = 0.99;

    /// A plain answer.
    pub fn new(a: usize, b: usize, answer: Answer) -> Self {
        Told { a, b, answer, certain: false }
    }

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
    replies: Vec<Reply>,
    /// The pairs of all replies.
    told: Vec<Told>,
    closure: LinkClosure,
    may_err: bool,
}

impl Answers {
    /// No answers yet about rows 0 to `n_points` − 1. One that contradicts others will be refused.
    pub fn new(n_points: usize) -> Self {
        let closure = LinkClosure::none(n_points);
        Answers { replies: Vec::new(), told: Vec::new(), closure, may_err: false }
    }

    /// The same for people who err: only what was said with certainty may not contradict itself.
    pub fn that_may_err(n_points: usize) -> Self {
        Answers { may_err: true, ..Self::new(n_points) }
    }

    /// Takes up a list, for instance from a file.
    pub fn resume<R: Into<Reply>>(
        n_points: usize,
        told: impl IntoIterator<Item = R>,
    ) -> Result<Self> {
        Self::new(n_points).with(told.into_iter().map(Into::into).collect())
    }

    /// These replies instead of the present ones.
    pub(super) fn with(&self, replies: Vec<Reply>) -> Result<Self> {
        let n_points = self.n_points();
        let told: Vec<Told> = replies.iter().flat_map(Reply::told).copied().collect();
        // Every pair of rows is checked as the link it would be.
        let pairs: Links = told.iter().map(|told| Link::cannot(told.a, told.b)).collect();
        pairs.check(n_points)?;
        let links = links_of(&told);
        let closure = match self.may_err {
            false => links.close(n_points)?,
            true => {
                let certain: Vec<Told> = told.iter().filter(|told| told.certain).copied().collect();
                links_of(&certain).close(n_points)?;
                links.consistent(n_points)?.kept.close(n_points)?
            }
        };
        Ok(Answers { replies, told, closure, may_err: self.may_err })
    }

    /// Adds an answer about a pair. One that contradicts those before it is an error that names the
    /// chain of answers against it, and is not added, unless [answers may
    /// err](Self::that_may_err).
    pub fn tell(&mut self, a: usize, b: usize, answer: Answer) -> Result<()> {
        self.reply(Reply::pair(a, b, answer))
    }

    /// Adds an answer of any kind, all of it or, at an error, nothing.
    pub fn reply(&mut self, reply: Reply) -> Result<()> {
        let mut replies = self.replies.clone();
        replies.push(reply);
        *self = self.with(replies)?;
        Ok(())
    }

    /// Puts another answer in the place of one, counted from 0.
    pub fn replace(&mut self, at: usize, reply: Reply) -> Result<Option<Reply>> {
        let mut replies = self.replies.clone();
        let Some(old) = replies.get_mut(at).map(|old| std::mem::replace(old, reply)) else {
            return Ok(None);
        };
        *self = self.with(replies)?;
        Ok(Some(old))
    }

    /// Takes back the latest answer that tells of a pair, and gives it; `None` if there is none.
    pub fn undo(&mut self, a: usize, b: usize) -> Option<Reply> {
        let tells = |reply: &Reply| reply.told().iter().any(|told| told.is_about(a, b));
        let at = self.replies.iter().rposition(tells)?;
        self.remove(at)
    }

    /// Takes back the latest answer of all, and gives it; `None` if there is none.
    pub fn undo_last(&mut self) -> Option<Reply> {
        self.remove(self.replies.len().checked_sub(1)?)
    }

    /// Takes back an answer, counted from 0, and gives it; `None` if there are not so many.
    pub fn remove(&mut self, at: usize) -> Option<Reply> {
        let mut replies = self.replies.clone();
        let removed = (at < replies.len()).then(|| replies.remove(at))?;
        // Fewer links never contradict each other more: this does not fail.
        *self = self.with(replies).ok()?;
        Some(removed)
    }

    /// The answers without the last `n`.
    pub(super) fn without_last(&self, n: usize) -> Self {
        let replies = self.replies[..self.replies.len().saturating_sub(n)].to_vec();
        self.with(replies).unwrap_or_else(|_| self.clone())
    }

    /// Number of rows that can be asked about.
    pub fn n_points(&self) -> usize {
        self.closure.n_points()
    }

    /// Whether plain answers may be wrong.
    pub fn may_err(&self) -> bool {
        self.may_err
    }

    /// The answers in the order they were told, each as a whole.
    pub fn replies(&self) -> &[Reply] {
        &self.replies
    }

    /// The pairs of all answers in the order they were told.
    pub fn told(&self) -> &[Told] {
        &self.told
    }

    /// How many there are.
    pub fn tally(&self) -> Tally {
        Tally::of(&self.replies)
    }

    /// The links among the answers, in the order they were told. Where some were said with
    /// certainty, the others have the confidence [`Told::PLAIN`].
    pub fn links(&self) -> Links {
        links_of(&self.told)
    }

    /// What the answers imply; of contradicting ones, those that can be true together.
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

/// How much was answered: whole answers by kind, and the pairs that they tell of.
///
/// One answer about a group tells of several pairs, so the two sums differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    /// Whole answers by [`Kind::ALL`](Named::ALL).
    kinds: [usize; Kind::ALL.len()],
    /// Pairs by [`Answer::ALL`](Named::ALL).
    pairs: [usize; Answer::ALL.len()],
}

impl Tally {
    /// Counts some answers.
    pub fn of(replies: &[Reply]) -> Self {
        let of_kind = |kind: Kind| replies.iter().filter(|reply| reply.kind() == kind).count();
        let told = || replies.iter().flat_map(Reply::told);
        let of_pairs = |answer: Answer| told().filter(|told| told.answer == answer).count();
        let (mut kinds, mut pairs) = ([0; Kind::ALL.len()], [0; Answer::ALL.len()]);
        kinds.iter_mut().zip(Kind::ALL).for_each(|(n, &kind)| *n = of_kind(kind));
        pairs.iter_mut().zip(Answer::ALL).for_each(|(n, &answer)| *n = of_pairs(answer));
        Tally { kinds, pairs }
    }

    /// Number of answers, each as a whole.
    pub fn n_answers(&self) -> usize {
        self.kinds.iter().sum()
    }

    /// Number of pairs that they tell of.
    pub fn n_pairs(&self) -> usize {
        self.pairs.iter().sum()
    }

    /// Whole answers, kind by kind.
    pub fn kinds(&self) -> impl Iterator<Item = (Kind, usize)> {
        Kind::ALL.iter().copied().zip(self.kinds)
    }

    /// Pairs, answer by answer.
    pub fn pairs(&self) -> impl Iterator<Item = (Answer, usize)> {
        Answer::ALL.iter().copied().zip(self.pairs)
    }
}

impl fmt::Display for Tally {
    /// `3 (1 same, 2 different, 0 unsure)`, and where answers tell of several pairs
    /// `3 (2 pair, 1 place) of 6 pairs (2 same, 4 different, 0 unsure)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs: Vec<String> =
            self.pairs().map(|(answer, n)| format!("{n} {}", answer.name())).collect();
        let pairs = pairs.join(", ");
        let n_answers = self.n_answers();
        if self.kinds[0] == n_answers {
            return write!(f, "{n_answers} ({pairs})");
        }
        let kinds = self.kinds().filter(|&(_, n)| n > 0);
        let kinds: Vec<String> = kinds.map(|(kind, n)| format!("{n} {}", kind.name())).collect();
        write!(f, "{n_answers} ({}) of {} pairs ({pairs})", kinds.join(", "), self.n_pairs())
    }
}

pub(super) fn links_of(told: &[Told]) -> Links {
    let any_certain = told.iter().any(|told| told.certain);
    let link = |told: &Told| {
        let link = told.link()?;
        let confidence = if any_certain && !told.certain { Told::PLAIN } else { 1.0 };
        Some(Link { confidence, ..link })
    };
    told.iter().filter_map(link).collect()
}
