//! One NumPy array: a matrix of numbers, or one column of them.

use crate::columns::{Roles, numbered};
use crate::error::{At, IoError, Problem};
use crate::format::open;
use crate::number;
use crate::table::Rows;
use linkshift::Real;
use npyz::{DType, Deserialize, NpyFile, Order, TypeChar};
use num_traits::ToPrimitive;
use std::fmt::Display;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

type Npy = NpyFile<BufReader<File>>;

/// Reads a whole array; its columns are named `f0`, `f1`, ….
pub(crate) fn read<T: Real>(
    file: &Path,
    choose: &dyn Fn(&[String]) -> Result<Roles, IoError>,
) -> Result<Rows<T>, IoError> {
    let content = open(file)?;
    let length = content.metadata().map_err(|error| IoError::reading(file, &error))?.len();
    if length == 0 {
        return Err(IoError::new(file, Problem::Empty));
    }
    let npy = NpyFile::new(BufReader::new(content)).map_err(|error| damaged(file, &error))?;
    let unusable = || IoError::new(file, Problem::NpyType { found: npy.dtype().descr() });
    let DType::Plain(number_type) = npy.dtype() else { return Err(unusable()) };
    let shape = npy.shape().to_vec();
    let (n_rows, n_columns) = match shape[..] {
        [n_rows] => (n_rows, 1),
        [n_rows, n_columns] => (n_rows, n_columns),
        _ => return Err(IoError::new(file, Problem::NpyShape { shape })),
    };
    // Checked before any memory is taken: a damaged header can promise anything.
    let promised =
        n_rows.checked_mul(n_columns).and_then(|n| n.checked_mul(number_type.size_field()));
    if promised.is_none_or(|promised| promised > length) {
        let reason = format!("its header promises {n_rows} × {n_columns} numbers");
        return Err(IoError::new(file, Problem::Damaged { format: "NPY", reason }));
    }
    if n_rows == 0 || n_columns == 0 {
        return Err(IoError::new(file, Problem::NoRows));
    }
    let names = numbered(n_columns as usize);
    let roles = choose(&names)?;
    let rows = Rows::new(names, roles);
    let n_rows = n_rows as usize;
    match (number_type.type_char(), number_type.size_field()) {
        (TypeChar::Float, 4) => fill::<T, f32>(file, npy, n_rows, rows),
        (TypeChar::Float, 8) => fill::<T, f64>(file, npy, n_rows, rows),
        (TypeChar::Int, 1) => fill::<T, i8>(file, npy, n_rows, rows),
        (TypeChar::Int, 2) => fill::<T, i16>(file, npy, n_rows, rows),
        (TypeChar::Int, 4) => fill::<T, i32>(file, npy, n_rows, rows),
        (TypeChar::Int, 8) => fill::<T, i64>(file, npy, n_rows, rows),
        (TypeChar::Uint, 1) => fill::<T, u8>(file, npy, n_rows, rows),
        (TypeChar::Uint, 2) => fill::<T, u16>(file, npy, n_rows, rows),
        (TypeChar::Uint, 4) => fill::<T, u32>(file, npy, n_rows, rows),
        (TypeChar::Uint, 8) => fill::<T, u64>(file, npy, n_rows, rows),
        _ => Err(unusable()),
    }
}

/// Puts every number where its column belongs, whichever index runs faster in the file.
fn fill<T: Real, N: Deserialize + ToPrimitive + Display + Copy>(
    file: &Path,
    npy: Npy,
    n_rows: usize,
    mut rows: Rows<T>,
) -> Result<Rows<T>, IoError> {
    let n_columns = rows.names.len();
    let by_rows = npy.order() == Order::C;
    let n_features = rows.roles.features.len();
    let mut feature_of = vec![None; n_columns];
    for (feature, &column) in rows.roles.features.iter().enumerate() {
        feature_of[column] = Some(feature);
    }
    rows.values = vec![T::zero(); n_rows * n_features];
    rows.n_rows = n_rows;
    let numbers = npy.data::<N>().map_err(|error| damaged(file, &error))?;
    for (at, value) in numbers.enumerate() {
        let value = value.map_err(|error| damaged(file, &error))?;
        let (row, column) = match by_rows {
            true => (at / n_columns, at % n_columns),
            false => (at % n_rows, at / n_rows),
        };
        let converted = || {
            number::convert::<T, N>(value).map_err(|problem| {
                IoError::new(file, problem).at(At::Row(row)).column(&rows.names[column])
            })
        };
        if let Some(feature) = feature_of[column] {
            rows.values[row * n_features + feature] = converted()?;
        }
        if rows.roles.weight == Some(column) {
            rows.weights.push(converted()?);
        }
        if rows.roles.label == Some(column) {
            rows.labels.push(&number::text_of(&value));
        }
        if rows.roles.id == Some(column) {
            rows.ids.push(number::text_of(&value));
        }
    }
    Ok(rows)
}

fn damaged(file: &Path, error: &dyn Display) -> IoError {
    let reason = error.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
    IoError::new(file, Problem::Damaged { format: "NPY", reason })
}
