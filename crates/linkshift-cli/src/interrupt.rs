//! Ctrl-C: stops within a step, and never in the middle of a file.

use crate::failure::{Failure, Result};
use crate::terminal;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

/// Ctrl-C was pressed.
static ASKED: AtomicBool = AtomicBool::new(false);

/// The work under way looks at [`asked`] or must be finished, so the process must not just end.
static ATTENDED: AtomicBool = AtomicBool::new(false);

/// Takes over Ctrl-C for the rest of the process.
pub(crate) fn install() -> Result<()> {
    let on_ctrl_c = || {
        let again = ASKED.swap(true, SeqCst);
        // While a file is read, say, nobody looks; and the second time means now.
        if again || !ATTENDED.load(SeqCst) {
            terminal::complain(&Failure::Cancelled.to_string());
            std::process::exit(1);
        }
    };
    match ctrlc::set_handler(on_ctrl_c) {
        // Several commands in one process, as from Python, have the one handler.
        Ok(()) | Err(ctrlc::Error::MultipleHandlers) => Ok(()),
        Err(error) => Err(Failure::input(format!("Ctrl-C cannot be handled: {error}"))),
    }
}

/// Whether the user wants to stop.
pub(crate) fn asked() -> bool {
    ASKED.load(SeqCst)
}

/// Whether somebody looks at [`asked`] now and then.
pub(crate) fn is_attended() -> bool {
    ATTENDED.load(SeqCst)
}

/// Does work during which Ctrl-C only sets [`asked`].
pub(crate) fn attended<R>(work: impl FnOnce() -> R) -> R {
    ATTENDED.store(true, SeqCst);
    let result = work();
    ATTENDED.store(false, SeqCst);
    result
}
