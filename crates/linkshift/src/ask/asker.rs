//! Ask and tell.

use super::answers::{Answer, Answers, Told};
use super::belief::Belief;
use super::border::Border;
use super::choose::choose;
use super::chooser::Chooser;
use super::frame::Frame;
use super::neighborhoods::Neighborhoods;
use super::question::{Pair, Question};
use super::reply::{Kind, Reply};
use super::walk::Walk;
use crate::error::Result;
use crate::links::Links;
use crate::points::Points;
use crate::real::Real;
use crate::scores::adjusted_rand_index;
use crate::shared::relabel::number_by_first_member;
use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

/// A dialogue about points: gives questions, takes answers.
///
/// ```
/// use linkshift::ask::{Answer, Asker, Chooser};
/// use linkshift::datasets;
///
/// let blobs = datasets::blobs(300, 2, 3, 0.5, 10.0, 7)?;
/// let mut asker = Asker::new(blobs.points, Chooser::Border, 0)?;
/// for _ in 0..20 {
///     let Some(question) = asker.next(1).pop() else { break };
///     let same = blobs.labels[question.a] == blobs.labels[question.b]; // here a person is asked
///     asker.tell(question.a, question.b, if same { Answer::Same } else { Answer::Different })?;
/// }
/// assert_eq!(asker.labels(), blobs.labels);
/// # Ok::<(), linkshift::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Asker<'a, T: Real> {
    points: Points<'a, T>,
    chooser: Chooser,
    seed: u64,
    answers: Answers,
    /// Made when it is first needed: some choosers go without.
    walk: OnceLock<Walk>,
    /// The same for [`Chooser::Border`].
    frame: OnceLock<Arc<Frame<T>>>,
}

/// An answer that fits badly with the others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Suspect {
    /// The position of the reply that it is part of, from 0.
    pub at: usize,
    /// What was said.
    pub told: Told,
    /// The chance that it is right after all.
    pub right: f64,
}

impl Suspect {
    /// What it should likely have been.
    pub fn likely(&self) -> Answer {
        match self.told.answer {
            Answer::Same => Answer::Different,
            _ => Answer::Same,
        }
    }
}

/// Whether it is worth going on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outlook {
    /// How alike the labels are before and after the last [`LOOK_BACK`](Self::LOOK_BACK) answers,
    /// as adjusted Rand index; `None` if there are fewer answers.
    pub agreement: Option<f64>,
    /// Whether as many answers again are expected to change little: the agreement is at least
    /// [`SETTLED`](Self::SETTLED), or there is nothing left to ask.
    pub settled: bool,
    /// The share of pairs of rows that the labels put rightly together or rightly apart, as the
    /// walk expects; `None` where nothing is known or the chooser is not [`Chooser::Border`].
    pub share: Option<f64>,
}

impl Outlook {
    /// How many answers are looked back at.
    pub const LOOK_BACK: usize = 20;

    /// The agreement from which on answers are said to change little.
    pub const SETTLED: f64 = 0.99;
}

impl<'a, T: Real> Asker<'a, T> {
    /// A dialogue without answers yet. Everything drawn by chance depends on `seed` alone.
    pub fn new(points: Points<'a, T>, chooser: Chooser, seed: u64) -> Result<Self> {
        chooser.check(points.n_points())?;
        let n_points = points.n_points();
        let answers = match chooser.hears_evidence() {
            true => Answers::that_may_err(n_points),
            false => Answers::new(n_points),
        };
        Ok(Asker { points, chooser, seed, answers, walk: OnceLock::new(), frame: OnceLock::new() })
    }

    /// Takes up a dialogue with the answers it had; it goes on as if it had never stopped.
    pub fn resume<R: Into<Reply>>(mut self, told: impl IntoIterator<Item = R>) -> Result<Self> {
        self.answers = self.answers.with(told.into_iter().map(Into::into).collect())?;
        Ok(self)
    }

    /// The question that is worth most per second of a person's time, of these kinds; `None` if
    /// there is nothing left to ask. Choosers but [`Chooser::Border`] ask about pairs only.
    pub fn question(&self, kinds: &[Kind]) -> Option<Question> {
        self.question_after(&self.answers, kinds)
    }

    fn question_after(&self, answers: &Answers, kinds: &[Kind]) -> Option<Question> {
        if self.chooser.hears_evidence() {
            let (frame, belief) = self.belief(answers);
            return Border::new(frame, &self.points, &belief).question(kinds);
        }
        let walk = || self.walk();
        choose(self.chooser, &self.points, walk, answers, self.seed).map(Question::Pair)
    }

    /// Up to `n` pairs worth asking, the most worth first; none if there is nothing left to ask.
    ///
    /// No pair is asked that was answered before. [`Chooser::Border`] may ask for what seems known
    /// already, in another form, where answers fit badly together ([`Pair::again`]); the others
    /// never do. Each further pair assumes that those before it are answered as expected.
    pub fn next(&self, n: usize) -> Vec<Pair> {
        let mut assumed = self.answers.clone();
        let mut questions = Vec::new();
        while questions.len() < n {
            let Some(Question::Pair(pair)) = self.question_after(&assumed, &[Kind::Pair]) else {
                break;
            };
            questions.push(pair);
            if questions.len() < n && assumed.tell(pair.a, pair.b, pair.guess).is_err() {
                break;
            }
        }
        questions
    }

    /// Takes an answer about a pair, to a question or of one's own accord. With
    /// [`Chooser::Border`] answers are evidence, and may contradict each other; with the others one
    /// that contradicts earlier ones is an error that names them, and is not taken.
    pub fn tell(&mut self, a: usize, b: usize, answer: Answer) -> Result<()> {
        self.answers.tell(a, b, answer)
    }

    /// Takes an answer of any kind, all of it or, at an error, nothing. What was said with certainty
    /// may never contradict itself.
    pub fn reply(&mut self, reply: Reply) -> Result<()> {
        self.answers.reply(reply)
    }

    /// Puts another answer in the place of one, counted from 0, and gives the old one; `None` if
    /// there are not so many.
    pub fn replace(&mut self, at: usize, reply: Reply) -> Result<Option<Reply>> {
        self.answers.replace(at, reply)
    }

    /// Takes back an answer, counted from 0, and gives it; `None` if there are not so many.
    pub fn remove(&mut self, at: usize) -> Option<Reply> {
        self.answers.remove(at)
    }

    /// Takes back the latest answer that tells of a pair, and gives it; `None` if there is none.
    pub fn undo(&mut self, a: usize, b: usize) -> Option<Reply> {
        self.answers.undo(a, b)
    }

    /// Takes back the latest answer of all, and gives it; `None` if there is none.
    pub fn undo_last(&mut self) -> Option<Reply> {
        self.answers.undo_last()
    }

    /// What was answered so far.
    pub fn answers(&self) -> &Answers {
        &self.answers
    }

    /// The points asked about.
    pub fn points(&self) -> &Points<'a, T> {
        &self.points
    }

    /// The seed of everything drawn by chance.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The rule that chooses the questions.
    pub fn chooser(&self) -> Chooser {
        self.chooser
    }

    /// The links for a method's `fit`: those told, without suspects, and, if the chooser was given a
    /// number of groups, those that follow from it (a point apart from all groups but one belongs
    /// there).
    pub fn links(&self) -> Links {
        let suspects: HashSet<Told> = self.suspects().iter().map(|suspect| suspect.told).collect();
        let told = self.answers.told().iter().copied();
        let trusted: Vec<Told> = told.filter(|told| !suspects.contains(told)).collect();
        let links = super::answers::links_of(&trusted);
        // Rows without a place may still contradict each other.
        let consistent = links.consistent(self.points.n_points());
        let mut links = consistent.map_or(links, |consistent| consistent.kept);
        links.extend(self.chooser.deduced(&self.answers).iter().copied());
        links
    }

    /// The answers spread over all points by the
    /// [walk](super#how-far-an-answer-reaches): one label per point, numbered by first member. Where
    /// no answer parts the points, they are one cluster.
    pub fn labels(&self) -> Vec<i64> {
        self.labels_by(&self.answers)
    }

    /// For each point the chance that it belongs where [`labels`](Self::labels) puts it, as far as
    /// the walk can tell; `None` unless the chooser is [`Chooser::Border`].
    pub fn chances(&self) -> Option<Vec<f64>> {
        self.chooser.hears_evidence().then(|| {
            let (frame, belief) = self.belief(&self.answers);
            let (_, sure) = Border::new(frame, &self.points, &belief).labels();
            (0..self.points.n_points()).map(|row| sure[frame.node(row)]).collect()
        })
    }

    /// The share of wrong answers, as far as answers show; `None` unless the chooser is
    /// [`Chooser::Border`].
    pub fn error_rate(&self) -> Option<f64> {
        let evidence = self.chooser.hears_evidence();
        evidence.then(|| self.belief(&self.answers).1.state.error_rate)
    }

    /// Answers that are believed to be wrong, the surest first; none unless the chooser is
    /// [`Chooser::Border`]. None of them was said with certainty.
    pub fn suspects(&self) -> Vec<Suspect> {
        if !self.chooser.hears_evidence() || self.answers.told().is_empty() {
            return Vec::new();
        }
        let (frame, belief) = self.belief(&self.answers);
        let mut suspects = Vec::new();
        for (at, reply) in self.answers.replies().iter().enumerate() {
            for &told in reply.told().iter().filter(|told| !told.certain) {
                let right = belief.right(frame.node(told.a), frame.node(told.b), told.answer);
                suspects.extend(right.map(|right| Suspect { at, told, right }));
            }
        }
        suspects.sort_by(|one, other| one.right.total_cmp(&other.right));
        suspects
    }

    /// Whether it is worth going on.
    pub fn outlook(&self) -> Outlook {
        let look_back = Outlook::LOOK_BACK;
        let labels = self.labels();
        let agreement = (self.answers.replies().len() >= look_back)
            .then(|| self.labels_by(&self.answers.without_last(look_back)))
            .and_then(|before| adjusted_rand_index(&before, &labels).ok());
        let steady = agreement.is_some_and(|agreement| agreement >= Outlook::SETTLED);
        let share = self.chooser.hears_evidence().then(|| {
            let (frame, belief) = self.belief(&self.answers);
            Border::new(frame, &self.points, &belief).share()
        });
        let settled = steady || self.question(&[Kind::Pair]).is_none();
        Outlook { agreement, settled, share: share.flatten() }
    }

    fn labels_by(&self, answers: &Answers) -> Vec<i64> {
        if self.chooser.hears_evidence() {
            let (frame, belief) = self.belief(answers);
            let (labels, _) = Border::new(frame, &self.points, &belief).labels();
            return number_by_first_member(&frame.of_rows(labels)).0;
        }
        self.walk().labels(&self.points, answers, &Neighborhoods::of(answers))
    }

    fn walk(&self) -> &Walk {
        self.walk.get_or_init(|| Walk::new(&self.points))
    }

    fn belief(&self, answers: &Answers) -> (&Frame<T>, Arc<Belief>) {
        let frame = self.frame.get_or_init(|| Arc::new(Frame::new(&self.points, self.seed)));
        (frame, frame.beliefs.after(frame, &self.points, answers))
    }
}
