//! Links that amount to labels: answers to questions, spread over all points.
//!
//! Links drawn at random say little about each other. Those of a dialogue say of nearly any two linked
//! points whether they belong together: they are the labels of a few points, chosen where it is hardest to
//! tell. Whoever holds some of them back learns how the hardest pairs fare, not all of them, and the
//! combination believes too little in what its candidates have in common. So there answers are spread over
//! all points as [`ask`](crate::ask) spreads them, which also doubts those that fit badly, and the candidates are
//! followed only if held-back links say clearly that they know better.
//!
//! Spreading knows no clusters but those of linked points. So it is asked only where links reach nearly all that
//! the candidates found: one answer about one cluster must not swallow the others.

use super::core::{self, Outcome, agrees};
use crate::ask::{Answer, Asker, Chooser, Reply, Told};
use crate::error::Result;
use crate::links::{Link, LinkKind, Links};
use crate::points::Points;
use rayon::prelude::*;
use std::collections::HashSet;

/// The name among the candidates.
pub(super) const NAME: &str = "label spreading";

/// Fewer links are no dialogue yet: nobody is followed alone by so few, and this is no exception.
const FEWEST: usize = 20;

/// Links amount to labels where they decide this share of all pairs of linked points.
const DECIDED: f64 = 0.5;

/// And where clusters with so large a share of all points have a linked one.
const REACHED: f64 = 0.9;

/// More linked points are no dialogue, and would take long: the time grows with their fourth power.
const MOST_LINKED: usize = 400;

/// Answers of a person, ready to be spread.
pub(super) struct Spreading<'a> {
    asker: Asker<'a, f32>,
    links: &'a Links,
    is_certain: &'a [bool],
}

/// What spreading found.
pub(super) struct Spread {
    pub(super) labels: Vec<i64>,
    /// For each link how surely it is right.
    pub(super) right: Vec<f64>,
    /// The share of wrong answers.
    pub(super) rate: f64,
}

impl<'a> Spreading<'a> {
    /// `None` where links do not amount to labels.
    pub(super) fn new(
        points: &'a Points<'a, f32>,
        links: &'a Links,
        is_certain: &'a [bool],
        seed: u64,
    ) -> Result<Option<Self>> {
        if !amount_to_labels(links, points.n_points())? {
            return Ok(None);
        }
        let borrowed = Points::checked_before(points.values(), points.n_features(), None);
        let asker = Asker::new(borrowed, Chooser::Border, seed)?;
        Ok(Some(Self { asker, links, is_certain }))
    }

    /// By all links.
    pub(super) fn spread(&self) -> Result<Spread> {
        let asker = self.heard(|_| true)?;
        let rate = asker.error_rate().unwrap_or_default();
        let mut right = vec![1.0; self.links.len()];
        for suspect in asker.suspects() {
            let is_it = |link: &Link| {
                suspect
                    .told
                    .link()
                    .is_some_and(|told| (told.a, told.b, told.kind) == (link.a, link.b, link.kind))
            };
            let of_it = self.links.iter().zip(&mut right).filter(|(link, _)| is_it(link));
            of_it.for_each(|(_, right)| *right = suspect.right);
        }
        Ok(Spread { labels: asker.labels(), right, rate })
    }

    /// What became of the links that were held back from the candidates, had they been held back here.
    pub(super) fn outcomes(
        &self,
        of_candidates: &[Outcome],
        right: &[f64],
    ) -> Result<Vec<Outcome>> {
        let deal = core::deal(self.links);
        let of_fold = |fold: usize| -> Result<Vec<Outcome>> {
            let labels = self.heard(|at| deal[at] != fold)?.labels();
            let held = of_candidates.iter().filter(|outcome| deal[outcome.position] == fold);
            let outcome = |&Outcome { position, .. }: &Outcome| {
                let agreed = agrees(&labels, &self.links.as_slice()[position]);
                Outcome { position, agreed, right: right[position] }
            };
            Ok(held.map(outcome).collect())
        };
        let outcomes: Result<Vec<_>> = (0..core::FOLDS).into_par_iter().map(of_fold).collect();
        let mut outcomes = outcomes?.concat();
        outcomes.sort_by_key(|outcome| outcome.position);
        Ok(outcomes)
    }

    /// After some of the links, in their order; those that follow each other from one point are one answer.
    fn heard(&self, is_told: impl Fn(usize) -> bool) -> Result<Asker<'a, f32>> {
        let told = |at: usize| {
            let link = &self.links.as_slice()[at];
            let answer = match link.kind {
                LinkKind::Must => Answer::Same,
                LinkKind::Cannot => Answer::Different,
            };
            Told { certain: self.is_certain[at], ..Told::new(link.a, link.b, answer) }
        };
        let all: Vec<Told> = (0..self.links.len()).filter(|&at| is_told(at)).map(told).collect();
        let replies = all.chunk_by(|one, next| one.a == next.a);
        let replies: Result<Vec<Reply>> = replies.map(|told| Reply::links(told.to_vec())).collect();
        self.asker.clone().resume(replies?)
    }
}

/// Whether nearly all points are in a cluster that some link is about.
pub(super) fn reach(links: &Links, labels: &[i64]) -> bool {
    let reached: HashSet<i64> =
        links.iter().flat_map(|link| [labels[link.a], labels[link.b]]).collect();
    let n_reached = labels.iter().filter(|&label| reached.contains(label)).count();
    n_reached as f64 >= REACHED * labels.len() as f64
}

/// Whether there are links enough, they decide most pairs of the points they are about, and these are few.
fn amount_to_labels(links: &Links, n: usize) -> Result<bool> {
    let mut linked: Vec<usize> = links.iter().flat_map(|link| [link.a, link.b]).collect();
    linked.sort_unstable();
    linked.dedup();
    if links.len() < FEWEST || linked.len() > MOST_LINKED {
        return Ok(false);
    }
    let closure = links.consistent(n)?.kept.close(n)?;
    let pairs =
        linked.iter().enumerate().flat_map(|(at, &a)| linked[..at].iter().map(move |&b| (a, b)));
    let (mut n_decided, mut n_pairs) = (0, 0);
    for (a, b) in pairs {
        n_pairs += 1;
        n_decided += usize::from(closure.relation(a, b).is_some());
    }
    Ok(n_pairs > 0 && f64::from(n_decided as u32) >= DECIDED * f64::from(n_pairs as u32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::links;

    #[test]
    fn links_reach_only_the_clusters_they_are_about() {
        let labels: Vec<i64> = (0..40).map(|row| row % 4).collect();
        let mut links: Links = [Link::must(0, 4), Link::cannot(0, 1)].into_iter().collect();
        assert!(!reach(&links, &labels));
        links.push(Link::cannot(2, 3));
        assert!(reach(&links, &labels));
    }

    #[test]
    fn links_drawn_by_chance_are_no_labels_and_answers_are() {
        let labels: Vec<i64> = (0..400).map(|row| row % 4).collect();
        // All that is known of three points, but two links are no dialogue.
        let two: Links = [Link::must(0, 4), Link::cannot(0, 1)].into_iter().collect();
        assert!(!amount_to_labels(&two, 400).unwrap());
        let drawn = links::draw(&labels, 200, 1).unwrap();
        assert!(!amount_to_labels(&drawn, 400).unwrap());
        // Each row against the first of each group, as in a dialogue.
        let answers: Links = (4..40)
            .flat_map(|row| (0..4).map(move |first| (row, first)))
            .map(|(row, first)| match row % 4 == first {
                true => Link::must(row, first),
                false => Link::cannot(row, first),
            })
            .collect();
        assert!(amount_to_labels(&answers, 400).unwrap());
        assert!(!amount_to_labels(&Links::new(), 400).unwrap());
    }
}
