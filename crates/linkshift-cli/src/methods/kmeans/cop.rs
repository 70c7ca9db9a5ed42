//! COP-k-means: no link is ever broken.

use super::{MAX_ITER, N_INIT, TOLERANCE, common, k_of, outcome};
use crate::failure::Result;
use crate::methods::{Method, Outcome, Param, Settings, Task};
use linkshift::Real;
use linkshift::kmeans::{Cop, CopParams};
use linkshift::observe::Observer;

pub(crate) const METHOD: Method = Method {
    name: "cop",
    summary: "COP-k-means: no link is ever broken; if that cannot be, the links that block are named",
    uses_links: true,
    takes_k: true,
    params: &[N_INIT, MAX_ITER, TOLERANCE, N_ORDERS],
    check: |settings| Ok(params(settings, 1, 0)?.check()?),
    fit_f32: fit,
    fit_f64: fit,
};

const N_ORDERS: Param = Param {
    key: "n_orders",
    default: "20",
    allowed: "a whole number from 1",
    what: "orders of assignment tried before it is said that none keeps all links",
};

fn params(settings: &Settings, k: usize, seed: u64) -> Result<CopParams> {
    let base = CopParams::default();
    let n_orders = settings.count("n_orders")?.unwrap_or(base.n_orders);
    Ok(CopParams { common: common(settings, k, seed)?, n_orders })
}

fn fit<T: Real>(task: &Task<'_, T>, observer: &mut Observer<'_>) -> Result<Outcome<T>> {
    let k = k_of(task, METHOD.name)?;
    let method = Cop::new(params(task.settings, k, task.seed)?)?;
    Ok(outcome(method.fit_observed(task.points, task.links, observer)?, k))
}
