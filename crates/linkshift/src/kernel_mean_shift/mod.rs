//! Kernel mean shift under must-links.

mod climb;
mod factor;
mod field;
mod fit;
mod gram;
mod mercer;
mod metric;
mod model;
pub mod naive;
mod params;
#[cfg(test)]
mod tests;

pub use fit::KernelMeanShift;
pub use mercer::Mercer;
pub use model::KernelMeanShiftModel;
pub use params::{Dimension, KernelMeanShiftParams, Neighbor};
