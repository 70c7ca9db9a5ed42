//! Our neighbour search against a linear scan: `cargo xtask bench neighbors`.
//!
//! All points of a set of blobs ask for their 10 nearest, and for all within the mean distance of
//! the 10th. One thread.

#![allow(clippy::print_stdout)] // a bench prints its table

#[path = "support/timing.rs"]
mod timing;

use linkshift::datasets::blobs;
use linkshift::neighbors::Neighbors;
use linkshift::{Points, Real};
use std::error::Error;
use std::num::NonZero;
use timing::best_of;

const N: usize = 50_000;
const K: NonZero<usize> = NonZero::new(10).expect("10 is not 0");
/// The scan takes minutes for all points: it answers one in so many, and its seconds are scaled up.
const SCAN_EVERY: usize = 100;

fn main() -> Result<(), Box<dyn Error>> {
    println!("Neighbours of all {N} points, one thread (seconds)");
    println!("   d  type  search         build  10 nearest  radius  found in radius");
    compare::<f64, 2>()?;
    compare::<f32, 2>()?;
    compare::<f64, 10>()?;
    compare::<f32, 10>()?;
    compare::<f64, 32>()?;
    compare::<f32, 32>()
}

/// What a search took, and how many neighbours it found within the radius, itself included.
struct Measured {
    build: f64,
    nearest: f64,
    within: f64,
    n_found: usize,
}

fn compare<T: Real, const D: usize>() -> Result<(), Box<dyn Error>> {
    let points = blobs(N, D, 20, 1.0, 10.0, 1)?.cast::<T>()?;
    let near = Neighbors::new(&points);
    let tenth = |row| near.nearest(row, K.get()).last().map_or(T::zero(), |n| n.distance_sq.sqrt());
    let sample = points.rows().step_by(SCAN_EVERY);
    let radius = sample.clone().map(tenth).sum::<T>() / T::of(sample.len() as f64);
    let show = |name: &str, it: Measured| {
        let Measured { build, nearest, within, n_found } = it;
        let dtype = T::NAME;
        println!(
            "{D:>4}  {dtype:<4}  {name:<12}{build:>8.3}{nearest:>12.2}{within:>8.2}{n_found:>17}"
        );
    };
    show("linkshift", ours(&points, radius));
    show("linear scan", scan(&points, radius));
    Ok(())
}

fn ours<T: Real>(points: &Points<'_, T>, radius: T) -> Measured {
    let (build, near) = best_of(3, || Neighbors::new(points));
    let (nearest, _) =
        best_of(3, || points.rows().map(|row| near.nearest(row, K.get()).len()).sum::<usize>());
    let (within, n_found) =
        best_of(3, || points.rows().map(|row| near.within(row, radius).len()).sum());
    Measured { build, nearest, within, n_found }
}

/// Every point looked at for every query.
fn scan<T: Real>(points: &Points<'_, T>, radius: T) -> Measured {
    let queries = || points.rows().step_by(SCAN_EVERY);
    let distances_sq = |query: &[T]| -> Vec<T> {
        let distance_sq =
            |row: &[T]| row.iter().zip(query).map(|(&a, &b)| (a - b) * (a - b)).sum::<T>();
        points.rows().map(distance_sq).collect()
    };
    let tenth = |query: &[T]| -> T {
        let mut all = distances_sq(query);
        let ascending = |a: &T, b: &T| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal);
        *all.select_nth_unstable_by(K.get() - 1, ascending).1
    };
    let count = |query: &[T]| distances_sq(query).iter().filter(|&&d| d < radius * radius).count();
    let (nearest, _) = best_of(3, || queries().map(tenth).sum::<T>());
    let (within, n_found) = best_of(3, || queries().map(count).sum::<usize>());
    let scale = SCAN_EVERY as f64;
    Measured {
        build: 0.0,
        nearest: nearest * scale,
        within: within * scale,
        n_found: n_found * SCAN_EVERY,
    }
}
