//! PCCKMeans: groups of must-linked points travel as one.

use super::{MAX_ITER, N_INIT, PENALTY, TOLERANCE, common, k_of, outcome};
use crate::failure::Result;
use crate::methods::{Method, Outcome, Settings, Task};
use linkshift::Real;
use linkshift::kmeans::{Pcck, PcckParams};
use linkshift::observe::Observer;

pub(crate) const METHOD: Method = Method {
    name: "pcck",
    summary: "PCCKMeans: must-linked points travel as one, a broken cannot-link costs by their numbers",
    uses_links: true,
    takes_k: true,
    params: &[N_INIT, MAX_ITER, TOLERANCE, PENALTY],
    check: |settings| Ok(params(settings, 1, 0)?.check()?),
    fit_f32: fit,
    fit_f64: fit,
};

fn params(settings: &Settings, k: usize, seed: u64) -> Result<PcckParams> {
    let penalty = settings.number("penalty")?.unwrap_or(PcckParams::default().penalty);
    Ok(PcckParams { common: common(settings, k, seed)?, penalty })
}

fn fit<T: Real>(task: &Task<'_, T>, observer: &mut Observer<'_>) -> Result<Outcome<T>> {
    let k = k_of(task, METHOD.name)?;
    let method = Pcck::new(params(task.settings, k, task.seed)?)?;
    Ok(outcome(method.fit_observed(task.points, task.links, observer)?, k))
}
