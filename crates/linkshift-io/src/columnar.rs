//! Parquet and Arrow files: typed columns, read batch by batch.

use crate::bounded::{Bounded, arrow_fits};
use crate::columns::{Choose, TypeOf, no_numeric_column};
use crate::error::{IoError, Problem, shorten};
use crate::format::open;
use crate::gathered::Holds;
use crate::guard::guarded;
use crate::recipe::DateUnit;
use crate::table::{ReadOptions, Rows};
use crate::{dates, lists, number};
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
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
use std::path::{Path, PathBuf};

/// Rows decoded at a time: enough to be quick, few enough for tables of a thousand columns.
const BATCH_ROWS: usize = 1024;

type Batches = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>>>;

/// An open Parquet file; columns without a part are not decoded.
pub(crate) struct ParquetFile {
    file: PathBuf,
    batches: ParquetRecordBatchReader,
    /// The columns in a batch, in the order of the file.
    used: Vec<usize>,
    /// Rows of the whole file, as it says itself.
    pub(crate) n_rows: usize,
    /// A batch that was read to see how long its lists are.
    pending: Option<RecordBatch>,
}

impl ParquetFile {
    /// Opens a file; the rows that come with it are none yet.
    pub(crate) fn open<T: Real>(
        file: &Path,
        options: &ReadOptions,
        choose: Choose,
    ) -> Result<(Self, Rows<T>), IoError> {
        let content = open(file)?;
        let n_bytes = content.metadata().map_or(0, |metadata| metadata.len());
        let builder =
            decode(file, "Parquet", || ParquetRecordBatchReaderBuilder::try_new(Bounded(content)))?;
        let mut rows = begin(file, builder.schema(), options, choose)?;
        let n_rows = usize::try_from(builder.metadata().file_metadata().num_rows()).unwrap_or(0);
        let used = rows.roles.used();
        let mask = ProjectionMask::roots(builder.parquet_schema(), used.iter().copied());
        let builder = builder.with_projection(mask).with_batch_size(BATCH_ROWS);
        let mut batches = decode(file, "Parquet", || builder.build())?;
        let mut pending = None;
        if rows.columns.iter().any(|column| column.width == 0) {
            pending = decode(file, "Parquet", || batches.next().transpose())?;
            if let Some(batch) = &pending {
                measure(file, &mut rows, batch, |column| used.partition_point(|&at| at < column))?;
            }
        }
        // What the file says of itself is believed as far as its size bears it out.
        let n_values = n_rows.saturating_mul(rows.stride());
        if (n_values as u64).saturating_mul(size_of::<T>() as u64) <= n_bytes.saturating_mul(16) {
            rows.values.reserve_exact(n_values);
        }
        Ok((Self { file: file.to_owned(), batches, used, n_rows, pending }, rows))
    }

    /// Adds the next batch to the rows; whether there was one.
    pub(crate) fn append_to<T: Real>(&mut self, rows: &mut Rows<T>) -> Result<bool, IoError> {
        let Self { file, batches, used, pending, .. } = self;
        let next = match pending.take() {
            Some(batch) => Some(batch),
            None => decode(file, "Parquet", || batches.next().transpose())?,
        };
        let Some(batch) = next else { return Ok(false) };
        append(file, rows, &batch, |column| used.partition_point(|&at| at < column))?;
        Ok(true)
    }
}

/// Reads a Parquet file.
pub(crate) fn read_parquet<T: Real>(
    file: &Path,
    options: &ReadOptions,
    choose: Choose,
) -> Result<Rows<T>, IoError> {
    let (mut content, mut rows) = ParquetFile::open(file, options, choose)?;
    while content.append_to(&mut rows)? {}
    Ok(rows)
}

/// An open Arrow IPC file (Feather version 2) or stream.
pub(crate) struct ArrowFile {
    file: PathBuf,
    batches: Batches,
}

impl ArrowFile {
    /// Opens a file; the rows that come with it are none yet.
    pub(crate) fn open<T: Real>(
        file: &Path,
        options: &ReadOptions,
        choose: Choose,
    ) -> Result<(Self, Rows<T>), IoError> {
        let mut content = BufReader::new(open(file)?);
        let mut start = Vec::new();
        content
            .by_ref()
            .take(6)
            .read_to_end(&mut start)
            .and_then(|_| content.rewind())
            .map_err(|error| IoError::reading(file, error))?;
        let (schema, batches) = decode(file, "Arrow", || {
            if start == b"ARROW1" {
                if !arrow_fits(&mut content)? {
                    return Err(ArrowError::IpcError("its parts lie beyond its end".into()));
                }
                content.rewind()?;
                let reader = FileReader::try_new(content, None)?;
                Ok((reader.schema(), Box::new(reader) as Batches))
            } else if start.starts_with(&[0xff; 4]) {
                let reader = StreamReader::try_new(content, None)?;
                Ok((reader.schema(), Box::new(reader) as Batches))
            } else {
                Err(ArrowError::IpcError("it does not begin like one".into()))
            }
        })?;
        let rows = begin(file, &schema, options, choose)?;
        Ok((Self { file: file.to_owned(), batches }, rows))
    }

    /// Adds the next batch to the rows; whether there was one.
    pub(crate) fn append_to<T: Real>(&mut self, rows: &mut Rows<T>) -> Result<bool, IoError> {
        let Self { file, batches } = self;
        let next = decode(file, "Arrow", || batches.next().transpose())?;
        let Some(batch) = next else { return Ok(false) };
        measure(file, rows, &batch, |column| column)?;
        append(file, rows, &batch, |column| column)?;
        Ok(true)
    }
}

/// Reads an Arrow IPC file or stream.
pub(crate) fn read_arrow<T: Real>(
    file: &Path,
    options: &ReadOptions,
    choose: Choose,
) -> Result<Rows<T>, IoError> {
    let (mut content, mut rows) = ArrowFile::open(file, options, choose)?;
    while content.append_to(&mut rows)? {}
    Ok(rows)
}

/// Runs a step of a decoder; what it refuses, or trips over, is a damaged file.
fn decode<R, E: Display>(
    file: &Path,
    format: &'static str,
    step: impl FnOnce() -> Result<R, E>,
) -> Result<R, IoError> {
    let reason = match guarded(step) {
        Some(Ok(decoded)) => return Ok(decoded),
        // Decoders may show bytes of the file: the message must stay one line.
        Some(Err(error)) => error.to_string().split_whitespace().collect::<Vec<_>>().join(" "),
        None => "its parts do not fit together".to_owned(),
    };
    Err(IoError::new(file, Problem::Damaged { format, reason }))
}

/// Chooses the columns and checks the types of those that must be numbers.
fn begin<T: Real>(
    file: &Path,
    schema: &Schema,
    options: &ReadOptions,
    choose: Choose,
) -> Result<Rows<T>, IoError> {
    let names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
    let types: Vec<TypeOf> =
        schema.fields().iter().map(|field| type_of(field.data_type())).collect();
    let roles = choose(&names, Some(&types))?;
    let mut columns = roles.gathered(options);
    for (column, &at) in columns.iter_mut().zip(&roles.features) {
        let data_type = schema.field(at).data_type();
        match types[at] {
            TypeOf::Number if column.holds == Holds::Nothing => column.holds = Holds::Numbers,
            TypeOf::Date if column.dates.is_some() && column.holds == Holds::Nothing => {
                column.holds = Holds::Dates;
            }
            TypeOf::List if matches!(column.holds, Holds::Nothing | Holds::List) => {
                column.holds = Holds::List;
                if options.recipe.is_none() {
                    column.width = lists::fixed_length(data_type);
                }
            }
            _ => {}
        }
    }
    let is_fitting = |(feature, at): (usize, &usize)| match columns[feature].holds {
        Holds::List => types[*at] == TypeOf::List,
        Holds::Numbers => types[*at] == TypeOf::Number,
        Holds::Texts => matches!(types[*at], TypeOf::Text | TypeOf::Number),
        Holds::Dates => matches!(types[*at], TypeOf::Date | TypeOf::Text),
        Holds::Nothing => {
            types[*at] == TypeOf::Text
                && (columns[feature].allows_texts
                    || columns[feature].dates.is_some()
                    || schema.field(*at).data_type() == &DataType::Boolean)
        }
    };
    let fits: Vec<bool> = roles.features.iter().enumerate().map(is_fitting).collect();
    if !fits.is_empty() && !fits.contains(&true) {
        return Err(no_numeric_column(file, &names));
    }
    let unfit = roles.features.iter().zip(&fits).find(|(_, fits)| !**fits).map(|(at, _)| at);
    let weight = roles.weight.as_ref().filter(|at| types[**at] != TypeOf::Number);
    if let Some(&column) = unfit.or(weight) {
        let problem = Problem::ColumnType {
            found: schema.field(column).data_type().to_string(),
            accepted: "numbers are floats, whole numbers, truths, lists of numbers, or dates if asked \
                       for; convert the column, let other columns be the features, or this one the label or the id",
        };
        return Err(IoError::new(file, problem).column(&names[column]));
    }
    Ok(Rows::new(names, roles, columns).within(options.most_bytes))
}

/// Sees how long the lists of each column are, where that is not known.
fn measure<T: Real>(
    file: &Path,
    rows: &mut Rows<T>,
    batch: &RecordBatch,
    place: impl Fn(usize) -> usize,
) -> Result<(), IoError> {
    for (gathered, &column) in rows.columns.iter_mut().zip(&rows.roles.features) {
        if gathered.width == 0 && batch.num_rows() > 0 {
            gathered.width =
                lists::first_length(batch.column(place(column))).map_err(|problem| {
                    IoError::new(file, problem)
                        .at(rows.lines.at(rows.n_rows))
                        .column(&rows.names[column])
                })?;
        }
    }
    Ok(())
}

/// Adds a batch to the rows; `place` gives the position in the batch of a column of the file.
fn append<T: Real>(
    file: &Path,
    rows: &mut Rows<T>,
    batch: &RecordBatch,
    place: impl Fn(usize) -> usize,
) -> Result<(), IoError> {
    let stride = rows.stride();
    let bytes_of = |column: usize| batch.column(place(column)).get_array_memory_size();
    let text_bytes = rows.roles.texts().map(bytes_of).sum();
    let room = rows.make_room(batch.num_rows(), text_bytes);
    room.map_err(|problem| IoError::new(file, problem))?;
    let Rows {
        names, roles, n_rows, columns, values, ids, labels, weights, contents, lines, ..
    } = rows;
    let missing = |row: usize, column: usize, problem: Problem| {
        IoError::new(file, problem).at(lines.at(*n_rows + row)).column(&names[column])
    };
    let texts = |column: usize| {
        let array = batch.column(place(column));
        texts(array).ok_or_else(|| {
            let found = array.data_type().to_string();
            let accepted = "labels, ids and texts are texts or numbers; convert the column";
            IoError::new(file, Problem::ColumnType { found, accepted }).column(&names[column])
        })
    };
    let begin = values.len();
    values.resize(begin + batch.num_rows() * stride, T::zero());
    let mut start = 0;
    for (gathered, &column) in columns.iter_mut().zip(&roles.features) {
        let array = batch.column(place(column));
        let target = &mut values[begin..];
        let placed = |(row, problem)| missing(row, column, problem);
        match gathered.holds {
            Holds::List => {
                lists::fill(array, target, start, stride, gathered.width).map_err(placed)?;
            }
            Holds::Numbers => {
                fill(array, target.iter_mut().skip(start).step_by(stride)).map_err(placed)?;
            }
            Holds::Dates if dates::is_date(array.data_type()) => {
                let unit = gathered.dates.unwrap_or(DateUnit::Days);
                let target = target.iter_mut().skip(start).step_by(stride);
                dates::fill(array, unit, target).map_err(placed)?;
            }
            Holds::Texts | Holds::Dates | Holds::Nothing => {
                let target = target.iter_mut().skip(start).step_by(stride);
                for (row, (target, text)) in target.zip(texts(column)?).enumerate() {
                    *target = match gathered.date(&text) {
                        Some(number) => T::of(number),
                        None if text.is_empty() => T::nan(),
                        None if gathered.takes(&text) => gathered.code(&text),
                        None if gathered.holds == Holds::Dates => {
                            let text = shorten(&text);
                            return Err(missing(row, column, Problem::NotADate { text }));
                        }
                        None => {
                            let text = shorten(&text);
                            return Err(missing(row, column, Problem::NotANumber { text }));
                        }
                    };
                }
            }
        }
        start += gathered.width;
    }
    if let Some(column) = roles.weight {
        let start = weights.len();
        weights.resize(start + batch.num_rows(), T::zero());
        fill(batch.column(place(column)), weights[start..].iter_mut())
            .map_err(|(row, problem)| missing(row, column, problem))?;
        if let Some(row) = weights[start..].iter().position(|weight| weight.is_nan()) {
            return Err(missing(row, column, Problem::NoValue));
        }
    }
    if let Some(column) = roles.label {
        texts(column)?.iter().for_each(|text| labels.push(text));
    }
    if let Some(column) = roles.id {
        ids.extend(texts(column)?);
    }
    if let Some(column) = roles.content {
        contents.extend(texts(column)?);
    }
    *n_rows += batch.num_rows();
    Ok(())
}

fn type_of(data_type: &DataType) -> TypeOf {
    match data_type {
        DataType::Float16 | DataType::Float32 | DataType::Float64 => TypeOf::Number,
        data_type if data_type.is_integer() => TypeOf::Number,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Boolean => {
            TypeOf::Text
        }
        data_type if dates::is_date(data_type) => TypeOf::Date,
        DataType::Dictionary(_, values) if type_of(values) == TypeOf::Text => TypeOf::Text,
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _)
            if type_of(item.data_type()) == TypeOf::Number =>
        {
            TypeOf::List
        }
        _ => TypeOf::Other,
    }
}

/// Converts a column of numbers, NaN where there is none; an error comes with its row in the batch.
pub(crate) fn fill<'a, T: Real>(
    array: &dyn Array,
    target: impl Iterator<Item = &'a mut T>,
) -> Result<(), (usize, Problem)> {
    match array.data_type() {
        DataType::Float16 => fill_from::<Float16Type, T>(array, target),
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
        *target = match numbers.is_null(row) || number::is_gap(number) {
            true => T::nan(),
            false => number::convert(number).map_err(|problem| (row, problem))?,
        };
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
        DataType::Float16 => Some(texts_from(array.as_primitive::<Float16Type>())),
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
