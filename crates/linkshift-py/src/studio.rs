//! The studio: a server in a thread of its own.

use crate::arrays::{LinkColumns, PointsArray, points};
use crate::errors::to_python;
use linkshift::Points;
use linkshift::params::Named;
use linkshift::scale::{Scaler, Scaling};
use linkshift_studio::{Bound, Column, Data, Numbers, Pictures, Studio, StudioError};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

/// Pictures as Python has them.
#[derive(FromPyObject)]
pub(crate) enum Images<'py> {
    /// Pixels: n × height × width, or with three channels.
    Pixels(PyReadonlyArrayDyn<'py, u8>),
    /// Whole files in memory.
    Bytes(Vec<Vec<u8>>),
    /// Names of files, below the folder.
    Files(Vec<String>),
}

/// What stands beside the points.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Beside<'py> {
    name: String,
    columns: Vec<String>,
    ids: Option<Vec<String>>,
    shown: Vec<(String, Vec<String>)>,
    texts: Option<Vec<String>>,
    images: Option<Images<'py>>,
    image_folder: String,
    scale: String,
    seed: u64,
}

/// A studio that serves; what a user sees of it is `linkshift.Studio`.
#[pyclass(name = "Studio", module = "linkshift._core", frozen)]
pub(crate) struct PyStudio {
    studio: Arc<Studio>,
    thread: Mutex<Option<JoinHandle<linkshift_studio::Result<()>>>>,
}

/// Both ends, the answer, and whether the person was certain.
type Spoken = (usize, usize, String, bool);

#[pymethods]
impl PyStudio {
    #[new]
    fn new(
        array: PointsArray<'_>,
        links: LinkColumns<'_>,
        beside: Beside<'_>,
        answers: PathBuf,
        port: u16,
    ) -> PyResult<Self> {
        let told: Points<'static, f64> = match &array {
            PointsArray::F32(array) => {
                let points = points(array)?;
                let values: Vec<f64> =
                    points.values().iter().map(|&value| f64::from(value)).collect();
                Points::new(values, points.n_features()).map_err(to_python)?
            }
            PointsArray::F64(array) => {
                let points = points(array)?;
                Points::new(points.values().to_vec(), points.n_features()).map_err(to_python)?
            }
        };
        let links = links.to_links()?;
        let mut data = data(told, beside)?;
        if !links.is_empty() {
            data = data.with_links(links, "links".into()).map_err(to_python)?;
        }
        let bound = Bound::new("127.0.0.1", port).map_err(failed)?;
        let studio = Arc::new(bound.open(data, &answers).map_err(failed)?);
        let serving = studio.clone();
        let thread = std::thread::spawn(move || serving.serve(|| false));
        Ok(Self { studio, thread: Mutex::new(Some(thread)) })
    }

    fn url(&self) -> String {
        self.studio.url()
    }

    fn open_browser(&self) -> bool {
        linkshift_studio::open_browser(&self.studio.url())
    }

    fn labels<'py>(&self, py: Python<'py>) -> Labels<'py> {
        self.studio.labels().into_pyarray(py)
    }

    fn names(&self) -> Vec<(i64, String)> {
        self.studio.names().into_iter().collect()
    }

    fn answers(&self) -> Vec<Spoken> {
        let replies = self.studio.answers();
        let told = replies.iter().flat_map(|reply| reply.told().iter());
        told.map(|told| (told.a, told.b, told.answer.name().to_owned(), told.certain)).collect()
    }

    /// Ends the server and waits until it is gone.
    fn stop(&self, py: Python<'_>) -> PyResult<()> {
        self.studio.stop();
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(thread) = thread else { return Ok(()) };
        match py.detach(|| thread.join()) {
            Ok(served) => served.map_err(failed),
            Err(_) => Err(PyRuntimeError::new_err("the studio broke; what was saved is not lost")),
        }
    }
}

type Labels<'py> = pyo3::Bound<'py, PyArray1<i64>>;

fn failed(error: StudioError) -> PyErr {
    match error {
        StudioError::Core(error) => to_python(error),
        other => PyValueError::new_err(other.to_string()),
    }
}

fn data(told: Points<'static, f64>, beside: Beside<'_>) -> PyResult<Data> {
    let scaling = Scaling::parse(&beside.scale).map_err(to_python)?;
    let scaler = Scaler::fit(&told, scaling);
    let points = scaler.apply(&told).map_err(to_python)?;
    let mut data = Data::of_points(&beside.name, points);
    data.numbers = Numbers {
        names: beside.columns.clone(),
        stride: told.n_features(),
        values: told.values().to_vec(),
    };
    data.ids = beside.ids;
    let column = |(name, values)| Column { name, values };
    data.shown = beside.shown.into_iter().map(column).collect();
    data.texts = beside.texts;
    data.pictures =
        beside.images.map(|images| pictures(images, beside.image_folder)).transpose()?;
    data.origin.columns = beside.columns;
    data.origin.scaler = scaler;
    data.origin.seed = beside.seed;
    Ok(data)
}

fn pictures(images: Images<'_>, folder: String) -> PyResult<Pictures> {
    Ok(match images {
        Images::Files(names) => Pictures::Files { folder: folder.into(), names },
        Images::Bytes(all) => Pictures::Bytes(all),
        Images::Pixels(array) => {
            let (width, height, n_channels) = match *array.shape() {
                [_, height, width] => (width, height, 1),
                [_, height, width, 3] => (width, height, 3),
                _ => {
                    let text = "images must have the shape n × height × width, or × 3 at the end";
                    return Err(PyValueError::new_err(text));
                }
            };
            let values = array.as_slice()?.to_vec();
            Pictures::Pixels { width, height, n_channels, values }
        }
    })
}
