//! Numbers from text and from other number types, checked to be finite.

use crate::error::{Problem, shorten};
use linkshift::Real;
use num_traits::ToPrimitive;
use std::fmt::Display;

/// Parses a field straight into `T`: a detour over `f64` would round an `f32` twice.
#[inline]
pub(crate) fn parse<T: Real>(field: &[u8]) -> Result<T, Problem> {
    let field = field.trim_ascii();
    let text = std::str::from_utf8(field).unwrap_or("");
    let parsed = if size_of::<T>() == size_of::<f32>() {
        text.parse::<f32>().map(f64::from)
    } else {
        text.parse::<f64>()
    };
    match parsed {
        Ok(value) if value.is_finite() => Ok(T::of(value)),
        Ok(_) => Err(beyond_range::<T>(text)),
        Err(_) if field.is_empty() => Err(Problem::NoValue),
        Err(_) => Err(Problem::NotANumber { text: shorten(&String::from_utf8_lossy(field)) }),
    }
}

/// What stands for a missing number besides nothing at all: in tables by pandas, R and databases.
const GAPS: [&str; 7] = ["na", "n/a", "nan", "null", "none", "<na>", "?"];

/// The same, with nothing where the number is missing.
#[inline]
pub(crate) fn parse_or_gap<T: Real>(field: &[u8]) -> Result<Option<T>, Problem> {
    match parse(field) {
        Ok(value) => Ok(Some(value)),
        Err(_) if is_missing(field) => Ok(None),
        Err(problem) => Err(problem),
    }
}

/// Whether a field is empty, or says that there is nothing.
pub(crate) fn is_missing(field: &[u8]) -> bool {
    let field = field.trim_ascii();
    field.is_empty() || GAPS.iter().any(|gap| gap.as_bytes().eq_ignore_ascii_case(field))
}

/// Whether a field reads as a number, finite or not.
pub(crate) fn is_number(field: &[u8]) -> bool {
    std::str::from_utf8(field.trim_ascii()).is_ok_and(|text| text.parse::<f64>().is_ok())
}

/// The nearest `T` to a number of another type.
#[inline]
pub(crate) fn convert<T: Real, N: ToPrimitive + Display + Copy>(number: N) -> Result<T, Problem> {
    match T::from(number) {
        Some(value) if value.is_finite() => Ok(value),
        _ => Err(beyond_range::<T>(&number.to_string())),
    }
}

/// Whether a number of another type is NaN, which stands for a missing one, as in data frames.
#[inline]
pub(crate) fn is_gap<N: ToPrimitive>(number: N) -> bool {
    number.to_f64().is_some_and(f64::is_nan)
}

/// A label or id from a typed column: NaN stands for nothing, as it does in data frames.
pub(crate) fn text_of(value: &dyn Display) -> String {
    let text = value.to_string();
    if text == "NaN" { String::new() } else { text.trim().to_owned() }
}

/// An infinite result is an overflow if digits were given, and else `inf` or `NaN` by name.
fn beyond_range<T: Real>(text: &str) -> Problem {
    let text = shorten(text);
    if text.contains(|c: char| c.is_ascii_digit()) {
        Problem::TooLarge { text, dtype: T::NAME }
    } else {
        Problem::NotFinite { text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f32_text_is_rounded_once() {
        // Derived: just above halfway between 1 and 1 + 2⁻²³; as f64 it is exactly halfway, and
        // would then round down to even.
        let text = b"1.00000005960464477540";
        assert_eq!(parse::<f32>(text), Ok(1.0 + f32::EPSILON));
        assert_eq!(parse::<f64>(text), Ok(1.0 + f64::from(f32::EPSILON) / 2.0));
    }

    #[test]
    fn gaps_have_many_spellings() {
        for gap in ["", " ", "NA", "n/a", "NaN", "NULL", "None", "<NA>", "?"] {
            assert_eq!(parse_or_gap::<f64>(gap.as_bytes()), Ok(None), "{gap}");
        }
        assert_eq!(parse_or_gap(b"1.5"), Ok(Some(1.5)));
        assert!(parse_or_gap::<f64>(b"inf").is_err() && parse_or_gap::<f64>(b"-").is_err());
    }

    #[test]
    fn what_is_no_finite_number_says_why() {
        assert_eq!(parse::<f64>(b"  "), Err(Problem::NoValue));
        assert_eq!(parse::<f64>(b"-inf"), Err(Problem::NotFinite { text: "-inf".into() }));
        assert_eq!(parse::<f64>(b"abc"), Err(Problem::NotANumber { text: "abc".into() }));
        let too_large = Problem::TooLarge { text: "1e39".into(), dtype: "f32" };
        assert_eq!(parse::<f32>(b"1e39"), Err(too_large));
        assert!(parse::<f64>(b"\xff").is_err());
        assert!(matches!(convert::<f32, f64>(1e39), Err(Problem::TooLarge { .. })));
        assert!(matches!(convert::<f32, f64>(f64::NAN), Err(Problem::NotFinite { .. })));
        assert_eq!(convert::<f64, u8>(7), Ok(7.0));
    }
}
