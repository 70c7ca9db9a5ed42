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
    let line = |detail: &Detail<T>| {
        let value = match &detail.fact {
            Fact::Count(count) => count.to_string(),
            Fact::Number(number) => plain(*number),
            Fact::Word(word) => word.clone(),
            Fact::Numbers(numbers) => span(numbers)?,
            Fact::Clusters(numbers) if numbers.is_empty() => "none".into(),
            Fact::Clusters(numbers) => first_few(numbers),
            _ => return None,
        };
        let name = detail.name.strip_prefix("n_").unwrap_or(detail.name);
        Some((name.replace('_', " "), value))
    };
    details.iter().filter_map(line).collect()
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
        let expected = [("modes", "3"), ("bandwidths", "0.5000 … 1.5000 (3 values)")];
        let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(detail_lines(&details), expected);
    }
}
