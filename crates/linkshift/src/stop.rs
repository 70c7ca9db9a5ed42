//! Stopping in the middle of a step.
//!
//! An observer is asked between two iterations, and one iteration over very many points can take
//! longer than a person likes to wait. So long loops look now and then whether somebody wants them to
//! stop. Whoever calls says how to find out, and which work it is about:
//!
//! ```
//! use linkshift::cms::{Cms, CmsParams};
//! use linkshift::stop::Stop;
//! use linkshift::{Error, Links, datasets};
//! use std::sync::Arc;
//! use std::sync::atomic::{AtomicBool, Ordering};
//!
//! let asked = Arc::new(AtomicBool::new(false)); // a handler of signals or a button sets it
//! let stop = Stop::when({
//!     let asked = Arc::clone(&asked);
//!     move || asked.load(Ordering::Relaxed)
//! });
//! let moons = datasets::moons(100, 0.1, 7)?;
//! let cms = Cms::new(CmsParams::default())?;
//! let model = stop.during(|| cms.fit(&moons.points, &Links::new()))?;
//!
//! asked.store(true, Ordering::Relaxed);
//! let outcome = stop.during(|| model.predict(&moons.points));
//! assert_eq!(outcome.unwrap_err(), Error::Cancelled { n_iter: 0 });
//! # Ok::<(), linkshift::Error>(())
//! ```
//!
//! Which stop counts is remembered by thread, so no function in between needs to know of it. A loop on
//! several threads takes it along (`Stoppable`), and work on other threads that itself has loops is
//! done within (`Stop::within`) it. Who finds that it is time leaves by unwinding, silently and without
//! the hook of panics, up to [`during`](Stop::during): half a result is never seen by anybody. In
//! programs that are built to abort at panics, only the ends of iterations count.

use crate::error::{Error, Result};
use rayon::prelude::*;
use std::cell::RefCell;
use std::fmt;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How work finds out that it should stop.
#[derive(Clone, Default)]
pub struct Stop {
    shared: Option<Arc<Shared>>,
    /// Whether iterations are those that the caller hears of, not those of a step of its method.
    counts: bool,
}

struct Shared {
    wanted: Box<dyn Fn() -> bool + Send + Sync>,
    /// Iterations done.
    n_iter: AtomicUsize,
}

/// What unwinds.
struct Stopped;

thread_local! {
    /// The stop of the work that this thread does.
    static HERE: RefCell<Stop> = const { RefCell::new(Stop { shared: None, counts: false }) };
}

impl Stop {
    /// Stops when the function says so. It is called from many threads and very often, so it should do
    /// no more than look at a flag; what it has said once it must not take back.
    pub fn when(wanted: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        let shared = Shared { wanted: Box::new(wanted), n_iter: AtomicUsize::new(0) };
        Self { shared: Some(Arc::new(shared)), counts: true }
    }

    /// Does work of this crate, fits or predictions, and ends it with [`Error::Cancelled`] if that is
    /// wanted before it is done. Of stops within each other the innermost counts. To be called on the
    /// thread that does the work: inside of a pool's `install`, not around it.
    pub fn during<R, E: From<Error>>(&self, work: impl FnOnce() -> Result<R, E>) -> Result<R, E> {
        if let Some(shared) = &self.shared {
            shared.n_iter.store(0, Ordering::Relaxed);
        }
        let inside = || {
            let _here = Entered::new(self.clone());
            work()
        };
        // Nothing that the work had begun is left: what it borrowed, it only read, or the caller drops it.
        let outcome = panic::catch_unwind(AssertUnwindSafe(inside));
        match outcome {
            Ok(result) if !self.is_wanted() => result,
            Ok(_) => Err(self.cancelled().into()),
            Err(payload) if payload.is::<Stopped>() => Err(self.cancelled().into()),
            Err(payload) => panic::resume_unwind(payload),
        }
    }

    /// The one that counts on this thread.
    pub(crate) fn here() -> Self {
        HERE.with_borrow(Stop::clone)
    }

    /// Does a part of the work, on whatever thread; its iterations are not the caller's.
    pub(crate) fn within<R>(&self, work: impl FnOnce() -> R) -> R {
        self.look();
        let _here = Entered::new(Stop { shared: self.shared.clone(), counts: false });
        work()
    }

    /// Leaves if that is wanted.
    #[inline]
    pub(crate) fn look(&self) {
        if cfg!(panic = "unwind") && self.is_wanted() {
            panic::resume_unwind(Box::new(Stopped));
        }
    }

    #[inline]
    fn is_wanted(&self) -> bool {
        self.shared.as_ref().is_some_and(|shared| (shared.wanted)())
    }

    fn cancelled(&self) -> Error {
        let done = self.shared.as_ref().map(|shared| shared.n_iter.load(Ordering::Relaxed));
        Error::Cancelled { n_iter: done.unwrap_or(0) }
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stop").field("wanted", &self.is_wanted()).finish()
    }
}

/// While it lives, a stop counts on this thread.
struct Entered(Stop);

impl Entered {
    fn new(stop: Stop) -> Self {
        Self(HERE.replace(stop))
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        HERE.set(std::mem::take(&mut self.0));
    }
}

/// Leaves if that is wanted: for loops on one thread, once for as much work as a thousand distances.
#[inline]
pub(crate) fn look() {
    HERE.with_borrow(Stop::look);
}

/// So many iterations are done. Fails if somebody wants to stop: the one look without unwinding.
pub(crate) fn done(n_iter: usize) -> Result<()> {
    let stop = Stop::here();
    if let Some(shared) = stop.shared.as_ref().filter(|_| stop.counts) {
        shared.n_iter.store(n_iter, Ordering::Relaxed);
    }
    if stop.is_wanted() { Err(Error::Cancelled { n_iter }) } else { Ok(()) }
}

/// Loops on several threads that can be left.
pub(crate) trait Stoppable: IndexedParallelIterator {
    /// Looks before each item. What is done with an item must have no such loops of its own, unless it is
    /// done [within](Stop::within) a stop.
    fn stoppable(self) -> impl IndexedParallelIterator<Item = Self::Item> {
        let stop = Stop::here();
        self.inspect(move |_| stop.look())
    }
}

impl<I: IndexedParallelIterator> Stoppable for I {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    /// Says no so many times.
    fn after(n_looks: usize) -> Stop {
        let looked = AtomicUsize::new(0);
        Stop::when(move || looked.fetch_add(1, Ordering::Relaxed) >= n_looks)
    }

    #[test]
    fn a_loop_on_many_threads_is_left() {
        let n_done = AtomicUsize::new(0);
        let outcome = after(10).during(|| {
            let numbers = (0..1_000_000).into_par_iter().stoppable();
            numbers.for_each(|_| {
                n_done.fetch_add(1, Ordering::Relaxed);
            });
            Ok::<_, Error>(())
        });
        assert_eq!(outcome, Err(Error::Cancelled { n_iter: 0 }));
        assert!(n_done.into_inner() <= 10);
    }

    #[test]
    fn a_loop_within_a_loop_is_left_and_its_iterations_are_not_counted() {
        let outcome = after(100).during(|| {
            done(3)?;
            let stop = Stop::here();
            (0..8).into_par_iter().for_each(|_| {
                stop.within(|| {
                    let _ = done(50);
                    (0..1_000).into_par_iter().stoppable().for_each(|_| {});
                });
            });
            Ok::<_, Error>(())
        });
        assert_eq!(outcome, Err(Error::Cancelled { n_iter: 3 }));
    }

    #[test]
    fn a_thread_that_is_done_stops_no_other_work() {
        let asked = Arc::new(AtomicBool::new(true));
        let stop = Stop::when(move || asked.load(Ordering::Relaxed));
        let looks = || {
            look();
            Ok::<_, Error>(())
        };
        assert!(stop.during(looks).is_err());
        look();
        assert_eq!(done(1), Ok(()));
    }

    #[test]
    fn without_a_wish_to_stop_the_result_is_the_works_own() {
        let stop = Stop::when(|| false);
        assert_eq!(stop.during(|| Ok::<_, Error>(7)), Ok(7));
        let error = Error::param("k", 0, "at least 1");
        assert_eq!(stop.during(|| Err::<(), _>(error.clone())), Err(error.clone()));
    }

    #[test]
    fn a_panic_that_is_none_of_ours_goes_on() {
        let stop = Stop::when(|| false);
        let work = || stop.during(|| -> Result<()> { panic::resume_unwind(Box::new(5)) });
        let payload = panic::catch_unwind(AssertUnwindSafe(work)).unwrap_err();
        assert_eq!(payload.downcast_ref::<i32>(), Some(&5));
    }
}
