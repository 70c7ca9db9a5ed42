//! What one iteration shows to whoever watches: progress, and the chance to cancel.

use crate::error::{Error, Result};
use std::ops::ControlFlow;

/// The state after one iteration of a method.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Step {
    /// Iterations done so far, from 1.
    pub n_iter: usize,
    /// Iterations after which the method stops at the latest.
    pub max_iter: usize,
    /// Distinct centers still on their way.
    pub n_live: usize,
    /// The bandwidth of this iteration.
    pub bandwidth: f64,
    /// The longest way a center went in this iteration.
    pub largest_shift: f64,
}

/// Called after each iteration; `Break` cancels the run.
pub type Observer<'a> = dyn FnMut(&Step) -> ControlFlow<()> + 'a;

/// An observer that looks away.
pub fn ignore(_: &Step) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Shows a step to the observer and turns its `Break` into the error that ends the run.
pub(crate) fn show(observer: &mut Observer<'_>, step: &Step) -> Result<()> {
    match observer(step) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Error::Cancelled { n_iter: step.n_iter }),
    }
}
