//! Spectral clustering after mean shift beside scikit-learn, its growth, and the constrained
//! baselines beside their published figures: `cargo xtask bench spectral`.
//!
//! Parts by name: `speed`, `crescents`, `digits`, `sets`, `scale`, `baselines`; all of them if none
//! is named. scikit-learn takes part where `--python` names an interpreter that has it; with `--full`
//! also where its rbf affinity takes half a minute.

#![allow(clippy::print_stdout)] // a bench prints its table

#[path = "support/data.rs"]
mod data;
#[path = "support/memory.rs"]
mod memory;
#[path = "support/cpu.rs"]
mod processor;

use linkshift::cdbscan::{Cdbscan, CdbscanParams};
use linkshift::cms::Representatives;
use linkshift::constrained_spectral::{ConstrainedSpectral, ConstrainedSpectralParams};
use linkshift::kmeans::{KMeans, KMeansParams};
use linkshift::scores::{Normalisation, Scores, adjusted_rand_index, nmi};
use linkshift::spectral::{Route, Spectral, SpectralModel, SpectralParams};
use linkshift::{Links, Points, Scaler, Scaling, datasets, links};
use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

type Set = (Points<'static, f64>, Vec<i64>);
type Outcome<T> = Result<T, Box<dyn Error>>;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/spectral.py");

fn main() -> Outcome<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let python = args.iter().position(|arg| arg == "--python").and_then(|at| args.get(at + 1));
    let python = python.map(PathBuf::from);
    let full = args.iter().any(|arg| arg == "--full");
    let parts = ["speed", "crescents", "digits", "sets", "scale", "baselines"];
    let named = |part: &str| args.iter().any(|arg| arg == part);
    let wanted = |part: &str| named(part) || !parts.iter().any(|part| named(part));
    if wanted("speed") {
        speed(python.as_deref(), full)?;
    }
    if wanted("crescents") {
        crescents()?;
    }
    if wanted("digits") {
        digits()?;
    }
    if wanted("sets") {
        sets(python.as_deref(), full)?;
    }
    if wanted("scale") {
        scale()?;
    }
    if wanted("baselines") {
        baselines(full)?;
    }
    Ok(())
}

/// Ten thousand points beside scikit-learn's `SpectralClustering`, k told, by number of columns:
/// the shortest of some runs each, in turn, and the mean of their processor seconds, which count on
/// a machine that others use too.
fn speed(python: Option<&Path>, full: bool) -> Outcome<()> {
    const RUNS: usize = 3;
    println!("10,000 points, k told: seconds, processor seconds, ARI (rbf: one run)");
    println!(
        "set          columns  k     ours                 nearest neighbours                      rbf"
    );
    let mut all = Vec::new();
    for (name, set, k) in [
        ("moons", datasets::moons(10_000, 0.05, 0)?, 2),
        ("crescents", datasets::crescents(10_000, 0.1, 0.0, 1)?, 2),
        ("blobs", datasets::blobs(10_000, 10, 20, 1.0, 10.0, 1)?, 20),
    ] {
        all.push((name, (set.points, set.labels), k));
    }
    if let Some(set) = read("pendigits", Scaling::MinMax)? {
        all.push(("pen digits", set, 10));
    }
    for (name, set, k) in all {
        let told = || SpectralParams { n_clusters: Some(k), ..Default::default() };
        let (mut ours, mut theirs) = (Peer::new(RUNS * RUNS), Peer::new(RUNS));
        for _ in 0..RUNS {
            let before = processor::seconds().unwrap_or(f64::NAN);
            for _ in 0..RUNS {
                let (seconds, model) = fit(told(), &set.0, &Links::new())?;
                ours.add(seconds, 0.0, adjusted_rand_index(&set.1, model.labels())?);
            }
            ours.processor += processor::seconds().unwrap_or(f64::NAN) - before;
            if let Some(python) = python {
                let (seconds, cpu, labels) = scikit_learn(python, &set.0, k, "nearest_neighbors")?;
                theirs.add(seconds, cpu, adjusted_rand_index(&set.1, &labels)?);
            }
        }
        print!("{name:<13}{:>6}{k:>4}   {ours}", set.0.n_features());
        if python.is_some() {
            print!("   {theirs} {}", theirs.over(&ours));
        }
        if let (Some(python), true) = (python, full) {
            let (seconds, cpu, labels) = scikit_learn(python, &set.0, k, "rbf")?;
            let mut theirs = Peer::new(1);
            theirs.add(seconds, cpu, adjusted_rand_index(&set.1, &labels)?);
            print!("   {theirs} {}", theirs.over(&ours));
        }
        println!();
    }
    Ok(())
}

/// Some runs of one program.
struct Peer {
    n_runs: usize,
    shortest: f64,
    processor: f64,
    ari: f64,
}

impl Peer {
    fn new(n_runs: usize) -> Self {
        Self { n_runs, shortest: f64::INFINITY, processor: 0.0, ari: 0.0 }
    }

    fn add(&mut self, seconds: f64, processor: f64, ari: f64) {
        self.shortest = self.shortest.min(seconds);
        self.processor += processor;
        self.ari = ari;
    }

    fn mean_processor(&self) -> f64 {
        self.processor / self.n_runs as f64
    }

    /// How many times longer it takes: by seconds, by processor seconds.
    fn over(&self, ours: &Self) -> String {
        let processor = self.mean_processor() / ours.mean_processor();
        format!("({:.0}×, {processor:.0}×)", self.shortest / ours.shortest)
    }
}

impl std::fmt::Display for Peer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.3} {:.3} {:.3}", self.shortest, self.mean_processor(), self.ari)
    }
}

/// The paper's first experiment, with growing overlap: mean ARI of 20 draws of 200 + 200 points.
fn crescents() -> Outcome<()> {
    const DRAWS: u64 = 20;
    println!("\nCrescents, 200 + 200 points, {DRAWS} draws: mean ARI, and draws without an error");
    println!(
        "noise overlap      tree   k found   links 40  to the letter  embedding K̃  full matrix  k-means"
    );
    let told = || SpectralParams { n_clusters: Some(2), ..Default::default() };
    let embedding = |quantise| SpectralParams { route: Route::Embedding, quantise, ..told() };
    for (noise, overlap) in
        [(0.05, 0.0), (0.1, 0.0), (0.1, 0.2), (0.1, 0.4), (0.1, 0.6), (0.1, 0.8)]
    {
        let mut sums = [0.0; 7];
        let mut perfect = [0; 7];
        let mut n_found = 0;
        for seed in 0..DRAWS {
            let set = datasets::crescents(400, noise, overlap, seed)?;
            let some_links = links::draw(&set.labels, 40, seed)?;
            let none = Links::new();
            let runs = [
                (told(), &none),
                (SpectralParams::default(), &none),
                (told(), &some_links),
                (SpectralParams::paper(2), &none),
                (embedding(true), &none),
                (embedding(false), &none),
            ];
            let mut aris = Vec::new();
            for (at, (params, links)) in runs.into_iter().enumerate() {
                let model = Spectral::new(params)?.fit(&set.points, links)?;
                aris.push(adjusted_rand_index(&set.labels, model.labels())?);
                n_found += usize::from(at == 1 && model.n_clusters() == 2);
            }
            let means = KMeans::new(KMeansParams { seed, ..KMeansParams::of(2) })?;
            let means = means.fit(&set.points, &Links::new())?;
            aris.push(adjusted_rand_index(&set.labels, means.labels())?);
            for (at, ari) in aris.into_iter().enumerate() {
                sums[at] += ari / DRAWS as f64;
                perfect[at] += usize::from(ari == 1.0);
            }
        }
        print!("{noise:>5}{overlap:>8}");
        sums.iter().zip(perfect).for_each(|(ari, perfect)| print!("  {ari:.3} ({perfect:>2})"));
        println!("   two found in {n_found}");
    }
    Ok(())
}

/// The paper's second experiment, and all ten digits.
fn digits() -> Outcome<()> {
    println!("\nPen digits, min-max: ARI, accuracy, clusters, modes, seconds");
    let Some(all) = read("pendigits", Scaling::MinMax)? else { return Ok(()) };
    let two: Vec<usize> = (0..all.1.len()).filter(|&row| [1, 2].contains(&all.1[row])).collect();
    let two = (all.0.select(&two), two.iter().map(|&row| all.1[row]).collect::<Vec<i64>>());
    for (name, set, k) in [("digits 1 and 2", &two, 2), ("all ten digits", &all, 10)] {
        let told = || SpectralParams { n_clusters: Some(k), ..Default::default() };
        let gathered =
            |count| SpectralParams { representatives: Representatives::Count(count), ..told() };
        let runs = [
            ("k told", told()),
            ("k found", SpectralParams::default()),
            ("k told, to the letter", SpectralParams::paper(k)),
            ("k told, σ as it is", SpectralParams { bandwidth_factor: 1.0, ..told() }),
            ("k told, support .01", SpectralParams { min_support: Some(0.01), ..told() }),
            ("k told, embedding of K̃", SpectralParams { route: Route::Embedding, ..told() }),
            ("k told, 2,000 gathered", gathered(2_000)),
            ("k told, 1,000 gathered", gathered(1_000)),
        ];
        for (how, params) in runs {
            // Every pair of ten thousand points in each of hundreds of iterations.
            if how.ends_with("letter") && k > 2 {
                continue;
            }
            let (seconds, model) = fit(params, &set.0, &Links::new())?;
            let scores = Scores::of(&set.1, model.labels())?;
            println!(
                "{name}, {how:<24} {:.3} {:.3} {:>4} {:>5} {seconds:>8.2}  {}",
                scores.ari,
                scores.accuracy,
                model.n_clusters(),
                model.modes().n_points(),
                model.found().map(|found| found.to_string()).unwrap_or_default(),
            );
        }
    }
    Ok(())
}

/// ARI and seconds beside scikit-learn's `SpectralClustering`, k told.
fn sets(python: Option<&Path>, full: bool) -> Outcome<()> {
    println!("\nBeside scikit-learn, k told, min-max (2,000 of each embedding): ARI and seconds");
    println!(
        "set                n   k       ours       full matrix     nearest neighbours      rbf"
    );
    let moons = datasets::moons(500, 0.05, 0)?;
    let many = datasets::moons(10_000, 0.05, 0)?;
    let mut all = vec![
        ("moons", Some((moons.points, moons.labels))),
        ("moons 10k", Some((many.points, many.labels))),
    ];
    for name in ["aggregation", "jain", "s4", "digits", "pendigits", "usps"] {
        all.push((name, read(name, Scaling::MinMax)?));
    }
    for name in ["cms_mnist", "cms_fashion_mnist", "cms_gtsrb"] {
        all.push((name, read(name, Scaling::MinMax)?.map(|set| sample(&set, 2_000, 0))));
    }
    for (name, set) in all {
        let Some(set) = set else { continue };
        let mut classes = set.1.clone();
        classes.sort_unstable();
        classes.dedup();
        let (n, k) = (set.1.len(), classes.len());
        let told = SpectralParams { n_clusters: Some(k), ..Default::default() };
        let whole = SpectralParams { route: Route::Embedding, quantise: false, ..told.clone() };
        print!("{name:<18}{n:>6}{k:>4}");
        for params in [told, whole] {
            let (seconds, model) = fit(params, &set.0, &Links::new())?;
            print!("   {:.3} {seconds:>7.2}", adjusted_rand_index(&set.1, model.labels())?);
        }
        for affinity in ["nearest_neighbors", "rbf"] {
            match python {
                Some(python) if full || affinity != "rbf" || n <= 2_000 => {
                    let (seconds, _, labels) = scikit_learn(python, &set.0, k, affinity)?;
                    print!("       {:.3} {seconds:>7.2}", adjusted_rand_index(&set.1, &labels)?);
                }
                _ => print!("             –"),
            }
        }
        println!();
    }
    Ok(())
}

/// Seconds and memory by number of points.
fn scale() -> Outcome<()> {
    println!("\nGrowth, k told: seconds and ARI");
    println!("       n  crescents            blobs, 16 columns      peak memory so far");
    for n in [1_000, 4_000, 10_000, 30_000, 100_000] {
        print!("{n:>8}");
        let blobs = datasets::blobs(n, 16, 10, 1.0, 10.0, 1)?;
        for (set, k) in [(datasets::crescents(n, 0.1, 0.0, 1)?, 2), (blobs, 10)] {
            let params = SpectralParams { n_clusters: Some(k), ..Default::default() };
            let (seconds, model) = fit(params, &set.points, &Links::new())?;
            print!("  {seconds:>8.2} {:>9.4}", adjusted_rand_index(&set.labels, model.labels())?);
        }
        println!("   {}", memory::peak());
    }
    Ok(())
}

/// Table 1 of the CMS paper: as many links as points, min-max, ARI/NMI.
fn baselines(full: bool) -> Outcome<()> {
    let repeats = if full { 10 } else { 3 };
    println!("\nTable 1 of the CMS paper, {repeats} repeats: ARI/NMI, published beside ours");
    println!(
        "set              C-DBSCAN  published       constrained spectral  published       spectral with links"
    );
    let rows = [
        ("moons", [1.0, 1.0, 0.207, 0.194], 0.1),
        ("aggregation", [0.969, 0.968, 0.774, 0.766], 0.1),
        ("jain", [0.958, 0.937, 0.995, 0.989], 0.1),
        ("s4", [0.430, 0.653, 0.071, 0.243], 0.1),
        ("cms_mnist", [0.271, 0.561, 0.003, 0.043], 0.31),
        ("cms_fashion_mnist", [0.249, 0.490, 0.008, 0.057], 0.31),
        ("cms_gtsrb", [0.263, 0.532, 0.007, 0.056], 0.31),
    ];
    for (name, published, eps) in rows {
        let mut sums = [[0.0; 2]; 3];
        let mut counts = [0; 3];
        for seed in 0..repeats {
            let set = if name == "moons" {
                let moons = datasets::moons(500, 0.05, seed)?;
                let scaled = Scaler::fit(&moons.points, Scaling::MinMax).apply(&moons.points)?;
                Some((scaled, moons.labels))
            } else {
                read(name, Scaling::MinMax)?
            };
            let Some(set) = set else { break };
            let most = if name == "s4" { 1_000 } else { 2_000 };
            let set = if set.1.len() > most { sample(&set, most, seed) } else { set };
            let mut classes = set.1.clone();
            classes.sort_unstable();
            classes.dedup();
            let links = links::draw(&set.1, set.1.len(), seed)?;
            let params = CdbscanParams { eps, min_points: 2, ..Default::default() };
            let dbscan = Cdbscan::new(params)?.fit(&set.0, &links)?.labels().to_vec();
            let told =
                ConstrainedSpectralParams { n_clusters: classes.len(), ..Default::default() };
            // Two decompositions of 2,000 rows take half a minute.
            let cut = if set.1.len() <= 1_000 || seed < if full { 2 } else { 1 } {
                ConstrainedSpectral::new(told)?.fit(&set.0, &links)?.labels().to_vec()
            } else {
                Vec::new()
            };
            let params = SpectralParams { n_clusters: Some(classes.len()), ..Default::default() };
            let tree = Spectral::new(params)?.fit(&set.0, &links)?.labels().to_vec();
            let all = [&dbscan, &cut, &tree].into_iter().enumerate();
            for (at, labels) in all.filter(|(_, labels)| !labels.is_empty()) {
                sums[at][0] += adjusted_rand_index(&set.1, labels)?;
                sums[at][1] += nmi(&set.1, labels, Normalisation::Arithmetic)?;
                counts[at] += 1;
            }
        }
        if counts[0] == 0 {
            continue;
        }
        let mean = |at: usize| sums[at].map(|sum| sum / f64::from(counts[at]));
        let [dbscan, cut, tree] = [0, 1, 2].map(mean);
        println!(
            "{name:<18}{:.3}/{:.3}  {:.3}/{:.3}      {:.3}/{:.3}  {:.3}/{:.3}      {:.3}/{:.3}   (repeats: {counts:?})",
            dbscan[0],
            dbscan[1],
            published[0],
            published[1],
            cut[0],
            cut[1],
            published[2],
            published[3],
            tree[0],
            tree[1],
        );
    }
    Ok(())
}

fn fit(
    params: SpectralParams,
    points: &Points<'_, f64>,
    links: &Links,
) -> Outcome<(f64, SpectralModel<f64>)> {
    let method = Spectral::new(params)?;
    let start = Instant::now();
    let model = method.fit(points, links)?;
    Ok((start.elapsed().as_secs_f64(), model))
}

/// A set from outside, scaled.
fn read(name: &str, scaling: Scaling) -> Outcome<Option<Set>> {
    let Some((points, labels)) = data::read(name)? else { return Ok(None) };
    let values: Vec<f64> = points.values().iter().map(|&value| f64::from(value)).collect();
    let points = Points::new(values, points.n_features())?;
    Ok(Some((Scaler::fit(&points, scaling).apply(&points)?, labels)))
}

/// Some rows by seed.
fn sample(set: &Set, n: usize, seed: u64) -> Set {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let rows = index::sample(&mut rng, set.1.len(), n.min(set.1.len())).into_vec();
    (set.0.select(&rows), rows.iter().map(|&row| set.1[row]).collect())
}

/// Seconds, processor seconds and labels of scikit-learn, on all cores.
fn scikit_learn(
    python: &Path,
    points: &Points<'_, f64>,
    k: usize,
    affinity: &str,
) -> Outcome<(f64, f64, Vec<i64>)> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (points_file, labels_file) = (folder.join("points.f64"), folder.join("labels.txt"));
    let bytes: Vec<u8> = points.values().iter().flat_map(|value| value.to_le_bytes()).collect();
    fs::write(&points_file, bytes)?;
    let output = Command::new(python)
        .arg(SCRIPT)
        .arg(points_file)
        .args([points.n_features().to_string(), k.to_string(), affinity.to_string()])
        .arg(&labels_file)
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let text = String::from_utf8(output.stdout)?;
    let seconds = text.split_whitespace().map(str::parse).collect::<Result<Vec<f64>, _>>()?;
    let [seconds, processor] = seconds[..] else { return Err("two numbers expected".into()) };
    let labels = fs::read_to_string(labels_file)?;
    Ok((seconds, processor, labels.lines().map(str::parse).collect::<Result<_, _>>()?))
}
