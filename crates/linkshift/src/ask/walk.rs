//! How far an answer reaches: mean shift of labels instead of places. The equations are on the page of
//! the [module](super#how-far-an-answer-reaches).

use super::answers::{Answer, Answers};
use super::beginning::Graph;
use super::neighborhoods::Neighborhoods;
use crate::neighbors::Neighbors;
use crate::points::Points;
use crate::real::Real;
use crate::shared::relabel::number_by_first_member;
use rayon::prelude::*;

/// Rows that each row looks at. Measured with 6, 10 and 20 on the seven sets of the bench: 6 leaves
/// gaps in `segmentation`, 20 blurs borders in `digits`.
const NEIGHBOURS: usize = 10;

/// α: a walk is 20 steps long on average. With 0.99 a far answer counts nearly like a near one and
/// small classes are found late; 0.9 measured the same or worse.
const GO_ON: f64 = 0.95;

/// β: doubt walks 10 steps on average. With 0.5 questions stay in one crowded place for long.
const REACH: f64 = 0.9;

/// Steps of the doubt.
const DOUBT_STEPS: usize = 10;

/// Chances are at rest when none changes by more than this in a step, or after [`MOST_STEPS`].
const AT_REST: f64 = 1e-3;

const MOST_STEPS: usize = 100;

/// A column is good enough when its residual has shrunk to this, squared.
const COLUMN_AT_REST: f64 = 1e-10;

/// Rows that one task handles: much fewer would cost more than they save.
const ROWS_PER_TASK: usize = 256;

/// The weights of all steps: for each row its neighbours (both ways) and their kernel values.
#[derive(Debug, Clone)]
pub(super) struct Walk {
    starts: Vec<usize>,
    neighbour: Vec<u32>,
    kernel: Vec<f64>,
    /// 1 / Σ kᵢⱼ over the neighbours of a row, 0 where all of them are out of sight.
    per_total: Vec<f64>,
}

impl Walk {
    pub(super) fn new<T: Real>(points: &Points<'_, T>) -> Self {
        let n = points.n_points();
        let near = Neighbors::new(points);
        let found: Vec<Vec<(u32, f64)>> = (0..n)
            .into_par_iter()
            .map(|row| {
                let found = near.nearest(points.row(row), NEIGHBOURS + 1).into_iter();
                let others = found.filter(|other| other.row != row).take(NEIGHBOURS);
                others.map(|other| (other.row as u32, other.distance_sq.as_f64())).collect()
            })
            .collect();
        let reach: Vec<f64> =
            found.iter().map(|near| near.last().map_or(0.0, |last| last.1.sqrt())).collect();
        // Where duplicates crowd the reach is zero: take the smallest that is not.
        let least = reach.iter().copied().filter(|&h| h > 0.0).fold(f64::INFINITY, f64::min);
        let least = if least.is_finite() { least } else { 1.0 };
        let h = |row: usize| if reach[row] > 0.0 { reach[row] } else { least };
        let mut edges: Vec<(u32, u32, f64)> = Vec::with_capacity(2 * n * NEIGHBOURS);
        for (row, near) in found.iter().enumerate() {
            for &(other, distance_sq) in near {
                let kernel = (-distance_sq / (h(row) * h(other as usize))).exp();
                edges.push((row as u32, other, kernel));
                edges.push((other, row as u32, kernel));
            }
        }
        edges.par_sort_unstable_by_key(|&(row, other, _)| (row, other));
        edges.dedup_by_key(|&mut (row, other, _)| (row, other));
        let mut starts = vec![0; n + 1];
        edges.iter().for_each(|&(row, ..)| starts[row as usize + 1] += 1);
        (0..n).for_each(|row| starts[row + 1] += starts[row]);
        let kernel: Vec<f64> = edges.iter().map(|edge| edge.2).collect();
        let per_total = starts.windows(2).map(|range| {
            let total: f64 = kernel[range[0]..range[1]].iter().sum();
            if total > 0.0 { total.recip() } else { 0.0 }
        });
        let per_total = per_total.collect();
        Walk { starts, neighbour: edges.iter().map(|edge| edge.1).collect(), kernel, per_total }
    }

    fn n_points(&self) -> usize {
        self.per_total.len()
    }

    /// The neighbours of a row with their kernel values.
    fn seen_from(&self, row: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.starts[row]..self.starts[row + 1];
        let neighbours = self.neighbour[range.clone()].iter();
        neighbours.zip(&self.kernel[range]).map(|(&other, &kernel)| (other as usize, kernel))
    }

    /// The communities that the points alone suggest: for each row the number of its own.
    pub(super) fn communities(&self, resolution: f64) -> Vec<usize> {
        let edges = |row| self.seen_from(row).collect();
        Graph { edges: (0..self.n_points()).map(edges).collect() }.communities(resolution)
    }

    /// F: for each row its chances to belong to each neighbourhood, row by row.
    pub(super) fn chances(&self, known: &Neighborhoods) -> Vec<f64> {
        let (n, k) = (self.n_points(), known.len());
        let mut chances = vec![0.0; n * k];
        for (row, number) in known.of_row.iter().enumerate() {
            number.iter().for_each(|&number| chances[row * k + number as usize] = 1.0);
        }
        if k == 0 {
            return chances;
        }
        let mut next = chances.clone();
        for _ in 0..MOST_STEPS {
            let step = |(row, to): (usize, &mut [f64])| -> f64 {
                if known.of_row[row].is_some() {
                    return 0.0;
                }
                to.fill(0.0);
                for (other, kernel) in self.seen_from(row) {
                    let weight = GO_ON * kernel * self.per_total[row];
                    let from = &chances[other * k..][..k];
                    to.iter_mut().zip(from).for_each(|(to, &from)| *to += weight * from);
                }
                let before = &chances[row * k..][..k];
                to.iter().zip(before).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
            };
            let rows = next.par_chunks_exact_mut(k).enumerate().with_min_len(ROWS_PER_TASK);
            let change = rows.map(step).reduce(|| 0.0, f64::max);
            std::mem::swap(&mut chances, &mut next);
            if change <= AT_REST {
                break;
            }
        }
        chances
    }

    /// v: for each row the doubt that hangs on it; 0 for rows that cannot be asked about.
    pub(super) fn stakes<T: Real>(
        &self,
        points: &Points<'_, T>,
        chances: &[f64],
        known: &Neighborhoods,
    ) -> Vec<f64> {
        let doubt = |row: usize| match known.is_free(row) {
            true => {
                let [first, second] = largest_two(&chances[row * known.len()..][..known.len()]);
                (1.0 - (first - second)) * points.weight(row).as_f64()
            }
            false => 0.0,
        };
        let doubts: Vec<f64> = (0..self.n_points()).map(doubt).collect();
        let is_free: Vec<bool> = (0..self.n_points()).map(|row| known.is_free(row)).collect();
        self.spread_doubts(&doubts, &is_free)
    }

    /// v = u + β·Pᵀ·v for the doubts u; 0 for rows that are not free.
    pub(super) fn spread_doubts(&self, doubts: &[f64], is_free: &[bool]) -> Vec<f64> {
        let mut stakes = doubts.to_vec();
        for _ in 0..DOUBT_STEPS {
            let arriving = |row: usize| -> f64 {
                let from = self.seen_from(row);
                from.map(|(other, kernel)| kernel * self.per_total[other] * stakes[other]).sum()
            };
            let step = |row: usize| match is_free[row] {
                true => doubts[row] + REACH * arriving(row),
                false => 0.0,
            };
            let rows = (0..self.n_points()).into_par_iter().with_min_len(ROWS_PER_TASK);
            stakes = rows.map(step).collect();
        }
        stakes
    }

    /// A column of the walk's matrix G = (D − α·K)⁻¹, with K the kernel values and D their sums. Walks
    /// that end at the rows A come from a row i with the chances G_iA·(G_AA)⁻¹: the columns of the
    /// rows asked about are all that is needed. Solved by conjugate gradients, scaled by D.
    pub(super) fn column(&self, of: usize) -> Vec<f32> {
        let n = self.n_points();
        let total = |row: usize| match self.per_total[row] {
            0.0 => 1.0, // alone: walks from here end nowhere
            per_total => per_total.recip(),
        };
        let mut found = vec![0.0; n];
        let mut residual = vec![0.0; n];
        residual[of] = 1.0;
        let mut scaled: Vec<f64> = (0..n).map(|row| residual[row] / total(row)).collect();
        let mut direction = scaled.clone();
        let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
        let mut size = dot(&residual, &scaled);
        let enough = size * COLUMN_AT_REST;
        for _ in 0..MOST_STEPS {
            let image: Vec<f64> = (0..n)
                .map(|row| {
                    let seen = self.seen_from(row).map(|(other, kernel)| kernel * direction[other]);
                    total(row) * direction[row] - GO_ON * seen.sum::<f64>()
                })
                .collect();
            let step = size / dot(&direction, &image);
            for row in 0..n {
                found[row] += step * direction[row];
                residual[row] -= step * image[row];
                scaled[row] = residual[row] / total(row);
            }
            let next = dot(&residual, &scaled);
            if next <= enough {
                break;
            }
            let keep = next / std::mem::replace(&mut size, next);
            direction.iter_mut().zip(&scaled).for_each(|(to, &from)| *to = from + keep * *to);
        }
        found.iter().map(|&value: &f64| value.max(0.0) as f32).collect()
    }

    /// Each row with its likeliest neighbourhood, numbered by first member. A row that no walk
    /// leads to from any known row takes the neighbourhood of the nearest known row. Groups that
    /// have not found their place go together where they may.
    pub(super) fn labels<T: Real>(
        &self,
        points: &Points<'_, T>,
        answers: &Answers,
        known: &Neighborhoods,
    ) -> Vec<i64> {
        let k = known.len();
        if k == 0 {
            return vec![0; self.n_points()];
        }
        let rows: Vec<usize> = known.members.iter().flatten().copied().collect();
        let near = Neighbors::new(&points.select(&rows));
        let chances = self.chances(known);
        let mut raw: Vec<i64> = (chances.par_chunks_exact(k).enumerate())
            .map(|(row, chances)| {
                let likeliest = order_of(chances)[0];
                if chances[likeliest] > 0.0 {
                    return likeliest as i64;
                }
                let nearest = rows[near.nearest(points.row(row), 1)[0].row];
                known.of_row[nearest].map_or(0, i64::from)
            })
            .collect();
        let closure = answers.closure();
        for group in 0..closure.n_groups() {
            let members: Vec<usize> = closure.members(group).iter().map(|&r| r as usize).collect();
            let first = members[0];
            if known.of_row[first].is_some() {
                continue;
            }
            let of_all = |at: usize| members.iter().map(|row| chances[row * k + at]).sum::<f64>();
            let sums: Vec<f64> = (0..k).map(of_all).collect();
            let order = match sums.iter().any(|&sum| sum > 0.0) {
                true => order_of(&sums),
                false => known.nearest_first(points, first),
            };
            let may = |at: &&usize| {
                answers.known(first, known.members[**at][0]) != Some(Answer::Different)
            };
            let place = order.iter().find(may).copied().unwrap_or(order[0]);
            members.iter().for_each(|&row| raw[row] = place as i64);
        }
        number_by_first_member(&raw).0
    }
}

/// Neighbourhoods by falling chance; the older first where chances are equal.
pub(super) fn order_of(chances: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..chances.len()).collect();
    order.sort_by(|&a, &b| chances[b].total_cmp(&chances[a]));
    order
}

/// The largest and the second largest chance, 0 where there is none.
fn largest_two(chances: &[f64]) -> [f64; 2] {
    chances.iter().fold([0.0, 0.0], |[first, second], &chance| {
        if chance > first { [chance, first] } else { [first, second.max(chance)] }
    })
}
