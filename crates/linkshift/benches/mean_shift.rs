//! Mean shift against the literal path and scikit-learn, and its growth: `cargo xtask bench mean-shift`.
//!
//! Blobs with 20 centers in the cube of ±10, deviation 1, bandwidth 2, as in the tables of
//! scikit-learn's users.

#![allow(clippy::print_stdout)] // a bench prints its table

#[path = "support/growth.rs"]
mod growth;
#[path = "support/memory.rs"]
mod memory;
#[path = "support/scikit_learn.rs"]
mod scikit_learn;
#[path = "support/timing.rs"]
mod timing;

use linkshift::bandwidth::Bandwidth;
use linkshift::datasets::blobs;
use linkshift::mean_shift::{MeanShift, MeanShiftModel, MeanShiftParams, naive};
use linkshift::scores::adjusted_rand_index;
use linkshift::{Links, Points, Profile};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::error::Error;
use std::path::PathBuf;
use timing::best_of;

const BANDWIDTH: f64 = 2.0;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().collect();
    let python = args.iter().position(|arg| arg == "--python").and_then(|at| args.get(at + 1));
    let full = args.iter().any(|arg| arg == "--full");
    compare(python.map(PathBuf::from), full)?;
    grow()
}

/// Ours beside the others, one thread against one thread.
fn compare(python: Option<PathBuf>, full: bool) -> Result<(), Box<dyn Error>> {
    println!("Mean shift, ball, one thread (seconds)");
    println!("       n   d      ours  literal   ratio  scikit-learn   ratio    ARI  clusters");
    let one_thread = threads(1)?;
    let params = MeanShiftParams::like_scikit_learn(BANDWIDTH);
    for (n, d) in [(2_000, 2), (2_000, 10), (10_000, 2), (10_000, 10)] {
        let points = draw(n, d)?;
        let (ours, model) = fit(&one_thread, &params, &points)?;
        print!("{n:>8}{d:>4}{ours:>10.4}");
        if n > 2_000 && !full {
            println!("  (the others take minutes: --full)");
            continue;
        }
        let (literal, _) = best_of(1, || climb_literally(&points, &params));
        print!("{literal:>9.2}{:>7.0}×", literal / ours);
        match &python {
            None => println!("  (without scikit-learn)"),
            Some(python) => {
                let (theirs, labels) = scikit_learn::mean_shift(python, &points, BANDWIDTH, "all")?;
                let ari = adjusted_rand_index(&labels, model.labels())?;
                let ratio = theirs / ours;
                println!("{theirs:>14.1}{ratio:>7.0}×{ari:>7.4}{:>10}", model.n_clusters());
            }
        }
    }
    Ok(())
}

/// Seconds by number of points at a fixed bandwidth: what is near grows along.
fn grow() -> Result<(), Box<dyn Error>> {
    println!("\nGrowth, 2 columns, fixed bandwidth, two threads (seconds)");
    println!("       n      ball  truncated  peak memory so far");
    let two_threads = threads(2)?;
    let profiles = [Profile::Ball, Profile::TRUNCATED];
    let mut measured = [Vec::new(), Vec::new()];
    for n in [2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000] {
        let points = draw(n, 2)?;
        print!("{n:>8}");
        for (profile, measured) in profiles.into_iter().zip(&mut measured) {
            let bandwidth = Bandwidth::Fixed(BANDWIDTH);
            let params = MeanShiftParams { bandwidth, profile, ..Default::default() };
            let (seconds, _) = fit(&two_threads, &params, &points)?;
            print!("{seconds:>10.3}");
            measured.push((n, seconds));
        }
        println!("   {}", memory::peak());
    }
    let [ball, truncated] = measured.map(|measured| growth::exponent(&measured));
    println!("exponent{ball:>10.2}{truncated:>10.2}");
    Ok(())
}

fn draw(n: usize, d: usize) -> linkshift::Result<Points<'static, f64>> {
    Ok(blobs(n, d, 20, 1.0, 10.0, 1)?.points)
}

fn threads(n: usize) -> Result<ThreadPool, rayon::ThreadPoolBuildError> {
    ThreadPoolBuilder::new().num_threads(n).build()
}

fn fit(
    pool: &ThreadPool,
    params: &MeanShiftParams,
    points: &Points<'_, f64>,
) -> linkshift::Result<(f64, MeanShiftModel<f64>)> {
    let method = MeanShift::new(params.clone())?;
    let (seconds, model) = best_of(5, || pool.install(|| method.fit(points, &Links::new())));
    Ok((seconds, model?))
}

/// The formulas one by one, every center on its own.
fn climb_literally(points: &Points<'_, f64>, params: &MeanShiftParams) -> Vec<f64> {
    let tolerance = params.tolerance * BANDWIDTH;
    naive::climb(points, params.profile, |_| BANDWIDTH, false, tolerance, params.max_iter)
}
