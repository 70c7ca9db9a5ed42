//! Everything that can go wrong, in words that say what to do.

use linkshift_io::IoError;
use thiserror::Error;

/// The result of anything here that can fail.
pub type Result<T, E = StudioError> = std::result::Result<T, E>;

/// Why something was not done.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StudioError {
    /// What was asked for cannot be; the text says how to mend it.
    #[error("{0}")]
    Bad(String),
    /// It is not there.
    #[error("{0}")]
    Missing(String),
    /// It contradicts what was said before.
    #[error("{0}")]
    Conflict(String),
    /// Another studio has the file.
    #[error("{0}")]
    Busy(String),
    /// Something of the machine's failed.
    #[error("{0}")]
    Inside(String),
    /// The core refuses.
    #[error(transparent)]
    Core(#[from] linkshift::Error),
    /// A file.
    #[error(transparent)]
    Io(#[from] IoError),
}

impl StudioError {
    pub(crate) fn bad(text: impl Into<String>) -> Self {
        StudioError::Bad(text.into())
    }

    pub(crate) fn missing(text: impl Into<String>) -> Self {
        StudioError::Missing(text.into())
    }

    pub(crate) fn inside(text: impl Into<String>) -> Self {
        StudioError::Inside(text.into())
    }

    /// The status of an answer over HTTP.
    pub(crate) fn status(&self) -> u16 {
        match self {
            StudioError::Bad(_) | StudioError::Core(_) => 400,
            StudioError::Missing(_) => 404,
            StudioError::Conflict(_) | StudioError::Busy(_) => 409,
            StudioError::Inside(_) | StudioError::Io(_) => 500,
        }
    }
}
