//! Bandwidths: how far a point looks.
//!
//! Every rule is deterministic for a seed, never gives zero, and never needs more than
//! [`SAMPLE`]² / 2 distances in memory, whatever the number of points. Weights play no part: a
//! bandwidth describes where points lie, not how much they count.

use crate::distance::distance_sq_f64;
use crate::error::{Error, Result};
use crate::neighbors::Neighbors;
use crate::neighbors::products::{self, Products, TOGETHER};
use crate::points::Points;
use crate::real::Real;
use crate::stop::Stoppable;
use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// Rules that look at pairs of points use this many of them at most, drawn by seed.
pub const SAMPLE: usize = 2_000;

/// Bytes of the distances between all of so many points, or of a sample; with what they are gathered from, by
/// measured peaks a fifth of them.
pub(crate) fn sampled(n_points: u64) -> u64 {
    let n = n_points.min(SAMPLE as u64);
    n * n / 2 * size_of::<f64>() as u64 * 6 / 5
}

/// How the bandwidth is found.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Bandwidth {
    /// The same number everywhere.
    Fixed(f64),
    /// A percentile, in 0..=100, of the distances between points (the CMS paper's baseline: 15).
    Percentile(f64),
    /// The mean distance to the k-th neighbour with k = α√n (boosted mean shift: α = 0.5).
    NeighborMean {
        /// α, above 0.
        alpha: f64,
    },
    /// Silverman's rule of thumb (spectral mean shift, Eq. 3), meant for the Gaussian profile.
    Silverman,
    /// Each point its own: the distance to its k-th neighbour (kernel mean shift).
    PerPoint {
        /// k, at least 1.
        k: usize,
    },
}

/// A bandwidth as found from the points.
#[derive(Debug, Clone, PartialEq)]
pub enum Found<T> {
    /// One for all.
    Same(T),
    /// One for each point.
    PerPoint(Vec<T>),
}

impl Bandwidth {
    /// Bytes that the rule holds while it looks for the bandwidth of so many points.
    pub(crate) fn holds(self, n_points: u64) -> u64 {
        match self {
            Bandwidth::Percentile(_) => sampled(n_points),
            _ => 0,
        }
    }
}

impl<T: Real> Found<T> {
    fn is_positive(&self) -> bool {
        let is_positive = |h: &T| *h > T::zero() && h.is_finite();
        match self {
            Found::Same(h) => is_positive(h),
            Found::PerPoint(all) => all.iter().all(is_positive),
        }
    }

    /// The bandwidth, or the mean of them.
    pub fn mean(&self) -> f64 {
        match self {
            Found::Same(h) => h.as_f64(),
            Found::PerPoint(all) => all.iter().map(|h| h.as_f64()).sum::<f64>() / all.len() as f64,
        }
    }
}

impl Bandwidth {
    /// The percentile of [`Bandwidth::Percentile`], if nobody says another: the CMS paper's.
    pub const PERCENTILE: f64 = 15.0;
    /// The α of [`Bandwidth::NeighborMean`], if nobody says another: boosted mean shift's.
    pub const ALPHA: f64 = 0.5;
    /// The k of [`Bandwidth::PerPoint`], if nobody says another.
    pub const K: usize = 10;

    /// The rules that find a bandwidth.
    pub const RULES: [Bandwidth; 4] = [
        Bandwidth::Percentile(Self::PERCENTILE),
        Bandwidth::NeighborMean { alpha: Self::ALPHA },
        Bandwidth::Silverman,
        Bandwidth::PerPoint { k: Self::K },
    ];

    /// The word that names the rule in every door.
    pub fn name(self) -> &'static str {
        match self {
            Bandwidth::Fixed(_) => "fixed",
            Bandwidth::Percentile(_) => "percentile",
            Bandwidth::NeighborMean { .. } => "neighbors",
            Bandwidth::Silverman => "silverman",
            Bandwidth::PerPoint { .. } => "per-point",
        }
    }

    /// Fails if the rule has a parameter that cannot work.
    pub fn check(self) -> Result<Self> {
        match self {
            Bandwidth::Fixed(h) if !(h > 0.0 && h.is_finite()) => {
                Err(Error::param("bandwidth", h, "a finite number above 0"))
            }
            Bandwidth::Percentile(q) if !(0.0..=100.0).contains(&q) => {
                Err(Error::param("percentile", q, "between 0 and 100"))
            }
            Bandwidth::NeighborMean { alpha } if !(alpha > 0.0 && alpha.is_finite()) => {
                Err(Error::param("alpha", alpha, "a finite number above 0"))
            }
            Bandwidth::PerPoint { k: 0 } => Err(Error::param("k", 0, "at least 1")),
            _ => Ok(self),
        }
    }

    /// Applies the rule to points. Fails if what is found is no positive number of their type, in which a
    /// bandwidth may become 0 or infinite.
    pub fn find<T: Real>(self, points: &Points<'_, T>, seed: u64) -> Result<Found<T>> {
        let same = |h: f64| Found::Same(T::of(h));
        let found = match self.check()? {
            Bandwidth::Fixed(h) => same(h),
            Bandwidth::Percentile(q) => same(percentile(points, q, seed)),
            Bandwidth::NeighborMean { alpha } => same(neighbor_mean(points, alpha, seed)),
            Bandwidth::Silverman => same(silverman(points)),
            Bandwidth::PerPoint { k } => Found::PerPoint(per_point(points, k)),
        };
        match (found.is_positive(), self) {
            (true, _) => Ok(found),
            (false, Bandwidth::Fixed(h)) => {
                let must = format!("a number above 0 that {} can hold", T::NAME);
                Err(Error::param("bandwidth", h, must))
            }
            (false, _) => Err(Error::Numerical { what: "bandwidths" }),
        }
    }
}

/// The q-th percentile of the distances between points (linear between ranks), of at most
/// [`SAMPLE`] points drawn by seed.
pub fn percentile<T: Real>(points: &Points<'_, T>, q: f64, seed: u64) -> f64 {
    let mut distances = sampled_distances(points, SAMPLE, seed);
    if distances.is_empty() {
        return 1.0;
    }
    let rank = q.clamp(0.0, 100.0) / 100.0 * (distances.len() - 1) as f64;
    let (_, &mut below, rest) =
        distances.select_nth_unstable_by(rank.floor() as usize, f64::total_cmp);
    // The next rank is the least of what follows, if the rank lies between two.
    let next = rest.iter().copied().fold(f64::INFINITY, f64::min);
    let above = if rank.fract() > 0.0 { next } else { below };
    never_zero(below + (above - below) * rank.fract(), points, &distances)
}

/// The mean distance between points, of at most [`SAMPLE`] points drawn by seed.
pub fn mean_distance<T: Real>(points: &Points<'_, T>, seed: u64) -> f64 {
    let distances = sampled_distances(points, SAMPLE, seed);
    let mean = distances.iter().sum::<f64>() / distances.len().max(1) as f64;
    never_zero(mean, points, &distances)
}

/// The mean distance to the k-th other point with k = α√n, at least 1 (boosted mean shift, 4).
/// Beyond [`SAMPLE`] points the mean is over a sample, whose neighbours are sought among all.
pub fn neighbor_mean<T: Real>(points: &Points<'_, T>, alpha: f64, seed: u64) -> f64 {
    let n = points.n_points();
    let k = ((alpha * (n as f64).sqrt()).round() as usize).clamp(1, n.max(2) - 1);
    let near = Neighbors::new(points);
    let rows = sample(n, SAMPLE, seed);
    let distances: Vec<f64> =
        rows.par_iter().stoppable().map(|&row| kth(&near, points, row, k)).collect();
    never_zero(distances.iter().sum::<f64>() / distances.len() as f64, points, &distances)
}

/// Silverman's σ (spectral mean shift, Eq. 3): σ² = tr(Σ)/d · (4 / ((2d+1)·n))^(2/(d+4)).
pub fn silverman<T: Real>(points: &Points<'_, T>) -> f64 {
    let (n, d) = (points.n_points() as f64, points.n_features());
    let mut trace = 0.0;
    for col in 0..d {
        let column = || points.rows().map(|row| row[col].as_f64());
        let mean = column().sum::<f64>() / n;
        trace += column().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    }
    let d = d as f64;
    let sigma_sq = trace / d * (4.0 / ((2.0 * d + 1.0) * n)).powf(2.0 / (d + 4.0));
    never_zero(sigma_sq.sqrt(), points, &[])
}

/// For each point the distance to its k-th other point (the farthest if there are fewer).
pub fn per_point<T: Real>(points: &Points<'_, T>, k: usize) -> Vec<T> {
    let near = Neighbors::new(points);
    let k = k.clamp(1, points.n_points().max(2) - 1);
    let rows: Vec<usize> = (0..points.n_points()).collect();
    let all: Vec<f64> =
        rows.par_iter().stoppable().map(|&row| kth(&near, points, row, k)).collect();
    // Where k duplicates lie together the distance is zero: take the smallest that is not.
    let least = never_zero(0.0, points, &all);
    all.into_iter().map(|h| T::of(if h > 0.0 { h } else { least })).collect()
}

/// The smallest non-zero and the largest distance between points, of at most 1,000 points drawn
/// by seed: where the adaptive bandwidth of constrained mean shift begins and ends.
pub fn extremes<T: Real>(points: &Points<'_, T>, seed: u64) -> (f64, f64) {
    const POINTS: usize = 1_000;
    let distances = sampled_distances(points, POINTS, seed);
    let least = never_zero(0.0, points, &distances);
    (least, distances.into_iter().fold(least, f64::max))
}

/// Distance from a row to its k-th other point.
fn kth<T: Real>(near: &Neighbors<T>, points: &Points<'_, T>, row: usize, k: usize) -> f64 {
    // The row itself, or a duplicate of it, is always the nearest at distance 0.
    let found = near.nearest(points.row(row), k + 1);
    found.last().map_or(0.0, |last| last.distance_sq.as_f64().sqrt())
}

/// `value`, or where that is zero the smallest non-zero of `distances`, or where there is none the
/// distance to the first row that differs, or where all points are equal (any bandwidth gives the
/// same single cluster) 1.
fn never_zero<T: Real>(value: f64, points: &Points<'_, T>, distances: &[f64]) -> f64 {
    if T::of(value) > T::zero() {
        return value;
    }
    let least = distances.iter().copied().filter(|&d| d > 0.0).min_by(f64::total_cmp);
    let first = points.row(0);
    let any = || points.rows().map(|row| distance(first, row)).find(|&d| d > 0.0);
    least.or_else(any).unwrap_or(1.0)
}

/// All distances between at most `most` points drawn by seed.
pub(crate) fn sampled_distances<T: Real>(
    points: &Points<'_, T>,
    most: usize,
    seed: u64,
) -> Vec<f64> {
    let rows = sample(points.n_points(), most, seed);
    if points.n_features() >= products::FROM_COLUMNS {
        return distances_by_products(points, &rows);
    }
    let to_earlier = |at: usize| {
        let row = points.row(rows[at]);
        rows[..at].iter().map(move |&other| distance(row, points.row(other)))
    };
    (1..rows.len()).into_par_iter().stoppable().flat_map_iter(to_earlier).collect()
}

/// All distances between some rows of many columns.
fn distances_by_products<T: Real>(points: &Points<'_, T>, rows: &[usize]) -> Vec<f64> {
    let (n, d) = (rows.len(), points.n_features());
    let row = |&row: &usize| points.row(row).iter().map(|value| value.as_f64());
    let values: Vec<f64> = rows.iter().flat_map(row).collect();
    let products = Products::new(&values, d);
    values
        .par_chunks(TOGETHER * d)
        .enumerate()
        .stoppable()
        .flat_map_iter(|(chunk, places)| {
            let mut to_all = vec![0.0; places.len() / d * n];
            products.fill_distances_sq(places, &mut to_all);
            let first = chunk * TOGETHER;
            let earlier =
                to_all.chunks_exact(n).enumerate().map(|(at, to_all)| &to_all[..first + at]);
            earlier.flatten().map(|distance_sq| distance_sq.sqrt()).collect::<Vec<f64>>()
        })
        .collect()
}

/// `most` of the rows 0..n by seed, ascending; all of them if there are no more.
pub(crate) fn sample(n: usize, most: usize, seed: u64) -> Vec<usize> {
    if n <= most {
        return (0..n).collect();
    }
    let mut rows = index::sample(&mut ChaCha8Rng::seed_from_u64(seed), n, most).into_vec();
    rows.sort_unstable();
    rows
}

/// The numbers 0..n in seeded order.
pub(crate) fn shuffled(n: usize, seed: u64) -> Vec<usize> {
    index::sample(&mut ChaCha8Rng::seed_from_u64(seed), n, n).into_vec()
}

fn distance<T: Real>(a: &[T], b: &[T]) -> f64 {
    distance_sq_f64(a, b).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(values: &[f64]) -> Points<'static, f64> {
        Points::new(values.to_vec(), 1).unwrap()
    }

    #[test]
    fn percentiles_lie_between_ranks() {
        // Derived: the distances of 0, 1, 3 are 1, 2, 3; the median is 2, the 25th percentile 1.5.
        let points = line(&[0.0, 1.0, 3.0]);
        assert_eq!(percentile(&points, 50.0, 0), 2.0);
        assert_eq!(percentile(&points, 25.0, 0), 1.5);
    }

    #[test]
    fn mean_distance_is_over_all_pairs() {
        // Derived: the distances of 0, 1, 3 are 1, 2, 3.
        assert_eq!(mean_distance(&line(&[0.0, 1.0, 3.0]), 0), 2.0);
        assert_eq!(mean_distance(&line(&[5.0]), 0), 1.0);
    }

    #[test]
    fn neighbor_mean_is_the_mean_distance_to_the_kth() {
        // Derived: n = 4, α = 0.5 gives k = 1; nearest others at 1, 1, 2, 4 → mean 2.
        assert_eq!(neighbor_mean(&line(&[0.0, 1.0, 3.0, 7.0]), 0.5, 0), 2.0);
    }

    #[test]
    fn silverman_is_equation_3() {
        // Derived: variance of 0, 2 is 2; d = 1, n = 2: 2·(4/6)^(2/5) = 1.700566, root 1.304058.
        assert!((silverman(&line(&[0.0, 2.0])) - 1.304_058).abs() < 1e-6);
    }

    #[test]
    fn per_point_looks_at_the_kth_other_point() {
        assert_eq!(per_point(&line(&[0.0, 1.0, 3.0]), 2), [3.0, 2.0, 3.0]);
        // Two equal points: their zero gives way to the smallest distance that is not.
        assert_eq!(per_point(&line(&[0.0, 0.0, 5.0]), 1), [5.0, 5.0, 5.0]);
    }

    #[test]
    fn extremes_skip_zero() {
        assert_eq!(extremes(&line(&[0.0, 0.0, 2.0, 9.0]), 0), (2.0, 9.0));
    }

    #[test]
    fn no_rule_gives_zero() {
        let equal = line(&[4.0; 50]);
        let mut nearly = vec![4.0; 5_000];
        nearly[4_999] = 6.0;
        let rules = [
            Bandwidth::Percentile(15.0),
            Bandwidth::NeighborMean { alpha: 0.5 },
            Bandwidth::Silverman,
            Bandwidth::PerPoint { k: 3 },
        ];
        for rule in rules {
            for points in [&equal, &line(&nearly), &line(&[1.0])] {
                let found = rule.find(points, 0).unwrap();
                let all = match found {
                    Found::Same(h) => vec![h],
                    Found::PerPoint(all) => all,
                };
                assert!(all.iter().all(|&h| h > 0.0 && h.is_finite()), "{rule:?}");
            }
        }
        assert_eq!(extremes(&equal, 0), (1.0, 1.0));
    }

    #[test]
    fn what_a_type_cannot_hold_is_no_bandwidth_of_its_points() {
        let points = Points::new(vec![0.0_f32, 1.0], 1).unwrap();
        for h in [1e-300, 1e300] {
            let error = Bandwidth::Fixed(h).find(&points, 0).unwrap_err().to_string();
            assert!(error.contains("bandwidth") && error.contains("f32 can hold"), "{error}");
            assert_eq!(Bandwidth::Fixed(h).find(&line(&[0.0, 1.0]), 0), Ok(Found::Same(h)));
        }
    }

    #[test]
    fn samples_depend_on_the_seed_alone() {
        let values: Vec<f64> = (0..5_000).map(|i| (f64::from(i) * 0.7).sin()).collect();
        let points = line(&values);
        assert_eq!(percentile(&points, 15.0, 3), percentile(&points, 15.0, 3));
        assert_ne!(percentile(&points, 15.0, 3), percentile(&points, 15.0, 4));
    }

    #[test]
    fn parameters_that_cannot_work_are_refused() {
        let bad = [
            Bandwidth::Fixed(0.0),
            Bandwidth::Fixed(-1.0),
            Bandwidth::Fixed(f64::NAN),
            Bandwidth::Percentile(101.0),
            Bandwidth::NeighborMean { alpha: 0.0 },
            Bandwidth::PerPoint { k: 0 },
        ];
        for rule in bad {
            assert!(matches!(rule.check(), Err(Error::Param { .. })), "{rule:?}");
        }
    }
}
