//! Constrained mean shift.

use crate::arrays::{LinkColumns, PointsArray, weighted, weights_of};
use crate::errors::to_python;
use crate::model::Model;
use crate::run::run_observed;
use crate::settings::{CountOrRule, count, one_of, profile, representatives};
use linkshift::cms::{Cms, CmsParams, Schedule};
use linkshift::{Links, Real};
use numpy::{Element, PyReadonlyArray2};
use pyo3::prelude::*;

/// One bandwidth, one per iteration, or `adaptive`.
#[derive(FromPyObject)]
enum Bandwidths {
    One(f64),
    Rule(String),
    Each(Vec<f64>),
}

/// The estimator's parameters, under the names they have there.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Settings {
    bandwidth: Bandwidths,
    bandwidth_from: Option<f64>,
    bandwidth_to: Option<f64>,
    kernel: String,
    cut: f64,
    blurring: bool,
    max_iter: i64,
    link_scale: f64,
    must_strength: f64,
    must_range: f64,
    min_link_bandwidth: f64,
    merge_k: f64,
    merge_b: f64,
    tolerance: f64,
    merge_tolerance: f64,
    link_cap: i64,
    leftover_size: i64,
    representatives: CountOrRule,
    memory_mb: Option<i64>,
    seed: u64,
    n_jobs: Option<i64>,
}

impl Settings {
    fn method(&self) -> PyResult<Cms> {
        let memory_mb =
            self.memory_mb.map(|megabytes| count("memory_mb", megabytes)).transpose()?;
        Cms::new(CmsParams {
            profile: profile(&self.kernel, self.cut)?,
            schedule: self.schedule()?,
            max_iter: count("max_iter", self.max_iter)?,
            blurring: self.blurring,
            link_scale: self.link_scale,
            must_strength: self.must_strength,
            must_range: self.must_range,
            min_link_bandwidth: self.min_link_bandwidth,
            merge_k: self.merge_k,
            merge_b: self.merge_b,
            tolerance: self.tolerance,
            merge_tolerance: self.merge_tolerance,
            link_cap: count("link_cap", self.link_cap)?,
            leftover_size: count("leftover_size", self.leftover_size)?,
            representatives: representatives(&self.representatives)?,
            memory_mb: memory_mb.map(|megabytes| megabytes as u64),
            seed: self.seed,
        })
        .map_err(to_python)
    }

    fn schedule(&self) -> PyResult<Schedule> {
        let adaptive = Schedule::Linear { from: self.bandwidth_from, to: self.bandwidth_to };
        match &self.bandwidth {
            Bandwidths::One(h) => Ok(Schedule::Fixed(*h)),
            Bandwidths::Each(list) => Ok(Schedule::PerIteration(list.clone())),
            Bandwidths::Rule(rule) => one_of("bandwidth", rule, &[("adaptive", adaptive)]),
        }
    }
}

/// Fits constrained mean shift; `progress` is called with (iteration, most iterations, centers).
#[pyfunction]
#[pyo3(signature = (points, settings, links, weights=None, progress=None))]
pub(crate) fn fit_constrained_mean_shift(
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
