//! Beyond the papers: what linkshift's own method adds to constrained mean shift.

pub(super) mod all_sets;
pub(super) mod wrong_links;

use super::Paper;
use crate::data::{Data, Set};
use crate::failure::Result;
use linkshift::{Links, Scaling, datasets, links};

pub(super) const PAPER: Paper = Paper {
    name: "beyond the papers",
    reference: "linkshift's own: must-links that pull, leftovers that join, links that may be wrong.",
};

/// Most points of a set; as many links.
const MOST: usize = 2_000;

/// Points drawn by seed and scaled, and as many links.
fn draw(data: &Data, name: &str, seed: u64) -> Result<(Set, Links)> {
    let set = match name {
        "moons" => Set::drawn(&datasets::moons(500, 0.05, seed)?)?,
        _ => data.set(name)?.sample(MOST, seed),
    };
    // Embeddings of texts are compared by their angle.
    let scaling = if name == "stackoverflow_wl256" { Scaling::Unit } else { Scaling::MinMax };
    // The protocol draws one for each pair of classes at least.
    let pairs_of_classes = set.n_classes() * set.n_classes().saturating_sub(1) / 2;
    let links = links::draw(&set.labels, set.labels.len().max(pairs_of_classes), seed)?;
    Ok((set.scaled(scaling)?, links))
}
