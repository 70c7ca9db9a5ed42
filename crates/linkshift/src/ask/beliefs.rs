//! What is believed after some answers, going on from what was believed after fewer.

use super::answers::Answers;
use super::belief::Belief;
use super::frame::Frame;
use super::reply::Reply;
use crate::points::Points;
use crate::real::Real;
use std::sync::{Arc, Mutex, PoisonError};

/// After every so many answers what is believed is kept for a while, for whoever takes answers back.
const STRIDE: usize = 32;

/// So many of these are kept, those nearest to the answers looked at last.
const MOST_MARKS: usize = 2;

/// Beside them, as many as were looked at last: with all answers, and some answers ago.
const MOST_RECENT: usize = 2;

/// What is believed is a function of points and answers alone, found answer by answer. A question does not repeat
/// the work of all before it.
#[derive(Debug, Default)]
pub(super) struct Beliefs {
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    /// What is kept was believed after the first so many of these.
    replies: Vec<Reply>,
    marks: Vec<Moment>,
    /// The one looked at last is the last.
    recent: Vec<Moment>,
}

#[derive(Debug, Clone)]
struct Moment {
    n_replies: usize,
    belief: Arc<Belief>,
}

impl Beliefs {
    /// What is believed after all answers.
    pub(super) fn after<T: Real>(
        &self,
        frame: &Frame<T>,
        points: &Points<'_, T>,
        answers: &Answers,
    ) -> Arc<Belief> {
        let lock = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        // Whoever comes meanwhile finds nothing, and works it out anew.
        let mut kept = std::mem::take(&mut *lock());
        let belief = kept.after(frame, points, answers.replies());
        *lock() = kept;
        belief
    }
}

impl Kept {
    fn after<T: Real>(
        &mut self,
        frame: &Frame<T>,
        points: &Points<'_, T>,
        replies: &[Reply],
    ) -> Arc<Belief> {
        self.keep_before(replies);
        let mut at = self.latest(replies.len()).unwrap_or_else(|| Moment {
            n_replies: 0,
            belief: Arc::new(Belief::begin(frame.n_nodes())),
        });
        if at.n_replies < replies.len() {
            let mut belief = Arc::unwrap_or_clone(at.belief);
            for (reply, n_replies) in replies.iter().zip(1_usize..).skip(at.n_replies) {
                belief.hear(frame, points, reply);
                if n_replies.is_multiple_of(STRIDE) && n_replies < replies.len() {
                    self.mark(Moment { n_replies, belief: Arc::new(belief.clone()) });
                }
            }
            belief.weigh();
            at = Moment { n_replies: replies.len(), belief: Arc::new(belief) };
            if at.n_replies.is_multiple_of(STRIDE) {
                self.mark(at.clone());
            }
        }
        let belief = at.belief.clone();
        self.recent.push(at);
        let n_old = self.recent.len().saturating_sub(MOST_RECENT);
        self.recent.drain(..n_old);
        belief
    }

    /// Forgets what was believed after other answers than these, and takes these down.
    fn keep_before(&mut self, replies: &[Reply]) {
        let shared = self.replies.iter().zip(replies).take_while(|(one, other)| one == other);
        let n_shared = shared.count();
        if n_shared < replies.len() {
            let holds = |moment: &Moment| moment.n_replies <= n_shared;
            self.marks.retain(holds);
            self.recent.retain(holds);
            self.replies.truncate(n_shared);
            self.replies.extend_from_slice(&replies[n_shared..]);
        }
    }

    /// The latest that is known after at most so many answers. What goes on from it takes its place.
    fn latest(&mut self, n_replies: usize) -> Option<Moment> {
        let latest = |moments: &[Moment]| {
            let before = moments.iter().enumerate().filter(|(_, one)| one.n_replies <= n_replies);
            before.map(|(at, moment)| (moment.n_replies, at)).max()
        };
        let (recent, mark) = (latest(&self.recent), latest(&self.marks));
        match (recent, mark) {
            (Some((n, at)), other) if other.is_none_or(|(m, _)| n >= m) => {
                Some(self.recent.remove(at))
            }
            (_, Some((_, at))) => Some(self.marks[at].clone()),
            _ => None,
        }
    }

    fn mark(&mut self, new: Moment) {
        let n = new.n_replies;
        self.marks.retain(|mark| mark.n_replies != n);
        self.marks.push(new);
        self.marks.sort_by_key(|mark| mark.n_replies.abs_diff(n));
        self.marks.truncate(MOST_MARKS);
    }
}
