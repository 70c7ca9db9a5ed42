//! Which format a file has, and opening text files whether compressed or not.

use crate::error::{IoError, Problem};
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// The extensions that [`Format::of`] knows.
pub(crate) const KNOWN_EXTENSIONS: &str =
    ".csv, .tsv, .txt (also with .gz), .parquet, .arrow, .feather, .npy";

/// How a table is stored, told by the extension of the file's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Text with a delimiter: `.csv`, `.txt`, `.data`, `.dat`, and `-` for standard input.
    Csv {
        /// Compressed: `.gz` is appended to the name.
        gz: bool,
    },
    /// Text with tabs: `.tsv`, `.tab`.
    Tsv {
        /// Compressed: `.gz` is appended to the name.
        gz: bool,
    },
    /// Apache Parquet: `.parquet`, `.pq`.
    Parquet,
    /// Apache Arrow's IPC file or stream: `.arrow`, `.feather`, `.ipc`.
    Arrow,
    /// One NumPy array: `.npy`.
    Npy,
}

impl Format {
    /// The format of a file of this name.
    ///
    /// ```
    /// use linkshift_io::Format;
    /// use std::path::Path;
    ///
    /// assert_eq!(Format::of(Path::new("points.CSV.gz"))?, Format::Csv { gz: true });
    /// assert!(Format::of(Path::new("points.xlsx")).is_err());
    /// # Ok::<(), linkshift_io::IoError>(())
    /// ```
    pub fn of(path: &Path) -> Result<Format, IoError> {
        if path == Path::new("-") {
            return Ok(Format::Csv { gz: false });
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let (stem, gz) = match name.strip_suffix(".gz") {
            Some(stem) => (stem, true),
            None => (name.as_str(), false),
        };
        let extension = stem.rsplit_once('.').map_or("", |(_, extension)| extension);
        match (extension, gz) {
            ("csv" | "txt" | "data" | "dat", _) => Ok(Format::Csv { gz }),
            ("tsv" | "tab", _) => Ok(Format::Tsv { gz }),
            ("parquet" | "pq", false) => Ok(Format::Parquet),
            ("arrow" | "feather" | "ipc", false) => Ok(Format::Arrow),
            ("npy", false) => Ok(Format::Npy),
            _ => Err(IoError::new(path, Problem::UnknownFormat)),
        }
    }
}

/// A text file (or standard input), decompressed if its first bytes say that it is gzip.
pub(crate) struct TextFile {
    pub(crate) content: Box<dyn BufRead>,
    /// Whether read errors may come from the decompressor.
    pub(crate) gz: bool,
}

impl TextFile {
    pub(crate) fn open(path: &Path) -> Result<TextFile, IoError> {
        let raw: Box<dyn Read> =
            if path == Path::new("-") { Box::new(io::stdin()) } else { Box::new(open(path)?) };
        const BUFFER: usize = 1 << 16;
        let mut raw = BufReader::with_capacity(BUFFER, raw);
        let start = raw.fill_buf().map_err(|error| IoError::reading(path, &error))?;
        let gz = start.starts_with(&[0x1f, 0x8b]);
        let content: Box<dyn BufRead> = if gz {
            Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(raw)))
        } else {
            Box::new(raw)
        };
        Ok(TextFile { content, gz })
    }
}

pub(crate) fn open(path: &Path) -> Result<File, IoError> {
    File::open(path).map_err(|error| IoError::reading(path, &error))
}

/// What a failed read of a text file means: a decompressor's complaint has no OS error code.
pub(crate) fn text_read_error(path: &Path, gz: bool, error: &io::Error) -> IoError {
    if gz && error.raw_os_error().is_none() {
        return IoError::new(path, Problem::Damaged { format: "gzip", reason: error.to_string() });
    }
    IoError::reading(path, error)
}
