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
    let links = links::draw(&set.labels, set.labels.len(), seed)?;
    Ok((set.scaled(scaling)?, links))
}
