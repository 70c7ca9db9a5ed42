//! C-DBSCAN: density-based clusters that listen to links.
//!
//! DBSCAN calls a point with at least `min_points` points within `eps` (itself counted) a *core*
//! point; clusters are what chains of core points reach, and what no core point reaches is noise.
//! C-DBSCAN builds the same clusters from small pieces, and looks at the links before each join:
//!
//! 1. Index the points by place.
//! 2. The neighbourhood of each core point becomes a local cluster, unless two of its points belong
//!    apart: then each of its points stays by itself.
//! 3. a) Must-linked points join, and their clusters with them. b) Clusters that reach each other
//!    join, nearest first, unless that would put together what belongs apart.
//!
//! What the text leaves open is decided so that no link is ever broken: must-linked groups are
//! joined before anything else (noise among them included), and every later join respects all
//! cannot-links. Without links the result is DBSCAN, with border points at their nearest core
//! point. Points exactly `eps` apart do not reach each other.
//!
//! Reference: C. Ruiz, M. Spiliopoulou, E. Menasalvas, *C-DBSCAN: Density-based clustering with
//! constraints*, RSFDGrC 2007. A baseline of the constrained mean shift paper.
//!
//! # Cost
//! O(n log n + p log p) time and O(p) memory for p pairs of points within `eps`.
//!
//! # Example
//! ```
//! use linkshift::cdbscan::{Cdbscan, CdbscanParams};
//! use linkshift::{Links, Points};
//!
//! let points = Points::new(vec![0.0, 0.1, 0.2, 0.3, 5.0, 5.1, 9.0], 1)?;
//! let method = Cdbscan::new(CdbscanParams { eps: 0.15, min_points: 2, ..Default::default() })?;
//! assert_eq!(method.fit(&points, &Links::new())?.labels(), [0, 0, 0, 0, 1, 1, -1]);
//! let links = Links::from_pairs(&[(0, 6)], &[(1, 2)]);
//! assert_eq!(method.fit(&points, &links)?.labels(), [0, 0, 1, 1, 2, 2, 0]);
//! # Ok::<(), linkshift::Error>(())
//! ```

mod fit;
mod model;
#[doc(hidden)]
pub mod naive;
mod params;
#[cfg(test)]
mod tests;

pub use fit::Cdbscan;
pub use model::{CdbscanDetails, CdbscanModel};
pub use params::CdbscanParams;
