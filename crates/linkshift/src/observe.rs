//! What one iteration shows to whoever watches: progress, and the chance to cancel.

use crate::error::{Error, Result};
use crate::stop;
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

/// Counts the stages of a method that has a fixed number of them, and shows each when it is done.
pub(crate) struct Stages<'a, 'o> {
    observer: &'a mut Observer<'o>,
    n_done: usize,
    n_stages: usize,
    bandwidth: f64,
}

impl<'a, 'o> Stages<'a, 'o> {
    /// So many stages; the bandwidth is shown with each.
    pub(crate) fn new(observer: &'a mut Observer<'o>, n_stages: usize, bandwidth: f64) -> Self {
        Self { observer, n_done: 0, n_stages, bandwidth }
    }

    /// One more is done.
    pub(crate) fn done(&mut self, n_live: usize) -> Result<()> {
        self.n_done += 1;
        let (n_iter, max_iter, bandwidth) = (self.n_done, self.n_stages, self.bandwidth);
        show(self.observer, &Step { n_iter, max_iter, n_live, bandwidth, largest_shift: 0.0 })
    }

    /// How many are done.
    pub(crate) fn n_done(&self) -> usize {
        self.n_done
    }
}

/// Shows a step to the observer and turns its `Break` into the error that ends the run.
pub(crate) fn show(observer: &mut Observer<'_>, step: &Step) -> Result<()> {
    match observer(step) {
        ControlFlow::Continue(()) => stop::done(step.n_iter),
        ControlFlow::Break(()) => Err(Error::Cancelled { n_iter: step.n_iter }),
    }
}
