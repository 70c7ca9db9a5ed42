//! What can go wrong, as a person should read it.

use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why an experiment, or a part of it, did not come about.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    /// A set is not at hand. The experiment goes on without it.
    #[error("{0}")]
    NoData(String),
    /// What was asked for on the command line is not there.
    #[error("{0}")]
    Usage(String),
    /// A method refused; inside a repeat this is a result.
    #[error(transparent)]
    Core(#[from] linkshift::Error),
    /// A table could not be read or written.
    #[error(transparent)]
    Io(#[from] linkshift_io::IoError),
    /// Points could not be made of pictures.
    #[error(transparent)]
    Features(#[from] linkshift_features::FeatureError),
    /// A picture could not be made.
    #[error(transparent)]
    Plot(#[from] linkshift_plot::PlotError),
    /// The system refused a file.
    #[error("{}: {source}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl Failure {
    /// For `map_err` where the system refuses a file.
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::File { path: path.into(), source }
    }
}

/// What all of this crate returns.
pub(crate) type Result<T> = std::result::Result<T, Failure>;
