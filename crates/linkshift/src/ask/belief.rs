//! Who belongs where, as far as answers that may be wrong tell. The model is on the page of the
//! [module](super#answers-as-evidence).

use super::answers::{Answer, Answers};
use super::blocks::{Block, Known};
use super::frame::{Frame, Heard};
use super::reply::Reply;
use crate::points::Points;
use crate::real::Real;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// The share of wrong answers before any is heard: 3 in 100, worth ten answers. Of the pairs tried
/// this one asked least in vain where no answer was wrong.
const PRIOR_WRONG: f64 = 0.3;
const PRIOR_RIGHT: f64 = 9.7;

/// The share of wrong answers stays between these: below, one slip could never be outweighed; above,
/// answers would say nothing.
const RATES: (f64, f64) = (0.002, 0.35);

/// A row that no answer reaches is the first of a new group as likely as a member of a known one.
pub(super) const NEW: f64 = 0.5;

/// Where walks end tells less than is true: of two groups the likelier is the right one more often than its
/// share of the walks. Chances to this power came true within .03 by tenths (`docs/asking.md`); of 1, 1.5, 2 and 3
/// it lost least to wrong answers.
pub(super) const SHARPER: f64 = 2.0;

/// From this chance on a row is taken for the first of a new group before it was compared with all
/// others. Lower values found groups sooner and asked more often whether two of them are one.
const FOUNDS: f64 = 0.8;

/// The log-odds of an answer that was said with certainty: more than plain ones ever add up to.
const CERTAIN: f64 = 1e3;

/// Blocks are moved at most so many times after an answer, and a row finds its place at most so many
/// times, so that two that depend on each other do not change places for ever.
const MOST_MOVES: usize = 20;
const MOST_TRIES: usize = 3;

/// The places of the rows asked about, and the share of wrong answers.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct State {
    /// Node → its group; nodes that still have to find their place are not here.
    pub(super) places: BTreeMap<usize, usize>,
    pub(super) error_rate: f64,
}

impl State {
    fn begin() -> Self {
        let error_rate = PRIOR_WRONG / (PRIOR_WRONG + PRIOR_RIGHT);
        State { places: BTreeMap::new(), error_rate }
    }

    /// The log-odds that an answer is right.
    pub(super) fn weight(&self, heard: &Heard) -> f64 {
        match heard.certain {
            true => CERTAIN,
            false => ((1.0 - self.error_rate) / self.error_rate).ln(),
        }
    }

    pub(super) fn n_groups(&self) -> usize {
        self.places.values().max().map_or(0, |&last| last + 1)
    }

    /// Groups numbered without gaps, in the order they had.
    fn renumber(&mut self) {
        let mut used: Vec<usize> = self.places.values().copied().collect();
        used.sort_unstable();
        used.dedup();
        for group in self.places.values_mut() {
            *group = used.binary_search(group).unwrap_or_default();
        }
    }

    /// What answers say of some nodes: for each group the log-odds that they belong there.
    pub(super) fn evidence(&self, heard: &[Heard], nodes: &[usize], n_groups: usize) -> Vec<f64> {
        let mut evidence = vec![0.0; n_groups];
        for said in heard {
            let (in_a, in_b) = (nodes.contains(&said.a), nodes.contains(&said.b));
            if in_a == in_b {
                continue;
            }
            let other = if in_a { said.b } else { said.a };
            let Some(&group) = self.places.get(&other) else { continue };
            match said.answer {
                Answer::Same => evidence[group] += self.weight(said),
                Answer::Different => evidence[group] -= self.weight(said),
                Answer::Unsure => {}
            }
        }
        evidence
    }

    /// Whether an answer is told wrong by the places.
    pub(super) fn is_against(&self, heard: &Heard) -> bool {
        let ends = (self.places.get(&heard.a), self.places.get(&heard.b));
        let (Some(one), Some(other)) = ends else { return false };
        match heard.answer {
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

/// The states after each answer: the next one goes on from the last, so that a question does not
/// repeat the work of all before it, and undoing finds the state it had.
#[derive(Debug, Default)]
pub(super) struct Beliefs {
    states: Mutex<Vec<(Reply, State)>>,
}

/// All that is believed after some answers.
#[derive(Debug)]
pub(super) struct Belief {
    pub(super) state: State,
    pub(super) heard: Vec<Heard>,
    /// The rows that have their place.
    pub(super) known: Known,
    /// Parts of groups, and whole ones, with the chances of their place.
    pub(super) blocks: Vec<Block>,
}

impl Belief {
    /// What is believed after all answers: a function of points and answers alone.
    pub(super) fn of<T: Real>(frame: &Frame<T>, points: &Points<'_, T>, answers: &Answers) -> Self {
        let replies = answers.replies();
        let kept = || frame.beliefs.states.lock().unwrap_or_else(PoisonError::into_inner);
        let mut states = std::mem::take(&mut *kept());
        let shared = states.iter().zip(replies).take_while(|(one, other)| one.0 == **other).count();
        states.truncate(shared);
        let heard = frame.heard(answers);
        let mut n_heard: usize = replies[..shared].iter().map(|reply| n_heard(frame, reply)).sum();
        let mut state = states.last().map_or_else(State::begin, |(_, state)| state.clone());
        for reply in &replies[shared..] {
            n_heard += self::n_heard(frame, reply);
            settle(frame, points, &mut state, &heard[..n_heard]);
            states.push((reply.clone(), state.clone()));
        }
        let known = Known::new(frame, &state);
        let blocks = Block::all(frame, &state, &heard, &known);
        *kept() = states;
        Belief { state, heard, known, blocks }
    }

    /// The chance that an answer against the places is right after all; `None` if it fits them. It is
    /// right where a block that holds one of its ends belongs elsewhere.
    pub(super) fn right(&self, a: usize, b: usize, answer: Answer) -> Option<f64> {
        let heard = Heard { a, b, answer, certain: false };
        if a == b || !self.state.is_against(&heard) {
            return None;
        }
        let of_block = |block: &Block| {
            let (in_a, in_b) = (block.nodes.contains(&a), block.nodes.contains(&b));
            let other = if in_a { b } else { a };
            let place = self.state.places.get(&other).copied()?;
            (in_a != in_b).then(|| match answer {
                Answer::Same => block.chances[place],
                _ => 1.0 - block.chances[place],
            })
        };
        let chances = self.blocks.iter().filter_map(of_block);
        Some(chances.fold(self.state.error_rate, f64::max).min(1.0))
    }

    /// Whether something was said of two nodes.
    pub(super) fn is_told(&self, a: usize, b: usize) -> bool {
        self.heard.iter().any(|heard| (heard.a, heard.b) == (a, b) || (heard.a, heard.b) == (b, a))
    }
}

/// How many pairs of a reply are of different nodes.
fn n_heard<T: Real>(frame: &Frame<T>, reply: &Reply) -> usize {
    reply.told().iter().filter(|told| frame.node(told.a) != frame.node(told.b)).count()
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

/// Moves rows and blocks to where they most likely belong, until none wants to move.
fn settle<T: Real>(frame: &Frame<T>, points: &Points<'_, T>, state: &mut State, heard: &[Heard]) {
    let linked = || heard.iter().filter(|heard| heard.answer != Answer::Unsure);
    let mut nodes: Vec<usize> = linked().flat_map(|heard| [heard.a, heard.b]).collect();
    nodes.sort_unstable();
    nodes.dedup();
    for _ in 0..2 {
        if state.places.is_empty()
            && let Some(first) = linked().next()
        {
            state.places.insert(first.b, 0); // someone has to begin
        }
        let mut tries: BTreeMap<usize, usize> = BTreeMap::new();
        let mut n_moves = 0;
        loop {
            state.renumber();
            let known = Known::new(frame, state);
            if place_one(frame, points, state, heard, &nodes, &known, &mut tries) {
                continue;
            }
            let blocks = Block::all(frame, state, heard, &known);
            let moved = blocks.iter().filter(|block| block.wants_to_move());
            let first = moved.max_by(|one, other| one.urge().total_cmp(&other.urge()));
            match first {
                Some(block) if n_moves < MOST_MOVES => block.go(state),
                _ => break,
            }
            n_moves += 1;
        }
        let known = Known::new(frame, state);
        let n_wrong = expected_wrong(state, heard, &known);
        let n_all = linked().count() as f64;
        let rate = (PRIOR_WRONG + n_wrong) / (PRIOR_WRONG + PRIOR_RIGHT + n_all);
        let before = std::mem::replace(&mut state.error_rate, rate.clamp(RATES.0, RATES.1));
        // A share that is far from the one assumed is taken at its word, once.
        if (state.error_rate - before).abs() <= 0.2 * before {
            break;
        }
    }
}

/// Where each row that has its place belongs, were nothing known of it but what answers say of it and
/// where walks from it end: the chance of each group, and of a new one.
pub(super) fn each_by_itself(
    state: &State,
    heard: &[Heard],
    known: &Known,
) -> BTreeMap<usize, Vec<f64>> {
    let k = known.groups.len();
    let alike = vec![1.0 / k.max(1) as f64; k];
    let of = |(at, &node): (usize, &usize)| {
        let evidence = state.evidence(heard, &[node], k);
        (node, posterior(&known.chances_without(&[at]), &evidence, &alike))
    };
    known.nodes.iter().enumerate().map(of).collect()
}

/// How many answers are expected to be wrong, each seen from the end that is less sure of it.
fn expected_wrong(state: &State, heard: &[Heard], known: &Known) -> f64 {
    let by_itself = each_by_itself(state, heard, known);
    let seen_from = |node: usize, other: usize, answer: Answer| {
        let together = by_itself.get(&node)?[*state.places.get(&other)?];
        Some(if answer == Answer::Same { 1.0 - together } else { together })
    };
    let wrong = |said: &Heard| {
        let one = seen_from(said.a, said.b, said.answer)?;
        Some(one.max(seen_from(said.b, said.a, said.answer)?))
    };
    let plain = heard.iter().filter(|said| said.answer != Answer::Unsure && !said.certain);
    plain.filter_map(wrong).sum()
}

/// Gives one row that has no place yet the place that answers say it has; whether there was one.
fn place_one<T: Real>(
    frame: &Frame<T>,
    points: &Points<'_, T>,
    state: &mut State,
    heard: &[Heard],
    nodes: &[usize],
    known: &Known,
    tries: &mut BTreeMap<usize, usize>,
) -> bool {
    let k = known.groups.len();
    for &node in nodes.iter().filter(|node| !known.is_placed(**node)) {
        if tries.get(&node).is_some_and(|&n| n >= MOST_TRIES) {
            continue;
        }
        let evidence = state.evidence(heard, &[node], k);
        let shares = shares(frame, points, known, node);
        let chances = posterior(&known.chances_of(frame, node), &evidence, &shares);
        let best = (0..=k).rev().max_by(|&a, &b| chances[a].total_cmp(&chances[b])).unwrap_or(k);
        let joins = best < k && evidence[best] > 0.0 && chances[best] > 0.5;
        let against = |group: usize| {
            heard.iter().any(|said| {
                let other = if said.a == node { said.b } else { said.a };
                said.answer == Answer::Different
                    && (said.a == node || said.b == node)
                    && state.places.get(&other) == Some(&group)
            })
        };
        let founds = best == k && (chances[k] > FOUNDS || (0..k).all(against));
        if joins || founds {
            state.places.insert(node, best);
            *tries.entry(node).or_default() += 1;
            return true;
        }
    }
    false
}
