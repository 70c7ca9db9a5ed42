//! The command line, which comes with the package.

use pyo3::prelude::*;
use std::ffi::OsString;

/// Does what the program `linkshift` does with these words, and gives its exit code. The words
/// begin with the program's name; Ctrl-C is the command line's from then on.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, words: Vec<OsString>) -> u8 {
    py.detach(|| linkshift_cli::run(words))
}
