//! Constrained mean shift as published and by default, over all sets that have labels.

use super::{PAPER, draw};
use crate::experiments::{Experiment, Outcome};
use crate::failure::Result;
use crate::run::{Cell, Run};
use crate::table::{Claim, Mean, Table, unpublished};
use linkshift::cms::{Cms, CmsParams};
use linkshift::scores::adjusted_rand_index;

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "beyond-all-sets",
    paper: &PAPER,
    what: "CMS as published and by default, over all labelled sets",
    minutes: 12.0,
    run,
};

/// Few points or columns: cheap, and small sets vary most from draw to draw.
const LIGHT: [&str; 16] = [
    "moons",
    "aggregation",
    "jain",
    "s4",
    "iris",
    "wine",
    "glass",
    "ecoli",
    "yeast",
    "wdbc",
    "sonar",
    "parkinsons",
    "ionosphere",
    "dermatology",
    "banknote",
    "chainlink",
];
const LIGHT_REPEATS: u64 = 10;

const HEAVY: [&str; 16] = [
    "letter_ab",
    "pendigits",
    "segmentation",
    "image_seg3",
    "satimage4",
    "symbols",
    "wall_following_2",
    "digits",
    "optdigits",
    "usps",
    "orl_32x32",
    "pie10_32x32",
    "cms_mnist",
    "cms_fashion_mnist",
    "cms_gtsrb",
    "stackoverflow_wl256",
];
const HEAVY_REPEATS: u64 = 3;

/// Sets of the quick run: one that the pull helps and one where it has nothing to do.
const QUICK: [usize; 2] = [4, 2];

/// By how much the default may be below on a set.
const MARGIN: f64 = 0.01;

fn run(run: &mut Run<'_>) -> Result<Outcome> {
    let columns =
        ["ARI, paper", "ARI, default", "broken, paper", "broken, default"].map(String::from);
    let title = "CMS over all labelled sets, links = points";
    let mut table = Table::new(title, "ARI; links broken of all, in %", &columns);
    let mut below = Vec::new();
    let mut n_compared = 0;
    for name in run.some_of(&[&LIGHT[..], &HEAVY].concat(), &QUICK) {
        let paper = measure(run, name, "paper", &published(name))?;
        let default = measure(run, name, "default", &CmsParams::default())?;
        if let (Some(paper), Some(default)) = (paper[0], default[0]) {
            n_compared += 1;
            if default.mean < paper.mean - MARGIN {
                below.push(format!("{name} {:.3} against {:.3}", default.mean, paper.mean));
            }
        }
        let ours = [paper[0], default[0], paper[1], default[1]];
        table.baseline(name, unpublished(&ours));
    }
    if n_compared > 0 {
        let found = match below.is_empty() {
            true => format!("at none of {n_compared}"),
            false => format!("{} of {n_compared}: {}", below.len(), below.join(", ")),
        };
        let text =
            format!("by default it is nowhere more than {MARGIN} below the paper's settings");
        table.claims.push(Claim { text, holds: below.is_empty(), found });
    }
    table.deviation(
        "At most 2,000 points of a set, min-max scaling (stackoverflow_wl256: rows of length 1); ten draws \
         up to chainlink, then three; of orl_32x32 780 links, one for each pair of classes.",
    );
    Ok(vec![table].into())
}

/// The published settings that fit a set.
fn published(name: &str) -> CmsParams {
    match name.starts_with("cms_") || name == "stackoverflow_wl256" {
        true => CmsParams::paper_embedding(),
        false => CmsParams::paper_toy(),
    }
}

/// Mean ARI, and share of the links that are broken in percent.
fn measure(
    run: &mut Run<'_>,
    set: &str,
    method: &str,
    params: &CmsParams,
) -> Result<[Option<Mean>; 2]> {
    let repeats = if LIGHT.contains(&set) { LIGHT_REPEATS } else { HEAVY_REPEATS };
    let cell = Cell { set, method, settings: params, repeats };
    run.mean(&cell, |data, seed| {
        let (points, links) = draw(data, set, seed)?;
        let model = Cms::new(params.clone())?.fit(&points.points, &links)?;
        let broken = model.link_report().broken.len() as f64 / links.len() as f64;
        Ok([adjusted_rand_index(&points.labels, model.labels())?, 100.0 * broken])
    })
}
