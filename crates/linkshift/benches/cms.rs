//! Constrained mean shift against its literal path, its growth, its quality: `cargo xtask bench cms`.
//!
//! Parts by name: `speed`, `scale`, `labels`, `quality`; all of them if none is named.

#![allow(clippy::print_stdout)] // a bench prints its table

#[path = "support/data.rs"]
mod data;
#[path = "support/growth.rs"]
mod growth;
#[path = "support/memory.rs"]
mod memory;

use linkshift::cms::{Cms, CmsModel, CmsParams, Representatives, naive};
use linkshift::scores::{Normalisation, adjusted_rand_index, nmi};
use linkshift::{Links, Points, Scaler, Scaling, datasets, links};
use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;
use std::error::Error;
use std::time::Instant;

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
    if wanted("quality") {
        quality()?;
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

/// The paper's Tables 1 and 2 (CMS rows): links = points, min-max scaling, mean of 10 seeds; with
/// the paper's settings, and in the last column with none given.
fn quality() -> Result<(), Box<dyn Error>> {
    println!("\nQuality: mean of 10 seeds, links = points");
    println!(
        "set                   n    ARI (paper)    NMI (paper)  clusters  broken  s each   ARI by default"
    );
    let rows = [
        ("moons", 500, 0.996, 0.996, CmsParams::paper_toy()),
        ("aggregation", 788, 0.987, 0.983, CmsParams::paper_toy()),
        ("jain", 373, 1.000, 1.000, CmsParams::paper_toy()),
        ("s4", 1_000, 0.618, 0.728, CmsParams::paper_toy()),
        ("cms_mnist", 2_000, 0.754, 0.783, CmsParams::paper_embedding()),
        ("cms_fashion_mnist", 2_000, 0.452, 0.611, CmsParams::paper_embedding()),
        ("cms_gtsrb", 2_000, 0.553, 0.654, CmsParams::paper_embedding()),
    ];
    const SEEDS: u64 = 10;
    for (name, n, paper_ari, paper_nmi, params) in rows {
        let mut sums = [0.0; 6];
        for seed in 0..SEEDS {
            let set = if name == "moons" {
                let moons = datasets::moons(n, 0.05, seed)?;
                (moons.cast::<f32>()?, moons.labels)
            } else {
                let Some(set) = sample_of(name, n, seed)? else { break };
                set
            };
            let (points, links) = prepare(&set, n, seed)?;
            let (seconds, model) = fit(&params, &points, &links)?;
            let scores = [
                adjusted_rand_index(&set.1, model.labels())?,
                nmi(&set.1, model.labels(), Normalisation::Arithmetic)?,
                model.n_clusters() as f64,
                model.link_report().broken.len() as f64,
                seconds,
                adjusted_rand_index(
                    &set.1,
                    fit(&CmsParams::default(), &points, &links)?.1.labels(),
                )?,
            ];
            sums.iter_mut().zip(scores).for_each(|(sum, score)| *sum += score / SEEDS as f64);
        }
        let [ari, nmi, clusters, broken, seconds, by_default] = sums;
        println!(
            "{name:<18}{n:>5}{ari:>7.3} ({paper_ari:.3}){nmi:>7.3} ({paper_nmi:.3}){clusters:>10.1}{broken:>8.1}{seconds:>8.2}{by_default:>17.3}"
        );
    }
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
