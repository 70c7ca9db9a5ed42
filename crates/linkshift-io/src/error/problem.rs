//! What can be wrong with a file, and how to mend it.

use super::{At, IntakeProblem, SystemError};
use crate::format::{Format, endings};
use linkshift::params::Named;
use thiserror::Error as ThisError;

/// What is wrong with a file.
///
/// Texts taken from the file are already shortened.
#[derive(Debug, Clone, PartialEq, ThisError)]
#[non_exhaustive]
pub enum Problem {
    /// There is no such file.
    #[error("there is no such file: check the path")]
    NotFound,
    /// The operating system refused to read.
    #[error("it cannot be read: {reason}")]
    Read {
        /// What the operating system says.
        reason: SystemError,
    },
    /// The operating system refused to write.
    #[error(
        "it cannot be written ({reason}): check that the folder exists, may be written to and has space left"
    )]
    Write {
        /// What the operating system says.
        reason: SystemError,
    },
    /// What is to be written is also read.
    #[error("it is also the input: give the output another name")]
    IsInput,
    /// The extension says nothing about the format.
    #[error("the format is not known from the name: let it end in one of {}", endings(Format::ALL))]
    UnknownFormat,
    /// What is to be read in chunks, more than once, cannot be.
    #[error("it cannot be read in parts, more than once: give it as .parquet, .arrow or .csv")]
    NotInChunks,
    /// The format cannot hold what is to be written.
    #[error("{} files cannot hold {what}: let the name end in one of {}", format.title(), endings(accepted))]
    CannotHold {
        /// The format that was asked for.
        format: Format,
        /// What it cannot hold.
        what: &'static str,
        /// The formats that would do.
        accepted: &'static [Format],
    },
    /// Two of the things to be written beside each other differ in length.
    #[error("there are {found} {what} for {expected} rows: give one per row")]
    Count {
        /// What there are too many or too few of.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many rows there are.
        expected: usize,
    },
    /// The file has no content at all.
    #[error("it is empty: give a table with at least one row")]
    Empty,
    /// The file names columns but has no rows.
    #[error("there are columns but no rows: give at least one row of numbers")]
    NoRows,
    /// The folder holds no file.
    #[error("this folder holds no file: name one of PNG or JPEG pictures")]
    NoFiles,
    /// The bytes are not what the format demands, or end too early.
    #[error(
        "it is not a complete {format} file ({reason}): it may be cut off; write or fetch it again"
    )]
    Damaged {
        /// The format the file claims to have.
        format: &'static str,
        /// The decoder's words.
        reason: String,
    },
    /// Not a model file at all.
    #[error("it is not a linkshift model: name the file that a fitted model was saved to")]
    NotAModel,
    /// A model file of a later format.
    #[error(
        "it is a model of format {found}, made by a newer linkshift; this one reads format {known} and older: update linkshift"
    )]
    ModelVersion {
        /// The format of the file.
        found: u32,
        /// The newest format that is known here.
        known: u32,
    },
    /// A field that is no date in a column of dates.
    #[error(
        "{text:?} is not a date: write it as 2026-12-31, or 2026-12-31T23:59:59, with or without a zone"
    )]
    NotADate {
        /// What is there.
        text: String,
    },
    /// A model file whose bytes are not what was written.
    #[error("the model is damaged ({reason}): copy it again from where it came, or fit it again")]
    ModelDamaged {
        /// What shows it.
        reason: String,
    },
    /// A table that takes more memory than it may.
    #[error("the table takes more memory than it may: allow more, or take fewer rows or columns")]
    NoRoom,
    /// A model with more names than a file can hold.
    #[error("the names of its rows exceed 4 GB: fit without an id column")]
    ModelTooLarge,
    /// A row has more or fewer fields than the first one.
    #[error(
        "the row has {found} fields but {expected} are expected: add or remove fields, or check the delimiter"
    )]
    Ragged {
        /// Fields of the first row.
        expected: usize,
        /// Fields of this row.
        found: usize,
    },
    /// Text where a number should be.
    #[error(
        "{} is not a number: mend it, or let other columns be the features, or this one the label or the id",
        quoted(text)
    )]
    NotANumber {
        /// The text.
        text: String,
    },
    /// NaN or an infinity.
    #[error("{text} is not a finite number: drop the row or fill in a number")]
    NotFinite {
        /// The text.
        text: String,
    },
    /// A number beyond the range of the number type, or whose distances would be.
    #[error(
        "{text} is too large to compute distances in {dtype}: scale the column or use a wider type"
    )]
    TooLarge {
        /// The number.
        text: String,
        /// `f32` or `f64`.
        dtype: &'static str,
    },
    /// An empty field or a null.
    #[error("the value is missing: drop the row or fill it in")]
    NoValue,
    /// What a column holds cannot become numbers of points as it is.
    #[error(transparent)]
    Intake(#[from] IntakeProblem),
    /// Bytes that are not text.
    #[error("the field is not UTF-8 text: save the file as UTF-8")]
    NotUtf8,
    /// A column was asked for that the file does not have.
    #[error("there is no column {}{}; there {}", quoted(name), did_you_mean(near), listed(known))]
    UnknownColumn {
        /// The name that was asked for.
        name: String,
        /// The most similar name that exists.
        near: Option<String>,
        /// The names that exist.
        known: Vec<String>,
    },
    /// A column was chosen twice.
    #[error("the column {} is chosen twice: name it once", quoted(name))]
    ChosenTwice {
        /// The column.
        name: String,
    },
    /// Two columns of the file have the chosen name.
    #[error("two columns are named {}: rename one of them", quoted(name))]
    NamedTwice {
        /// The name.
        name: String,
    },
    /// One column is needed and several are there.
    #[error("which column is meant? Name one; there {}", listed(known))]
    WhichColumn {
        /// The names that exist.
        known: Vec<String>,
    },
    /// Nothing is left to cluster by.
    #[error("there is no numeric column: points need at least one; there {}", listed(known))]
    NoNumericColumn {
        /// The names that exist.
        known: Vec<String>,
    },
    /// A column whose type is not a number (or, for labels and ids, not text either).
    #[error("columns of type {found} cannot be used here: {accepted}")]
    ColumnType {
        /// The type in the file.
        found: String,
        /// What can be used.
        accepted: &'static str,
    },
    /// An NPY file of a type that is not a plain number.
    #[error(
        "arrays of type {found} cannot be read: convert to one of f4, f8, i1, i2, i4, i8, u1, u2, u4, u8 (either endianness)"
    )]
    NpyType {
        /// The type in the file.
        found: String,
    },
    /// An NPY file that is not a matrix.
    #[error("the array has shape {shape:?}: give rows × columns, or one column")]
    NpyShape {
        /// The shape in the file.
        shape: Vec<u64>,
    },
    /// Two rows have the same id.
    #[error("the id {} is already that of {first}: ids must differ", quoted(id))]
    DuplicateId {
        /// The id.
        id: String,
        /// Where it stands first.
        first: At,
    },
    /// A weight that is negative, or all weights are zero.
    #[error("the weight is {value}: weights are finite, not negative, and not all zero")]
    Weight {
        /// The weight.
        value: f64,
    },
    /// The points are not usable for another reason.
    #[error(transparent)]
    Points(#[from] linkshift::Error),
    /// A link's kind is neither must nor cannot.
    #[error("{} is not a kind of link: write must or cannot (or 1, -1)", quoted(text))]
    UnknownKind {
        /// The text.
        text: String,
    },
    /// A file that answers should be added to is something else.
    #[error("it does not begin with the line a,b,kind of an answers file: name another file")]
    NotAnswers,
    /// A quote is opened and never closed: what is added would become a part of it.
    #[error("line {line} opens a quote that nothing closes: close it, or remove the line")]
    OpenQuote {
        /// The line, counted from 1.
        line: usize,
    },
    /// Answers cannot be added to a file of this name.
    #[error("answers are added line by line, to plain text: let the name end in .csv or .txt")]
    AnswersName,
    /// A link is short of a field.
    #[error("the link has no {field}: write a,b,kind or a,b,kind,confidence")]
    LinkField {
        /// The field.
        field: &'static str,
    },
    /// A links file has a column that is not known.
    #[error(
        "links have no field {}{}: they have a, b, kind and confidence",
        quoted(name),
        did_you_mean(near)
    )]
    UnknownLinkField {
        /// The name in the file.
        name: String,
        /// The field that may have been meant.
        near: Option<String>,
    },
    /// An end of a link is no row number, and there are no ids.
    #[error(
        "{} is not a row number: rows count from 0; to link by id, name the table's id column",
        quoted(text)
    )]
    NotARow {
        /// The text.
        text: String,
    },
    /// A link names a row that does not exist.
    #[error("there is no row {row}: there are {n_points} points, rows 0 to {}", n_points.saturating_sub(1))]
    OutOfRange {
        /// The row.
        row: usize,
        /// How many points there are.
        n_points: usize,
    },
    /// A link names an id that does not exist.
    #[error(
        "no point has the id {}{}: use an id of the table's id column",
        quoted(id),
        did_you_mean(near)
    )]
    UnknownId {
        /// The id.
        id: String,
        /// The most similar id that exists.
        near: Option<String>,
    },
    /// Both ends of a link are the same point.
    #[error("the link joins {} to itself: remove it", quoted(end))]
    SelfLink {
        /// The point.
        end: String,
    },
    /// A confidence is not in (0, 1].
    #[error("the confidence is {}: it must be above 0 and at most 1", quoted(text))]
    Confidence {
        /// The text.
        text: String,
    },
}

/// The text on one line in quotes, cut to a length that an error message can bear.
pub(crate) fn quoted(text: &str) -> String {
    format!("{:?}", shorten(text))
}

pub(crate) fn shorten(text: &str) -> String {
    const MOST: usize = 40;
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    text.chars().take(MOST).chain(['…']).collect()
}

fn did_you_mean(near: &Option<String>) -> String {
    near.as_ref().map_or(String::new(), |near| format!(" (did you mean {}?)", quoted(near)))
}

/// `is 1: "x"`, `are 3: "x", "y", "z"`, or the first dozen and how many more.
pub(super) fn listed(names: &[String]) -> String {
    let verb = if names.len() == 1 { "is" } else { "are" };
    format!("{verb} {}: {}", names.len(), first_of(names))
}

/// `"x", "y", "z"`, or the first dozen and how many more.
pub(super) fn first_of(names: &[String]) -> String {
    const MOST: usize = 12;
    let shown: Vec<String> = names.iter().take(MOST).map(|name| quoted(name)).collect();
    let more = match names.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", shown.join(", "))
}
