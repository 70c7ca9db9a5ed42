//! What can be wrong with a picture's input or its file.

use crate::Scatter;
use linkshift::Link;
use std::path::PathBuf;
use thiserror::Error;

/// More panels than this do not fit side by side.
pub(crate) const MOST_PANELS: usize = 6;

/// Coordinates beyond this overflow when distances between them are squared.
const LARGEST: f64 = 1e150;

/// Why a picture could not be made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PlotError {
    /// The file's extension names no format.
    #[error("{}: a picture's file name must end in .svg or .png", path.display())]
    Extension {
        /// The path that was given.
        path: PathBuf,
    },
    /// There are no panels, or too many.
    #[error("a picture of {found} panels cannot be drawn: give 1 to {MOST_PANELS}")]
    PanelCount {
        /// How many panels were given.
        found: usize,
    },
    /// The labels do not match the points.
    #[error("there are {found} labels for {expected} points: give one per point, or none at all")]
    LabelCount {
        /// How many labels were given.
        found: usize,
        /// How many points there are.
        expected: usize,
    },
    /// A link names a row that does not exist.
    #[error("link {link} cannot be drawn: there are only {n_points} points (rows count from 0)")]
    LinkOutOfRange {
        /// The link.
        link: Link,
        /// How many points there are.
        n_points: usize,
    },
    /// A point or mode has no place in the picture.
    #[error("{what} {row} is at {xy:?}: coordinates must be finite and below {LARGEST:e}")]
    Coordinate {
        /// `point` or `mode`.
        what: &'static str,
        /// Which of them, from 0.
        row: usize,
        /// Where it is.
        xy: [f64; 2],
    },
    /// The numbers of a matrix do not fill whole rows.
    #[error("{found} values do not fill rows of {n_columns}: give at least one whole row")]
    MatrixShape {
        /// How many values were given.
        found: usize,
        /// How many a row has.
        n_columns: usize,
    },
    /// A number of a matrix has no place on any scale.
    #[error("row {row}, column {column} of the matrix is {value}: its numbers must be finite")]
    Cell {
        /// Row of the number, from 0.
        row: usize,
        /// Column of the number, from 0.
        column: usize,
        /// The number.
        value: f64,
    },
    /// A series has not one number, or gap, for each place.
    #[error("a curve has {found} numbers for {expected} places: give one for each, or a gap")]
    CurveLength {
        /// How many numbers and gaps were given.
        found: usize,
        /// How many places there are.
        expected: usize,
    },
    /// The drawing library failed.
    #[error("the picture cannot be drawn: {reason}")]
    Draw {
        /// What the library says.
        reason: String,
    },
}

impl PlotError {
    /// A failure of the drawing library.
    pub(crate) fn draw(reason: impl ToString) -> Self {
        PlotError::Draw { reason: reason.to_string() }
    }
}

/// Fails on the first thing that cannot be drawn, so that nothing later has to check.
pub(crate) fn check(panels: &[Scatter<'_>]) -> Result<(), PlotError> {
    if panels.is_empty() || panels.len() > MOST_PANELS {
        return Err(PlotError::PanelCount { found: panels.len() });
    }
    for scatter in panels {
        let n_points = scatter.xy.len();
        if !scatter.labels.is_empty() && scatter.labels.len() != n_points {
            let found = scatter.labels.len();
            return Err(PlotError::LabelCount { found, expected: n_points });
        }
        let mut links = scatter.links.iter().chain(scatter.broken).chain(scatter.suspicious);
        if let Some(&link) = links.find(|link| link.a.max(link.b) >= n_points) {
            return Err(PlotError::LinkOutOfRange { link, n_points });
        }
        check_coordinates("point", &scatter.xy)?;
        check_coordinates("mode", &scatter.modes)?;
    }
    Ok(())
}

pub(crate) fn check_coordinates(what: &'static str, xy: &[[f64; 2]]) -> Result<(), PlotError> {
    // Written so that NaN, which compares with nothing, counts as bad.
    let drawable = |xy: &[f64; 2]| xy.iter().all(|value| value.abs() <= LARGEST);
    match xy.iter().position(|xy| !drawable(xy)) {
        Some(row) => Err(PlotError::Coordinate { what, row, xy: xy[row] }),
        None => Ok(()),
    }
}
