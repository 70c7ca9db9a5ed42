//! Mean shift: every point climbs the density of all points; those that meet belong together.
//!
//! A center at x moves to the mean of the samples around it, over and over, until it stands on a
//! mode of the density (Eq. 3.1 of the CMS paper, with w = the sample's weight):
//!
//! ```text
//! m(x) = Σ_j k(|s_j − x|²/h²)·w_j·s_j / Σ_j k(|s_j − x|²/h²)·w_j
//! ```
//!
//! *Nonblurring* mean shift leaves the samples where they are; *blurring* mean shift moves them
//! along. With one bandwidth h_j per sample its share is k(|s_j − x|²/h_j²)·w_j/h_j^(d+2)
//! (Comaniciu, Ramesh and Meer, 2001).
//!
//! # Cost
//! Literally O(n²·d) per iteration (`naive.rs`). Here: centers that coincide travel as one, so
//! their number collapses within a few iterations; a profile that ends (ball, truncated) touches
//! only what the tree of boxes cannot skip; and the ball profile takes the sum of a box that lies
//! inside whole, which leaves its rim: about √n points in the plane. `cargo xtask bench mean-shift`
//! prints the growth.
//!
//! # References
//! - K. Fukunaga, L. Hostetler. The estimation of the gradient of a density function. 1975.
//! - Y. Cheng. Mean shift, mode seeking, and clustering. 1995.
//! - D. Comaniciu, P. Meer. Mean shift: a robust approach toward feature space analysis. 2002.
//!
//! # Example
//! ```
//! use linkshift::mean_shift::{MeanShift, MeanShiftParams};
//! use linkshift::{Links, Points, bandwidth::Bandwidth};
//!
//! let points = Points::new(vec![0.0, 0.1, 0.2, 5.0, 5.1], 1)?;
//! let params = MeanShiftParams { bandwidth: Bandwidth::Fixed(1.0), ..Default::default() };
//! let model = MeanShift::new(params)?.fit(&points, &Links::new())?;
//! assert_eq!(model.labels(), [0, 0, 0, 1, 1]);
//! assert_eq!(model.predict(&Points::new(vec![4.0], 1)?)?, [1]);
//! # Ok::<(), linkshift::Error>(())
//! ```

mod basin;
pub(crate) mod climb;
mod collapse;
pub(crate) mod field;
mod fit;
mod leap;
mod model;
pub(crate) mod modes;
#[doc(hidden)]
pub mod naive;
mod params;
mod seeds;
mod sure;
#[cfg(test)]
mod tests;

pub use basin::{Basin, Uphill};
pub use fit::MeanShift;
pub use model::{MeanShiftDetails, MeanShiftModel};
pub use params::{LabelRule, MeanShiftParams};
