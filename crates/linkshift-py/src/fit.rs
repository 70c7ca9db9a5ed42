//! Fitting, whatever the method.

use crate::arrays::{LinkColumns, Number, PointsArray, weighted, weights_of};
use crate::errors::to_python;
use crate::model::Model;
use crate::run::run_observed;
use crate::values::{details, from_python};
use linkshift::params::Value;
use linkshift::{Clusterer, Links, registry};
use linkshift_io::SavedModel;
use numpy::PyReadonlyArray2;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Fits the method of this name; `progress` is called with (iteration, most iterations, how many
/// are still on their way). `columns` are the names of the features.
#[pyfunction]
#[pyo3(signature = (method, points, settings, links, columns, weights=None, progress=None, n_jobs=None))]
#[expect(clippy::too_many_arguments, reason = "Python gives them by name")]
pub(crate) fn fit(
    py: Python<'_>,
    method: &str,
    points: PointsArray<'_>,
    settings: &Bound<'_, PyDict>,
    links: LinkColumns<'_>,
    columns: Vec<String>,
    weights: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
    n_jobs: Option<i64>,
) -> PyResult<Model> {
    let unknown = || PyValueError::new_err(format!("there is no method {method:?}"));
    let entry = registry::find(method).ok_or_else(unknown)?;
    let mut listed = Vec::new();
    for (key, value) in settings {
        let key: String = key.extract()?;
        let value = from_python(&key, &value)?;
        listed.push((key, value));
    }
    let listed: Vec<(&str, Value)> =
        listed.iter().map(|(key, value)| (&key[..], value.clone())).collect();
    let method = entry.configure(&listed).map_err(to_python)?;
    let task =
        Task { method: &*method, links: links.to_links()?, columns, weights, progress, n_jobs };
    match points {
        PointsArray::F32(points) => task.run(py, &points),
        PointsArray::F64(points) => task.run(py, &points),
    }
}

/// What comes to a fit besides the points.
struct Task<'a, 'py> {
    method: &'a (dyn Clusterer + 'static),
    links: Links,
    columns: Vec<String>,
    weights: Option<&'a Bound<'py, PyAny>>,
    progress: Option<&'a Bound<'py, PyAny>>,
    n_jobs: Option<i64>,
}

impl Task<'_, '_> {
    fn run<T: Number>(self, py: Python<'_>, points: &PyReadonlyArray2<'_, T>) -> PyResult<Model> {
        let weights = weights_of(self.weights)?;
        let points = weighted(points, weights.as_ref())?;
        let model = run_observed(py, self.n_jobs, self.progress, |observer| {
            self.method.fit(&points, &self.links, observer)
        })?;
        let details = details(py, model.details())?.unbind();
        let saved = SavedModel::new(self.method, model, self.links, self.columns);
        Ok(Model::new(T::any(saved), details))
    }
}
