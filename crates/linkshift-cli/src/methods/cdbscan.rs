//! C-DBSCAN: density-based clusters that listen to links.

use super::constrained_spectral::means;
use super::{Method, Outcome, Param, Settings, Task};
use crate::failure::Result;
use linkshift::Real;
use linkshift::cdbscan::{Cdbscan, CdbscanParams};
use linkshift::observe::Observer;
use serde_json::json;

pub(crate) const METHOD: Method = Method {
    name: "cdbscan",
    summary: "dense regions are clusters, joined and kept apart by links; no link is ever broken",
    uses_links: true,
    takes_k: false,
    params: PARAMS,
    check: |settings| params(settings, None).map(|_| ()),
    fit_f32: fit,
    fit_f64: fit,
};

const PARAMS: &[Param] = &[
    Param {
        key: "eps",
        default: "0.1",
        allowed: "a number above 0",
        what: "how far a point reaches; 0.1 suits --scale minmax",
    },
    Param {
        key: "min_points",
        default: "4",
        allowed: "a whole number from 1",
        what: "points within reach, itself counted, that make a region dense",
    },
];

fn params(settings: &Settings, memory_mb: Option<u64>) -> Result<CdbscanParams> {
    let base = CdbscanParams::default();
    let params = CdbscanParams {
        eps: settings.number("eps")?.unwrap_or(base.eps),
        min_points: settings.count("min_points")?.unwrap_or(base.min_points),
        memory_mb,
    };
    params.check()?;
    Ok(params)
}

fn fit<T: Real>(task: &Task<'_, T>, observer: &mut Observer<'_>) -> Result<Outcome<T>> {
    let method = Cdbscan::new(params(task.settings, task.memory_mb)?)?;
    let model = method.fit_observed(task.points, task.links, observer)?;
    Ok(Outcome {
        modes: means(task.points, model.labels(), model.n_clusters())?,
        labels: model.labels().to_vec(),
        n_iter: 2,
        converged: true,
        details: vec![
            ("eps", json!(method.params().eps)),
            ("core_points", json!(model.core_rows().len())),
        ],
        notes: Vec::new(),
        bandwidth: None,
        predictor: model.into_predictor(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_in_the_table_are_the_defaults() {
        for param in PARAMS {
            let text = format!("{}={}", param.key, param.default);
            let settings = Settings::parse(&METHOD, &[text]).unwrap();
            assert_eq!(params(&settings, None).unwrap(), CdbscanParams::default());
        }
    }
}
