//! Boosted mean shift.

use crate::arrays::{LinkColumns, PointsArray, weighted, weights_of};
use crate::errors::to_python;
use crate::model::Model;
use crate::run::run_observed;
use crate::settings::{CountOrRule, NumberOrRule, count, one_of, profile};
use linkshift::bandwidth::Bandwidth;
use linkshift::boosted::{Boosted, BoostedParams, Cells, Eps, Grid, Neighborhood};
use linkshift::{Error, Links, Real};
use numpy::{Element, PyReadonlyArray2};
use pyo3::prelude::*;

/// Width and height, or `auto`.
#[derive(FromPyObject)]
enum Sides {
    Grid(i64, i64),
    Rule(String),
}

/// The estimator's parameters, under the names they have there.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Settings {
    cells: Sides,
    cell_size: i64,
    neighborhood: String,
    bandwidth: NumberOrRule,
    alpha: f64,
    kernel: String,
    cut: f64,
    least_support: CountOrRule,
    eps: NumberOrRule,
    min_points: CountOrRule,
    stable_epochs: i64,
    max_epochs: i64,
    climb_steps: i64,
    seed: u64,
    n_jobs: Option<i64>,
}

impl Settings {
    fn method(&self) -> PyResult<Boosted> {
        let shapes = Neighborhood::ALL.map(|shape| (shape.name(), shape));
        Boosted::new(BoostedParams {
            cells: self.cells()?,
            cell_size: count("cell_size", self.cell_size)?,
            neighborhood: one_of("neighborhood", &self.neighborhood, &shapes)?,
            bandwidth: self.bandwidth()?,
            profile: profile(&self.kernel, self.cut)?,
            least_support: count_or_auto("least_support", &self.least_support)?,
            eps: self.eps()?,
            min_points: count_or_auto("min_points", &self.min_points)?,
            stable_epochs: count("stable_epochs", self.stable_epochs)?,
            max_epochs: count("max_epochs", self.max_epochs)?,
            climb_steps: count("climb_steps", self.climb_steps)?,
            seed: self.seed,
        })
        .map_err(to_python)
    }

    fn cells(&self) -> PyResult<Cells> {
        match &self.cells {
            Sides::Grid(width, height) => {
                let grid = Grid::new(count("width", *width)?, count("height", *height)?);
                Ok(Cells::Grid(grid.map_err(to_python)?))
            }
            Sides::Rule(rule) => one_of("cells", rule, &[("auto", Cells::Auto)]),
        }
    }

    fn bandwidth(&self) -> PyResult<Bandwidth> {
        let neighbors = Bandwidth::NeighborMean { alpha: self.alpha };
        match &self.bandwidth {
            NumberOrRule::Number(h) => Ok(Bandwidth::Fixed(*h)),
            NumberOrRule::Rule(rule) => {
                let rules = [("neighbors", neighbors), ("silverman", Bandwidth::Silverman)];
                one_of("bandwidth", rule, &rules)
            }
        }
    }

    fn eps(&self) -> PyResult<Eps> {
        match &self.eps {
            NumberOrRule::Number(eps) => Ok(Eps::Fixed(*eps)),
            NumberOrRule::Rule(rule) if rule == "median" => Ok(Eps::NeighborMedian),
            NumberOrRule::Rule(rule) => {
                let times = rule.strip_suffix('h').and_then(|times| times.parse().ok());
                let must = "a distance, \"median\", or bandwidths as in \"0.6h\"";
                let bad = || to_python(Error::param("eps", rule, must));
                times.map(Eps::Bandwidths).ok_or_else(bad)
            }
        }
    }
}

fn count_or_auto(name: &'static str, told: &CountOrRule) -> PyResult<Option<usize>> {
    match told {
        CountOrRule::Count(number) => Ok(Some(count(name, *number)?)),
        CountOrRule::Rule(rule) => one_of(name, rule, &[("auto", None)]),
    }
}

/// Fits boosted mean shift; `progress` is called with (epoch, most epochs, modes found).
#[pyfunction]
#[pyo3(signature = (points, settings, links, weights=None, progress=None))]
pub(crate) fn fit_boosted_mean_shift(
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
