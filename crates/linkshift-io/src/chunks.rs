//! A Parquet file in chunks, for tables that are larger than the memory.

use crate::columnar::ParquetFile;
use crate::columns::Roles;
use crate::error::{IntakeProblem, IoError, Problem};
use crate::format::Format;
use crate::recipe::{Categories, Missing};
use crate::table::{Lines, ReadOptions, Rows, Table};
use linkshift::Real;
use std::path::{Path, PathBuf};

/// Numbers in a chunk, about: some megabytes, whatever the number of columns.
const CHUNK_VALUES: usize = 1 << 20;

/// The rows of a Parquet file as tables of some megabytes each, in order; only one is in memory.
///
/// Ids and labels are read as in [`read_table`](crate::read_table), but each chunk by itself: nobody
/// checks that no id comes twice, and labels that are texts are numbered anew in every chunk.
pub struct TableChunks<T: Real> {
    path: PathBuf,
    content: ParquetFile,
    /// Without rows: names and parts of the columns, for the next chunk.
    empty: Rows<T>,
    options: ReadOptions,
    n_read: usize,
    failed: bool,
}

impl<T: Real> TableChunks<T> {
    /// Opens a Parquet file; other formats do not tell how many rows there are.
    pub fn open(path: &Path, options: &ReadOptions) -> Result<Self, IoError> {
        if Format::of(path)? != Format::Parquet {
            return Err(IoError::new(path, Problem::NotParquet));
        }
        // Medians and categories are those of the whole file, which nobody has seen.
        if options.recipe.is_none()
            && (options.missing == Missing::Median || options.categories == Categories::OneHot)
        {
            return Err(IoError::new(path, IntakeProblem::NotInChunks));
        }
        let choose =
            |names: &[String], types: Option<&[_]>| Roles::choose(path, names, types, options);
        let (content, empty) = ParquetFile::open(path, options, &choose)?;
        if content.n_rows == 0 {
            return Err(IoError::new(path, Problem::NoRows));
        }
        let options = options.clone();
        Ok(Self { path: path.to_owned(), content, empty, options, n_read: 0, failed: false })
    }

    /// Number of rows in the whole file, at least 1.
    pub fn n_rows(&self) -> usize {
        self.content.n_rows
    }

    /// Number of features, at least 1.
    pub fn n_features(&self) -> usize {
        self.empty.stride()
    }

    fn read(&mut self) -> Result<Option<Table<T>>, IoError> {
        let Rows { names, roles, columns, .. } = &self.empty;
        let mut rows = Rows::new(names.clone(), roles.clone(), columns.clone());
        rows.lines = Lines::after(self.n_read);
        while rows.values.len() < CHUNK_VALUES && self.content.append_to(&mut rows)? {}
        self.n_read += rows.n_rows;
        (rows.n_rows > 0).then(|| rows.into_table(&self.path, &self.options)).transpose()
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
