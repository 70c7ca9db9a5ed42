//! A fitted model of any method and number type, as one Python class.

use crate::arrays::points;
use crate::run::run;
use linkshift::boosted::BoostedModel;
use linkshift::cms::CmsModel;
use linkshift::kernel_mean_shift::{KernelMeanShiftModel, Mercer};
use linkshift::kmeans::KMeansModel;
use linkshift::mean_shift::MeanShiftModel;
use linkshift::{Points, Real};
use numpy::{Element, IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What Python asks of a fitted model.
pub(crate) trait Fitted: Send + Sync {
    fn labels(&self) -> &[i64];
    fn n_iter(&self) -> usize;
    fn converged(&self) -> bool;
    /// The bandwidth of each iteration, or the only one.
    fn bandwidths(&self) -> Vec<f64>;
    /// The modes as an array of the type of the points.
    fn modes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;
    /// The labels of points of the same type.
    fn predict(&self, points: &Bound<'_, PyAny>, n_jobs: Option<i64>) -> PyResult<Vec<i64>>;
    /// What only this method has to say, by name.
    fn details<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>>;
}

impl<T: Real + Element> Fitted for MeanShiftModel<T> {
    fn labels(&self) -> &[i64] {
        self.labels()
    }

    fn n_iter(&self) -> usize {
        self.n_iter()
    }

    fn converged(&self) -> bool {
        self.converged()
    }

    fn bandwidths(&self) -> Vec<f64> {
        vec![self.bandwidth()]
    }

    fn modes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(rows(py, self.modes())?.into_any())
    }

    fn predict(&self, array: &Bound<'_, PyAny>, n_jobs: Option<i64>) -> PyResult<Vec<i64>> {
        let py = array.py();
        let array: PyReadonlyArray2<'_, T> = array.extract()?;
        let points = points(&array)?;
        run(py, n_jobs, || self.predict(&points))
    }

    fn details<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        Ok(PyDict::new(py))
    }
}

impl<T: Real + Element> Fitted for CmsModel<T> {
    fn labels(&self) -> &[i64] {
        self.labels()
    }

    fn n_iter(&self) -> usize {
        self.n_iter()
    }

    fn converged(&self) -> bool {
        self.converged()
    }

    fn bandwidths(&self) -> Vec<f64> {
        self.bandwidths().to_vec()
    }

    fn modes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(rows(py, self.modes())?.into_any())
    }

    fn predict(&self, array: &Bound<'_, PyAny>, n_jobs: Option<i64>) -> PyResult<Vec<i64>> {
        let py = array.py();
        let array: PyReadonlyArray2<'_, T> = array.extract()?;
        let points = points(&array)?;
        run(py, n_jobs, || self.predict(&points))
    }

    fn details<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let details = PyDict::new(py);
        details.set_item("n_implied_broken", self.n_implied_broken())?;
        details.set_item("pairs_left_out", self.pairs_left_out())?;
        details.set_item("n_representatives", self.gathered().map(|it| it.n_representatives))?;
        Ok(details)
    }
}

impl<T: Real + Element> Fitted for KernelMeanShiftModel<T> {
    fn labels(&self) -> &[i64] {
        self.labels()
    }

    fn n_iter(&self) -> usize {
        self.n_iter()
    }

    fn converged(&self) -> bool {
        self.converged()
    }

    fn bandwidths(&self) -> Vec<f64> {
        vec![self.bandwidth()]
    }

    fn modes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(rows(py, self.modes())?.into_any())
    }

    fn predict(&self, array: &Bound<'_, PyAny>, n_jobs: Option<i64>) -> PyResult<Vec<i64>> {
        let py = array.py();
        let array: PyReadonlyArray2<'_, T> = array.extract()?;
        let points = points(&array)?;
        run(py, n_jobs, || self.predict(&points))
    }

    fn details<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let details = PyDict::new(py);
        let embedding = PyArray1::from_slice(py, self.embedding());
        let mode_rows: Vec<i64> = self.mode_rows().iter().map(|&row| row as i64).collect();
        let sigma = match self.kernel() {
            Mercer::Gaussian { sigma } => sigma,
            _ => None,
        };
        details.set_item("embedding", embedding.reshape([self.labels().len(), self.rank()])?)?;
        details.set_item("mode_indices", mode_rows.into_pyarray(py))?;
        details.set_item("sigma", sigma)?;
        details.set_item("rank", self.rank())?;
        details.set_item("effective_dimension", self.effective_dimension())?;
        details.set_item("left_out", self.left_out())?;
        details.set_item("n_representatives", self.gathered().map(|it| it.n_representatives))?;
        Ok(details)
    }
}

impl<T: Real + Element> Fitted for KMeansModel<T> {
    fn labels(&self) -> &[i64] {
        self.labels()
    }

    fn n_iter(&self) -> usize {
        self.n_iter()
    }

    fn converged(&self) -> bool {
        self.converged()
    }

    fn bandwidths(&self) -> Vec<f64> {
        Vec::new()
    }

    fn modes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(rows(py, self.centers())?.into_any())
    }

    fn predict(&self, array: &Bound<'_, PyAny>, n_jobs: Option<i64>) -> PyResult<Vec<i64>> {
        let py = array.py();
        let array: PyReadonlyArray2<'_, T> = array.extract()?;
        let points = points(&array)?;
        run(py, n_jobs, || self.predict(&points))
    }

    fn details<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let details = PyDict::new(py);
        details.set_item("objective", self.objective())?;
        details.set_item("pairs_left_out", self.pairs_left_out())?;
        details.set_item("representatives", rows(py, self.representatives())?)?;
        let d = self.centers().n_features();
        let matrices: Vec<f64> = self.metrics().iter().flat_map(|it| it.matrix()).collect();
        let metrics = matrices.into_pyarray(py).reshape([self.metrics().len(), d, d])?;
        details.set_item("metrics", metrics)?;
        Ok(details)
    }
}

impl<T: Real + Element> Fitted for BoostedModel<T> {
    fn labels(&self) -> &[i64] {
        self.labels()
    }

    fn n_iter(&self) -> usize {
        self.n_iter()
    }

    fn converged(&self) -> bool {
        self.converged()
    }

    fn bandwidths(&self) -> Vec<f64> {
        vec![self.bandwidth()]
    }

    fn modes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(rows(py, self.modes())?.into_any())
    }

    fn predict(&self, array: &Bound<'_, PyAny>, n_jobs: Option<i64>) -> PyResult<Vec<i64>> {
        let py = array.py();
        let array: PyReadonlyArray2<'_, T> = array.extract()?;
        let points = points(&array)?;
        run(py, n_jobs, || self.predict(&points))
    }

    fn details<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let details = PyDict::new(py);
        details.set_item("eps", self.eps())?;
        details.set_item("n_drawn", self.n_drawn())?;
        details.set_item("modes", rows(py, self.skeleton())?)?;
        details.set_item("mode_labels", PyArray1::from_slice(py, self.skeleton_labels()))?;
        Ok(details)
    }
}

pub(crate) fn rows<'py, T: Real + Element>(
    py: Python<'py>,
    points: &Points<'_, T>,
) -> PyResult<Bound<'py, PyArray2<T>>> {
    let flat = PyArray1::from_slice(py, points.values());
    flat.reshape([points.n_points(), points.n_features()])
}

/// A fitted model; Python reads its facts and predicts with it.
#[pyclass(frozen, module = "linkshift._core")]
pub(crate) struct Model {
    fitted: Box<dyn Fitted>,
}

impl Model {
    pub(crate) fn new(fitted: impl Fitted + 'static) -> Self {
        Self { fitted: Box::new(fitted) }
    }
}

#[pymethods]
impl Model {
    #[getter]
    fn labels<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_slice(py, self.fitted.labels())
    }

    #[getter]
    fn modes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.fitted.modes(py)
    }

    #[getter]
    fn n_iter(&self) -> usize {
        self.fitted.n_iter()
    }

    #[getter]
    fn converged(&self) -> bool {
        self.fitted.converged()
    }

    #[getter]
    fn bandwidths<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.fitted.bandwidths().into_pyarray(py)
    }

    #[getter]
    fn details<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.fitted.details(py)
    }

    #[pyo3(signature = (points, n_jobs=None))]
    fn predict<'py>(
        &self,
        points: &Bound<'py, PyAny>,
        n_jobs: Option<i64>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        Ok(self.fitted.predict(points, n_jobs)?.into_pyarray(points.py()))
    }
}
