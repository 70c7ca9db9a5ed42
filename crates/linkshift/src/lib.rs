//! linkshift: clustering that listens.

pub mod cms;
pub mod error;
pub mod kernel;
pub mod links;
pub mod observe;
pub mod points;
pub mod real;

pub use error::{Error, Result};
pub use kernel::Profile;
pub use links::{Link, LinkKind};
pub use points::Points;
pub use real::Real;
