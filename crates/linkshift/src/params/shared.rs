//! Rows that stand in the tables of several methods.

use super::range::Range;
use super::setting::{Form, Setting};
use super::table::{MEMORY_MB, OBEY, Param, SEED, Slot};
use super::value::Value;
use crate::bandwidth::Bandwidth;
use crate::kernel::Profile;
use crate::shared::representatives::Representatives;

/// Parameters with a profile.
pub(crate) trait HasProfile {
    fn profile(&mut self) -> &mut Profile;
}

/// Parameters with a bandwidth, or a rule that finds it.
pub(crate) trait HasBandwidth {
    fn bandwidth(&mut self) -> &mut Bandwidth;
}

pub(crate) const fn kernel<P: HasProfile>() -> Param<P> {
    let what = "how points count by their distance, x bandwidths: 1 below x = 1, exp(-x²), that above a cut, exp(-x²/2)";
    Param::new("kernel", Range::Any, |params| Slot::Field(params.profile()), what)
}

pub(crate) const fn cut<P: HasProfile>() -> Param<P> {
    let slot: fn(&mut P) -> Slot<'_> = |params| {
        let cut = match params.profile() {
            Profile::Truncated { cut } => Some(cut),
            _ => None,
        };
        Slot::only_if(cut, "kernel=truncated", Profile::CUT)
    };
    Param::new("cut", Range::Between(0.0, 1.0), slot, "kernel values at or below this count as 0")
}

pub(crate) const fn bandwidth<P: HasBandwidth>(what: &'static str) -> Param<P> {
    Param::new("bandwidth", Range::Above(0.0), |params| Slot::Field(params.bandwidth()), what)
}

pub(crate) const fn percentile<P: HasBandwidth>() -> Param<P> {
    let slot: fn(&mut P) -> Slot<'_> = |params| {
        let percentile = match params.bandwidth() {
            Bandwidth::Percentile(percentile) => Some(percentile),
            _ => None,
        };
        Slot::only_if(percentile, "bandwidth=percentile", Bandwidth::PERCENTILE)
    };
    let what = "which percentile of the distances between points the bandwidth is";
    Param::new("percentile", Range::FromTo(0.0, 100.0), slot, what)
}

pub(crate) const fn alpha<P: HasBandwidth>() -> Param<P> {
    let slot: fn(&mut P) -> Slot<'_> = |params| {
        let alpha = match params.bandwidth() {
            Bandwidth::NeighborMean { alpha } => Some(alpha),
            _ => None,
        };
        Slot::only_if(alpha, "bandwidth=neighbors", Bandwidth::ALPHA)
    };
    let what = "the bandwidth is the mean distance to the k-th neighbour with k = alpha·√n";
    Param::new("alpha", Range::Above(0.0), slot, what)
}

pub(crate) const fn k<P: HasBandwidth>() -> Param<P> {
    let slot: fn(&mut P) -> Slot<'_> = |params| {
        let k = match params.bandwidth() {
            Bandwidth::PerPoint { k } => Some(k),
            _ => None,
        };
        Slot::only_if(k, "bandwidth=per-point", Bandwidth::K)
    };
    Param::new(
        "k",
        Range::From(1.0),
        slot,
        "a point's bandwidth is the distance to its k-th neighbour",
    )
}

pub(crate) const fn memory_mb<P>(slot: fn(&mut P) -> Slot<'_>) -> Param<P> {
    let what =
        "what the fit may use, in megabytes: it fails early if it would need more; auto: no limit";
    Param::new(MEMORY_MB, Range::From(1.0), slot, what)
}

pub(crate) const fn obey<P>(slot: fn(&mut P) -> Slot<'_>) -> Param<P> {
    let what = "certain: as few points as possible change their cluster, so that every link of confidence 1 is kept; as-found: the labels stay";
    Param::new(OBEY, Range::Any, slot, what)
}

pub(crate) const fn seed<P>(slot: fn(&mut P) -> Slot<'_>) -> Param<P> {
    Param::new(SEED, Range::From(0.0), slot, "seed of everything that is drawn by chance")
}

/// A number is the bandwidth itself, a word the rule that finds it.
impl Setting for Bandwidth {
    fn get(&self) -> Value {
        match self {
            Bandwidth::Fixed(h) => Value::Number(*h),
            rule => rule.name().into(),
        }
    }

    fn set(&mut self, value: &Value) -> bool {
        if let Some(h) = value.as_number() {
            *self = Bandwidth::Fixed(h);
            return true;
        }
        let Some(word) = value.as_word() else { return false };
        if self.name() == word {
            return true;
        }
        let rule = Bandwidth::RULES.iter().find(|rule| rule.name() == word);
        *self = rule.copied().unwrap_or(*self);
        rule.is_some()
    }

    fn words(&self) -> Vec<&'static str> {
        Bandwidth::RULES.iter().map(|rule| rule.name()).collect()
    }

    fn form(&self) -> Form {
        Form::Number
    }
}

/// A number is how many there are to be.
impl Setting for Representatives {
    fn get(&self) -> Value {
        match self {
            Representatives::Auto => Value::Auto,
            Representatives::Never => "never".into(),
            Representatives::Count(count) => Value::Count(*count as u64),
        }
    }

    fn set(&mut self, value: &Value) -> bool {
        *self = match value {
            Value::Auto => Representatives::Auto,
            Value::Word(word) if word == "never" => Representatives::Never,
            Value::Count(count) => Representatives::Count(*count as usize),
            _ => return false,
        };
        true
    }

    fn words(&self) -> Vec<&'static str> {
        vec!["auto", "never"]
    }

    fn form(&self) -> Form {
        Form::Count
    }
}
