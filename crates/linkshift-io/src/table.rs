//! Reading a table: points with the ids, labels and weights that stand beside them.

use crate::columns::{Choose, Roles};
use crate::error::{At, IoError, Problem, shorten};
use crate::format::Format;
use crate::gathered::Gathered;
use crate::labels::LabelCoder;
use crate::recipe::{Categories, DateUnit, Missing, TableRecipe};
use crate::settle::{Settled, settle};
use crate::{columnar, folder, npy, text};
use linkshift::error::PointsError;
use linkshift::{Error, Points, Real};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Which columns of a table are used, and how text is taken apart.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReadOptions {
    /// The features, in this order; `None` is the only column of lists, or else every column of
    /// numbers without another part. With an empty list there are none.
    pub columns: Option<Vec<String>>,
    /// The column of labels: whole numbers or texts, empty or -1 where unknown.
    pub label_column: Option<String>,
    /// The column of ids, all different.
    pub id_column: Option<String>,
    /// The column of weights.
    pub weight_column: Option<String>,
    /// The column of texts, or of file names, that points are made of by whoever asks; unless
    /// `columns` names others, there are then no features.
    pub content_column: Option<String>,
    /// What separates fields in a text file; `None` is a tab in `.tsv` and else guessed from the
    /// first line.
    pub delimiter: Option<u8>,
    /// Whether a text file begins with the names of its columns.
    pub header: Header,
    /// What becomes of rows in which a number is missing.
    pub missing: Missing,
    /// What becomes of columns that hold texts.
    pub categories: Categories,
    /// What dates are counted in; `None` is that columns of dates are no features.
    pub dates: Option<DateUnit>,
    /// How the first rows were treated, and so these: it settles `columns`, `missing`, `categories`
    /// and `dates`.
    pub recipe: Option<TableRecipe>,
    /// What a whole table may take in memory, about: a larger one is an error before it is taken.
    pub most_bytes: Option<usize>,
}

impl ReadOptions {
    /// The features that were named.
    pub(crate) fn chosen(&self) -> Option<Vec<&str>> {
        match (&self.recipe, &self.columns) {
            (Some(recipe), _) => Some(recipe.columns.iter().map(|c| &c.name[..]).collect()),
            (None, Some(columns)) => Some(columns.iter().map(String::as_str).collect()),
            (None, None) => None,
        }
    }
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
    /// Number of features, at least 1 (or 0 if none were wanted).
    pub n_features: usize,
    /// The names of the features.
    pub columns: Vec<String>,
    /// One id per row, if an id column was named; the numbers of the rows in the file, if there are no
    /// ids and rows were dropped.
    pub ids: Option<Vec<String>>,
    /// One label per row, if a label column was named; -1 where there is none.
    pub labels: Option<Vec<i64>>,
    /// The text of each label 0, 1, …, in order of appearance; empty if the labels are whole
    /// numbers in the file, which then stand for themselves.
    pub label_names: Vec<String>,
    /// One weight per row, if a weight column was named.
    pub weights: Option<Vec<T>>,
    /// One text per row, if a content column was named.
    pub contents: Option<Vec<String>>,
    /// Columns of the file that play no part because others were chosen.
    pub skipped_columns: Vec<String>,
    /// Columns of the file that play no part because they hold no numbers.
    pub text_columns: Vec<String>,
    /// How the columns of the file became those of the points.
    pub recipe: TableRecipe,
    /// The rows of the file that are here, if some were dropped because a number is missing.
    pub kept_rows: Option<Vec<usize>>,
    /// Number of rows in the file.
    pub n_file_rows: usize,
    /// The ids of all rows of the file, if some were dropped.
    file_ids: Option<Vec<String>>,
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

    /// The ids of all rows of the file, dropped ones too, if an id column was named.
    pub fn file_ids(&self) -> Option<&[String]> {
        match self.kept_rows {
            Some(_) => self.file_ids.as_deref(),
            None => self.ids.as_deref(),
        }
    }

    /// Of something that every row of the file has, that of the rows here.
    pub fn of_rows<V>(&self, all: Vec<V>) -> Vec<V> {
        select(all, &self.kept_rows)
    }

    /// Labels of the rows here as labels of all rows of the file: −1 for those that were dropped.
    pub fn labels_of_file(&self, labels: &[i64]) -> Vec<i64> {
        let Some(kept) = &self.kept_rows else { return labels.to_vec() };
        let mut all = vec![-1; self.n_file_rows];
        kept.iter().zip(labels).for_each(|(&row, &label)| all[row] = label);
        all
    }

    /// The same with other columns after its own, a row of `added` for each row in `rows`, ascending;
    /// all other rows are dropped.
    pub fn with_columns(mut self, names: Vec<String>, added: &[T], rows: &[usize]) -> Self {
        let (own, new) = (self.n_features, names.len());
        let mut values = Vec::with_capacity(rows.len() * (own + new));
        for (at, &row) in rows.iter().enumerate() {
            values.extend_from_slice(&self.values[row * own..][..own]);
            values.extend_from_slice(&added[at * new..][..new]);
        }
        if rows.len() < self.n_rows {
            let place = |&row: &usize| self.kept_rows.as_ref().map_or(row, |kept| kept[row]);
            let in_file: Vec<usize> = rows.iter().map(place).collect();
            let rows = Some(rows.to_vec());
            if self.kept_rows.is_none() {
                self.file_ids = self.ids.clone();
            }
            let ids = self.ids.map(|all| select(all, &rows));
            self.ids = ids.or_else(|| Some(numbers(&in_file)));
            self.labels = self.labels.map(|all| select(all, &rows));
            self.weights = self.weights.map(|all| select(all, &rows));
            self.contents = self.contents.map(|all| select(all, &rows));
            self.kept_rows = Some(in_file);
        }
        self.n_rows = rows.len();
        self.n_features += new;
        self.columns.extend(names);
        self.values = values;
        self
    }

    /// Says in terms of the file what the core says in terms of rows and columns.
    fn place(&self, error: Error) -> IoError {
        let at = |row, column: &str, problem| {
            let row = self.kept_rows.as_ref().map_or(row, |kept| kept[row]);
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
    let choose = |names: &[String], types: Option<&[_]>| Roles::choose(path, names, types, options);
    let rows = read_rows::<T>(path, options, &choose)?;
    if let Some(column) = rows.roles.id {
        check_ids(path, &rows.names[column], &rows.ids, &rows.lines)?;
    }
    rows.into_table(path, options)
}

/// Reads one column as text, one entry per row, empty where there is nothing.
///
/// Without a name it is the only column, or else the one called `label`.
pub fn read_column(path: &Path, name: Option<&str>) -> Result<Vec<String>, IoError> {
    let choose = |names: &[String], _: Option<&[_]>| Roles::single(path, names, name);
    Ok(read_rows::<f64>(path, &ReadOptions::default(), &choose)?.ids)
}

/// What the reader of a format hands over.
pub(crate) struct Rows<T> {
    /// The names of all columns of the file.
    pub(crate) names: Vec<String>,
    pub(crate) roles: Roles,
    pub(crate) n_rows: usize,
    /// The features as they turn out.
    pub(crate) columns: Vec<Gathered>,
    pub(crate) values: Vec<T>,
    pub(crate) ids: Vec<String>,
    pub(crate) labels: LabelCoder,
    pub(crate) weights: Vec<T>,
    pub(crate) contents: Vec<String>,
    pub(crate) lines: Lines,
    /// Bytes that may still be taken, if somebody counts them.
    room: Option<usize>,
}

impl<T: Real> Rows<T> {
    pub(crate) fn new(names: Vec<String>, roles: Roles, columns: Vec<Gathered>) -> Self {
        Rows {
            names,
            roles,
            n_rows: 0,
            columns,
            values: Vec::new(),
            ids: Vec::new(),
            labels: LabelCoder::default(),
            weights: Vec::new(),
            contents: Vec::new(),
            lines: Lines::default(),
            room: None,
        }
    }

    /// The same, to take no more than so many bytes.
    pub(crate) fn within(self, most_bytes: Option<usize>) -> Self {
        Self { room: most_bytes, ..self }
    }

    /// Counts what so many more rows will take, whose ids and contents have so many bytes together, before
    /// it is taken; fails if there is no room for it.
    pub(crate) fn make_room(&mut self, n_rows: usize, text_bytes: usize) -> Result<(), Problem> {
        /// Where a text is, and what the system adds to it.
        const PER_TEXT: usize = size_of::<String>() + 24;
        let n_texts = self.roles.texts().count();
        let n_numbers = self.stride() + usize::from(self.roles.weight.is_some());
        let Some(room) = &mut self.room else { return Ok(()) };
        let per_row = n_numbers * size_of::<T>() + n_texts * PER_TEXT;
        let taken = n_rows.saturating_mul(per_row).saturating_add(text_bytes);
        *room = room.checked_sub(taken).ok_or(Problem::NoRoom)?;
        Ok(())
    }

    /// Numbers in each row of the values.
    pub(crate) fn stride(&self) -> usize {
        self.columns.iter().map(|column| column.width).sum()
    }

    /// The same as users see it.
    pub(crate) fn into_table(
        mut self,
        path: &Path,
        options: &ReadOptions,
    ) -> Result<Table<T>, IoError> {
        let Settled { values, recipe, kept_rows, texts } = settle(path, &mut self, options)?;
        let Rows { names, roles, n_rows, ids, labels, weights, contents, lines, .. } = self;
        let (labels, label_names) = labels.finish();
        let used = roles.used();
        let unused = |at: &usize| used.binary_search(at).is_err() && !roles.left_out.contains(at);
        let left_out = roles.left_out.iter().map(|&at| names[at].clone());
        let columns = recipe.column_names();
        Ok(Table {
            n_features: columns.len(),
            columns,
            skipped_columns: (0..names.len()).filter(unused).map(|at| names[at].clone()).collect(),
            text_columns: texts.into_iter().chain(left_out).collect(),
            n_file_rows: n_rows,
            file_ids: (roles.id.is_some() && kept_rows.is_some()).then(|| ids.clone()),
            ids: match (roles.id, &kept_rows) {
                (Some(_), _) => Some(select(ids, &kept_rows)),
                (None, kept) => kept.as_ref().map(|kept| numbers(kept)),
            },
            labels: roles.label.map(|_| select(labels, &kept_rows)),
            weights: roles.weight.map(|_| select(weights, &kept_rows)),
            weight_column: roles.weight.map(|column| names[column].clone()),
            contents: roles.content.map(|_| select(contents, &kept_rows)),
            label_names,
            values,
            recipe,
            n_rows: kept_rows.as_ref().map_or(n_rows, Vec::len),
            kept_rows,
            file: path.to_owned(),
            lines,
        })
    }
}

/// Rows by their numbers.
fn numbers(rows: &[usize]) -> Vec<String> {
    rows.iter().map(usize::to_string).collect()
}

/// What belongs to the rows that are left.
fn select<V>(all: Vec<V>, kept_rows: &Option<Vec<usize>>) -> Vec<V> {
    let Some(kept) = kept_rows else { return all };
    let mut kept = kept.iter().peekable();
    let all = all.into_iter().enumerate();
    all.filter(|(row, _)| kept.next_if_eq(&row).is_some()).map(|(_, value)| value).collect()
}

fn read_rows<T: Real>(
    path: &Path,
    options: &ReadOptions,
    choose: Choose,
) -> Result<Rows<T>, IoError> {
    let delimiter = options.delimiter;
    // Only who makes points of files has a use for a folder.
    if options.content_column.is_some() && path.is_dir() {
        let rows = folder::read(path, options, choose)?;
        return if rows.n_rows == 0 { Err(IoError::new(path, Problem::NoFiles)) } else { Ok(rows) };
    }
    let rows = match Format::of(path)? {
        Format::Csv { .. } => text::read(path, delimiter, options, choose),
        Format::Tsv { .. } => text::read(path, delimiter.or(Some(b'\t')), options, choose),
        Format::Parquet => columnar::read_parquet(path, options, choose),
        Format::Arrow => columnar::read_arrow(path, options, choose),
        Format::Npy => npy::read(path, options, choose),
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
