//! Writing labels, all at once or as they come.

use super::formats::{arrow_failed, check_count, write_batches, write_text};
use super::write_beside;
use crate::error::{IoError, Problem};
use crate::format::{Encoding, Format};
use crate::npy;
use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use std::borrow::Cow;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The labels of some rows, and their ids if rows have any.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LabelChunk<'a> {
    /// One per row.
    pub labels: Cow<'a, [i64]>,
    /// One per row, in all chunks of a file or in none.
    pub ids: Option<Cow<'a, [String]>>,
}

/// Writes one label per row, after the ids if there are any; as NPY the labels alone.
pub fn write_labels(path: &Path, labels: &[i64], ids: Option<&[String]>) -> Result<(), IoError> {
    if let Some(ids) = ids {
        check_count(path, "ids", ids.len(), labels.len())?;
    }
    let chunk = LabelChunk { labels: labels.into(), ids: ids.map(Cow::from) };
    write_label_chunks(path, labels.len(), std::iter::once(Ok(chunk)))
}

/// Like [`write_labels`], with the labels of `n_rows` rows as they come, a chunk at least.
///
/// The file is in place when all chunks are written; after an error, also one of the chunks', there
/// is none, or the old one.
///
/// ```
/// use linkshift_io::{IoError, LabelChunk, write_label_chunks};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("labels.csv");
/// let chunk = |labels: Vec<i64>| LabelChunk { labels: labels.into(), ids: None };
/// let chunks = [vec![0, 1], vec![1]].map(|labels| Ok::<_, IoError>(chunk(labels)));
/// write_label_chunks(&path, 3, chunks.into_iter())?;
/// assert_eq!(std::fs::read_to_string(&path)?, "label\n0\n1\n1\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_label_chunks<'a, E: From<IoError>>(
    path: &Path,
    n_rows: usize,
    chunks: impl Iterator<Item = Result<LabelChunk<'a>, E>>,
) -> Result<(), E> {
    let format = Format::of(path)?;
    // A failure of the chunks goes through the writers in disguise.
    let mut failure = None;
    let chunks = chunks.map(|chunk| {
        chunk.map_err(|error| {
            failure = Some(error);
            io::Error::other("the labels ended early")
        })
    });
    let written = write_as(path, format, n_rows, chunks);
    match failure {
        Some(failure) => Err(failure),
        None => Ok(written?),
    }
}

fn write_as<'a>(
    path: &Path,
    format: Format,
    n_rows: usize,
    chunks: impl Iterator<Item = io::Result<LabelChunk<'a>>>,
) -> Result<(), IoError> {
    match format.encoding() {
        Encoding::Text(text) => write_text(path, text, |csv| {
            let mut has_header = false;
            for chunk in chunks {
                let LabelChunk { labels, ids } = chunk?;
                if !has_header {
                    csv.write_record(ids.iter().map(|_| "id").chain(["label"]))?;
                    has_header = true;
                }
                for (row, label) in labels.iter().enumerate() {
                    let id = ids.iter().map(|ids| ids[row].as_str());
                    csv.write_record(id.chain([label.to_string().as_str()]))?;
                }
            }
            Ok(())
        }),
        Encoding::Npy => write_beside(path, |target| {
            npy::write_header::<i64>(target, &[n_rows])?;
            for chunk in chunks {
                npy::write_numbers(target, chunk?.labels.iter().copied())?;
            }
            Ok(())
        }),
        Encoding::Columnar(columnar) => write_beside(path, |target| {
            let mut batches = chunks.map(|chunk| batch_of(&chunk?)).peekable();
            let schema = match batches.peek() {
                Some(Ok(first)) => first.schema(),
                _ => batch_of(&LabelChunk::default())?.schema(),
            };
            write_batches(target, columnar, &schema, batches)
        }),
    }
}

/// Like [`write_labels`], with the name of each row's cluster beside its number; text, Parquet or Arrow.
pub fn write_named_labels(
    path: &Path,
    labels: &[i64],
    names: &[String],
    ids: Option<&[String]>,
) -> Result<(), IoError> {
    check_count(path, "names", names.len(), labels.len())?;
    if let Some(ids) = ids {
        check_count(path, "ids", ids.len(), labels.len())?;
    }
    let format = Format::of(path)?;
    match format.encoding() {
        Encoding::Text(text) => write_text(path, text, |csv| {
            csv.write_record(ids.iter().map(|_| "id").chain(["label", "name"]))?;
            for (row, label) in labels.iter().enumerate() {
                let id = ids.iter().map(|ids| ids[row].as_str());
                csv.write_record(id.chain([label.to_string().as_str(), &names[row]]))?;
            }
            Ok(())
        }),
        Encoding::Npy => {
            let accepted = Format::TEXT;
            let what = "names of clusters";
            Err(IoError::new(path, Problem::CannotHold { format, what, accepted }))
        }
        Encoding::Columnar(columnar) => write_beside(path, |target| {
            let texts =
                |texts: &[String]| Arc::new(StringArray::from_iter_values(texts)) as ArrayRef;
            let numbers =
                Arc::new(Int64Array::from_iter_values(labels.iter().copied())) as ArrayRef;
            let ids = ids.map(|ids| ("id", texts(ids)));
            let columns = ids.into_iter().chain([("label", numbers), ("name", texts(names))]);
            let batch = RecordBatch::try_from_iter(columns).map_err(arrow_failed)?;
            write_batches(target, columnar, &batch.schema(), std::iter::once(Ok(batch.clone())))
        }),
    }
}

fn batch_of(chunk: &LabelChunk<'_>) -> io::Result<RecordBatch> {
    let ids = chunk.ids.as_ref().map(|ids| StringArray::from_iter_values(ids.iter()));
    let labels = Int64Array::from_iter_values(chunk.labels.iter().copied());
    let ids = ids.map(|ids| ("id", Arc::new(ids) as ArrayRef));
    let columns = ids.into_iter().chain([("label", Arc::new(labels) as ArrayRef)]);
    RecordBatch::try_from_iter(columns).map_err(arrow_failed)
}
