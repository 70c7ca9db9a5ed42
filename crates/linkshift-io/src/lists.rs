//! Columns that hold a list of numbers in each row, as tools that make embeddings write them.

use crate::columnar;
use crate::error::{IntakeProblem, Problem};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use linkshift::Real;
use std::ops::Range;

/// The length that a type promises; 0 if it promises none.
pub(crate) fn fixed_length(data_type: &DataType) -> usize {
    match data_type {
        DataType::FixedSizeList(_, length) => usize::try_from(*length).unwrap_or(0),
        _ => 0,
    }
}

/// The length of the first list of a batch.
pub(crate) fn first_length(array: &dyn Array) -> Result<usize, IntakeProblem> {
    let (_, range) = list(array, 0).ok_or(IntakeProblem::NoList)?;
    if range.is_empty() { Err(IntakeProblem::NoList) } else { Ok(range.len()) }
}

/// Puts the lists of a batch into rows of `stride` values, each from `start` on; an error comes with
/// its row in the batch.
pub(crate) fn fill<T: Real>(
    array: &dyn Array,
    values: &mut [T],
    start: usize,
    stride: usize,
    length: usize,
) -> Result<(), (usize, Problem)> {
    for (row, line) in values.chunks_exact_mut(stride).enumerate() {
        let target = &mut line[start..][..length];
        let no_list = || (row, IntakeProblem::NoList.into());
        let (numbers, range) = list(array, row).ok_or_else(no_list)?;
        if range.len() != length {
            let problem = IntakeProblem::RaggedList { expected: length, found: range.len() };
            return Err((row, problem.into()));
        }
        let numbers = numbers.slice(range.start, range.len());
        columnar::fill(&numbers, target.iter_mut()).map_err(|(_, problem)| (row, problem))?;
        if target.iter().any(|value| value.is_nan()) {
            return Err(no_list());
        }
    }
    Ok(())
}

/// The numbers of all lists, and where those of one row are; none if the list is missing.
fn list(array: &dyn Array, row: usize) -> Option<(&ArrayRef, Range<usize>)> {
    if array.is_null(row) {
        return None;
    }
    match array.data_type() {
        DataType::List(_) => {
            let lists = array.as_list::<i32>();
            let ends = lists.value_offsets();
            Some((lists.values(), ends[row] as usize..ends[row + 1] as usize))
        }
        DataType::LargeList(_) => {
            let lists = array.as_list::<i64>();
            let ends = lists.value_offsets();
            Some((lists.values(), ends[row] as usize..ends[row + 1] as usize))
        }
        DataType::FixedSizeList(..) => {
            let lists = array.as_fixed_size_list();
            let length = lists.value_length() as usize;
            let start = lists.value_offset_at(row);
            Some((lists.values(), start..start + length))
        }
        _ => None,
    }
}
