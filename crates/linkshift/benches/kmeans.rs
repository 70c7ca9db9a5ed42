//! k-means and its relatives by the CMS paper's protocol, and beside a peer: `cargo xtask bench kmeans`.
//! Their curves by the number of answers are in `linkshift-papers`.
//!
//! Parts by name: `quality`, `peer` (needs `--python`); both if none is named.

#![allow(clippy::print_stdout)] // a bench prints its table

#[path = "support/data.rs"]
mod data;
#[path = "support/kmeans_peer.rs"]
mod kmeans_peer;

use linkshift::params::{N_CLUSTERS, SEED, Value};
use linkshift::scores::adjusted_rand_index;
use linkshift::{Links, Model, Points, Scaler, Scaling, links, observe, registry};
use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;
use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

type Set = (Points<'static, f32>, Vec<i64>);

/// The sets of the protocol, with the points drawn from each.
const SETS: [(&str, usize); 6] = [
    ("aggregation", 788),
    ("jain", 373),
    ("s4", 1_000),
    ("cms_mnist", 2_000),
    ("cms_fashion_mnist", 2_000),
    ("cms_gtsrb", 2_000),
];

/// A column of the table.
struct Line {
    name: &'static str,
    method: &'static str,
    settings: &'static [(&'static str, &'static str)],
}

const PCK: Line = Line { name: "pck", method: "pck", settings: &[] };
const MPCK: Line = Line { name: "mpck", method: "mpck", settings: &[] };

const METHODS: [Line; 9] = [
    Line { name: "kmeans", method: "kmeans", settings: &[] },
    Line { name: "cop", method: "cop", settings: &[] },
    PCK,
    MPCK,
    Line { name: "mpck each", method: "mpck", settings: &[("shared", "false")] },
    Line { name: "mpck full", method: "mpck", settings: &[("metric", "full")] },
    Line {
        name: "mpck full each",
        method: "mpck",
        settings: &[("metric", "full"), ("shared", "false")],
    },
    Line { name: "pcck", method: "pcck", settings: &[] },
    Line { name: "ampcc", method: "ampcc", settings: &[] },
];

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let value_of = |flag: &str| {
        args.iter().position(|arg| arg == flag).and_then(|at| args.get(at + 1)).cloned()
    };
    let parts: Vec<&String> =
        args.iter().filter(|arg| ["quality", "peer"].contains(&&***arg)).collect();
    let wanted = |part: &str| parts.is_empty() || parts.iter().any(|arg| *arg == part);
    if wanted("quality") {
        quality()?;
    }
    if wanted("peer") {
        match value_of("--python") {
            Some(python) => peer(Path::new(&python), value_of("--seeds"))?,
            None => println!("\nThe peer is left out: it needs --python"),
        }
    }
    Ok(())
}

/// Links = points, min-max scaling, mean of 10 seeds.
fn quality() -> Result<(), Box<dyn Error>> {
    println!("Quality: ARI and seconds, mean of 10 seeds, links = points");
    print!("set                   n");
    METHODS.iter().for_each(|line| print!("{:>18}", line.name));
    println!();
    const SEEDS: u64 = 10;
    for (name, n) in SETS {
        let mut sums = [[0.0; 2]; METHODS.len()];
        let mut failed = [0; METHODS.len()];
        for seed in 0..SEEDS {
            let Some((points, links, truth)) = draw(name, n, seed)? else { return Ok(()) };
            for (at, line) in METHODS.iter().enumerate() {
                let start = Instant::now();
                match fit(line, n_classes(&truth), seed, &points, &links) {
                    Ok(model) => {
                        sums[at][1] += start.elapsed().as_secs_f64() / SEEDS as f64;
                        sums[at][0] += adjusted_rand_index(&truth, model.labels())? / SEEDS as f64;
                    }
                    Err(_) => failed[at] += 1,
                }
            }
        }
        print!("{name:<18}{n:>5}");
        for ([ari, seconds], failed) in sums.into_iter().zip(failed) {
            match failed {
                0 => print!("{ari:>10.3}{seconds:>8.4}"),
                failed => print!("{:>18}", format!("{failed} failed")),
            }
        }
        println!();
        std::io::stdout().flush()?;
    }
    Ok(())
}

/// Ours beside active-semi-supervised-clustering, the same points and links; `--seeds N` for fewer.
fn peer(python: &Path, seeds: Option<String>) -> Result<(), Box<dyn Error>> {
    let n_seeds: u64 = seeds.map_or(Ok(10), |seeds| seeds.parse())?;
    println!("\nBeside active-semi-supervised-clustering, mean of {n_seeds} seeds, links = points");
    println!("method     set                   n  ours ARI   theirs   ours s   theirs s    ratio");
    for (theirs, ours) in [("PCKMeans", PCK), ("MPCKMeans", MPCK)] {
        for (name, n) in SETS {
            let (mut sums, mut n_done) = ([0.0; 4], 0);
            for seed in 0..n_seeds {
                let Some((points, links, truth)) = draw(name, n, seed)? else { return Ok(()) };
                let k = n_classes(&truth);
                let start = Instant::now();
                let model = fit(&ours, k, seed, &points, &links)?;
                let seconds = start.elapsed().as_secs_f64();
                let outcome = kmeans_peer::fit(python, theirs, &points, &links, k, seed)?;
                let (their_seconds, labels) = match outcome {
                    Ok(found) => found,
                    Err(why) => {
                        let last = why.lines().last().unwrap_or_default();
                        println!("{theirs:<11}{name:<18} seed {seed}: {last}");
                        continue;
                    }
                };
                n_done += 1;
                let ari = |labels: &[i64]| adjusted_rand_index(&truth, labels);
                let found = [ari(model.labels())?, ari(&labels)?, seconds, their_seconds];
                sums.iter_mut().zip(found).for_each(|(sum, found)| *sum += found);
            }
            let [ari, their_ari, seconds, their_seconds] = sums.map(|sum| sum / f64::from(n_done));
            println!(
                "{theirs:<11}{name:<18}{n:>5}{ari:>10.3}{their_ari:>9.3}{seconds:>9.4}{their_seconds:>11.2}{:>8.0}×",
                their_seconds / seconds
            );
            std::io::stdout().flush()?;
        }
    }
    Ok(())
}

/// Scaled points drawn by seed, links drawn from their labels, and these.
#[allow(clippy::type_complexity)] // the three things that every part needs
fn draw(
    name: &str,
    n: usize,
    seed: u64,
) -> Result<Option<(Points<'static, f32>, Links, Vec<i64>)>, Box<dyn Error>> {
    let Some((points, labels)): Option<Set> = data::read(name)? else { return Ok(None) };
    let n = n.min(labels.len());
    let rows = index::sample(&mut ChaCha8Rng::seed_from_u64(seed), labels.len(), n).into_vec();
    let labels: Vec<i64> = rows.iter().map(|&row| labels[row]).collect();
    let points = points.select(&rows);
    let scaled = Scaler::fit(&points, Scaling::MinMax).apply(&points)?;
    let links = links::draw(&labels, n, seed)?;
    Ok(Some((scaled, links, labels)))
}

fn n_classes(labels: &[i64]) -> usize {
    let mut classes = labels.to_vec();
    classes.sort_unstable();
    classes.dedup();
    classes.len()
}

/// A method of [`METHODS`] by its defaults, but for what its line there sets.
fn fit(
    line: &Line,
    n_clusters: usize,
    seed: u64,
    points: &Points<'_, f32>,
    links: &Links,
) -> linkshift::Result<Model<f32>> {
    let told = [(N_CLUSTERS, Value::Count(n_clusters as u64)), (SEED, Value::Count(seed))];
    let set = line.settings.iter().map(|(key, value)| (*key, Value::parse(value)));
    let settings: Vec<(&str, Value)> = told.into_iter().chain(set).collect();
    let entry = registry::find(line.method).expect("the table names methods of the registry");
    entry.configure(&settings)?.fit(points, links, &mut observe::ignore)
}
