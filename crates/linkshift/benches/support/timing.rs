//! Seconds of a piece of work.

use std::hint::black_box;
use std::time::Instant;

/// Work that takes longer than this is not repeated.
const LONG: f64 = 2.0;

/// The least seconds of up to `most` runs (other programs only ever add to them), with the result
/// of the last run.
pub(crate) fn best_of<R>(most: usize, mut work: impl FnMut() -> R) -> (f64, R) {
    let (mut best, mut spent) = (f64::INFINITY, 0.0);
    let mut n_runs = 0;
    loop {
        let start = Instant::now();
        let result = black_box(work());
        let seconds = start.elapsed().as_secs_f64();
        (best, spent, n_runs) = (best.min(seconds), spent + seconds, n_runs + 1);
        if n_runs >= most || spent > LONG {
            return (best, result);
        }
    }
}
