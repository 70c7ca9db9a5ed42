//! What one fit of each method costs: `cargo xtask bench fits`.
//!
//! Every method of the registry by its defaults, on three small sets that are drawn, the number of
//! clusters told where it can be. One run before a change and one after it show whether any method
//! became slower, and the index and the clusters beside the seconds whether it still finds the same.

#![allow(clippy::print_stdout)] // a bench prints its table

#[path = "support/timing.rs"]
mod timing;

use linkshift::datasets::{blobs, moons};
use linkshift::method::Clusters;
use linkshift::params::{N_CLUSTERS, Value};
use linkshift::registry::{Entry, METHODS};
use linkshift::scores::adjusted_rand_index;
use linkshift::{Dataset, Real, Scaler, Scaling, links, observe};
use std::error::Error;
use timing::best_of;

/// Fits of which the fastest counts.
const RUNS: usize = 20;

/// Above so many points the matrices of all pairs take a minute to decompose.
const DENSE: usize = 1_000;

fn main() -> Result<(), Box<dyn Error>> {
    println!("Seconds of one fit, the best of up to {RUNS}, all cores; min-max scaling");
    println!("set                     method                   seconds     ARI  clusters  broken");
    fit_all::<f64>("moons, 500 x 2", &moons(500, 0.05, 0)?, 2)?;
    fit_all::<f32>("blobs, 1,000 x 16", &blobs(1_000, 16, 5, 1.0, 5.0, 1)?, 5)?;
    fit_all::<f64>("moons, 4,000 x 2", &moons(4_000, 0.05, 0)?, 2)
}

/// One line for each method; a link for every tenth point.
fn fit_all<T: Real>(name: &str, set: &Dataset, n_clusters: u64) -> Result<(), Box<dyn Error>> {
    let points = set.cast::<T>()?;
    let points = Scaler::fit(&points, Scaling::MinMax).apply(&points)?;
    let links = links::draw(&set.labels, set.labels.len() / 10, 0)?;
    for entry in METHODS {
        let method = entry.info.name;
        print!("{name:<24}{method:<22}");
        if method == "constrained-spectral" && points.n_points() > DENSE {
            println!("  (left out: minutes)");
            continue;
        }
        let clusterer = entry.configure(&told(entry, n_clusters))?;
        let (seconds, model) =
            best_of(RUNS, || clusterer.fit(&points, &links, &mut observe::ignore));
        let model = model?;
        let ari = adjusted_rand_index(&set.labels, model.labels())?;
        let (found, broken) = (model.n_clusters(), model.link_report().broken.len());
        println!("{seconds:>10.5}{ari:>8.4}{found:>10}{broken:>8}");
    }
    Ok(())
}

fn told(entry: &Entry, n_clusters: u64) -> Vec<(&'static str, Value)> {
    match entry.info.clusters {
        Clusters::Found => Vec::new(),
        Clusters::Told | Clusters::Either => vec![(N_CLUSTERS, Value::Count(n_clusters))],
    }
}
