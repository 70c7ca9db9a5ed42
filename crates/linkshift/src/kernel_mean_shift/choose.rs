//! What links can choose besides distances: the width of a Gaussian kernel, and how many neighbours
//! make a bandwidth. Both are tried on a sample of the points.

use super::factor::not_yet_begun;
use super::fit::Shape;
use super::judge::Jury;
use super::mercer::Mercer;
use super::params::{KernelMeanShiftParams, Neighbor};
use super::sigma;
use crate::bandwidth;
use crate::error::Result;
use crate::links::Link;
use crate::observe::{self, Observer};
use crate::points::Points;
use crate::real::Real;

/// Points of the sample, and linked ones among them, at the most.
const POINTS: usize = 2_000;
const LINKED: usize = 1_500;

/// Widths that are tried, in units of the one that tells links best before any is learned: wider ones
/// first, which have fewer directions and teach more about unlinked points.
const WIDTHS: [f64; 2] = [2.0, 1.0];

/// A narrower width must keep this much more of the links than a wider one.
const MARGIN: f64 = 0.02;

/// What was chosen.
pub(super) struct Choice {
    pub(super) kernel: Mercer,
    pub(super) neighbor: Neighbor,
}

impl KernelMeanShiftParams {
    /// What is not set, chosen by links.
    pub(super) fn choose<T: Real>(
        &self,
        points: &Points<'_, T>,
        pairs: &[Link],
        observer: &mut Observer<'_>,
    ) -> Result<Choice> {
        let (n, seed) = (points.n_points(), self.seed);
        let tells_best = match self.kernel {
            Mercer::Gaussian { sigma: None } => sigma::from_links(points, pairs, seed),
            _ => None,
        };
        let kernels: Vec<Mercer> = match tells_best {
            Some(sigma) => {
                WIDTHS.iter().map(|width| Mercer::Gaussian { sigma: Some(width * sigma) }).collect()
            }
            None => vec![self.kernel.settled(points, self.sigma_factor, seed)],
        };
        if let ([kernel], true) = (&kernels[..], self.neighbor != Neighbor::Auto) {
            return Ok(Choice { kernel: *kernel, neighbor: self.neighbor });
        }
        let (rows, among) = sample(n, pairs, seed);
        let all;
        let drawn = match rows.len() == n || self.kernel == Mercer::Precomputed {
            true => points,
            false => {
                all = points.select(&rows);
                &all
            }
        };
        let among = if drawn.n_points() == n { pairs } else { &among[..] };
        let jury = Jury::new(drawn.n_points(), among, seed);
        let mut best: Option<(f64, Choice)> = None;
        for kernel in kernels {
            let learned = self.learn(drawn, kernel, among, observer)?;
            let d = learned.map.ncols();
            let shape = Shape::new(self, &learned.rows, d, true);
            let shares: Vec<f64> = match self.neighbor {
                Neighbor::Auto => super::judge::SHARES.to_vec(),
                fixed => vec![fixed.k(n) as f64 / n as f64],
            };
            let verdict = jury.choose(&learned.rows, d, shape, &shares)?;
            observe::show(observer, &not_yet_begun(n))?;
            let is_better = match &best {
                Some((score, _)) => verdict.score > score + MARGIN,
                None => true,
            };
            if is_better {
                let neighbor = match self.neighbor {
                    Neighbor::Auto => Neighbor::Share(verdict.share),
                    fixed => fixed,
                };
                best = Some((verdict.score, Choice { kernel, neighbor }));
            }
        }
        let unjudged = || Choice {
            kernel: self.kernel.settled(points, self.sigma_factor, seed),
            neighbor: self.neighbor,
        };
        Ok(best.map_or_else(unjudged, |(_, choice)| choice))
    }
}

/// Rows of a sample, and the pairs between them: linked rows first.
fn sample(n: usize, pairs: &[Link], seed: u64) -> (Vec<usize>, Vec<Link>) {
    if n <= POINTS {
        return ((0..n).collect(), pairs.to_vec());
    }
    let mut is_drawn = vec![false; n];
    let mut n_linked = 0;
    // Pairs come in the order of their groups: a sample in seeded order is fair to all.
    for at in bandwidth::shuffled(pairs.len(), seed) {
        for row in [pairs[at].a, pairs[at].b] {
            if !is_drawn[row] && n_linked < LINKED {
                is_drawn[row] = true;
                n_linked += 1;
            }
        }
    }
    let mut n_drawn = n_linked;
    for row in bandwidth::sample(n, POINTS, seed) {
        if !is_drawn[row] && n_drawn < POINTS {
            is_drawn[row] = true;
            n_drawn += 1;
        }
    }
    let rows: Vec<usize> = (0..n).filter(|&row| is_drawn[row]).collect();
    let place = |row: usize| rows.binary_search(&row).ok();
    let moved = |link: &Link| Some(Link { a: place(link.a)?, b: place(link.b)?, ..*link });
    let among = pairs.iter().filter_map(moved).collect();
    (rows, among)
}
