//! The progress bar: on standard error, and only at a terminal.

use crate::interrupt;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use linkshift::observe::Step;
use std::ops::ControlFlow;
use std::time::Duration;

/// Runs a fit with an observer that moves the bar and stops on Ctrl-C.
pub(crate) fn watched<R>(fit: impl FnOnce(&mut dyn FnMut(&Step) -> ControlFlow<()>) -> R) -> R {
    // Hidden by itself where standard error is no terminal.
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template(
        "{spinner} iteration {pos}/{len} {wide_bar} at most {eta} left, {msg}",
    ) {
        bar.set_style(style);
    }
    bar.set_message("preparing");
    bar.enable_steady_tick(Duration::from_millis(200));
    let mut observer = |step: &Step| {
        bar.set_length(step.max_iter as u64);
        bar.set_position(step.n_iter as u64);
        bar.set_message(format!("{} centers moving", step.n_live));
        if interrupt::asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let result = interrupt::attended(|| fit(&mut observer));
    bar.finish_and_clear();
    result
}
