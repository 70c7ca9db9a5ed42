//! `--set key=value`: read once, known keys only, each value asked for by its kind.

use super::{Method, Param, did_you_mean};
use crate::failure::{Failure, Result};
use linkshift::Profile;
use std::str::FromStr;

// What every method of the mean shift family can be told.

pub(crate) const KERNEL: Param = Param {
    key: "kernel",
    default: "truncated",
    allowed: "ball, rbf, truncated, gaussian",
    what: "how points count by distance x·h: x<1, exp(-x²), that above a cut, exp(-x²/2)",
};

pub(crate) const CUT: Param = Param {
    key: "cut",
    default: "0.2",
    allowed: "above 0, below 1",
    what: "kernel=truncated: values at or below this count as 0",
};

pub(crate) const BLURRING: Param = Param {
    key: "blurring",
    default: "false",
    allowed: "true, false",
    what: "whether the points themselves move along",
};

/// The settings of a run, by key.
#[derive(Debug, Default)]
pub(crate) struct Settings {
    pairs: Vec<(&'static str, String)>,
}

impl Settings {
    /// Reads `key=value` texts; the method must know each key.
    pub(crate) fn parse(method: &Method, texts: &[String]) -> Result<Self> {
        let mut settings = Settings::default();
        for text in texts {
            let Some((key, value)) = text.split_once('=') else {
                return Err(Failure::Input(format!("--set {text}: write it as key=value")));
            };
            let (key, value) = (key.trim(), value.trim());
            let Some(param) = method.params.iter().find(|param| param.key == key) else {
                return Err(unknown_key(method, key));
            };
            if settings.text(param.key).is_some() {
                return Err(Failure::Input(format!("--set {key} is given twice: give it once")));
            }
            settings.pairs.push((param.key, value.to_owned()));
        }
        Ok(settings)
    }

    /// All that is set, as key and value.
    pub(crate) fn pairs(&self) -> Vec<(String, String)> {
        self.pairs.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect()
    }

    /// The value as it was written.
    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        self.pairs.iter().find(|(known, _)| *known == key).map(|(_, value)| value.as_str())
    }

    pub(crate) fn number(&self, key: &str) -> Result<Option<f64>> {
        self.parsed(key, "a number")
    }

    pub(crate) fn count(&self, key: &str) -> Result<Option<usize>> {
        self.parsed(key, "a whole number, 0 or more")
    }

    pub(crate) fn flag(&self, key: &str) -> Result<Option<bool>> {
        self.parsed(key, "true or false")
    }

    /// One of some words, each of which stands for something.
    pub(crate) fn choice<V: Clone>(&self, key: &str, choices: &[(&str, V)]) -> Result<Option<V>> {
        let Some(text) = self.text(key) else { return Ok(None) };
        let chosen = choices.iter().find(|(word, _)| *word == text);
        chosen.map(|(_, value)| Some(value.clone())).ok_or_else(|| {
            let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
            let near = did_you_mean(text, &words);
            bad_value(key, text, &format!("one of {}{near}", words.join(", ")))
        })
    }

    /// Fails if a key is set that plays no part because of another setting.
    pub(crate) fn refuse(&self, key: &str, unless: &str) -> Result<()> {
        match self.text(key) {
            None => Ok(()),
            Some(text) => Err(bad_value(key, text, &format!("left out unless {unless}"))),
        }
    }

    fn parsed<V: FromStr>(&self, key: &str, must: &str) -> Result<Option<V>> {
        let Some(text) = self.text(key) else { return Ok(None) };
        text.parse().map(Some).map_err(|_| bad_value(key, text, must))
    }
}

/// The profile that `kernel` and `cut` name.
pub(crate) fn profile(settings: &Settings, default: Profile) -> Result<Profile> {
    let profiles = [Profile::Ball, Profile::Rbf, Profile::TRUNCATED, Profile::Gaussian];
    let profiles = profiles.map(|profile| (profile.name(), profile));
    let chosen = settings.choice("kernel", &profiles)?.unwrap_or(default);
    match (chosen, settings.number("cut")?) {
        (Profile::Truncated { .. }, Some(cut)) => Ok(Profile::Truncated { cut }),
        (Profile::Truncated { .. }, None) => Ok(chosen),
        _ => settings.refuse("cut", "kernel=truncated").map(|()| chosen),
    }
}

/// In the words of the core's parameter errors.
pub(crate) fn bad_value(key: &str, text: &str, must: &str) -> Failure {
    Failure::Input(format!("{key} = {text} cannot work: it must be {must}"))
}

fn unknown_key(method: &Method, key: &str) -> Failure {
    let known: Vec<&str> = method.params.iter().map(|param| param.key).collect();
    let near = did_you_mean(key, &known);
    let name = method.name;
    Failure::Input(format!("{name} has no parameter {key:?}{near}; it has {}", known.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::find;

    fn parse(texts: &[&str]) -> Result<Settings> {
        let texts: Vec<String> = texts.iter().map(|text| text.to_string()).collect();
        Settings::parse(find("mean-shift").unwrap(), &texts)
    }

    fn error_of<V>(result: Result<V>) -> String {
        result.err().unwrap().to_string()
    }

    #[test]
    fn values_are_read_by_their_kind() {
        let settings = parse(&["bandwidth = 0.5", "max_iter=7", "blurring=true"]).unwrap();
        assert_eq!(settings.number("bandwidth").unwrap(), Some(0.5));
        assert_eq!(settings.count("max_iter").unwrap(), Some(7));
        assert_eq!(settings.flag("blurring").unwrap(), Some(true));
        assert_eq!(settings.number("tolerance").unwrap(), None);
    }

    #[test]
    fn what_cannot_be_read_says_what_it_must_be() {
        let settings = parse(&["max_iter=-1", "kernel=bal"]).unwrap();
        let must = "max_iter = -1 cannot work: it must be a whole number, 0 or more";
        assert_eq!(error_of(settings.count("max_iter")), must);
        let must = "kernel = bal cannot work: it must be one of ball, rbf (did you mean \"ball\"?)";
        assert_eq!(error_of(settings.choice("kernel", &[("ball", 1), ("rbf", 2)])), must);
    }

    #[test]
    fn texts_that_are_no_settings_are_refused() {
        assert_eq!(error_of(parse(&["blurring"])), "--set blurring: write it as key=value");
        let twice = error_of(parse(&["k=1", "k=2"]));
        assert_eq!(twice, "--set k is given twice: give it once");
        let unknown = error_of(parse(&["bandwith=1"]));
        assert!(unknown.contains("did you mean \"bandwidth\"?"), "{unknown}");
        assert!(unknown.contains("merge_tolerance"), "{unknown}");
    }
}
