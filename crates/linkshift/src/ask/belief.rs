//! Who belongs where, as far as answers that may be wrong tell. The model is on the page of the
//! [module](super#answers-as-evidence).

use super::answers::Answer;
use super::blocks::Block;
use super::frame::Frame;
use super::heard::{Heard, Said};
use super::known::Known;
use super::places::Places;
use super::reply::Reply;
use super::settle::settle;
use crate::points::Points;
use crate::real::Real;
use std::sync::OnceLock;

/// The share of wrong answers before any is heard: 3 in 100, worth ten answers. Of the pairs tried
/// this one asked least in vain where no answer was wrong.
pub(super) const PRIOR_WRONG: f64 = 0.3;
pub(super) const PRIOR_RIGHT: f64 = 9.7;

/// The share of wrong answers stays between these: below, one slip could never be outweighed; above,
/// answers would say nothing.
pub(super) const RATES: (f64, f64) = (0.002, 0.35);

/// A row that no answer reaches is the first of a new group as likely as a member of a known one.
pub(super) const NEW: f64 = 0.5;

/// Where walks end tells less than is true: of two groups the likelier is the right one more often than its
/// share of the walks. Chances to this power came true within .03 by tenths (`docs/asking.md`); of 1, 1.5, 2 and 3
/// it lost least to wrong answers.
pub(super) const SHARPER: f64 = 2.0;

/// The log-odds of an answer that was said with certainty: more than plain ones ever add up to.
const CERTAIN: f64 = 1e3;

/// The places of the rows asked about, and the share of wrong answers.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct State {
    /// Nodes that still have to find their place have none.
    pub(super) places: Places,
    pub(super) error_rate: f64,
}

impl State {
    pub(super) fn begin(n_nodes: usize) -> Self {
        let error_rate = PRIOR_WRONG / (PRIOR_WRONG + PRIOR_RIGHT);
        State { places: Places::none(n_nodes), error_rate }
    }

    /// The log-odds that an answer is right.
    pub(super) fn weight(&self, said: &Said) -> f64 {
        match said.certain {
            true => CERTAIN,
            false => ((1.0 - self.error_rate) / self.error_rate).ln(),
        }
    }

    /// What answers say of some nodes, ascending: for each group the log-odds that they belong there.
    pub(super) fn evidence(&self, heard: &Heard, nodes: &[usize], n_groups: usize) -> Vec<f64> {
        let mut evidence = vec![0.0; n_groups];
        for (said, other) in heard.between(nodes) {
            let Some(group) = self.places.get(other) else { continue };
            match said.answer {
                Answer::Same => evidence[group] += self.weight(said),
                Answer::Different => evidence[group] -= self.weight(said),
                Answer::Unsure => {}
            }
        }
        evidence
    }

    /// Whether an answer is told wrong by the places.
    pub(super) fn is_against(&self, said: &Said) -> bool {
        let ends = (self.places.get(said.a), self.places.get(said.b));
        let (Some(one), Some(other)) = ends else { return false };
        match said.answer {
            Answer::Same => one != other,
            Answer::Different => one == other,
            Answer::Unsure => false,
        }
    }
}

/// The chance of each group, and at the end of a new one: what the walk says, [`SHARPER`], times what answers
/// say. What no walk reaches is shared out by `shares`, with [`NEW`] for a new group.
pub(super) fn posterior(chances: &[f64], evidence: &[f64], shares: &[f64]) -> Vec<f64> {
    /// Where walks end is never known for sure.
    const LEAST: f64 = 0.02;
    let reached: f64 = chances.iter().sum();
    let missing = (1.0 - reached).max(LEAST);
    let sharp = |chance: f64| chance.powf(SHARPER);
    let all_sharp = chances.iter().copied().map(sharp).sum::<f64>().max(f64::MIN_POSITIVE);
    let logs = chances.iter().zip(evidence).zip(shares).map(|((&chance, evidence), share)| {
        (reached * sharp(chance) / all_sharp + missing * (1.0 - NEW) * share).ln() + evidence
    });
    let mut all: Vec<f64> = logs.chain([(missing * NEW).ln()]).collect();
    let largest = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    all.iter_mut().for_each(|log| *log = (*log - largest).exp());
    let total: f64 = all.iter().sum();
    all.iter_mut().for_each(|chance| *chance /= total);
    all
}

/// All that is believed after some answers.
#[derive(Debug, Clone)]
pub(super) struct Belief {
    pub(super) state: State,
    pub(super) heard: Heard,
    /// The rows that have their place.
    pub(super) known: Known,
    /// Parts of groups, and whole ones, with the chances of their place; once it is [weighed](Self::weigh).
    pub(super) blocks: Vec<Block>,
    /// Where walks from every node end, made when it is first needed.
    chances: OnceLock<Vec<f64>>,
}

impl Belief {
    /// What is believed before any answer.
    pub(super) fn begin(n_nodes: usize) -> Self {
        Belief {
            state: State::begin(n_nodes),
            heard: Heard::nothing(n_nodes),
            known: Known::nobody(n_nodes),
            blocks: Vec::new(),
            chances: OnceLock::new(),
        }
    }

    /// Goes on with one more answer.
    pub(super) fn hear<T: Real>(
        &mut self,
        frame: &Frame<T>,
        points: &Points<'_, T>,
        reply: &Reply,
    ) {
        reply.told().iter().for_each(|told| self.heard.hear(told, |row| frame.node(row)));
        settle(frame, points, &mut self.state, &self.heard, &mut self.known);
        self.blocks.clear();
        self.chances = OnceLock::new();
    }

    /// Weighs the blocks.
    pub(super) fn weigh(&mut self) {
        self.blocks = Block::all(&self.state, &self.heard, &mut self.known);
    }

    /// Where walks from every node end, node by node.
    pub(super) fn chances(&self) -> &[f64] {
        self.chances.get_or_init(|| self.known.chances())
    }

    /// The chance that an answer against the places is right after all; `None` if it fits them. It is
    /// right where a block that holds one of its ends belongs elsewhere.
    pub(super) fn right(&self, a: usize, b: usize, answer: Answer) -> Option<f64> {
        let said = Said { a, b, answer, certain: false };
        if a == b || !self.state.is_against(&said) {
            return None;
        }
        let of_block = |block: &Block| {
            let (in_a, in_b) = (block.nodes.contains(&a), block.nodes.contains(&b));
            let other = if in_a { b } else { a };
            let place = self.state.places.get(other)?;
            (in_a != in_b).then(|| match answer {
                Answer::Same => block.chances[place],
                _ => 1.0 - block.chances[place],
            })
        };
        let chances = self.blocks.iter().filter_map(of_block);
        Some(chances.fold(self.state.error_rate, f64::max).min(1.0))
    }
}

/// How likely each group is where no walk leads, the nearest first: one over its rank.
pub(super) fn shares<T: Real>(
    frame: &Frame<T>,
    points: &Points<'_, T>,
    known: &Known,
    node: usize,
) -> Vec<f64> {
    let nearest = |members: &Vec<usize>| {
        let apart = members.iter().map(|&member| frame.distance_sq(points, node, member));
        apart.fold(f64::INFINITY, f64::min)
    };
    let near: Vec<f64> = known.groups.iter().map(nearest).collect();
    let mut order: Vec<usize> = (0..near.len()).collect();
    order.sort_by(|&a, &b| near[a].total_cmp(&near[b]));
    let total: f64 = (1..=order.len()).map(|rank| 1.0 / rank as f64).sum();
    let mut shares = vec![0.0; order.len()];
    order.iter().zip(1..).for_each(|(&group, rank)| shares[group] = 1.0 / f64::from(rank) / total);
    shares
}
