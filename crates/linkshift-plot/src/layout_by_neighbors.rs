//! Places in the plane in which neighbours stay neighbours: the forces of UMAP, without its races.
//!
//! Each point is drawn to its neighbours and pushed from points drawn at random (L. McInnes, J. Healy,
//! J. Melville, *UMAP*, 2018). The weight of a neighbour is exp(−(d − ρ)/σ), with ρ the distance to the
//! nearest one and σ such that the weights of a point sum up to log₂ k; those of both ways are joined by
//! a + b − a·b. With q = 1/(1 + a·d²ᵇ), a pair is drawn by the gradient of w·ln q and pushed by that of
//! (1 − w)·ln(1 − q).
//!
//! UMAP moves one pair after the other, in an order that depends on the threads. Here all points move at
//! once, from where all of them were: the same places for any number of threads.

use rayon::prelude::*;
use std::ops::ControlFlow;

/// UMAP's curve for a least distance of 0.1: 1/(1 + a·d²ᵇ).
const A: f64 = 1.577;
const B: f64 = 0.895;

/// Points drawn to push each point away, and what each of them stands for.
const N_PUSHERS: usize = 8;
const PUSHES_PER_PULL: f64 = 5.0;

/// Rows that one task handles.
const ROWS_PER_TASK: usize = 512;

/// How far a point may go in one round.
const LONGEST_STEP: f64 = 1.0;

/// The share of its last step that a point goes on by.
const MOMENTUM: f64 = 0.5;

/// Who draws whom, and how strongly: for each row a list.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Pulls {
    starts: Vec<usize>,
    other: Vec<u32>,
    weight: Vec<f32>,
}

impl Pulls {
    /// From the nearest others of each row, with their distances, nearest first.
    pub(crate) fn of(nearest: &[Vec<(u32, f64)>]) -> Self {
        let weighed: Vec<Vec<(u32, f64)>> = nearest.par_iter().map(|near| weights(near)).collect();
        let n = nearest.len();
        let mut both: Vec<(u32, u32, f64)> = Vec::new();
        for (row, near) in weighed.iter().enumerate() {
            for &(other, weight) in near {
                both.push((row as u32, other, weight));
                both.push((other, row as u32, weight));
            }
        }
        both.par_sort_unstable_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)));
        let mut pulls = Pulls { starts: vec![0; n + 1], other: Vec::new(), weight: Vec::new() };
        for same in both.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let weight = match same {
                [one] => one.2,
                [one, other, ..] => one.2 + other.2 - one.2 * other.2,
                [] => continue,
            };
            pulls.starts[same[0].0 as usize + 1] += 1;
            pulls.other.push(same[0].1);
            pulls.weight.push(weight as f32);
        }
        (0..n).for_each(|row| pulls.starts[row + 1] += pulls.starts[row]);
        pulls
    }

    fn of_row(&self, row: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.starts[row]..self.starts[row + 1];
        let others = self.other[range.clone()].iter();
        others.zip(&self.weight[range]).map(|(&other, &weight)| (other as usize, f64::from(weight)))
    }
}

/// The weights of one row's neighbours.
fn weights(near: &[(u32, f64)]) -> Vec<(u32, f64)> {
    let nearest = near.iter().map(|one| one.1).find(|&distance| distance > 0.0).unwrap_or(0.0);
    let wanted = (near.len() as f64).log2().max(1.0);
    let sum = |width: f64| -> f64 {
        near.iter().map(|one| (-(one.1 - nearest).max(0.0) / width).exp()).sum()
    };
    let farthest = near.last().map_or(0.0, |one| one.1);
    let (mut low, mut high) = (0.0, 64.0 * farthest.max(f64::MIN_POSITIVE));
    for _ in 0..64 {
        let middle = 0.5 * (low + high);
        if sum(middle) > wanted { high = middle } else { low = middle }
    }
    let width = high.max(1e-3 * farthest).max(f64::MIN_POSITIVE);
    near.iter().map(|one| (one.0, (-(one.1 - nearest).max(0.0) / width).exp())).collect()
}

/// Lets the points go where pulls and pushes lead them; `None` if `watch` stopped it. It is shown the
/// share that is done.
pub(crate) fn lay_out(
    pulls: &Pulls,
    begin: Vec<[f64; 2]>,
    n_rounds: usize,
    seed: u64,
    watch: &mut dyn FnMut(f64) -> ControlFlow<()>,
) -> Option<Vec<[f64; 2]>> {
    let n = begin.len();
    let mut places = begin;
    let mut steps = vec![[0.0; 2]; n];
    for round in 0..n_rounds {
        let rate = 1.0 - round as f64 / n_rounds as f64;
        let pull_of = |row: usize| -> [f64; 2] {
            let here = places[row];
            let (mut force, mut strength, mut stiffness) = ([0.0; 2], 0.0, 0.0);
            for (other, weight) in pulls.of_row(row) {
                let to = [places[other][0] - here[0], places[other][1] - here[1]];
                let d_sq = to[0] * to[0] + to[1] * to[1];
                strength += weight;
                if d_sq > 0.0 {
                    let power = d_sq.powf(B - 1.0);
                    let pull = weight * 2.0 * A * B * power / (1.0 + A * power * d_sq);
                    stiffness += pull;
                    force[0] += pull * to[0];
                    force[1] += pull * to[1];
                }
            }
            let each = PUSHES_PER_PULL * strength / N_PUSHERS as f64;
            for draw in 0..N_PUSHERS {
                let other = drawn(seed, round, row, draw, n);
                let from = [here[0] - places[other][0], here[1] - places[other][1]];
                let d_sq = from[0] * from[0] + from[1] * from[1];
                if other == row || d_sq == 0.0 {
                    continue;
                }
                let push = each * 2.0 * B / ((0.001 + d_sq) * (1.0 + A * d_sq.powf(B)));
                force[0] += (push * from[0]).clamp(-4.0 * each, 4.0 * each);
                force[1] += (push * from[1]).clamp(-4.0 * each, 4.0 * each);
            }
            // Never farther than where the pulls alone would come to rest.
            let gain = 1.0 / stiffness.max(1.0);
            let step = [0, 1].map(|at| gain * force[at]);
            let length = (step[0] * step[0] + step[1] * step[1]).sqrt();
            let short = if length > LONGEST_STEP { LONGEST_STEP / length } else { 1.0 };
            [0, 1].map(|at| MOMENTUM * steps[row][at] + rate * short * step[at])
        };
        let next: Vec<[f64; 2]> =
            (0..n).into_par_iter().with_min_len(ROWS_PER_TASK).map(pull_of).collect();
        steps = next;
        places.iter_mut().zip(&steps).for_each(|(place, step)| {
            place[0] += step[0];
            place[1] += step[1];
        });
        if watch((round + 1) as f64 / n_rounds as f64).is_break() {
            return None;
        }
    }
    Some(places)
}

/// A row drawn by chance, from numbers that name the draw (SplitMix64).
fn drawn(seed: u64, round: usize, row: usize, draw: usize, n: usize) -> usize {
    let name = seed
        .wrapping_add((round as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15))
        .wrapping_add((row as u64).wrapping_mul(0xd1b5_4a32_d192_ed03))
        .wrapping_add((draw as u64).wrapping_mul(0x8cb9_2ba7_2f3d_8dd7));
    let mut mixed = (name ^ (name >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^= mixed >> 31;
    ((u128::from(mixed) * n as u128) >> 64) as usize
}
