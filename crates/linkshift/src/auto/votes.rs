//! Neighbours vote, links bind: a clustering is smoothed and made to agree with its links.
//!
//! For each cell (points that must be together) and each cluster the log-votes of the neighbours
//! of its points are added, and the logarithm of how unlikely it is that those are there with whom it
//! cannot be: Gauss–Seidel sweeps of the mean field of a Potts model with hard must-links. A point
//! has half a vote of its own for where it came from, so that smooth regions stay what they are.

use super::linkage::Cells;
use crate::error::Result;
use crate::links::LinkClosure;
use crate::neighbors::Neighbors;
use crate::points::Points;
use crate::stop::Stoppable;
use rayon::prelude::*;

/// Neighbours that vote, in each space.
pub(super) const NEIGHBORS: usize = 10;

/// Sweeps at the most.
const SWEEPS: usize = 15;

/// A vote that every cluster has, so that none is impossible.
const FLOOR: f64 = 0.5;

/// The own vote, as a share of those of all neighbours.
const OWN: f64 = 0.5;

/// How surely a cannot-link parts.
const PARTED: f64 = 0.98;

/// How surely a point belongs where it comes from, in the beginning.
const AT_FIRST: f32 = 0.9;

/// Neighbours of each point with how much they count.
pub(super) struct Graph {
    near: Vec<Vec<(u32, f32)>>,
}

impl Graph {
    /// The nearest points in several spaces; who is near in two of them counts for both.
    pub(super) fn new(spaces: &[&Points<'_, f32>]) -> Self {
        let n = spaces[0].n_points();
        let mut near: Vec<Vec<(u32, f32)>> = vec![Vec::new(); n];
        for space in spaces {
            let index = Neighbors::new(space);
            near.par_iter_mut().enumerate().stoppable().for_each(|(row, near)| {
                let mut found = index.nearest(space.row(row), NEIGHBORS + 1);
                found.retain(|it| it.row != row);
                found.truncate(NEIGHBORS);
                let farthest = found.last().map_or(1.0, |it| it.distance_sq).max(f32::MIN_POSITIVE);
                for it in found {
                    let weight = (-it.distance_sq / farthest).exp();
                    match near.iter_mut().find(|(other, _)| *other as usize == it.row) {
                        Some((_, both)) => *both += weight,
                        None => near.push((it.row as u32, weight)),
                    }
                }
            });
        }
        Self { near }
    }
}

/// For each point how surely it belongs to each cluster.
pub(super) struct Belief {
    pub(super) n_clusters: usize,
    sure: Vec<f32>,
}

impl Belief {
    pub(super) fn row(&self, row: usize) -> &[f32] {
        &self.sure[row * self.n_clusters..][..self.n_clusters]
    }

    /// The likeliest cluster of each point.
    pub(super) fn labels(&self) -> Vec<i64> {
        let likeliest = |row: &[f32]| {
            let best = (0..row.len()).max_by(|&a, &b| row[a].total_cmp(&row[b]).then(b.cmp(&a)));
            best.unwrap_or(0) as i64
        };
        self.sure.chunks_exact(self.n_clusters).map(likeliest).collect()
    }

    /// How surely two points are in one cluster.
    pub(super) fn together(&self, a: usize, b: usize) -> f64 {
        self.row(a).iter().zip(self.row(b)).map(|(a, b)| f64::from(a * b)).sum()
    }
}

/// Beliefs from labels 0..k (−1: nobody knows), after all have voted.
pub(super) fn vote(graph: &Graph, closure: &LinkClosure, start: &[i64]) -> Result<Belief> {
    let k = (start.iter().max().copied().unwrap_or(0) + 1).max(1) as usize;
    let cells = Cells::new(closure);
    let mut belief = beginning(start, k);
    let (mut score, mut votes) = (vec![0.0_f64; k], vec![0.0_f64; k]);
    for _ in 0..SWEEPS {
        let mut change = 0.0_f32;
        for rows in &cells.rows {
            score.fill(0.0);
            for &row in rows {
                let row = row as usize;
                count_votes(graph, &belief, row, start[row], &mut votes);
                score.iter_mut().zip(&votes).for_each(|(s, v)| *s += (v + FLOOR).ln());
            }
            if let Some(group) = closure.group_of(rows[0] as usize) {
                for other in closure.cannot_groups_of(group) {
                    let there = belief.row(closure.members(other.group)[0] as usize);
                    let parted = |sure: &f32| (1.0 - PARTED * f64::from(*sure)).ln();
                    score.iter_mut().zip(there).for_each(|(s, sure)| *s += parted(sure));
                }
            }
            normalise(&mut score);
            for &row in rows {
                let own = &mut belief.sure[row as usize * k..][..k];
                for (sure, &now) in own.iter_mut().zip(&score) {
                    change = change.max((*sure - now as f32).abs());
                    *sure = now as f32;
                }
            }
        }
        if change < 0.01 {
            break;
        }
    }
    Ok(belief)
}

fn beginning(start: &[i64], k: usize) -> Belief {
    let mut sure = vec![1.0 / k as f32; start.len() * k];
    for (row, &label) in sure.chunks_exact_mut(k).zip(start) {
        if let Ok(cluster) = usize::try_from(label) {
            row.fill((1.0 - AT_FIRST) / k as f32);
            row[cluster] += AT_FIRST;
        }
    }
    Belief { n_clusters: k, sure }
}

/// As many votes as there are neighbours, by how much they count.
fn count_votes(graph: &Graph, belief: &Belief, row: usize, start: i64, votes: &mut [f64]) {
    votes.fill(0.0);
    let mut total = 0.0;
    for &(other, weight) in &graph.near[row] {
        let weight = f64::from(weight);
        total += weight;
        let sure = belief.row(other as usize);
        votes.iter_mut().zip(sure).for_each(|(v, &sure)| *v += weight * f64::from(sure));
    }
    if let Ok(cluster) = usize::try_from(start) {
        votes[cluster] += OWN * total;
        total += OWN * total;
    }
    let each = graph.near[row].len() as f64 / total.max(1e-12);
    votes.iter_mut().for_each(|v| *v *= each);
}

/// From logarithms to probabilities.
fn normalise(score: &mut [f64]) {
    let top = score.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    score.iter_mut().for_each(|s| *s = (*s - top).exp());
    let sum: f64 = score.iter().sum();
    score.iter_mut().for_each(|s| *s /= sum);
}
