//! Which answer to believe where links are too few for any to be held back.
//!
//! A few links are heard by all candidates together, and what these say is taken if it parts the points.
//! Without links nobody says what belongs together, and no method is the best everywhere. Two things
//! tell how good an answer probably is: how well the others agree with it (the mean adjusted Rand index with all candidates
//! and k-means of all sizes), and how much nearer points are to their own cluster than to the next (the mean
//! silhouette, P. Rousseeuw 1987). Their sum decides.
//!
//! That holds for points without any clusters as well, where all may agree on a needless cut. So the
//! same is done with points that have none: drawn from one normal distribution with the same covariances (as the
//! gap statistic does for k-means: R. Tibshirani, G. Walther, T. Hastie 2001). An answer
//! that is not clearly better than the best one there parts nothing: all points are one cluster.

use super::candidates::{CANDIDATES, Ground, Part, Progress};
use super::evidence;
use super::linkage;
use super::prior;
use crate::distance::distance_sq;
use crate::error::Result;
use crate::links::Links;
use crate::points::Points;
use crate::scores::adjusted_rand_index;
use crate::shared::relabel::number_by_first_member;
use crate::stop::Stoppable;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;
use rayon::prelude::*;

/// The combination takes part with joining ended at the cut, and so much earlier.
const EARLIER: [f32; 3] = [0.0, 0.5, 1.0];

/// Who puts so large a share of all pairs together parts nothing but a few odd points.
const NEARLY_ALL: f64 = 0.9;

/// By so much an answer has to be better than the best one about points without clusters.
const CLEARLY: f64 = 0.1;

/// Points without clusters are drawn so many times, and the best answer about any of them counts.
const DRAWS: u64 = 3;

/// The number of k-means among those that can be followed: after the candidates and label spreading.
pub(super) const KMEANS: usize = CANDIDATES.len() + 2;

/// What is known where links are too few to choose by.
pub(super) struct Judge<'a> {
    pub(super) ground: &'a Ground,
    /// What candidates found.
    pub(super) part: &'a Part,
    /// The log-odds of all pairs, and the weights behind them.
    pub(super) evidence: &'a [f32],
    pub(super) weights: &'a [f64],
    pub(super) links: &'a Links,
}

/// Labels, whose they are (0: all candidates together, then those of one), and how good they are.
struct Best {
    labels: Vec<i64>,
    followed: usize,
    score: f64,
}

impl Judge<'_> {
    /// The answer that the others and the points themselves speak for most, and whose it is: of those that
    /// find the number of clusters, else of k-means; one cluster if neither is better than by chance.
    pub(super) fn choose(
        &self,
        seed: u64,
        progress: &mut Progress<'_, '_>,
    ) -> Result<(Vec<i64>, usize)> {
        // A few links say too little to choose by, but all candidates have heard them.
        if !self.links.is_empty() {
            let all = self.joined(0.0)?;
            if pairs_together(&number_by_first_member(&all).0) <= NEARLY_ALL {
                return Ok((all, 0));
            }
        }
        let [found, cut] = self.best()?;
        let by_chance = self.by_chance(seed, progress)?;
        for (best, by_chance) in [found, cut].into_iter().zip(by_chance) {
            if best.score > by_chance + CLEARLY {
                return Ok((best.labels, best.followed));
            }
        }
        Ok((vec![0; self.ground.min_max.n_points()], 0))
    }

    /// How good the best answers about points without clusters are.
    fn by_chance(&self, seed: u64, progress: &mut Progress<'_, '_>) -> Result<[f64; 2]> {
        let mut most = [0.0_f64; 2];
        progress.n_all += DRAWS as usize * Progress::PER_PART;
        for draw in 0..DRAWS {
            let points = without_clusters(&self.ground.min_max, seed.wrapping_add(draw))?;
            let (ground, links) = (&Ground::new(&points)?, &Links::new());
            let part = &Part::fit(&points, ground, links, seed, progress)?;
            let evidence = &evidence::of_all(ground, &[part], self.weights);
            let best = Judge { ground, part, evidence, links, ..*self }.best()?;
            most.iter_mut().zip(best).for_each(|(most, best)| *most = most.max(best.score));
        }
        Ok(most)
    }

    /// All candidates together, with joining ended so much earlier.
    fn joined(&self, earlier: f32) -> Result<Vec<i64>> {
        let closure = self.links.close(self.ground.min_max.n_points())?;
        Ok(linkage::join(self.evidence, &closure, prior::cut(self.links) + earlier))
    }

    /// The best answer of those that find the number of clusters, and of k-means with few.
    fn best(&self) -> Result<[Best; 2]> {
        let mut answers = Vec::new();
        for earlier in EARLIER {
            answers.push(self.joined(earlier)?);
        }
        let answers: Vec<Vec<i64>> = answers
            .into_iter()
            .chain(self.part.labels.iter().cloned())
            .chain(self.part.families[1].iter().cloned())
            .collect();
        // As if noise were a cluster.
        let number = |labels: &Vec<i64>| {
            number_by_first_member(&labels.iter().map(|label| label + 1).collect::<Vec<_>>()).0
        };
        let numbered: Vec<Vec<i64>> = answers.iter().map(number).collect();
        let witnesses: Vec<&[i64]> = numbered[EARLIER.len()..]
            .iter()
            .chain(&self.part.families[0])
            .map(Vec::as_slice)
            .filter(|labels| labels.iter().any(|label| *label != labels[0]))
            .collect();
        let silhouettes = silhouettes(&self.ground.min_max, &numbered);
        let of_kmeans = EARLIER.len() + self.part.labels.len();
        let none = || Best { labels: Vec::new(), followed: 0, score: 0.0 };
        let mut best = [none(), none()];
        for (at, (labels, silhouette)) in numbered.iter().zip(silhouettes).enumerate() {
            let best = &mut best[usize::from(at >= of_kmeans)];
            if pairs_together(labels) <= NEARLY_ALL {
                let score = silhouette + agreement(labels, &witnesses)?;
                if score > best.score {
                    let followed = if at >= of_kmeans {
                        KMEANS
                    } else {
                        (at + 1).saturating_sub(EARLIER.len())
                    };
                    *best = Best { labels: answers[at].clone(), followed, score };
                }
            }
        }
        Ok(best)
    }
}

/// The mean adjusted Rand index with all witnesses but itself.
fn agreement(labels: &[i64], witnesses: &[&[i64]]) -> Result<f64> {
    let others: Vec<&&[i64]> =
        witnesses.iter().filter(|witness| !std::ptr::eq(**witness, labels)).collect();
    let all: Result<Vec<f64>> =
        others.par_iter().stoppable().map(|witness| adjusted_rand_index(witness, labels)).collect();
    Ok(all?.iter().sum::<f64>() / others.len().max(1) as f64)
}

/// The share of all pairs of points that are together.
fn pairs_together(labels: &[i64]) -> f64 {
    let n = labels.len() as f64;
    sizes(labels).iter().map(|size| (size / n).powi(2)).sum()
}

fn sizes(labels: &[i64]) -> Vec<f64> {
    let mut sizes = vec![0.0; labels.iter().max().map_or(0, |&last| last as usize + 1)];
    labels.iter().for_each(|&label| sizes[label as usize] += 1.0);
    sizes
}

/// The mean silhouette of each answer; 0 for one cluster, as for points alone.
fn silhouettes(places: &Points<'_, f32>, answers: &[Vec<i64>]) -> Vec<f64> {
    let n = places.n_points();
    let sizes: Vec<Vec<f64>> = answers.iter().map(|labels| self::sizes(labels)).collect();
    let of_row = |row: usize| -> Vec<f64> {
        let from = places.row(row);
        let distances: Vec<f64> =
            places.rows().map(|to| f64::from(distance_sq(from, to)).sqrt()).collect();
        let of_answer = |(labels, sizes): (&Vec<i64>, &Vec<f64>)| {
            let own = labels[row] as usize;
            if sizes.len() < 2 || sizes[own] < 2.0 {
                return 0.0;
            }
            let mut sums = vec![0.0; sizes.len()];
            labels.iter().zip(&distances).for_each(|(&to, d)| sums[to as usize] += d);
            let inside = sums[own] / (sizes[own] - 1.0);
            let others = (0..sizes.len()).filter(|&other| other != own);
            let next = others.map(|other| sums[other] / sizes[other]).fold(f64::MAX, f64::min);
            (next - inside) / next.max(inside).max(f64::MIN_POSITIVE)
        };
        answers.iter().zip(&sizes).map(of_answer).collect()
    };
    let rows: Vec<Vec<f64>> = (0..n).into_par_iter().stoppable().map(of_row).collect();
    let mean = |at: usize| rows.iter().map(|row| row[at]).sum::<f64>() / n as f64;
    (0..answers.len()).map(mean).collect()
}

/// As many points as these, drawn from the normal distribution with their covariances: sums of the points'
/// deviations from their mean, each times a normal number over √n.
fn without_clusters(points: &Points<'_, f32>, seed: u64) -> Result<Points<'static, f32>> {
    let (n, d) = (points.n_points(), points.n_features());
    let mut mean = vec![0.0_f64; d];
    for row in points.rows() {
        mean.iter_mut().zip(row).for_each(|(sum, x)| *sum += f64::from(*x) / n as f64);
    }
    let deviations: Vec<f32> = points
        .rows()
        .flat_map(|row| row.iter().zip(&mean).map(|(x, mean)| (f64::from(*x) - mean) as f32))
        .collect();
    let mut values = vec![0.0_f32; n * d];
    // Each row has its own numbers, so that threads do not matter.
    values.par_chunks_exact_mut(d).enumerate().stoppable().for_each(|(row, to)| {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(row as u64);
        for from in deviations.chunks_exact(d) {
            let normal: f64 = rng.sample(StandardNormal);
            let times = (normal / (n as f64).sqrt()) as f32;
            to.iter_mut().zip(from).for_each(|(sum, x)| *sum += times * x);
        }
    });
    Points::new(values, d)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silhouettes_are_those_by_hand() {
        let places = Points::new(vec![0.0_f32, 1.0, 4.0], 1).unwrap();
        let answers = [vec![0, 0, 1], vec![0, 0, 0]];
        // Derived: (4 − 1) / 4 for the first, (3 − 1) / 3 for the second, none for the point alone.
        let found = silhouettes(&places, &answers);
        assert!((found[0] - (0.75 + 2.0 / 3.0) / 3.0).abs() < 1e-7, "{found:?}");
        assert_eq!(found[1], 0.0);
    }

    #[test]
    fn an_answer_is_no_witness_for_itself() {
        let (one, other): (&[i64], &[i64]) = (&[0, 0, 1, 1], &[0, 1, 0, 1]);
        assert_eq!(agreement(one, &[one]).unwrap(), 0.0);
        // Derived: each joins two of the six pairs, none of them both, where 2/3 are to be expected: (0 − 2/3) / (2 − 2/3).
        assert!((agreement(one, &[one, other]).unwrap() + 0.5).abs() < 1e-12);
    }

    #[test]
    fn points_without_clusters_have_the_same_covariances() {
        let values: Vec<f32> =
            (0..2_000).flat_map(|at| [(at % 2) as f32, (at % 4) as f32]).collect();
        let drawn = without_clusters(&Points::new(values, 2).unwrap(), 1).unwrap();
        let mean = |of: &dyn Fn(&[f32]) -> f32| {
            drawn.rows().map(|row| f64::from(of(row))).sum::<f64>() / 2_000.0
        };
        // Derived: x is 0 or 1 and y is x or x + 2, each as often: variances ¼ and 1¼, covariance ¼.
        assert!((mean(&|row| row[0] * row[0]) - 0.25).abs() < 0.03);
        assert!((mean(&|row| row[1] * row[1]) - 1.25).abs() < 0.15);
        assert!((mean(&|row| row[0] * row[1]) - 0.25).abs() < 0.05);
    }
}
