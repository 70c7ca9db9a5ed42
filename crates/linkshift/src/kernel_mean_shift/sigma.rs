//! The width of a Gaussian kernel from links: the σ that tells linked pairs best.

use super::pairs::of_kind;
use crate::bandwidth;
use crate::distance::distance_sq_f64;
use crate::links::{Link, LinkKind};
use crate::points::Points;
use crate::real::Real;

/// Points between which distances stand for those of all pairs.
const SAMPLE: usize = 200;

/// σ from 1/16 to 8 mean distances, in steps of √2.
const STEPS: std::ops::RangeInclusive<i32> = -8..=6;

/// The σ with the largest difference between the mean similarity of pairs that belong together and
/// of pairs that do not. Where no cannot-link is told, all pairs stand for those that do not; without
/// must-links nothing can be said.
pub(super) fn from_links<T: Real>(
    points: &Points<'_, T>,
    pairs: &[Link],
    seed: u64,
) -> Option<f64> {
    let distances_sq = |kind| -> Vec<f64> {
        let distance_sq = |link: &Link| distance_sq_f64(points.row(link.a), points.row(link.b));
        of_kind(pairs, kind).map(distance_sq).collect()
    };
    let together = distances_sq(LinkKind::Must);
    let mut apart = distances_sq(LinkKind::Cannot);
    if apart.is_empty() {
        let sampled = bandwidth::sampled_distances(points, SAMPLE, seed).into_iter();
        apart = sampled.map(|distance| distance * distance).collect();
    }
    if together.is_empty() || apart.is_empty() {
        return None;
    }
    let mean_distance = bandwidth::mean_distance(points, seed);
    let similarity = |distances_sq: &[f64], sigma: f64| {
        let scale = -0.5 / (sigma * sigma);
        let sum: f64 = distances_sq.iter().map(|d| (scale * d).exp()).sum();
        sum / distances_sq.len() as f64
    };
    let difference = |sigma| similarity(&together, sigma) - similarity(&apart, sigma);
    let best = STEPS
        .map(|step| mean_distance * 2.0_f64.powf(f64::from(step) / 2.0))
        .map(|sigma| (sigma, difference(sigma)))
        .max_by(|a, b| a.1.total_cmp(&b.1))?;
    (best.1 > 0.0).then_some(best.0)
}
