//! An error with a file: where it is, what is wrong there, and what the operating system said.

mod intake;
mod problem;

pub use intake::IntakeProblem;
pub use problem::Problem;
pub(crate) use problem::shorten;

use problem::quoted;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fmt, io};

/// What went wrong with a file, and where.
///
/// Where the operating system refused, its own error is the [`source`](Error::source).
#[derive(Debug, Clone, PartialEq)]
pub struct IoError {
    /// File, line and column.
    pub place: Box<Place>,
    /// What is wrong there.
    pub problem: Problem,
}

impl fmt::Display for IoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.problem)
    }
}

impl Error for IoError {
    /// The text already says what the problem says: only what is behind it follows.
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.problem {
            Problem::Read { reason } | Problem::Write { reason } => Some(reason.get()),
            Problem::Points(error) => error.source(),
            _ => None,
        }
    }
}

impl IoError {
    pub(crate) fn new(file: &Path, problem: impl Into<Problem>) -> Self {
        let place = Place { file: file.to_owned(), at: None, column: None };
        IoError { place: Box::new(place), problem: problem.into() }
    }

    pub(crate) fn at(mut self, at: At) -> Self {
        self.place.at = Some(at);
        self
    }

    pub(crate) fn column(mut self, name: &str) -> Self {
        self.place.column = Some(name.to_owned());
        self
    }

    /// A file that cannot be opened or read.
    pub(crate) fn reading(file: &Path, error: io::Error) -> Self {
        let problem = match error.kind() {
            io::ErrorKind::NotFound => Problem::NotFound,
            _ => Problem::Read { reason: error.into() },
        };
        IoError::new(file, problem)
    }

    /// A file that cannot be written.
    pub(crate) fn writing(file: &Path, error: io::Error) -> Self {
        IoError::new(file, Problem::Write { reason: error.into() })
    }

    /// What kind of refusal it was, where the operating system refused.
    ///
    /// A broken pipe on standard output, for instance, is no fault: whoever reads has seen enough.
    pub fn kind(&self) -> Option<io::ErrorKind> {
        match &self.problem {
            Problem::NotFound => Some(io::ErrorKind::NotFound),
            Problem::Read { reason } | Problem::Write { reason } => Some(reason.get().kind()),
            _ => None,
        }
    }
}

/// An error of the operating system that can be copied and compared.
#[derive(Debug, Clone)]
pub struct SystemError(Arc<io::Error>);

impl SystemError {
    /// The error itself.
    pub fn get(&self) -> &io::Error {
        &self.0
    }
}

impl From<io::Error> for SystemError {
    /// Takes away the name of a temporary file, which means nothing to a user.
    fn from(error: io::Error) -> Self {
        let text = error.to_string();
        SystemError(Arc::new(match text.split_once(" at path ") {
            Some((said, _)) => io::Error::new(error.kind(), said),
            None => error,
        }))
    }
}

impl PartialEq for SystemError {
    fn eq(&self, other: &Self) -> bool {
        self.0.kind() == other.0.kind() && self.0.to_string() == other.0.to_string()
    }
}

impl fmt::Display for SystemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Where in a file something is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file as the user named it; `-` is standard input or output.
    pub file: PathBuf,
    /// The line or row.
    pub at: Option<At>,
    /// The name of the column.
    pub column: Option<String>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.file == Path::new("-") {
            f.write_str("standard input or output")?;
        } else {
            write!(f, "{}", self.file.display())?;
        }
        if let Some(at) = self.at {
            write!(f, ", {at}")?;
        }
        if let Some(column) = &self.column {
            write!(f, ", column {}", quoted(column))?;
        }
        Ok(())
    }
}

/// A line of a text file, or a row of a file that has no lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    /// A line from 1, as an editor shows it.
    Line(u64),
    /// A row from 0.
    Row(usize),
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            At::Line(line) => write!(f, "line {line}"),
            At::Row(row) => write!(f, "row {row} (from 0)"),
        }
    }
}
