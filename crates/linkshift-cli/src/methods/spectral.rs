//! Spectral clustering after mean shift: modes are joined where they have most in common.

use super::mean_shift::bandwidth;
use super::settings::bad_value;
use super::{Method, Outcome, Param, Settings, Task};
use crate::failure::Result;
use linkshift::Real;
use linkshift::cms::Representatives;
use linkshift::observe::Observer;
use linkshift::spectral::{Route, Spectral, SpectralModel, SpectralParams};
use serde_json::json;

pub(crate) const METHOD: Method = Method {
    name: "spectral",
    summary: "mean shift finds modes, and their graph is cut where it is weakest; -k, or found from the data",
    uses_links: true,
    takes_k: true,
    params: PARAMS,
    check: |settings| params(settings, None, 0, None).map(|_| ()),
    fit_f32: fit,
    fit_f64: fit,
};

const PARAMS: &[Param] = &[
    Param {
        key: "bandwidth",
        default: "silverman",
        allowed: "a number above 0, silverman, percentile, neighbors, per-point",
        what: "σ of the Gaussian: a distance, or a rule that finds one",
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
        what: "bandwidth=neighbors: mean distance to the k-th neighbour with k = alpha·√n",
    },
    Param {
        key: "k",
        default: "10",
        allowed: "a whole number from 1",
        what: "bandwidth=per-point: each point's distance to its k-th neighbour",
    },
    Param {
        key: "bandwidth_factor",
        default: "0.5",
        allowed: "a number above 0",
        what: "what the bandwidth is multiplied by; 1 is the paper's",
    },
    Param {
        key: "route",
        default: "tree",
        allowed: "tree, leading-vector, second-vector, embedding",
        what: "from affinities to clusters; only the tree listens to links",
    },
    Param {
        key: "quantise",
        default: "true",
        allowed: "true, false",
        what: "whether the matrix is of modes, or of all points (without mean shift)",
    },
    Param {
        key: "min_support",
        default: "",
        allowed: "from 0, below 1",
        what: "route=tree: modes with a smaller share of the points join others [0.2/k, or 0.01]",
    },
    Param {
        key: "negligible",
        default: "0.00000001",
        allowed: "from 0, below 1",
        what: "kernel values at or below this count as 0",
    },
    Param {
        key: "max_iter",
        default: "1000",
        allowed: "a whole number from 1",
        what: "iterations of mean shift at the most",
    },
    Param {
        key: "tolerance",
        default: "0.001",
        allowed: "from 0, below 1",
        what: "a point has arrived when it moves less than this share of the bandwidth",
    },
    Param {
        key: "representatives",
        default: "auto",
        allowed: "auto, never, or a whole number from 1",
        what: "gather points into this many weighted ones first, if there are more; auto: 500 (in the plane 300) above 1000 without links, else 4000",
    },
];

/// The core's parameters: the defaults, and whatever is set besides.
pub(crate) fn params(
    settings: &Settings,
    n_clusters: Option<usize>,
    seed: u64,
    memory_mb: Option<u64>,
) -> Result<SpectralParams> {
    let base = SpectralParams::default();
    let routes = Route::ALL.map(|route| (route.name(), route));
    let params = SpectralParams {
        n_clusters,
        bandwidth: bandwidth(settings, "silverman")?,
        bandwidth_factor: settings.number("bandwidth_factor")?.unwrap_or(base.bandwidth_factor),
        route: settings.choice("route", &routes)?.unwrap_or(base.route),
        quantise: settings.flag("quantise")?.unwrap_or(base.quantise),
        min_support: settings.number("min_support")?,
        negligible: settings.number("negligible")?.unwrap_or(base.negligible),
        max_iter: settings.count("max_iter")?.unwrap_or(base.max_iter),
        tolerance: settings.number("tolerance")?.unwrap_or(base.tolerance),
        representatives: representatives(settings)?,
        memory_mb,
        seed,
    };
    params.check()?;
    Ok(params)
}

fn representatives(settings: &Settings) -> Result<Representatives> {
    match settings.text("representatives") {
        None | Some("auto") => Ok(Representatives::Auto),
        Some("never") => Ok(Representatives::Never),
        Some(text) => text.parse().map(Representatives::Count).map_err(|_| {
            bad_value("representatives", text, "auto, never, or a whole number from 1")
        }),
    }
}

fn fit<T: Real>(task: &Task<'_, T>, observer: &mut Observer<'_>) -> Result<Outcome<T>> {
    let method = Spectral::new(params(task.settings, task.k, task.seed, task.memory_mb)?)?;
    let model = method.fit_observed(task.points, task.links, observer)?;
    let mut details = vec![
        ("bandwidth", json!(model.bandwidth())),
        ("route", json!(method.params().route.name())),
        ("modes", json!(model.modes().n_points())),
    ];
    if let Some(found) = model.found() {
        details.push(("clusters_found", json!(found.to_string())));
    }
    if let Some(gathered) = model.gathered() {
        details.push(("representatives", json!(gathered.n_representatives)));
    }
    Ok(Outcome {
        labels: model.labels().to_vec(),
        modes: model.modes().clone(),
        n_iter: model.n_iter(),
        converged: model.converged(),
        details,
        notes: notes(&model, task, method.params()),
        bandwidth: None,
        predictor: model.into_predictor(),
    })
}

fn notes<T: Real>(
    model: &SpectralModel<T>,
    task: &Task<'_, T>,
    params: &SpectralParams,
) -> Vec<String> {
    let mut notes = Vec::new();
    if params.route != Route::Tree && !task.links.is_empty() {
        notes.push(format!(
            "route={} does not listen to links: route=tree does",
            params.route.name()
        ));
    }
    match task.k {
        Some(k) if model.n_clusters() < k => {
            let n_modes = model.modes().n_points();
            let n_clusters = model.n_clusters();
            notes.push(format!(
                "{n_clusters} clusters instead of {k}: there are {n_modes} modes, and must-links join some: a smaller bandwidth has more"
            ));
        }
        Some(k) if model.n_clusters() > k => {
            let n_clusters = model.n_clusters();
            notes.push(format!(
                "{n_clusters} clusters instead of {k}: cannot-links hold more apart"
            ));
        }
        _ => {}
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params_of(texts: &[String]) -> Result<SpectralParams> {
        params(&Settings::parse(&METHOD, texts)?, None, 0, None)
    }

    #[test]
    fn the_defaults_in_the_table_are_the_defaults() {
        // What belongs to another bandwidth, or has no default, cannot be set to it.
        let elsewhere = ["percentile", "alpha", "k", "min_support"];
        for param in PARAMS.iter().filter(|param| !elsewhere.contains(&param.key)) {
            let text = [format!("{}={}", param.key, param.default)];
            assert_eq!(params_of(&text).unwrap(), SpectralParams::default(), "{text:?}");
        }
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        for text in ["bandwidth=wide", "route=walk", "representatives=few", "k=3", "negligible=1"] {
            assert!(params_of(&[text.into()]).is_err(), "{text}");
        }
    }
}
