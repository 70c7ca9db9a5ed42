//! Fitting, whatever the method.

use crate::arrays::{LinkColumns, Number, PointsArray, weighted, weights_of};
use crate::errors::to_python;
use crate::model::Model;
use crate::run::run_observed;
use crate::values::{details, from_python};
use linkshift::drawn::Draw;
use linkshift::params::Value;
use linkshift::{Clusterer, Links, registry};
use linkshift_io::SavedModel;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray2};
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
    let method = configured(method, settings)?;
    let links = links.to_links()?;
    let draw = None;
    let task = Task { method: &*method, links, draw, columns, weights, progress, n_jobs };
    match points {
        PointsArray::F32(points) => task.run(py, &points),
        PointsArray::F64(points) => task.run(py, &points),
    }
}

/// Rows as an array.
type RowArray<'py> = Bound<'py, PyArray1<i64>>;

/// The rows that a fit of so many points needs, ascending: `most` drawn by chance (or as many as suit
/// the method) and all that links name, and the positions of the latter among them.
#[pyfunction]
#[pyo3(signature = (method, settings, n_points, links, most=None))]
pub(crate) fn draw<'py>(
    py: Python<'py>,
    method: &str,
    settings: &Bound<'_, PyDict>,
    n_points: usize,
    links: LinkColumns<'_>,
    most: Option<usize>,
) -> PyResult<(RowArray<'py>, RowArray<'py>)> {
    let method = configured(method, settings)?;
    let links = links.to_links()?;
    let draw = py.detach(|| method.draw(n_points, most, &links)).map_err(to_python)?;
    let array = |rows: &[usize]| -> RowArray<'py> {
        rows.iter().map(|&row| row as i64).collect::<Vec<_>>().into_pyarray(py)
    };
    Ok((array(draw.rows()), array(draw.linked())))
}

/// Like [`fit`], of so many points of which only those of [`draw`] are given; links name rows among
/// all, the model's links those that are given.
#[pyfunction]
#[pyo3(signature = (method, points, settings, n_points, links, columns, most=None, progress=None, n_jobs=None))]
#[expect(clippy::too_many_arguments, reason = "Python gives them by name")]
pub(crate) fn fit_drawn(
    py: Python<'_>,
    method: &str,
    points: PointsArray<'_>,
    settings: &Bound<'_, PyDict>,
    n_points: usize,
    links: LinkColumns<'_>,
    columns: Vec<String>,
    most: Option<usize>,
    progress: Option<&Bound<'_, PyAny>>,
    n_jobs: Option<i64>,
) -> PyResult<Model> {
    let method = configured(method, settings)?;
    let links = links.to_links()?;
    let draw = Some(method.draw(n_points, most, &links).map_err(to_python)?);
    let task = Task { method: &*method, links, draw, columns, weights: None, progress, n_jobs };
    match points {
        PointsArray::F32(points) => task.run(py, &points),
        PointsArray::F64(points) => task.run(py, &points),
    }
}

/// The method of this name with these settings.
fn configured(method: &str, settings: &Bound<'_, PyDict>) -> PyResult<Box<dyn Clusterer>> {
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
    entry.configure(&listed).map_err(to_python)
}

/// What comes to a fit besides the points.
struct Task<'a, 'py> {
    method: &'a (dyn Clusterer + 'static),
    links: Links,
    /// Which points of how many are given, if not all.
    draw: Option<Draw>,
    columns: Vec<String>,
    weights: Option<&'a Bound<'py, PyAny>>,
    progress: Option<&'a Bound<'py, PyAny>>,
    n_jobs: Option<i64>,
}

impl Task<'_, '_> {
    fn run<T: Number>(self, py: Python<'_>, points: &PyReadonlyArray2<'_, T>) -> PyResult<Model> {
        let weights = weights_of(self.weights)?;
        let points = weighted(points, weights.as_ref())?;
        let model = run_observed(py, self.n_jobs, self.progress, |observer| match &self.draw {
            Some(draw) => self.method.fit_drawn(draw, &points, &self.links, observer),
            None => self.method.fit(&points, &self.links, observer),
        })?;
        let details = details(py, model.details())?.unbind();
        let links = match &self.draw {
            Some(draw) => draw.positions(&self.links),
            None => self.links,
        };
        let saved = SavedModel::new(self.method, model, links, self.columns);
        Ok(Model::new(T::any(saved), details))
    }
}
