//! Writing: labels and tables in every format, each file complete or not at all.

use crate::error::{IoError, Problem};
use crate::format::Format;
use arrow_array::{ArrayRef, Float32Array, Float64Array, Int64Array, RecordBatch};
use arrow_ipc::writer::FileWriter;
use arrow_schema::{ArrowError, SchemaRef};
use flate2::Compression;
use flate2::write::GzEncoder;
use linkshift::Real;
use linkshift::error::PointsError;
use npyz::WriterBuilder;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression as ParquetCompression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where the closure given to [`write_beside`] writes.
pub(crate) type Sink<'a> = &'a mut (dyn Write + Send + 'a);

/// Writes a file beside its target and renames it when it is complete and on the disk.
///
/// If anything fails, also within `write`, the temporary file is removed and an existing target is
/// as it was. Links to files are followed; `-` (standard output) and targets that are not regular
/// files, such as pipes, are written directly.
///
/// ```
/// use linkshift_io::write_beside;
/// use std::io;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("note.txt");
/// write_beside(&path, |file| file.write_all(b"old"))?;
///
/// let failed = write_beside(&path, |file| {
///     file.write_all(b"new but")?;
///     Err(io::Error::other("out of ink"))
/// });
/// assert!(failed.is_err());
/// assert_eq!(std::fs::read(&path)?, b"old");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_beside(
    path: &Path,
    write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
) -> Result<(), IoError> {
    let written = if path == Path::new("-") {
        write_all(io::stdout(), write).map(|_| ())
    } else {
        match fs::metadata(path) {
            Ok(existing) if existing.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory)),
            Ok(existing) if !existing.is_file() => {
                let target = OpenOptions::new().write(true).open(path);
                target.and_then(|target| write_all(target, write)).map(|_| ())
            }
            Ok(existing) => replace(path, Some(existing.permissions()), write),
            Err(_) => replace(path, None, write),
        }
    };
    written.map_err(|error| write_failed(path, &error))
}

/// Writes to a temporary file in the same folder, for only there a rename is one step.
fn replace(
    path: &Path,
    permissions: Option<fs::Permissions>,
    write: impl FnOnce(Sink<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let path = match permissions {
        // Replacing needs no right to the file itself, but a user who took it away means it.
        Some(_) => {
            OpenOptions::new().write(true).open(path)?;
            fs::canonicalize(path)?
        }
        None => path.to_owned(),
    };
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".linkshift-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As for any new file: the user's umask decides, not the privacy of temporary files.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut temporary = builder.tempfile_in(folder)?;
    write_all(temporary.as_file_mut(), write)?;
    if let Some(permissions) = permissions {
        temporary.as_file().set_permissions(permissions)?;
    }
    temporary.as_file().sync_all()?;
    temporary.persist(path).map_err(|error| error.error)?;
    Ok(())
}

fn write_all<W: Write + Send>(
    target: W,
    write: impl FnOnce(Sink<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let mut buffered = BufWriter::with_capacity(1 << 16, target);
    write(&mut buffered)?;
    buffered.flush()
}

pub(crate) fn write_failed(path: &Path, error: &io::Error) -> IoError {
    let reason = error.to_string();
    // The name of the temporary file means nothing to the user.
    let reason = reason.split(" at path ").next().unwrap_or_default().to_owned();
    IoError::new(path, Problem::Write { reason })
}

/// Writes points, given row by row, and a column `label` if there are labels.
///
/// NPY files hold numbers of one type, hence no labels beside the points.
pub fn write_table<T: Real>(
    path: &Path,
    columns: &[String],
    values: &[T],
    labels: Option<&[i64]>,
) -> Result<(), IoError> {
    let format = Format::of(path)?;
    let n_features = columns.len();
    let shape_error = match n_features {
        0 => Some(PointsError::NoColumns),
        _ if !values.len().is_multiple_of(n_features) => {
            Some(PointsError::Ragged { len: values.len(), n_features })
        }
        _ => None,
    };
    if let Some(error) = shape_error {
        return Err(IoError::new(path, Problem::Points(error.into())));
    }
    let n_rows = values.len() / n_features;
    if let Some(labels) = labels {
        check_count(path, "labels", labels.len(), n_rows)?;
    }
    let written = write_text(path, format, |csv| {
        let label_name = labels.map(|_| "label");
        csv.write_record(columns.iter().map(String::as_str).chain(label_name))?;
        for (row, values) in values.chunks_exact(n_features).enumerate() {
            for &value in values {
                csv.write_field(text_of(value))?;
            }
            if let Some(labels) = labels {
                csv.write_field(labels[row].to_string())?;
            }
            csv.write_record(None::<&[u8]>)?;
        }
        Ok(())
    });
    if let Some(written) = written {
        return written;
    }
    if format == Format::Npy {
        if labels.is_some() {
            let accepted = ".csv, .tsv, .parquet, .arrow, or write the labels to their own file";
            let what = "labels beside points";
            return Err(IoError::new(path, Problem::CannotHold { format: "NPY", what, accepted }));
        }
        let shape = [n_rows as u64, n_features as u64];
        return if is_f32::<T>() {
            write_npy(path, &shape, values.iter().map(|value| value.as_f64() as f32))
        } else {
            write_npy(path, &shape, values.iter().map(|value| value.as_f64()))
        };
    }
    let column = |at: usize| values.iter().skip(at).step_by(n_features).map(|value| value.as_f64());
    let array = |at: usize| -> ArrayRef {
        if is_f32::<T>() {
            Arc::new(Float32Array::from_iter_values(column(at).map(|value| value as f32)))
        } else {
            Arc::new(Float64Array::from_iter_values(column(at)))
        }
    };
    let mut arrays: Vec<(&str, ArrayRef)> =
        columns.iter().enumerate().map(|(at, name)| (name.as_str(), array(at))).collect();
    if let Some(labels) = labels {
        arrays.push(("label", Arc::new(Int64Array::from_iter_values(labels.iter().copied()))));
    }
    write_columns(path, format, arrays)
}

fn is_f32<T: Real>() -> bool {
    size_of::<T>() == size_of::<f32>()
}

/// The shortest text that reads back as the same number, with an exponent only where it helps.
fn text_of<T: Real>(value: T) -> String {
    let plain_whole = value.fract().is_zero() && value.abs() < T::of(1e15);
    if plain_whole { value.to_string() } else { format!("{value:?}") }
}

pub(crate) fn check_count(
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

/// Writes delimited text; `None` if the format is not text.
pub(crate) fn write_text(
    path: &Path,
    format: Format,
    write: impl FnOnce(&mut csv::Writer<Sink<'_>>) -> csv::Result<()>,
) -> Option<Result<(), IoError>> {
    let (delimiter, gz) = match format {
        Format::Csv { gz } => (b',', gz),
        Format::Tsv { gz } => (b'\t', gz),
        _ => return None,
    };
    let write_csv = |target: Sink<'_>| {
        // A first field that begins with # is quoted: links files have comments.
        let mut csv =
            csv::WriterBuilder::new().delimiter(delimiter).comment(Some(b'#')).from_writer(target);
        write(&mut csv)?;
        csv.flush()
    };
    Some(write_beside(path, |target| {
        if gz {
            let mut encoder = GzEncoder::new(target, Compression::default());
            write_csv(&mut encoder)?;
            encoder.finish().map(|_| ())
        } else {
            write_csv(target)
        }
    }))
}

fn write_npy<N: npyz::AutoSerialize>(
    path: &Path,
    shape: &[u64],
    numbers: impl Iterator<Item = N>,
) -> Result<(), IoError> {
    write_beside(path, |target| {
        let options = npyz::WriteOptions::new().default_dtype().shape(shape).writer(target);
        let mut npy = options.begin_nd()?;
        npy.extend(numbers)?;
        npy.finish()
    })
}

/// Writes typed columns as Parquet or Arrow.
fn write_columns(
    path: &Path,
    format: Format,
    columns: Vec<(&str, ArrayRef)>,
) -> Result<(), IoError> {
    write_beside(path, |target| {
        let batch = RecordBatch::try_from_iter(columns).map_err(arrow_failed)?;
        write_batches(target, format, &batch.schema(), std::iter::once(Ok(batch)))
    })
}

/// Writes batches of one schema as Parquet or Arrow, each as it comes.
pub(crate) fn write_batches(
    target: Sink<'_>,
    format: Format,
    schema: &SchemaRef,
    batches: impl Iterator<Item = io::Result<RecordBatch>>,
) -> io::Result<()> {
    if format == Format::Parquet {
        let properties =
            WriterProperties::builder().set_compression(ParquetCompression::SNAPPY).build();
        let mut parquet = ArrowWriter::try_new(target, schema.clone(), Some(properties))
            .map_err(parquet_failed)?;
        for batch in batches {
            parquet.write(&batch?).map_err(parquet_failed)?;
        }
        parquet.close().map(|_| ()).map_err(parquet_failed)
    } else {
        let mut arrow = FileWriter::try_new(target, schema).map_err(arrow_failed)?;
        for batch in batches {
            arrow.write(&batch?).map_err(arrow_failed)?;
        }
        arrow.finish().map_err(arrow_failed)
    }
}

/// The operating system's error where there is one: it says what is wrong with the disk.
pub(crate) fn arrow_failed(error: ArrowError) -> io::Error {
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
