//! Links of which some are wrong: taken as certain, or with a confidence.

use super::{PAPER, draw};
use crate::experiments::{Experiment, Outcome};
use crate::failure::Result;
use crate::run::{Cell, Run};
use crate::table::{Mean, Table, unpublished};
use linkshift::cms::{Cms, CmsParams};
use linkshift::scores::adjusted_rand_index;
use linkshift::{Link, LinkKind, Links};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "beyond-wrong-links",
    paper: &PAPER,
    what: "CMS with 0 to 20 % of the links flipped",
    minutes: 8.0,
    run,
};

const REPEATS: u64 = 3;
const SETS: [&str; 5] = ["aggregation", "iris", "digits", "cms_mnist", "cms_gtsrb"];
const SHARES: [f64; 4] = [0.0, 0.05, 0.1, 0.2];

/// The confidence that all links are given; 1 = certain, and what contradicts others is dropped.
const CONFIDENCES: [f64; 3] = [1.0, 0.9, 0.7];

fn run(run: &mut Run<'_>) -> Result<Outcome> {
    let shares = run.some_of(&SHARES, &[0, 2]);
    let columns: Vec<String> = shares.iter().map(|share| format!("{}", 100.0 * share)).collect();
    let mut tables = Vec::new();
    for set in run.some_of(&SETS, &[1]) {
        let mut table = Table::new(format!("CMS with wrong links: {set}"), "ARI", &columns);
        table.axis = Some("links flipped, in %".into());
        for confidence in CONFIDENCES {
            let mut found = Vec::new();
            for &share in &shares {
                found.push(measure(run, set, share, confidence)?);
            }
            let name = match confidence {
                1.0 => "certain, contradictions dropped".to_string(),
                _ => format!("confidence {confidence}"),
            };
            table.subject(&name, unpublished(&found));
        }
        tables.push(table);
    }
    Ok(tables.into())
}

fn measure(run: &mut Run<'_>, set: &str, share: f64, confidence: f64) -> Result<Option<Mean>> {
    let params = CmsParams::default();
    let settings = (share, confidence, &params);
    let cell = Cell { set, method: "CMS by default", settings: &settings, repeats: REPEATS };
    let [ari] = run.mean(&cell, |data, seed| {
        let (points, links) = draw(data, set, seed)?;
        let links = links_with_errors(&links, share, confidence, seed);
        let links = links.consistent(points.labels.len())?.kept;
        let model = Cms::new(params.clone())?.fit(&points.points, &links)?;
        Ok([adjusted_rand_index(&points.labels, model.labels())?])
    })?;
    Ok(ari)
}

/// The same links, a share of them turned into their opposite.
fn links_with_errors(links: &Links, share: f64, confidence: f64, seed: u64) -> Links {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let opposite = |kind| match kind {
        LinkKind::Must => LinkKind::Cannot,
        LinkKind::Cannot => LinkKind::Must,
    };
    let told = |link: &Link| {
        let kind = if rng.random_bool(share) { opposite(link.kind) } else { link.kind };
        Link { kind, confidence, ..*link }
    };
    links.iter().map(told).collect()
}
