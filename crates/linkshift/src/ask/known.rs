//! Rows that have their place, and how far each reaches.

use super::cuts::half;
use super::frame::Frame;
use super::linear::{Solved, solve};
use super::places::Places;
use crate::real::Real;
use std::collections::HashMap;
use std::sync::Arc;

/// The column of [`Solved`] for the weights that end at each node; those of the groups follow.
const MASS: usize = 0;

/// The rows that have their place. It [follows](Self::follow) the places: a move costs what it touches.
#[derive(Debug, Clone)]
pub(super) struct Known {
    /// The nodes, ascending.
    pub(super) nodes: Vec<usize>,
    /// The nodes of each group, ascending.
    pub(super) groups: Vec<Vec<usize>>,
    /// For each node that has a place the number it has in what follows.
    slots: Vec<Option<u32>>,
    members: Vec<Member>,
    /// With the walk's matrix between them on the left, and on the right how much weight walks to each, and the
    /// groups as indicators.
    solved: Solved,
    /// The smaller half of each group, by its nodes.
    halves: HashMap<Vec<usize>, Option<Vec<usize>>>,
}

#[derive(Debug, Clone)]
struct Member {
    node: usize,
    group: usize,
    column: Arc<Vec<f32>>,
}

impl Known {
    pub(super) fn nobody(n_nodes: usize) -> Self {
        Known {
            nodes: Vec::new(),
            groups: Vec::new(),
            slots: vec![None; n_nodes],
            members: Vec::new(),
            solved: Solved::default(),
            halves: HashMap::new(),
        }
    }

    /// Whoever has these places.
    #[cfg(test)]
    pub(super) fn at<T: Real>(frame: &Frame<T>, places: &Places) -> Self {
        let mut known = Known::nobody(frame.n_nodes());
        known.follow(frame, &mut places.clone());
        known
    }

    /// Takes over the places as they are now, and numbers groups without gaps.
    pub(super) fn follow<T: Real>(&mut self, frame: &Frame<T>, places: &mut Places) {
        let gone: Vec<usize> =
            self.nodes.iter().copied().filter(|&node| places.get(node).is_none()).collect();
        gone.into_iter().for_each(|node| self.remove(node));
        while self.groups.len() < places.n_groups() {
            self.groups.push(Vec::new());
            self.solved.add_column();
        }
        let mut new = Vec::new();
        for (node, group) in places.iter() {
            let Some(slot) = self.slots[node].map(|slot| slot as usize) else {
                new.push((node, group));
                continue;
            };
            let before = std::mem::replace(&mut self.members[slot].group, group);
            if before != group {
                self.solved.shift(slot, column_of(before), -1.0);
                self.solved.shift(slot, column_of(group), 1.0);
            }
        }
        let nodes: Vec<usize> = new.iter().map(|new| new.0).collect();
        for ((node, group), (column, weight)) in new.into_iter().zip(frame.columns(&nodes)) {
            self.add(Member { node, group, column }, weight);
        }
        let used = places.renumber();
        for group in (0..self.groups.len()).rev().filter(|group| used.binary_search(group).is_err())
        {
            self.solved.remove_column(column_of(group));
        }
        for member in &mut self.members {
            member.group = used.binary_search(&member.group).unwrap_or_default();
        }
        self.nodes = places.iter().map(|(node, _)| node).collect();
        self.groups = vec![Vec::new(); used.len()];
        places.iter().for_each(|(node, group)| self.groups[group].push(node));
    }

    fn add(&mut self, new: Member, weight: f64) {
        // The matrix is symmetric but for rounding.
        let tie = |old: &Member| {
            0.5 * f64::from(old.column[new.node]) + 0.5 * f64::from(new.column[old.node])
        };
        let ties: Vec<f64> = self.members.iter().map(tie).collect();
        let mut right = vec![0.0; column_of(self.groups.len())];
        right[MASS] = weight;
        right[column_of(new.group)] = 1.0;
        // Rows that coincide must not make it singular.
        let own = f64::from(new.column[new.node]) * (1.0 + 1e-6);
        self.solved.add(&ties, own, right);
        self.slots[new.node] = Some(self.members.len() as u32);
        self.members.push(new);
    }

    fn remove(&mut self, node: usize) {
        let Some(slot) = self.slots[node].take().map(|slot| slot as usize) else { return };
        self.solved.remove(slot);
        self.members.swap_remove(slot);
        if let Some(moved) = self.members.get(slot) {
            self.slots[moved.node] = Some(slot as u32);
        }
    }

    pub(super) fn is_placed(&self, node: usize) -> bool {
        self.slots[node].is_some()
    }

    /// How much weight ends at a node that has its place.
    pub(super) fn mass_of(&self, node: usize) -> f64 {
        self.slots[node].map_or(0.0, |slot| self.solved.x(slot as usize)[MASS].max(0.0))
    }

    /// The nodes of a group, those where most weight ends first.
    pub(super) fn typical(&self, group: usize) -> Vec<usize> {
        let mut members = self.groups[group].clone();
        members.sort_by(|&a, &b| self.mass_of(b).total_cmp(&self.mass_of(a)).then(a.cmp(&b)));
        members
    }

    /// Where walks from a node without a place end.
    pub(super) fn chances_of<T: Real>(&self, frame: &Frame<T>, node: usize) -> Vec<f64> {
        let column = frame.column(node);
        let mut chances = vec![0.0; self.groups.len()];
        for (slot, member) in self.members.iter().enumerate() {
            self.end_at(slot, f64::from(column[member.node]), &mut chances);
        }
        chances.iter_mut().for_each(|chance| *chance = chance.clamp(0.0, 1.0));
        chances
    }

    /// Where walks from every node end, node by node.
    pub(super) fn chances(&self) -> Vec<f64> {
        let k = self.groups.len();
        let mut chances = vec![0.0; self.slots.len() * k];
        let free: Vec<usize> =
            (0..self.slots.len()).filter(|&node| !self.is_placed(node)).collect();
        for (slot, member) in self.members.iter().enumerate() {
            for &node in &free {
                self.end_at(slot, f64::from(member.column[node]), &mut chances[node * k..][..k]);
            }
        }
        chances.iter_mut().for_each(|chance| *chance = chance.clamp(0.0, 1.0));
        self.members.iter().for_each(|member| chances[member.node * k + member.group] = 1.0);
        chances
    }

    fn end_at(&self, slot: usize, tie: f64, chances: &mut [f64]) {
        let spread = &self.solved.x(slot)[column_of(0)..];
        chances.iter_mut().zip(spread).for_each(|(chance, value)| *chance += tie * value);
    }

    /// Where walks from some nodes of a group would end if nothing were known of these: the mean of
    /// y − (Q_XX)⁻¹(Q·y)_X, with Q the inverse of the walk's matrix between all known nodes.
    pub(super) fn chances_without(&self, nodes: &[usize]) -> Vec<f64> {
        let k = self.groups.len();
        let slots: Vec<usize> =
            nodes.iter().filter_map(|&node| self.slots[node]).map(|slot| slot as usize).collect();
        let of = |&row: &usize| slots.iter().map(move |&col| self.solved.inverse(row, col));
        let inner: Vec<f64> = slots.iter().flat_map(of).collect();
        let spread = |&slot: &usize| self.solved.x(slot)[column_of(0)..].iter().copied();
        let solved = solve(inner, slots.iter().flat_map(spread).collect(), slots.len(), k);
        let mut chances = vec![0.0; k];
        for (row, &slot) in slots.iter().enumerate() {
            for (group, chance) in chances.iter_mut().enumerate() {
                let own = f64::from(u8::from(self.members[slot].group == group));
                *chance += (own - solved[row * k + group]).clamp(0.0, 1.0) / slots.len() as f64;
            }
        }
        chances
    }

    /// The smaller half of each group. It depends on the rows of the group alone.
    pub(super) fn halves(&mut self) -> Vec<Option<Vec<usize>>> {
        let mut before = std::mem::take(&mut self.halves);
        let half = |nodes: &Vec<usize>| match before.remove(nodes) {
            Some(half) => half,
            None => half(self, nodes),
        };
        let halves: Vec<_> = self.groups.iter().map(half).collect();
        self.halves = self.groups.iter().cloned().zip(halves.iter().cloned()).collect();
        halves
    }

    /// How near two of the known nodes are for a walk, 1 for a node itself.
    pub(super) fn likenesses(&self, nodes: &[usize]) -> Vec<f64> {
        let columns: Vec<&[f32]> = nodes
            .iter()
            .filter_map(|&node| self.slots[node])
            .map(|slot| &self.members[slot as usize].column[..])
            .collect();
        let own: Vec<f64> =
            columns.iter().zip(nodes).map(|(column, &node)| f64::from(column[node])).collect();
        let row = |(column, of_one): (&&[f32], &f64)| -> Vec<f64> {
            let others = nodes.iter().zip(&own);
            others
                .map(|(&node, of_other)| f64::from(column[node]) / (of_one * of_other).sqrt())
                .collect()
        };
        columns.iter().zip(&own).flat_map(row).collect()
    }
}

fn column_of(group: usize) -> usize {
    MASS + 1 + group
}
