//! Boosted mean shift: many small mean shifts, for sets too large for one.

use super::settings::{CUT, KERNEL, bad_value, profile};
use super::{Method, Outcome, Param, Settings, Task};
use crate::failure::Result;
use linkshift::Real;
use linkshift::bandwidth::Bandwidth;
use linkshift::boosted::{Boosted, BoostedModel, BoostedParams, Cells, Eps, Grid, Neighborhood};
use linkshift::observe::Observer;
use serde_json::{Value, json};

pub(crate) const METHOD: Method = Method {
    name: "boosted",
    summary: "boosted mean shift: cells of points find modes, which DBSCAN groups; made for many points",
    uses_links: true,
    takes_k: false,
    params: PARAMS,
    check: |settings| params(settings, 0).map(|_| ()),
    fit_f32: fit,
    fit_f64: fit,
};

const PARAMS: &[Param] = &[
    Param {
        key: "preset",
        default: "",
        allowed: "paper",
        what: "the text of the paper literally: linear-5, least_support=1, min_points=4, climb_steps=0",
    },
    Param {
        key: "cells",
        default: "auto",
        allowed: "auto, or WIDTHxHEIGHT",
        what: "the torus of cells; auto: 3x3, from 10,000 points 5x5, up to 10x10",
    },
    Param {
        key: "cell_size",
        default: "1008",
        allowed: "a whole number from 1",
        what: "points a cell holds at most; of more, the cells get a part drawn at random",
    },
    Param {
        key: "neighborhood",
        default: "compact-9",
        allowed: "linear-5, linear-9, compact-9, compact-13",
        what: "the cells that exchange points",
    },
    Param {
        key: "bandwidth",
        default: "neighbors",
        allowed: "a number above 0, percentile, neighbors, silverman",
        what: "how far a point looks: a distance, or a rule that finds one from each cell",
    },
    Param {
        key: "percentile",
        default: "15",
        allowed: "0 to 100",
        what: "bandwidth=percentile: which percentile of the distances between points",
    },
    Param {
        key: "alpha",
        default: "0.5",
        allowed: "a number above 0",
        what: "bandwidth=neighbors: mean distance to the k-th neighbour with k = alpha·√(points in a cell)",
    },
    Param { default: "rbf", ..KERNEL },
    CUT,
    Param {
        key: "least_support",
        default: "auto",
        allowed: "auto, or a whole number from 1",
        what: "modes that fewer points of a cell climb to are dropped; auto: half the root of the cell's points, at least 4",
    },
    Param {
        key: "eps",
        default: "median",
        allowed: "a distance, median, or bandwidths as in 0.6h",
        what: "how near two modes must be to belong together; median: of the distances to the k-th nearest mode, k = min_points",
    },
    Param {
        key: "min_points",
        default: "auto",
        allowed: "auto, or a whole number from 1",
        what: "modes within eps, itself counted, that make a mode part of a cluster's core; auto: 4/9 of the cells",
    },
    Param {
        key: "stable_epochs",
        default: "3",
        allowed: "a whole number from 1",
        what: "epochs in a row with the same number of clusters that end the run",
    },
    Param {
        key: "max_epochs",
        default: "50",
        allowed: "a whole number from 1",
        what: "epochs at the most",
    },
    Param {
        key: "climb_steps",
        default: "3",
        allowed: "a whole number from 0",
        what: "steps of mean shift that a point takes before it takes the cluster of the nearest mode",
    },
];

/// The core's parameters: a preset or the defaults, and whatever is set besides.
pub(crate) fn params(settings: &Settings, seed: u64) -> Result<BoostedParams> {
    let base = settings.choice("preset", &[("paper", BoostedParams::paper())])?.unwrap_or_default();
    let shapes = Neighborhood::ALL.map(|shape| (shape.name(), shape));
    let params = BoostedParams {
        cells: cells(settings)?,
        cell_size: settings.count("cell_size")?.unwrap_or(base.cell_size),
        neighborhood: settings.choice("neighborhood", &shapes)?.unwrap_or(base.neighborhood),
        bandwidth: bandwidth(settings)?,
        profile: profile(settings, base.profile)?,
        least_support: count_or_auto(settings, "least_support", base.least_support)?,
        eps: eps(settings, base.eps)?,
        min_points: count_or_auto(settings, "min_points", base.min_points)?,
        stable_epochs: settings.count("stable_epochs")?.unwrap_or(base.stable_epochs),
        max_epochs: settings.count("max_epochs")?.unwrap_or(base.max_epochs),
        climb_steps: settings.count("climb_steps")?.unwrap_or(base.climb_steps),
        seed,
    };
    params.check()?;
    Ok(params)
}

fn count_or_auto(settings: &Settings, key: &str, base: Option<usize>) -> Result<Option<usize>> {
    match settings.text(key) {
        None => Ok(base),
        Some("auto") => Ok(None),
        Some(_) => settings.count(key),
    }
}

fn cells(settings: &Settings) -> Result<Cells> {
    let text = settings.text("cells").unwrap_or("auto");
    if text == "auto" {
        return Ok(Cells::Auto);
    }
    let sides = text.split_once('x').map(|(width, height)| (width.parse(), height.parse()));
    match sides {
        Some((Ok(width), Ok(height))) => Ok(Cells::Grid(Grid::new(width, height)?)),
        _ => Err(bad_value("cells", text, "auto, or WIDTHxHEIGHT, as in 5x5")),
    }
}

fn bandwidth(settings: &Settings) -> Result<Bandwidth> {
    let rule = settings.text("bandwidth").unwrap_or("neighbors");
    for (key, its_rule) in [("percentile", "percentile"), ("alpha", "neighbors")] {
        if rule != its_rule {
            settings.refuse(key, &format!("bandwidth={its_rule}"))?;
        }
    }
    Ok(match rule {
        "percentile" => Bandwidth::Percentile(settings.number("percentile")?.unwrap_or(15.0)),
        "neighbors" => Bandwidth::NeighborMean { alpha: settings.number("alpha")?.unwrap_or(0.5) },
        "silverman" => Bandwidth::Silverman,
        number => Bandwidth::Fixed(number.parse().map_err(|_| {
            let must = "a number above 0, or a rule: percentile, neighbors, silverman";
            bad_value("bandwidth", number, must)
        })?),
    })
}

fn eps(settings: &Settings, default: Eps) -> Result<Eps> {
    let Some(text) = settings.text("eps") else { return Ok(default) };
    let bad = |_| bad_value("eps", text, "a distance, median, or bandwidths as in 0.6h");
    match text.strip_suffix('h') {
        _ if text == "median" => Ok(Eps::NeighborMedian),
        Some(times) => Ok(Eps::Bandwidths(times.parse().map_err(bad)?)),
        None => Ok(Eps::Fixed(text.parse().map_err(bad)?)),
    }
}

fn fit<T: Real>(task: &Task<'_, T>, observer: &mut Observer<'_>) -> Result<Outcome<T>> {
    let method = Boosted::new(params(task.settings, task.seed)?)?;
    let model = method.fit_observed(task.points, task.links, observer)?;
    Ok(Outcome {
        labels: model.labels().to_vec(),
        modes: model.modes().clone(),
        n_iter: model.n_iter(),
        converged: model.converged(),
        details: details(&method, &model),
        notes: left_out(&model, task.points.n_points()).into_iter().collect(),
        bandwidth: Some(model.bandwidth()),
        predictor: model.into_predictor(),
    })
}

/// What the summary says of a model besides its clusters.
pub(crate) fn details<T: Real>(
    method: &Boosted,
    model: &BoostedModel<T>,
) -> Vec<(&'static str, Value)> {
    let grid = model.grid();
    vec![
        ("bandwidth", json!(model.bandwidth())),
        ("kernel", json!(method.params().profile.name())),
        ("eps", json!(model.eps())),
        ("cells", json!(format!("{}x{}", grid.width(), grid.height()))),
        ("modes_found", json!(model.n_modes_found())),
    ]
}

/// A remark where the cells did not hold all points.
pub(crate) fn left_out<T: Real>(model: &BoostedModel<T>, n_points: usize) -> Option<String> {
    let n_drawn = model.n_drawn();
    (n_drawn < n_points).then(|| {
        format!(
            "the cells held {n_drawn} of the {n_points} points, drawn at random; the others were assigned to the modes found: cells and cell_size change that"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params_of(texts: &[&str]) -> Result<BoostedParams> {
        let texts: Vec<String> = texts.iter().map(|text| text.to_string()).collect();
        params(&Settings::parse(&METHOD, &texts)?, 0)
    }

    #[test]
    fn the_defaults_in_the_table_are_the_defaults() {
        let needs = |key: &str| match key {
            "percentile" => Some("bandwidth=percentile"),
            "cut" => Some("kernel=truncated"),
            _ => None,
        };
        for param in PARAMS.iter().filter(|param| !param.default.is_empty()) {
            let text = format!("{}={}", param.key, param.default);
            let texts: Vec<&str> = needs(param.key).into_iter().chain([&text[..]]).collect();
            let without = params_of(&texts[..texts.len() - 1]).unwrap();
            assert_eq!(params_of(&texts).unwrap(), without, "{text}");
        }
        assert_eq!(params_of(&[]).unwrap(), BoostedParams::default());
    }

    #[test]
    fn cells_and_eps_are_read() {
        let params = params_of(&["cells=4x2", "eps=1.5", "preset=paper"]).unwrap();
        let expected = BoostedParams {
            cells: Cells::Grid(Grid::new(4, 2).unwrap()),
            eps: Eps::Fixed(1.5),
            ..BoostedParams::paper()
        };
        assert_eq!(params, expected);
        assert_eq!(params_of(&["eps=median"]).unwrap().eps, Eps::NeighborMedian);
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        for text in ["cells=5", "cells=0x3", "eps=h", "eps=-1", "least_support=0", "alpha=0"] {
            assert!(params_of(&[text]).is_err(), "{text}");
        }
        assert!(params_of(&["bandwidth=per-point"]).is_err());
        assert!(params_of(&["bandwidth=2", "alpha=1"]).is_err());
    }
}
