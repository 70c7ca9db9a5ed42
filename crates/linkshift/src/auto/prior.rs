//! What holds for many sets: how much each kind of evidence counts before any link is known, and
//! where joining ends.
//!
//! The weights are pooled logistic regressions over the even sets of `benches/auto.rs` (alphabetical)
//! and all that it draws, with as many links as points and with a fifth; `--learn` prints them. The odd
//! sets had no part in them.

use super::evidence::N_KINDS;
use crate::links::{LinkKind, Links};

/// Candidates in their order, nearness in the scaled and in the learned space, k-means with many
/// and with few clusters, and the constant.
type Weights = [f64; N_KINDS + 1];

/// With as many links as points.
const MANY: Weights = [1.02, 0.58, 1.79, 0.87, 1.79, -0.66, 0.83, 0.79, 2.06, -2.63];

/// With a fifth of that.
const FEW: Weights = [1.25, 1.25, 1.41, 0.83, 1.34, -0.01, 0.53, -0.69, 1.01, -3.15];

/// Links for each point at which the weights are those of [`FEW`], and those of [`MANY`].
const DENSITIES: [f64; 2] = [0.2, 1.0];

/// The weights before anything is held back.
pub(super) fn weights(links_per_point: f64) -> Vec<f64> {
    let [few, many] = DENSITIES.map(f64::ln);
    let along = ((links_per_point.max(1e-9).ln() - few) / (many - few)).clamp(0.0, 1.0);
    FEW.iter().zip(&MANY).map(|(few, many)| few + along * (many - few)).collect()
}

/// Mean log-odds at which two clusters still join.
///
/// Log-odds are those of as many must-links as cannot-links. If most pairs belong apart, as among many
/// clusters, joining needs more; but links need not be drawn at random, so that their shares are
/// only a hint.
pub(super) fn cut(links: &Links) -> f32 {
    const BASE: f64 = -0.25;
    const HINT: f64 = 0.2;
    let n_must = links.iter().filter(|link| link.kind == LinkKind::Must).count() as f64;
    let share = (n_must + 1.0) / (links.len() as f64 + 4.0);
    (BASE + HINT * ((1.0 - share) / share).ln().max(0.0)) as f32
}
