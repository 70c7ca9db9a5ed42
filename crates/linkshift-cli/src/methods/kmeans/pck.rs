//! PCKMeans: broken links have a price.

use super::{MAX_ITER, N_INIT, PENALTY, TOLERANCE, common, k_of, outcome};
use crate::failure::Result;
use crate::methods::{Method, Outcome, Settings, Task};
use linkshift::Real;
use linkshift::kmeans::{Pck, PckParams};
use linkshift::observe::Observer;

pub(crate) const METHOD: Method = Method {
    name: "pck",
    summary: "PCKMeans: a broken link costs the same whatever its length",
    uses_links: true,
    takes_k: true,
    params: &[N_INIT, MAX_ITER, TOLERANCE, PENALTY],
    check: |settings| Ok(params(settings, 1, 0)?.check()?),
    fit_f32: fit,
    fit_f64: fit,
};

fn params(settings: &Settings, k: usize, seed: u64) -> Result<PckParams> {
    let penalty = settings.number("penalty")?.unwrap_or(PckParams::default().penalty);
    Ok(PckParams { common: common(settings, k, seed)?, penalty })
}

fn fit<T: Real>(task: &Task<'_, T>, observer: &mut Observer<'_>) -> Result<Outcome<T>> {
    let k = k_of(task, METHOD.name)?;
    let method = Pck::new(params(task.settings, k, task.seed)?)?;
    Ok(outcome(method.fit_observed(task.points, task.links, observer)?, k))
}
