//! What links can choose besides distances: the kernel and its width, how many neighbours make a
//! bandwidth, and on how many axes centers climb. All are tried on a sample of the points.

use super::factor::not_yet_begun;
use super::fit::{Around, Shape};
use super::judge::{Jury, SHARES, Verdict, middle_of_best};
use super::learned::Learned;
use super::mercer::Mercer;
use super::params::{KernelMeanShiftParams, Neighbor};
use super::sigma;
use crate::bandwidth;
use crate::error::Result;
use crate::links::Link;
use crate::observe::{self, Observer};
use crate::points::Points;
use crate::real::Real;

/// Points of the sample at the most.
const POINTS: usize = 2_000;

/// The share of a sample that may be linked points.
const LINKED: f64 = 0.75;

/// Widths that are tried, in units of the one that tells links best before any is learned: wider ones
/// first, which have fewer directions and teach more about unlinked points.
const WIDTHS: [f64; 2] = [2.0, 1.0];

/// Axes that are tried besides all. In very many directions all distances are alike, so that at any
/// bandwidth points are either all alone or all together; what tells clusters lies on the longest axes.
const AXES: [usize; 3] = [5, 10, 20];

const LAST: usize = AXES[AXES.len() - 1];

/// Another kernel must keep this much more of the links than those before it.
const MARGIN: f64 = 0.02;

/// What was chosen.
pub(super) struct Choice {
    pub(super) kernel: Mercer,
    pub(super) neighbor: Neighbor,
    /// Axes at the most; `None` = all.
    pub(super) axes: Option<usize>,
}

/// What was chosen, and the space it was chosen by, where that is of all points.
pub(super) struct Chosen<T: Real> {
    pub(super) choice: Choice,
    pub(super) learned: Option<Learned<T>>,
}

/// A kernel and what links say of it.
struct Candidate<T: Real> {
    kernel: Mercer,
    learned: Learned<T>,
    jury: Jury,
    verdict: Verdict,
    axes: usize,
}

impl KernelMeanShiftParams {
    /// What is not set, chosen by links.
    pub(super) fn choose<T: Real>(
        &self,
        points: &Points<'_, T>,
        pairs: &[Link],
        observer: &mut Observer<'_>,
    ) -> Result<Chosen<T>> {
        let (n, seed) = (points.n_points(), self.seed);
        let kernels = self.kernels(points, pairs);
        let (rows, drawn) = self.sample(points, pairs, POINTS)?;
        let pairs = &among(&rows, pairs)[..];
        let shares = self.shares(n);
        let judged = |jury: &Jury, learned: &Learned<T>, axes: usize| -> Result<Verdict> {
            let rows = learned.on_longest(axes);
            let shape = Shape::new(self, &rows, axes, true, Around::Mean);
            Ok(middle_of_best(&shares, &jury.scores(&rows, axes, shape, &shares)?))
        };
        let mut best: Option<Candidate<T>> = None;
        for kernel in kernels {
            let learned = self.learn(&drawn, kernel, pairs, observer)?;
            let jury = Jury::new(&learned.rows, learned.n_axes(), pairs, seed)?;
            let mut of_kernel: Option<(Verdict, usize)> = None;
            for axes in AXES.map(|axes| axes.min(learned.n_axes())) {
                // Where there are not so many, all were tried before.
                if of_kernel.is_some_and(|(_, tried)| tried == axes) {
                    continue;
                }
                let verdict = judged(&jury, &learned, axes)?;
                observe::show(observer, &not_yet_begun(n))?;
                if of_kernel.is_none_or(|(best, _)| verdict.score > best.score) {
                    of_kernel = Some((verdict, axes));
                }
            }
            let Some((verdict, axes)) = of_kernel else { continue };
            let before = best.as_ref().map(|best| best.verdict.score);
            if before.is_none_or(|before| verdict.score > before + MARGIN) {
                best = Some(Candidate { kernel, learned, jury, verdict, axes });
            }
        }
        // All axes are the dearest to try, so only the best kernel gets them.
        if let Some(best) = &mut best
            && best.learned.n_axes() > LAST
        {
            let all = best.learned.n_axes();
            let verdict = judged(&best.jury, &best.learned, all)?;
            if verdict.score > best.verdict.score {
                (best.verdict, best.axes) = (verdict, all);
            }
        }
        let unjudged = || Chosen {
            choice: Choice {
                kernel: self.kernel.settled(points, self.sigma_factor, seed),
                neighbor: self.neighbor,
                axes: None,
            },
            learned: None,
        };
        Ok(best.map_or_else(unjudged, |best| Chosen {
            choice: Choice {
                kernel: best.kernel,
                neighbor: self.neighbor_by(best.verdict.share),
                axes: Some(best.axes),
            },
            learned: (drawn.n_points() == n).then_some(best.learned),
        }))
    }

    /// Shares that are tried.
    pub(super) fn shares(&self, n_points: usize) -> Vec<f64> {
        match self.neighbor {
            Neighbor::Auto => SHARES.to_vec(),
            fixed => vec![fixed.k(n_points) as f64 / n_points as f64],
        }
    }

    /// k, where the best share of those is known.
    pub(super) fn neighbor_by(&self, share: f64) -> Neighbor {
        match self.neighbor {
            Neighbor::Auto => Neighbor::Share(share),
            fixed => fixed,
        }
    }

    /// Kernels that are tried.
    fn kernels<T: Real>(&self, points: &Points<'_, T>, pairs: &[Link]) -> Vec<Mercer> {
        let is_open =
            matches!(self.kernel, Mercer::Auto { sigma: None } | Mercer::Gaussian { sigma: None });
        let tells_best = is_open.then(|| sigma::from_links(points, pairs, self.seed)).flatten();
        let mut kernels: Vec<Mercer> = match tells_best {
            Some(sigma) => {
                WIDTHS.iter().map(|width| Mercer::Gaussian { sigma: Some(width * sigma) }).collect()
            }
            None => vec![self.kernel.settled(points, self.sigma_factor, self.seed)],
        };
        if self.kernel == (Mercer::Auto { sigma: None }) {
            kernels.push(Mercer::Cosine);
        }
        kernels
    }

    /// Rows of a sample, ascending, and the points there; of a precomputed matrix the similarities
    /// between them.
    pub(super) fn sample<'p, T: Real>(
        &self,
        points: &'p Points<'_, T>,
        pairs: &[Link],
        most: usize,
    ) -> Result<(Vec<usize>, Points<'p, T>)> {
        let n = points.n_points();
        if n <= most {
            return Ok(((0..n).collect(), Points::new(points.values(), points.n_features())?));
        }
        let rows = sample(n, pairs, most, self.seed);
        let drawn = match self.kernel {
            Mercer::Precomputed => {
                let of_row = |&row: &usize| rows.iter().map(move |&col| points.row(row)[col]);
                Points::new(rows.iter().flat_map(of_row).collect::<Vec<T>>(), rows.len())?
            }
            _ => points.select(&rows),
        };
        Ok((rows, drawn))
    }
}

/// The pairs between rows of a sample, by their places in it.
pub(super) fn among(rows: &[usize], pairs: &[Link]) -> Vec<Link> {
    let place = |row: usize| rows.binary_search(&row).ok();
    let moved = |link: &Link| Some(Link { a: place(link.a)?, b: place(link.b)?, ..*link });
    pairs.iter().filter_map(moved).collect()
}

/// Rows of a sample: linked rows first.
fn sample(n: usize, pairs: &[Link], most: usize, seed: u64) -> Vec<usize> {
    let most_linked = (LINKED * most as f64) as usize;
    let mut is_drawn = vec![false; n];
    let mut n_linked = 0;
    // Pairs come in the order of their groups: a sample in seeded order is fair to all.
    for at in bandwidth::shuffled(pairs.len(), seed) {
        for row in [pairs[at].a, pairs[at].b] {
            if !is_drawn[row] && n_linked < most_linked {
                is_drawn[row] = true;
                n_linked += 1;
            }
        }
    }
    // In seeded order as well: rows are often sorted by class.
    let others: Vec<usize> =
        bandwidth::shuffled(n, seed).into_iter().filter(|&row| !is_drawn[row]).collect();
    others[..most - n_linked].iter().for_each(|&row| is_drawn[row] = true);
    (0..n).filter(|&row| is_drawn[row]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_takes_linked_rows_first_and_of_a_matrix_its_columns_too() {
        let matrix = Points::new((0..25).map(f64::from).collect::<Vec<f64>>(), 5).unwrap();
        let params = KernelMeanShiftParams { kernel: Mercer::Precomputed, ..Default::default() };
        let (rows, drawn) = params.sample(&matrix, &[Link::must(1, 4)], 4).unwrap();
        assert!(rows.len() == 4 && rows.contains(&1) && rows.contains(&4), "{rows:?}");
        for (at, &row) in rows.iter().enumerate() {
            let similar: Vec<f64> = rows.iter().map(|&col| matrix.row(row)[col]).collect();
            assert_eq!(drawn.row(at), similar);
        }
    }
}
