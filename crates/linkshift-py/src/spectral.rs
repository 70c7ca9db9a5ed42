//! Spectral clustering after mean shift.

use crate::arrays::{LinkColumns, PointsArray, points as unweighted, weighted, weights_of};
use crate::errors::to_python;
use crate::model::{Fitted, Model, rows};
use crate::run::{run, run_observed};
use crate::settings::{CountOrRule, NumberOrRule, count, one_of, representatives};
use linkshift::bandwidth::Bandwidth;
use linkshift::spectral::{Route, Spectral, SpectralModel, SpectralParams};
use linkshift::{Links, Real};
use numpy::{Element, PyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The estimator's parameters, under the names they have there.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Settings {
    n_clusters: Option<i64>,
    bandwidth: NumberOrRule,
    bandwidth_factor: f64,
    k: i64,
    route: String,
    quantise: bool,
    min_support: Option<f64>,
    negligible: f64,
    max_iter: i64,
    tolerance: f64,
    representatives: CountOrRule,
    memory_mb: Option<i64>,
    seed: u64,
    n_jobs: Option<i64>,
}

impl Settings {
    fn method(&self) -> PyResult<Spectral> {
        let optional = |name, value: Option<i64>| value.map(|value| count(name, value)).transpose();
        let routes = Route::ALL.map(|route| (route.name(), route));
        Spectral::new(SpectralParams {
            n_clusters: optional("n_clusters", self.n_clusters)?,
            bandwidth: gaussian_bandwidth(&self.bandwidth, self.k)?,
            bandwidth_factor: self.bandwidth_factor,
            route: one_of("route", &self.route, &routes)?,
            quantise: self.quantise,
            min_support: self.min_support,
            negligible: self.negligible,
            max_iter: count("max_iter", self.max_iter)?,
            tolerance: self.tolerance,
            representatives: representatives(&self.representatives)?,
            memory_mb: optional("memory_mb", self.memory_mb)?.map(|megabytes| megabytes as u64),
            seed: self.seed,
        })
        .map_err(to_python)
    }
}

/// σ of a Gaussian: a number, Silverman's rule, or each point's distance to its k-th neighbour.
pub(crate) fn gaussian_bandwidth(wish: &NumberOrRule, k: i64) -> PyResult<Bandwidth> {
    let k = count("k", k)?;
    match wish {
        NumberOrRule::Number(sigma) => Ok(Bandwidth::Fixed(*sigma)),
        NumberOrRule::Rule(rule) => {
            let rules =
                [("silverman", Bandwidth::Silverman), ("per-point", Bandwidth::PerPoint { k })];
            one_of("bandwidth", rule, &rules)
        }
    }
}

/// Fits spectral clustering after mean shift; `progress` is called with (iteration, most
/// iterations, centers on their way).
#[pyfunction]
#[pyo3(signature = (points, settings, links, weights=None, progress=None))]
pub(crate) fn fit_spectral_mean_shift(
    py: Python<'_>,
    points: PointsArray<'_>,
    settings: Settings,
    links: LinkColumns<'_>,
    weights: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Model> {
    let links = links.to_links()?;
    match points {
        PointsArray::F32(points) => fit(py, &points, &settings, &links, weights, progress),
        PointsArray::F64(points) => fit(py, &points, &settings, &links, weights, progress),
    }
}

fn fit<T: Real + Element>(
    py: Python<'_>,
    points: &PyReadonlyArray2<'_, T>,
    settings: &Settings,
    links: &Links,
    weights: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Model> {
    let method = settings.method()?;
    let weights = weights_of(weights)?;
    let points = weighted(points, weights.as_ref())?;
    let model = run_observed(py, settings.n_jobs, progress, |observer| {
        method.fit_observed(&points, links, observer)
    })?;
    Ok(Model::new(model))
}

impl<T: Real + Element> Fitted for SpectralModel<T> {
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

    /// For each cluster its largest mode; all of them are among the details.
    fn modes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(rows(py, &self.centers())?.into_any())
    }

    fn predict(&self, array: &Bound<'_, PyAny>, n_jobs: Option<i64>) -> PyResult<Vec<i64>> {
        let py = array.py();
        let array: PyReadonlyArray2<'_, T> = array.extract()?;
        let points = unweighted(&array)?;
        run(py, n_jobs, || self.predict(&points))
    }

    fn details<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let details = PyDict::new(py);
        details.set_item("modes", rows(py, SpectralModel::modes(self))?)?;
        details.set_item("cluster_of_mode", PyArray1::from_slice(py, self.cluster_of_mode()))?;
        details.set_item("tree", PyArray1::from_slice(py, self.tree()))?;
        details.set_item("n_clusters_found", self.found().map(|found| found.to_string()))?;
        details.set_item("n_implied_broken", self.n_implied_broken())?;
        details.set_item("n_representatives", self.gathered().map(|it| it.n_representatives))?;
        Ok(details)
    }
}
