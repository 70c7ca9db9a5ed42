//! Constrained mean shift: mean shift that is told what belongs apart.

use super::settings::{BLURRING, CUT, KERNEL, bad_value, profile};
use super::{Method, Outcome, Param, Settings, Task};
use crate::failure::Result;
use linkshift::cms::{Cms, CmsModel, CmsParams, Representatives, Schedule};
use linkshift::observe::Observer;
use linkshift::{LinkKind, Real};
use serde_json::json;

pub(crate) const METHOD: Method = Method {
    name: "cms",
    summary: "constrained mean shift: links bend the density, the bandwidth grows until only they hold apart",
    uses_links: true,
    takes_k: false,
    params: PARAMS,
    check: |settings| params(settings, 0, None).map(|_| ()),
    fit_f32: fit,
    fit_f64: fit,
};

const PARAMS: &[Param] = &[
    Param {
        key: "preset",
        default: "",
        allowed: "paper-toy, paper-embedding",
        what: "the published settings: 100 iterations, merge 0.995/0, or 80, 0.99/0.1; no link_cap, no pull, leftovers stay",
    },
    Param {
        key: "bandwidth",
        default: "adaptive",
        allowed: "adaptive, or a number above 0",
        what: "grow from the smallest to the largest distance between points, or stay fixed",
    },
    Param {
        key: "bandwidth_from",
        default: "",
        allowed: "a number above 0",
        what: "bandwidth=adaptive: where it begins [from the data]",
    },
    Param {
        key: "bandwidth_to",
        default: "",
        allowed: "a number above 0",
        what: "bandwidth=adaptive: where it ends [from the data]",
    },
    KERNEL,
    CUT,
    BLURRING,
    Param {
        key: "max_iter",
        default: "100",
        allowed: "a whole number from 1",
        what: "iterations, over which the bandwidth grows",
    },
    Param {
        key: "link_scale",
        default: "0.5",
        allowed: "a number above 0",
        what: "how far a link reaches, as a share of its length (λ)",
    },
    Param {
        key: "must_strength",
        default: "0.5",
        allowed: "a number from 0 to 1",
        what: "how strongly must-links pull; 0: not at all, as in the paper",
    },
    Param {
        key: "must_range",
        default: "2.5",
        allowed: "a number above 0",
        what: "a must-link pulls once it is no longer than this many bandwidths, a doubtful one at half of them",
    },
    Param {
        key: "min_link_bandwidth",
        default: "0.001",
        allowed: "a number above 0",
        what: "no link reaches less far than this (ε)",
    },
    Param {
        key: "merge_k",
        default: "0.995",
        allowed: "from 0, below 1",
        what: "two centers share a cluster if their kernel value exceeds this",
    },
    Param {
        key: "merge_b",
        default: "0",
        allowed: "from 0, below 1",
        what: "… and the weight that links leave between them exceeds this",
    },
    Param {
        key: "tolerance",
        default: "0.0001",
        allowed: "a number from 0",
        what: "fixed bandwidth: stop when no center moves more than this share of it",
    },
    Param {
        key: "merge_tolerance",
        default: "0.003",
        allowed: "from 0, below 1",
        what: "centers this share of the bandwidth apart travel on as one; 0: only equal ones",
    },
    Param {
        key: "link_cap",
        default: "20",
        allowed: "a whole number from 1",
        what: "pairs that two linked groups may stand for; beyond it the nearest pairs are taken",
    },
    Param {
        key: "leftover_size",
        default: "5",
        allowed: "a whole number from 0",
        what: "linked clusters up to this size join another that breaks no link; 0: every one stays",
    },
    Param {
        key: "representatives",
        default: "auto",
        allowed: "auto, never, or a whole number from 1",
        what: "gather points into this many weighted ones first, if there are more; auto: 4000",
    },
];

/// The core's parameters: a preset or the defaults, and whatever is set besides.
fn params(settings: &Settings, seed: u64, memory_mb: Option<u64>) -> Result<CmsParams> {
    let presets =
        [("paper-toy", CmsParams::paper_toy()), ("paper-embedding", CmsParams::paper_embedding())];
    let base = settings.choice("preset", &presets)?.unwrap_or_default();
    let params = CmsParams {
        profile: profile(settings, base.profile)?,
        schedule: schedule(settings)?,
        max_iter: settings.count("max_iter")?.unwrap_or(base.max_iter),
        blurring: settings.flag("blurring")?.unwrap_or(base.blurring),
        link_scale: settings.number("link_scale")?.unwrap_or(base.link_scale),
        must_strength: settings.number("must_strength")?.unwrap_or(base.must_strength),
        must_range: settings.number("must_range")?.unwrap_or(base.must_range),
        min_link_bandwidth: settings
            .number("min_link_bandwidth")?
            .unwrap_or(base.min_link_bandwidth),
        merge_k: settings.number("merge_k")?.unwrap_or(base.merge_k),
        merge_b: settings.number("merge_b")?.unwrap_or(base.merge_b),
        tolerance: settings.number("tolerance")?.unwrap_or(base.tolerance),
        merge_tolerance: settings.number("merge_tolerance")?.unwrap_or(base.merge_tolerance),
        link_cap: settings.count("link_cap")?.unwrap_or(base.link_cap),
        leftover_size: settings.count("leftover_size")?.unwrap_or(base.leftover_size),
        representatives: representatives(settings)?,
        memory_mb,
        seed,
    };
    params.check()?;
    Ok(params)
}

fn schedule(settings: &Settings) -> Result<Schedule> {
    let text = settings.text("bandwidth").unwrap_or("adaptive");
    if text == "adaptive" {
        let [from, to] = ["bandwidth_from", "bandwidth_to"].map(|key| settings.number(key));
        return Ok(Schedule::Linear { from: from?, to: to? });
    }
    for key in ["bandwidth_from", "bandwidth_to"] {
        settings.refuse(key, "bandwidth=adaptive")?;
    }
    let bad = |_| bad_value("bandwidth", text, "adaptive, or a number above 0");
    Ok(Schedule::Fixed(text.parse().map_err(bad)?))
}

fn representatives(settings: &Settings) -> Result<Representatives> {
    match settings.text("representatives") {
        None | Some("auto") => Ok(Representatives::Auto),
        Some("never") => Ok(Representatives::Never),
        Some(text) => match text.parse() {
            Ok(count) => Ok(Representatives::Count(count)),
            Err(_) => {
                Err(bad_value("representatives", text, "auto, never, or a whole number from 1"))
            }
        },
    }
}

fn fit<T: Real>(task: &Task<'_, T>, observer: &mut Observer<'_>) -> Result<Outcome<T>> {
    let method = Cms::new(params(task.settings, task.seed, task.memory_mb)?)?;
    let model = method.fit_observed(task.points, task.links, observer)?;
    let grows = matches!(method.params().schedule, Schedule::Linear { .. });
    let joins_all = grows && task.links.iter().all(|link| link.kind == LinkKind::Must);
    let bandwidths = model.bandwidths();
    let span = [bandwidths.first(), bandwidths.last()].map(|h| h.copied().unwrap_or_default());
    Ok(Outcome {
        labels: model.labels().to_vec(),
        modes: model.modes().clone(),
        n_iter: model.n_iter(),
        converged: model.converged(),
        details: vec![
            ("bandwidth_from", json!(span[0])),
            ("bandwidth_to", json!(span[1])),
            ("kernel", json!(method.params().profile.name())),
            ("path", json!(path(&model))),
            ("implied_broken", json!(model.n_implied_broken())),
        ],
        notes: notes(&model, joins_all),
        bandwidth: Some(span[1]),
        predictor: model.into_predictor(),
    })
}

/// Which path ran, and the error it allows.
fn path<T: Real>(model: &CmsModel<T>) -> String {
    match model.gathered() {
        None => "exact".into(),
        Some(gathered) => format!(
            "{} representatives, {:.4} from their points (root mean square)",
            gathered.n_representatives, gathered.rms_distance
        ),
    }
}

fn notes<T: Real>(model: &CmsModel<T>, joins_all: bool) -> Vec<String> {
    let mut notes = Vec::new();
    if joins_all {
        notes.push("without cannot-links the growing bandwidth joins everything: give --links, or a fixed bandwidth".into());
    }
    if model.pairs_left_out() > 0 {
        let left_out = model.pairs_left_out();
        notes.push(format!("{left_out} implied cannot-linked pairs were left out, the nearest kept: link_cap changes that"));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params_of(texts: &[&str]) -> Result<CmsParams> {
        let texts: Vec<String> = texts.iter().map(|text| text.to_string()).collect();
        params(&Settings::parse(&METHOD, &texts)?, 0, None)
    }

    #[test]
    fn the_defaults_in_the_table_are_the_defaults() {
        for param in PARAMS.iter().filter(|param| !param.default.is_empty()) {
            let text = format!("{}={}", param.key, param.default);
            assert_eq!(params_of(&[&text]).unwrap(), CmsParams::default(), "{text}");
        }
    }

    #[test]
    fn a_preset_gives_way_to_what_is_set_besides() {
        let expected = CmsParams { merge_b: 0.2, ..CmsParams::paper_embedding() };
        assert_eq!(params_of(&["preset=paper-embedding", "merge_b=0.2"]).unwrap(), expected);
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        for text in ["bandwidth=wide", "representatives=few", "merge_k=2", "link_cap=0"] {
            assert!(params_of(&[text]).is_err(), "{text}");
        }
        assert!(params_of(&["bandwidth=0.3", "bandwidth_to=1"]).is_err());
    }
}
