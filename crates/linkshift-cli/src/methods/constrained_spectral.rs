//! Constrained spectral clustering: the cheapest cuts that agree with the links.

use super::mean_shift::bandwidth;
use super::{Method, Outcome, Param, Settings, Task};
use crate::failure::{Failure, Result};
use linkshift::constrained_spectral::{ConstrainedSpectral, ConstrainedSpectralParams};
use linkshift::observe::Observer;
use linkshift::{Points, Real};
use serde_json::json;

pub(crate) const METHOD: Method = Method {
    name: "constrained-spectral",
    summary: "the cheapest cuts of the affinity graph among those that agree with the links; needs -k",
    uses_links: true,
    takes_k: true,
    params: PARAMS,
    check: |settings| params(settings, 2, 0, None).map(|_| ()),
    fit_f32: fit,
    fit_f64: fit,
};

const PARAMS: &[Param] = &[
    Param {
        key: "bandwidth",
        default: "silverman",
        allowed: "a number above 0, silverman, percentile, neighbors, per-point",
        what: "σ of the Gaussian affinity: a distance, or a rule that finds one",
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
        key: "beta",
        default: "",
        allowed: "a number",
        what: "how much the cuts must agree with the links [half an eigenvalue of theirs]",
    },
];

fn params(
    settings: &Settings,
    n_clusters: usize,
    seed: u64,
    memory_mb: Option<u64>,
) -> Result<ConstrainedSpectralParams> {
    let params = ConstrainedSpectralParams {
        n_clusters,
        bandwidth: bandwidth(settings, "silverman")?,
        beta: settings.number("beta")?,
        memory_mb,
        seed,
    };
    params.check()?;
    Ok(params)
}

fn fit<T: Real>(task: &Task<'_, T>, observer: &mut Observer<'_>) -> Result<Outcome<T>> {
    let Some(k) = task.k else {
        let text = "constrained-spectral does not find the number of clusters: give it, as -k 3";
        return Err(Failure::input(text));
    };
    let method = ConstrainedSpectral::new(params(task.settings, k, task.seed, task.memory_mb)?)?;
    let model = method.fit_observed(task.points, task.links, observer)?;
    Ok(Outcome {
        modes: means(task.points, model.labels(), model.n_clusters())?,
        labels: model.labels().to_vec(),
        n_iter: 3,
        converged: true,
        details: vec![("bandwidth", json!(model.bandwidth())), ("beta", json!(model.beta()))],
        notes: Vec::new(),
        bandwidth: None,
        predictor: model.into_predictor(),
    })
}

/// The mean of each cluster, which stands for it in pictures; noise has none. Where all is noise,
/// the mean of all.
pub(super) fn means<T: Real>(
    points: &Points<'_, T>,
    labels: &[i64],
    n_clusters: usize,
) -> Result<Points<'static, T>> {
    let d = points.n_features();
    let mut sums = vec![0.0; n_clusters.max(1) * d];
    let mut counts = vec![0.0_f64; n_clusters.max(1)];
    for (row, &label) in points.rows().zip(labels) {
        let Ok(cluster) = usize::try_from(if n_clusters == 0 { 0 } else { label }) else {
            continue;
        };
        counts[cluster] += 1.0;
        sums[cluster * d..][..d].iter_mut().zip(row).for_each(|(sum, x)| *sum += x.as_f64());
    }
    let values: Vec<T> =
        sums.iter().enumerate().map(|(at, sum)| T::of(sum / counts[at / d].max(1.0))).collect();
    Ok(Points::new(values, d)?)
}
