//! Must-links alone: the kernel and k by links that are held back.
//!
//! Linked points become one, so links that were used judge nothing. Groups of linked points are dealt
//! into two halves; each half is projected without the other, which then says how near its ends have
//! come, and where they climb to. Nobody said who is apart, but most of all pairs are.

use super::choose::{Choice, among};
use super::factor::{Factor, not_yet_begun};
use super::fit::{Around, Shape};
use super::gram::Gram;
use super::judge::{Jury, middle_of_best};
use super::mercer::Mercer;
use super::metric;
use super::params::{KernelMeanShiftParams, Neighbor};
use crate::bandwidth;
use crate::distance::distance_sq;
use crate::error::Result;
use crate::links::{Link, Links};
use crate::method::GivenLinks;
use crate::observe::{self, Observer};
use crate::points::Points;
use crate::real::Real;

/// Fewer groups of linked points than this are not held back: with so few there is nothing to spare.
const FEWEST: usize = 8;

/// How often groups are dealt out anew: few links say little, and who judges whom is chance.
const DEALS: u64 = 2;

/// Points between which distances stand for those of all pairs.
const SAMPLE: usize = 300;

/// Axes that are tried. What tells clusters lies on the longest ones.
const AXES: [usize; 3] = [10, 20, 100];

impl KernelMeanShiftParams {
    /// What is not set, where there are enough groups of linked points to hold some back.
    pub(super) fn choose_by_held_back<T: Real>(
        &self,
        points: &Points<'_, T>,
        given: &GivenLinks<'_>,
        observer: &mut Observer<'_>,
    ) -> Result<Choice> {
        let (n, seed) = (points.n_points(), self.seed);
        let settled = self.kernel.settled(points, self.sigma_factor, seed);
        let kernels = match self.kernel {
            Mercer::Auto { sigma: None } => vec![settled, Mercer::Cosine],
            _ => vec![settled],
        };
        let closure = &given.closure;
        let groups: Vec<&[u32]> = (0..closure.n_groups())
            .map(|group| closure.members(group))
            .filter(|members| members.len() > 1)
            .collect();
        let as_told = Choice { kernel: settled, neighbor: self.neighbor, axes: None };
        let nothing_open = kernels.len() == 1 && self.neighbor != Neighbor::Auto;
        // Where links hold points apart, the projection is asked for as the paper has it.
        if groups.len() < FEWEST || nothing_open || given.hold_apart() {
            return Ok(as_told);
        }
        let groups: Vec<Vec<Link>> = groups.iter().map(|members| star(members)).collect();
        let (rows, drawn) = self.sample(points, &groups.concat())?;
        let dealt: Vec<[Vec<Link>; 2]> =
            (0..DEALS).map(|deal| deal_out(&groups, &rows, seed + deal)).collect();
        let shares = self.shares(n);
        let mut best: Option<(f64, Choice)> = None;
        for kernel in kernels {
            let gram = Gram::new(&drawn, kernel, self.repair)?;
            let allow = |rank| self.check_memory(&drawn, rank);
            let factor = Factor::new(&gram, &drawn, kernel, self.enough(0.0), allow, observer)?;
            let mut nearness = 0.0;
            let mut scores = AXES.map(|_| vec![0.0; shares.len()]);
            let turns = || dealt.iter().flat_map(|[a, b]| [(a, b), (b, a)]);
            for (held, used) in turns() {
                let used: Links = used.iter().copied().collect();
                let metric = metric::learn(&factor.rows, factor.rank, &used, Vec::new)?;
                let map = metric::axes(&factor.rows, factor.rank, metric)?;
                let rows = metric::apply(&factor.rows, &map);
                nearness += self.nearness(&rows, map.ncols(), held)?;
                let most = AXES.into_iter().max().unwrap_or_default();
                let longest = metric::leading_axes(&rows, map.ncols(), 1.0, most)?;
                let (rows, d) = (metric::apply(&rows, &longest), longest.ncols());
                let jury = Jury::new(&rows, d, held, seed)?;
                for (axes, sums) in AXES.into_iter().zip(&mut scores) {
                    let axes = axes.min(d);
                    let rows: Vec<f64> =
                        rows.chunks_exact(d).flat_map(|row| &row[..axes]).copied().collect();
                    let shape = Shape::new(self, &rows, axes, false, Around::Mean);
                    let of_half = jury.scores(&rows, axes, shape, &shares)?;
                    sums.iter_mut().zip(of_half).for_each(|(sum, score)| *sum += score);
                    observe::show(observer, &not_yet_begun(n))?;
                }
            }
            let n_turns = turns().count() as f64;
            for (axes, sums) in AXES.into_iter().zip(scores) {
                let scores: Vec<f64> = sums.iter().map(|sum| sum / n_turns).collect();
                let verdict = middle_of_best(&shares, &scores);
                // A kernel is good if held-back links are nearer with it, and end together.
                let score = (verdict.score + nearness / n_turns) / 2.0;
                if best.as_ref().is_none_or(|(most, _)| score > *most) {
                    let neighbor = self.neighbor_by(verdict.share);
                    best = Some((score, Choice { kernel, neighbor, axes: Some(axes) }));
                }
            }
        }
        Ok(best.map_or(as_told, |(_, choice)| choice))
    }

    /// The mean share of all pairs that are farther apart than a linked one.
    fn nearness(&self, rows: &[f64], d: usize, held: &[Link]) -> Result<f64> {
        let at = Points::new(rows, d)?;
        let mut all = bandwidth::sampled_distances(&at, SAMPLE, self.seed);
        all.sort_unstable_by(f64::total_cmp);
        let share_farther = |link: &Link| {
            let distance = distance_sq(at.row(link.a), at.row(link.b)).sqrt();
            let n_nearer = all.partition_point(|other| *other <= distance);
            1.0 - n_nearer as f64 / all.len().max(1) as f64
        };
        Ok(held.iter().map(share_farther).sum::<f64>() / held.len().max(1) as f64)
    }
}

/// Must-links from the first member of a group to each other one.
fn star(members: &[u32]) -> Vec<Link> {
    members[1..].iter().map(|&row| Link::must(members[0] as usize, row as usize)).collect()
}

/// Groups by turns to one half or the other, in seeded order; links between rows of a sample.
fn deal_out(groups: &[Vec<Link>], rows: &[usize], seed: u64) -> [Vec<Link>; 2] {
    let mut halves = [Vec::new(), Vec::new()];
    for (at, group) in bandwidth::shuffled(groups.len(), seed).into_iter().enumerate() {
        halves[at % 2].extend(among(rows, &groups[group]));
    }
    halves
}
