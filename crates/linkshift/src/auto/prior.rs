//! What holds for many sets: how much each kind of evidence counts before any link is known, and
//! where joining ends.
//!
//! The weights are pooled logistic regressions over the even sets of `benches/auto.rs` (alphabetical)
//! and all that it draws, with as many links as points and with a fifth; `--learn` prints them. The odd
//! sets had no part in them.

use super::evidence::N_KINDS;
use crate::links::{LinkKind, Links};

/// Candidates in their order, nearness in the scaled and in the learned space, k-means with many
/// and with few clusters, communities, and the constant.
type Weights = [f64; N_KINDS + 1];

/// With as many links as points.
const MANY: Weights = [0.74, 0.63, 1.93, 0.96, 1.22, -0.56, 0.89, -0.46, 1.05, 2.49, -2.61];

/// With a fifth of that.
const FEW: Weights = [0.72, 1.13, 1.94, 0.85, 1.08, -0.14, 0.61, -0.97, 0.70, 1.61, -3.12];

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
