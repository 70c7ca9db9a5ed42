//! What all writers of a format share.

use super::beside::{Sink, write_beside};
use crate::error::{IoError, Problem};
use crate::format::{Columnar, Text};
use crate::npy;
use arrow_array::RecordBatch;
use arrow_ipc::writer::FileWriter;
use arrow_schema::{ArrowError, SchemaRef};
use flate2::Compression;
use flate2::write::GzEncoder;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression as ParquetCompression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use std::io;
use std::path::Path;

pub(super) fn check_count(
    path: &Path,
    what: &'static str,
    found: usize,
    expected: usize,
) -> Result<(), IoError> {
    if found == expected {
        return Ok(());
    }
    Err(IoError::new(path, Problem::Count { what, found, expected }))
}

/// Writes delimited text.
pub(crate) fn write_text(
    path: &Path,
    Text { delimiter, gz }: Text,
    write: impl FnOnce(&mut csv::Writer<Sink<'_>>) -> csv::Result<()>,
) -> Result<(), IoError> {
    let write_csv = |target: Sink<'_>| {
        // A first field that begins with # is quoted: links files have comments.
        let mut csv =
            csv::WriterBuilder::new().delimiter(delimiter).comment(Some(b'#')).from_writer(target);
        write(&mut csv).map_err(csv_failed)?;
        csv.flush()
    };
    write_beside(path, |target| {
        if gz {
            let mut encoder = GzEncoder::new(target, Compression::default());
            write_csv(&mut encoder)?;
            encoder.finish().map(|_| ())
        } else {
            write_csv(target)
        }
    })
}

/// The operating system's own error, so that a broken pipe is known as one.
fn csv_failed(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// Writes one array of numbers.
pub(super) fn write_npy<N: npy::Number>(
    path: &Path,
    shape: &[usize],
    numbers: impl Iterator<Item = N>,
) -> Result<(), IoError> {
    write_beside(path, |target| {
        npy::write_header::<N>(target, shape)?;
        npy::write_numbers(target, numbers)
    })
}

/// Writes batches of one schema, each as it comes.
pub(super) fn write_batches(
    target: Sink<'_>,
    format: Columnar,
    schema: &SchemaRef,
    batches: impl Iterator<Item = io::Result<RecordBatch>>,
) -> io::Result<()> {
    match format {
        Columnar::Parquet => {
            let properties =
                WriterProperties::builder().set_compression(ParquetCompression::SNAPPY).build();
            let mut parquet = ArrowWriter::try_new(target, schema.clone(), Some(properties))
                .map_err(parquet_failed)?;
            for batch in batches {
                parquet.write(&batch?).map_err(parquet_failed)?;
            }
            parquet.close().map(|_| ()).map_err(parquet_failed)
        }
        Columnar::Arrow => {
            let mut arrow = FileWriter::try_new(target, schema).map_err(arrow_failed)?;
            for batch in batches {
                arrow.write(&batch?).map_err(arrow_failed)?;
            }
            arrow.finish().map_err(arrow_failed)
        }
    }
}

/// The operating system's error where there is one: it says what is wrong with the disk.
pub(super) fn arrow_failed(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        other => io::Error::other(other),
    }
}

fn parquet_failed(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    }
}
