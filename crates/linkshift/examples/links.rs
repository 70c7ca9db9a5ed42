//! Two moons, a dozen answers, and points that came later.
//!
//! `cargo run --release --example links`
#![allow(clippy::print_stdout, reason = "this program talks to a person")]

use linkshift::cms::{Cms, CmsParams};
use linkshift::{Result, Scores, datasets, links};

fn main() -> Result<()> {
    let moons = datasets::moons(500, 0.1, 7)?;
    // As if someone had been asked about 12 pairs of points.
    let links = links::draw(&moons.labels, 12, 7)?;

    let model = Cms::new(CmsParams::default())?.fit(&moons.points, &links)?;
    println!("{} clusters of {:?} points", model.n_clusters(), model.sizes());
    for link in &model.link_report().broken {
        println!("broken: {link}");
    }
    for note in model.notes() {
        println!("note: {note}");
    }

    let later = datasets::moons(200, 0.1, 8)?;
    let scores = Scores::of(&later.labels, &model.predict(&later.points)?)?;
    println!("ARI of points that came later: {:.3}", scores.ari);
    Ok(())
}
