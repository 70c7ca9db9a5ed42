//! Constrained k-means with several representatives per cluster, and links that are asked for.

mod curves;
mod drawn;
pub(super) mod figure_7;
pub(super) mod figure_8;

use super::Paper;

pub(super) const PAPER: Paper = Paper {
    name: "multiple representatives",
    reference: "S. Zhang, H.-S. Wong. Active constrained clustering with multiple cluster representatives. \
                SMC 2009.",
};
