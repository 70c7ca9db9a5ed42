//! Results for people: names in one column, values in the next.

use linkshift::Real;
use linkshift::model::{Detail, Fact};
use std::fmt::Write;

/// Names in one column, values in the next.
pub(crate) fn aligned<N: AsRef<str>>(lines: &[(N, String)]) -> String {
    let names = || lines.iter().map(|(name, _)| name.as_ref());
    let width = names().map(|name| name.chars().count()).max().unwrap_or(0);
    lines.iter().fold(String::new(), |mut text, (name, value)| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{:width$}  {value}", name.as_ref());
        text
    })
}

/// A line for each thing that only a method has to say, but for what there is of each point or
/// mode.
pub(crate) fn detail_lines<T: Real>(details: &[Detail<T>]) -> Vec<(String, String)> {
    let mut lines: Vec<(String, String)> = Vec::new();
    for detail in details.iter().filter(|detail| detail.is_told) {
        if is_end(detail.name, details) {
            continue; // it stands beside the number itself
        }
        let mut name = detail.name.strip_prefix("n_").unwrap_or(detail.name).replace('_', " ");
        for value in values(detail, details) {
            lines.push((std::mem::take(&mut name), value));
        }
    }
    lines
}

/// What a detail is, line by line.
fn values<T: Real>(detail: &Detail<T>, details: &[Detail<T>]) -> Vec<String> {
    let one = match &detail.fact {
        Fact::Count(count) => count.to_string(),
        Fact::Number(number) => plain(*number) + &interval(detail.name, details),
        Fact::Word(word) => word.clone(),
        Fact::Numbers(numbers) => match span(numbers) {
            Some(span) => span,
            None => return Vec::new(),
        },
        Fact::Named(numbers) => return table(numbers),
        Fact::Clusters(numbers) if numbers.is_empty() => "none".into(),
        Fact::Clusters(numbers) => first_few(numbers),
        _ => return Vec::new(),
    };
    vec![one]
}

/// The number `name_low` or `name_high`.
fn end<T: Real>(name: &str, which: &str, details: &[Detail<T>]) -> Option<f64> {
    let is_it = |detail: &&Detail<T>| {
        detail.name.strip_prefix(name).and_then(|rest| rest.strip_prefix('_')) == Some(which)
    };
    match details.iter().find(is_it)?.fact {
        Fact::Number(number) => Some(number),
        _ => None,
    }
}

/// From where to where a number may be, if that is known.
fn interval<T: Real>(name: &str, details: &[Detail<T>]) -> String {
    match (end(name, "low", details), end(name, "high", details)) {
        (Some(low), Some(high)) => format!(" ({} to {})", plain(low), plain(high)),
        _ => String::new(),
    }
}

/// Whether it only says from where, or to where, another detail goes.
fn is_end<T: Real>(name: &str, details: &[Detail<T>]) -> bool {
    let of = name.strip_suffix("_low").or_else(|| name.strip_suffix("_high"));
    of.is_some_and(|of| details.iter().any(|detail| detail.name == of))
}

/// Names in one column, their numbers in the next, where they are known.
fn table(numbers: &[(&'static str, f64)]) -> Vec<String> {
    let shown = |number: f64| if number.is_nan() { String::new() } else { plain(number) };
    let lines: Vec<(&str, String)> =
        numbers.iter().map(|(name, number)| (*name, shown(*number))).collect();
    aligned(&lines).lines().map(|line| line.trim_end().to_owned()).collect()
}

/// The first of several clusters.
fn first_few(numbers: &[usize]) -> String {
    const MOST: usize = 8;
    let shown: Vec<String> = numbers.iter().take(MOST).map(usize::to_string).collect();
    let more = if numbers.len() > MOST { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}

/// Many numbers by the first and the last; none if there is none.
fn span(numbers: &[f64]) -> Option<String> {
    match numbers {
        [] => None,
        [only] => Some(plain(*only)),
        [first, .., last] => {
            Some(format!("{} … {} ({} values)", plain(*first), plain(*last), numbers.len()))
        }
    }
}

/// A number as a person would write it.
pub(crate) fn plain(number: f64) -> String {
    match number {
        whole if whole.fract() == 0.0 => whole.to_string(),
        small if small.abs() < 1e-3 => format!("{small:.3e}"),
        other => format!("{other:.4}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_keep_their_digits() {
        assert_eq!(plain(0.25), "0.2500");
        assert_eq!(plain(0.000_012_34), "1.234e-5");
        assert_eq!(plain(3.0), "3");
    }

    #[test]
    fn details_are_lines_unless_they_are_as_many_as_the_points() {
        let details: Vec<Detail<f64>> = vec![
            Detail::new("n_modes", 3_usize),
            Detail::new("bandwidths", vec![0.5, 1.0, 1.5]),
            Detail::new("rms_distance", None::<f64>),
            Detail::new("cluster_of_mode", Fact::Labels(vec![0, 1])),
        ];
        lines_are(&details, &[("modes", "3"), ("bandwidths", "0.5000 … 1.5000 (3 values)")]);
    }

    #[test]
    fn an_interval_stands_beside_its_number_and_names_below_each_other() {
        let details: Vec<Detail<f64>> = vec![
            Detail::new("right", 0.9375),
            Detail::new("right_low", 0.875),
            Detail::new("right_high", 1.0),
            Detail::new("candidates", vec![("cms", f64::NAN), ("spectral", 0.75)]),
            Detail::aside("weights", vec![0.5, 2.5]),
        ];
        let right = ("right", "0.9375 (0.8750 to 1)");
        lines_are(&details, &[right, ("candidates", "cms"), ("", "spectral  0.7500")]);
    }

    fn lines_are(details: &[Detail<f64>], expected: &[(&str, &str)]) {
        let expected: Vec<(String, String)> =
            expected.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        assert_eq!(detail_lines(details), expected);
    }
}
