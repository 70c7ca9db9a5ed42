//! Constrained Mean Shift: centers climb the density, and cannot-links dim what they must not climb to.
//!
//! Plain mean shift lets every center tᵢ see every sample sⱼ alike. Here a cannot-link (x, y) dims
//! what lies near its one end for all centers near its other end, so the two ends, and whatever
//! follows them, are kept from climbing to the same mode. The links are anchored at the centers and travel
//! with them. With that safeguard the bandwidth can grow from iteration to iteration until only
//! what links hold apart is apart.
//!
//! | equation | what it says |
//! |---|---|
//! | (3.1) | m(tᵢ) = Σⱼ k(\|sⱼ − tᵢ\|²/h²)·w(i,j)·sⱼ / Σⱼ k(\|sⱼ − tᵢ\|²/h²)·w(i,j): a center moves to a weighted mean of the samples |
//! | (4.2) | R(i,j,(x,y)) = 1 − k(\|t_x − tᵢ\|²/h_c²)·k(\|t_y − tⱼ\|²/h_c²): what one link leaves of sample j for center i |
//! | (4.3) | w(i,j) = Π R over all directed cannot-links: what all of them leave |
//! | (4.4) | h_c = max{ε, min{h, λ·\|t_x − t_y\|}}: how far a link reaches, by its own length |
//!
//! Labels are the connected components of the graph that joins two centers which have come close
//! (k above `merge_k` at the last bandwidth) and which no link holds apart (w above `merge_b`).
//!
//! # Beyond the paper
//! The paper uses must-links only to multiply cannot-links. Here they also pull, and links may be
//! less than certain; with `must_strength` 0, `leftover_size` 0 and
//! certain links the method is exactly the paper's.
//!
//! | equation | what it says |
//! |---|---|
//! | (L.1) | R = 1 − ω·k(…)·k(…): a link of strength ω in (0, 1]; ω = 1 is Eq. 4.2 |
//! | (L.2) | K'(i,j) = 1 − (1 − k(\|sⱼ − tᵢ\|²/h²))·Π R over the must-links (x, y) with \|t_x − t_y\| ≤ γ·h: what is near one end of a must-link is drawn to what is near the other |
//!
//! The range γ in (L.2) is what makes the pull safe. A must-link across a curved cluster, felt from
//! the first iteration on, would pull its ends out of the cluster, and on two moons into the other
//! one. With the range it waits until the bandwidth has grown to its size; what it spans has then been gathered by
//! the density, along the curve. Certain links are closed (chains of must-links, and what follows
//! for cannot-links); a link of lower confidence is evidence and not logic: it counts for its own
//! two ends, with its confidence as ω and half the range, and nothing is concluded from it. In the end, clusters of a few
//! points that links have left behind join another cluster, unless that breaks a link.
//!
//! Reference: M. Schier, C. Reinders, B. Rosenhahn, *Constrained Mean Shift Clustering*, SIAM
//! International Conference on Data Mining (SDM), 2022. Equation numbers are those of the paper.
//!
//! # Cost
//! Literally n²·|C| per iteration (`naive.rs`). Here: centers that coincide travel as one, and with
//! them their samples and their links, which become one link with a count; samples out of reach of
//! a center and links out of reach of both are never looked at, so early iterations, where the
//! bandwidth is small, are local; later ones have few centers left. More points than
//! [`Representatives::AUTO`] are first gathered into that many representatives. With many columns,
//! where nothing is out of reach, distances and sums are products of matrices.
//! `cargo xtask bench cms` prints what that comes to.
//!
//! # Example
//! ```
//! use linkshift::cms::{Cms, CmsParams};
//! use linkshift::{Links, Points};
//!
//! let points = Points::new(vec![0.0, 0.2, 0.8, 1.0], 1)?;
//! let links = Links::from_pairs(&[], &[(0, 3)]);
//! let model = Cms::new(CmsParams::default())?.fit(&points, &links)?;
//! assert_eq!(model.labels(), [0, 0, 1, 1]);
//! assert!(model.link_report().broken.is_empty());
//! # Ok::<(), linkshift::Error>(())
//! ```

mod between;
mod fit;
mod label;
mod leftovers;
mod link_weights;
mod model;
#[doc(hidden)]
pub mod naive;
pub mod params;
mod replay;
mod samples;
mod schedule;
mod state;
mod step;
#[cfg(test)]
mod tests;
mod ties;

pub use crate::shared::representatives::Representatives;
pub use fit::Cms;
pub use model::{CmsDetails, CmsModel, Gathered};
pub use params::CmsParams;
pub use replay::Replay;
#[doc(hidden)]
pub use replay::Stage;
pub use schedule::Schedule;
#[doc(hidden)]
pub use ties::{Tie, Ties};
