//! k-means and its relatives that listen to links: COP, PCK, MPCK, PCCK, AMPCC.
//!
//! All of them must be told the number of clusters k, and alternate two halves of one step: points
//! go to the cluster where they cost least, and centers μ go to the mean of their points. They
//! differ in what a link costs. With M the must-links, C the cannot-links and L(x) the cluster of
//! x, they make these objectives small:
//!
//! | method | objective |
//! |---|---|
//! | [`KMeans`] | Σ \|x − μ\|² |
//! | [`Cop`] | the same, among the assignments that break no link (Wagstaff et al. 2001) |
//! | [`Pck`] | (1) ½ Σ \|x − μ\|² + Σ_M w·\[L(x) ≠ L(y)\] + Σ_C w·\[L(x) = L(y)\] (Basu et al. 2004) |
//! | [`Mpck`] | Σ (\|x − μ\|²_A − log det A) + Σ_M w·f_M·\[L(x) ≠ L(y)\] + Σ_C w·f_C·\[L(x) = L(y)\], with f_M = ½\|x − y\|²_A + ½\|x − y\|²_A' and f_C = \|x' − x''\|²_A − \|x − y\|²_A, x' and x'' the points farthest from each other, and learned metrics A = n·S⁻¹ (Bilenko et al. 2004) |
//! | [`Pcck`] | (4) Σ N_c·\|m_c − μ\|² + Σ_C N_c·N_c'·\[L(c) = L(c')\] over groups c of N_c must-linked points with mean m_c (Zhang, Wong 2008) |
//! | [`Ampcc`] | (7) Σ \|x − μ\|² + Σ_M N_c·\[L(x) ≠ L(y)\] + Σ_C N_c·N_c'·\[L(x) = L(y)\], with k_s centers for each cluster, (5) k_s = ⌈√min N_c⌉, (6) L = ⌈L_s/k_s⌉ |
//!
//! Equation numbers are those of S. Zhang, H.-S. Wong, *Active constrained clustering with multiple
//! cluster representatives*, which compares COP, PCK, PCCK and its own AMPCC.
//!
//! Where the papers are silent:
//! - M and C are closed: what links imply counts like what was told. A pair counts once.
//! - Links cost by their confidence in PCK and MPCK: a pair of groups by the surest of its
//!   cannot-links, a group by the mean of its must-links. The others take every link as certain.
//! - Starts are drawn among the means of the groups, far from each other, then among the points; of
//!   `n_init` runs the best is kept. A cluster that loses its last point gets the one that gains
//!   most; if none gains it stays empty, and the model has fewer clusters.
//! - After each point by itself, each group is moved as a whole where that costs less: one by one
//!   its points could not leave a cluster, each being held by the others. (With this PCKMeans gains
//!   .05 to .14 in ARI on the sets of `cargo xtask bench kmeans`.)
//! - AMPCC takes for the closures of its clusters the largest groups that are all held apart from
//!   each other. If these are fewer than k, the other clusters begin at points far from them, and
//!   k_s is 1.
//! - COP treats a group as one point. Its first assignment takes the unit with the fewest clusters
//!   left first; later ones trade clusters along chains of cannot-links, so that links stay kept
//!   and the objective falls. Without an assignment it says which links block each other.
//! - MPCK looks for x' and x'' by going from a far point to the one farthest from it; new metrics
//!   are taken only if they do not raise the objective.
//!
//! # Cost
//! n·k·d for an iteration, on all cores. Links add their number of pairs of groups times k, never
//! the pairs of points they stand for, except in MPCK, where a pair costs by its length: there up
//! to [`link_cap`](MpckParams::link_cap) pairs stand for a group or for two groups apart.
//!
//! # Example
//! ```
//! use linkshift::kmeans::{KMeansParams, Pck, PckParams};
//! use linkshift::{Links, Points};
//!
//! let points = Points::new(vec![0.0, 0.1, 0.5, 0.9, 1.0], 1)?;
//! let links = Links::from_pairs(&[(1, 2)], &[(2, 3)]);
//! let params = PckParams { common: KMeansParams::of(2), ..Default::default() };
//! let model = Pck::new(params)?.fit(&points, &links)?;
//! assert_eq!(model.labels(), [0, 0, 0, 1, 1]);
//! assert!(model.link_report().broken.is_empty());
//! # Ok::<(), linkshift::Error>(())
//! ```

mod ampcc;
mod assignment;
pub(crate) mod centers;
mod cop;
mod descent;
mod fit;
mod lloyd;
mod metric;
mod model;
mod mpck;
#[doc(hidden)]
pub mod naive;
mod pairs;
pub mod params;
mod pcck;
mod pck;
mod penalties;
mod seeding;
mod tables;
#[cfg(test)]
mod tests;
mod units;

pub use ampcc::Ampcc;
pub use assignment::Assignment;
pub use cop::Cop;
pub use lloyd::KMeans;
pub use metric::Metric;
pub use model::{KMeansDetails, KMeansModel};
pub use mpck::Mpck;
pub use params::{
    AmpccParams, CopParams, KMeansParams, MetricKind, MpckParams, PcckParams, PckParams,
};
pub use pcck::Pcck;
pub use pck::Pck;
