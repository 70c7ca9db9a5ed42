//! Which numbers a parameter may have: shown to people and enforced from the same place.

use super::setting::{Form, Setting};
use std::fmt;

/// The numbers that are allowed; a parameter without numbers has [`Range::Any`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Range {
    /// Every finite one.
    Any,
    /// Larger than this.
    Above(f64),
    /// This or larger.
    From(f64),
    /// Between these two, or one of them.
    FromTo(f64, f64),
    /// The first or larger, but smaller than the second.
    FromBelow(f64, f64),
    /// Larger than the first and smaller than the second.
    Between(f64, f64),
}

impl Range {
    /// Whether a number is allowed.
    pub fn holds(self, number: f64) -> bool {
        number.is_finite()
            && match self {
                Range::Any => true,
                Range::Above(low) => number > low,
                Range::From(low) => number >= low,
                Range::FromTo(low, high) => (low..=high).contains(&number),
                Range::FromBelow(low, high) => (low..high).contains(&number),
                Range::Between(low, high) => low < number && number < high,
            }
    }

    /// All that a setting may be, completing the sentence "it must be …".
    pub(super) fn allowed(self, setting: &dyn Setting, except: &[&str]) -> String {
        let words = setting.words().into_iter().filter(|word| !except.contains(word));
        let numbers = match setting.form() {
            Form::Words => None,
            Form::Count => Some(format!("a whole number{self}")),
            Form::Number => Some(format!("a number{self}")),
            Form::Like(example) => Some(example.to_owned()),
            Form::NumberOrLike(example) => Some(format!("a number{self}, {example}")),
        };
        let all: Vec<String> = words.map(str::to_owned).chain(numbers).collect();
        match all.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} or {last}", others.join(", ")),
            None => String::new(),
        }
    }
}

/// What follows "a number".
impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Range::Any => Ok(()),
            Range::Above(low) => write!(f, " above {low}"),
            Range::From(low) => write!(f, " from {low}"),
            Range::FromTo(low, high) => write!(f, " from {low} to {high}"),
            Range::FromBelow(low, high) => write!(f, " from {low}, below {high}"),
            Range::Between(low, high) => write!(f, " above {low}, below {high}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_count_as_the_words_say() {
        assert!(!Range::Above(0.0).holds(0.0) && Range::From(0.0).holds(0.0));
        assert!(Range::FromTo(0.0, 1.0).holds(1.0) && !Range::FromBelow(0.0, 1.0).holds(1.0));
        assert!(!Range::Between(0.0, 1.0).holds(0.0));
        assert!(!Range::Any.holds(f64::NAN) && !Range::From(0.0).holds(f64::INFINITY));
    }

    #[test]
    fn words_and_numbers_make_one_sentence() {
        assert_eq!(Range::From(1.0).allowed(&3_usize, &[]), "a whole number from 1");
        assert_eq!(Range::Above(0.0).allowed(&Some(0.5), &[]), "auto or a number above 0");
        assert_eq!(Range::Any.allowed(&true, &[]), "true or false");
    }
}
