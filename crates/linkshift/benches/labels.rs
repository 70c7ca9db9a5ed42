//! What a label costs: 10⁶ rows labelled by a model of some of them, as streams and workers do it:
//! `cargo xtask bench labels`. With the sum of the labels, so that a faster way can be seen to give the same.

#![allow(clippy::print_stdout)] // a bench prints its table

#[path = "support/cpu.rs"]
mod cpu;
#[path = "support/data.rs"]
mod data;

use linkshift::auto::{Auto, AutoParams};
use linkshift::boosted::{Boosted, BoostedParams};
use linkshift::cms::{Cms, CmsParams};
use linkshift::method::{Algorithm, Method};
use linkshift::{Links, Points, Real, datasets, links, observe};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::error::Error;
use std::time::Instant;

const N: usize = 1_000_000;
const N_LINKS: usize = 1_000;

/// Rows that a part has, as with streams and workers.
const PART: usize = 250_000;

fn main() -> Result<(), Box<dyn Error>> {
    let methods: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let wanted = |name: &str| methods.is_empty() || methods.iter().any(|wish| wish == name);
    println!("{N} rows, {N_LINKS} links; processor seconds, and microseconds a row");
    println!("{:<34}{:>9}{:>9}{:>9}  sum of labels", "rows, method", "seconds", "cpu s", "µs");
    let blobs = datasets::blobs(N, 10, 10, 1.0, 10.0, 1)?;
    if wanted("boosted") {
        let boosted = Boosted::new(BoostedParams::default())?;
        show("blobs, 10 columns: boosted", &boosted, &blobs.points, &blobs.labels)?;
    }
    if wanted("cms") {
        let cms = Cms::new(CmsParams::default())?;
        show("blobs, 10 columns: cms", &cms, &blobs.points, &blobs.labels)?;
    }
    if wanted("auto") {
        let auto = Auto::new(AutoParams::default())?;
        show("blobs, 10 columns: auto", &auto, &blobs.points, &blobs.labels)?;
    }
    drop(blobs);
    let Some((embeddings, truth)) = data::read("cms_mnist")? else { return Ok(()) };
    let (points, truth) = repeated(&embeddings, &truth)?;
    if wanted("boosted") {
        let boosted = Boosted::new(BoostedParams::default())?;
        show("MNIST embeddings: boosted", &boosted, &points, &truth)?;
    }
    if wanted("cms") {
        let cms = Cms::new(CmsParams::default())?;
        show("MNIST embeddings: cms", &cms, &points, &truth)?;
    }
    if wanted("auto") {
        let auto = Auto::new(AutoParams::default())?;
        show("MNIST embeddings: auto", &auto, &points, &truth)?;
    }
    Ok(())
}

/// One line of the table.
fn show<P: Algorithm, T: Real>(
    name: &str,
    method: &Method<P>,
    points: &Points<'_, T>,
    truth: &[i64],
) -> Result<(), Box<dyn Error>> {
    let links: Links = links::draw(truth, N_LINKS, 1)?;
    let draw = method.draw(N, None, &links)?;
    let drawn = points.select(draw.rows());
    let predictor = method.fit_drawn(&draw, &drawn, &links, &mut observe::ignore)?.into_predictor();
    let predictor = predictor.slim();
    let (started, before) = (Instant::now(), cpu::seconds());
    let mut sum = 0_i64;
    for part in points.values().chunks(PART * points.n_features()) {
        let part = Points::new(part, points.n_features())?;
        sum += predictor.predict(&part)?.iter().sum::<i64>();
    }
    let seconds = started.elapsed().as_secs_f64();
    let cpu = cpu::seconds().zip(before).map_or(f64::NAN, |(after, before)| after - before);
    println!("{name:<34}{seconds:>9.2}{cpu:>9.2}{:>9.2}  {sum}", cpu / N as f64 * 1e6);
    Ok(())
}

/// The rows again and again, each time with noise of its own.
fn repeated(
    points: &Points<'_, f32>,
    truth: &[i64],
) -> linkshift::Result<(Points<'static, f32>, Vec<i64>)> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let rows = (0..N).map(|row| row % points.n_points());
    let noisy = |value: &f32| value + 0.1 * (rng.random::<f32>() - 0.5);
    let values = rows.clone().flat_map(|row| points.row(row)).map(noisy).collect::<Vec<_>>();
    let truth = rows.map(|row| truth[row]).collect();
    Ok((Points::new(values, points.n_features())?, truth))
}
