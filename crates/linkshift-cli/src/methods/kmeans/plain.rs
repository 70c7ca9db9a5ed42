//! Plain k-means.

use super::{MAX_ITER, N_INIT, TOLERANCE, common, k_of, outcome};
use crate::failure::Result;
use crate::methods::{Method, Outcome, Task};
use linkshift::Real;
use linkshift::kmeans::KMeans;
use linkshift::observe::Observer;

pub(crate) const METHOD: Method = Method {
    name: "kmeans",
    summary: "k centers, each at the mean of the points nearest to it",
    uses_links: false,
    takes_k: true,
    params: &[N_INIT, MAX_ITER, TOLERANCE],
    check: |settings| Ok(common(settings, 1, 0)?.check()?),
    fit_f32: fit,
    fit_f64: fit,
};

fn fit<T: Real>(task: &Task<'_, T>, observer: &mut Observer<'_>) -> Result<Outcome<T>> {
    let k = k_of(task, METHOD.name)?;
    let method = KMeans::new(common(task.settings, k, task.seed)?)?;
    let mut outcome = outcome(method.fit_observed(task.points, observer)?, k);
    if !task.links.is_empty() {
        outcome.notes.push("k-means does not use links: pck, cop and their relatives do".into());
    }
    Ok(outcome)
}
