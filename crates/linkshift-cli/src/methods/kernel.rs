//! Kernel mean shift: mean shift in a feature space that must-links flatten.

use super::settings::bad_value;
use super::{Method, Outcome, Param, Settings, Task};
use crate::failure::{Failure, Result};
use linkshift::Real;
use linkshift::cms::Representatives;
use linkshift::kernel_mean_shift::{
    Dimension, KernelMeanShift, KernelMeanShiftModel, KernelMeanShiftParams, Mercer, Neighbor,
};
use linkshift::observe::Observer;
use linkshift_plot::MatrixPicture;
use serde_json::json;

pub(crate) const METHOD: Method = Method {
    name: "kernel",
    summary: "kernel mean shift: any similarity; must-links flatten the space, cannot-links stretch it",
    uses_links: true,
    takes_k: false,
    params: PARAMS,
    check: |settings| params(settings, 0, None).map(|_| ()),
    fit_f32: fit,
    fit_f64: fit,
};

/// Points whose distances are drawn at the most: 10⁸ numbers in memory, far beyond what an eye sees.
const MOST_DRAWN: usize = 10_000;

const PARAMS: &[Param] = &[
    Param {
        key: "kernel",
        default: "gaussian",
        allowed: "gaussian, polynomial, linear, chi2, cosine, precomputed",
        what: "how similar two points are; precomputed: the table says it (as --precomputed)",
    },
    Param {
        key: "sigma",
        default: "",
        allowed: "a number above 0",
        what: "kernel=gaussian: its width [sigma_factor times the mean distance between points]",
    },
    Param {
        key: "sigma_factor",
        default: "4",
        allowed: "a number above 0",
        what: "kernel=gaussian without sigma: its width in mean distances; the paper: about 1",
    },
    Param {
        key: "degree",
        default: "",
        allowed: "a whole number from 1",
        what: "kernel=polynomial: its degree [2]",
    },
    Param {
        key: "offset",
        default: "",
        allowed: "a number from 0",
        what: "kernel=polynomial: what is added to the product [1]",
    },
    Param {
        key: "k",
        default: "0.08",
        allowed: "a whole number from 1, or a share below 1",
        what: "a point's bandwidth: the distance to its k-th neighbour, or to that share of the points",
    },
    Param {
        key: "bandwidth_factor",
        default: "auto",
        allowed: "auto, or a number above 0",
        what: "times this; auto: 1/√(d+1) with d the effective dimension",
    },
    Param {
        key: "dimension",
        default: "effective",
        allowed: "effective, rank, or a number from 0",
        what: "the d of the weights 1/h^(d+2); the paper: rank",
    },
    Param {
        key: "max_iter",
        default: "500",
        allowed: "a whole number from 1",
        what: "iterations at the most",
    },
    Param {
        key: "tolerance",
        default: "0.0001",
        allowed: "from 0, below 1",
        what: "a point has arrived when it moves less than this share of the smallest bandwidth",
    },
    Param {
        key: "merge_tolerance",
        default: "0.001",
        allowed: "from 0, below 1",
        what: "points this share of it apart travel on as one; 0: only equal ones",
    },
    Param {
        key: "mode_radius",
        default: "0.1",
        allowed: "a number from 0",
        what: "modes within this many bandwidths of a denser one are the same mode",
    },
    Param {
        key: "leftover_share",
        default: "0.25",
        allowed: "from 0, below 1",
        what: "modes of at most this share of k points join the nearest mode, unless a cannot-link forbids it",
    },
    Param {
        key: "rank",
        default: "1000",
        allowed: "a whole number from 1",
        what: "columns that stand for the kernel matrix at the most",
    },
    Param {
        key: "rank_tolerance",
        default: "0.000000000001",
        allowed: "from 0, below 1",
        what: "… fewer if they leave out no more than this share of any similarity",
    },
    Param {
        key: "repair",
        default: "false",
        allowed: "true, false",
        what: "kernel=precomputed: drop negative eigenvalues instead of refusing the matrix",
    },
    Param {
        key: "representatives",
        default: "auto",
        allowed: "auto, never, or a whole number from 1",
        what: "gather points into this many weighted ones first, if there are more; auto: 4000",
    },
];

/// The core's parameters: the defaults, and whatever is set besides.
fn params(settings: &Settings, seed: u64, memory_mb: Option<u64>) -> Result<KernelMeanShiftParams> {
    let base = KernelMeanShiftParams::default();
    let params = KernelMeanShiftParams {
        kernel: kernel(settings)?,
        sigma_factor: settings.number("sigma_factor")?.unwrap_or(base.sigma_factor),
        neighbor: neighbor(settings)?.unwrap_or(base.neighbor),
        bandwidth_factor: number_or(settings, "bandwidth_factor", "auto")?,
        dimension: dimension(settings)?.unwrap_or(base.dimension),
        max_iter: settings.count("max_iter")?.unwrap_or(base.max_iter),
        tolerance: settings.number("tolerance")?.unwrap_or(base.tolerance),
        merge_tolerance: settings.number("merge_tolerance")?.unwrap_or(base.merge_tolerance),
        mode_radius: settings.number("mode_radius")?.unwrap_or(base.mode_radius),
        leftover_share: settings.number("leftover_share")?.unwrap_or(base.leftover_share),
        rank: settings.count("rank")?.unwrap_or(base.rank),
        rank_tolerance: settings.number("rank_tolerance")?.unwrap_or(base.rank_tolerance),
        repair: settings.flag("repair")?.unwrap_or(base.repair),
        representatives: representatives(settings)?,
        memory_mb,
        seed,
    };
    params.check()?;
    Ok(params)
}

fn kernel(settings: &Settings) -> Result<Mercer> {
    let degree = settings.count("degree")?.unwrap_or(2);
    let degree =
        u32::try_from(degree).map_err(|_| bad_value("degree", &degree.to_string(), "smaller"))?;
    let kernels = [
        Mercer::Gaussian { sigma: settings.number("sigma")? },
        Mercer::Polynomial { degree, offset: settings.number("offset")?.unwrap_or(1.0) },
        Mercer::Linear,
        Mercer::ChiSquared,
        Mercer::Cosine,
        Mercer::Precomputed,
    ];
    let default = kernels[0];
    let chosen = settings.choice("kernel", &kernels.map(|kernel| (kernel.name(), kernel)))?;
    let chosen = chosen.unwrap_or(default);
    for (key, its_kernel) in
        [("sigma", "gaussian"), ("degree", "polynomial"), ("offset", "polynomial")]
    {
        if chosen.name() != its_kernel {
            settings.refuse(key, &format!("kernel={its_kernel}"))?;
        }
    }
    Ok(chosen)
}

/// A whole number is a neighbour, a fraction a share.
fn neighbor(settings: &Settings) -> Result<Option<Neighbor>> {
    let Some(number) = settings.number("k")? else { return Ok(None) };
    if number.fract() == 0.0 && number >= 0.0 {
        return Ok(Some(Neighbor::Kth(number as usize)));
    }
    Ok(Some(Neighbor::Share(number)))
}

fn dimension(settings: &Settings) -> Result<Option<Dimension>> {
    if settings.text("dimension") == Some("rank") {
        return Ok(Some(Dimension::Rank));
    }
    Ok(number_or(settings, "dimension", "effective")?.map(Dimension::Fixed))
}

/// A number, or nothing where the word says so.
fn number_or(settings: &Settings, key: &str, word: &str) -> Result<Option<f64>> {
    match settings.text(key) {
        Some(text) if text == word => Ok(None),
        _ => settings.number(key),
    }
}

fn representatives(settings: &Settings) -> Result<Representatives> {
    match settings.text("representatives") {
        None | Some("auto") => Ok(Representatives::Auto),
        Some("never") => Ok(Representatives::Never),
        Some(_) => Ok(Representatives::Count(settings.count("representatives")?.unwrap_or(0))),
    }
}

fn fit<T: Real>(task: &Task<'_, T>, observer: &mut Observer<'_>) -> Result<Outcome<T>> {
    let method = KernelMeanShift::new(params(task.settings, task.seed, task.memory_mb)?)?;
    let n = task.points.n_points();
    if task.distances.is_some() && n > MOST_DRAWN {
        let text = format!("--plot-distances: {n} points are too many: draw at most {MOST_DRAWN}");
        return Err(Failure::Input(text));
    }
    let model = method.fit_observed(task.points, task.links, observer)?;
    if let Some(pictures) = task.distances {
        pictures.replace(vec![
            distances("in feature space", model.embedding(), model.rank()),
            distances("between modes", &model.ends(), model.rank()),
        ]);
    }
    let sigma = match model.kernel() {
        Mercer::Gaussian { sigma } => sigma,
        _ => None,
    };
    Ok(Outcome {
        labels: model.labels().to_vec(),
        modes: model.modes().clone(),
        n_iter: model.n_iter(),
        converged: model.converged(),
        details: vec![
            ("kernel", json!(model.kernel().name())),
            ("sigma", json!(sigma)),
            ("bandwidth", json!(model.bandwidth())),
            ("rank", json!(model.rank())),
            ("effective_dimension", json!(model.effective_dimension())),
            ("left_out", json!(model.left_out())),
            ("path", json!(path(&model))),
        ],
        notes: Vec::new(),
        bandwidth: None,
        predictor: model.into_predictor(),
    })
}

/// Which path ran, and the error it allows.
fn path<T: Real>(model: &KernelMeanShiftModel<T>) -> String {
    match model.gathered() {
        None => "exact".into(),
        Some(gathered) => format!(
            "{} representatives, {:.4} from their points in feature space (root mean square)",
            gathered.n_representatives, gathered.rms_distance
        ),
    }
}

/// The picture of Figures 6 and 8: all distances between rows.
fn distances(title: &str, rows: &[f64], d: usize) -> MatrixPicture {
    let apart = |a: &[f64], b: &[f64]| -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
    };
    let rows = || rows.chunks_exact(d);
    let values = rows().flat_map(|a| rows().map(move |b| apart(a, b))).collect();
    MatrixPicture { title: format!("distances {title}"), values, n_columns: rows().len() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params_of(texts: &[&str]) -> Result<KernelMeanShiftParams> {
        let texts: Vec<String> = texts.iter().map(|text| text.to_string()).collect();
        params(&Settings::parse(&METHOD, &texts)?, 0, None)
    }

    #[test]
    fn the_defaults_in_the_table_are_the_defaults() {
        for param in PARAMS.iter().filter(|param| !param.default.is_empty()) {
            let text = format!("{}={}", param.key, param.default);
            assert_eq!(params_of(&[&text]).unwrap(), KernelMeanShiftParams::default(), "{text}");
        }
    }

    #[test]
    fn words_and_numbers_are_told_apart() {
        let params = params_of(&["k=20", "dimension=rank", "bandwidth_factor=0.3"]).unwrap();
        assert_eq!(params.neighbor, Neighbor::Kth(20));
        assert_eq!(params.dimension, Dimension::Rank);
        assert_eq!(params.bandwidth_factor, Some(0.3));
        let kernel = params_of(&["kernel=polynomial", "degree=3"]).unwrap().kernel;
        assert_eq!(kernel, Mercer::Polynomial { degree: 3, offset: 1.0 });
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        for text in
            ["k=0", "k=-0.5", "kernel=rbf", "degree=3", "rank=0", "dimension=some", "repair=true"]
        {
            assert!(params_of(&[text]).is_err(), "{text}");
        }
        assert!(params_of(&["kernel=linear", "sigma=1"]).is_err());
    }
}
