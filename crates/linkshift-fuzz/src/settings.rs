//! What can be set of a method: words and numbers from its table, and others.

use crate::{Verdict, Workshop};
use linkshift::method::Clusters;
use linkshift::params::{N_CLUSTERS, ParamInfo, Value};
use linkshift::registry::{Entry, METHODS};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

const NUMBERS: &[f64] = &[
    0.0, -0.0, -1.0, 4.9e-324, 1e-9, 0.1, 0.25, 0.5, 0.99, 1.0, 1.5, 2.0, 3.0, 10.0, 1e9, 1e154,
    1e300,
];

const COUNTS: &[u64] = &[0, 1, 2, 3, 5, 8, 40];

const TEXTS: &[&str] =
    &["", "auto", "5x5", "0x0", "1x1", "nan", "inf", "-1", "1,2", "true", "1e999", "é", "3x"];

/// What must be told, and nothing else.
pub(crate) fn told(entry: &Entry) -> Vec<(&'static str, Value)> {
    match entry.info.clusters {
        Clusters::Told => vec![(N_CLUSTERS, Value::Count(2))],
        _ => Vec::new(),
    }
}

/// Some settings of a method; most are allowed.
pub(crate) fn some(entry: &Entry, rng: &mut ChaCha8Rng) -> Vec<(&'static str, Value)> {
    let mut all = told(entry);
    let share = [0.0, 0.05, 0.2, 0.5][rng.random_range(0..4)];
    for param in entry.params() {
        if rng.random::<f64>() < share {
            all.retain(|(key, _)| *key != param.key);
            all.push((param.key, value(&param, rng)));
        }
    }
    if rng.random_range(0..10) == 0 {
        let presets = entry.presets();
        if !presets.is_empty() {
            let name = presets[rng.random_range(0..presets.len())].name;
            all.push((linkshift::params::PRESET, name.into()));
        }
    }
    all
}

fn value(param: &ParamInfo, rng: &mut ChaCha8Rng) -> Value {
    // What would only make a run long is not odd, but slow.
    let is_length = ["max_iter", "n_init", "epochs"].contains(&param.key);
    match rng.random_range(0..8) {
        0..3 if !param.words.is_empty() => {
            param.words[rng.random_range(0..param.words.len())].into()
        }
        0 => param.default.clone(),
        1 => Value::Auto,
        2 => Value::Flag(rng.random()),
        3 => Value::parse(TEXTS[rng.random_range(0..TEXTS.len())]),
        4 if !is_length => Value::List((0..3).map(|_| number(rng)).collect()),
        5 if !is_length => Value::Number(number(rng)),
        _ => Value::Count(COUNTS[rng.random_range(0..COUNTS.len())]),
    }
}

fn number(rng: &mut ChaCha8Rng) -> f64 {
    NUMBERS[rng.random_range(0..NUMBERS.len())]
}

/// Settings are refused in words, or taken and given back as they are.
pub(crate) fn settings(rng: &mut ChaCha8Rng, _: &Workshop) -> Verdict {
    let entry = &METHODS[rng.random_range(0..METHODS.len())];
    let settings = some(entry, rng);
    match entry.configure(&settings) {
        Err(error) if error.to_string().is_empty() => Err("an error without a word".into()),
        Err(_) => Ok(()),
        Ok(method) => {
            let again = entry.configure(&method.settings()).map_err(|error| {
                format!("{} does not take back what it says: {error}", entry.info.name)
            })?;
            match again.settings() == method.settings() {
                true => Ok(()),
                false => Err(format!("{} says otherwise the second time", entry.info.name)),
            }
        }
    }
}
