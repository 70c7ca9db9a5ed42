//! How many neighbours make a bandwidth, and in how many directions, from links: shares of the points
//! are tried, and links judge where their ends climb to.
//!
//! With few neighbours clusters fall to pieces, which breaks must-links; with many they run together,
//! which breaks cannot-links. A share is good if must-links are kept as well as cannot-links: the
//! score is the mean of the two shares of kept pairs. Of the shares that are about as good as the
//! best, the one in the middle is taken, for links judge only the points they touch.
//!
//! Where there are many clusters, hardly any random pair is a must-link, and a handful would decide
//! alone, or nobody. So what holds for all data has a voice, that nearest neighbours are together: it counts
//! like [`PRIOR`] must-links, so many links outvote it. Where nobody said who is apart, points drawn by chance
//! stand for it. Where somebody did they are not asked: of two clusters, half of such pairs are together,
//! and clusters would fall to pieces for them.

use super::climb::{Limits, climb};
use super::field::{Field, kth_distances};
use super::fit::{Shape, never_zero};
use super::params::Neighbor;
use crate::bandwidth;
use crate::error::Result;
use crate::links::{Link, LinkKind};
use crate::mean_shift::modes::{Modes, gather};
use crate::neighbors::Neighbors;
use crate::observe;
use crate::points::Points;

/// Points on which ends climb, at the most: a share means the same on a sample.
const POINTS: usize = 600;

/// Pairs of each kind that judge, at the most.
const JUDGES: usize = 100;

/// Points drawn by chance: their nearest neighbours should be with them, and they apart from each other.
const ASKED: usize = 60;

/// How many must-links nearest neighbours are worth.
const PRIOR: f64 = 10.0;

/// The shares that are tried.
pub(super) const SHARES: [f64; 7] = [0.01, 0.02, 0.035, 0.06, 0.09, 0.13, 0.2];

/// Scores this near to the best are as good.
const SLACK: f64 = 0.02;

/// Whether ends are together matters, not exactly where they are.
const MAX_ITER: usize = 300;
const TOLERANCE: f64 = 1e-3;
const MERGE_TOLERANCE: f64 = 1e-2;
const MODE_RADIUS: f64 = 0.2;

/// What links say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Verdict {
    /// The share of the points whose farthest is a point's bandwidth.
    pub(super) share: f64,
    /// How well links are kept with it, from 0 to 1.
    pub(super) score: f64,
}

/// Of the shares that are about as good as the best, the one in the middle, with the best score.
pub(super) fn middle_of_best(shares: &[f64], scores: &[f64]) -> Verdict {
    let score = scores.iter().copied().fold(0.0, f64::max);
    let good: Vec<f64> = shares
        .iter()
        .zip(scores)
        .filter(|&(_, &other)| other >= score - SLACK)
        .map(|(&share, _)| share)
        .collect();
    Verdict { share: good[good.len() / 2], score }
}

/// Where points of a sample climb to.
pub(super) struct Climbed {
    pub(super) ends: Points<'static, f64>,
    pub(super) modes: Modes,
    /// Point → where it ends.
    pub(super) end_of: Vec<u32>,
    pub(super) k: usize,
}

impl Climbed {
    /// The first `n_seeds` points of the sample climb.
    pub(super) fn new(
        sample: &[f64],
        d: usize,
        n_seeds: usize,
        shape: Shape,
        share: f64,
        near: &Neighbors<f64>,
    ) -> Result<Self> {
        let n = sample.len() / d;
        let k = Neighbor::Share(share).k(n);
        let mut bandwidths = kth_distances(sample, sample, d, k);
        never_zero(&mut bandwidths);
        bandwidths.iter_mut().for_each(|h| *h *= shape.factor);
        let smallest = bandwidths.iter().copied().fold(f64::INFINITY, f64::min);
        let field = Field::new(sample.to_vec(), d, &bandwidths, &vec![1.0; n], shape.exponent);
        let limits = Limits {
            max_iter: MAX_ITER,
            tolerance: TOLERANCE * smallest,
            merge_tolerance: MERGE_TOLERANCE * smallest,
            bandwidth: smallest,
        };
        let seeds = sample[..n_seeds * d].to_vec();
        let arrived = climb(&field, seeds, &limits, &mut observe::ignore)?;
        let ends = Points::new(arrived.centers, d)?;
        let modes = gather(&ends, &field.log_density(ends.values()), |end| {
            bandwidths[near.nearest(ends.row(end), 1)[0].row] * MODE_RADIUS
        });
        Ok(Self { ends, modes, end_of: arrived.of, k })
    }

    /// Point → its mode.
    pub(super) fn mode_of_each(&self) -> Vec<usize> {
        self.end_of.iter().map(|&end| self.modes.of[end as usize]).collect()
    }
}

/// Pairs of points, by their places in a sample.
type Pairs = Vec<(usize, usize)>;

/// Pairs that judge.
pub(super) struct Jury {
    /// The sample: first the points of the pairs, then others.
    rows: Vec<usize>,
    n_judges: usize,
    together: Pairs,
    apart: Pairs,
    /// Nearest neighbours, and pairs drawn by chance.
    near: Pairs,
    any: Pairs,
}

impl Jury {
    /// For links between points that lie so in a space of d axes.
    pub(super) fn new(rows: &[f64], d: usize, pairs: &[Link], seed: u64) -> Result<Self> {
        let n = rows.len() / d;
        let of_kind = |kind| -> Pairs {
            let all: Vec<&Link> = pairs.iter().filter(|link| link.kind == kind).collect();
            let drawn = bandwidth::sample(all.len(), JUDGES, seed);
            drawn.into_iter().map(|at| (all[at].a, all[at].b)).collect()
        };
        let (together, apart) = (of_kind(LinkKind::Must), of_kind(LinkKind::Cannot));
        let mut asked = bandwidth::shuffled(n, seed);
        asked.truncate(ASKED);
        let index = Neighbors::new(&Points::new(rows, d)?);
        let neighbor = |row: usize| {
            let others = index.nearest(&rows[row * d..][..d], 2);
            others.into_iter().map(|other| other.row).find(|&other| other != row)
        };
        let near: Pairs = asked.iter().filter_map(|&row| Some((row, neighbor(row)?))).collect();
        let asked = &asked[..];
        let earlier = |at: usize| asked[..at].iter().map(move |&other| (asked[at], other));
        let any: Pairs = (0..asked.len()).flat_map(earlier).collect();
        let mut judges: Vec<usize> = [&together, &apart, &near, &any]
            .into_iter()
            .flatten()
            .flat_map(|&(a, b)| [a, b])
            .collect();
        judges.sort_unstable();
        judges.dedup();
        let n_judges = judges.len();
        let place = |row: usize| judges.binary_search(&row).unwrap_or_default();
        let [together, apart, near, any] = [together, apart, near, any]
            .map(|pairs| pairs.iter().map(|&(a, b)| (place(a), place(b))).collect());
        let others = bandwidth::sample(n, POINTS, seed);
        let others: Vec<usize> =
            others.into_iter().filter(|row| judges.binary_search(row).is_err()).collect();
        judges.extend(others.into_iter().take(POINTS.saturating_sub(n_judges)));
        Ok(Self { rows: judges, n_judges, together, apart, near, any })
    }

    /// How well links are kept with each share of the points. `rows` are all points in a space of d axes.
    pub(super) fn scores(
        &self,
        rows: &[f64],
        d: usize,
        shape: Shape,
        shares: &[f64],
    ) -> Result<Vec<f64>> {
        let sample: Vec<f64> =
            self.rows.iter().flat_map(|&row| &rows[row * d..][..d]).copied().collect();
        let near = Neighbors::new(&Points::new(&sample[..], d)?);
        let score = |&share: &f64| {
            let climbed = Climbed::new(&sample, d, self.n_judges, shape, share, &near)?;
            Ok(self.score(&climbed.mode_of_each()))
        };
        shares.iter().map(score).collect()
    }

    /// The mean of the shares of pairs of both kinds that are kept.
    fn score(&self, mode_of: &[usize]) -> f64 {
        let kept = |pairs: &Pairs, together: bool| {
            let kept = pairs.iter().filter(|&&(a, b)| (mode_of[a] == mode_of[b]) == together);
            kept.count() as f64
        };
        let share = |pairs: &Pairs, together| kept(pairs, together) / pairs.len().max(1) as f64;
        let held = PRIOR * share(&self.near, true);
        let together = (kept(&self.together, true) + held) / (self.together.len() as f64 + PRIOR);
        let apart = if self.apart.is_empty() { &self.any } else { &self.apart };
        (together + share(apart, false)) / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_shares_that_are_about_as_good_the_middle_is_taken() {
        // Derived: .88 to .9 are within .02 of the best; the middle of three is the second.
        let verdict = middle_of_best(&[0.1, 0.2, 0.3, 0.4], &[0.885, 0.9, 0.89, 0.5]);
        assert_eq!(verdict, Verdict { share: 0.2, score: 0.9 });
    }

    #[test]
    fn without_links_neither_all_alone_nor_all_together_is_good() {
        // Derived: two heaps of 20. All alone: no neighbour is together, all pairs are apart, (0 + 1)/2.
        // All together: (1 + 0)/2. As they are: every neighbour is together, and of the 780 pairs the
        // 400 between the heaps are apart.
        let rows: Vec<f64> = (0..40).map(|i| f64::from(i / 20) * 100.0 + f64::from(i)).collect();
        let jury = Jury::new(&rows, 1, &[], 0).unwrap();
        let place: Vec<usize> = (0..40).collect();
        assert!((jury.score(&place) - 0.5).abs() < 1e-12);
        assert!((jury.score(&[0; 40]) - 0.5).abs() < 1e-12);
        let heap: Vec<usize> = (0..40).map(|place| jury.rows[place] / 20).collect();
        assert!((jury.score(&heap) - (1.0 + 400.0 / 780.0) / 2.0).abs() < 1e-12);
    }
}
