//! A parameter's value in a form that every door can carry.

use std::fmt;

/// What a parameter is set to: what a person writes, before its meaning is known.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Left to the method, or to the points: `auto`, in Python also `None`.
    Auto,
    /// Yes or no.
    Flag(bool),
    /// A whole number, 0 or more.
    Count(u64),
    /// Any number.
    Number(f64),
    /// A word.
    Word(String),
    /// Several numbers.
    List(Vec<f64>),
}

impl Value {
    /// The value that a text stands for.
    ///
    /// ```
    /// use linkshift::params::Value;
    ///
    /// assert_eq!(Value::parse("7"), Value::Count(7));
    /// assert_eq!(Value::parse("0.5, 1"), Value::List(vec![0.5, 1.0]));
    /// assert_eq!(Value::parse("auto"), Value::Auto);
    /// assert_eq!(Value::parse("5x5"), Value::Word("5x5".into()));
    /// ```
    pub fn parse(text: &str) -> Self {
        match text.trim() {
            "auto" => Value::Auto,
            "true" => Value::Flag(true),
            "false" => Value::Flag(false),
            text => Self::number(text).or_else(|| Self::list(text)).unwrap_or_else(|| text.into()),
        }
    }

    fn number(text: &str) -> Option<Self> {
        let count = text.parse().ok().map(Value::Count);
        count.or_else(|| text.parse().ok().map(Value::Number))
    }

    fn list(text: &str) -> Option<Self> {
        let numbers: Option<Vec<f64>> =
            text.split(',').map(|part| part.trim().parse().ok()).collect();
        numbers.filter(|numbers| numbers.len() > 1).map(Value::List)
    }

    /// The number, whole or not.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Value::Count(count) => Some(*count as f64),
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// The word.
    pub fn as_word(&self) -> Option<&str> {
        match self {
            Value::Word(word) => Some(word),
            _ => None,
        }
    }
}

impl From<&str> for Value {
    fn from(word: &str) -> Self {
        Value::Word(word.into())
    }
}

/// As it would be written at the command line; [`Value::parse`] reads it back.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Auto => f.write_str("auto"),
            Value::Flag(flag) => write!(f, "{flag}"),
            Value::Count(count) => write!(f, "{count}"),
            Value::Number(number) if *number != 0.0 && number.abs() < 1e-4 => {
                write!(f, "{number:e}")
            }
            Value::Number(number) => write!(f, "{number}"),
            Value::Word(word) => f.write_str(word),
            Value::List(numbers) => {
                let texts: Vec<String> = numbers.iter().map(f64::to_string).collect();
                f.write_str(&texts.join(","))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        for text in ["auto", "true", "7", "0.25", "1e-12", "5x5", "0.6h", "-1", "0.1,0.2"] {
            assert_eq!(Value::parse(text).to_string(), text);
        }
    }
}
