//! How many neighbours make a bandwidth, from links: shares of the points are tried, and links judge
//! where their ends climb to.
//!
//! With few neighbours clusters fall to pieces, which breaks must-links; with many they run together,
//! which breaks cannot-links. A share is good if must-links are kept as well as cannot-links: the
//! score is the mean of the two shares of kept pairs. Of the shares that are about as good as the
//! best, the one in the middle is taken, for links judge only the points they touch.

use super::climb::{Limits, climb};
use super::field::{Field, kth_distances};
use super::fit::{Shape, never_zero};
use super::params::Neighbor;
use crate::bandwidth;
use crate::error::Result;
use crate::links::{Link, LinkKind};
use crate::mean_shift::modes::gather;
use crate::neighbors::Neighbors;
use crate::observe;
use crate::points::Points;

/// Points on which ends climb, at the most: a share means the same on a sample.
const POINTS: usize = 1_000;

/// Pairs of each kind that judge, at the most.
const JUDGES: usize = 60;

/// The shares that are tried.
pub(super) const SHARES: [f64; 7] = [0.01, 0.02, 0.035, 0.06, 0.09, 0.13, 0.2];

/// Scores this near to the best are as good.
const SLACK: f64 = 0.02;

/// Whether ends are together matters, not exactly where they are.
const MAX_ITER: usize = 300;
const TOLERANCE: f64 = 1e-3;
const MODE_RADIUS: f64 = 0.2;

/// What links say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Verdict {
    /// The share of the points whose farthest is a point's bandwidth.
    pub(super) share: f64,
    /// How well links are kept with it, from 0 to 1.
    pub(super) score: f64,
}

/// Of the verdicts that are about as good as the best, the one in the middle, with the best score.
fn middle_of_best(verdicts: &[Verdict]) -> Verdict {
    let score = verdicts.iter().map(|verdict| verdict.score).fold(0.0, f64::max);
    let good: Vec<f64> = verdicts
        .iter()
        .filter(|verdict| verdict.score >= score - SLACK)
        .map(|verdict| verdict.share)
        .collect();
    Verdict { share: good[good.len() / 2], score }
}

/// Pairs that judge, by their places in a sample of the points.
pub(super) struct Jury {
    /// The sample: first the points of the pairs, then others.
    rows: Vec<usize>,
    n_judges: usize,
    together: Vec<(usize, usize)>,
    apart: Vec<(usize, usize)>,
}

impl Jury {
    pub(super) fn new(n: usize, pairs: &[Link], seed: u64) -> Self {
        let of_kind = |kind| -> Vec<(usize, usize)> {
            let all: Vec<&Link> = pairs.iter().filter(|link| link.kind == kind).collect();
            let drawn = bandwidth::sample(all.len(), JUDGES, seed);
            drawn.into_iter().map(|at| (all[at].a, all[at].b)).collect()
        };
        let (together, mut apart) = (of_kind(LinkKind::Must), of_kind(LinkKind::Cannot));
        if apart.is_empty() {
            // Nobody said who is apart: most of all pairs are.
            let any = bandwidth::sample(n, 2 * JUDGES, seed);
            apart = any.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
        }
        let mut rows: Vec<usize> =
            together.iter().chain(&apart).flat_map(|&(a, b)| [a, b]).collect();
        rows.sort_unstable();
        rows.dedup();
        let n_judges = rows.len();
        let place = |row: usize| rows.binary_search(&row).unwrap_or_default();
        let places =
            |pairs: &[(usize, usize)]| pairs.iter().map(|&(a, b)| (place(a), place(b))).collect();
        let (together, apart) = (places(&together), places(&apart));
        let others = bandwidth::sample(n, POINTS, seed);
        let others: Vec<usize> =
            others.into_iter().filter(|row| rows.binary_search(row).is_err()).collect();
        rows.extend(others.into_iter().take(POINTS.saturating_sub(n_judges)));
        Self { rows, n_judges, together, apart }
    }

    /// Lets the ends of all pairs climb with each share. `rows` are all points in the learned space.
    pub(super) fn choose(
        &self,
        rows: &[f64],
        d: usize,
        shape: Shape,
        shares: &[f64],
    ) -> Result<Verdict> {
        let sample: Vec<f64> =
            self.rows.iter().flat_map(|&row| &rows[row * d..][..d]).copied().collect();
        let near = Neighbors::new(&Points::new(&sample[..], d)?);
        let mut verdicts = Vec::new();
        for &share in shares {
            let mode_of = self.climb(&sample, d, shape, share, &near)?;
            verdicts.push(Verdict { share, score: self.score(&mode_of) });
        }
        Ok(middle_of_best(&verdicts))
    }

    /// The mode that each judge ends at.
    fn climb(
        &self,
        sample: &[f64],
        d: usize,
        shape: Shape,
        share: f64,
        near: &Neighbors<f64>,
    ) -> Result<Vec<usize>> {
        let n = self.rows.len();
        let k = Neighbor::Share(share).k(n);
        let mut bandwidths = kth_distances(sample, sample, d, k);
        never_zero(&mut bandwidths);
        bandwidths.iter_mut().for_each(|h| *h *= shape.factor);
        let smallest = bandwidths.iter().copied().fold(f64::INFINITY, f64::min);
        let field = Field::new(sample.to_vec(), d, &bandwidths, &vec![1.0; n], shape.exponent);
        let limits = Limits {
            max_iter: MAX_ITER,
            tolerance: TOLERANCE * smallest,
            merge_tolerance: TOLERANCE * smallest,
            bandwidth: smallest,
        };
        let seeds = sample[..self.n_judges * d].to_vec();
        let arrived = climb(&field, seeds, &limits, &mut observe::ignore)?;
        let ends = Points::new(arrived.centers, d)?;
        let modes = gather(&ends, &field.log_density(ends.values()), |end| {
            bandwidths[near.nearest(ends.row(end), 1)[0].row] * MODE_RADIUS
        });
        Ok(arrived.of.iter().map(|&end| modes.of[end as usize]).collect())
    }

    /// The mean of the shares of pairs of both kinds that are kept.
    fn score(&self, mode_of: &[usize]) -> f64 {
        let share_together = |pairs: &[(usize, usize)]| {
            let n_together = pairs.iter().filter(|&&(a, b)| mode_of[a] == mode_of[b]).count();
            n_together as f64 / pairs.len().max(1) as f64
        };
        match self.together.is_empty() {
            true => 1.0 - share_together(&self.apart),
            false => (1.0 + share_together(&self.together) - share_together(&self.apart)) / 2.0,
        }
    }
}
