//! Constrained Mean Shift: centers climb the density, and cannot-links bend it.
//!
//! Plain mean shift lets every center tᵢ see every sample sⱼ alike. Here a cannot-link (x, y) dims
//! what lies near its one end for all centers near its other end, so the two ends, and whatever
//! follows them, never climb to the same mode. The links are anchored at the centers and travel
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
//! Reference: M. Schier, C. Reinders, B. Rosenhahn, *Constrained Mean Shift Clustering*, SIAM
//! International Conference on Data Mining (SDM), 2022. Equation numbers are those of the paper.
//!
//! - [`params`]: the knobs and the bandwidth schedule.
//! - [`naive`]: the equations literally; slow, and the yardstick for anything faster.

pub mod naive;
pub mod params;

pub use params::{CmsParams, Schedule};
