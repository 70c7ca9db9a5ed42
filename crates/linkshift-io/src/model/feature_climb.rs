//! [`FeatureClimb`] in a model file.

use super::container::{Container, Element, missing};
use super::parts::{put_iterations, put_points, take_iterations, take_points};
use crate::error::Problem;
use linkshift::Real;
use linkshift::kernel_mean_shift::{FeatureClimb, Mercer};
use serde_json::json;

pub(super) fn put<T: Real + Element>(to: &mut Container, climb: &FeatureClimb<T>) {
    put_kernel(to, climb.kernel);
    to.set("n_features", climb.n_features);
    to.put("pivot_rows", climb.pivot_rows.iter().copied());
    to.put("pivots", climb.pivots.iter().copied());
    to.put("triangle", climb.triangle.iter().copied());
    to.put("map", climb.map.iter().copied());
    to.put("samples", climb.samples.iter().copied());
    to.set("gathered", climb.gathered);
    to.put("scales", climb.scales.iter().copied());
    to.put("log_shares", climb.log_shares.iter().copied());
    put_iterations(to, climb.max_iter);
    to.set("tolerance", climb.tolerance);
    to.set("merge_tolerance", climb.merge_tolerance);
    put_points(to, "ends", &climb.ends);
    to.put("end_labels", climb.labels.iter().copied());
}

pub(super) fn take<T: Real + Element>(from: &Container) -> Result<FeatureClimb<T>, Problem> {
    Ok(FeatureClimb {
        kernel: take_kernel(from)?,
        n_features: from.count("n_features")?,
        pivot_rows: from.take("pivot_rows")?,
        pivots: from.take("pivots")?,
        triangle: from.take("triangle")?,
        map: from.take("map")?,
        samples: from.take("samples")?,
        gathered: from.flag("gathered")?,
        scales: from.take("scales")?,
        log_shares: from.take("log_shares")?,
        max_iter: take_iterations(from)?,
        tolerance: from.number("tolerance")?,
        merge_tolerance: from.number("merge_tolerance")?,
        ends: take_points(from, "ends")?,
        labels: from.take("end_labels")?,
    })
}

fn put_kernel(to: &mut Container, kernel: Mercer) {
    let name = kernel.name();
    let value = match kernel {
        Mercer::Auto { sigma } | Mercer::Gaussian { sigma } => {
            json!({ "name": name, "sigma": sigma })
        }
        Mercer::Polynomial { degree, offset } => {
            json!({ "name": name, "degree": degree, "offset": offset })
        }
        Mercer::Linear | Mercer::ChiSquared | Mercer::Cosine | Mercer::Precomputed => {
            json!({ "name": name })
        }
    };
    to.set("kernel", value);
}

fn take_kernel(from: &Container) -> Result<Mercer, Problem> {
    let kernel = from.get("kernel");
    let degree = kernel["degree"].as_u64().and_then(|degree| u32::try_from(degree).ok());
    Ok(match (kernel["name"].as_str(), degree, kernel["offset"].as_f64()) {
        (Some("gaussian"), ..) => Mercer::Gaussian { sigma: kernel["sigma"].as_f64() },
        (Some("polynomial"), Some(degree), Some(offset)) => Mercer::Polynomial { degree, offset },
        (Some("linear"), ..) => Mercer::Linear,
        (Some("chi2"), ..) => Mercer::ChiSquared,
        (Some("cosine"), ..) => Mercer::Cosine,
        (Some("precomputed"), ..) => Mercer::Precomputed,
        _ => return Err(missing("kernel")),
    })
}
