//! How good a fit probably is, and which links are probably wrong, out of the model's details.

use crate::jobs::Fitted;
use linkshift::model::Fact;
use linkshift::{Link, auto};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A link that is probably wrong.
pub(crate) struct Suspect {
    pub(crate) link: Link,
    pub(crate) reason: String,
}

pub(crate) fn suspects(fitted: &Fitted) -> Vec<Suspect> {
    let Some(Fact::Suspects(suspects)) = fitted.model.detail("suspects") else { return Vec::new() };
    let told = |one: &auto::Suspect| {
        // The links as they were given: the method may have changed how sure they are.
        let link = fitted.links.as_slice().get(one.position).copied().unwrap_or(one.link);
        Suspect { link, reason: one.sentence().to_owned() }
    };
    suspects.iter().map(told).collect()
}

fn number(fitted: &Fitted, name: &str) -> Option<f64> {
    match fitted.model.detail(name) {
        Some(Fact::Number(number)) => Some(*number),
        _ => None,
    }
}

fn numbers<'a>(fitted: &'a Fitted, name: &str) -> Option<&'a [f64]> {
    match fitted.model.detail(name) {
        Some(Fact::Numbers(numbers)) => Some(numbers),
        _ => None,
    }
}

/// The expected share of right pairs.
pub(crate) fn share(fitted: &Fitted) -> Option<Value> {
    let value = number(fitted, "expected_right")?;
    let low = number(fitted, "expected_right_low");
    let high = number(fitted, "expected_right_high");
    Some(json!({ "value": value, "low": low, "high": high }))
}

/// The same for each cluster, by the number it is shown by.
pub(crate) fn by_cluster(fitted: &Fitted) -> BTreeMap<i64, Value> {
    let Some(values) = numbers(fitted, "expected_right_by_cluster") else { return BTreeMap::new() };
    let bound = |name: &str, at: usize| numbers(fitted, name).and_then(|all| all.get(at).copied());
    let one = |(at, value): (usize, &f64)| {
        let id = fitted.numbers.get(&(at as i64))?;
        let low = bound("expected_right_by_cluster_low", at);
        let high = bound("expected_right_by_cluster_high", at);
        Some((*id, json!({ "value": value, "low": low, "high": high })))
    };
    values.iter().enumerate().filter_map(one).collect()
}
