//! C-DBSCAN and constrained spectral clustering.

use crate::arrays::{LinkColumns, PointsArray, points as unweighted, weighted, weights_of};
use crate::errors::to_python;
use crate::model::{Fitted, Model, rows};
use crate::run::{run, run_observed};
use crate::settings::{NumberOrRule, count};
use crate::spectral::gaussian_bandwidth;
use linkshift::cdbscan::{Cdbscan, CdbscanModel, CdbscanParams};
use linkshift::constrained_spectral::{
    ConstrainedSpectral, ConstrainedSpectralModel, ConstrainedSpectralParams,
};
use linkshift::{Links, Points, Real};
use numpy::{Element, PyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The parameters of `CDBSCAN`, under the names they have there.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct CdbscanSettings {
    eps: f64,
    min_points: i64,
    memory_mb: Option<i64>,
    n_jobs: Option<i64>,
}

/// The parameters of `ConstrainedSpectral`, under the names they have there.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct ConstrainedSpectralSettings {
    n_clusters: i64,
    bandwidth: NumberOrRule,
    k: i64,
    beta: Option<f64>,
    memory_mb: Option<i64>,
    seed: u64,
    n_jobs: Option<i64>,
}

fn megabytes(value: Option<i64>) -> PyResult<Option<u64>> {
    value.map(|value| Ok(count("memory_mb", value)? as u64)).transpose()
}

/// Fits C-DBSCAN; `progress` is called with (step, steps, groups left).
#[pyfunction]
#[pyo3(signature = (points, settings, links, weights=None, progress=None))]
pub(crate) fn fit_cdbscan(
    py: Python<'_>,
    points: PointsArray<'_>,
    settings: CdbscanSettings,
    links: LinkColumns<'_>,
    weights: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Model> {
    let method = Cdbscan::new(CdbscanParams {
        eps: settings.eps,
        min_points: count("min_points", settings.min_points)?,
        memory_mb: megabytes(settings.memory_mb)?,
    })
    .map_err(to_python)?;
    let task = Task { n_jobs: settings.n_jobs, links: &links.to_links()?, weights, progress };
    match points {
        PointsArray::F32(points) => task.cdbscan(py, &points, &method),
        PointsArray::F64(points) => task.cdbscan(py, &points, &method),
    }
}

/// Fits constrained spectral clustering; `progress` is called with (step, steps, rows).
#[pyfunction]
#[pyo3(signature = (points, settings, links, weights=None, progress=None))]
pub(crate) fn fit_constrained_spectral(
    py: Python<'_>,
    points: PointsArray<'_>,
    settings: ConstrainedSpectralSettings,
    links: LinkColumns<'_>,
    weights: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Model> {
    let method = ConstrainedSpectral::new(ConstrainedSpectralParams {
        n_clusters: count("n_clusters", settings.n_clusters)?,
        bandwidth: gaussian_bandwidth(&settings.bandwidth, settings.k)?,
        beta: settings.beta,
        memory_mb: megabytes(settings.memory_mb)?,
        seed: settings.seed,
    })
    .map_err(to_python)?;
    let task = Task { n_jobs: settings.n_jobs, links: &links.to_links()?, weights, progress };
    match points {
        PointsArray::F32(points) => task.constrained_spectral(py, &points, &method),
        PointsArray::F64(points) => task.constrained_spectral(py, &points, &method),
    }
}

/// What comes to a fit besides the points.
struct Task<'a, 'py> {
    n_jobs: Option<i64>,
    links: &'a Links,
    weights: Option<&'a Bound<'py, PyAny>>,
    progress: Option<&'a Bound<'py, PyAny>>,
}

impl Task<'_, '_> {
    fn cdbscan<T: Real + Element>(
        &self,
        py: Python<'_>,
        points: &PyReadonlyArray2<'_, T>,
        method: &Cdbscan,
    ) -> PyResult<Model> {
        let weights = weights_of(self.weights)?;
        let points = weighted(points, weights.as_ref())?;
        let model = run_observed(py, self.n_jobs, self.progress, |observer| {
            method.fit_observed(&points, self.links, observer)
        })?;
        let means = means(&points, model.labels(), model.n_clusters())?;
        Ok(Model::new(WithMeans { model, means }))
    }

    fn constrained_spectral<T: Real + Element>(
        &self,
        py: Python<'_>,
        points: &PyReadonlyArray2<'_, T>,
        method: &ConstrainedSpectral,
    ) -> PyResult<Model> {
        let weights = weights_of(self.weights)?;
        let points = weighted(points, weights.as_ref())?;
        let model = run_observed(py, self.n_jobs, self.progress, |observer| {
            method.fit_observed(&points, self.links, observer)
        })?;
        let means = means(&points, model.labels(), model.n_clusters())?;
        Ok(Model::new(WithMeans { model, means }))
    }
}

/// A model without modes, and the means of its clusters in their place.
struct WithMeans<M, T: Real> {
    model: M,
    means: Points<'static, T>,
}

/// The mean of each cluster; where all is noise, one row of zeros, which no cluster has.
fn means<T: Real>(
    points: &Points<'_, T>,
    labels: &[i64],
    n_clusters: usize,
) -> PyResult<Points<'static, T>> {
    let d = points.n_features();
    let mut sums = vec![0.0; n_clusters.max(1) * d];
    let mut counts = vec![0.0_f64; n_clusters.max(1)];
    for (row, &label) in points.rows().zip(labels) {
        let Ok(cluster) = usize::try_from(label) else { continue };
        counts[cluster] += 1.0;
        sums[cluster * d..][..d].iter_mut().zip(row).for_each(|(sum, x)| *sum += x.as_f64());
    }
    let mean = |(at, sum): (usize, &f64)| T::of(sum / counts[at / d].max(1.0));
    Points::new(sums.iter().enumerate().map(mean).collect::<Vec<T>>(), d).map_err(to_python)
}

impl<T: Real + Element> Fitted for WithMeans<CdbscanModel<T>, T> {
    fn labels(&self) -> &[i64] {
        self.model.labels()
    }

    fn n_iter(&self) -> usize {
        1
    }

    fn converged(&self) -> bool {
        true
    }

    fn bandwidths(&self) -> Vec<f64> {
        Vec::new()
    }

    fn modes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(rows(py, &self.means)?.into_any())
    }

    fn predict(&self, array: &Bound<'_, PyAny>, n_jobs: Option<i64>) -> PyResult<Vec<i64>> {
        let py = array.py();
        let array: PyReadonlyArray2<'_, T> = array.extract()?;
        let points = unweighted(&array)?;
        run(py, n_jobs, || self.model.predict(&points))
    }

    fn details<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let details = PyDict::new(py);
        let cores: Vec<i64> = self.model.core_rows().iter().map(|&row| row as i64).collect();
        details.set_item("core_sample_indices", PyArray1::from_vec(py, cores))?;
        Ok(details)
    }
}

impl<T: Real + Element> Fitted for WithMeans<ConstrainedSpectralModel<T>, T> {
    fn labels(&self) -> &[i64] {
        self.model.labels()
    }

    fn n_iter(&self) -> usize {
        1
    }

    fn converged(&self) -> bool {
        true
    }

    fn bandwidths(&self) -> Vec<f64> {
        vec![self.model.bandwidth()]
    }

    fn modes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(rows(py, &self.means)?.into_any())
    }

    fn predict(&self, array: &Bound<'_, PyAny>, n_jobs: Option<i64>) -> PyResult<Vec<i64>> {
        let py = array.py();
        let array: PyReadonlyArray2<'_, T> = array.extract()?;
        let points = unweighted(&array)?;
        run(py, n_jobs, || self.model.predict(&points))
    }

    fn details<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let details = PyDict::new(py);
        details.set_item("beta", self.model.beta())?;
        details.set_item("costs", PyArray1::from_slice(py, self.model.costs()))?;
        Ok(details)
    }
}
