//! What can be wrong with texts and pictures, as fields.

use std::path::PathBuf;
use thiserror::Error as ThisError;

/// The result of anything in this crate that can fail.
pub type Result<T, E = FeatureError> = std::result::Result<T, E>;

/// What went wrong.
#[derive(Debug, Clone, PartialEq, ThisError)]
#[non_exhaustive]
pub enum FeatureError {
    /// A parameter, or the points that were made.
    #[error(transparent)]
    Core(#[from] linkshift::Error),
    /// A table that cannot be read.
    #[error(transparent)]
    Io(#[from] linkshift_io::IoError),
    /// Nothing in the texts can tell them apart or bring them together.
    #[error(
        "no word, and no piece of one, occurs in at least {least_rows} of the {n_texts} texts: give more or longer texts, or lower least_rows"
    )]
    NoTerms {
        /// How many texts were given.
        n_texts: usize,
        /// In how many of them a term must occur.
        least_rows: usize,
    },
    /// Parts of a recipe, as they came from elsewhere, that do not fit each other.
    #[error("the recipe is not whole ({part}): make it again from the first texts")]
    Recipe {
        /// The part.
        part: &'static str,
    },
    /// A picture that cannot be used.
    #[error("picture {} (row {row}, from 0): {problem}", path.display())]
    Picture {
        /// Its row, from 0.
        row: usize,
        /// Its file.
        path: PathBuf,
        /// What is wrong with it.
        problem: PictureProblem,
    },
    /// Not one picture can be used.
    #[error("none of the {n_pictures} pictures can be used; the first, {}: {problem}", path.display())]
    NoPictures {
        /// How many were given.
        n_pictures: usize,
        /// The first file.
        path: PathBuf,
        /// What is wrong with it.
        problem: PictureProblem,
    },
    /// There is not a single picture.
    #[error("there are no pictures: give at least one")]
    Empty,
}

/// What is wrong with a picture.
#[derive(Debug, Clone, PartialEq, Eq, ThisError)]
#[non_exhaustive]
pub enum PictureProblem {
    /// No file was named.
    #[error("no file is named: fill it in or drop the row")]
    NoName,
    /// There is no such file.
    #[error("there is no such file: check the path")]
    NotFound,
    /// The operating system refused to read.
    #[error("it cannot be read: {reason}")]
    Read {
        /// The operating system's words.
        reason: String,
    },
    /// A kind of file that is not read here.
    #[error("it is no PNG or JPEG picture: convert it to one of these")]
    UnknownFormat,
    /// The file ends early or its bytes make no picture.
    #[error("it is damaged ({reason}): write or fetch it again")]
    Damaged {
        /// The decoder's words.
        reason: String,
    },
    /// Too few pixels for a grid and for patterns of neighbours.
    #[error("it has {width} × {height} pixels: give at least 3 × 3")]
    TooSmall {
        /// Pixels in a row.
        width: usize,
        /// Rows of pixels.
        height: usize,
    },
    /// More pixels than any camera makes.
    #[error("it says to have {width} × {height} pixels: reduce it first")]
    TooLarge {
        /// Pixels in a row.
        width: usize,
        /// Rows of pixels.
        height: usize,
    },
}
