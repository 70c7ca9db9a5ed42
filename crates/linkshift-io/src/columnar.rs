//! Parquet and Arrow files: typed columns, read batch by batch.

use crate::columns::{Roles, no_numeric_column};
use crate::error::{IoError, Problem};
use crate::format::open;
use crate::number;
use crate::table::Rows;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrowPrimitiveType, RecordBatch};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, DataType, Schema};
use linkshift::Real;
use num_traits::ToPrimitive;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use std::fmt::Display;
use std::io::{BufReader, Read, Seek};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// Rows decoded at a time: enough to be quick, few enough for tables of a thousand columns.
const BATCH_ROWS: usize = 1024;

type Choose<'a> = &'a dyn Fn(&[String]) -> Result<Roles, IoError>;
type Batches = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>>>;

/// An open Parquet file; columns without a part are not decoded.
pub(crate) struct ParquetFile {
    file: PathBuf,
    batches: ParquetRecordBatchReader,
    /// The columns in a batch, in the order of the file.
    used: Vec<usize>,
    /// Rows of the whole file, as it says itself.
    pub(crate) n_rows: usize,
}

impl ParquetFile {
    /// Opens a file; the rows that come with it are none yet.
    pub(crate) fn open<T: Real>(file: &Path, choose: Choose) -> Result<(Self, Rows<T>), IoError> {
        let content = open(file)?;
        let builder =
            decode(file, "Parquet", || ParquetRecordBatchReaderBuilder::try_new(content))?;
        let rows = begin(file, builder.schema(), choose)?;
        let n_rows = usize::try_from(builder.metadata().file_metadata().num_rows()).unwrap_or(0);
        let used = rows.roles.used();
        let mask = ProjectionMask::roots(builder.parquet_schema(), used.iter().copied());
        let builder = builder.with_projection(mask).with_batch_size(BATCH_ROWS);
        let batches = decode(file, "Parquet", || builder.build())?;
        Ok((Self { file: file.to_owned(), batches, used, n_rows }, rows))
    }

    /// Adds the next batch to the rows; whether there was one.
    pub(crate) fn append_to<T: Real>(&mut self, rows: &mut Rows<T>) -> Result<bool, IoError> {
        let Self { file, batches, used, .. } = self;
        let Some(batch) = decode(file, "Parquet", || batches.next().transpose())? else {
            return Ok(false);
        };
        append(file, rows, &batch, |column| used.partition_point(|&at| at < column))?;
        Ok(true)
    }
}

/// Reads a Parquet file.
pub(crate) fn read_parquet<T: Real>(file: &Path, choose: Choose) -> Result<Rows<T>, IoError> {
    let (mut content, mut rows) = ParquetFile::open(file, choose)?;
    while content.append_to(&mut rows)? {}
    Ok(rows)
}

/// Reads an Arrow IPC file (Feather version 2) or stream.
pub(crate) fn read_arrow<T: Real>(file: &Path, choose: Choose) -> Result<Rows<T>, IoError> {
    let mut content = BufReader::new(open(file)?);
    let mut start = Vec::new();
    content
        .by_ref()
        .take(6)
        .read_to_end(&mut start)
        .and_then(|_| content.rewind())
        .map_err(|error| IoError::reading(file, error))?;
    let (schema, mut batches) = decode(file, "Arrow", || {
        if start == b"ARROW1" {
            let reader = FileReader::try_new(content, None)?;
            Ok((reader.schema(), Box::new(reader) as Batches))
        } else if start.starts_with(&[0xff; 4]) {
            let reader = StreamReader::try_new(content, None)?;
            Ok((reader.schema(), Box::new(reader) as Batches))
        } else {
            Err(ArrowError::IpcError("it does not begin like one".into()))
        }
    })?;
    let mut rows = begin(file, &schema, choose)?;
    while let Some(batch) = decode(file, "Arrow", || batches.next().transpose())? {
        append(file, &mut rows, &batch, |column| column)?;
    }
    Ok(rows)
}

/// Runs a step of a decoder; what it refuses is a damaged file.
///
/// The decoders check what they read, but not all of it: some scrambled files make them panic, and
/// a bad file must not take the program down.
fn decode<R, E: Display>(
    file: &Path,
    format: &'static str,
    step: impl FnOnce() -> Result<R, E>,
) -> Result<R, IoError> {
    let reason = match catch_unwind(AssertUnwindSafe(step)) {
        Ok(Ok(decoded)) => return Ok(decoded),
        // Decoders may show bytes of the file: the message must stay one line.
        Ok(Err(error)) => error.to_string().split_whitespace().collect::<Vec<_>>().join(" "),
        Err(_) => "its parts do not fit together".to_owned(),
    };
    Err(IoError::new(file, Problem::Damaged { format, reason }))
}

/// Chooses the columns and checks the types of those that must be numbers.
fn begin<T: Real>(file: &Path, schema: &Schema, choose: Choose) -> Result<Rows<T>, IoError> {
    let names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
    let roles = choose(&names)?;
    let is_number = |column: &usize| is_number(schema.field(*column).data_type());
    if !roles.features.is_empty() && !roles.features.iter().any(is_number) {
        return Err(no_numeric_column(file, &names));
    }
    let must_be_numbers = roles.features.iter().chain(&roles.weight);
    if let Some(&column) = must_be_numbers.into_iter().find(|column| !is_number(column)) {
        let problem = Problem::ColumnType {
            found: schema.field(column).data_type().to_string(),
            accepted: "numbers are floats of 32 or 64 bits and whole numbers; convert the column, \
                       let other columns be the features, or this one the label or the id",
        };
        return Err(IoError::new(file, problem).column(&names[column]));
    }
    Ok(Rows::new(names, roles))
}

/// Adds a batch to the rows; `place` gives the position in the batch of a column of the file.
fn append<T: Real>(
    file: &Path,
    rows: &mut Rows<T>,
    batch: &RecordBatch,
    place: impl Fn(usize) -> usize,
) -> Result<(), IoError> {
    let Rows { names, roles, n_rows, values, ids, labels, weights, lines } = rows;
    let missing = |row: usize, column: usize, problem: Problem| {
        IoError::new(file, problem).at(lines.at(*n_rows + row)).column(&names[column])
    };
    let n_features = roles.features.len();
    let start = values.len();
    values.resize(start + batch.num_rows() * n_features, T::zero());
    for (feature, &column) in roles.features.iter().enumerate() {
        let target = values[start..].iter_mut().skip(feature).step_by(n_features);
        fill(batch.column(place(column)), target)
            .map_err(|(row, problem)| missing(row, column, problem))?;
    }
    if let Some(column) = roles.weight {
        let start = weights.len();
        weights.resize(start + batch.num_rows(), T::zero());
        fill(batch.column(place(column)), weights[start..].iter_mut())
            .map_err(|(row, problem)| missing(row, column, problem))?;
    }
    let texts = |column: usize| {
        let array = batch.column(place(column));
        texts(array).ok_or_else(|| {
            let found = array.data_type().to_string();
            let accepted = "labels and ids are texts or numbers; convert the column";
            IoError::new(file, Problem::ColumnType { found, accepted }).column(&names[column])
        })
    };
    if let Some(column) = roles.label {
        texts(column)?.iter().for_each(|text| labels.push(text));
    }
    if let Some(column) = roles.id {
        ids.extend(texts(column)?);
    }
    *n_rows += batch.num_rows();
    Ok(())
}

fn is_number(data_type: &DataType) -> bool {
    data_type.is_integer() || matches!(data_type, DataType::Float32 | DataType::Float64)
}

/// Converts a column of numbers; an error comes with its row in the batch.
fn fill<'a, T: Real>(
    array: &dyn Array,
    target: impl Iterator<Item = &'a mut T>,
) -> Result<(), (usize, Problem)> {
    match array.data_type() {
        DataType::Float32 => fill_from::<Float32Type, T>(array, target),
        DataType::Float64 => fill_from::<Float64Type, T>(array, target),
        DataType::Int8 => fill_from::<Int8Type, T>(array, target),
        DataType::Int16 => fill_from::<Int16Type, T>(array, target),
        DataType::Int32 => fill_from::<Int32Type, T>(array, target),
        DataType::Int64 => fill_from::<Int64Type, T>(array, target),
        DataType::UInt8 => fill_from::<UInt8Type, T>(array, target),
        DataType::UInt16 => fill_from::<UInt16Type, T>(array, target),
        DataType::UInt32 => fill_from::<UInt32Type, T>(array, target),
        _ => fill_from::<UInt64Type, T>(array, target),
    }
}

fn fill_from<'a, P, T: Real>(
    array: &dyn Array,
    target: impl Iterator<Item = &'a mut T>,
) -> Result<(), (usize, Problem)>
where
    P: ArrowPrimitiveType<Native: ToPrimitive + Display>,
{
    let numbers = array.as_primitive::<P>();
    for (row, (&number, target)) in numbers.values().iter().zip(target).enumerate() {
        if numbers.is_null(row) {
            return Err((row, Problem::NoValue));
        }
        *target = number::convert(number).map_err(|problem| (row, problem))?;
    }
    Ok(())
}

/// A column as texts, empty where null (or NaN, which stands for null among floats).
fn texts(array: &dyn Array) -> Option<Vec<String>> {
    match array.data_type() {
        DataType::Utf8 => Some(texts_from(array.as_string::<i32>())),
        DataType::LargeUtf8 => Some(texts_from(array.as_string::<i64>())),
        DataType::Utf8View => Some(texts_from(array.as_string_view())),
        DataType::Boolean => Some(texts_from(array.as_boolean())),
        DataType::Float32 => Some(texts_from(array.as_primitive::<Float32Type>())),
        DataType::Float64 => Some(texts_from(array.as_primitive::<Float64Type>())),
        DataType::Int8 => Some(texts_from(array.as_primitive::<Int8Type>())),
        DataType::Int16 => Some(texts_from(array.as_primitive::<Int16Type>())),
        DataType::Int32 => Some(texts_from(array.as_primitive::<Int32Type>())),
        DataType::Int64 => Some(texts_from(array.as_primitive::<Int64Type>())),
        DataType::UInt8 => Some(texts_from(array.as_primitive::<UInt8Type>())),
        DataType::UInt16 => Some(texts_from(array.as_primitive::<UInt16Type>())),
        DataType::UInt32 => Some(texts_from(array.as_primitive::<UInt32Type>())),
        DataType::UInt64 => Some(texts_from(array.as_primitive::<UInt64Type>())),
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary_opt()?;
            let words = texts(dictionary.values())?;
            if words.is_empty() {
                return Some(vec![String::new(); array.len()]);
            }
            let keys = dictionary.normalized_keys().into_iter().enumerate();
            let word = |(row, key): (usize, usize)| match array.is_null(row) {
                true => String::new(),
                false => words[key].clone(),
            };
            Some(keys.map(word).collect())
        }
        _ => None,
    }
}

fn texts_from<V: Display>(values: impl IntoIterator<Item = Option<V>>) -> Vec<String> {
    let text = |value: Option<V>| value.map_or(String::new(), |value| number::text_of(&value));
    values.into_iter().map(text).collect()
}
