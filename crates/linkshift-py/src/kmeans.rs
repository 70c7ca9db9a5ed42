//! k-means and its relatives.

use crate::arrays::{LinkColumns, PointsArray, weighted, weights_of};
use crate::errors::to_python;
use crate::model::Model;
use crate::run::run_observed;
use crate::settings::{count, one_of};
use linkshift::kmeans::{
    Ampcc, AmpccParams, Cop, CopParams, KMeans, KMeansModel, KMeansParams, MetricKind, Mpck,
    MpckParams, Pcck, PcckParams, Pck, PckParams,
};
use linkshift::observe::Observer;
use linkshift::{Links, Points, Real, Result};
use numpy::{Element, PyReadonlyArray2};
use pyo3::prelude::*;

/// The estimator's parameters, under the names they have there.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Settings {
    method: String,
    n_clusters: i64,
    n_init: i64,
    max_iter: i64,
    tolerance: f64,
    seed: u64,
    n_jobs: Option<i64>,
    // None of these in the estimators that have no use for it.
    n_orders: Option<i64>,
    penalty: Option<f64>,
    metric: Option<String>,
    shared: Option<bool>,
    link_cap: Option<i64>,
    n_representatives: Option<i64>,
}

/// A member of the family, with checked parameters.
enum Method {
    KMeans(KMeans),
    Cop(Cop),
    Pck(Pck),
    Mpck(Mpck),
    Pcck(Pcck),
    Ampcc(Ampcc),
}

impl Settings {
    fn method(&self) -> PyResult<Method> {
        let common = KMeansParams {
            n_clusters: count("n_clusters", self.n_clusters)?,
            n_init: count("n_init", self.n_init)?,
            max_iter: count("max_iter", self.max_iter)?,
            tolerance: self.tolerance,
            seed: self.seed,
        };
        let penalty = self.penalty.unwrap_or(1.0);
        let method = match self.method.as_str() {
            "cop" => Cop::new(CopParams {
                common,
                n_orders: Self::counted("n_orders", self.n_orders, CopParams::default().n_orders)?,
            })
            .map(Method::Cop),
            "pck" => Pck::new(PckParams { common, penalty }).map(Method::Pck),
            "mpck" => self.mpck(common, penalty)?.map(Method::Mpck),
            "pcck" => Pcck::new(PcckParams { common, penalty }).map(Method::Pcck),
            "ampcc" => {
                let given = self.n_representatives;
                let n_representatives =
                    given.map(|number| count("n_representatives", number)).transpose()?;
                Ampcc::new(AmpccParams { common, penalty, n_representatives }).map(Method::Ampcc)
            }
            _ => KMeans::new(common).map(Method::KMeans),
        };
        method.map_err(to_python)
    }

    fn mpck(&self, common: KMeansParams, penalty: f64) -> PyResult<Result<Mpck>> {
        let base = MpckParams::default();
        let kinds = [("diagonal", MetricKind::Diagonal), ("full", MetricKind::Full)];
        let metric = self.metric.as_ref().map(|word| one_of("metric", word, &kinds));
        Ok(Mpck::new(MpckParams {
            common,
            penalty,
            metric: metric.transpose()?.unwrap_or(base.metric),
            shared: self.shared.unwrap_or(base.shared),
            link_cap: Self::counted("link_cap", self.link_cap, base.link_cap)?,
        }))
    }

    fn counted(name: &'static str, given: Option<i64>, default: usize) -> PyResult<usize> {
        given.map_or(Ok(default), |number| count(name, number))
    }
}

impl Method {
    fn fit<T: Real>(
        &self,
        points: &Points<'_, T>,
        links: &Links,
        observer: &mut Observer<'_>,
    ) -> Result<KMeansModel<T>> {
        match self {
            Method::KMeans(method) => method.fit_observed(points, observer),
            Method::Cop(method) => method.fit_observed(points, links, observer),
            Method::Pck(method) => method.fit_observed(points, links, observer),
            Method::Mpck(method) => method.fit_observed(points, links, observer),
            Method::Pcck(method) => method.fit_observed(points, links, observer),
            Method::Ampcc(method) => method.fit_observed(points, links, observer),
        }
    }
}

/// Fits one of the family; `progress` is called with (iteration, most iterations, clusters).
#[pyfunction]
#[pyo3(signature = (points, settings, links, weights=None, progress=None))]
pub(crate) fn fit_kmeans(
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
        method.fit(&points, links, observer)
    })?;
    Ok(Model::new(model))
}
