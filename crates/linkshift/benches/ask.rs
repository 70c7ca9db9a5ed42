//! What answers are worth, by who chose the questions: `cargo xtask bench ask`.
//!
//! Answers come from the known classes, points are min-max scaled, nothing is tuned by set. Three
//! seeds where there is chance, ten with `--full`. Sets by name; all of them if none is named. Parts
//! by name, all of them if none is named: `choosers`, `errors` (answers that are wrong now and then),
//! `finish` (the fit at the end), `kinds` (placing beside pairs, by interaction), `latency` (seconds of a question),
//! `peers` (COBRAS on every set).

#![allow(clippy::print_stdout)] // a bench prints its table

#[path = "support/asking.rs"]
mod asking;
#[path = "support/cobras.rs"]
mod cobras;
#[path = "support/data.rs"]
mod data;

use linkshift::ask::{self, Asker, Chooser, KnownLabels};
use linkshift::cms::{Cms, CmsParams};
use linkshift::scores::adjusted_rand_index;
use linkshift::{Points, Scaler, Scaling};
use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

const SETS: [&str; 7] =
    ["iris", "wine", "ionosphere", "dermatology", "segmentation", "digits", "cms_mnist"];

/// After so many answers the clusterings are compared with the classes.
const AFTER: [usize; 4] = [25, 50, 100, 200];

/// ARI after each number of answers, and the seconds of the questions alone.
type Curve = ([f64; 4], f64);

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let python = args.iter().position(|arg| arg == "--python").and_then(|at| args.get(at + 1));
    let python = python.map(PathBuf::from);
    let n_seeds = if args.iter().any(|arg| arg == "--full") { 10 } else { 3 };
    let any_part = asking::PARTS.iter().any(|part| args.iter().any(|arg| arg == part));
    let wants = |part: &str| !any_part || args.iter().any(|arg| arg == part);
    if wants("errors") {
        asking::errors(&args, n_seeds)?;
    }
    if wants("finish") {
        asking::finish(&args)?;
    }
    if wants("kinds") {
        asking::kinds()?;
    }
    if wants("peers") {
        asking::peers(&args, python.as_deref(), n_seeds)?;
    }
    if wants("latency") {
        asking::latency(args.iter().any(|arg| arg == "--full"))?;
    }
    if !wants("choosers") {
        return Ok(());
    }
    println!("ARI after 25, 50, 100, 200 answers (mean of {n_seeds} seeds where there is chance)");
    let named = |name: &&str| args.iter().any(|arg| arg == name);
    let any_named = SETS.iter().any(named);
    for name in SETS.into_iter().filter(|name| !any_named || named(name)) {
        let Some((points, labels)) = data::read(name)? else { continue };
        let (points, labels) = at_most_2_000_of_mnist(name, points, labels);
        let points = Scaler::fit(&points, Scaling::MinMax).apply(&points)?;
        println!("\n{name}, {} points", points.n_points());
        println!("chooser              clustering      25     50    100    200   s");
        for chooser in Chooser::ALL {
            let n_seeds = match chooser {
                Chooser::Border | Chooser::Npu => 1, // nothing in them is drawn
                _ => n_seeds,
            };
            let by_walk = mean(n_seeds, |seed| by_walk(chooser, &points, &labels, seed))?;
            show(chooser.name(), "walk", by_walk);
            if matches!(chooser, Chooser::Border | Chooser::Random) {
                let by_cms = mean(n_seeds, |seed| by_cms(chooser, &points, &labels, seed))?;
                show(chooser.name(), "cms", by_cms);
            }
        }
        match &python {
            None => println!("COBRAS: no --python, skipped"),
            Some(python) => {
                let theirs = |seed| by_cobras(python, &points, &labels, seed);
                show("COBRAS", "its own", mean(n_seeds, theirs)?);
            }
        }
        settled(&points, &labels)?;
    }
    Ok(())
}

fn at_most_2_000_of_mnist(
    name: &str,
    points: Points<'static, f32>,
    labels: Vec<i64>,
) -> (Points<'static, f32>, Vec<i64>) {
    let most = if name == "cms_mnist" { 2_000 } else { usize::MAX };
    at_most(most, points, labels)
}

pub(crate) fn at_most(
    most: usize,
    points: Points<'static, f32>,
    labels: Vec<i64>,
) -> (Points<'static, f32>, Vec<i64>) {
    if labels.len() <= most {
        return (points, labels);
    }
    let rows = index::sample(&mut ChaCha8Rng::seed_from_u64(0), labels.len(), most).into_vec();
    (points.select(&rows), rows.iter().map(|&row| labels[row]).collect())
}

/// The answers spread by the walk.
fn by_walk(
    chooser: Chooser,
    points: &Points<'_, f32>,
    labels: &[i64],
    seed: u64,
) -> Result<Curve, Box<dyn Error>> {
    curve(chooser, points, labels, seed, |asker| Ok(asker.labels()))
}

/// The answers as links for constrained mean shift, by its defaults.
fn by_cms(
    chooser: Chooser,
    points: &Points<'_, f32>,
    labels: &[i64],
    seed: u64,
) -> Result<Curve, Box<dyn Error>> {
    let cms = Cms::new(CmsParams::default())?;
    let cluster = |asker: &Asker<'_, f32>| Ok(cms.fit(points, &asker.links())?.labels().to_vec());
    curve(chooser, points, labels, seed, cluster)
}

fn curve(
    chooser: Chooser,
    points: &Points<'_, f32>,
    labels: &[i64],
    seed: u64,
    cluster: impl Fn(&Asker<'_, f32>) -> linkshift::Result<Vec<i64>>,
) -> Result<Curve, Box<dyn Error>> {
    let mut asker = Asker::new(points.clone(), chooser, seed)?;
    let mut oracle = KnownLabels::new(labels.to_vec());
    let mut aris = [0.0; 4];
    let mut seconds = 0.0;
    for (ari, n_answers) in aris.iter_mut().zip(AFTER) {
        let start = Instant::now();
        ask::run(&mut asker, &mut oracle, n_answers, |_| Ok(()))?;
        seconds += start.elapsed().as_secs_f64();
        *ari = adjusted_rand_index(labels, &cluster(&asker)?)?;
    }
    Ok((aris, seconds))
}

fn by_cobras(
    python: &Path,
    points: &Points<'_, f32>,
    labels: &[i64],
    seed: u64,
) -> Result<Curve, Box<dyn Error>> {
    let (seconds, clusterings) = cobras::run(python, points, labels, seed, &AFTER)?;
    let mut aris = [0.0; 4];
    for (ari, theirs) in aris.iter_mut().zip(&clusterings) {
        *ari = adjusted_rand_index(labels, theirs)?;
    }
    Ok((aris, seconds))
}

/// When the border chooser first says that answers change little, and how good it is by then.
fn settled(points: &Points<'_, f32>, labels: &[i64]) -> Result<(), Box<dyn Error>> {
    let mut asker = Asker::new(points.clone(), Chooser::Border, 0)?;
    let mut oracle = KnownLabels::new(labels.to_vec());
    for n_answers in (20..=400).step_by(10) {
        ask::run(&mut asker, &mut oracle, n_answers, |_| Ok(()))?;
        if asker.outlook().settled {
            let ari = adjusted_rand_index(labels, &asker.labels())?;
            println!("border calls it settled after {n_answers} answers, at ARI {ari:.3}");
            return Ok(());
        }
    }
    println!("border does not call it settled within 400 answers");
    Ok(())
}

fn mean(
    n_seeds: u64,
    run: impl Fn(u64) -> Result<Curve, Box<dyn Error>>,
) -> Result<Curve, Box<dyn Error>> {
    let (mut aris, mut seconds) = ([0.0; 4], 0.0);
    for seed in 0..n_seeds {
        let (one, took) = run(seed)?;
        aris.iter_mut().zip(one).for_each(|(sum, ari)| *sum += ari / n_seeds as f64);
        seconds += took / n_seeds as f64;
    }
    Ok((aris, seconds))
}

fn show(chooser: &str, clustering: &str, (aris, seconds): Curve) {
    let aris: String = aris.iter().map(|ari| format!("{ari:>7.3}")).collect();
    println!("{chooser:<21}{clustering:<10}{aris}{seconds:>6.1}");
}
