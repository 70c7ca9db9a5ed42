//! What the autoencoder's columns are worth: k-means told k, and constrained mean shift with links, on
//! pictures or other rows whose classes are known.
//!
//! `cargo bench -p linkshift-features --bench autoencoder -- pictures.parquet label [rows [units [shape [seed [passes]]]]]`:
//! a table with a column of labels, how many of its rows are drawn, the units between, such as `200,200,500`, height and
//! width if rows are pictures to be moved, such as `28x28` (`-` if not), the seed of training, and at most how many
//! passes for each layer and for all, such as `15,40`.

use linkshift::cms::{Cms, CmsParams};
use linkshift::kmeans::{KMeans, KMeansParams};
use linkshift::{Links, Points, Result, Scaler, Scaling, Scores, links};
use linkshift_features::autoencoder::{AutoencoderParams, Training};
use linkshift_io::{ReadOptions, read_table};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

/// The paper's sample of points, and of links.
const N_POINTS: usize = 2_000;

const DRAWS: u64 = 5;

#[allow(clippy::print_stdout)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let [file, label, ..] = &args[..] else {
        return Err("name a table and its column of labels".into());
    };
    let options = ReadOptions { label_column: Some(label.clone()), ..Default::default() };
    let table = read_table::<f32>(Path::new(file), &options)?;
    let labels = table.labels.clone().unwrap_or_default();
    let n_rows = args.get(2).map_or(Ok(labels.len()), |n_rows| n_rows.parse())?;
    let (points, labels) = sample(&table.points()?, &labels, n_rows, 0)?;
    let mut params = AutoencoderParams::default();
    if let Some(units) = args.get(3) {
        params.hidden = units.split(',').map(str::parse).collect::<Result<_, _>>()?;
    }
    if let Some((height, width)) = args.get(4).and_then(|shape| shape.split_once('x')) {
        params.picture = Some((height.parse()?, width.parse()?));
    }
    if let Some(seed) = args.get(5) {
        params.seed = seed.parse()?;
    }
    if let Some((of_layer, of_all)) = args.get(6).and_then(|passes| passes.split_once(',')) {
        (params.pretrain_epochs, params.epochs) = (of_layer.parse()?, of_all.parse()?);
    }
    let start = Instant::now();
    let mut training = Training::new(&points, &params)?;
    while !training.is_done() {
        training.pass(&points, &mut |_| ControlFlow::Continue(()))?;
    }
    println!("{} passes, {:.0} s", training.curve().len(), start.elapsed().as_secs_f64());
    let points = training.encoder().apply(&points)?;
    show("k-means", |seed| by_kmeans(&points, &labels, seed))?;
    show("cms as in the paper", |seed| {
        by_cms(&points, &labels, CmsParams::paper_embedding(), seed)
    })?;
    show("cms", |seed| by_cms(&points, &labels, CmsParams::default(), seed))?;
    Ok(())
}

#[allow(clippy::print_stdout)]
fn show(name: &str, ari: impl Fn(u64) -> Result<f64>) -> Result<()> {
    let all = (0..DRAWS).map(ari).collect::<Result<Vec<f64>>>()?;
    let mean = all.iter().sum::<f64>() / all.len() as f64;
    println!("{name}: {mean:.3}, of {all:.3?}");
    Ok(())
}

/// Rows drawn by chance, with their labels.
fn sample(
    points: &Points<'_, f32>,
    labels: &[i64],
    n_rows: usize,
    seed: u64,
) -> Result<(Points<'static, f32>, Vec<i64>)> {
    let mut rows: Vec<usize> = (0..labels.len()).collect();
    rows.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    rows.truncate(n_rows);
    let values: Vec<f32> = rows.iter().flat_map(|&row| points.row(row)).copied().collect();
    let drawn = Points::new(values, points.n_features())?;
    Ok((drawn, rows.iter().map(|&row| labels[row]).collect()))
}

/// All rows, told the number of classes.
fn by_kmeans(points: &Points<'_, f32>, labels: &[i64], seed: u64) -> Result<f64> {
    let n_clusters = labels.iter().max().map_or(1, |&last| last as usize + 1);
    let params = KMeansParams { n_clusters, seed, ..Default::default() };
    let model = KMeans::new(params)?.fit(points, &Links::new())?;
    Ok(Scores::of(labels, model.labels())?.ari)
}

/// Points and links drawn anew, on one scale: the paper's protocol.
fn by_cms(points: &Points<'_, f32>, labels: &[i64], params: CmsParams, seed: u64) -> Result<f64> {
    let (points, labels) = sample(points, labels, N_POINTS, seed)?;
    let links = links::draw(&labels, N_POINTS, seed)?;
    let points = Scaler::fit(&points, Scaling::MinMax).apply(&points)?;
    let model = Cms::new(params)?.fit(&points, &links)?;
    Ok(Scores::of(&labels, model.labels())?.ari)
}
