//! Rows of one group that are in the right place together, or in the wrong one.

use super::belief::{State, posterior};
use super::cuts::held_by_one_answer;
use super::heard::Heard;
use super::known::Known;

/// Blocks of more rows are not doubted: the answers that hold so many have been asked long ago.
const MOST_ROWS: usize = 60;

/// Rows of one group that are in the right place together, or in the wrong one.
#[derive(Debug, Clone)]
pub(super) struct Block {
    /// Ascending.
    pub(super) nodes: Vec<usize>,
    /// Where they are: a group, or the number of groups for a whole group by itself.
    pub(super) place: usize,
    /// The chance of each other place, and of a group of their own.
    pub(super) chances: Vec<f64>,
}

impl Block {
    /// Every whole group, what a single answer holds in a group, and halves by where rows lie.
    pub(super) fn all(state: &State, heard: &Heard, known: &mut Known) -> Vec<Block> {
        let halves = known.halves();
        let k = known.groups.len();
        let mut blocks = Vec::new();
        for (group, half) in halves.into_iter().enumerate() {
            let members = &known.groups[group];
            if k > 1 && members.len() <= MOST_ROWS {
                blocks.push(Block::weighed(state, heard, known, group, members.clone(), true));
            }
            let mut parts = held_by_one_answer(heard, members, MOST_ROWS);
            parts.extend(half.filter(|half| half.len() <= MOST_ROWS));
            let weighed = |part| Block::weighed(state, heard, known, group, part, false);
            blocks.extend(parts.into_iter().map(weighed));
        }
        blocks
    }

    fn weighed(
        state: &State,
        heard: &Heard,
        known: &Known,
        group: usize,
        nodes: Vec<usize>,
        is_whole: bool,
    ) -> Block {
        let k = known.groups.len();
        let mut chances = known.chances_without(&nodes);
        let mut evidence = state.evidence(heard, &nodes, k);
        if is_whole {
            chances[group] = 0.0;
            evidence[group] = f64::NEG_INFINITY;
        }
        let chances = posterior(&chances, &evidence, &vec![1.0 / k as f64; k]);
        Block { nodes, place: if is_whole { k } else { group }, chances }
    }

    /// The chance that it is in the wrong place.
    pub(super) fn wrong(&self) -> f64 {
        1.0 - self.chances[self.place]
    }

    fn best(&self) -> usize {
        let all = 0..self.chances.len();
        all.rev().max_by(|&a, &b| self.chances[a].total_cmp(&self.chances[b])).unwrap_or_default()
    }

    pub(super) fn wants_to_move(&self) -> bool {
        self.best() != self.place && self.chances[self.best()] > 0.5
    }

    /// How much more likely the better place is.
    pub(super) fn urge(&self) -> f64 {
        (self.chances[self.best()] / self.chances[self.place].max(f64::MIN_POSITIVE)).ln()
    }

    /// Goes to the better place; a single row that belongs nowhere looks for its place anew.
    pub(super) fn go(&self, state: &mut State) {
        let (to, k) = (self.best(), self.chances.len() - 1);
        let is_lost = to == k && self.nodes.len() == 1;
        self.nodes.iter().for_each(|&node| state.places.set(node, (!is_lost).then_some(to)));
    }
}
