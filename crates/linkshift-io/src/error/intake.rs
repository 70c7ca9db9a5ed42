//! What can be wrong with columns that hold gaps, texts or lists.

use super::problem::{first_of, listed};
use thiserror::Error as ThisError;

/// Why what a column holds cannot become numbers of points as it is.
#[derive(Debug, Clone, PartialEq, Eq, ThisError)]
#[non_exhaustive]
pub enum IntakeProblem {
    /// Numbers are missing, and nobody said what becomes of such rows.
    #[error(
        "the value is missing; {n_rows} row{} not whole, in the column{} {}: fill them in, or set missing to drop (leave such rows out) or median (put in the column's median)",
        if *n_rows == 1 { " is" } else { "s are" },
        if columns.len() == 1 { "" } else { "s" },
        first_of(columns)
    )]
    Missing {
        /// Rows in which a number is missing.
        n_rows: usize,
        /// The columns in which one is.
        columns: Vec<String>,
    },
    /// A column whose missing numbers are to be filled in has none to take them from.
    #[error("the column has no number at all: let other columns be the features")]
    EmptyColumn,
    /// All rows were to be dropped.
    #[error(
        "every one of its {n_rows} rows lacks a number, so none is left: fill them in, or set missing to median"
    )]
    NothingLeft {
        /// Rows of the file.
        n_rows: usize,
    },
    /// A column of texts of which hardly two are the same.
    #[error(
        "it holds {found} different texts, and categories may be {most} at the most: let other columns be the features"
    )]
    TooManyCategories {
        /// How many there are.
        found: usize,
        /// How many there may be.
        most: usize,
    },
    /// A list of another length than the ones before.
    #[error("the list has {found} numbers but {expected} are expected: all must be equally long")]
    RaggedList {
        /// Numbers of the first list.
        expected: usize,
        /// Numbers of this one.
        found: usize,
    },
    /// A missing list, or one in which a number is missing.
    #[error("the list is missing, or a number in it: drop the row or fill it in")]
    NoList,
    /// Several columns of lists, and none was chosen.
    #[error("which column of lists is meant? Name one or more; there {}", listed(known))]
    WhichList {
        /// The columns that hold lists.
        known: Vec<String>,
    },
    /// A column of lists is expected, and the file has no types.
    #[error(
        "the column held a list in each row when the model was fitted, which text files cannot: give a .parquet or .arrow file"
    )]
    NoLists,
    /// What needs the whole file, from a file that is read in chunks.
    #[error(
        "medians and categories are not known before the whole file is read, and this one is read in chunks: let missing be error or drop, and categories skip or error"
    )]
    NotInChunks,
}
