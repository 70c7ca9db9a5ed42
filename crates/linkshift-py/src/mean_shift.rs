//! Mean shift.

use crate::arrays::{PointsArray, weighted, weights_of};
use crate::errors::to_python;
use crate::model::Model;
use crate::run::run_observed;
use crate::settings::{NumberOrRule, count, one_of, profile};
use linkshift::Real;
use linkshift::bandwidth::Bandwidth;
use linkshift::mean_shift::{LabelRule, MeanShift, MeanShiftParams, Seeding};
use numpy::{Element, PyReadonlyArray2};
use pyo3::prelude::*;

/// The estimator's parameters, under the names they have there.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Settings<'py> {
    bandwidth: NumberOrRule,
    percentile: f64,
    alpha: f64,
    k: i64,
    kernel: String,
    cut: f64,
    blurring: bool,
    max_iter: i64,
    tolerance: f64,
    merge_tolerance: f64,
    mode_radius: f64,
    seeds: Option<PyReadonlyArray2<'py, f64>>,
    bin_seeding: bool,
    min_bin_freq: i64,
    labels: String,
    cluster_all: bool,
    seed: u64,
    n_jobs: Option<i64>,
}

impl Settings<'_> {
    fn method(&self) -> PyResult<MeanShift> {
        let rules = [("basin", LabelRule::Basin), ("nearest", LabelRule::Nearest)];
        MeanShift::new(MeanShiftParams {
            bandwidth: self.bandwidth()?,
            profile: profile(&self.kernel, self.cut)?,
            blurring: self.blurring,
            max_iter: count("max_iter", self.max_iter)?,
            tolerance: self.tolerance,
            merge_tolerance: self.merge_tolerance,
            mode_radius: self.mode_radius,
            seeding: self.seeding()?,
            labels: one_of("labels", &self.labels, &rules)?,
            orphans_as_noise: !self.cluster_all,
            seed: self.seed,
        })
        .map_err(to_python)
    }

    fn bandwidth(&self) -> PyResult<Bandwidth> {
        let k = count("k", self.k)?;
        match &self.bandwidth {
            NumberOrRule::Number(h) => Ok(Bandwidth::Fixed(*h)),
            NumberOrRule::Rule(rule) => {
                let rules = [
                    ("percentile", Bandwidth::Percentile(self.percentile)),
                    ("neighbors", Bandwidth::NeighborMean { alpha: self.alpha }),
                    ("silverman", Bandwidth::Silverman),
                    ("per-point", Bandwidth::PerPoint { k }),
                ];
                one_of("bandwidth", rule, &rules)
            }
        }
    }

    fn seeding(&self) -> PyResult<Seeding> {
        Ok(match &self.seeds {
            Some(seeds) => Seeding::Given(seeds.as_slice()?.to_vec()),
            None if self.bin_seeding => {
                Seeding::Bins { min_points: count("min_bin_freq", self.min_bin_freq)? }
            }
            None => Seeding::All,
        })
    }
}

/// Fits mean shift; `progress` is called with (iteration, most iterations, centers on their way).
#[pyfunction]
#[pyo3(signature = (points, settings, weights=None, progress=None))]
pub(crate) fn fit_mean_shift(
    py: Python<'_>,
    points: PointsArray<'_>,
    settings: Settings<'_>,
    weights: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Model> {
    match points {
        PointsArray::F32(points) => fit(py, &points, &settings, weights, progress),
        PointsArray::F64(points) => fit(py, &points, &settings, weights, progress),
    }
}

fn fit<T: Real + Element>(
    py: Python<'_>,
    points: &PyReadonlyArray2<'_, T>,
    settings: &Settings<'_>,
    weights: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Model> {
    let method = settings.method()?;
    let weights = weights_of(weights)?;
    let points = weighted(points, weights.as_ref())?;
    let model = run_observed(py, settings.n_jobs, progress, |observer| {
        method.fit_observed(&points, observer)
    })?;
    Ok(Model::new(model))
}
