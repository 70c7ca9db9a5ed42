//! Spectral clustering after mean shift: the modes of the density are few, and a matrix of their
//! affinities is small.
//!
//! Spectral clustering needs a matrix of all pairs of points and its eigenvectors. Here mean shift
//! first finds the modes of the density, the points of a mode become one row of the matrix, and the
//! graph of modes falls apart where it is weakest.
//!
//! | equation | what it says |
//! |---|---|
//! | (1) | L = D^(−1/2)·K·D^(−1/2) with D the row sums of K: the normalised matrix of the classical routes |
//! | (3) | σ² = tr(Σ)/d · (4/((2d+1)·n))^(2/(d+4)): Silverman's bandwidth ([`silverman`](crate::bandwidth::silverman)) |
//! | (6) | x ← Σᵢ G(x − xᵢ)·xᵢ / Σᵢ G(x − xᵢ): a point climbs to its mode ([`mean_shift`](crate::mean_shift)) |
//! | (8) | K̃ᵢⱼ = Dᵢⱼ / (√Dᵢᵢ·√Dⱼⱼ): the affinity of two modes, the cosine between their means in feature space |
//! | (9) | Dᵢⱼ = Σ_(k∈i) Σ_(l∈j) G(x_k − x_l): summed over their points |
//!
//! The paper then removes edges, weakest first, until the asked number of trees is left. That is
//! the same as joining modes, strongest edge first, until so many are left (a maximum spanning tree
//! without its weakest edges), and that is what is done here: O(M² log M) instead of O(M⁴). Edges of equal weight
//! (in practice only those of weight 0) count as stronger the nearer their modes are.
//!
//! Beyond the paper ([`SpectralParams::paper`] is without most of it):
//! - A factor on Silverman's σ, which is too wide for several clusters, and a least share of the
//!   points that makes a mode a cluster. Each default says what it was chosen by.
//! - **The number of clusters from the data**: where the weights of the tree's edges fall most, as
//!   a ratio; for the embedding, the largest gap between eigenvalues. [`ClusterCount`] says how sure it is.
//! - **Links**: modes that must-links join are joined first, and modes that cannot-links part are
//!   never joined. Links are between points and modes are coarser, so links between the same two
//!   modes vote, and those outvoted, or inside one mode, end up broken, in the report.
//! - **A bandwidth for each point**: affinities are then exp(−|x−y|²/(2·σ_x·σ_y)).
//! - **The classical routes** ([`Route`]) on K̃ or, without mean shift, on the full matrix.
//! - Sample weights; many points gathered into representatives first.
//!
//! Reference: U. Ozertem, D. Erdogmus, *Spectral clustering with mean shift preprocessing*, 2005
//! (see also U. Ozertem, D. Erdogmus, R. Jenssen, *Mean shift spectral clustering*, 2008).
//! Equation numbers are those of the former. The routes: P. Perona, W. Freeman, 1998 (leading
//! vector); J. Shi, J. Malik, 2000 (second vector); A. Ng, M. Jordan, Y. Weiss, 2001 (embedding).
//!
//! # Cost
//! Literally O(n²·d) per iteration of mean shift and for Eq. 9, and O(M⁴) for the cut ([`naive`]).
//! No matrix of all pairs is ever in memory: Eq. 9 is summed block by block, and a block that lies
//! beyond where the kernel is [`negligible`](SpectralParams::negligible) is skipped. Many
//! points are first gathered into few [`representatives`](SpectralParams::representatives), for
//! which σ grows by how far these stand for others, and modes are climbed to in leaps.
//! `cargo xtask bench spectral` prints what that comes to.
//!
//! # Example
//! ```
//! use linkshift::spectral::{Spectral, SpectralParams};
//! use linkshift::{Links, Scores, datasets};
//!
//! let crescents = datasets::crescents(400, 0.1, 0.0, 7)?;
//! let params = SpectralParams { n_clusters: Some(2), ..Default::default() };
//! let model = Spectral::new(params)?.fit(&crescents.points, &Links::new())?;
//! assert_eq!(Scores::of(&crescents.labels, model.labels())?.ari, 1.0);
//! # Ok::<(), linkshift::Error>(())
//! ```

pub(crate) mod affinity;
mod cut;
mod fit;
mod gather;
mod model;
#[doc(hidden)]
pub mod naive;
mod params;
pub(crate) mod routes;
#[cfg(test)]
mod tests;
mod votes;

pub use fit::Spectral;
pub use model::{Certainty, ClusterCount, SpectralDetails, SpectralModel};
pub use params::{Route, SpectralParams};
