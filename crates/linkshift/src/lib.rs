//! linkshift: clustering that listens.

pub mod bandwidth;
mod coincident;
pub mod datasets;
pub mod error;
pub mod kernel;
pub mod links;
pub mod mean_shift;
pub mod neighbors;
pub mod observe;
pub mod pca;
pub mod points;
pub mod real;
pub mod scale;
pub mod scores;

pub use error::{Error, Result};
pub use kernel::Profile;
pub use links::{Link, LinkClosure, LinkKind, LinkReport, Links};
pub use points::Points;
pub use real::Real;
