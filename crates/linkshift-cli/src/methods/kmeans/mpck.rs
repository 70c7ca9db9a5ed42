//! MPCKMeans: broken links cost by their length, and columns count as is learned.

use super::{MAX_ITER, N_INIT, PENALTY, TOLERANCE, common, k_of, outcome};
use crate::failure::Result;
use crate::methods::{Method, Outcome, Param, Settings, Task};
use linkshift::Real;
use linkshift::kmeans::{MetricKind, Mpck, MpckParams};
use linkshift::observe::Observer;

pub(crate) const METHOD: Method = Method {
    name: "mpck",
    summary: "MPCKMeans: learns how columns count; broken links cost by their length",
    uses_links: true,
    takes_k: true,
    params: &[N_INIT, MAX_ITER, TOLERANCE, PENALTY, METRIC, SHARED, LINK_CAP],
    check: |settings| Ok(params(settings, 1, 0)?.check()?),
    fit_f32: fit,
    fit_f64: fit,
};

const METRIC: Param = Param {
    key: "metric",
    default: "diagonal",
    allowed: "diagonal, full",
    what: "a weight for each column, or a whole matrix",
};

const SHARED: Param = Param {
    key: "shared",
    default: "true",
    allowed: "true, false",
    what: "whether all clusters share one metric",
};

const LINK_CAP: Param = Param {
    key: "link_cap",
    default: "10000",
    allowed: "a whole number from 1",
    what: "pairs that a group, or two groups apart, may stand for; beyond it as many are drawn",
};

fn params(settings: &Settings, k: usize, seed: u64) -> Result<MpckParams> {
    let base = MpckParams::default();
    let kinds = [("diagonal", MetricKind::Diagonal), ("full", MetricKind::Full)];
    Ok(MpckParams {
        common: common(settings, k, seed)?,
        penalty: settings.number("penalty")?.unwrap_or(base.penalty),
        metric: settings.choice("metric", &kinds)?.unwrap_or(base.metric),
        shared: settings.flag("shared")?.unwrap_or(base.shared),
        link_cap: settings.count("link_cap")?.unwrap_or(base.link_cap),
    })
}

fn fit<T: Real>(task: &Task<'_, T>, observer: &mut Observer<'_>) -> Result<Outcome<T>> {
    let k = k_of(task, METHOD.name)?;
    let method = Mpck::new(params(task.settings, k, task.seed)?)?;
    let model = method.fit_observed(task.points, task.links, observer)?;
    let left_out = model.pairs_left_out();
    let mut outcome = outcome(model, k);
    if left_out > 0 {
        outcome.notes.push(format!(
            "{left_out} implied pairs were left out, the others count for them: link_cap changes that"
        ));
    }
    Ok(outcome)
}
