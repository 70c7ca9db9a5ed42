//! Kernel mean shift: the paper's figures, its speed, many points: `cargo xtask bench kernel`.
//!
//! Parts by name: `figures`, `speed`, `large`; all of them if none is named.

#![allow(clippy::print_stdout)] // a bench prints its table

#[path = "support/data.rs"]
mod data;
#[path = "support/growth.rs"]
mod growth;
#[path = "support/histograms.rs"]
mod histograms;
#[path = "support/memory.rs"]
mod memory;
#[path = "support/timing.rs"]
mod timing;

use linkshift::cms::Representatives;
use linkshift::kernel_mean_shift::{
    Dimension, KernelMeanShift, KernelMeanShiftModel, KernelMeanShiftParams, Mercer, Neighbor,
    naive,
};
use linkshift::scores::{accuracy, adjusted_rand_index};
use linkshift::{Links, Points, Real, datasets};
use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;
use std::error::Error;
use std::time::Instant;
use timing::best_of;

type Pairs = Vec<(usize, usize)>;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let wanted = |part: &str| args.is_empty() || args.iter().any(|arg| arg == part);
    if wanted("figures") {
        lines()?;
        circles()?;
        faces()?;
        objects()?;
    }
    if wanted("speed") {
        speed()?;
    }
    if wanted("large") {
        large()?;
    }
    Ok(())
}

fn gaussian(sigma: Option<f64>, k: usize) -> KernelMeanShiftParams {
    KernelMeanShiftParams {
        kernel: Mercer::Gaussian { sigma },
        neighbor: Neighbor::Kth(k),
        ..Default::default()
    }
}

fn fit<T: Real>(
    params: &KernelMeanShiftParams,
    points: &Points<'_, T>,
    must: &[(usize, usize)],
) -> linkshift::Result<KernelMeanShiftModel<T>> {
    KernelMeanShift::new(params.clone())?.fit(points, &Links::from_pairs(must, &[]))
}

/// Accuracy on the points that have a class, and the clusters among them.
fn on_classes(truth: &[i64], labels: &[i64]) -> linkshift::Result<(f64, usize)> {
    let rows = (0..truth.len()).filter(|&row| truth[row] >= 0);
    let (truth, labels): (Vec<i64>, Vec<i64>) = rows.map(|row| (truth[row], labels[row])).unzip();
    let mut clusters = labels.clone();
    clusters.sort_unstable();
    clusters.dedup();
    Ok((accuracy(&truth, &labels)?, clusters.len()))
}

fn rows_of(labels: &[i64], class: i64) -> Vec<usize> {
    (0..labels.len()).filter(|&row| labels[row] == class).collect()
}

/// Figure 3: σ = 5, k = 20, a link between the two ends of one line of each orientation.
fn lines() -> Result<(), Box<dyn Error>> {
    println!("Lines, 240 points, three must-links, ten draws: mean accuracy (clusters of each)");
    println!("     d  factor   plain                     constrained");
    for (dimension, factor) in [
        (Dimension::Effective, None),
        (Dimension::Fixed(0.0), Some(1.0)),
        (Dimension::Fixed(3.0), Some(0.5)),
        (Dimension::Rank, Some(1.0)),
        (Dimension::Rank, Some(0.5)),
    ] {
        let params = KernelMeanShiftParams {
            dimension,
            bandwidth_factor: factor,
            ..gaussian(Some(5.0), 20)
        };
        let mut found = [Vec::new(), Vec::new()];
        for seed in 0..10 {
            let set = datasets::lines(240, 0.1, seed)?;
            let must: Pairs =
                [0, 2, 4].map(|line| ends(&set.points, &rows_of(&set.labels, line))).to_vec();
            for (found, must) in found.iter_mut().zip([&Pairs::new(), &must]) {
                found.push(on_classes(&set.labels, fit(&params, &set.points, must)?.labels())?);
            }
        }
        let [plain, constrained] = found.map(|found| told(&found));
        println!("{:>6}{:>8}   {plain}   {constrained}", name(dimension), times(factor));
    }
    Ok(())
}

/// Figure 4: k = 20, five points of one circle linked in a chain. The outliers are not scored.
fn circles() -> Result<(), Box<dyn Error>> {
    println!("\nCircles, 200 points and 80 outliers, four must-links on one circle, ten draws");
    println!("    σ   k     d  factor  radius   plain                     constrained");
    for (sigma, k, dimension, factor, circle) in [
        (5.0, 20, Dimension::Effective, None, 4),
        (5.0, 20, Dimension::Rank, Some(1.0), 4),
        (5.0, 20, Dimension::Fixed(0.0), Some(1.0), 4),
        (12.0, 20, Dimension::Fixed(0.0), Some(0.6), 4),
        (18.0, 20, Dimension::Effective, None, 4),
        (18.0, 20, Dimension::Fixed(0.0), Some(1.0), 4),
        (18.0, 20, Dimension::Fixed(0.0), Some(0.8), 4),
        (18.0, 20, Dimension::Fixed(0.0), Some(0.8), 3),
        (18.0, 20, Dimension::Fixed(0.0), Some(0.8), 2),
    ] {
        let params = KernelMeanShiftParams {
            dimension,
            bandwidth_factor: factor,
            ..gaussian(Some(sigma), k)
        };
        let mut found = [Vec::new(), Vec::new()];
        for seed in 0..10 {
            let set = datasets::circles(200, 80, 0.1, seed)?;
            let must = around(&set.points, rows_of(&set.labels, circle));
            for (found, must) in found.iter_mut().zip([&Pairs::new(), &must]) {
                found.push(on_classes(&set.labels, fit(&params, &set.points, must)?.labels())?);
            }
        }
        let (name, factor, radius) = (name(dimension), times(factor), circle + 1);
        let [plain, constrained] = found.map(|found| told(&found));
        println!("{sigma:>5}{k:>4}{name:>6}{factor:>8}{radius:>8}   {plain}   {constrained}");
    }
    Ok(())
}

/// The two rows farthest from each other.
fn ends(points: &Points<'_, f64>, rows: &[usize]) -> (usize, usize) {
    let apart = |&(a, b): &(usize, usize)| -> f64 {
        points.row(a).iter().zip(points.row(b)).map(|(a, b)| (a - b).powi(2)).sum()
    };
    let pairs = rows.iter().flat_map(|&a| rows.iter().map(move |&b| (a, b)));
    pairs.max_by(|x, y| apart(x).total_cmp(&apart(y))).unwrap_or_default()
}

/// Five of the rows, evenly spread by angle, in a chain.
fn around(points: &Points<'_, f64>, mut rows: Vec<usize>) -> Pairs {
    let angle = |row: usize| points.row(row)[1].atan2(points.row(row)[0]);
    rows.sort_by(|&a, &b| angle(a).total_cmp(&angle(b)));
    let marked: Vec<usize> = (0..5).map(|at| rows[rows.len() * at / 5]).collect();
    marked.windows(2).map(|pair| (pair[0], pair[1])).collect()
}

fn name(dimension: Dimension) -> String {
    match dimension {
        Dimension::Rank => "rank".into(),
        Dimension::Effective => "auto".into(),
        Dimension::Fixed(d) => format!("{d}"),
    }
}

fn times(factor: Option<f64>) -> String {
    factor.map_or_else(|| "auto".into(), |factor| format!("{factor}"))
}

fn told(found: &[(f64, usize)]) -> String {
    let mean = found.iter().map(|(accuracy, _)| accuracy).sum::<f64>() / found.len() as f64;
    let clusters: Vec<String> = found.iter().map(|(_, clusters)| clusters.to_string()).collect();
    format!("{mean:.3} ({})", clusters.join(" "))
}

/// Figure 6: four fixed illuminations of each subject, linked by two pairs or in a chain; mean over
/// several choices of the four. σ is the mean distance.
fn faces() -> Result<(), Box<dyn Error>> {
    println!("\nFaces, must-links between four illuminations per subject: accuracy (clusters)");
    println!(
        "set               k     d  factor   plain         two links                 chain of three"
    );
    for (set, chosen) in [
        ("pie10_21_55x44", vec![[0, 5, 10, 15], [2, 7, 12, 18], [0, 7, 14, 20], [3, 8, 13, 17]]),
        ("pie68_22x22", vec![[0, 3, 5, 8], [1, 4, 6, 9]]),
    ] {
        let Some((points, labels)) = data::read(set)? else { continue };
        let per_class = labels.len() / (labels.iter().max().map_or(0, |&most| most as usize) + 1);
        for (k, dimension, factor) in settings_for_faces(per_class) {
            let params =
                KernelMeanShiftParams { dimension, bandwidth_factor: factor, ..gaussian(None, k) };
            let plain = on_classes(&labels, fit(&params, &points, &[])?.labels())?;
            let mut found = [Vec::new(), Vec::new()];
            for four in &chosen {
                let rows = |class: i64| four.map(|at| rows_of(&labels, class)[at]);
                let classes = 0..=labels.iter().copied().max().unwrap_or(0);
                let four: Vec<[usize; 4]> = classes.map(rows).collect();
                let two: Pairs = four.iter().flat_map(|&[a, b, c, d]| [(a, b), (c, d)]).collect();
                let chain: Pairs =
                    four.iter().flat_map(|&[a, b, c, d]| [(a, b), (b, c), (c, d)]).collect();
                for (found, must) in found.iter_mut().zip([two, chain]) {
                    found.push(on_classes(&labels, fit(&params, &points, &must)?.labels())?);
                }
            }
            let (name, factor) = (name(dimension), times(factor));
            let [two, chain] = found.map(|found| told(&found));
            println!("{set:<15}{k:>4}{name:>6}{factor:>8}   {}   {two}   {chain}", told(&[plain]));
        }
    }
    Ok(())
}

/// The neighbour at the end of a class; with the paper's text, by default, and by hand.
fn settings_for_faces(per_class: usize) -> Vec<(usize, Dimension, Option<f64>)> {
    let k = per_class - 1;
    vec![
        (k, Dimension::Rank, Some(1.0)),
        (k, Dimension::Fixed(0.0), Some(1.0)),
        (k, Dimension::Fixed(3.0), Some(0.3)),
        (k, Dimension::Fixed(10.0), Some(0.3)),
        (k, Dimension::Effective, Some(0.3)),
        (k, Dimension::Effective, None),
    ]
}

/// Figure 9: 400 histograms of four classes, χ² kernel, links per class drawn at random, 20 draws;
/// with the defaults, and with the paper's text (d = rank, no factor).
fn objects() -> Result<(), Box<dyn Error>> {
    println!(
        "\nHistograms of edge directions, four digits, χ² kernel: mean error of 20 draws (clusters)"
    );
    let Some((images, all_labels)) = data::read("usps")? else { return Ok(()) };
    println!("digits        settings   links per class: 0 1 3 5 7 10");
    for classes in [[0, 1, 2, 3], [1, 4, 7, 9]] {
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        let mut rows = Vec::new();
        for class in classes {
            let of_class = rows_of(&all_labels, class);
            rows.extend(index::sample(&mut rng, of_class.len(), 100).iter().map(|at| of_class[at]));
        }
        let labels: Vec<i64> = rows.iter().map(|&row| all_labels[row]).collect();
        let points = histograms::of_edges(&images.select(&rows), 16, 4, 9)?;
        let by_default = KernelMeanShiftParams { kernel: Mercer::ChiSquared, ..Default::default() };
        let by_text = KernelMeanShiftParams {
            dimension: Dimension::Rank,
            bandwidth_factor: Some(1.0),
            ..by_default.clone()
        };
        for (name, params) in [("default", by_default), ("text", by_text)] {
            print!("{classes:?}{name:>10}");
            for n_links in [0, 1, 3, 5, 7, 10] {
                let n_draws = if n_links == 0 { 1 } else { 20 };
                let (mut error, mut clusters) = (0.0, 0.0);
                for seed in 0..n_draws {
                    let must = draw_per_class(&labels, &classes, n_links, seed);
                    let (right, n) = on_classes(&labels, fit(&params, &points, &must)?.labels())?;
                    error += (1.0 - right) / n_draws as f64;
                    clusters += n as f64 / n_draws as f64;
                }
                print!("   {error:.3} ({clusters:.1})");
            }
            println!();
        }
    }
    Ok(())
}

fn draw_per_class(labels: &[i64], classes: &[i64], n_links: usize, seed: u64) -> Pairs {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut must = Vec::new();
    for &class in classes {
        let rows = rows_of(labels, class);
        for _ in 0..n_links {
            let pair = index::sample(&mut rng, rows.len(), 2);
            must.push((rows[pair.index(0)], rows[pair.index(1)]));
        }
    }
    must
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
    let factor = model.effective_dimension().sqrt().recip();
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
    println!("\nLarge: 50,000 points, Gaussian kernel of mean distance (bars: 120 s, 4,096 MiB)");
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

fn draw(n: usize) -> linkshift::Result<datasets::Dataset> {
    datasets::lines(n, 0.1, 1)
}
