//! What a column of the file turns out to hold, as it is read.

use crate::dates;
use crate::recipe::{ColumnKind, ColumnRecipe, DateUnit};
use linkshift::Real;
use std::collections::HashMap;

/// The texts of columns of truths, in the order of their numbers.
const TRUTHS: [&str; 2] = ["false", "true"];

/// A column whose numbers are among the values; texts stand there as their position in `texts`, and
/// NaN is where there is nothing.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Gathered {
    pub(crate) holds: Holds,
    /// Whether texts other than truths are wanted.
    pub(crate) allows_texts: bool,
    /// What dates are counted in, if they are wanted.
    pub(crate) dates: Option<DateUnit>,
    /// Numbers in each row; 0 while a list has not shown its length.
    pub(crate) width: usize,
    /// The different texts, in order of appearance.
    pub(crate) texts: Vec<String>,
    positions: HashMap<String, usize>,
    /// Texts that are not among the known ones stand for nothing.
    frozen: bool,
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    /// Nothing so far.
    Nothing,
    Numbers,
    Texts,
    Dates,
    List,
}

impl Gathered {
    pub(crate) fn new(allows_texts: bool, dates: Option<DateUnit>) -> Self {
        Self {
            holds: Holds::Nothing,
            allows_texts,
            dates,
            width: 1,
            texts: Vec::new(),
            positions: HashMap::new(),
            frozen: false,
        }
    }

    /// A column that must hold what it held before.
    pub(crate) fn known(recipe: &ColumnRecipe) -> Self {
        let mut column = Self::new(false, None);
        match &recipe.kind {
            ColumnKind::Number => column.holds = Holds::Numbers,
            ColumnKind::Date(unit) => {
                column.holds = Holds::Dates;
                column.dates = Some(*unit);
            }
            ColumnKind::Truth => {
                column.holds = Holds::Texts;
                TRUTHS.iter().for_each(|text| column.learn(text));
            }
            ColumnKind::Categories(texts) => {
                column.holds = Holds::Texts;
                column.allows_texts = true;
                texts.iter().for_each(|text| column.learn(text));
                column.frozen = true;
            }
            ColumnKind::List(length) => {
                column.holds = Holds::List;
                column.width = *length;
            }
        }
        column
    }

    fn learn(&mut self, text: &str) {
        self.positions.insert(text.to_owned(), self.texts.len());
        self.texts.push(text.to_owned());
    }

    /// The number of a date, if the text is one and dates may stand in this column.
    pub(crate) fn date(&mut self, text: &str) -> Option<f64> {
        let may = matches!(self.holds, Holds::Nothing | Holds::Dates);
        let number = self.dates.filter(|_| may).and_then(|unit| dates::parse(text, unit))?;
        self.holds = Holds::Dates;
        Some(number)
    }

    /// Whether a text may stand in this column.
    pub(crate) fn takes(&self, text: &str) -> bool {
        !matches!(self.holds, Holds::Numbers | Holds::Dates)
            && (self.allows_texts || truth(text).is_some())
    }

    /// What stands for a text among the values.
    pub(crate) fn code<T: Real>(&mut self, text: &str) -> T {
        if text.is_empty() {
            return T::nan();
        }
        self.holds = Holds::Texts;
        // Truths have one spelling, unless others stand beside them.
        let spelled = truth(text).filter(|_| !self.allows_texts).map_or(text, |at| TRUTHS[at]);
        if !self.frozen && !self.positions.contains_key(spelled) {
            self.learn(spelled);
        }
        self.positions.get(spelled).map_or(T::nan(), |&at| T::of(at as f64))
    }

    /// The number of each text, if all of them are truths.
    pub(crate) fn truths(&self) -> Option<Vec<f64>> {
        if self.holds != Holds::Texts || self.frozen {
            return None;
        }
        self.texts.iter().map(|text| truth(text).map(|at| at as f64)).collect()
    }
}

/// Whether a text is false (0) or true (1).
fn truth(text: &str) -> Option<usize> {
    TRUTHS.iter().position(|known| known.eq_ignore_ascii_case(text))
}
