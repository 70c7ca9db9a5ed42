//! Constrained mean shift against its literal path, its growth, what the pull costs: `cargo xtask bench cms`.
//!
//! Parts by name: `speed`, `scale`, `labels`, `pull`; all of them if none is named.

#![allow(clippy::print_stdout)] // a bench prints its table

#[path = "support/data.rs"]
mod data;
#[path = "support/growth.rs"]
mod growth;
#[path = "support/memory.rs"]
mod memory;

use linkshift::cms::{Cms, CmsModel, CmsParams, Representatives, naive};
use linkshift::scores::adjusted_rand_index;
use linkshift::{Links, Points, Scaler, Scaling, datasets, links};
use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;
use std::error::Error;
use std::time::Instant;

/// Times that a fit is repeated where two are compared.
const RUNS: usize = 2;

type Set = (Points<'static, f32>, Vec<i64>);

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let wanted = |part: &str| args.is_empty() || args.iter().any(|arg| arg == part);
    if wanted("speed") {
        speed()?;
    }
    if wanted("scale") {
        scale()?;
    }
    if wanted("labels") {
        labels()?;
    }
    if wanted("pull") {
        pull()?;
    }
    Ok(())
}

/// The fast path on all cores against the literal one, whose iterations all cost the same: a few
/// of them are timed and multiplied.
fn speed() -> Result<(), Box<dyn Error>> {
    println!("Speed against the literal equations (f32, links = points)");
    println!("set            n   pairs  iterations  literal s (of)      ours s    ratio    ARI");
    let moons = datasets::moons(500, 0.05, 0)?;
    let moons = Some((moons.cast::<f32>()?, moons.labels));
    let sets = [
        ("moons", moons, CmsParams::paper_toy(), 4),
        ("mnist", sample_of("cms_mnist", 2_000, 0)?, CmsParams::paper_embedding(), 2),
    ];
    for (name, set, params, n_timed) in sets {
        let Some(set) = set else { continue };
        let (points, links) = prepare(&set, set.1.len(), 0)?;
        let pairs: Vec<_> = links.close(points.n_points())?.directed_cannot().collect();
        let (ours, model) = fit(&params, &points, &links)?;
        let start = Instant::now();
        naive::fit(&points, &pairs, &model.bandwidths()[..n_timed], &params, &mut |_, _| ());
        // The label step builds the weights once more: one iteration's cost.
        let each = start.elapsed().as_secs_f64() / (n_timed + 1) as f64;
        let literal = each * (model.n_iter() + 1) as f64;
        println!(
            "{name:<8}{:>8}{:>8}{:>12}{literal:>11.1} ({n_timed:>2}){ours:>14.3}{:>8.0}×{:>7.3}",
            points.n_points(),
            pairs.len(),
            model.n_iter(),
            literal / ours,
            adjusted_rand_index(&set.1, model.labels())?,
        );
    }
    Ok(())
}

/// Seconds, memory and ARI by number of points, exact beside representatives.
fn scale() -> Result<(), Box<dyn Error>> {
    println!("\nScale: MNIST embeddings, all cores (exact up to 8,000 points)");
    println!(
        "     n   links   exact s    ARI    gathered s    ARI  clusters  broken   peak so far"
    );
    let (mut exact_grows, mut gathered_grows) = (Vec::new(), Vec::new());
    for (n, n_links) in [
        (2_000, 2_000),
        (4_000, 2_000),
        (8_000, 2_000),
        (16_000, 2_000),
        (32_000, 2_000),
        (60_000, 2_000),
        (60_000, 20_000),
    ] {
        let Some(set) = sample_of("cms_mnist", n, 0)? else { return Ok(()) };
        let (points, links) = prepare(&set, n_links, 0)?;
        print!("{n:>6}{n_links:>8}");
        if n <= 8_000 {
            let exact = CmsParams {
                representatives: Representatives::Never,
                ..CmsParams::paper_embedding()
            };
            let (seconds, model) = fit(&exact, &points, &links)?;
            exact_grows.push((n, seconds));
            print!("{seconds:>10.2}{:>7.3}", adjusted_rand_index(&set.1, model.labels())?);
        } else {
            print!("{:>10}{:>7}", "-", "-");
        }
        let gathered =
            CmsParams { representatives: Representatives::Auto, ..CmsParams::paper_embedding() };
        let (seconds, model) = fit(&gathered, &points, &links)?;
        if n_links == 2_000 {
            gathered_grows.push((n, seconds));
        }
        let ari = adjusted_rand_index(&set.1, model.labels())?;
        let broken = model.link_report().broken.len();
        println!(
            "{seconds:>14.2}{ari:>7.3}{:>10}{broken:>8}   {}",
            model.n_clusters(),
            memory::peak()
        );
    }
    println!(
        "exponents: exact {:.2}, gathered {:.2}",
        growth::exponent(&exact_grows),
        growth::exponent(&gathered_grows)
    );
    Ok(())
}

/// Partial labels instead of links: what the cap on pairs per pair of groups saves and costs.
fn labels() -> Result<(), Box<dyn Error>> {
    println!("\nPartial labels, 2,000 points: the cap on pairs of points per pair of classes");
    println!("set    labelled     cap  pairs left out  seconds    ARI  clusters");
    let moons = datasets::moons(2_000, 0.1, 0)?;
    let moons = Some((moons.cast::<f32>()?, moons.labels));
    let sets = [
        ("moons", moons, CmsParams::paper_toy()),
        ("mnist", sample_of("cms_mnist", 2_000, 0)?, CmsParams::paper_embedding()),
    ];
    for (name, set, params) in &sets {
        let Some(set) = set else { continue };
        let (points, _) = prepare(set, 0, 0)?;
        for n_labelled in [200, 400, 800] {
            let known =
                index::sample(&mut ChaCha8Rng::seed_from_u64(1), points.n_points(), n_labelled);
            let mut partial = vec![-1; points.n_points()];
            known.into_iter().for_each(|row| partial[row] = set.1[row]);
            let mut links = Links::new();
            links.add_labels(&partial)?;
            for link_cap in [100, 1_000, 20_000] {
                let params = CmsParams { link_cap, ..params.clone() };
                let (seconds, model) = fit(&params, &points, &links)?;
                println!(
                    "{name:<8}{n_labelled:>7}{link_cap:>8}{:>16}{seconds:>9.2}{:>7.3}{:>10}",
                    model.pairs_left_out(),
                    adjusted_rand_index(&set.1, model.labels())?,
                    model.n_clusters(),
                );
            }
        }
    }
    Ok(())
}

/// What the pull of must-links costs and brings: the paper's settings, the same with the pull, and
/// the defaults; from few links to many.
fn pull() -> Result<(), Box<dyn Error>> {
    println!(
        "\nThe pull of must-links, all cores (seconds of the best of {RUNS}, of one above 5,000 links; ARI)"
    );
    println!(
        "set                      n   links   paper s    ARI   with pull    ARI   ratio   default s    ARI  clusters  broken"
    );
    for (name, n, n_links) in [
        ("moons", 500, 500),
        ("cms_mnist", 2_000, 2_000),
        ("cms_mnist", 4_000, 2_000),
        ("cms_mnist", 4_000, 4_000),
        ("cms_mnist", 4_000, 8_000),
        ("cms_mnist", 60_000, 2_000),
        ("cms_mnist", 60_000, 20_000),
        ("cms_gtsrb", 9_660, 2_000),
        ("cms_gtsrb", 9_660, 9_660),
        ("stackoverflow_wl256", 2_000, 2_000),
    ] {
        let (set, paper, scaling) = match name {
            "moons" => {
                let moons = datasets::moons(n, 0.05, 0)?;
                let set = (moons.cast::<f32>()?, moons.labels);
                (Some(set), CmsParams::paper_toy(), Scaling::MinMax)
            }
            // Embeddings of texts are compared by their angle.
            "stackoverflow_wl256" => {
                (sample_of(name, n, 0)?, CmsParams::paper_embedding(), Scaling::Unit)
            }
            _ => (sample_of(name, n, 0)?, CmsParams::paper_embedding(), Scaling::MinMax),
        };
        let Some((points, truth)) = set else { continue };
        let points = Scaler::fit(&points, scaling).apply(&points)?;
        let links = links::draw(&truth, n_links, 0)?;
        let ours = CmsParams::default();
        let paper = CmsParams { representatives: Representatives::Auto, ..paper };
        let pulled = CmsParams {
            must_strength: ours.must_strength,
            must_range: ours.must_range,
            ..paper.clone()
        };
        let n_runs = if n_links > 5_000 { 1 } else { RUNS };
        let best = |params: &CmsParams| -> Result<(f64, f64, CmsModel<f32>), Box<dyn Error>> {
            let (mut least, mut model) = fit(params, &points, &links)?;
            for _ in 1..n_runs {
                let (seconds, again) = fit(params, &points, &links)?;
                least = least.min(seconds);
                model = again;
            }
            let ari = adjusted_rand_index(&truth, model.labels())?;
            Ok((least, ari, model))
        };
        let (paper_s, paper_ari, _) = best(&paper)?;
        let (pulled_s, pulled_ari, _) = best(&pulled)?;
        let (ours_s, ours_ari, model) = best(&ours)?;
        println!(
            "{name:<20}{n:>6}{n_links:>8}{paper_s:>10.2}{paper_ari:>7.3}{pulled_s:>12.2}{pulled_ari:>7.3}{:>7.2}×{ours_s:>12.2}{ours_ari:>7.3}{:>10}{:>8}",
            pulled_s / paper_s,
            model.n_clusters(),
            model.link_report().broken.len(),
        );
    }
    println!("peak {}", memory::peak());
    Ok(())
}

/// `n` rows of a set drawn by seed.
fn sample_of(name: &str, n: usize, seed: u64) -> Result<Option<Set>, Box<dyn Error>> {
    let Some((points, labels)) = data::read(name)? else { return Ok(None) };
    let n = n.min(labels.len());
    let rows = index::sample(&mut ChaCha8Rng::seed_from_u64(seed), labels.len(), n).into_vec();
    let labels = rows.iter().map(|&row| labels[row]).collect();
    Ok(Some((points.select(&rows), labels)))
}

/// Min-max scaled points, and links drawn from the labels.
fn prepare(
    (points, labels): &Set,
    n_links: usize,
    seed: u64,
) -> linkshift::Result<(Points<'static, f32>, Links)> {
    let scaled = Scaler::fit(points, Scaling::MinMax).apply(points)?;
    let links = if n_links == 0 { Links::new() } else { links::draw(labels, n_links, seed)? };
    Ok((scaled, links))
}

fn fit(
    params: &CmsParams,
    points: &Points<'_, f32>,
    links: &Links,
) -> linkshift::Result<(f64, CmsModel<f32>)> {
    let method = Cms::new(params.clone())?;
    let start = Instant::now();
    let model = method.fit(points, links)?;
    Ok((start.elapsed().as_secs_f64(), model))
}
