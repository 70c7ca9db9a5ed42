//! Everything that ends a run early: one line on standard error, and the exit code.

use crate::{advice, terminal};
use clap::error::ErrorKind;
use linkshift_io::{AboutFile, IoError, Place, Problem};
use linkshift_plot::PlotError;
use std::ffi::OsString;
use std::io;
use std::path::Path;
use thiserror::Error;

/// The result of anything in this crate that can fail.
pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

const FAILED: u8 = 1;
const BAD_INPUT: u8 = 2;

/// Why a run ends early.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    /// Bad input that only the command line can know of; the text says how to mend it.
    #[error("{0}")]
    Input(String),
    /// The method was left open.
    #[error(transparent)]
    Core(#[from] linkshift::Error),
    #[error(transparent)]
    Io(#[from] IoError),
    #[error(transparent)]
    Plot(#[from] PlotError),
    #[error("standard output cannot be written: {0}")]
    Stdout(io::Error),
    #[error("cancelled")]
    Cancelled,
}

impl Failure {
    pub(crate) fn input(text: impl Into<String>) -> Self {
        Failure::Input(text.into())
    }

    /// Nothing can be written here.
    pub(crate) fn unwritable(path: &Path, error: io::Error) -> Self {
        let place = Box::new(Place { file: path.to_owned(), at: None, column: None });
        Failure::Io(IoError { place, problem: Problem::Write { reason: error.into() } })
    }

    /// Whoever reads our output has seen enough, as in `linkshift methods | head -1`.
    fn is_broken_pipe(&self) -> bool {
        match self {
            Failure::Stdout(error) => error.kind() == io::ErrorKind::BrokenPipe,
            Failure::Io(IoError { place, problem: Problem::Write { reason } }) => {
                place.file == Path::new("-") && reason.get().kind() == io::ErrorKind::BrokenPipe
            }
            _ => false,
        }
    }

    fn code(&self) -> u8 {
        match self {
            Failure::Cancelled
            | Failure::Core(linkshift::Error::Cancelled { .. } | linkshift::Error::Memory { .. })
            | Failure::Plot(PlotError::Draw { .. }) => FAILED,
            _ => BAD_INPUT,
        }
    }

    /// Says what is wrong and gives the exit code.
    pub(crate) fn report(self) -> u8 {
        if self.is_broken_pipe() {
            return 0;
        }
        terminal::complain(&format!("{self}{}", advice::on_failure(&self)));
        self.code()
    }
}

impl AboutFile for Failure {
    fn rename(self, from: &Path, to: &Path) -> Self {
        match self {
            Failure::Io(error) => Failure::Io(error.rename(from, to)),
            other => other,
        }
    }
}

/// Usage errors in one line; help and version as clap writes them.
pub(crate) fn report_usage(error: &clap::Error, args: &[OsString]) -> u8 {
    let is_help = error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if is_help || !error.use_stderr() {
        let printed = error.print().map_err(Failure::Stdout);
        return match printed {
            Ok(()) if is_help => BAD_INPUT,
            Ok(()) => 0,
            Err(failure) => failure.report(),
        };
    }
    terminal::complain(&advice::on_usage(error, args));
    BAD_INPUT
}
