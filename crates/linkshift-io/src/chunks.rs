//! Tables in chunks, from one file or many, for what is larger than the memory.

use crate::columnar::{ArrowFile, ParquetFile};
use crate::columns::Roles;
use crate::error::{At, IntakeProblem, IoError, Problem, shorten};
use crate::format::Format;
use crate::recipe::{Categories, Missing};
use crate::table::{Lines, ReadOptions, Rows, Table};
use crate::text::TextTable;
use linkshift::Real;
use std::collections::{HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};

/// Numbers in a chunk, about: some megabytes, whatever the number of columns.
const CHUNK_VALUES: usize = 1 << 20;

/// Rows in a chunk, about: ids take memory, too.
const CHUNK_ROWS: usize = 1 << 17;

/// The rows of Parquet, Arrow or text files, one after the other, as tables of some megabytes each, in
/// order; only one is in memory.
///
/// Ids and labels are read as in [`read_table`](crate::read_table), but each chunk by itself: nobody
/// checks that no id comes twice, and labels that are texts are numbered anew in every chunk. What
/// the columns hold is settled by the first chunk: later ones, and later files, must be like it.
pub struct TableChunks<T: Real> {
    /// Those that are still to be read.
    files: VecDeque<PathBuf>,
    current: Option<Current<T>>,
    /// With a recipe, once there is a first chunk.
    options: ReadOptions,
    failed: bool,
}

/// A file that is being read.
struct Current<T: Real> {
    path: PathBuf,
    content: Content,
    /// Without rows: names and parts of the columns, for the next chunk.
    empty: Rows<T>,
    n_read: usize,
}

enum Content {
    Parquet(ParquetFile),
    Arrow(ArrowFile),
    Text(TextTable),
}

impl<T: Real> Current<T> {
    fn open(path: &Path, options: &ReadOptions) -> Result<Self, IoError> {
        let choose =
            |names: &[String], types: Option<&[_]>| Roles::choose(path, names, types, options);
        let (content, empty) = match Format::of(path)? {
            Format::Parquet => {
                let (content, empty) = ParquetFile::open(path, options, &choose)?;
                (Content::Parquet(content), empty)
            }
            Format::Arrow => {
                let (content, empty) = ArrowFile::open(path, options, &choose)?;
                (Content::Arrow(content), empty)
            }
            Format::Csv { .. } if path != Path::new("-") => {
                let (content, empty) = TextTable::open(path, options.delimiter, options, &choose)?;
                (Content::Text(content), empty)
            }
            Format::Tsv { .. } => {
                let delimiter = options.delimiter.or(Some(b'\t'));
                let (content, empty) = TextTable::open(path, delimiter, options, &choose)?;
                (Content::Text(content), empty)
            }
            _ => return Err(IoError::new(path, Problem::NotInChunks)),
        };
        Ok(Self { path: path.to_owned(), content, empty, n_read: 0 })
    }

    fn read(&mut self) -> Result<Option<Rows<T>>, IoError> {
        let Rows { names, roles, columns, .. } = &self.empty;
        let mut rows = Rows::new(names.clone(), roles.clone(), columns.clone());
        rows.lines = Lines::after(self.n_read);
        while rows.values.len() < CHUNK_VALUES && rows.n_rows < CHUNK_ROWS {
            let is_more = match &mut self.content {
                Content::Parquet(file) => file.append_to(&mut rows)?,
                Content::Arrow(file) => file.append_to(&mut rows)?,
                Content::Text(file) => file.append_to(&mut rows)?,
            };
            if !is_more {
                break;
            }
        }
        self.n_read += rows.n_rows;
        Ok((rows.n_rows > 0).then_some(rows))
    }

    /// The columns as a first chunk has shown them.
    fn follow(&mut self, options: &ReadOptions) -> Result<(), IoError> {
        // Typed columns are what they are.
        if let Content::Text(_) = self.content {
            let names = self.empty.names.clone();
            let roles = Roles::choose(&self.path, &names, None, options)?;
            let columns = roles.gathered(options);
            self.empty = Rows::new(names, roles, columns);
        }
        Ok(())
    }
}

impl<T: Real> TableChunks<T> {
    /// Opens the first of some files; all are read in the order given.
    pub fn open(files: &[PathBuf], options: &ReadOptions) -> Result<Self, IoError> {
        let mut files: VecDeque<PathBuf> = files.iter().cloned().collect();
        let first = files.pop_front().unwrap_or_default();
        // Medians and categories are those of all rows, which nobody has seen.
        if options.recipe.is_none()
            && (options.missing == Missing::Median || options.categories == Categories::OneHot)
        {
            return Err(IoError::new(&first, IntakeProblem::NotInChunks));
        }
        for path in &files {
            Format::of(path)?;
        }
        let current = Some(Current::open(&first, options)?);
        Ok(Self { files, current, options: options.clone(), failed: false })
    }

    fn read(&mut self) -> Result<Option<Table<T>>, IoError> {
        loop {
            let Some(current) = &mut self.current else { return Ok(None) };
            if let Some(rows) = current.read()? {
                let table = rows.into_table(&current.path, &self.options)?;
                if self.options.recipe.is_none() {
                    self.options.recipe = Some(table.recipe.clone());
                    current.follow(&self.options)?;
                }
                return Ok(Some(table));
            }
            self.current = match self.files.pop_front() {
                Some(path) => Some(Current::open(&path, &self.options)?),
                None => None,
            };
        }
    }
}

impl<T: Real> Iterator for TableChunks<T> {
    type Item = Result<Table<T>, IoError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let read = self.read().transpose();
        self.failed = matches!(read, Some(Err(_)));
        read
    }
}

/// How many rows there are, and where some of them are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Survey {
    /// Rows of all files together.
    pub n_rows: usize,
    /// The row of each id that was asked for and found, counted through all files.
    pub row_of: HashMap<String, usize>,
}

impl Survey {
    /// Counts the rows of some files, and looks for ids if the options name their column. Parquet files
    /// tell how many rows they have; others are read through.
    pub fn of(
        files: &[PathBuf],
        options: &ReadOptions,
        ids: &HashSet<String>,
    ) -> Result<Self, IoError> {
        let beside = ReadOptions {
            columns: Some(Vec::new()),
            id_column: options.id_column.clone().filter(|_| !ids.is_empty()),
            label_column: None,
            weight_column: None,
            recipe: None,
            ..options.clone()
        };
        let mut found = Self::default();
        for path in files {
            if beside.id_column.is_none() && Format::of(path)? == Format::Parquet {
                let choose = |names: &[String], types: Option<&[_]>| {
                    Roles::choose(path, names, types, &beside)
                };
                found.n_rows += ParquetFile::open::<f32>(path, &beside, &choose)?.0.n_rows;
                continue;
            }
            for chunk in TableChunks::<f32>::open(std::slice::from_ref(path), &beside)? {
                let chunk = chunk?;
                for (at, id) in chunk.ids.iter().flatten().enumerate() {
                    if ids.contains(id) {
                        found.add(path, id, found.n_rows + at, &beside)?;
                    }
                }
                found.n_rows += chunk.n_rows;
            }
        }
        match (found.n_rows, files.first()) {
            (0, Some(first)) => Err(IoError::new(first, Problem::NoRows)),
            _ => Ok(found),
        }
    }

    fn add(
        &mut self,
        path: &Path,
        id: &str,
        row: usize,
        options: &ReadOptions,
    ) -> Result<(), IoError> {
        let Some(first) = self.row_of.insert(id.to_owned(), row) else { return Ok(()) };
        let problem = Problem::DuplicateId { id: shorten(id), first: At::Row(first) };
        let column = options.id_column.as_deref().unwrap_or_default();
        Err(IoError::new(path, problem).at(At::Row(row)).column(column))
    }
}
