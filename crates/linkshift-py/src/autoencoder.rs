//! The autoencoder: trained on arrays, kept as bytes.

use crate::arrays::{Number, PointsArray, points, rows};
use crate::features;
use crate::run::{run, run_watched};
use linkshift::{Error, Points, Scaler};
use linkshift_features::FeatureError;
use linkshift_features::autoencoder::{AutoencoderParams, Encoder, Pass, Training};
use linkshift_io::{SavedEncoder, encoder_from_bytes, encoder_to_bytes};
use numpy::{PyArray2, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Height and width.
type Shape = (usize, usize);

/// What is set, in the order of the fields.
type Settings = (Vec<usize>, usize, f64, usize, usize, usize, f64, f64, usize, Option<Shape>, u64);

/// An autoencoder after training.
#[pyclass(frozen, module = "linkshift._core")]
pub(crate) struct Autoencoder {
    encoder: Encoder,
    curve: Vec<Pass>,
    saved: SavedEncoder,
}

#[pymethods]
impl Autoencoder {
    /// Trains on points; an exception of `progress` or Ctrl-C ends it after the step under way.
    #[staticmethod]
    #[pyo3(signature = (points, settings, progress=None, n_jobs=None))]
    fn fit(
        py: Python<'_>,
        points: PointsArray<'_>,
        settings: Settings,
        progress: Option<&Bound<'_, PyAny>>,
        n_jobs: Option<i64>,
    ) -> PyResult<Self> {
        match points {
            PointsArray::F32(points) => train(py, &points, settings, progress, n_jobs),
            PointsArray::F64(points) => train(py, &points, settings, progress, n_jobs),
        }
    }

    /// The embedding of each row.
    #[pyo3(signature = (points, n_jobs=None))]
    fn apply<'py>(
        &self,
        py: Python<'py>,
        points: PointsArray<'_>,
        n_jobs: Option<i64>,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        match points {
            PointsArray::F32(points) => self.embed(py, &points, n_jobs),
            PointsArray::F64(points) => self.embed(py, &points, n_jobs),
        }
    }

    /// Stage, loss, and loss on the rows held out, of each pass.
    #[getter]
    fn curve(&self) -> Vec<(usize, f64, Option<f64>)> {
        self.curve.iter().map(|pass| (pass.stage, pass.loss, pass.held_out)).collect()
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = encoder_to_bytes(&self.saved);
        bytes.map(|bytes| PyBytes::new(py, &bytes)).map_err(bad)
    }

    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        let saved = encoder_from_bytes(bytes).map_err(bad)?;
        let training = Training::load(&saved).map_err(features::to_python)?;
        Ok(Self { encoder: training.encoder(), curve: training.curve().to_vec(), saved })
    }
}

impl Autoencoder {
    fn embed<'py, T: Number>(
        &self,
        py: Python<'py>,
        array: &PyReadonlyArray2<'_, T>,
        n_jobs: Option<i64>,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let points: Points<'_, T> = points(array)?;
        rows(py, &run(py, n_jobs, || self.encoder.apply(&points).map_err(core))?)
    }
}

fn train<T: Number>(
    py: Python<'_>,
    array: &PyReadonlyArray2<'_, T>,
    settings: Settings,
    progress: Option<&Bound<'_, PyAny>>,
    n_jobs: Option<i64>,
) -> PyResult<Autoencoder> {
    let points = points(array)?;
    let params = AutoencoderParams {
        hidden: settings.0,
        n_columns: settings.1,
        noise: settings.2,
        pretrain_epochs: settings.3,
        epochs: settings.4,
        batch: settings.5,
        learning_rate: settings.6,
        held_out: settings.7,
        patience: settings.8,
        picture: settings.9,
        seed: settings.10,
    };
    let mut training = Training::new(&points, &params).map_err(features::to_python)?;
    let training = run_watched(py, n_jobs, progress, |tell| {
        while !training.is_done() {
            let n_passes = training.curve().len();
            let mut observe = |at: &linkshift_features::autoencoder::Progress| {
                tell((at.done as usize, at.total as usize, n_passes + 1))
            };
            if training.pass(&points, &mut observe).map_err(core)?.is_none() {
                return Err(Error::Cancelled { n_iter: n_passes });
            }
        }
        Ok(training)
    })?;
    let scaler = Scaler::none(points.n_features());
    let (numbers, arrays) = (Vec::new(), Vec::new());
    let mut saved = SavedEncoder { kind: String::new(), numbers, arrays, intake: None, scaler };
    training.save_to(&mut saved);
    Ok(Autoencoder { encoder: training.encoder(), curve: training.curve().to_vec(), saved })
}

/// Training fails only for reasons of the core.
fn core(error: FeatureError) -> Error {
    match error {
        FeatureError::Core(error) => error,
        other => Error::param("points", other, "usable"),
    }
}

fn bad(problem: linkshift_io::Problem) -> PyErr {
    PyValueError::new_err(problem.to_string())
}
