//! The table of a method's parameters, and all that is done by it.

use super::range::Range;
use super::setting::Setting;
use super::value::Value;
use crate::error::{Error, Result};
use crate::method::{Algorithm, Clusters};

/// The key of the number of clusters, where a method can be told it.
pub const N_CLUSTERS: &str = "n_clusters";
/// The key of the seed, where a method draws anything.
pub const SEED: &str = "seed";
/// The key of what becomes of certain links that the method itself would break.
pub const OBEY: &str = "obey";

/// The key of the memory that a method may use, where it keeps to a limit.
pub const MEMORY_MB: &str = "memory_mb";
/// The key that names a [`Preset`], where a method has any.
pub const PRESET: &str = "preset";

/// A row of the table: one thing that can be set.
#[derive(Debug)]
pub struct Param<P> {
    /// Its name in every door.
    pub key: &'static str,
    /// One sentence.
    pub what: &'static str,
    /// Which numbers are allowed.
    pub range: Range,
    /// Words of the field's type that this method has no use for.
    pub except: &'static [&'static str],
    /// The field that it means.
    pub slot: fn(&mut P) -> Slot<'_>,
}

/// Where a parameter is kept.
pub enum Slot<'a> {
    /// In this field.
    Field(&'a mut dyn Setting),
    /// Nowhere, because of what another parameter is set to.
    Unless {
        /// What would have to be set, as in `kernel=truncated`.
        condition: &'static str,
        /// The field as it would be then.
        otherwise: Box<dyn Setting>,
    },
}

impl<'a> Slot<'a> {
    /// A field that is there if another one is set so; `otherwise` is its default then.
    pub fn only_if<S: Setting + 'static>(
        field: Option<&'a mut S>,
        condition: &'static str,
        otherwise: S,
    ) -> Self {
        match field {
            Some(field) => Slot::Field(field),
            None => Slot::Unless { condition, otherwise: Box::new(otherwise) },
        }
    }

    fn setting(&self) -> &dyn Setting {
        match self {
            Slot::Field(field) => &**field,
            Slot::Unless { otherwise, .. } => &**otherwise,
        }
    }
}

impl<P> Param<P> {
    /// A row.
    pub const fn new(
        key: &'static str,
        range: Range,
        slot: fn(&mut P) -> Slot<'_>,
        what: &'static str,
    ) -> Self {
        Self { key, what, range, except: &[], slot }
    }

    /// The same row without some words.
    pub const fn except(self, words: &'static [&'static str]) -> Self {
        Self { except: words, ..self }
    }

    fn set(&self, params: &mut P, value: &Value) -> Result<()> {
        let understood = match (self.slot)(params) {
            Slot::Field(_) if value.as_word().is_some_and(|word| self.except.contains(&word)) => {
                false
            }
            Slot::Field(field) => field.set(value),
            Slot::Unless { condition, .. } => {
                return Err(Error::param(self.key, value, format!("left out unless {condition}")));
            }
        };
        match understood {
            true => Ok(()),
            false => Err(Error::param(self.key, value, self.allowed(params))),
        }
    }

    fn allowed(&self, params: &mut P) -> String {
        self.range.allowed((self.slot)(params).setting(), self.except)
    }
}

/// A named set of parameters, such as a paper's.
#[derive(Debug)]
pub struct Preset<P> {
    /// Its name in every door.
    pub name: &'static str,
    /// One sentence.
    pub what: &'static str,
    /// Parameters that must be set along with it.
    pub needs: &'static [&'static str],
    /// The parameters.
    pub params: fn() -> P,
}

/// A row of the table as doors show it.
#[derive(Debug, Clone, PartialEq)]
pub struct ParamInfo {
    /// Its name in every door.
    pub key: &'static str,
    /// One sentence.
    pub what: &'static str,
    /// What it may be.
    pub allowed: String,
    /// The words among that.
    pub words: Vec<&'static str>,
    /// What it is if nobody sets it.
    pub default: Value,
    /// What else must be set for it to mean anything, as in `kernel=truncated`.
    pub only_if: Option<&'static str>,
}

/// The rows of a method's table.
pub fn describe<P: Algorithm>() -> Vec<ParamInfo> {
    let mut defaults = P::default();
    let presets = (!P::PRESETS.is_empty()).then(|| ParamInfo {
        key: PRESET,
        what: "settings under a name, which give way to what is set besides",
        allowed: P::PRESETS.iter().map(|preset| preset.name).collect::<Vec<_>>().join(" or "),
        words: P::PRESETS.iter().map(|preset| preset.name).collect(),
        default: Value::Auto,
        only_if: None,
    });
    let row = |param: &Param<P>| {
        let allowed = param.allowed(&mut defaults);
        let slot = (param.slot)(&mut defaults);
        let only_if = match slot {
            Slot::Field(_) => None,
            Slot::Unless { condition, .. } => Some(condition),
        };
        let mut words = slot.setting().words();
        words.retain(|word| !param.except.contains(word));
        let default = slot.setting().get();
        ParamInfo { key: param.key, what: param.what, allowed, words, default, only_if }
    };
    presets.into_iter().chain(P::TABLE.iter().map(row)).collect()
}

/// The parameters that these settings stand for: a preset or the defaults, and what is set besides.
///
/// What a parameter means may depend on others, so they are set in the order of the table, not in
/// that of the list.
pub fn configure<P: Algorithm>(settings: &[(&str, Value)]) -> Result<P> {
    let find = |key: &str| settings.iter().find(|(known, _)| *known == key);
    let is_known = |key: &str| {
        P::TABLE.iter().any(|param| param.key == key) || (key == PRESET && !P::PRESETS.is_empty())
    };
    if let Some((key, _)) = settings.iter().find(|(key, _)| !is_known(key)) {
        return Err(Error::UnknownParam {
            method: P::INFO.name,
            key: (*key).to_owned(),
            known: describe::<P>().iter().map(|param| param.key).collect(),
        });
    }
    let mut params = match find(PRESET) {
        Some((_, value)) => preset::<P>(value, |key| find(key).is_some())?,
        None => P::default(),
    };
    for param in P::TABLE {
        if let Some((_, value)) = find(param.key) {
            param.set(&mut params, value)?;
        }
    }
    check(&params)?;
    Ok(params)
}

fn preset<P: Algorithm>(value: &Value, is_set: impl Fn(&str) -> bool) -> Result<P> {
    let chosen = P::PRESETS.iter().find(|preset| value.as_word() == Some(preset.name));
    let Some(preset) = chosen else {
        let names: Vec<&str> = P::PRESETS.iter().map(|preset| preset.name).collect();
        return Err(Error::param(PRESET, value, names.join(" or ")));
    };
    match preset.needs.iter().find(|key| !is_set(key)) {
        Some(key) => {
            let must = format!("left out unless {key} is set too");
            Err(Error::param(PRESET, value, must))
        }
        None => Ok((preset.params)()),
    }
}

/// Fails at the first parameter, or pair of parameters, that cannot work.
pub fn check<P: Algorithm>(params: &P) -> Result<()> {
    let mut params = params.clone();
    for param in P::TABLE {
        let allowed = param.allowed(&mut params);
        if let Slot::Field(field) = (param.slot)(&mut params)
            && let Some(bad) = field.numbers().into_iter().find(|&x| !param.range.holds(x))
        {
            return Err(Error::param(param.key, bad, allowed));
        }
    }
    params.check_together()
}

/// What a parameter is set to; none if there is no such parameter, or it plays no part.
pub fn value<P: Algorithm>(params: &P, key: &str) -> Option<Value> {
    let param = P::TABLE.iter().find(|param| param.key == key)?;
    match (param.slot)(&mut params.clone()) {
        Slot::Field(field) => Some(field.get()),
        Slot::Unless { .. } => None,
    }
}

/// The settings in which parameters differ from the defaults: what a model file keeps of them.
pub fn differences<P: Algorithm>(params: &P) -> Vec<(&'static str, Value)> {
    let (mut params, mut defaults) = (params.clone(), P::default());
    let changed = |param: &Param<P>| {
        let value = match (param.slot)(&mut params) {
            Slot::Field(field) => field.get(),
            Slot::Unless { .. } => return None,
        };
        let default = (param.slot)(&mut defaults).setting().get();
        // A number of clusters that must be told has no default that means anything.
        let is_told = param.key == N_CLUSTERS && P::INFO.clusters == Clusters::Told;
        (value != default || is_told).then_some((param.key, value))
    };
    P::TABLE.iter().filter_map(changed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bandwidth::Bandwidth;
    use crate::mean_shift::{LabelRule, MeanShiftParams};
    use crate::spectral::SpectralParams;

    fn error_of(settings: &[(&str, Value)]) -> String {
        configure::<MeanShiftParams>(settings).unwrap_err().to_string()
    }

    #[test]
    fn the_order_of_the_settings_does_not_matter() {
        let expected =
            MeanShiftParams { bandwidth: Bandwidth::PerPoint { k: 3 }, ..Default::default() };
        let k = ("k", Value::Count(3));
        let rule = ("bandwidth", Value::from("per-point"));
        for settings in [[k.clone(), rule.clone()], [rule, k]] {
            assert_eq!(configure::<MeanShiftParams>(&settings).unwrap(), expected);
        }
    }

    #[test]
    fn what_plays_no_part_is_refused() {
        let error = error_of(&[("k", Value::Count(3))]);
        assert_eq!(error, "k = 3 cannot work: it must be left out unless bandwidth=per-point");
    }

    #[test]
    fn what_is_not_understood_says_what_it_must_be() {
        let error = error_of(&[("max_iter", Value::Number(-1.0))]);
        assert_eq!(error, "max_iter = -1 cannot work: it must be a whole number from 1");
        let error = error_of(&[("labels", "near".into())]);
        assert_eq!(error, "labels = near cannot work: it must be auto, basin or nearest");
        assert!(error_of(&[("bandwith", Value::Number(1.0))]).starts_with("mean-shift has no"));
    }

    #[test]
    fn a_preset_gives_way_to_what_is_set_besides() {
        let preset = (PRESET, Value::from("scikit-learn"));
        assert!(error_of(std::slice::from_ref(&preset)).ends_with("unless bandwidth is set too"));
        let bandwidth = ("bandwidth", Value::Number(2.0));
        let labels = ("labels", Value::from("basin"));
        let params: MeanShiftParams = configure(&[preset, bandwidth, labels]).unwrap();
        let expected = MeanShiftParams {
            labels: Some(LabelRule::Basin),
            ..MeanShiftParams::like_scikit_learn(2.0)
        };
        assert_eq!(params, expected);
    }

    #[test]
    fn differences_from_the_defaults_lead_back() {
        let params = SpectralParams { max_iter: 7, ..SpectralParams::paper(3) };
        let settings = differences(&params);
        assert!(settings.contains(&("negligible", Value::Number(0.0))));
        assert_eq!(configure::<SpectralParams>(&settings).unwrap(), params);
        assert_eq!(differences(&SpectralParams::default()), []);
    }

    #[test]
    fn defaults_that_depend_on_others_are_shown_with_their_condition() {
        let rows = describe::<SpectralParams>();
        let percentile = rows.iter().find(|row| row.key == "percentile").unwrap();
        assert_eq!(percentile.default, Value::Number(15.0));
        assert_eq!(percentile.only_if, Some("bandwidth=percentile"));
    }
}
