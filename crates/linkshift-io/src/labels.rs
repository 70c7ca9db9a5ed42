//! Labels as codes: whole numbers stay themselves, other texts are numbered as they appear.

use std::collections::HashMap;

/// What stands for "no label" in a vector of labels.
const UNLABELLED: i64 = -1;

/// Collects the texts of a label column, keeping each distinct text once.
#[derive(Debug, Default)]
pub(crate) struct LabelCoder {
    names: Vec<String>,
    codes: HashMap<String, i64>,
    rows: Vec<i64>,
}

impl LabelCoder {
    /// Adds the label of the next row; empty or `-1` is no label.
    pub(crate) fn push(&mut self, text: &str) {
        let code = match self.codes.get(text) {
            Some(&code) => code,
            None if text.is_empty() || whole_number(text) == Some(UNLABELLED) => UNLABELLED,
            None => {
                let code = self.names.len() as i64;
                self.names.push(text.to_owned());
                self.codes.insert(text.to_owned(), code);
                code
            }
        };
        self.rows.push(code);
    }

    /// One label per row, and the text of each code: none if the labels are whole numbers.
    pub(crate) fn finish(self) -> (Vec<i64>, Vec<String>) {
        let numbers: Option<Vec<i64>> = self.names.iter().map(|name| whole_number(name)).collect();
        let Some(numbers) = numbers else { return (self.rows, self.names) };
        let number_of = |code: i64| usize::try_from(code).map_or(UNLABELLED, |at| numbers[at]);
        (self.rows.into_iter().map(number_of).collect(), Vec::new())
    }
}

/// Also reads `2.0`: labels pass through floating point wherever some of them are missing.
fn whole_number(text: &str) -> Option<i64> {
    /// Up to here every whole number has its own `f64`.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    text.parse().ok().or_else(|| {
        let value: f64 = text.parse().ok()?;
        (value.fract() == 0.0 && value.abs() <= EXACT).then_some(value as i64)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coded(texts: &[&str]) -> (Vec<i64>, Vec<String>) {
        let mut coder = LabelCoder::default();
        texts.iter().for_each(|text| coder.push(text));
        coder.finish()
    }

    #[test]
    fn whole_numbers_stay_themselves() {
        assert_eq!(coded(&["7", "-1", "", "3.0", "7"]), (vec![7, -1, -1, 3, 7], vec![]));
    }

    #[test]
    fn texts_are_numbered_as_they_appear() {
        let names = vec!["cat".to_owned(), "7".to_owned()];
        assert_eq!(coded(&["cat", "7", "", "-1", "cat"]), (vec![0, 1, -1, -1, 0], names));
    }
}
