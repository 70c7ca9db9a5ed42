//! From columns as they were read to columns of points: gaps, truths and categories.

use crate::columns::no_numeric_column;
use crate::error::{IntakeProblem, IoError};
use crate::gathered::Holds;
use crate::recipe::{Categories, ColumnKind, ColumnRecipe, DateUnit, Missing, TableRecipe};
use crate::table::{ReadOptions, Rows};
use linkshift::Real;
use std::path::Path;

/// Categories of a column at the most: each is a column of all rows, and with more of them than this
/// hardly two rows agree.
const MOST_CATEGORIES: usize = 1_000;

/// What came of the columns.
pub(crate) struct Settled<T> {
    /// The values, row by row.
    pub(crate) values: Vec<T>,
    pub(crate) recipe: TableRecipe,
    /// The rows that are left, if some were dropped.
    pub(crate) kept_rows: Option<Vec<usize>>,
    /// Columns that hold texts and were left out.
    pub(crate) texts: Vec<String>,
}

/// A column of the file on its way to columns of points.
struct Source<'a> {
    /// Where its numbers begin in a row of values.
    start: usize,
    kind: ColumnKind,
    /// For truths, the number of each text.
    truths: Vec<f64>,
    name: &'a str,
    median: Option<f64>,
}

/// Fills or drops what is missing, and makes numbers of what is not one yet.
pub(crate) fn settle<T: Real>(
    file: &Path,
    rows: &mut Rows<T>,
    options: &ReadOptions,
) -> Result<Settled<T>, IoError> {
    let values = std::mem::take(&mut rows.values);
    let missing = options.recipe.as_ref().map_or(options.missing, |recipe| recipe.missing);
    let one_hot = options.recipe.is_some() || options.categories == Categories::OneHot;
    let stride: usize = rows.columns.iter().map(|column| column.width).sum();
    let mut sources = Vec::new();
    let mut texts = Vec::new();
    let mut start = 0;
    for (feature, column) in rows.columns.iter().enumerate() {
        let name = &rows.names[rows.roles.features[feature]];
        let truths = column.truths();
        let kind = match column.holds {
            Holds::Nothing | Holds::Numbers => Some(ColumnKind::Number),
            Holds::List => Some(ColumnKind::List(column.width)),
            Holds::Dates => Some(ColumnKind::Date(column.dates.unwrap_or(DateUnit::Days))),
            Holds::Texts if truths.is_some() => Some(ColumnKind::Truth),
            Holds::Texts if one_hot => {
                let found = column.texts.len();
                if found > MOST_CATEGORIES {
                    let problem = IntakeProblem::TooManyCategories { found, most: MOST_CATEGORIES };
                    return Err(IoError::new(file, problem).column(name));
                }
                Some(ColumnKind::Categories(column.texts.clone()))
            }
            Holds::Texts => None,
        };
        let known = options.recipe.as_ref().map(|recipe| &recipe.columns[feature]);
        let median = known.and_then(|known| known.median);
        match kind {
            Some(kind) => {
                let truths = truths.unwrap_or_default();
                sources.push(Source { start, kind, truths, name, median });
            }
            None => texts.push(name.clone()),
        }
        start += column.width;
    }
    if sources.is_empty() && !rows.roles.features.is_empty() {
        return Err(no_numeric_column(file, &rows.names));
    }
    let gaps = Gaps::find(&values, stride, &sources);
    let place = |row: usize, name: &str, problem| {
        IoError::new(file, problem).at(rows.lines.at(row)).column(name)
    };
    if let (Some((row, name)), Missing::Error) = (&gaps.first, missing) {
        let columns = gaps.columns.iter().map(|name| (*name).to_owned()).collect();
        return Err(place(*row, name, IntakeProblem::Missing { n_rows: gaps.rows.len(), columns }));
    }
    if missing == Missing::Median {
        for source in sources.iter_mut().filter(|source| source.has_gaps_filled()) {
            if source.median.is_none() {
                let median = median(source.numbers(&values, stride));
                let none = || IoError::new(file, IntakeProblem::EmptyColumn).column(source.name);
                source.median = Some(median.ok_or_else(none)?);
            }
        }
    }
    let kept_rows = (missing == Missing::Drop && !gaps.rows.is_empty()).then(|| {
        let mut gaps = gaps.rows.iter().peekable();
        (0..rows.n_rows).filter(|row| gaps.next_if_eq(&row).is_none()).collect::<Vec<usize>>()
    });
    if kept_rows.as_ref().is_some_and(Vec::is_empty) {
        return Err(IoError::new(file, IntakeProblem::NothingLeft { n_rows: rows.n_rows }));
    }
    let as_read = kept_rows.is_none()
        && gaps.rows.is_empty()
        && sources.len() == rows.columns.len()
        && sources.iter().all(|s| {
            matches!(s.kind, ColumnKind::Number | ColumnKind::List(_) | ColumnKind::Date(_))
        });
    let values = if as_read {
        values
    } else {
        let mut settled = Vec::new();
        let mut push = |row: &[T]| sources.iter().for_each(|s| s.push(row, &mut settled));
        let row = |at: usize| &values[at * stride..][..stride];
        match &kept_rows {
            Some(kept) => kept.iter().for_each(|&at| push(row(at))),
            None => (0..rows.n_rows).for_each(|at| push(row(at))),
        }
        settled
    };
    let columns = sources.into_iter().map(|source| ColumnRecipe {
        name: source.name.to_owned(),
        kind: source.kind,
        median: source.median,
    });
    let recipe = TableRecipe { columns: columns.collect(), missing };
    Ok(Settled { values, recipe, kept_rows, texts })
}

impl Source<'_> {
    /// Whether a missing number can be in this column: lists are whole, and a missing text is none of
    /// the categories.
    fn has_gaps_filled(&self) -> bool {
        matches!(self.kind, ColumnKind::Number | ColumnKind::Truth | ColumnKind::Date(_))
    }

    /// A value as a number; NaN where there is none.
    fn number<T: Real>(&self, value: T) -> f64 {
        match self.kind {
            ColumnKind::Truth if !value.is_nan() => self.truths[value.as_f64() as usize],
            _ => value.as_f64(),
        }
    }

    fn numbers<T: Real>(&self, values: &[T], stride: usize) -> Vec<f64> {
        let column = values.iter().skip(self.start).step_by(stride);
        column.map(|&value| self.number(value)).filter(|number| !number.is_nan()).collect()
    }

    /// Adds this column's part of a row.
    fn push<T: Real>(&self, row: &[T], to: &mut Vec<T>) {
        let value = row[self.start];
        match &self.kind {
            ColumnKind::Number | ColumnKind::Truth | ColumnKind::Date(_) => {
                let number = self.number(value);
                to.push(match self.median {
                    Some(median) if number.is_nan() => T::of(median),
                    _ => T::of(number),
                });
            }
            ColumnKind::Categories(texts) => {
                let position = value.to_usize();
                to.extend((0..texts.len()).map(|at| match position == Some(at) {
                    true => T::one(),
                    false => T::zero(),
                }));
            }
            ColumnKind::List(length) => to.extend_from_slice(&row[self.start..][..*length]),
        }
    }
}

/// Where numbers are missing.
struct Gaps<'a> {
    /// The rows, ascending.
    rows: Vec<usize>,
    columns: Vec<&'a str>,
    first: Option<(usize, &'a str)>,
}

impl<'a> Gaps<'a> {
    fn find<T: Real>(values: &[T], stride: usize, sources: &[Source<'a>]) -> Self {
        let mut gaps = Self { rows: Vec::new(), columns: Vec::new(), first: None };
        for source in sources.iter().filter(|source| source.has_gaps_filled()) {
            let column = values.iter().skip(source.start).step_by(stride);
            let before = gaps.rows.len();
            gaps.rows
                .extend(column.enumerate().filter(|(_, value)| value.is_nan()).map(|(row, _)| row));
            if let Some(&row) = gaps.rows.get(before) {
                gaps.columns.push(source.name);
                if gaps.first.is_none_or(|(first, _)| row < first) {
                    gaps.first = Some((row, source.name));
                }
            }
        }
        gaps.rows.sort_unstable();
        gaps.rows.dedup();
        gaps
    }
}

/// The middle number, or the mean of the two in the middle.
fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_unstable_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    match numbers.len() {
        0 => None,
        n if n % 2 == 1 => Some(numbers[middle]),
        // Halved first: the sum of two large numbers might overflow.
        _ => Some(numbers[middle - 1] / 2.0 + numbers[middle] / 2.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_lie_in_the_middle() {
        assert_eq!(median(vec![]), None);
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![4.0, 1.0, 2.0, 9.0]), Some(3.0));
        assert_eq!(median(vec![f64::MAX, f64::MAX]), Some(f64::MAX));
    }
}
