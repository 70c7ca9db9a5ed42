//! Kernel mean shift.

use crate::arrays::{LinkColumns, PointsArray, weighted, weights_of};
use crate::errors::to_python;
use crate::model::Model;
use crate::run::run_observed;
use crate::settings::{CountOrRule, NumberOrRule, count, one_of, representatives};
use linkshift::kernel_mean_shift::{
    Dimension, KernelMeanShift, KernelMeanShiftParams, Mercer, Neighbor,
};
use linkshift::{Error, Links, Real};
use numpy::{Element, PyReadonlyArray2};
use pyo3::prelude::*;

/// The k-th neighbour, or a share of the points.
#[derive(FromPyObject)]
enum CountOrShare {
    Count(i64),
    Share(f64),
}

/// The estimator's parameters, under the names they have there.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Settings {
    kernel: String,
    sigma: Option<f64>,
    sigma_factor: f64,
    degree: i64,
    offset: f64,
    k: CountOrShare,
    bandwidth_factor: Option<f64>,
    dimension: NumberOrRule,
    max_iter: i64,
    tolerance: f64,
    merge_tolerance: f64,
    mode_radius: f64,
    leftover_share: f64,
    rank: i64,
    rank_tolerance: f64,
    repair: bool,
    representatives: CountOrRule,
    memory_mb: Option<i64>,
    seed: u64,
    n_jobs: Option<i64>,
}

impl Settings {
    fn method(&self) -> PyResult<KernelMeanShift> {
        let memory_mb =
            self.memory_mb.map(|megabytes| count("memory_mb", megabytes)).transpose()?;
        KernelMeanShift::new(KernelMeanShiftParams {
            kernel: self.kernel()?,
            sigma_factor: self.sigma_factor,
            neighbor: match self.k {
                CountOrShare::Count(k) => Neighbor::Kth(count("k", k)?),
                CountOrShare::Share(share) => Neighbor::Share(share),
            },
            bandwidth_factor: self.bandwidth_factor,
            dimension: match &self.dimension {
                NumberOrRule::Number(d) => Dimension::Fixed(*d),
                NumberOrRule::Rule(rule) => {
                    let rules = [("effective", Dimension::Effective), ("rank", Dimension::Rank)];
                    one_of("dimension", rule, &rules)?
                }
            },
            max_iter: count("max_iter", self.max_iter)?,
            tolerance: self.tolerance,
            merge_tolerance: self.merge_tolerance,
            mode_radius: self.mode_radius,
            leftover_share: self.leftover_share,
            rank: count("rank", self.rank)?,
            rank_tolerance: self.rank_tolerance,
            repair: self.repair,
            representatives: representatives(&self.representatives)?,
            memory_mb: memory_mb.map(|megabytes| megabytes as u64),
            seed: self.seed,
        })
        .map_err(to_python)
    }

    fn kernel(&self) -> PyResult<Mercer> {
        let degree = u32::try_from(self.degree)
            .map_err(|_| to_python(Error::param("degree", self.degree, "a whole number from 1")))?;
        let kernels = [
            Mercer::Gaussian { sigma: self.sigma },
            Mercer::Polynomial { degree, offset: self.offset },
            Mercer::Linear,
            Mercer::ChiSquared,
            Mercer::Cosine,
            Mercer::Precomputed,
        ];
        one_of("kernel", &self.kernel, &kernels.map(|kernel| (kernel.name(), kernel)))
    }
}

/// Fits kernel mean shift; `progress` is called with (iteration, most iterations, centers).
#[pyfunction]
#[pyo3(signature = (points, settings, links, weights=None, progress=None))]
pub(crate) fn fit_kernel_mean_shift(
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
