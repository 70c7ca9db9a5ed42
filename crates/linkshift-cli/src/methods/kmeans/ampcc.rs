//! AMPCC: several centers for each cluster.

use super::{MAX_ITER, N_INIT, PENALTY, TOLERANCE, common, k_of, outcome};
use crate::failure::Result;
use crate::methods::{Method, Outcome, Param, Settings, Task};
use linkshift::Real;
use linkshift::kmeans::{Ampcc, AmpccParams};
use linkshift::observe::Observer;
use serde_json::json;

pub(crate) const METHOD: Method = Method {
    name: "ampcc",
    summary: "AMPCC: several centers for each cluster, found in the points that links name for it",
    uses_links: true,
    takes_k: true,
    params: &[N_INIT, MAX_ITER, TOLERANCE, PENALTY, N_REPRESENTATIVES],
    check: |settings| Ok(params(settings, 1, 0)?.check()?),
    fit_f32: fit,
    fit_f64: fit,
};

const N_REPRESENTATIVES: Param = Param {
    key: "n_representatives",
    default: "",
    allowed: "a whole number from 1",
    what: "centers of each cluster [the root of the smallest group, rounded up]",
};

fn params(settings: &Settings, k: usize, seed: u64) -> Result<AmpccParams> {
    Ok(AmpccParams {
        common: common(settings, k, seed)?,
        penalty: settings.number("penalty")?.unwrap_or(AmpccParams::default().penalty),
        n_representatives: settings.count("n_representatives")?,
    })
}

fn fit<T: Real>(task: &Task<'_, T>, observer: &mut Observer<'_>) -> Result<Outcome<T>> {
    let k = k_of(task, METHOD.name)?;
    let method = Ampcc::new(params(task.settings, k, task.seed)?)?;
    let model = method.fit_observed(task.points, task.links, observer)?;
    let n_representatives = model.representatives().n_points();
    let mut outcome = outcome(model, k);
    outcome.details.push(("representatives", json!(n_representatives)));
    Ok(outcome)
}
