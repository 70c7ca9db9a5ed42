//! Reading a table: points with the ids, labels and weights that stand beside them.

use crate::columns::Roles;
use crate::error::{At, IoError, Problem, shorten};
use crate::format::Format;
use crate::labels::LabelCoder;
use crate::{columnar, npy, text};
use linkshift::error::PointsError;
use linkshift::{Error, Points, Real};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Which columns of a table are used, and how text is taken apart.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReadOptions {
    /// The features, in this order; `None` is every column without another part.
    pub columns: Option<Vec<String>>,
    /// The column of labels: whole numbers or texts, empty or -1 where unknown.
    pub label_column: Option<String>,
    /// The column of ids, all different.
    pub id_column: Option<String>,
    /// The column of weights.
    pub weight_column: Option<String>,
    /// What separates fields in a text file; `None` is a tab in `.tsv` and else guessed from the
    /// first line.
    pub delimiter: Option<u8>,
    /// Whether a text file begins with the names of its columns.
    pub header: Header,
}

/// Whether a text file begins with the names of its columns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Header {
    /// It does if any field of the first row is not a number.
    #[default]
    Auto,
    /// It does.
    Yes,
    /// It does not: the columns are named `f0`, `f1`, ….
    No,
}

/// Points as they stand in a file, with what stands beside them.
#[derive(Debug, Clone, PartialEq)]
pub struct Table<T: Real> {
    /// The features, row by row; all are finite.
    pub values: Vec<T>,
    /// Number of rows, at least 1.
    pub n_rows: usize,
    /// Number of features, at least 1.
    pub n_features: usize,
    /// The names of the features.
    pub columns: Vec<String>,
    /// One id per row, if an id column was named.
    pub ids: Option<Vec<String>>,
    /// One label per row, if a label column was named; -1 where there is none.
    pub labels: Option<Vec<i64>>,
    /// The text of each label 0, 1, …, in order of appearance; empty if the labels are whole
    /// numbers in the file, which then stand for themselves.
    pub label_names: Vec<String>,
    /// One weight per row, if a weight column was named.
    pub weights: Option<Vec<T>>,
    /// Columns of the file that play no part because others were chosen.
    pub skipped_columns: Vec<String>,
    file: PathBuf,
    lines: Lines,
    weight_column: Option<String>,
}

impl<T: Real> Table<T> {
    /// The points with their weights, borrowed from the table.
    pub fn points(&self) -> Result<Points<'_, T>, IoError> {
        let points = Points::new(&self.values[..], self.n_features);
        let weighted = match &self.weights {
            Some(weights) => points.and_then(|points| points.with_weights(&weights[..])),
            None => points,
        };
        weighted.map_err(|error| self.place(error))
    }

    /// Says in terms of the file what the core says in terms of rows and columns.
    fn place(&self, error: Error) -> IoError {
        let at = |row, column: &str, problem| {
            IoError::new(&self.file, problem).at(self.lines.at(row)).column(column)
        };
        match error {
            Error::Points(PointsError::NotFinite { row, col, value }) => {
                at(row, &self.columns[col], Problem::NotFinite { text: value.to_string() })
            }
            Error::Points(PointsError::TooLarge { row, col, value, dtype }) => {
                at(row, &self.columns[col], Problem::TooLarge { text: format!("{value:e}"), dtype })
            }
            Error::Points(PointsError::Weight { row, value }) => at(
                row,
                self.weight_column.as_deref().unwrap_or_default(),
                Problem::Weight { value },
            ),
            other => IoError::new(&self.file, Problem::Points(other)),
        }
    }
}

/// Reads a table; `-` is text from standard input.
pub fn read_table<T: Real>(path: &Path, options: &ReadOptions) -> Result<Table<T>, IoError> {
    let choose = |names: &[String]| Roles::choose(path, names, options);
    let rows = read_rows::<T>(path, options.delimiter, options.header, &choose)?;
    if let Some(column) = rows.roles.id {
        check_ids(path, &rows.names[column], &rows.ids, &rows.lines)?;
    }
    Ok(rows.into_table(path))
}

/// Reads one column as text, one entry per row, empty where there is nothing.
///
/// Without a name it is the only column, or else the one called `label`.
pub fn read_column(path: &Path, name: Option<&str>) -> Result<Vec<String>, IoError> {
    let choose = |names: &[String]| Roles::single(path, names, name);
    Ok(read_rows::<f64>(path, None, Header::Auto, &choose)?.ids)
}

/// What the reader of a format hands over.
pub(crate) struct Rows<T> {
    /// The names of all columns of the file.
    pub(crate) names: Vec<String>,
    pub(crate) roles: Roles,
    pub(crate) n_rows: usize,
    pub(crate) values: Vec<T>,
    pub(crate) ids: Vec<String>,
    pub(crate) labels: LabelCoder,
    pub(crate) weights: Vec<T>,
    pub(crate) lines: Lines,
}

impl<T: Real> Rows<T> {
    pub(crate) fn new(names: Vec<String>, roles: Roles) -> Self {
        Rows {
            names,
            roles,
            n_rows: 0,
            values: Vec::new(),
            ids: Vec::new(),
            labels: LabelCoder::default(),
            weights: Vec::new(),
            lines: Lines::default(),
        }
    }

    /// The same as users see it.
    pub(crate) fn into_table(self, path: &Path) -> Table<T> {
        let Rows { names, roles, n_rows, values, ids, labels, weights, lines } = self;
        let (labels, label_names) = labels.finish();
        let used = roles.used();
        let unused = |column: &usize| used.binary_search(column).is_err();
        Table {
            n_features: roles.features.len(),
            columns: roles.features.iter().map(|&column| names[column].clone()).collect(),
            skipped_columns: (0..names.len()).filter(unused).map(|at| names[at].clone()).collect(),
            ids: roles.id.map(|_| ids),
            labels: roles.label.map(|_| labels),
            weights: roles.weight.map(|_| weights),
            weight_column: roles.weight.map(|column| names[column].clone()),
            label_names,
            values,
            n_rows,
            file: path.to_owned(),
            lines,
        }
    }
}

fn read_rows<T: Real>(
    path: &Path,
    delimiter: Option<u8>,
    header: Header,
    choose: &dyn Fn(&[String]) -> Result<Roles, IoError>,
) -> Result<Rows<T>, IoError> {
    let rows = match Format::of(path)? {
        Format::Csv { .. } => text::read(path, delimiter, header, choose),
        Format::Tsv { .. } => text::read(path, delimiter.or(Some(b'\t')), header, choose),
        Format::Parquet => columnar::read_parquet(path, choose),
        Format::Arrow => columnar::read_arrow(path, choose),
        Format::Npy => npy::read(path, choose),
    }?;
    if rows.n_rows == 0 {
        return Err(IoError::new(path, Problem::NoRows));
    }
    Ok(rows)
}

fn check_ids(file: &Path, column: &str, ids: &[String], lines: &Lines) -> Result<(), IoError> {
    let mut first_row: HashMap<&str, usize> = HashMap::with_capacity(ids.len());
    for (row, id) in ids.iter().enumerate() {
        let problem = if id.is_empty() {
            Problem::NoValue
        } else if let Some(first) = first_row.insert(id, row) {
            Problem::DuplicateId { id: shorten(id), first: lines.at(first) }
        } else {
            continue;
        };
        return Err(IoError::new(file, problem).at(lines.at(row)).column(column));
    }
    Ok(())
}

/// The line of every row, kept only where it is not the line after the row before.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Lines {
    jumps: Vec<(usize, u64)>,
    /// Rows of the file before the first one here.
    skipped: usize,
}

impl Lines {
    /// In a file without lines, after so many of its rows.
    pub(crate) fn after(skipped: usize) -> Self {
        Self { jumps: Vec::new(), skipped }
    }

    /// Notes the line of a row; rows come in order.
    pub(crate) fn push(&mut self, row: usize, line: u64) {
        if self.at(row) != At::Line(line) {
            self.jumps.push((row, line));
        }
    }

    /// The line of a row; the row itself in a file without lines.
    pub(crate) fn at(&self, row: usize) -> At {
        match self.jumps.partition_point(|&(start, _)| start <= row).checked_sub(1) {
            None => At::Row(self.skipped + row),
            Some(last) => {
                let (start, line) = self.jumps[last];
                At::Line(line + (row - start) as u64)
            }
        }
    }
}
