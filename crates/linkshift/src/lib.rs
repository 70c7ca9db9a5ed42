//! linkshift: clustering that listens.

pub mod bandwidth;
pub mod cms;
mod coincident;
pub mod datasets;
mod disjoint_sets;
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

pub use datasets::Dataset;
pub use error::{Error, Result};
pub use kernel::Profile;
pub use links::{Link, LinkClosure, LinkKind, LinkReport, Links};
pub use pca::Pca;
pub use points::Points;
pub use real::Real;
pub use scale::{Scaler, Scaling};
pub use scores::Scores;
