//! Where a run starts: at the centers of groups, and at points far from those already chosen.
//!
//! What must-links join is known to lie in one cluster, so the means of the groups are better
//! starts than single points (Basu, Bilenko, Mooney 2004). Starts are drawn with a probability
//! that grows with the squared distance to the nearest one chosen before (k-means++, Arthur and
//! Vassilvitskii 2007), among the groups by their size as long as there are any left. Where so many are
//! wanted that this would take minutes, they are drawn by weight alone.

use crate::distance::distance_sq;
use crate::links::LinkClosure;
use crate::points::Points;
use crate::real::Real;
use crate::stop;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Distances from candidates to starts at the most, half a minute of one processor: beyond it nobody looks where
/// the other starts are.
const MOST_DISTANCES: u64 = 10_000_000_000;

/// The means of the groups of at least two points, each with the number of its points.
pub(super) struct Starts<T> {
    means: Vec<T>,
    sizes: Vec<f64>,
}

impl<T: Real> Starts<T> {
    pub(super) fn new(points: &Points<'_, T>, closure: &LinkClosure) -> Self {
        let groups = (0..closure.n_groups()).map(|group| closure.members(group));
        let (mut means, mut sizes) = (Vec::new(), Vec::new());
        for members in groups.filter(|members| members.len() > 1) {
            let rows: Vec<usize> = members.iter().map(|&row| row as usize).collect();
            means.extend(mean(points, &rows));
            sizes.push(rows.len() as f64);
        }
        Self { means, sizes }
    }

    /// `n_centers` starts, drawn.
    pub(super) fn draw(
        &self,
        points: &Points<'_, T>,
        n_centers: usize,
        rng: &mut ChaCha8Rng,
    ) -> Vec<T> {
        let mut centers = Vec::with_capacity(n_centers * points.n_features());
        let from_groups = n_centers.min(self.sizes.len());
        let d = points.n_features();
        spread(&mut centers, from_groups, d, |at| &self.means[at * d..][..d], &self.sizes, rng);
        fill_up(&mut centers, n_centers, points, rng);
        centers
    }
}

/// Adds points until there are `n_centers` centers: k-means++ from those that are there.
pub(super) fn fill_up<T: Real>(
    centers: &mut Vec<T>,
    n_centers: usize,
    points: &Points<'_, T>,
    rng: &mut ChaCha8Rng,
) {
    let weights: Vec<f64> = (0..points.n_points()).map(|row| points.weight(row).as_f64()).collect();
    spread(centers, n_centers, points.n_features(), |row| points.row(row), &weights, rng);
}

/// Draws candidates until there are `n_centers` centers, in proportion to weight times squared
/// distance to the nearest center so far (the first by weight alone).
fn spread<'a, T: Real>(
    centers: &mut Vec<T>,
    n_centers: usize,
    d: usize,
    candidate: impl Fn(usize) -> &'a [T],
    weights: &[f64],
    rng: &mut ChaCha8Rng,
) {
    let n_wanted = n_centers.saturating_sub(centers.len() / d);
    if (n_centers as u64).saturating_mul(weights.len() as u64) > MOST_DISTANCES {
        let drawn = draw_many(n_wanted, weights, rng);
        drawn.into_iter().for_each(|at| centers.extend_from_slice(candidate(at)));
        return;
    }
    let mut nearest_sq = vec![f64::INFINITY; weights.len()];
    let look_at = |nearest_sq: &mut [f64], center: &[T]| {
        for (at, nearest) in nearest_sq.iter_mut().enumerate() {
            *nearest = nearest.min(distance_sq(candidate(at), center).as_f64());
        }
    };
    centers.chunks_exact(d).for_each(|center| look_at(&mut nearest_sq, center));
    while centers.len() < n_centers * d {
        stop::look();
        let is_first = centers.is_empty();
        let chance = |at: usize| weights[at] * if is_first { 1.0 } else { nearest_sq[at] };
        let chosen = draw_one(weights.len(), chance, rng);
        let start = centers.len();
        centers.extend_from_slice(candidate(chosen));
        let center = centers[start..].to_vec();
        look_at(&mut nearest_sq, &center);
    }
}

/// So many different ones, each sooner the more it weighs (Efraimidis and Spirakis 2006).
fn draw_many(n_wanted: usize, weights: &[f64], rng: &mut ChaCha8Rng) -> Vec<usize> {
    // In (0, 1], so that no logarithm is infinite; what has no weight waits for ever.
    let mut waits = |weight: f64| -(1.0 - rng.random::<f64>()).ln() / weight;
    let mut order: Vec<(f64, usize)> =
        weights.iter().enumerate().map(|(at, &weight)| (waits(weight), at)).collect();
    order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    order.into_iter().take(n_wanted).map(|(_, at)| at).collect()
}

/// One of `n`, in proportion to its chance; any of them if no chance is left.
fn draw_one(n: usize, chance: impl Fn(usize) -> f64, rng: &mut ChaCha8Rng) -> usize {
    let total: f64 = (0..n).map(&chance).sum();
    if total <= 0.0 {
        return rng.random_range(0..n);
    }
    let mut left = rng.random::<f64>() * total;
    let mut last_possible = 0;
    for at in 0..n {
        let chance = chance(at);
        if chance > 0.0 {
            last_possible = at;
            left -= chance;
            if left < 0.0 {
                break;
            }
        }
    }
    last_possible
}

/// The weighted mean of some rows; without any weight, the plain mean.
pub(super) fn mean<T: Real>(points: &Points<'_, T>, rows: &[usize]) -> Vec<T> {
    let total: f64 = rows.iter().map(|&row| points.weight(row).as_f64()).sum();
    let share = |row: usize| match total > 0.0 {
        true => points.weight(row).as_f64() / total,
        false => 1.0 / rows.len() as f64,
    };
    let column = |col: usize| -> f64 {
        rows.iter().map(|&row| share(row) * points.row(row)[col].as_f64()).sum()
    };
    (0..points.n_features()).map(|col| T::of(column(col))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn many_are_drawn_by_weight_each_once() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        // Derived: of two, one three times as heavy is first with a chance of 3/4.
        let first = |_: usize| draw_many(2, &[1.0, 3.0, 0.0], &mut rng);
        let drawn: Vec<Vec<usize>> = (0..4_000).map(first).collect();
        assert!(drawn.iter().all(|drawn| drawn.len() == 2 && !drawn.contains(&2)));
        let n_heavy = drawn.iter().filter(|drawn| drawn[0] == 1).count();
        // Five deviations of √(4,000 · 3/16).
        assert!(n_heavy.abs_diff(3_000) < 137, "{n_heavy}");
    }
}
