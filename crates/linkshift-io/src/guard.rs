//! Readers of others: what they trip over is a damaged file, not the end of the program, and no
//! message of theirs reaches the screen.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    /// Whether this thread is inside a reader whose panics are caught.
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs a step of a reader of others; none if it panicked.
///
/// Such readers check what they read, but not all of it: some scrambled files make them panic. The
/// panic's message is on the screen before anybody can catch it, unless the program has called
/// [`silence_guarded_panics`].
///
/// ```
/// linkshift_io::silence_guarded_panics();
/// assert_eq!(linkshift_io::guarded(|| [1, 2][1]), Some(2));
/// assert_eq!(linkshift_io::guarded(|| -> i32 { panic!("nobody sees this") }), None);
/// ```
pub fn guarded<R>(step: impl FnOnce() -> R) -> Option<R> {
    let before = IS_GUARDED.replace(true);
    let outcome = panic::catch_unwind(AssertUnwindSafe(step));
    IS_GUARDED.set(before);
    outcome.ok()
}

/// Lets the panics that [`guarded`] catches say nothing; all others are told as before.
///
/// For programs, once at their start: how panics are told belongs to the process, not to a library.
pub fn silence_guarded_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let tell = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !IS_GUARDED.get() {
                tell(panic);
            }
        }));
    });
}
