//! Each error of the core as the exception a Python user expects.

use linkshift::error::LinkError;
use linkshift::{Error, Link};
use linkshift_io::{IoError, Problem};
use pyo3::PyErr;
use pyo3::exceptions::{PyFileNotFoundError, PyMemoryError, PyOSError, PyValueError};

pyo3::import_exception!(linkshift._errors, LinkContradictionError);

pub(crate) fn to_python(error: Error) -> PyErr {
    let message = error.to_string();
    match error {
        Error::Links(LinkError::Contradiction { cannot, chain }) => {
            let ends = |link: &Link| (link.a, link.b);
            let chain: Vec<_> = chain.iter().map(ends).collect();
            LinkContradictionError::new_err((message, ends(&cannot), chain))
        }
        Error::Memory { .. } => PyMemoryError::new_err(message),
        _ => PyValueError::new_err(message),
    }
}

/// A file that cannot be read or written is Python's affair, one that holds no model is ours.
pub(crate) fn file_error(error: &IoError) -> PyErr {
    let message = error.to_string();
    match error.problem {
        Problem::NotAModel | Problem::ModelDamaged { .. } | Problem::ModelVersion { .. } => {
            PyValueError::new_err(message)
        }
        Problem::NotFound => PyFileNotFoundError::new_err(message),
        _ => PyOSError::new_err(message),
    }
}
