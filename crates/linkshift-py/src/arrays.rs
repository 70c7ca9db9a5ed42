//! NumPy arrays as the core's points and links.

use crate::errors::to_python;
use linkshift::{Link, LinkKind, Links, Points, Real};
use linkshift_io::{AnyModel, SavedModel};
use numpy::{
    Element, IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The two types that points may have.
#[derive(FromPyObject)]
pub(crate) enum PointsArray<'py> {
    F32(PyReadonlyArray2<'py, f32>),
    F64(PyReadonlyArray2<'py, f64>),
}

/// A number that points are made of, in all three worlds.
pub(crate) trait Number: Real + Element + linkshift_io::Element {
    /// A model of such points as one of either type.
    fn any(model: SavedModel<Self>) -> AnyModel;
}

impl Number for f32 {
    fn any(model: SavedModel<f32>) -> AnyModel {
        AnyModel::F32(model)
    }
}

impl Number for f64 {
    fn any(model: SavedModel<f64>) -> AnyModel {
        AnyModel::F64(model)
    }
}

/// Points as an array.
pub(crate) fn rows<'py, T: Number>(
    py: Python<'py>,
    points: &Points<'_, T>,
) -> PyResult<Bound<'py, PyArray2<T>>> {
    let flat = PyArray1::from_slice(py, points.values());
    flat.reshape([points.n_points(), points.n_features()])
}

/// Checked points that borrow the array's memory: nothing is copied.
pub(crate) fn points<'a, T: Real + Element>(
    array: &'a PyReadonlyArray2<'_, T>,
) -> PyResult<Points<'a, T>> {
    if !array.is_c_contiguous() {
        return Err(PyValueError::new_err("X is not C-contiguous: pass np.ascontiguousarray(X)"));
    }
    Points::new(array.as_slice()?, array.shape()[1]).map_err(to_python)
}

/// Like [`points`], with a weight for each; weights have the type of the points.
pub(crate) fn weighted<'a, T: Real + Element>(
    array: &'a PyReadonlyArray2<'_, T>,
    weights: Option<&'a PyReadonlyArray1<'_, T>>,
) -> PyResult<Points<'a, T>> {
    let points = points(array)?;
    match weights {
        Some(weights) => points.with_weights(weights.as_slice()?).map_err(to_python),
        None => Ok(points),
    }
}

/// The weights as an array of the points' type, if there are any.
pub(crate) fn weights_of<'py, T: Element>(
    weights: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<PyReadonlyArray1<'py, T>>> {
    weights.map(|weights| weights.extract()).transpose()
}

/// Links as four columns of equal length: both ends, +1 or −1, confidence.
#[derive(FromPyObject)]
pub(crate) struct LinkColumns<'py>(
    PyReadonlyArray1<'py, i64>,
    PyReadonlyArray1<'py, i64>,
    PyReadonlyArray1<'py, i8>,
    PyReadonlyArray1<'py, f64>,
);

impl LinkColumns<'_> {
    pub(crate) fn to_links(&self) -> PyResult<Links> {
        let (a, b) = (self.0.as_slice()?, self.1.as_slice()?);
        let (signs, confidences) = (self.2.as_slice()?, self.3.as_slice()?);
        if [b.len(), signs.len(), confidences.len()] != [a.len(); 3] {
            return Err(PyValueError::new_err("the columns of the links differ in length"));
        }
        let link = |at: usize| -> PyResult<Link> {
            let kind = if signs[at] > 0 { LinkKind::Must } else { LinkKind::Cannot };
            Ok(Link { a: row(a[at])?, b: row(b[at])?, kind, confidence: confidences[at] })
        };
        (0..a.len()).map(link).collect()
    }
}

fn row(number: i64) -> PyResult<usize> {
    usize::try_from(number)
        .map_err(|_| PyValueError::new_err(format!("a link names row {number}: rows count from 0")))
}

/// Whether each link stays if those that contradict surer ones go.
#[pyfunction]
pub(crate) fn consistent_links<'py>(
    py: Python<'py>,
    links: LinkColumns<'_>,
    n_points: usize,
) -> PyResult<Bound<'py, PyArray1<bool>>> {
    let kept = links.to_links()?.consistent(n_points).map_err(to_python)?.is_kept;
    Ok(kept.into_pyarray(py))
}

/// Both ends, +1 or −1, and the confidence of each link.
pub(crate) type Columns<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i8>>,
    Bound<'py, PyArray1<f64>>,
);

/// Links as arrays.
pub(crate) fn columns_of<'py>(py: Python<'py>, links: &Links) -> Columns<'py> {
    let a: Vec<i64> = links.iter().map(|link| link.a as i64).collect();
    let b: Vec<i64> = links.iter().map(|link| link.b as i64).collect();
    let sign = |link: &Link| if link.kind == LinkKind::Must { 1 } else { -1 };
    let signs: Vec<i8> = links.iter().map(sign).collect();
    let confidences: Vec<f64> = links.iter().map(|link| link.confidence).collect();
    (a.into_pyarray(py), b.into_pyarray(py), signs.into_pyarray(py), confidences.into_pyarray(py))
}

/// The links that partial labels stand for, negative labels being unknown.
#[pyfunction]
pub(crate) fn label_links<'py>(
    py: Python<'py>,
    labels: PyReadonlyArray1<'py, i64>,
) -> PyResult<Columns<'py>> {
    let mut links = Links::new();
    links.add_labels(labels.as_slice()?).map_err(to_python)?;
    Ok(columns_of(py, &links))
}
