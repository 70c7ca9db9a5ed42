//! A fitted model of any method and number type, as one Python class.

use crate::arrays::{Number, columns_of, points, rows};
use crate::errors::{file_error, to_python};
use crate::run::run;
use crate::table::settings;
use linkshift::model::NoteKind;
use linkshift::why::Reasons;
use linkshift::{Links, Points, Scaling};
use linkshift_io::{
    AnyModel, SavedModel, model_from_bytes, model_to_bytes, read_model, write_model,
};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::path::PathBuf;

/// A fitted model; Python reads its facts and predicts with it.
#[pyclass(frozen, module = "linkshift._core")]
pub(crate) struct Model {
    saved: AnyModel,
    /// What only this method has to say; files and pickles do not carry it.
    details: Py<PyDict>,
}

/// Does the same with a model of either type.
macro_rules! either {
    ($either:expr, $model:ident => $work:expr) => {
        match $either {
            AnyModel::F32($model) => $work,
            AnyModel::F64($model) => $work,
        }
    };
}

impl Model {
    pub(crate) fn new(saved: AnyModel, details: Py<PyDict>) -> Self {
        Self { saved, details }
    }

    fn read(py: Python<'_>, saved: AnyModel) -> Self {
        Self::new(saved, PyDict::new(py).unbind())
    }
}

#[pymethods]
impl Model {
    /// Reads a file that the command line, or `save`, has written.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let saved = py.detach(|| read_model(&path)).map_err(|error| file_error(&error))?;
        Ok(Self::read(py, saved))
    }

    /// What `__reduce__` made bytes of.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        let saved = model_from_bytes(bytes)
            .map_err(|problem| PyValueError::new_err(format!("the model {problem}")))?;
        Ok(Self::read(py, saved))
    }

    /// Without the points: a pickle is for predicting.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Py<PyAny>, (Bound<'py, PyBytes>,))> {
        let bytes = either!(&self.saved, model => {
            model_to_bytes(&SavedModel { points: None, ..model.clone() })
        });
        let bytes = bytes.map_err(|problem| PyValueError::new_err(problem.to_string()))?;
        let make = py.get_type::<Self>().getattr("from_bytes")?.unbind();
        Ok((make, (PyBytes::new(py, &bytes),)))
    }

    /// What labels points, as few bytes as that takes; `from_bytes` reads them.
    fn predictor_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = either!(&self.saved, model => model_to_bytes(&SavedModel {
            intake: None,
            ids: None,
            points: None,
            labels: Vec::new(),
            centers: None,
            notes: Vec::new(),
            links: Links::new(),
            predictor: model.predictor.clone().slim(),
            ..model.clone()
        }));
        let bytes = bytes.map_err(|problem| PyValueError::new_err(problem.to_string()))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The type of the numbers that it labels.
    #[getter]
    fn dtype(&self) -> &'static str {
        match self.saved {
            AnyModel::F32(_) => "float32",
            AnyModel::F64(_) => "float64",
        }
    }

    /// Writes a file for the command line, or `load`: with the points, `why` can be asked of it.
    #[pyo3(signature = (path, points=None, ids=None, id_column=None))]
    fn save(
        &self,
        path: PathBuf,
        points: Option<&Bound<'_, PyAny>>,
        ids: Option<Vec<String>>,
        id_column: Option<String>,
    ) -> PyResult<()> {
        either!(&self.saved, model => {
            let own = owned(points, model)?.or_else(|| model.points.clone());
            let whole = SavedModel {
                points: own,
                ids: ids.or_else(|| model.ids.clone()),
                id_column: id_column.or_else(|| model.id_column.clone()),
                ..model.clone()
            };
            write_model(&path, &whole).map_err(|error| file_error(&error))
        })
    }

    /// Why two rows are together, or apart; `names` are what the rows are called.
    #[pyo3(signature = (a, b, names=None, points=None))]
    fn why(
        &self,
        a: usize,
        b: usize,
        names: Option<Vec<String>>,
        points: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<String> {
        let named = |row: usize| match &names {
            Some(names) => names.get(row).cloned().unwrap_or_default(),
            None => row.to_string(),
        };
        either!(&self.saved, model => {
            let given = owned(points, model)?;
            let record = match &given {
                Some(points) => Some(model.record_on(points)),
                None => model.record(),
            };
            let record = record.ok_or_else(|| PyValueError::new_err(
                "the points are not with the model, and distances between them are part of the answer: ask where it was fitted, or load a file"
            ))?;
            let reasons = Reasons::find(&record, a, b).map_err(to_python)?;
            Ok(reasons.text(&named, model.deaf()))
        })
    }

    /// The labels of points of the same type.
    #[pyo3(signature = (points, n_jobs=None))]
    fn predict<'py>(
        &self,
        points: &Bound<'py, PyAny>,
        n_jobs: Option<i64>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let labels = either!(&self.saved, model => predict(model, points, n_jobs))?;
        Ok(labels.into_pyarray(points.py()))
    }

    #[getter]
    fn method(&self) -> &str {
        either!(&self.saved, model => &model.method)
    }

    /// What was set otherwise than by default.
    #[getter]
    fn settings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        either!(&self.saved, model => settings(py, &model.settings))
    }

    #[getter]
    fn columns(&self) -> Vec<String> {
        either!(&self.saved, model => model.columns.clone())
    }

    #[getter]
    fn ids(&self) -> Option<Vec<String>> {
        either!(&self.saved, model => model.ids.clone())
    }

    #[getter]
    fn labels<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        either!(&self.saved, model => PyArray1::from_slice(py, &model.labels))
    }

    /// The center of each cluster, on the scale of the points as they were given.
    #[getter]
    fn centers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        either!(&self.saved, model => centers(py, model))
    }

    #[getter]
    fn n_iter(&self) -> Option<usize> {
        either!(&self.saved, model => model.n_iter)
    }

    #[getter]
    fn converged(&self) -> Option<bool> {
        either!(&self.saved, model => model.converged)
    }

    /// The kind of each note, its sentence, and whether it is a doubt about the result.
    #[getter]
    fn notes(&self) -> Vec<(String, String, bool)> {
        let notes = either!(&self.saved, model => model.notes.clone());
        let doubt = |kind: &str| NoteKind::parse(kind).is_some_and(NoteKind::is_doubt);
        notes.into_iter().map(|(kind, text)| (kind.clone(), text, doubt(&kind))).collect()
    }

    /// Both ends of each link, +1 or −1, its confidence, and whether it is kept.
    #[getter]
    fn links<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (links, labels) = either!(&self.saved, model => (&model.links, &model.labels));
        let (a, b, signs, confidences) = columns_of(py, links);
        // Broken links are in the order in which they were told.
        let report = links.report(labels);
        let mut broken = report.broken.iter().peekable();
        let kept = links.iter().map(|link| broken.next_if(|next| *next == link).is_none());
        let kept = kept.collect::<Vec<bool>>().into_pyarray(py);
        Ok((a, b, signs, confidences, kept).into_pyobject(py)?.into_any())
    }

    #[getter]
    fn details<'py>(&self, py: Python<'py>) -> &Bound<'py, PyDict> {
        self.details.bind(py)
    }
}

fn predict<T: Number>(
    model: &SavedModel<T>,
    array: &Bound<'_, PyAny>,
    n_jobs: Option<i64>,
) -> PyResult<Vec<i64>> {
    let py = array.py();
    let array: PyReadonlyArray2<'_, T> = array.extract()?;
    let points = points(&array)?;
    run(py, n_jobs, || match model.scaler.scaling() {
        Scaling::None => model.predictor.predict(&points),
        _ => model.predictor.predict(&model.scaler.apply(&points)?),
    })
}

fn centers<'py, T: Number>(py: Python<'py>, model: &SavedModel<T>) -> PyResult<Bound<'py, PyAny>> {
    let Some(centers) = &model.centers else {
        return Ok(numpy::PyArray2::<T>::zeros(py, [0, model.columns.len()], false).into_any());
    };
    match model.scaler.scaling() {
        // Rows that were brought to length 1 have no other scale.
        Scaling::None | Scaling::Unit => Ok(rows(py, centers)?.into_any()),
        _ => Ok(rows(py, &model.scaler.inverse(centers).map_err(to_python)?)?.into_any()),
    }
}

/// A copy of the points that were fitted, on the model's scale.
fn owned<T: Number>(
    array: Option<&Bound<'_, PyAny>>,
    model: &SavedModel<T>,
) -> PyResult<Option<Points<'static, T>>> {
    let Some(array) = array else { return Ok(None) };
    let array: PyReadonlyArray2<'_, T> = array.extract()?;
    let given = points(&array)?;
    model.scaler.apply(&given).map(Some).map_err(to_python)
}
