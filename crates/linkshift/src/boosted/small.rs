//! Clusters too small for any one cell, found among the points of all cells together.
//!
//! A mode needs the support of ½√m of a cell's m points, 16 of 1,008 or 1.6 %, and a smaller cluster
//! has no more than a few points in each cell. All cells together hold many of them, 300 of 100,800 for
//! .3 %. So, after the epochs:
//!
//! 1. Of the points that are nearest to the modes of a cluster, those farthest away are asked (`asked`):
//!    a small cluster beside a large one is among them.
//! 2. Around each of them is the ball of its k nearest points, k = ½√n of the n points of all cells. Where
//!    on the straight way from there to the nearest mode a ball of the same size holds less than half
//!    as many, there is a valley (`is_apart`): with k = 159 half is five standard deviations of
//!    the count, which does not happen by chance. In the tail of a large cluster the balls only fill up
//!    on the way to its modes.
//! 3. Of those behind a valley, densest first, each goes with one asked before it from which no valley
//!    parts it, and is a new cluster if there is none. So a point at the end of a bent cluster is led
//!    to its modes around the bend.
//! 4. The mean of each ball of a new cluster is a mode; and again from 1, until nothing is found.

use crate::neighbors::Neighbors;
use crate::points::Points;
use crate::real::Real;
use crate::stop::Stoppable;
use rayon::prelude::*;

/// Of each cluster this share of the points is asked, the farthest. A twentieth, since a small cluster
/// is at most some hundredths of the one that has its points.
pub(super) const SHARE_ASKED: f64 = 0.05;

/// More are not asked: each costs a search and some counts. Every n-th is enough to hit a cluster of
/// k points several times.
pub(super) const MOST_ASKED: usize = 1_024;

/// A valley holds less than this share of what its side holds.
pub(super) const VALLEY: f64 = 0.5;

/// So many of the nearest that were asked before may lead a point to their cluster.
pub(super) const N_STONES: usize = 5;

/// Rounds at the most; each finds a cluster.
pub(super) const MOST_ROUNDS: usize = 16;

/// Steps on a way at the most.
pub(super) const MOST_STEPS: usize = 32;

/// Modes with the cluster of each.
#[derive(Debug, Clone, PartialEq)]
pub struct Skeleton<T: Real> {
    /// The modes, row by row.
    pub modes: Vec<T>,
    /// Their clusters.
    pub clusters: Vec<i64>,
}

/// Adds the modes of clusters that no cell could see, numbered on. `points` are those of all cells,
/// each once; `support` is k.
pub fn add_small_clusters<T: Real>(
    points: &Points<'_, T>,
    skeleton: &mut Skeleton<T>,
    support: usize,
) {
    let n_clusters = skeleton.clusters.iter().max().map_or(0, |&cluster| cluster + 1);
    if n_clusters == 0 || support == 0 || support >= points.n_points() {
        return;
    }
    let pool = Pool { near: Neighbors::new(points), support, d: points.n_features() };
    let mut next = n_clusters;
    for _ in 0..MOST_ROUNDS {
        let found = pool.round(points, skeleton, next);
        let Some(last) = found.clusters.iter().max() else { return };
        next = last + 1;
        skeleton.modes.extend(found.modes);
        skeleton.clusters.extend(found.clusters);
    }
}

/// The points of all cells.
struct Pool<T: Real> {
    near: Neighbors<T>,
    support: usize,
    d: usize,
}

/// Somebody who was asked, with the ball of the nearest points.
struct Asked<T> {
    place: Vec<T>,
    radius: T,
    /// Where the mean of the ball is.
    mean: Vec<T>,
    /// The nearest mode.
    mode: usize,
    /// Whether a valley lies before that.
    is_apart: bool,
}

impl<T: Real> Pool<T> {
    /// What is found beside a skeleton, numbered from `next`.
    fn round(&self, points: &Points<'_, T>, skeleton: &Skeleton<T>, next: i64) -> Skeleton<T> {
        let modes = Points::checked_before(&skeleton.modes[..], self.d, None);
        let near_modes = Neighbors::new(&modes);
        let nearest: Vec<(usize, T)> = (0..points.n_points())
            .into_par_iter()
            .stoppable()
            .map(|row| {
                let mode = near_modes.nearest(points.row(row), 1)[0];
                (mode.row, mode.distance_sq)
            })
            .collect();
        let rows = asked(&nearest, &skeleton.clusters);
        let mut all: Vec<Asked<T>> = rows
            .par_iter()
            .stoppable()
            .map(|&row| self.ask(points, points.row(row), nearest[row].0, &modes))
            .collect();
        // Densest first; equally dense by row, since the sort keeps their order.
        all.sort_by(|a, b| a.radius.partial_cmp(&b.radius).unwrap_or(std::cmp::Ordering::Equal));

        let mut found = Skeleton { modes: Vec::new(), clusters: Vec::new() };
        let mut n_clusters = next;
        let mut cluster_of: Vec<i64> = Vec::with_capacity(all.len());
        for (at, one) in all.iter().enumerate() {
            if !one.is_apart {
                cluster_of.push(skeleton.clusters[one.mode]);
                continue;
            }
            let stones = nearest_stones(&one.place, &all[..at]);
            let led = stones
                .into_iter()
                .find(|&stone| !self.is_apart(&one.place, one.radius, &all[stone].place));
            let cluster = led.map_or(n_clusters, |stone| cluster_of[stone]);
            n_clusters = n_clusters.max(cluster + 1);
            cluster_of.push(cluster);
            if cluster >= next {
                found.modes.extend_from_slice(&one.mean);
                found.clusters.push(cluster);
            }
        }
        found
    }

    fn ask(
        &self,
        points: &Points<'_, T>,
        place: &[T],
        mode: usize,
        modes: &Points<'_, T>,
    ) -> Asked<T> {
        let ball = self.near.nearest(place, self.support);
        let radius = ball.last().map_or(T::zero(), |last| last.distance_sq).sqrt();
        let mut mean = vec![0.0; self.d];
        for neighbor in &ball {
            let row = points.row(neighbor.row);
            mean.iter_mut().zip(row).for_each(|(sum, value)| *sum += value.as_f64());
        }
        let mean = mean.into_iter().map(|sum| T::of(sum / ball.len() as f64)).collect();
        let is_apart = self.is_apart(place, radius, modes.row(mode));
        Asked { place: place.to_vec(), radius, mean, mode, is_apart }
    }

    /// Whether a valley lies on the straight way: a ball of that radius with less than half of the
    /// support. The balls are half a radius apart, so that none is stepped over.
    fn is_apart(&self, from: &[T], radius: T, to: &[T]) -> bool {
        let least = VALLEY * self.support as f64;
        way(from, radius, to)
            .iter()
            .any(|place| (self.near.count_within(place, radius) as f64) < least)
    }
}

/// The rows that are asked: of those that are nearest to the modes of each cluster the farthest, every
/// n-th where they are too many.
pub(super) fn asked<T: Real>(nearest: &[(usize, T)], clusters: &[i64]) -> Vec<usize> {
    let n_clusters = clusters.iter().max().map_or(0, |&cluster| cluster as usize + 1);
    let mut of_cluster: Vec<Vec<usize>> = vec![Vec::new(); n_clusters];
    for (row, &(mode, _)) in nearest.iter().enumerate() {
        of_cluster[clusters[mode] as usize].push(row);
    }
    let mut rows = Vec::new();
    for mut members in of_cluster {
        // Farthest first; equally far by row.
        members.sort_by(|&a, &b| {
            nearest[b].1.partial_cmp(&nearest[a].1).unwrap_or(std::cmp::Ordering::Equal)
        });
        members.truncate((SHARE_ASKED * members.len() as f64).ceil() as usize);
        rows.extend(members);
    }
    rows.sort_unstable();
    let every = rows.len().div_ceil(MOST_ASKED).max(1);
    rows.into_iter().step_by(every).collect()
}

/// Places on the straight way, its end among them, half a radius apart; more where they would be too
/// many.
pub(super) fn way<T: Real>(from: &[T], radius: T, to: &[T]) -> Vec<Vec<T>> {
    let length = crate::distance::distance_sq(from, to).as_f64().sqrt();
    let radius = radius.as_f64();
    let wanted = if radius > 0.0 { (2.0 * length / radius).ceil() } else { f64::INFINITY };
    let n_steps = wanted.clamp(1.0, MOST_STEPS as f64) as usize;
    let at = |step: usize| {
        let share = T::of(step as f64 / n_steps as f64);
        from.iter().zip(to).map(|(&from, &to)| from + share * (to - from)).collect()
    };
    (1..=n_steps).map(at).collect()
}

/// The nearest of those asked before, nearest first; equally near by order.
fn nearest_stones<T: Real>(place: &[T], before: &[Asked<T>]) -> Vec<usize> {
    let far = |stone: &Asked<T>| crate::distance::distance_sq(place, &stone.place);
    let mut by_distance: Vec<(T, usize)> =
        before.iter().enumerate().map(|(at, stone)| (far(stone), at)).collect();
    by_distance.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    by_distance.into_iter().take(N_STONES).map(|(_, at)| at).collect()
}
