//! Writing points and their labels.

use super::formats::{check_count, write_batches, write_npy, write_text};
use super::write_beside;
use crate::error::{IoError, Problem};
use crate::format::{Columnar, Encoding, Format};
use arrow_array::{ArrayRef, Float32Array, Float64Array, Int64Array, RecordBatch, StringArray};
use linkshift::Real;
use linkshift::error::PointsError;
use std::path::Path;
use std::sync::Arc;

/// The formats that hold labels beside points.
const WITH_LABELS: &[Format] =
    &[Format::Csv { gz: false }, Format::Tsv { gz: false }, Format::Parquet, Format::Arrow];

/// A column that stands beside the points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Beside<'a> {
    /// Whole numbers, such as labels.
    Numbers(&'a [i64]),
    /// Texts, such as ids.
    Texts(&'a [String]),
}

impl Beside<'_> {
    fn len(&self) -> usize {
        match self {
            Beside::Numbers(all) => all.len(),
            Beside::Texts(all) => all.len(),
        }
    }

    fn text(&self, row: usize) -> String {
        match self {
            Beside::Numbers(all) => all[row].to_string(),
            Beside::Texts(all) => all[row].clone(),
        }
    }

    fn array(&self) -> ArrayRef {
        match self {
            Beside::Numbers(all) => Arc::new(Int64Array::from_iter_values(all.iter().copied())),
            Beside::Texts(all) => Arc::new(StringArray::from_iter_values(all.iter())),
        }
    }
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
    let labels = labels.map(|labels| ("label", Beside::Numbers(labels)));
    write_table_beside(path, columns, values, labels.as_slice())
}

/// The same with any columns after those of the points.
pub fn write_table_beside<T: Real>(
    path: &Path,
    columns: &[String],
    values: &[T],
    beside: &[(&str, Beside<'_>)],
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
    for (_, column) in beside {
        check_count(path, "labels", column.len(), n_rows)?;
    }
    match format.encoding() {
        Encoding::Text(text) => write_text(path, text, |csv| {
            let names = beside.iter().map(|(name, _)| *name);
            csv.write_record(columns.iter().map(String::as_str).chain(names))?;
            for (row, values) in values.chunks_exact(n_features).enumerate() {
                for &value in values {
                    csv.write_field(text_of(value))?;
                }
                for (_, column) in beside {
                    csv.write_field(column.text(row))?;
                }
                csv.write_record(None::<&[u8]>)?;
            }
            Ok(())
        }),
        Encoding::Npy if !beside.is_empty() => {
            let what = "labels beside points";
            Err(IoError::new(path, Problem::CannotHold { format, what, accepted: WITH_LABELS }))
        }
        Encoding::Npy => {
            let shape = [n_rows, n_features];
            let values = values.iter().map(|value| value.as_f64());
            match is_f32::<T>() {
                true => write_npy(path, &shape, values.map(|value| value as f32)),
                false => write_npy(path, &shape, values),
            }
        }
        Encoding::Columnar(columnar) => write_columns(path, columnar, columns, values, beside),
    }
}

fn write_columns<T: Real>(
    path: &Path,
    format: Columnar,
    columns: &[String],
    values: &[T],
    beside: &[(&str, Beside<'_>)],
) -> Result<(), IoError> {
    let column =
        |at: usize| values.iter().skip(at).step_by(columns.len()).map(|value| value.as_f64());
    let array = |at: usize| -> ArrayRef {
        if is_f32::<T>() {
            Arc::new(Float32Array::from_iter_values(column(at).map(|value| value as f32)))
        } else {
            Arc::new(Float64Array::from_iter_values(column(at)))
        }
    };
    let mut arrays: Vec<(&str, ArrayRef)> =
        columns.iter().enumerate().map(|(at, name)| (name.as_str(), array(at))).collect();
    arrays.extend(beside.iter().map(|(name, column)| (*name, column.array())));
    write_beside(path, |target| {
        let batch = RecordBatch::try_from_iter(arrays).map_err(super::formats::arrow_failed)?;
        write_batches(target, format, &batch.schema(), std::iter::once(Ok(batch)))
    })
}

fn is_f32<T: Real>() -> bool {
    size_of::<T>() == size_of::<f32>()
}

/// The shortest text that reads back as the same number, with an exponent only where it helps.
fn text_of<T: Real>(value: T) -> String {
    let plain_whole = value.fract().is_zero() && value.abs() < T::of(1e15);
    if plain_whole { value.to_string() } else { format!("{value:?}") }
}
