//! k-means and its relatives: what they share at the command line.

pub(crate) mod ampcc;
pub(crate) mod cop;
pub(crate) mod mpck;
pub(crate) mod pcck;
pub(crate) mod pck;
pub(crate) mod plain;

use super::{Outcome, Param, Settings, Task};
use crate::failure::{Failure, Result};
use linkshift::Real;
use linkshift::kmeans::{KMeansModel, KMeansParams};
use serde_json::json;

const N_INIT: Param = Param {
    key: "n_init",
    default: "4",
    allowed: "a whole number from 1",
    what: "runs from different starts, of which the best is kept",
};

const MAX_ITER: Param = Param {
    key: "max_iter",
    default: "300",
    allowed: "a whole number from 1",
    what: "iterations of a run at the most",
};

const TOLERANCE: Param = Param {
    key: "tolerance",
    default: "0.000001",
    allowed: "from 0, below 1",
    what: "a run ends when an iteration lowers the objective by no more than this share of it",
};

const PENALTY: Param = Param {
    key: "penalty",
    default: "1",
    allowed: "a number from 0",
    what: "a factor on what broken links cost",
};

/// What all members of the family can be told; the number of clusters comes later, from `-k`.
fn common(settings: &Settings, k: usize, seed: u64) -> Result<KMeansParams> {
    let base = KMeansParams::of(k);
    Ok(KMeansParams {
        n_clusters: k,
        n_init: settings.count("n_init")?.unwrap_or(base.n_init),
        max_iter: settings.count("max_iter")?.unwrap_or(base.max_iter),
        tolerance: settings.number("tolerance")?.unwrap_or(base.tolerance),
        seed,
    })
}

/// The number of clusters, without which none of them can begin.
fn k_of<T: Real>(task: &Task<'_, T>, name: &str) -> Result<usize> {
    task.k.ok_or_else(|| {
        Failure::Input(format!("method {name} must be told the number of clusters: add -k K"))
    })
}

/// The model as the command line shows it.
fn outcome<T: Real>(model: KMeansModel<T>, k: usize) -> Outcome<T> {
    let mut notes = Vec::new();
    if model.n_clusters() < k {
        let found = model.n_clusters();
        notes.push(format!("{found} clusters instead of {k}: no other point would gain by one"));
    }
    Outcome {
        labels: model.labels().to_vec(),
        modes: model.centers().clone(),
        n_iter: model.n_iter(),
        converged: model.converged(),
        details: vec![("objective", json!(model.objective()))],
        notes,
        bandwidth: None,
        predictor: model.into_predictor(),
    }
}

#[cfg(test)]
mod tests {
    use crate::methods::{Method, Settings};

    const ALL: [Method; 6] = [
        super::plain::METHOD,
        super::cop::METHOD,
        super::pck::METHOD,
        super::mpck::METHOD,
        super::pcck::METHOD,
        super::ampcc::METHOD,
    ];

    fn check(method: &Method, text: &str) -> bool {
        let settings = Settings::parse(method, &[text.to_owned()]);
        settings.is_ok_and(|settings| (method.check)(&settings).is_ok())
    }

    #[test]
    fn the_defaults_in_the_tables_are_accepted() {
        for method in &ALL {
            for param in method.params.iter().filter(|param| !param.default.is_empty()) {
                let text = format!("{}={}", param.key, param.default);
                assert!(check(method, &text), "{} {text}", method.name);
            }
        }
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        for method in &ALL {
            for text in ["n_init=0", "max_iter=0", "tolerance=2", "n_init=many"] {
                assert!(!check(method, text), "{} {text}", method.name);
            }
        }
        assert!(!check(&super::pck::METHOD, "penalty=-1"));
        assert!(!check(&super::mpck::METHOD, "metric=round"));
        assert!(!check(&super::cop::METHOD, "n_orders=0"));
        assert!(!check(&super::ampcc::METHOD, "n_representatives=0"));
    }
}
