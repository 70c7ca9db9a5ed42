//! Finding places: who goes where after an answer.

use super::answers::Answer;
use super::belief::{NEW, PRIOR_RIGHT, PRIOR_WRONG, RATES, State, posterior, shares};
use super::blocks::Block;
use super::frame::Frame;
use super::heard::Heard;
use super::known::Known;
use crate::points::Points;
use crate::real::Real;
use std::collections::BTreeMap;

/// From this chance on a row is taken for the first of a new group before it was compared with all
/// others. Lower values found groups sooner and asked more often whether two of them are one.
const FOUNDS: f64 = 0.8;

/// Blocks are moved at most so many times after an answer, and a row finds its place at most so many
/// times, so that two that depend on each other do not change places for ever.
const MOST_MOVES: usize = 20;
const MOST_TRIES: usize = 3;

/// Moves rows and blocks to where they most likely belong, until none wants to move.
pub(super) fn settle<T: Real>(
    frame: &Frame<T>,
    points: &Points<'_, T>,
    state: &mut State,
    heard: &Heard,
    known: &mut Known,
) {
    let is_linked = |&node: &usize| heard.about(node).any(|said| said.answer != Answer::Unsure);
    let nodes: Vec<usize> = (0..frame.n_nodes()).filter(is_linked).collect();
    for _ in 0..2 {
        if state.places.is_empty()
            && let Some(first) = heard.links().next()
        {
            state.places.set(first.b, Some(0)); // someone has to begin
        }
        let mut tries: BTreeMap<usize, usize> = BTreeMap::new();
        let mut n_moves = 0;
        loop {
            known.follow(frame, &mut state.places);
            if place_one(frame, points, state, heard, &nodes, known, &mut tries) {
                continue;
            }
            let blocks = Block::all(state, heard, known);
            let moved = blocks.iter().filter(|block| block.wants_to_move());
            let first = moved.max_by(|one, other| one.urge().total_cmp(&other.urge()));
            match first {
                Some(block) if n_moves < MOST_MOVES => block.go(state),
                _ => break,
            }
            n_moves += 1;
        }
        let n_wrong = expected_wrong(state, heard, known);
        let n_all = heard.links().count() as f64;
        let rate = (PRIOR_WRONG + n_wrong) / (PRIOR_WRONG + PRIOR_RIGHT + n_all);
        let before = std::mem::replace(&mut state.error_rate, rate.clamp(RATES.0, RATES.1));
        // A share that is far from the one assumed is taken at its word, once.
        if (state.error_rate - before).abs() <= 0.2 * before {
            break;
        }
    }
}

/// Where each row that has its place belongs, were nothing known of it but what answers say of it and
/// where walks from it end: the chance of each group, and of a new one. For each node, if it has a place.
pub(super) fn each_by_itself(state: &State, heard: &Heard, known: &Known) -> Vec<Option<Vec<f64>>> {
    let k = known.groups.len();
    let alike = vec![1.0 / k.max(1) as f64; k];
    let mut all = vec![None; heard.n_nodes()];
    for &node in &known.nodes {
        let evidence = state.evidence(heard, &[node], k);
        all[node] = Some(posterior(&known.chances_without(&[node]), &evidence, &alike));
    }
    all
}

/// How many answers are expected to be wrong, each seen from the end that is less sure of it.
fn expected_wrong(state: &State, heard: &Heard, known: &Known) -> f64 {
    let by_itself = each_by_itself(state, heard, known);
    let seen_from = |node: usize, other: usize, answer: Answer| {
        let together = by_itself[node].as_ref()?[state.places.get(other)?];
        Some(if answer == Answer::Same { 1.0 - together } else { together })
    };
    let plain = heard.links().filter(|said| !said.certain);
    let wrong = plain.filter_map(|said| {
        let one = seen_from(said.a, said.b, said.answer)?;
        Some(one.max(seen_from(said.b, said.a, said.answer)?))
    });
    wrong.sum()
}

/// Gives one row that has no place yet the place that answers say it has; whether there was one.
fn place_one<T: Real>(
    frame: &Frame<T>,
    points: &Points<'_, T>,
    state: &mut State,
    heard: &Heard,
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
        let is_apart = is_apart_from_all(state, heard, node, k);
        if !is_apart && !may_be_placed(&evidence) {
            continue;
        }
        let shares = shares(frame, points, known, node);
        let chances = posterior(&known.chances_of(frame, node), &evidence, &shares);
        let best = (0..=k).rev().max_by(|&a, &b| chances[a].total_cmp(&chances[b])).unwrap_or(k);
        let joins = best < k && evidence[best] > 0.0 && chances[best] > 0.5;
        let founds = best == k && (chances[k] > FOUNDS || is_apart);
        if joins || founds {
            state.places.set(node, Some(best));
            *tries.entry(node).or_default() += 1;
            return true;
        }
    }
    false
}

/// Whether a node was told apart from every group.
fn is_apart_from_all(state: &State, heard: &Heard, node: usize, n_groups: usize) -> bool {
    let mut is_apart = vec![false; n_groups];
    let apart = heard.about(node).filter(|said| said.answer == Answer::Different);
    let groups = apart.filter_map(|said| state.places.get(said.other(node)));
    groups.for_each(|group| is_apart[group] = true);
    is_apart.into_iter().all(|is_apart| is_apart)
}

/// Whether answers say enough of a node for it to join a group or, before it was told apart from every one, to found
/// one, wherever walks from it end: most nodes need not be looked at any closer.
///
/// It founds one if what is missing of the walks to it, m·[`NEW`], is more than [`FOUNDS`] of all. Of the rest each group without an
/// answer against it has at least its share, m·(1 − [`NEW`])/rank/Σ(1/rank).
fn may_be_placed(evidence: &[f64]) -> bool {
    const ROUNDING: f64 = 1e-6;
    let n_against = evidence.iter().filter(|&&log_odds| log_odds < 0.0).count();
    let share = |from: usize| (from..=evidence.len()).map(|rank| 1.0 / rank as f64).sum::<f64>();
    let least = (1.0 - NEW) * share(n_against + 1) / share(1);
    evidence.iter().any(|&log_odds| log_odds > 0.0)
        || NEW * (1.0 + ROUNDING) >= FOUNDS * (NEW + least)
}
