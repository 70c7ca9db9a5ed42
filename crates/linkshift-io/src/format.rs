//! Which format a file has, and opening text files whether compressed or not.

use crate::error::{IoError, Problem};
use flate2::read::MultiGzDecoder;
use linkshift::params::Named;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

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

impl Named for Format {
    const ALL: &'static [Self] = &[
        Format::Csv { gz: false },
        Format::Csv { gz: true },
        Format::Tsv { gz: false },
        Format::Tsv { gz: true },
        Format::Parquet,
        Format::Arrow,
        Format::Npy,
    ];

    fn name(self) -> &'static str {
        match self {
            Format::Csv { gz: false } => "csv",
            Format::Csv { gz: true } => "csv.gz",
            Format::Tsv { gz: false } => "tsv",
            Format::Tsv { gz: true } => "tsv.gz",
            Format::Parquet => "parquet",
            Format::Arrow => "arrow",
            Format::Npy => "npy",
        }
    }
}

impl Format {
    /// The formats that are text.
    pub(crate) const TEXT: &'static [Self] = Self::ALL.split_at(4).0;

    /// The format of a file of this name.
    ///
    /// ```
    /// use linkshift::params::Named;
    /// use linkshift_io::Format;
    /// use std::path::Path;
    ///
    /// let format = Format::of(Path::new("points.CSV.gz"))?;
    /// assert_eq!(format, Format::Csv { gz: true });
    /// assert_eq!(format.name(), "csv.gz");
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
        let is_it =
            |format: &&Format| format.is_gz() == gz && format.extensions().contains(&extension);
        let found = Self::ALL.iter().find(is_it);
        found.copied().ok_or_else(|| IoError::new(path, Problem::UnknownFormat))
    }

    /// How names of such files end, before a `.gz`; the usual one first.
    pub fn extensions(self) -> &'static [&'static str] {
        match self {
            Format::Csv { .. } => &["csv", "txt", "data", "dat"],
            Format::Tsv { .. } => &["tsv", "tab"],
            Format::Parquet => &["parquet", "pq"],
            Format::Arrow => &["arrow", "feather", "ipc"],
            Format::Npy => &["npy"],
        }
    }

    /// How it is written.
    pub(crate) fn encoding(self) -> Encoding {
        match self {
            Format::Csv { gz } => Encoding::Text(Text { delimiter: b',', gz }),
            Format::Tsv { gz } => Encoding::Text(Text { delimiter: b'\t', gz }),
            Format::Parquet => Encoding::Columnar(Columnar::Parquet),
            Format::Arrow => Encoding::Columnar(Columnar::Arrow),
            Format::Npy => Encoding::Npy,
        }
    }

    /// What people call it.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Format::Csv { .. } => "CSV",
            Format::Tsv { .. } => "TSV",
            Format::Parquet => "Parquet",
            Format::Arrow => "Arrow",
            Format::Npy => "NPY",
        }
    }

    fn is_gz(self) -> bool {
        match self {
            Format::Csv { gz } | Format::Tsv { gz } => gz,
            Format::Parquet | Format::Arrow | Format::Npy => false,
        }
    }
}

/// How a format is written; each kind has its own writer.
pub(crate) enum Encoding {
    Text(Text),
    Columnar(Columnar),
    Npy,
}

/// Delimited text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Text {
    pub(crate) delimiter: u8,
    pub(crate) gz: bool,
}

/// Typed columns.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Columnar {
    Parquet,
    Arrow,
}

/// How names of files of these formats end: `.csv, .txt (also with .gz), .parquet, …`.
pub(crate) fn endings(formats: &[Format]) -> String {
    let ending = |format: &Format| {
        let extensions = format.extensions();
        let names: Vec<String> = extensions.iter().map(|name| format!(".{name}")).collect();
        let is_gz_too = |other: &Format| other.is_gz() && other.extensions() == extensions;
        let rest = if formats.iter().any(is_gz_too) { " (also with .gz)" } else { "" };
        names.join(", ") + rest
    };
    let plain = formats.iter().filter(|format| !format.is_gz());
    plain.map(ending).collect::<Vec<_>>().join(", ")
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
        let start = raw.fill_buf().map_err(|error| IoError::reading(path, error))?;
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
    File::open(path).map_err(|error| IoError::reading(path, error))
}

/// What a failed read of a text file means: a decompressor's complaint has no OS error code.
pub(crate) fn text_read_error(path: &Path, gz: bool, error: io::Error) -> IoError {
    if gz && error.raw_os_error().is_none() {
        return IoError::new(path, Problem::Damaged { format: "gzip", reason: error.to_string() });
    }
    IoError::reading(path, error)
}
