//! Plain mean shift, the method that every other is compared with.

use super::settings::{BLURRING, CUT, KERNEL, bad_value, profile};
use super::{Method, Outcome, Param, Settings, Task};
use crate::failure::Result;
use linkshift::Real;
use linkshift::bandwidth::Bandwidth;
use linkshift::mean_shift::{LabelRule, MeanShift, MeanShiftParams, Seeding};
use linkshift::observe::Observer;
use serde_json::json;

pub(crate) const METHOD: Method = Method {
    name: "mean-shift",
    summary: "every point climbs the density of all points; those that meet are a cluster",
    uses_links: false,
    takes_k: false,
    params: PARAMS,
    check: |settings| params(settings, 0).map(|_| ()),
    fit_f32: fit,
    fit_f64: fit,
};

const PARAMS: &[Param] = &[
    Param {
        key: "preset",
        default: "",
        allowed: "scikit-learn",
        what: "settings that agree with scikit-learn's MeanShift (needs bandwidth=NUMBER)",
    },
    Param {
        key: "bandwidth",
        default: "percentile",
        allowed: "a number above 0, percentile, neighbors, silverman, per-point",
        what: "how far a point looks: a distance, or a rule that finds one",
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
    KERNEL,
    CUT,
    BLURRING,
    Param {
        key: "max_iter",
        default: "300",
        allowed: "a whole number from 1",
        what: "iterations at the most",
    },
    Param {
        key: "tolerance",
        default: "0.001",
        allowed: "from 0, below 1",
        what: "a point has arrived when it moves less than this share of the bandwidth",
    },
    Param {
        key: "merge_tolerance",
        default: "0.001",
        allowed: "from 0, below 1",
        what: "points this share of the bandwidth apart travel on as one; 0: only equal ones",
    },
    Param {
        key: "mode_radius",
        default: "1",
        allowed: "a number from 0",
        what: "modes within this many bandwidths of a denser one are the same mode",
    },
    Param {
        key: "seeding",
        default: "all",
        allowed: "all, bins",
        what: "climb from every point, or from a grid (needs labels=nearest)",
    },
    Param {
        key: "min_points",
        default: "1",
        allowed: "a whole number",
        what: "seeding=bins: points that a cell of the grid must hold",
    },
    Param {
        key: "labels",
        default: "basin",
        allowed: "basin, nearest",
        what: "a point's cluster: the mode it climbs to, or the nearest one",
    },
    Param {
        key: "orphans",
        default: "cluster",
        allowed: "cluster, noise",
        what: "whether lone points are clusters of their own or noise (label -1)",
    },
];

/// The core's parameters: a preset or the defaults, and whatever is set besides.
fn params(settings: &Settings, seed: u64) -> Result<MeanShiftParams> {
    let mut params = MeanShiftParams::default();
    if settings.choice("preset", &[("scikit-learn", ())])?.is_some() {
        let text = settings.text("bandwidth").unwrap_or_default();
        let bandwidth = text.parse().map_err(|_| {
            let must = "left out unless bandwidth is a number too: --set bandwidth=0.5, say";
            bad_value("preset", "scikit-learn", must)
        })?;
        params = MeanShiftParams::like_scikit_learn(bandwidth);
    }
    params.bandwidth = bandwidth(settings, "percentile")?;
    params.profile = profile(settings, params.profile)?;
    params.blurring = settings.flag("blurring")?.unwrap_or(params.blurring);
    params.max_iter = settings.count("max_iter")?.unwrap_or(params.max_iter);
    params.tolerance = settings.number("tolerance")?.unwrap_or(params.tolerance);
    params.merge_tolerance = settings.number("merge_tolerance")?.unwrap_or(params.merge_tolerance);
    params.mode_radius = settings.number("mode_radius")?.unwrap_or(params.mode_radius);
    params.seeding = seeding(settings)?;
    let rules = [("basin", LabelRule::Basin), ("nearest", LabelRule::Nearest)];
    params.labels = settings.choice("labels", &rules)?.unwrap_or(params.labels);
    let orphans = [("cluster", false), ("noise", true)];
    params.orphans_as_noise =
        settings.choice("orphans", &orphans)?.unwrap_or(params.orphans_as_noise);
    params.seed = seed;
    params.check()?;
    Ok(params)
}

/// The bandwidth, or the rule, that is set, with what belongs to the rule.
pub(super) fn bandwidth(settings: &Settings, default: &'static str) -> Result<Bandwidth> {
    let rule = settings.text("bandwidth").unwrap_or(default);
    for (key, its_rule) in
        [("percentile", "percentile"), ("alpha", "neighbors"), ("k", "per-point")]
    {
        if rule != its_rule {
            settings.refuse(key, &format!("bandwidth={its_rule}"))?;
        }
    }
    Ok(match rule {
        "percentile" => Bandwidth::Percentile(settings.number("percentile")?.unwrap_or(15.0)),
        "neighbors" => Bandwidth::NeighborMean { alpha: settings.number("alpha")?.unwrap_or(0.5) },
        "silverman" => Bandwidth::Silverman,
        "per-point" => Bandwidth::PerPoint { k: settings.count("k")?.unwrap_or(10) },
        number => Bandwidth::Fixed(number.parse().map_err(|_| {
            let must = "a number above 0, or a rule: percentile, neighbors, silverman, per-point";
            bad_value("bandwidth", number, must)
        })?),
    })
}

fn seeding(settings: &Settings) -> Result<Seeding> {
    let min_points = settings.count("min_points")?.unwrap_or(1);
    let choices = [("all", Seeding::All), ("bins", Seeding::Bins { min_points })];
    let chosen = settings.choice("seeding", &choices)?.unwrap_or(Seeding::All);
    if chosen == Seeding::All {
        settings.refuse("min_points", "seeding=bins")?;
    }
    Ok(chosen)
}

fn fit<T: Real>(task: &Task<'_, T>, observer: &mut Observer<'_>) -> Result<Outcome<T>> {
    let method = MeanShift::new(params(task.settings, task.seed)?)?;
    let model = method.fit_observed(task.points, observer)?;
    let mut notes = Vec::new();
    if !task.links.is_empty() {
        notes.push("mean shift does not use links: the result is the same without them".into());
    }
    Ok(Outcome {
        labels: model.labels().to_vec(),
        modes: model.modes().clone(),
        n_iter: model.n_iter(),
        converged: model.converged(),
        details: vec![
            ("bandwidth", json!(model.bandwidth())),
            ("kernel", json!(method.params().profile.name())),
        ],
        notes,
        bandwidth: Some(model.bandwidth()),
        predictor: model.into_predictor(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params_of(texts: &[String]) -> Result<MeanShiftParams> {
        params(&Settings::parse(&METHOD, texts)?, 0)
    }

    #[test]
    fn the_defaults_in_the_table_are_the_defaults() {
        for param in PARAMS.iter().filter(|param| !param.default.is_empty()) {
            let mut texts = vec![format!("{}={}", param.key, param.default)];
            // What belongs to a rule can only be set together with it.
            let mut expected = MeanShiftParams::default();
            let rule = match param.key {
                "alpha" => Some(("bandwidth=neighbors", Bandwidth::NeighborMean { alpha: 0.5 })),
                "k" => Some(("bandwidth=per-point", Bandwidth::PerPoint { k: 10 })),
                _ => None,
            };
            if let Some((text, bandwidth)) = rule {
                texts.push(text.into());
                expected.bandwidth = bandwidth;
            }
            if param.key == "min_points" {
                texts.extend(["seeding=bins".into(), "labels=nearest".into()]);
                expected.seeding = Seeding::Bins { min_points: 1 };
                expected.labels = LabelRule::Nearest;
            }
            assert_eq!(params_of(&texts).unwrap(), expected, "{}", param.key);
        }
    }

    #[test]
    fn a_preset_gives_way_to_what_is_set_besides() {
        let texts = ["preset=scikit-learn", "bandwidth=2"].map(String::from);
        assert_eq!(params_of(&texts).unwrap(), MeanShiftParams::like_scikit_learn(2.0));
        let texts = [&texts[..], &["labels=basin".into()]].concat();
        let expected =
            MeanShiftParams { labels: LabelRule::Basin, ..MeanShiftParams::like_scikit_learn(2.0) };
        assert_eq!(params_of(&texts).unwrap(), expected);
    }

    #[test]
    fn what_plays_no_part_is_refused() {
        for text in ["alpha=1", "k=3", "min_points=2"] {
            let error = params_of(&[text.into()]).unwrap_err().to_string();
            assert!(error.contains("left out unless"), "{error}");
        }
        let error = params_of(&["kernel=ball".into(), "cut=0.1".into()]).unwrap_err();
        assert!(error.to_string().ends_with("left out unless kernel=truncated"));
    }
}
