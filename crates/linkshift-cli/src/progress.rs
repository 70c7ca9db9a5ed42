//! The progress bar: on standard error, and only at a terminal.

use crate::{interrupt, memory};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use linkshift::Result;
use linkshift::observe::Step;
use linkshift::stop::Stop;
use linkshift_features::autoencoder::Progress;
use std::ops::ControlFlow;
use std::time::Duration;

/// Runs a fit with an observer that moves the bar; Ctrl-C stops it in the middle of an iteration, and so does
/// memory beyond what was allowed.
pub(crate) fn watched<R>(
    fit: impl FnOnce(&mut dyn FnMut(&Step) -> ControlFlow<()>) -> Result<R>,
) -> Result<R> {
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
        ControlFlow::Continue(())
    };
    let stop = Stop::when(|| interrupt::asked() || memory::is_exceeded());
    let result = interrupt::attended(|| stop.during(|| fit(&mut observer)));
    bar.finish_and_clear();
    result
}

/// Runs training with an observer that moves the bar, with the time left, and stops on Ctrl-C.
pub(crate) fn trained<R>(
    train: impl FnOnce(&mut dyn FnMut(&Progress) -> ControlFlow<()>) -> R,
) -> R {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    if let Ok(style) =
        ProgressStyle::with_template("{spinner} {msg} {wide_bar} {percent} %, at most {eta} left")
    {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    let mut begun = false;
    let mut observer = |at: &Progress| {
        if !begun {
            // What an earlier run has done took no time of this one.
            bar.set_length(at.total);
            bar.set_position(at.done);
            bar.reset_eta();
            begun = true;
        }
        bar.set_position(at.done);
        let what = match at.stage + 1 == at.n_stages {
            true => "all layers".to_owned(),
            false => format!("layer {} of {}", at.stage + 1, at.n_stages - 1),
        };
        bar.set_message(format!("{what}, pass {}", at.epoch));
        if interrupt::asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let result = interrupt::attended(|| train(&mut observer));
    bar.finish_and_clear();
    result
}
