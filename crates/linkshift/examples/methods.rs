//! Every method on the same points and links: methods are chosen by name, and set by name, too.
//!
//! `cargo run --release --example methods`
#![allow(clippy::print_stdout, reason = "this program talks to a person")]

use linkshift::method::Clusters;
use linkshift::params::{N_CLUSTERS, Value};
use linkshift::{Result, Scores, datasets, links, observe, registry};

fn main() -> Result<()> {
    let crescents = datasets::crescents(300, 0.1, 0.2, 3)?;
    let links = links::draw(&crescents.labels, 30, 3)?;
    println!("{:22}{:>10}{:>8}{:>8}", "method", "clusters", "ARI", "broken");
    for entry in registry::METHODS {
        let settings = match entry.info.clusters {
            Clusters::Told => vec![(N_CLUSTERS, Value::Count(2))],
            _ => Vec::new(),
        };
        let method = entry.configure(&settings)?;
        let model = method.fit(&crescents.points, &links, &mut observe::ignore)?;
        let ari = Scores::of(&crescents.labels, model.labels())?.ari;
        let n_broken = model.link_report().broken.len();
        println!("{:22}{:>10}{ari:>8.3}{n_broken:>8}", entry.info.name, model.n_clusters());
    }

    println!("\nwhat cms can be told:");
    for param in registry::find("cms").map(|cms| cms.params()).unwrap_or_default() {
        println!("  {} = {} ({}): {}", param.key, param.default, param.allowed, param.what);
    }
    Ok(())
}
