//! The core's tables as data, with which the estimators are compared.

use crate::values::to_python;
use linkshift::params::{PRESET, Value};
use linkshift::registry::{Entry, METHODS};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Every method: what it is, what can be set, and settings under a name.
#[pyfunction]
pub(crate) fn methods(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    METHODS.iter().map(|entry| method(py, entry)).collect()
}

fn method<'py>(py: Python<'py>, entry: &Entry) -> PyResult<Bound<'py, PyDict>> {
    let row = PyDict::new(py);
    let info = entry.info;
    row.set_item("name", info.name)?;
    row.set_item("class", info.class)?;
    row.set_item("sentence", info.sentence)?;
    row.set_item("links", format!("{:?}", info.links).to_lowercase())?;
    row.set_item("clusters", format!("{:?}", info.clusters).to_lowercase())?;
    let mut params = Vec::new();
    // A preset is a class method in Python.
    for param in entry.params().iter().filter(|param| param.key != PRESET) {
        let row = PyDict::new(py);
        row.set_item("key", param.key)?;
        row.set_item("what", param.what)?;
        row.set_item("allowed", &param.allowed)?;
        row.set_item("default", to_python(py, &param.default)?)?;
        row.set_item("only_if", param.only_if)?;
        params.push(row);
    }
    row.set_item("params", params)?;
    let mut presets = Vec::new();
    for preset in entry.presets() {
        let row = PyDict::new(py);
        row.set_item("name", preset.name)?;
        row.set_item("what", preset.what)?;
        row.set_item("needs", preset.needs)?;
        row.set_item("settings", settings(py, &preset.settings)?)?;
        presets.push(row);
    }
    row.set_item("presets", presets)?;
    Ok(row)
}

/// Settings as a dictionary.
pub(crate) fn settings<'py, K: AsRef<str>>(
    py: Python<'py>,
    settings: &[(K, Value)],
) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    for (key, value) in settings {
        all.set_item(key.as_ref(), to_python(py, value)?)?;
    }
    Ok(all)
}
