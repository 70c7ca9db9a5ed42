//! Kernel mean shift: its speed, many points: `cargo xtask bench kernel`. The paper's figures are in
//! `linkshift-papers`.
//!
//! Parts by name: `speed`, `large`, `learned`; all of them if none is named. `sets` and `faces` tell how good
//! it is on labelled sets (`support/kernel_sets.rs`), and run only if named.

#![allow(clippy::print_stdout)] // a bench prints its table

#[allow(dead_code)] // drawn sets are for the default method's bench
#[path = "support/auto_sets.rs"]
mod auto_sets;
#[path = "support/cpu.rs"]
mod cpu;
#[path = "support/data.rs"]
mod data;
#[path = "support/growth.rs"]
mod growth;
#[path = "support/kernel_sets.rs"]
mod kernel_sets;
#[path = "support/memory.rs"]
mod memory;
#[path = "support/timing.rs"]
mod timing;

use linkshift::cms::Representatives;
use linkshift::kernel_mean_shift::{
    KernelMeanShift, KernelMeanShiftModel, KernelMeanShiftParams, KernelMetric, naive,
};
use linkshift::params::Named;
use linkshift::scores::adjusted_rand_index;
use linkshift::{Links, Points, Real, datasets};
use std::error::Error;
use std::time::Instant;
use timing::best_of;

fn main() -> Result<(), Box<dyn Error>> {
    let (options, args): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|arg| arg.starts_with("--"));
    let named = |part: &str| args.iter().any(|arg| arg == part);
    if named("sets") {
        kernel_sets::sets(&kernel_sets::Wishes::new(&options)?)?;
    }
    if named("faces") {
        kernel_sets::faces(&kernel_sets::Wishes::new(&options)?)?;
    }
    let wanted = |part: &str| args.is_empty() || named(part);
    if wanted("speed") {
        speed()?;
    }
    if wanted("large") {
        large()?;
    }
    if wanted("learned") {
        learned()?;
    }
    Ok(())
}

fn fit<T: Real>(
    params: &KernelMeanShiftParams,
    points: &Points<'_, T>,
    must: &[(usize, usize)],
) -> linkshift::Result<KernelMeanShiftModel<T>> {
    KernelMeanShift::new(params.clone())?.fit(points, &Links::from_pairs(must, &[]))
}

/// The paper counts 20 to 30 iterations per point; some are timed and multiplied.
const PAPER_ITERATIONS: f64 = 25.0;
const TIMED: usize = 3;

/// The literal equations against the fast path, and how the fast path grows.
fn speed() -> Result<(), Box<dyn Error>> {
    println!("\nSpeed: lines, Gaussian, two must-links, all cores (seconds)");
    let links = [(0, 1), (2, 3)];
    let params =
        KernelMeanShiftParams { representatives: Representatives::Never, ..Default::default() };
    let set = draw(400)?;
    let (ours, model) = best_of(5, || fit(&params, &set.points, &links));
    let model = model?;
    let start = Instant::now();
    let matrix = naive::project(&naive::kernel_matrix(&set.points, model.kernel()), &links)?;
    let h = naive::bandwidths(&matrix, params.neighbor.k(400));
    let factor = (model.effective_dimension() + 2.0).sqrt().recip();
    let h: Vec<f64> = h.iter().map(|h| h * factor).collect();
    let setting_up = start.elapsed().as_secs_f64();
    let start = Instant::now();
    naive::climb(&matrix, &h, model.effective_dimension(), 0.0, TIMED);
    let literal = setting_up + start.elapsed().as_secs_f64() * PAPER_ITERATIONS / TIMED as f64;
    let n_iter = model.n_iter();
    println!(
        "n = 400: literal {literal:.2} (25 iterations), ours {ours:.4} ({n_iter}): {:.0}×",
        literal / ours
    );

    println!(
        "       n   exact s  rank  clusters   gathered s  clusters  ARI of the two  peak memory so far"
    );
    let mut measured = Vec::new();
    for n in [400, 800, 1_600, 3_200, 6_400] {
        let set = draw(n)?;
        let (exact, model) = best_of(2, || fit(&params, &set.points, &links));
        let model = model?;
        let gathered =
            KernelMeanShiftParams { representatives: Representatives::Auto, ..params.clone() };
        let (seconds, other) = best_of(2, || fit(&gathered, &set.points, &links));
        let other = other?;
        measured.push((n, exact));
        println!(
            "{n:>8}{exact:>10.3}{:>6}{:>10}{seconds:>13.3}{:>10}{:>16.4}   {}",
            model.rank(),
            model.n_clusters(),
            other.n_clusters(),
            adjusted_rand_index(model.labels(), other.labels())?,
            memory::peak()
        );
    }
    println!("exponent{:>10.2}", growth::exponent(&measured));
    Ok(())
}

/// 50,000 points, of which K would take 20 GB.
fn large() -> Result<(), Box<dyn Error>> {
    println!("\nLarge: 50,000 points, Gaussian kernel (bars: 120 s, 4,096 MiB)");
    println!("columns  rank given  rank  left out  seconds    ARI  clusters  peak memory so far");
    for (d, rank) in [(2, 1_000), (10, 100)] {
        let set = datasets::blobs(50_000, d, 10, 1.0, 10.0, 1)?;
        let params = KernelMeanShiftParams { rank, ..Default::default() };
        let start = Instant::now();
        let model = fit(&params, &set.points, &[(0, 1), (5_000, 5_001)])?;
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{d:>7}{rank:>12}{:>6}{:>10.1e}{seconds:>9.1}{:>7.3}{:>10}   {}",
            model.rank(),
            model.left_out(),
            adjusted_rand_index(&set.labels, model.labels())?,
            model.n_clusters(),
            memory::peak()
        );
    }
    Ok(())
}

/// Links of both kinds, by projection and learned.
fn learned() -> Result<(), Box<dyn Error>> {
    println!("\nLearned: random links of both kinds (bars: 10 s, 30 s, 2,048 MiB)");
    println!(
        "       n  columns  links      metric  cpu s    ARI  clusters  broken  peak memory so far"
    );
    for (n, d, n_links, metrics) in [
        (2_000, 256, 2_000, &[KernelMetric::LogDet][..]),
        (50_000, 10, 500, &[KernelMetric::LogDet]),
        (1_000, 10, 1_000, &[KernelMetric::LogDet, KernelMetric::Projection]),
    ] {
        let set = datasets::blobs(n, d, 10, 1.0, 5.0, 1)?;
        let links = linkshift::links::draw(&set.labels, n_links, 1)?;
        for &metric in metrics {
            let params = KernelMeanShiftParams { metric: Some(metric), ..Default::default() };
            let start = cpu::seconds().unwrap_or_default();
            let model = KernelMeanShift::new(params)?.fit(&set.points, &links)?;
            let seconds = cpu::seconds().unwrap_or_default() - start;
            println!(
                "{n:>8}{d:>9}{n_links:>7}{:>12}{seconds:>9.1}{:>7.3}{:>10}{:>8}   {}",
                metric.name(),
                adjusted_rand_index(&set.labels, model.labels())?,
                model.n_clusters(),
                model.link_report().broken.len(),
                memory::peak()
            );
        }
    }
    Ok(())
}

fn draw(n: usize) -> linkshift::Result<datasets::Dataset> {
    datasets::lines(n, 0.1, 1)
}
