//! Cluster numbers that stay.

use crate::errors::to_python;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

/// The labels, numbered so that as many rows as possible keep their previous number.
#[pyfunction]
pub(crate) fn keep_numbers<'py>(
    py: Python<'py>,
    previous: PyReadonlyArray1<'py, i64>,
    labels: PyReadonlyArray1<'py, i64>,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let labels = labels.as_slice()?;
    let numbering = linkshift::keep_numbers(previous.as_slice()?, labels, 0).map_err(to_python)?;
    Ok(numbering.apply(labels).into_pyarray(py))
}
