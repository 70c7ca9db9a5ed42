//! Parts that several predictors have.

use super::container::{Container, Element, damaged, missing};
use crate::error::Problem;
use linkshift::bandwidth::Found;
use linkshift::params::Named;
use linkshift::predictor::Held;
use linkshift::{Points, Profile, Real};
use serde_json::json;

/// Points as an array, with their weights beside it.
pub(super) fn put_points<T: Real + Element>(
    to: &mut Container,
    name: &str,
    points: &Points<'_, T>,
) {
    to.set(&columns_of(name), points.n_features());
    to.put(name, points.values().iter().copied());
    if let Some(weights) = points.weights() {
        to.put(&weights_of(name), weights.iter().copied());
    }
}

pub(super) fn take_points<T: Real + Element>(
    from: &Container,
    name: &str,
) -> Result<Points<'static, T>, Problem> {
    let points = Points::new(from.take::<T>(name)?, from.count(&columns_of(name))?);
    let weights = weights_of(name);
    let weighted = match from.has(&weights) {
        true => points
            .and_then(|points| points.with_weights(from.take::<T>(&weights).unwrap_or_default())),
        false => points,
    };
    weighted.map_err(|error| damaged(&format!("{name}: {error}")))
}

fn columns_of(name: &str) -> String {
    format!("{name}.columns")
}

fn weights_of(name: &str) -> String {
    format!("{name}.weights")
}

pub(super) fn put_profile(to: &mut Container, profile: Profile) {
    let cut = match profile {
        Profile::Truncated { cut } => Some(cut),
        Profile::Ball | Profile::Rbf | Profile::Gaussian => None,
    };
    to.set("profile", json!({ "name": profile.name(), "cut": cut }));
}

pub(super) fn take_profile(from: &Container) -> Result<Profile, Problem> {
    let profile = from.get("profile");
    match (profile["name"].as_str(), profile["cut"].as_f64()) {
        (Some("ball"), _) => Ok(Profile::Ball),
        (Some("rbf"), _) => Ok(Profile::Rbf),
        (Some("gaussian"), _) => Ok(Profile::Gaussian),
        (Some("truncated"), Some(cut)) => Ok(Profile::Truncated { cut }),
        _ => Err(missing("profile")),
    }
}

pub(super) fn put_bandwidth<T: Real + Element>(to: &mut Container, bandwidth: &Found<T>) {
    match bandwidth {
        Found::Same(h) => to.put("bandwidth", [*h]),
        Found::PerPoint(all) => to.put("bandwidths", all.iter().copied()),
    }
}

pub(super) fn take_bandwidth<T: Real + Element>(from: &Container) -> Result<Found<T>, Problem> {
    match from.has("bandwidths") {
        true => Ok(Found::PerPoint(from.take("bandwidths")?)),
        false => Ok(Found::Same(take_one(from, "bandwidth")?)),
    }
}

/// Held points, if there are any.
pub(super) fn put_held<T: Real + Element>(to: &mut Container, held: &Held<T>) {
    if !held.labels.is_empty() {
        to.put("held", held.values.iter().copied());
        to.put("held_labels", held.labels.iter().copied());
    }
}

pub(super) fn take_held<T: Real + Element>(from: &Container) -> Result<Held<T>, Problem> {
    match from.has("held") {
        true => Ok(Held { values: from.take("held")?, labels: from.take("held_labels")? }),
        false => Ok(Held::default()),
    }
}

/// More iterations are refused: climbs come to rest in some hundred, and a file that says 2⁶³ would
/// keep whoever believes it busy for ever.
pub(super) const MOST_ITERATIONS: usize = 1_000_000;

/// Iterations at the most; those beyond what is read again make no difference to any label.
pub(super) fn put_iterations(to: &mut Container, max_iter: usize) {
    to.set("max_iter", max_iter.min(MOST_ITERATIONS));
}

pub(super) fn take_iterations(from: &Container) -> Result<usize, Problem> {
    match from.count("max_iter")? {
        count if count <= MOST_ITERATIONS => Ok(count),
        count => Err(damaged(&format!(
            "it speaks of {count} iterations, and {MOST_ITERATIONS} are the most"
        ))),
    }
}

/// An array of one.
pub(super) fn take_one<E: Element>(from: &Container, name: &str) -> Result<E, Problem> {
    from.take(name)?.first().copied().ok_or_else(|| missing(name))
}

/// An array that was put together from pieces of these lengths.
pub(super) fn split<E: Element>(
    from: &Container,
    name: &str,
    lengths: impl Iterator<Item = usize>,
) -> Result<Vec<Vec<E>>, Problem> {
    let all = from.take::<E>(name)?;
    let mut rest = &all[..];
    let mut pieces = Vec::new();
    for length in lengths {
        let (piece, after) = rest.split_at_checked(length).ok_or_else(|| missing(name))?;
        pieces.push(piece.to_vec());
        rest = after;
    }
    Ok(pieces)
}
