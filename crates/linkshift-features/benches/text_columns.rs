//! How many columns texts need: k-means and constrained mean shift on titles whose classes are known.
//!
//! `cargo bench -p linkshift-features --bench text_columns -- titles.csv [table.csv]`: a file
//! with the columns `text` and `label`, and one of embeddings of the same rows to compare with.

use linkshift::cms::{Cms, CmsParams};
use linkshift::kmeans::{KMeans, KMeansParams};
use linkshift::{Points, Scaler, Scaling, Scores, links};
use linkshift_features::text::{TextParams, TextRecipe};
use linkshift_io::{ReadOptions, read_column, read_table};
use std::path::Path;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let is_file = |arg: &String| !arg.starts_with("--");
    let files: Vec<String> = std::env::args().skip(1).filter(is_file).collect();
    let titles = Path::new(files.first().ok_or("which titles? Name a file with text and label")?);
    let texts = read_column(titles, Some("text"))?;
    let labels: Vec<i64> = read_column(titles, Some("label"))?
        .iter()
        .map(|label| label.parse())
        .collect::<Result<_, _>>()?;
    let mut cases: Vec<(String, TextParams)> = Vec::new();
    for n_columns in [16, 32, 64, 128, 256] {
        let params = TextParams { n_columns, ..Default::default() };
        cases.push((format!("{n_columns} columns"), params));
    }
    let base = TextParams::default();
    cases.push(("words only".into(), TextParams { longest_piece: 0, ..base.clone() }));
    cases.push(("no pairs".into(), TextParams { longest_phrase: 1, ..base.clone() }));
    cases.push((
        "words only, no pairs".into(),
        TextParams { longest_phrase: 1, longest_piece: 0, ..base },
    ));
    for (name, params) in cases {
        let start = Instant::now();
        let recipe = TextRecipe::fit(&texts, &params)?;
        let points = recipe.apply::<f32, _>(&texts)?.points;
        let seconds = start.elapsed().as_secs_f64();
        report(
            &format!("{name}, {} terms, {seconds:.1} s", recipe.terms().len()),
            &points,
            &labels,
        )?;
    }
    if let Some(table) = files.get(1) {
        let options = ReadOptions { label_column: Some("label".into()), ..Default::default() };
        let table = read_table::<f32>(Path::new(table), &options)?;
        let points = table.points()?;
        let points = Scaler::fit(&points, Scaling::Unit).apply(&points)?;
        report("given embedding, length 1", &points, &labels)?;
    }
    Ok(())
}

/// The ARI of k-means told k, and of constrained mean shift with as many links as rows, as means.
#[allow(clippy::print_stdout)]
fn report(name: &str, points: &Points<'_, f32>, labels: &[i64]) -> linkshift::Result<()> {
    let n_clusters = labels.iter().max().map_or(1, |&last| last as usize + 1);
    let mut ari = Vec::new();
    for seed in 0..5 {
        let params = KMeansParams { n_clusters, seed, ..Default::default() };
        let model = KMeans::new(params)?.fit(points, &linkshift::Links::new())?;
        ari.push(Scores::of(labels, model.labels())?.ari);
    }
    let links = links::draw(labels, labels.len(), 0)?;
    let model = Cms::new(CmsParams::default())?.fit(points, &links)?;
    let with_links = Scores::of(labels, model.labels())?.ari;
    let mean = ari.iter().sum::<f64>() / ari.len() as f64;
    println!("{name}: k-means {mean:.3}, cms with links {with_links:.3}");
    Ok(())
}
