//! Running the core while Python goes on: its own threads, Ctrl-C, progress.

use crate::errors::to_python;
use linkshift::observe::{Observer, Step};
use linkshift::stop::Stop;
use linkshift::{Error, Result};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How often Python is asked for signals and told of progress: too short to notice, too long to
/// cost anything.
const LOOK_UP: Duration = Duration::from_millis(50);

/// What `progress` is told: steps done, steps at most, and what moves or how often.
type Shown = (usize, usize, usize);

/// Does `work` in a pool of `n_jobs` threads with the GIL released; Ctrl-C ends it.
pub(crate) fn run<R: Send>(
    py: Python<'_>,
    n_jobs: Option<i64>,
    work: impl FnOnce() -> Result<R> + Send,
) -> PyResult<R> {
    run_watched(py, n_jobs, None, |_| work())
}

/// Like [`run`], for work that shows its steps. The calling thread stays outside the pool and
/// looks up now and then, because Python runs signal handlers in its main thread only; an
/// exception from a handler or from `progress` ends the work in the middle of its step.
pub(crate) fn run_observed<R: Send>(
    py: Python<'_>,
    n_jobs: Option<i64>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&mut Observer<'_>) -> Result<R> + Send,
) -> PyResult<R> {
    run_watched(py, n_jobs, progress, |tell| {
        work(&mut |step: &Step| tell((step.n_iter, step.max_iter, step.n_live)))
    })
}

/// Like [`run_observed`], for work that shows three numbers at each step.
pub(crate) fn run_watched<R: Send>(
    py: Python<'_>,
    n_jobs: Option<i64>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&mut dyn FnMut(Shown) -> ControlFlow<()>) -> Result<R> + Send,
) -> PyResult<R> {
    let pool = pool(n_jobs)?;
    let progress = progress.map(|callback| callback.clone().unbind());
    let (done, is_done) = channel::<()>();
    py.detach(move || {
        let latest = Mutex::new(None);
        let asked = Arc::new(AtomicBool::new(false));
        let stop = Stop::when({
            let asked = Arc::clone(&asked);
            move || asked.load(Ordering::Relaxed)
        });
        let mut outcome = None;
        let mut interruption = None;
        let look_up = || {
            let step = latest.lock().unwrap_or_else(PoisonError::into_inner).take();
            Python::attach(|py| tell(py, progress.as_ref(), step))
        };
        pool.in_place_scope(|scope| {
            scope.spawn(|_| {
                let _until_here = done; // dropped at the end, even of a panic
                let mut show = |step| {
                    *latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(step);
                    match asked.load(Ordering::Relaxed) {
                        true => ControlFlow::Break(()),
                        false => ControlFlow::Continue(()),
                    }
                };
                outcome = Some(stop.during(|| work(&mut show)));
            });
            while let Err(RecvTimeoutError::Timeout) = is_done.recv_timeout(LOOK_UP) {
                if interruption.is_none() {
                    interruption = look_up().err();
                    asked.store(interruption.is_some(), Ordering::Relaxed);
                }
            }
        });
        match interruption.or_else(|| look_up().err()) {
            Some(exception) => Err(exception),
            None => outcome
                .ok_or_else(|| PyRuntimeError::new_err("the fit ended without a result"))?
                .map_err(to_python),
        }
    })
}

/// Lets Python handle signals and tells the callback of the latest step.
fn tell(py: Python<'_>, progress: Option<&Py<PyAny>>, step: Option<Shown>) -> PyResult<()> {
    py.check_signals()?;
    if let (Some(callback), Some(step)) = (progress, step) {
        callback.call1(py, step)?;
    }
    Ok(())
}

/// `n_jobs` as in scikit-learn, except that `None` means all processors: −1 too, −2 all but one.
fn pool(n_jobs: Option<i64>) -> PyResult<ThreadPool> {
    let available = std::thread::available_parallelism().map_or(1, |count| count.get()) as i64;
    let n_threads = match n_jobs {
        None => available,
        Some(0) => {
            let must =
                "a number of threads, or negative: -1 for all processors, -2 for all but one";
            return Err(to_python(Error::param("n_jobs", 0, must)));
        }
        Some(count) if count < 0 => (available + 1 + count).max(1),
        Some(count) => count,
    };
    let builder = ThreadPoolBuilder::new().num_threads(n_threads as usize);
    builder.build().map_err(|error| PyRuntimeError::new_err(error.to_string()))
}
