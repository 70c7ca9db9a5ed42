//! Parameters that mean the same in several estimators.

use crate::errors::to_python;
use linkshift::cms::Representatives;
use linkshift::{Error, Profile};
use pyo3::prelude::*;

/// A number, or the name of a rule that finds one.
#[derive(FromPyObject)]
pub(crate) enum NumberOrRule {
    Number(f64),
    Rule(String),
}

/// A whole number, or the name of a rule that finds one.
#[derive(FromPyObject)]
pub(crate) enum CountOrRule {
    Count(i64),
    Rule(String),
}

/// A number of representatives, `auto` or `never`.
pub(crate) fn representatives(wish: &CountOrRule) -> PyResult<Representatives> {
    match wish {
        CountOrRule::Count(number) => {
            Ok(Representatives::Count(count("representatives", *number)?))
        }
        CountOrRule::Rule(rule) => {
            let rules = [("auto", Representatives::Auto), ("never", Representatives::Never)];
            one_of("representatives", rule, &rules)
        }
    }
}

/// A whole number that may not be negative.
pub(crate) fn count(name: &'static str, value: i64) -> PyResult<usize> {
    usize::try_from(value).map_err(|_| to_python(Error::param(name, value, "0 or more")))
}

/// The profile that `kernel` and `cut` name.
pub(crate) fn profile(kernel: &str, cut: f64) -> PyResult<Profile> {
    let all = [Profile::Ball, Profile::Rbf, Profile::Truncated { cut }, Profile::Gaussian];
    one_of("kernel", kernel, &all.map(|profile| (profile.name(), profile)))
}

/// What a word stands for.
pub(crate) fn one_of<V: Clone>(
    name: &'static str,
    word: &str,
    choices: &[(&str, V)],
) -> PyResult<V> {
    let chosen = choices.iter().find(|(choice, _)| *choice == word);
    chosen.map(|(_, value)| value.clone()).ok_or_else(|| {
        let words: Vec<&str> = choices.iter().map(|(choice, _)| *choice).collect();
        to_python(Error::param(name, word, format!("one of {}", words.join(", "))))
    })
}
