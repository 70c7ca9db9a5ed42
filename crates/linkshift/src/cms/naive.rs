//! The equations of the paper, one function each, with nothing saved and nothing skipped.
//!
//! This is the yardstick for faster paths, not a path for users: an iteration costs n²·|C| steps
//! and holds n² weights.
//!
//! Where the paper is silent:
//! - A center that no sample attracts any more stays where it is.
//! - In blurring mode a center always sees itself in full, w(i,i) = 1.
//! - The labels take k and w at the final centers and the last bandwidth.
//!
//! Beyond the paper, its own future work: links of strength ω, and must-links that pull (Eqs. L.1
//! and L.2 of the [method](super)).

use super::params::CmsParams;
use crate::distance::distance_sq;
use crate::points::Points;
use crate::real::Real;

/// A center stays if its samples weigh no more than this, in units of the largest sample weight.
const VANISHED: f64 = 1e-10;

/// A link as seen from one of its ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Directed {
    /// The end it is seen from.
    pub x: usize,
    /// The other end.
    pub y: usize,
    /// ω in (0, 1].
    pub strength: f64,
}

/// Where the centers ended, and how they group.
#[derive(Debug, Clone, PartialEq)]
pub struct NaiveCms<T: Real> {
    /// One center per point, row by row.
    pub centers: Vec<T>,
    /// One label per point, numbered from 0 by first member.
    pub labels: Vec<usize>,
    /// Iterations done.
    pub n_iter: usize,
}

/// Shifts every center once per bandwidth, then labels the centers.
///
/// `directed_cannot` holds every closed cannot-link in both directions, rows in range;
/// `bandwidths` are positive and have been made from `params.schedule`. After each iteration
/// `each` sees its number, from 1, and the centers.
///
/// ```
/// use linkshift::Points;
/// use linkshift::cms::{CmsParams, naive};
///
/// let points = Points::new(vec![0.0, 0.2, 0.8, 1.0], 1)?;
/// let params = CmsParams::default();
/// let range = || naive::distance_range(&points);
/// let bandwidths = params.schedule.bandwidths(params.max_iter, range);
///
/// let labels = |cannot| naive::fit(&points, cannot, &bandwidths, &params, &mut |_, _| ()).labels;
/// assert_eq!(labels(&[]), [0, 0, 0, 0]);
/// assert_eq!(labels(&[(0, 3), (3, 0)]), [0, 0, 1, 1]);
/// # Ok::<(), linkshift::Error>(())
/// ```
pub fn fit<T: Real>(
    points: &Points<T>,
    directed_cannot: &[(usize, usize)],
    bandwidths: &[f64],
    params: &CmsParams,
    each: &mut dyn FnMut(usize, &[T]),
) -> NaiveCms<T> {
    let certain = |&(x, y): &(usize, usize)| Directed { x, y, strength: 1.0 };
    let cannot: Vec<Directed> = directed_cannot.iter().map(certain).collect();
    fit_pulled(points, &cannot, &[], bandwidths, params, each)
}

/// Like [`fit`], with links of any strength, and with must-links that pull.
pub fn fit_pulled<T: Real>(
    points: &Points<T>,
    cannot: &[Directed],
    must: &[Directed],
    bandwidths: &[f64],
    params: &CmsParams,
    each: &mut dyn FnMut(usize, &[T]),
) -> NaiveCms<T> {
    let mut centers = points.values().to_vec();
    let mut last = 0.0;
    let mut n_iter = 0;
    for (at, &h) in bandwidths.iter().enumerate() {
        let moved = shift(points, &centers, cannot, must, h, params);
        let longest_way = largest_shift(&centers, &moved, points.n_features());
        (centers, last, n_iter) = (moved, h, at + 1);
        each(n_iter, &centers);

        // Centers at rest under a growing bandwidth may set out again, so they alone end nothing.
        let stays_so = bandwidths[at..].iter().all(|&later| later == h);
        if stays_so && longest_way < params.tolerance * h {
            break;
        }
    }
    let labels = labels(&rows(&centers, points.n_features()), cannot, last, params);
    NaiveCms { centers, labels, n_iter }
}

/// The smallest non-zero and the largest distance between two points (section 4.3).
///
/// 1 and 1 if all points are equal: they stay where they are under any bandwidth.
pub fn distance_range<T: Real>(points: &Points<T>) -> (f64, f64) {
    let (mut smallest, mut largest) = (f64::INFINITY, 0.0_f64);
    for (i, a) in points.rows().enumerate() {
        for b in points.rows().skip(i + 1) {
            let distance = distance_sq(a, b).as_f64().sqrt();
            largest = largest.max(distance);
            if distance > 0.0 {
                smallest = smallest.min(distance);
            }
        }
    }
    if largest > 0.0 { (smallest, largest) } else { (1.0, 1.0) }
}

/// One iteration: all centers move at once.
fn shift<T: Real>(
    points: &Points<T>,
    centers: &[T],
    cannot: &[Directed],
    must: &[Directed],
    h: f64,
    params: &CmsParams,
) -> Vec<T> {
    let n_features = points.n_features();
    let samples = rows(if params.blurring { centers } else { points.values() }, n_features);
    let centers = rows(centers, n_features);
    let mut weights = link_weights(&centers, cannot, h, params);
    if params.blurring {
        for (i, row) in weights.iter_mut().enumerate() {
            row[i] = T::one();
        }
    }
    let pulling = short_enough(&centers, must, h, params);
    let unpulled = link_weights(&centers, &pulling, h, params);
    let sample_weights: Vec<T> = (0..samples.len()).map(|j| points.weight(j)).collect();
    let vanished = T::of(VANISHED) * sample_weights.iter().copied().fold(T::zero(), T::max);
    let mut moved = Vec::with_capacity(points.values().len());
    for (i, &center) in centers.iter().enumerate() {
        let attraction: Vec<T> = (0..samples.len())
            .map(|j| {
                let near = nearness(samples[j], center, h, params);
                pulled(near, unpulled[i][j]) * weights[i][j] * sample_weights[j]
            })
            .collect();
        match mean(&samples, &attraction, vanished) {
            Some(mean) => moved.extend(mean),
            None => moved.extend_from_slice(center),
        }
    }
    moved
}

/// Eq. 3.1: Σ aⱼ·sⱼ / Σ aⱼ, unless the sum below the line has vanished.
fn mean<T: Real>(samples: &[&[T]], attraction: &[T], vanished: T) -> Option<Vec<T>> {
    let total: T = attraction.iter().copied().sum();
    let column =
        |col: usize| -> T { samples.iter().zip(attraction).map(|(s, &a)| a * s[col]).sum() };
    (total > vanished).then(|| (0..samples[0].len()).map(|col| column(col) / total).collect())
}

/// Eq. L.2: K' = 1 − (1 − K)·Π R(i,j,(x,y)) over the must-links, as K + (1 − K)·(1 − Π R).
fn pulled<T: Real>(near: T, unpulled: T) -> T {
    near + (T::one() - near) * (T::one() - unpulled)
}

/// The must-links that pull at this bandwidth.
fn short_enough<T: Real>(
    centers: &[&[T]],
    must: &[Directed],
    h: f64,
    params: &CmsParams,
) -> Vec<Directed> {
    let length = |link: &Directed| distance_sq(centers[link.x], centers[link.y]).as_f64().sqrt();
    let pulls = |link: &Directed| length(link) <= params.pull_range(link.strength) * h;
    must.iter().copied().filter(pulls).collect()
}

/// Eq. 4.3: w(i,j) = Π R(i,j,(x,y)) over all links, for all i and j.
fn link_weights<T: Real>(
    centers: &[&[T]],
    links: &[Directed],
    h: f64,
    params: &CmsParams,
) -> Vec<Vec<T>> {
    let mut weights = vec![vec![T::one(); centers.len()]; centers.len()];
    for &Directed { x, y, strength } in links {
        let h_c = link_bandwidth(centers[x], centers[y], h, params);
        let near = |end: usize| -> Vec<T> {
            centers.iter().map(|center| nearness(center, centers[end], h_c, params)).collect()
        };
        let (near_x, near_y) = (near(x), near(y));
        for (row, &near_x) in weights.iter_mut().zip(&near_x) {
            for (weight, &near_y) in row.iter_mut().zip(&near_y) {
                *weight *= reduction(T::of(strength), near_x, near_y);
            }
        }
    }
    weights
}

/// Eq. 4.2 with a strength (L.1): R = 1 − ω·k(|t_x − tᵢ|²/h_c²)·k(|t_y − tⱼ|²/h_c²).
fn reduction<T: Real>(strength: T, near_x: T, near_y: T) -> T {
    T::one() - strength * near_x * near_y
}

/// Eq. 4.4: h_c = max{ε, min{h, λ·|t_x − t_y|}}.
fn link_bandwidth<T: Real>(x: &[T], y: &[T], h: f64, params: &CmsParams) -> f64 {
    let reach = params.link_scale * distance_sq(x, y).sqrt().as_f64();
    reach.min(h).max(params.min_link_bandwidth)
}

/// The connected components of the centers that are near each other and not held apart.
fn labels<T: Real>(
    centers: &[&[T]],
    cannot: &[Directed],
    h: f64,
    params: &CmsParams,
) -> Vec<usize> {
    let weights = link_weights(centers, cannot, h, params);
    // Every link is there in both directions, so that w, and with it the graph, is symmetric.
    let joined = |i: usize, j: usize| {
        nearness(centers[i], centers[j], h, params) > T::of(params.merge_k)
            && weights[i][j] > T::of(params.merge_b)
    };
    let mut labels: Vec<Option<usize>> = vec![None; centers.len()];
    let mut n_clusters = 0;
    for first in 0..centers.len() {
        if labels[first].is_some() {
            continue;
        }
        labels[first] = Some(n_clusters);
        let mut reached = vec![first];
        while let Some(i) = reached.pop() {
            for (j, label) in labels.iter_mut().enumerate() {
                if label.is_none() && joined(i, j) {
                    *label = Some(n_clusters);
                    reached.push(j);
                }
            }
        }
        n_clusters += 1;
    }
    labels.into_iter().flatten().collect()
}

/// k(|a − b|²/h²).
fn nearness<T: Real>(a: &[T], b: &[T], h: f64, params: &CmsParams) -> T {
    let h = T::of(h);
    params.profile.value(distance_sq(a, b) / (h * h))
}

fn largest_shift<T: Real>(before: &[T], after: &[T], n_features: usize) -> f64 {
    let pairs = rows(before, n_features).into_iter().zip(rows(after, n_features));
    pairs.map(|(before, after)| distance_sq(before, after).as_f64().sqrt()).fold(0.0, f64::max)
}

fn rows<T>(values: &[T], n_features: usize) -> Vec<&[T]> {
    values.chunks_exact(n_features).collect()
}

#[cfg(test)]
#[path = "naive_tests.rs"]
mod tests;
