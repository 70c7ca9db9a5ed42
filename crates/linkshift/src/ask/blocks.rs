//! Rows that have their place, and the parts of groups that may be in the wrong one.

use super::answers::Answer;
use super::belief::{State, posterior};
use super::frame::{Frame, Heard};
use super::linear::{inverse, solve};
use crate::real::Real;
use std::sync::Arc;

/// Blocks of more rows are not doubted: the answers that hold so many have been asked long ago.
const MOST_ROWS: usize = 60;

/// Groups of fewer rows are not cut in two by where their rows lie.
const LEAST_TO_CUT: usize = 4;

/// The rows that have their place, and how far each reaches.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// The nodes, ascending.
    pub(super) nodes: Vec<usize>,
    /// The group of each.
    of: Vec<usize>,
    /// The nodes of each group.
    pub(super) groups: Vec<Vec<usize>>,
    columns: Vec<Arc<Vec<f32>>>,
    /// The inverse of the walk's matrix between them.
    inverse: Vec<f64>,
    /// Its product with the groups as indicators.
    spread: Vec<f64>,
    /// How much weight ends at each.
    mass: Vec<f64>,
}

impl Known {
    pub(super) fn new<T: Real>(frame: &Frame<T>, state: &State) -> Self {
        let nodes: Vec<usize> = state.places.keys().copied().collect();
        let of: Vec<usize> = state.places.values().copied().collect();
        let (n, k) = (nodes.len(), state.n_groups());
        let (columns, totals): (Vec<_>, Vec<f64>) = frame.columns(&nodes).into_iter().unzip();
        let mut matrix = vec![0.0; n * n];
        for (row, column) in columns.iter().enumerate() {
            for (col, &other) in nodes.iter().enumerate() {
                // The matrix is symmetric but for rounding.
                matrix[row * n + col] += 0.5 * f64::from(column[other]);
                matrix[col * n + row] += 0.5 * f64::from(column[other]);
            }
        }
        // Rows that coincide must not make it singular.
        (0..n).for_each(|at| matrix[at * n + at] *= 1.0 + 1e-6);
        let inverse = inverse(matrix, n);
        let mut spread = vec![0.0; n * k];
        for row in 0..n {
            for (col, &group) in of.iter().enumerate() {
                spread[row * k + group] += inverse[row * n + col];
            }
        }
        let mass = (0..n).map(|row| {
            let ends = inverse[row * n..][..n].iter().zip(&totals);
            ends.map(|(of, total)| of * total).sum::<f64>().max(0.0)
        });
        let mass = mass.collect();
        let mut groups = vec![Vec::new(); k];
        nodes.iter().zip(&of).for_each(|(&node, &group)| groups[group].push(node));
        Known { nodes, of, groups, columns, inverse, spread, mass }
    }

    pub(super) fn is_placed(&self, node: usize) -> bool {
        self.nodes.binary_search(&node).is_ok()
    }

    /// How much weight ends at a node that has its place.
    pub(super) fn mass_of(&self, node: usize) -> f64 {
        self.nodes.binary_search(&node).map_or(0.0, |at| self.mass[at])
    }

    /// The nodes of a group, those where most weight ends first.
    pub(super) fn typical(&self, group: usize) -> Vec<usize> {
        let mut members = self.groups[group].clone();
        members.sort_by(|&a, &b| self.mass_of(b).total_cmp(&self.mass_of(a)).then(a.cmp(&b)));
        members
    }

    /// Where walks from a node without a place end.
    pub(super) fn chances_of<T: Real>(&self, frame: &Frame<T>, node: usize) -> Vec<f64> {
        let (k, column) = (self.groups.len(), frame.column(node));
        let mut chances = vec![0.0; k];
        for (at, &known) in self.nodes.iter().enumerate() {
            let tie = f64::from(column[known]);
            let spread = &self.spread[at * k..][..k];
            chances.iter_mut().zip(spread).for_each(|(chance, value)| *chance += tie * value);
        }
        chances.iter_mut().for_each(|chance| *chance = chance.clamp(0.0, 1.0));
        chances
    }

    /// Where walks from every node end, node by node.
    pub(super) fn chances(&self, n_nodes: usize) -> Vec<f64> {
        let k = self.groups.len();
        let mut chances = vec![0.0; n_nodes * k];
        for (at, column) in self.columns.iter().enumerate() {
            let spread = &self.spread[at * k..][..k];
            for (chances, &tie) in chances.chunks_exact_mut(k).zip(column.iter()) {
                let tie = f64::from(tie);
                chances.iter_mut().zip(spread).for_each(|(chance, value)| *chance += tie * value);
            }
        }
        chances.iter_mut().for_each(|chance| *chance = chance.clamp(0.0, 1.0));
        chances
    }

    /// Where walks from some of the nodes would end if nothing were known of these: the mean of
    /// y − (Q_XX)⁻¹(Q·y)_X, with Q the inverse of the walk's matrix between all known nodes.
    pub(super) fn chances_without(&self, block: &[usize]) -> Vec<f64> {
        let (n, k, size) = (self.nodes.len(), self.groups.len(), block.len());
        let mut inner = vec![0.0; size * size];
        let mut spread = vec![0.0; size * k];
        for (row, &at) in block.iter().enumerate() {
            for (col, &other) in block.iter().enumerate() {
                inner[row * size + col] = self.inverse[at * n + other];
            }
            spread[row * k..][..k].copy_from_slice(&self.spread[at * k..][..k]);
        }
        let solved = solve(inner, spread, size, k);
        let mut chances = vec![0.0; k];
        for (row, &at) in block.iter().enumerate() {
            for (group, chance) in chances.iter_mut().enumerate() {
                let own = f64::from(u8::from(self.of[at] == group));
                *chance += (own - solved[row * k + group]).clamp(0.0, 1.0) / size as f64;
            }
        }
        chances
    }

    /// [`chances_without`](Self::chances_without) for nodes.
    #[cfg(test)]
    pub(super) fn without(&self, nodes: &[usize]) -> Vec<f64> {
        let block: Vec<usize> =
            nodes.iter().filter_map(|node| self.nodes.binary_search(node).ok()).collect();
        self.chances_without(&block)
    }

    /// How near two of the known nodes are for a walk, 1 for a node itself.
    fn likeness(&self, one: usize, other: usize) -> f64 {
        let tie = |a: usize, b: usize| f64::from(self.columns[a][self.nodes[b]]);
        tie(one, other) / (tie(one, one) * tie(other, other)).sqrt()
    }
}

/// Rows of one group that are in the right place together, or in the wrong one.
#[derive(Debug, Clone)]
pub(super) struct Block {
    pub(super) nodes: Vec<usize>,
    /// Where they are: a group, or the number of groups for a whole group by itself.
    pub(super) place: usize,
    /// The chance of each other place, and of a group of their own.
    pub(super) chances: Vec<f64>,
}

impl Block {
    /// Every whole group, what a single answer holds in a group, and halves by where rows lie.
    pub(super) fn all<T: Real>(
        _frame: &Frame<T>,
        state: &State,
        heard: &[Heard],
        known: &Known,
    ) -> Vec<Block> {
        let k = known.groups.len();
        let mut blocks = Vec::new();
        for group in 0..k {
            let members: Vec<usize> =
                (0..known.nodes.len()).filter(|&at| known.of[at] == group).collect();
            if k > 1 && members.len() <= MOST_ROWS {
                blocks.push(Block::weighed(state, heard, known, &members, true));
            }
            let mut parts = held_by_one_answer(heard, known, &members);
            parts.extend(half(known, &members));
            let small = parts.iter().filter(|part| part.len() <= MOST_ROWS);
            blocks.extend(small.map(|part| Block::weighed(state, heard, known, part, false)));
        }
        blocks
    }

    fn weighed(
        state: &State,
        heard: &[Heard],
        known: &Known,
        block: &[usize],
        is_whole: bool,
    ) -> Block {
        let (k, group) = (known.groups.len(), known.of[block[0]]);
        let nodes: Vec<usize> = block.iter().map(|&at| known.nodes[at]).collect();
        let mut chances = known.chances_without(block);
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
        for node in &self.nodes {
            match to == k && self.nodes.len() == 1 {
                true => state.places.remove(node),
                false => state.places.insert(*node, to),
            };
        }
    }
}

/// For each "same" inside a group without which the group falls apart, the smaller part.
fn held_by_one_answer(heard: &[Heard], known: &Known, members: &[usize]) -> Vec<Vec<usize>> {
    let position = |node: usize| {
        let at = known.nodes.binary_search(&node).ok()?;
        members.binary_search(&at).ok()
    };
    let inside = heard.iter().filter(|heard| heard.answer == Answer::Same);
    let inside: Vec<(usize, usize)> =
        inside.filter_map(|heard| Some((position(heard.a)?, position(heard.b)?))).collect();
    let mut ties = vec![Vec::new(); members.len()];
    for (answer, &(a, b)) in inside.iter().enumerate() {
        ties[a].push((b, answer));
        ties[b].push((a, answer));
    }
    let mut parts = Vec::new();
    for (answer, &(start, end)) in inside.iter().enumerate() {
        let mut is_reached = vec![false; members.len()];
        is_reached[start] = true;
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            for &(other, by) in &ties[at] {
                if by != answer && !is_reached[other] {
                    is_reached[other] = true;
                    open.push(other);
                }
            }
        }
        if is_reached[end] {
            continue;
        }
        let n_reached = is_reached.iter().filter(|&&reached| reached).count();
        let wanted = 2 * n_reached <= members.len();
        let part = (0..members.len()).filter(|&at| is_reached[at] == wanted);
        parts.push(part.map(|at| members[at]).collect());
    }
    parts
}

/// The smaller half of a group, cut where walks between its rows are rarest.
fn half(known: &Known, members: &[usize]) -> Option<Vec<usize>> {
    let n = members.len();
    if n < LEAST_TO_CUT {
        return None;
    }
    let alike: Vec<f64> =
        (0..n * n).map(|cell| known.likeness(members[cell / n], members[cell % n])).collect();
    let pairs = (0..n).flat_map(|one| (0..one).map(move |other| (one, other)));
    let (one, other) =
        pairs.min_by(|&(a, b), &(c, d)| alike[a * n + b].total_cmp(&alike[c * n + d]))?;
    let mut with_one: Vec<bool> =
        (0..n).map(|at| alike[at * n + one] > alike[at * n + other]).collect();
    (with_one[one], with_one[other]) = (true, false);
    for _ in 0..4 {
        let count = with_one.iter().filter(|&&with| with).count();
        if count == 0 || count == n {
            return None;
        }
        let mean = |at: usize, side: bool| {
            let others = (0..n).filter(|&other| other != at && with_one[other] == side);
            let size = if side { count } else { n - count };
            others.map(|other| alike[at * n + other]).sum::<f64>() / size as f64
        };
        with_one = (0..n).map(|at| mean(at, true) > mean(at, false)).collect();
    }
    let side = 2 * with_one.iter().filter(|&&with| with).count() <= n;
    let part: Vec<usize> =
        (0..n).filter(|&at| with_one[at] == side).map(|at| members[at]).collect();
    (!part.is_empty() && part.len() < n).then_some(part)
}
