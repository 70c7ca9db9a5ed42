//! Boosted mean shift beside the paper's tables, and how it grows: `cargo xtask bench boosted`.
//!
//! Parts by name: `table`, `scale`, `small`, `smallest`, `none-small`, `threads`, `sensitivity`,
//! `peer`. If none is named: `table`, `scale` and `threads`, with `--full` (and `--python PATH` for the peer) all of them. `--csv PATH` keeps the
//! sensitivity curves, for `boosted_curves.py`.

#![allow(clippy::print_stdout)] // a bench prints its table

#[path = "support/cpu.rs"]
mod cpu;
#[path = "support/data.rs"]
mod data;
#[path = "support/growth.rs"]
mod growth;
#[path = "support/memory.rs"]
mod memory;
#[path = "support/scikit_learn.rs"]
mod scikit_learn;

use linkshift::bandwidth::Bandwidth;
use linkshift::boosted::{Boosted, BoostedModel, BoostedParams, Eps};
use linkshift::dbscan::Dbscan;
use linkshift::mean_shift::{MeanShift, MeanShiftParams};
use linkshift::scores::{adjusted_rand_index, rand_index};
use linkshift::{Links, Points, Profile, Real, Scaler, Scaling, datasets};
use rand::seq::index;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

type Set = (Points<'static, f32>, Vec<i64>);

/// Runs of the table, each with a seed of its own.
const RUNS: u64 = 20;

fn main() -> Result<(), Box<dyn Error>> {
    let mut parts = Vec::new();
    let mut full = false;
    let (mut python, mut csv) = (None, None);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--full" => full = true,
            "--python" => python = args.next().map(PathBuf::from),
            "--csv" => csv = args.next().map(PathBuf::from),
            option if option.starts_with("--") => {}
            part => parts.push(part.to_string()),
        }
    }
    let wanted = |part: &str, only_full: bool| match parts.is_empty() {
        true => full || !only_full,
        false => parts.iter().any(|wish| wish == part),
    };
    if wanted("table", false) {
        table()?;
    }
    if wanted("scale", false) {
        scale(full)?;
    }
    if wanted("small", true) {
        small()?;
    }
    if wanted("smallest", true) {
        smallest()?;
    }
    if wanted("none-small", true) {
        none_small()?;
    }
    if wanted("threads", false) {
        threads()?;
    }
    if wanted("sensitivity", true) {
        sensitivity(csv.as_deref())?;
    }
    if let (true, Some(python)) = (wanted("peer", true), python) {
        peer(&python)?;
    }
    Ok(())
}

fn fit<T: Real>(
    points: &Points<'_, T>,
    params: &BoostedParams,
) -> linkshift::Result<BoostedModel<T>> {
    Boosted::new(params.clone())?.fit(points, &Links::new())
}

/// Name, published ARI, epochs and clusters, and ARI of mean shift (Tables 2, 4 and 5).
const PUBLISHED: [(&str, f64, f64, f64, f64); 13] = [
    ("toy1", 0.9897, 3.30, 2.0, 0.0755),
    ("toy2", 0.9990, 3.00, 2.0, 0.0763),
    ("aggregation", 0.9686, 4.45, 6.80, 0.5096),
    ("2d2k (ours)", 0.9119, 3.75, 2.0, 0.9043),
    ("8d5k (ours)", 1.0, 3.15, 5.0, 1.0),
    ("letter_ab", 0.7856, 3.35, 2.0, 0.7817),
    ("satimage4", 0.5631, 4.60, 4.10, 0.5452),
    ("symbols", 0.7042, 5.50, 6.0, 0.6645),
    ("nsl_kdd", 0.4684, 14.55, 41.45, 0.3933),
    ("banknote", 0.9387, 3.05, 2.0, 0.9020),
    ("chainlink", 0.4944, 4.15, 4.65, 0.1233),
    ("image_seg3", 0.7843, 4.45, 3.75, 0.6775),
    ("wall_following_2", 0.2893, 6.65, 12.20, 0.2437),
];

/// The defaults over all sets, beside the paper's column, the paper's text taken literally (5 runs)
/// and plain mean shift with the same bandwidth rule, by the same profile and by the ball, beside
/// the paper's column for that.
fn table() -> Result<(), Box<dyn Error>> {
    println!("Tables 2, 4 and 5: mean ARI of {RUNS} runs ± deviation, zero mean and unit variance");
    println!("toy2, 2d2k and 8d5k are drawn by us to the paper's description");
    println!(
        "set              paper    ours           epochs (paper)  clusters (paper)  literal  paper MS    MS rbf   MS ball"
    );
    for (name, ari, epochs, clusters, mean_shift) in PUBLISHED {
        let mut ours = Vec::new();
        let (mut n_epochs, mut n_clusters, mut literal, mut n_literal) = (0, 0, 0.0, 0);
        let fixed = if is_drawn(name) { None } else { data::read(name)? };
        if fixed.is_none() && !is_drawn(name) {
            continue;
        }
        for seed in 0..RUNS {
            let (points, labels) = draw_of(name, fixed.as_ref(), seed)?;
            let model = fit(&points, &BoostedParams { seed, ..Default::default() })?;
            ours.push(adjusted_rand_index(&labels, model.labels())?);
            n_epochs += model.n_iter();
            n_clusters += model.n_clusters();
            if seed < 5 && name != "nsl_kdd" {
                let eps = if name.starts_with("toy") || name == "aggregation" {
                    Eps::Fixed(0.5)
                } else {
                    Eps::NeighborMedian
                };
                let params = BoostedParams { seed, eps, ..BoostedParams::paper() };
                literal += adjusted_rand_index(&labels, fit(&points, &params)?.labels())?;
                n_literal += 1;
            }
        }
        let n = ours.len() as f64;
        let mean = ours.iter().sum::<f64>() / n;
        let deviation = (ours.iter().map(|ari| (ari - mean).powi(2)).sum::<f64>() / n).sqrt();
        let verdict = if mean >= ari - 0.05 { "✓" } else { " " };
        print!(
            "{name:<16} {ari:.4}   {mean:.4} ±{deviation:.3} {verdict}{:>9.2} ({epochs:>5.2}){:>11.2} ({clusters:>5.2})",
            n_epochs as f64 / n,
            n_clusters as f64 / n,
        );
        if name == "nsl_kdd" {
            println!("{:>10}{mean_shift:>10.4}{:>10}{:>10}", "-", "-", "-"); // minutes each
            continue;
        }
        print!("{:>10.4}{mean_shift:>10.4}", literal / f64::from(n_literal));
        let (points, labels) = draw_of(name, fixed.as_ref(), 0)?;
        for profile in [Profile::Rbf, Profile::Ball] {
            let bandwidth = Bandwidth::NeighborMean { alpha: 0.5 };
            let params = MeanShiftParams { bandwidth, profile, ..Default::default() };
            let plain = MeanShift::new(params)?.fit(&points, &Links::new())?;
            print!("{:>10.4}", adjusted_rand_index(&labels, plain.labels())?);
        }
        println!();
    }
    Ok(())
}

fn is_drawn(name: &str) -> bool {
    ["toy1", "toy2", "2d2k (ours)", "8d5k (ours)"].contains(&name)
}

/// A set as one run sees it.
fn draw_of(name: &str, fixed: Option<&Set>, seed: u64) -> Result<Set, Box<dyn Error>> {
    let (points, labels) = match (name, fixed) {
        ("chainlink", Some(set)) => two_hundred_of_each(set, seed),
        (_, Some(set)) => set.clone(),
        _ => {
            let drawn = match name {
                "toy1" => datasets::toy1(seed),
                "toy2" => datasets::moons(14_977, 0.1, seed)?,
                "8d5k (ours)" => datasets::blobs(1_000, 8, 5, 0.1, 1.0, seed)?,
                _ => two_gaussians(seed)?,
            };
            (drawn.cast()?, drawn.labels)
        }
    };
    Ok((Scaler::fit(&points, Scaling::ZScore).apply(&points)?, labels))
}

/// 500 points each around two places of the plane, 4.2 deviations apart: the best border errs in
/// 1.8 % of the points, an ARI of 0.93.
fn two_gaussians(seed: u64) -> Result<linkshift::Dataset, Box<dyn Error>> {
    let noise = datasets::blobs(1_000, 2, 1, 1.0, 0.0, seed)?;
    let shift = |at: usize, value: f64| {
        if at < 1_000 && at.is_multiple_of(2) { value + 4.2 } else { value }
    };
    let values: Vec<f64> =
        noise.points.values().iter().enumerate().map(|(at, &value)| shift(at, value)).collect();
    let labels = (0..1_000).map(|row| i64::from(row >= 500)).collect();
    Ok(linkshift::Dataset { points: Points::new(values, 2)?, labels })
}

fn two_hundred_of_each((points, labels): &Set, seed: u64) -> Set {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut rows = Vec::new();
    for class in [0, 1] {
        let of_class: Vec<usize> = (0..labels.len()).filter(|&row| labels[row] == class).collect();
        let drawn = index::sample(&mut rng, of_class.len(), of_class.len().min(200));
        rows.extend(drawn.into_iter().map(|at| of_class[at]));
    }
    (points.select(&rows), rows.iter().map(|&row| labels[row]).collect())
}

/// Seconds, memory and ARI by number of points: five Gaussian clusters in the plane and in ten
/// columns.
fn scale(full: bool) -> Result<(), Box<dyn Error>> {
    println!("\nScale: five Gaussian clusters, f32, all cores");
    println!("  d         n  seconds  processor s     ARI  clusters  epochs   modes   peak so far");
    for d in [2, 10] {
        let (mut measured, mut all_computed) = (Vec::new(), Vec::new());
        for n in [10_000, 100_000, 1_000_000, 4_000_000] {
            if n > 1_000_000 && !full {
                continue;
            }
            let (points, labels) = five_clusters(n, d)?;
            let (start, before) = (Instant::now(), cpu::seconds());
            let model = fit(&points, &BoostedParams::default())?;
            let seconds = start.elapsed().as_secs_f64();
            let computed =
                cpu::seconds().zip(before).map_or(f64::NAN, |(after, before)| after - before);
            measured.push((n, seconds));
            all_computed.push((n, computed));
            println!(
                "{d:>3}{n:>10}{seconds:>9.2}{computed:>13.2}{:>8.4}{:>10}{:>8}{:>8}   {}",
                adjusted_rand_index(&labels, model.labels())?,
                model.n_clusters(),
                model.n_iter(),
                model.n_modes_found(),
                memory::peak()
            );
        }
        println!(
            "    exponents: {:.2} of the seconds, {:.2} of the processor's",
            growth::exponent(&measured),
            growth::exponent(&all_computed)
        );
    }
    Ok(())
}

fn five_clusters(n: usize, d: usize) -> Result<Set, Box<dyn Error>> {
    let set = datasets::blobs(n, d, 5, 1.0, 10.0, 4)?;
    Ok((set.cast()?, set.labels))
}

/// Shares of ten clusters.
const SHARES: [f64; 10] = [0.3, 0.22, 0.16, 0.12, 0.09, 0.06, 0.03, 0.01, 0.007, 0.003];

/// Small clusters, with the look for them and without: which of them are found, and what is found
/// that is none.
fn small() -> Result<(), Box<dyn Error>> {
    println!("\nTen Gaussian clusters from 30 % to .3 %, any two at least 8 deviations apart");
    println!(
        "  d        n  draw   found  splinters     ARI  seconds   without: found  splinters     ARI  seconds"
    );
    for n in [100_800, 1_000_000] {
        for d in [2, 3, 10] {
            for seed in 0..3 {
                let (points, labels) = gaussians(n, d, &SHARES, 8.0, seed)?;
                print!("{d:>3}{n:>9}{seed:>6}");
                for small_support in [None, Some(0)] {
                    let start = Instant::now();
                    let params = BoostedParams { seed, small_support, ..Default::default() };
                    let model = fit(&points, &params)?;
                    let found = n_found(&labels, model.labels());
                    let splinters = model.n_clusters() - found;
                    let ari = adjusted_rand_index(&labels, model.labels())?;
                    let seconds = start.elapsed().as_secs_f64();
                    print!("{found:>8}{splinters:>11}{ari:>8.4}{seconds:>9.1}           ");
                }
                println!();
            }
        }
    }
    Ok(())
}

/// How small a cluster may be.
fn smallest() -> Result<(), Box<dyn Error>> {
    println!(
        "\nOne small cluster beside nine of equal size, 100,800 points, ten draws: found (splinters)"
    );
    for d in [2, 3, 10] {
        print!("{d:>3}");
        for share in [0.005, 0.004, 0.003, 0.0025, 0.002, 0.0015] {
            let mut shares = [(1.0 - share) / 9.0; 10];
            shares[9] = share;
            let (mut found, mut splinters) = (0, 0);
            for seed in 0..10 {
                let (points, labels) = gaussians(100_800, d, &shares, 8.0, 100 + seed)?;
                let model = fit(&points, &BoostedParams { seed, ..Default::default() })?;
                let n = n_found(&labels, model.labels());
                found += usize::from(n == 10);
                splinters += model.n_clusters() - n;
            }
            print!("   {:.2} %: {found} ({splinters})", 100.0 * share);
        }
        println!();
    }
    Ok(())
}

/// Sets without small clusters: none should be found.
fn none_small() -> Result<(), Box<dyn Error>> {
    println!("\nWithout small clusters, 100,800 points: clusters by default, and without the look");
    let sets: [(&str, linkshift::Dataset); 5] = [
        ("two moons", datasets::moons(100_800, 0.1, 1)?),
        ("one Gaussian, d = 2", datasets::blobs(100_800, 2, 1, 1.0, 0.0, 1)?),
        ("one Gaussian, d = 10", datasets::blobs(100_800, 10, 1, 1.0, 0.0, 1)?),
        ("twenty Gaussians, d = 2", datasets::blobs(100_800, 2, 20, 1.0, 10.0, 1)?),
        ("two rings", datasets::circles(100_800, 0, 0.05, 1)?),
    ];
    for (name, set) in sets {
        print!("{name:<26}");
        for small_support in [None, Some(0)] {
            let model = fit(&set.points, &BoostedParams { small_support, ..Default::default() })?;
            let ari = adjusted_rand_index(&set.labels, model.labels())?;
            print!("{:>5} ({ari:.4})", model.n_clusters());
        }
        println!();
    }
    Ok(())
}

/// Gaussian clusters of unit deviation whose centers are drawn from a box until they are so far apart.
fn gaussians(
    n: usize,
    d: usize,
    shares: &[f64],
    apart: f64,
    seed: u64,
) -> Result<Set, Box<dyn Error>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    // Ten in the plane need room; in many columns what is apart is soon far.
    let side = apart * if d < 3 { 5.0 } else { 3.0 };
    let mut centers: Vec<Vec<f64>> = Vec::new();
    while centers.len() < shares.len() {
        let place: Vec<f64> = (0..d).map(|_| rng.random::<f64>() * side).collect();
        let far = |other: &Vec<f64>| {
            let sum: f64 = other.iter().zip(&place).map(|(a, b)| (a - b).powi(2)).sum();
            sum.sqrt() >= apart
        };
        if centers.iter().all(far) {
            centers.push(place);
        }
    }
    let noise = datasets::blobs(n, d, 1, 1.0, 0.0, seed)?;
    let mut values = Vec::with_capacity(n * d);
    let mut labels = Vec::with_capacity(n);
    for row in noise.points.rows() {
        let mut at = rng.random::<f64>();
        let cluster = shares.iter().position(|share| {
            at -= share;
            at < 0.0
        });
        let cluster = cluster.unwrap_or(0);
        values.extend(
            row.iter().zip(&centers[cluster]).map(|(value, center)| (value + center) as f32),
        );
        labels.push(cluster as i64);
    }
    Ok((Points::new(values, d)?, labels))
}

/// How many true clusters are found: some cluster has most of it, and is mostly it.
fn n_found(truth: &[i64], labels: &[i64]) -> usize {
    let count = |of: &[i64]| 1 + of.iter().copied().max().unwrap_or(0) as usize;
    let mut table = vec![vec![0_usize; count(labels)]; count(truth)];
    truth.iter().zip(labels).for_each(|(&t, &l)| table[t as usize][l as usize] += 1);
    let size = |label: usize| table.iter().map(|row| row[label]).sum::<usize>();
    let is_found = |row: &&Vec<usize>| {
        let all: usize = row.iter().sum();
        (0..row.len()).any(|label| 2 * row[label] > all && 2 * row[label] > size(label))
    };
    table.iter().filter(is_found).count()
}

/// One thread against two.
fn threads() -> Result<(), Box<dyn Error>> {
    println!("\nThreads: 1,000,000 points");
    for d in [2, 10] {
        let (points, _) = five_clusters(1_000_000, d)?;
        let mut seconds = [0.0; 2];
        for (threads, seconds) in [1, 2].into_iter().zip(&mut seconds) {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
            let start = Instant::now();
            pool.install(|| fit(&points, &BoostedParams::default()))?;
            *seconds = start.elapsed().as_secs_f64();
        }
        let [one, two] = seconds;
        println!("d = {d:>2}: 1 thread {one:.2} s, 2 threads {two:.2} s: {:.2}×", one / two);
    }
    Ok(())
}

/// Figs. 7 and 8: the Rand index by α, with mean shift, and by Eps, with DBSCAN; means of 3 runs.
/// With a path also as CSV, which `boosted_curves.py` draws.
fn sensitivity(csv: Option<&Path>) -> Result<(), Box<dyn Error>> {
    let mut rows = String::from("set,parameter,value,method,ri\n");
    for (name, most) in [("toy1", 0.7), ("toy2", 0.7), ("satimage4", 3.6)] {
        let fixed = if is_drawn(name) { None } else { data::read(name)? };
        if fixed.is_none() && !is_drawn(name) {
            continue;
        }
        let sets: Vec<Set> =
            (0..3).map(|seed| draw_of(name, fixed.as_ref(), seed)).collect::<Result<_, _>>()?;
        let mean = |params: &BoostedParams| {
            let mut sum = 0.0;
            for (seed, (points, labels)) in (0..).zip(&sets) {
                let model = fit(points, &BoostedParams { seed, ..params.clone() })?;
                sum += rand_index(labels, model.labels())?;
            }
            Ok::<f64, Box<dyn Error>>(sum / sets.len() as f64)
        };
        let (points, labels) = &sets[0];
        let mut show = |parameter: &str, value: f64, method: &str, ri: f64| {
            println!("{name:<10} {parameter:<6}{value:<6.2} {method:<10} RI {ri:.3}");
            rows += &format!("{name},{parameter},{value:.2},{method},{ri:.4}\n");
        };
        for alpha in [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6] {
            let bandwidth = Bandwidth::NeighborMean { alpha };
            let ri = mean(&BoostedParams { bandwidth, ..Default::default() })?;
            show("alpha", alpha, "boosted", ri);
            let params = MeanShiftParams { bandwidth, profile: Profile::Rbf, ..Default::default() };
            let plain = MeanShift::new(params)?.fit(points, &Links::new())?;
            show("alpha", alpha, "mean shift", rand_index(labels, plain.labels())?);
        }
        for step in 0..7 {
            let eps = 0.1 + (most - 0.1) * f64::from(step) / 6.0;
            let ri = mean(&BoostedParams { eps: Eps::Fixed(eps), ..Default::default() })?;
            show("Eps", eps, "boosted", ri);
            let plain = Dbscan::new(eps, 4)?.fit(points);
            show("Eps", eps, "DBSCAN", rand_index(labels, &plain)?);
        }
    }
    if let Some(path) = csv {
        std::fs::write(path, rows)?;
    }
    Ok(())
}

/// Against scikit-learn's `MeanShift` with bin seeding, on the blobs of the mean shift bench.
fn peer(python: &Path) -> Result<(), Box<dyn Error>> {
    const BANDWIDTH: f64 = 2.0;
    println!("\nAgainst scikit-learn's MeanShift (bins), 50,000 points in 10 columns");
    let set = datasets::blobs(50_000, 10, 20, 1.0, 10.0, 0)?;
    let start = Instant::now();
    let model = fit(&set.points, &BoostedParams::default())?;
    let ours = start.elapsed().as_secs_f64();
    let ari = adjusted_rand_index(&set.labels, model.labels())?;
    let (theirs, labels) = scikit_learn::mean_shift(python, &set.points, BANDWIDTH, "bins")?;
    println!(
        "ours {ours:.2} s, ARI {ari:.4}; theirs {theirs:.1} s, ARI {:.4}: {:.0}×",
        adjusted_rand_index(&set.labels, &labels)?,
        theirs / ours
    );
    Ok(())
}
