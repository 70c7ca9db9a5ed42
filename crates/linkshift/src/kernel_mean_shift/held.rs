//! Must-links alone: the kernel and its width, k and the number of axes by links that are held back.
//!
//! Linked points become one, so links that were used judge nothing. Groups of linked points are dealt
//! into two halves; each half is projected without the other, which then says how often its ends end
//! together, beside any two points. Both are counted after modes of a few points have joined another, as
//! they do in the end: else a kernel that leaves many of them looks worse than it is.
//!
//! Few links are a weak judge: with twenty, one that goes astray is .05. What holds for one k holds nearly for
//! the next ones, so each has a voice in what its neighbours are worth.

use super::choose::{Choice, among};
use super::factor::{Factor, not_yet_begun};
use super::fit::{Around, Shape};
use super::gram::Gram;
use super::judge::Climbed;
use super::leftovers;
use super::mercer::Mercer;
use super::metric;
use super::params::{KernelMeanShiftParams, Neighbor};
use crate::bandwidth;
use crate::error::Result;
use crate::links::{Link, Links};
use crate::method::GivenLinks;
use crate::neighbors::Neighbors;
use crate::observe::{self, Observer};
use crate::points::Points;
use crate::real::Real;
use faer::Mat;

/// Fewer groups of linked points than this are not held back: with so few there is nothing to spare.
const FEWEST: usize = 8;

/// How often groups are dealt out anew: few links say little, and who judges whom is chance.
const DEALS: u64 = 2;

/// Points on which kernels are tried, at the most; linked ones first.
const POINTS: usize = 600;

/// Widths of a Gaussian of which nothing is told, in units of the one that stays if links do not choose. A
/// wide one is nearly flat: it has few directions, and in few columns links take them all.
const WIDTHS: [f64; 3] = [1.0, 0.25, 0.0625];

/// Axes that are tried. What tells clusters lies on the longest ones.
const AXES: [usize; 4] = [10, 20, 40, 100];

/// Groups of linked points, dealt into those that judge and those that are used.
struct Deal {
    held: Vec<Link>,
    used: Links,
}

/// How often ends of held-back links ended together, and any two points.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Together {
    held: f64,
    n_held: f64,
    any: f64,
    n_any: f64,
}

impl KernelMeanShiftParams {
    /// What is not set, where there are enough groups of linked points to hold some back.
    pub(super) fn choose_by_held_back<T: Real>(
        &self,
        points: &Points<'_, T>,
        given: &GivenLinks<'_>,
        observer: &mut Observer<'_>,
    ) -> Result<Choice> {
        let kernels = self.kernels_without_cannot_links(points);
        let closure = &given.closure;
        let groups: Vec<Vec<Link>> = (0..closure.n_groups())
            .map(|group| star(closure.members(group)))
            .filter(|links| !links.is_empty())
            .collect();
        let as_told = Choice { kernel: kernels[0], neighbor: self.neighbor, axes: None };
        let nothing_open = kernels.len() == 1 && self.neighbor != Neighbor::Auto;
        // Where links hold points apart, the projection is asked for as the paper has it.
        if groups.len() < FEWEST || nothing_open || given.hold_apart() {
            return Ok(as_told);
        }
        let (rows, drawn) = self.sample(points, &groups.concat(), POINTS)?;
        let deals: Vec<Deal> =
            (0..DEALS).flat_map(|deal| deal_out(&groups, &rows, self.seed + deal)).collect();
        let shares = self.shares(points.n_points());
        let mut best = (f64::NEG_INFINITY, as_told);
        for kernel in kernels {
            let found = self.try_kernel(&drawn, kernel, &deals, &shares, observer)?;
            for (axes, found) in AXES.into_iter().zip(found) {
                let scores = smooth(&found.iter().map(Together::score).collect::<Vec<f64>>());
                for (score, &share) in scores.into_iter().zip(&shares) {
                    if score > best.0 {
                        let neighbor = self.neighbor_by(share);
                        best = (score, Choice { kernel, neighbor, axes: Some(axes) });
                    }
                }
            }
        }
        Ok(best.1)
    }

    /// Kernels that are tried; the first is the one that stays if links do not choose.
    fn kernels_without_cannot_links<T: Real>(&self, points: &Points<'_, T>) -> Vec<Mercer> {
        let settled = |width| self.kernel.settled(points, width * self.sigma_factor, self.seed);
        match self.kernel {
            Mercer::Auto { sigma: None } => {
                WIDTHS.into_iter().map(settled).chain([Mercer::Cosine]).collect()
            }
            _ => vec![settled(1.0)],
        }
    }

    /// For each number of axes and each share, what links say that are held back.
    fn try_kernel<T: Real>(
        &self,
        points: &Points<'_, T>,
        kernel: Mercer,
        deals: &[Deal],
        shares: &[f64],
        observer: &mut Observer<'_>,
    ) -> Result<[Vec<Together>; AXES.len()]> {
        let gram = Gram::new(points, kernel, self.repair)?;
        let allow = |rank| self.check_memory(points, rank);
        let factor = Factor::new(&gram, points, kernel, self.enough(0.0), allow, observer)?;
        let rank = factor.rank;
        let mut found = AXES.map(|_| vec![Together::default(); shares.len()]);
        for Deal { held, used } in deals {
            // A projection is its own root.
            let projection = metric::learn(&factor.rows, rank, used, Vec::new)?
                .unwrap_or_else(|| Mat::identity(rank, rank));
            let rows = metric::apply(&factor.rows, &projection);
            let most = AXES.into_iter().max().unwrap_or_default();
            let longest = metric::leading_axes(&rows, rank, 1.0, most)?;
            let (rows, d) = (metric::apply(&rows, &longest), longest.ncols());
            let mut tried = None;
            for (axes, sums) in AXES.map(|axes| axes.min(d)).into_iter().zip(&mut found) {
                let told = match tried.take() {
                    // Where there are not so many axes, all were tried before.
                    Some((before, told)) if before == axes => told,
                    _ => {
                        let rows: Vec<f64> =
                            rows.chunks_exact(d).flat_map(|row| &row[..axes]).copied().collect();
                        observe::show(observer, &not_yet_begun(points.n_points()))?;
                        self.try_shares(&rows, axes, held, shares)?
                    }
                };
                sums.iter_mut().zip(&told).for_each(|(sum, told)| sum.add(told));
                tried = Some((axes, told));
            }
        }
        Ok(found)
    }

    /// What held-back links say of each share in a space of d axes.
    fn try_shares(
        &self,
        rows: &[f64],
        d: usize,
        held: &[Link],
        shares: &[f64],
    ) -> Result<Vec<Together>> {
        let shape = Shape::new(self, rows, d, false, Around::Mean);
        let near = Neighbors::new(&Points::new(rows, d)?);
        let together = |&share: &f64| {
            let mut climbed = Climbed::new(rows, d, rows.len() / d, shape, share, &near)?;
            let largest = (self.leftover_share * climbed.k as f64) as usize;
            let Climbed { ends, modes, end_of, .. } = &mut climbed;
            leftovers::join(ends, modes, end_of, &Links::new(), largest);
            Ok(Together::count(&climbed.mode_of_each(), held))
        };
        shares.iter().map(together).collect()
    }
}

impl Together {
    fn count(mode_of: &[usize], held: &[Link]) -> Self {
        let mut sizes = vec![0.0_f64; mode_of.len()];
        mode_of.iter().for_each(|&mode| sizes[mode] += 1.0);
        let n = mode_of.len() as f64;
        let kept = held.iter().filter(|link| mode_of[link.a] == mode_of[link.b]);
        Together {
            held: kept.count() as f64,
            n_held: held.len() as f64,
            any: sizes.iter().map(|size| size * (size - 1.0)).sum(),
            n_any: n * (n - 1.0),
        }
    }

    fn add(&mut self, other: &Self) {
        self.held += other.held;
        self.n_held += other.n_held;
        self.any += other.any;
        self.n_any += other.n_any;
    }

    /// How much more often ends of links are together than any two points: 0 where all are
    /// together, or all alone.
    fn score(&self) -> f64 {
        self.held / self.n_held.max(1.0) - self.any / self.n_any.max(1.0)
    }
}

/// Each value half its own, half the mean of those beside it.
fn smooth(values: &[f64]) -> Vec<f64> {
    let of = |at: usize| {
        let beside: Vec<f64> = [at.checked_sub(1), Some(at + 1)]
            .into_iter()
            .filter_map(|at| values.get(at?).copied())
            .collect();
        let mean = beside.iter().sum::<f64>() / beside.len() as f64;
        if beside.is_empty() { values[at] } else { (values[at] + mean) / 2.0 }
    };
    (0..values.len()).map(of).collect()
}

/// Must-links from the first member of a group to each other one.
fn star(members: &[u32]) -> Vec<Link> {
    members[1..].iter().map(|&row| Link::must(members[0] as usize, row as usize)).collect()
}

/// Groups by turns to one half or the other, in seeded order, and each half judges the other; links
/// between rows of a sample.
fn deal_out(groups: &[Vec<Link>], rows: &[usize], seed: u64) -> [Deal; 2] {
    let mut halves = [Vec::new(), Vec::new()];
    for (at, group) in bandwidth::shuffled(groups.len(), seed).into_iter().enumerate() {
        halves[at % 2].extend(among(rows, &groups[group]));
    }
    let [a, b] = &halves;
    [(a, b), (b, a)]
        .map(|(held, used)| Deal { held: held.clone(), used: used.iter().copied().collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_all_together_nor_all_alone_is_worth_anything() {
        // Derived: six points, two held-back links within 0, 1, 2 and 3, 4, 5. As two heaps of three
        // both are kept, and 6 of 15 pairs are together.
        let held = [Link::must(0, 1), Link::must(3, 4)];
        let score = |mode_of: [usize; 6]| Together::count(&mode_of, &held).score();
        assert_eq!(score([0; 6]), 0.0);
        assert_eq!(score([0, 1, 2, 3, 4, 5]), 0.0);
        assert!((score([0, 0, 0, 1, 1, 1]) - (1.0 - 6.0 / 15.0)).abs() < 1e-12);
        // One heap in two: a link less, and 4 of 15 pairs.
        assert!((score([0, 2, 2, 1, 1, 1]) - (0.5 - 4.0 / 15.0)).abs() < 1e-12);
    }

    #[test]
    fn what_is_beside_has_half_a_voice() {
        assert_eq!(smooth(&[1.0, 0.0, 0.5]), [0.5, 0.375, 0.25]);
        assert_eq!(smooth(&[0.7]), [0.7]);
    }

    #[test]
    fn each_half_judges_the_other() {
        let groups: Vec<Vec<Link>> = (0..8).map(|at| star(&[2 * at, 2 * at + 1])).collect();
        let rows: Vec<usize> = (0..16).collect();
        for Deal { held, used } in deal_out(&groups, &rows, 3) {
            assert_eq!((held.len(), used.len()), (4, 4));
            assert!(used.as_slice().iter().all(|link| !held.contains(link)));
        }
    }
}
