//! Everything that can be wrong with an input, as fields rather than sentences.
//!
//! Outer crates match on the fields (Python raises one exception class per variant, the files
//! crate adds file and line); the `Display` text says what is wrong, where, and how to mend it.

use crate::links::Link;
use thiserror::Error as ThisError;

/// The result of anything in this crate that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong.
#[derive(Debug, Clone, PartialEq, ThisError)]
#[non_exhaustive]
pub enum Error {
    /// A parameter has a value that cannot work.
    #[error("{name} = {value} cannot work: it must be {must}")]
    Param {
        /// The parameter's name, the same in every door.
        name: &'static str,
        /// The value that was given.
        value: String,
        /// What it must be, completing the sentence "it must be …".
        must: String,
    },
    /// A parameter that the method does not have.
    #[error("{method} has no parameter {key:?}; it has {}", known.join(", "))]
    UnknownParam {
        /// The method.
        method: &'static str,
        /// What was to be set.
        key: String,
        /// What can be set.
        known: Vec<&'static str>,
    },
    /// The points are not usable.
    #[error(transparent)]
    Points(#[from] PointsError),
    /// The links are not usable.
    #[error(transparent)]
    Links(#[from] LinkError),
    /// The similarities are not usable.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// Parts of a model, as they came from elsewhere, that do not fit each other.
    #[error("the model is not whole ({part}: {problem}): fit it again")]
    Model {
        /// The part.
        part: &'static str,
        /// What is wrong with it.
        problem: String,
    },
    /// The run would need more memory than it was allowed.
    #[error(
        "this needs about {needed_mb} MB of memory but only {allowed_mb} MB are allowed: {remedy}"
    )]
    Memory {
        /// What the run would need, in megabytes.
        needed_mb: u64,
        /// What it may use, in megabytes.
        allowed_mb: u64,
        /// What the caller can change.
        remedy: String,
    },
    /// A computation that should always succeed did not: the numbers are too far apart for it.
    #[error(
        "no {what} were found: the numbers are too large or too far apart; scale the columns first"
    )]
    Numerical {
        /// What was looked for, in the plural.
        what: &'static str,
    },
    /// An observer asked to stop.
    #[error("cancelled after {n_iter} iterations")]
    Cancelled {
        /// Iterations completed before the stop.
        n_iter: usize,
    },
}

impl Error {
    /// A parameter error; `must` completes the sentence "it must be …".
    pub fn param(
        name: &'static str,
        value: impl std::fmt::Display,
        must: impl Into<String>,
    ) -> Self {
        Error::Param { name, value: value.to_string(), must: must.into() }
    }
}

/// What is wrong with the points.
#[derive(Debug, Clone, PartialEq, ThisError)]
#[non_exhaustive]
pub enum PointsError {
    /// There is not a single row.
    #[error("there are no points: give at least one row")]
    Empty,
    /// There is not a single column.
    #[error("the points have no columns: give at least one number per row")]
    NoColumns,
    /// The values do not fill whole rows.
    #[error("{len} values do not fill rows of {n_features} columns: {} are left over", len % n_features)]
    Ragged {
        /// How many values were given.
        len: usize,
        /// How many columns a row has.
        n_features: usize,
    },
    /// A value is NaN or infinite.
    #[error(
        "row {row}, column {col} is {value}: drop the row or fill in a number (both count from 0)"
    )]
    NotFinite {
        /// Row of the value, from 0.
        row: usize,
        /// Column of the value, from 0.
        col: usize,
        /// `NaN`, `inf` or `-inf`.
        value: f64,
    },
    /// Values so large that their squared distances overflow.
    #[error(
        "row {row}, column {col} is {value:e}: distances between such values overflow {dtype}; scale the columns first"
    )]
    TooLarge {
        /// Row of the value, from 0.
        row: usize,
        /// Column of the value, from 0.
        col: usize,
        /// The value.
        value: f64,
        /// The number type whose range is exceeded.
        dtype: &'static str,
    },
    /// A row of zeros, which is to get length 1.
    #[error(
        "row {row} (from 0) is all zeros and so has no direction: drop it, or choose another scaling than unit"
    )]
    NoDirection {
        /// The row, from 0.
        row: usize,
    },
    /// The weights do not match the rows.
    #[error("there are {n_weights} weights for {n_points} points: give one per point")]
    WeightCount {
        /// How many weights were given.
        n_weights: usize,
        /// How many points there are.
        n_points: usize,
    },
    /// A weight is negative, NaN, infinite or nearly so, or all of them are zero.
    #[error(
        "the weight of row {row} is {value}: weights are finite (and not astronomic), not negative, and not all zero"
    )]
    Weight {
        /// Row of the weight, from 0.
        row: usize,
        /// The weight.
        value: f64,
    },
    /// Points to predict have another number of columns than the model was fitted on.
    #[error(
        "the points have {found} columns but the model was fitted on {expected}: give the same columns in the same order"
    )]
    FeatureCount {
        /// Columns of the points given.
        found: usize,
        /// Columns of the points fitted.
        expected: usize,
    },
}

/// What is wrong with the links.
#[derive(Debug, Clone, PartialEq, ThisError)]
#[non_exhaustive]
pub enum LinkError {
    /// A link names a row that does not exist.
    #[error(
        "link {position} ({link}) names row {row} but there are only {n_points} points (rows count from 0)"
    )]
    OutOfRange {
        /// Position of the link in the input, from 0.
        position: usize,
        /// The link.
        link: Link,
        /// The row that does not exist.
        row: usize,
        /// How many points there are.
        n_points: usize,
    },
    /// Both ends of a link are the same row.
    #[error("link {position} ({link}) joins row {} to itself: remove it", link.a)]
    SelfLink {
        /// Position of the link in the input, from 0.
        position: usize,
        /// The link.
        link: Link,
    },
    /// A confidence is not in (0, 1].
    #[error("link {position} ({link}) has confidence {}: it must be above 0 and at most 1", link.confidence)]
    Confidence {
        /// Position of the link in the input, from 0.
        position: usize,
        /// The link.
        link: Link,
    },
    /// A cannot-link joins two points that must-links put together.
    #[error(
        "the links contradict each other: {cannot}, but {} must-link{} put{} them together: {}; remove one of these links",
        chain.len(),
        if chain.len() == 1 { "" } else { "s" },
        if chain.len() == 1 { "s" } else { "" },
        crate::links::display_chain(cannot.a, chain)
    )]
    Contradiction {
        /// The cannot-link.
        cannot: Link,
        /// The shortest chain of must-links from one of its ends to the other.
        chain: Vec<Link>,
    },
    /// No assignment to that many clusters keeps all links.
    #[error("{}", no_assignment(*.n_clusters, *.row, .blocking, *.proven))]
    NoAssignment {
        /// How many clusters were asked for.
        n_clusters: usize,
        /// A row that is left without a cluster.
        row: usize,
        /// Cannot-links, as they were given, that block each other.
        blocking: Vec<Link>,
        /// Whether these links alone make it impossible: they hold more groups apart from each
        /// other than there are clusters. If not, none was found in any of the orders tried.
        proven: bool,
    },
    /// More links were asked for than there are pairs to draw from.
    #[error("{asked} links were asked for but {available} can be drawn: {remedy}")]
    TooFewPairs {
        /// How many links were asked for.
        asked: usize,
        /// How many there can be.
        available: usize,
        /// What the caller can change.
        remedy: String,
    },
    /// Partial labels name more classes than can be kept apart pair by pair.
    #[error(
        "the labels name {found} classes; at most {most} can be told apart by cannot-links: label fewer classes or give links"
    )]
    TooManyClasses {
        /// How many classes were found.
        found: usize,
        /// How many are accepted.
        most: usize,
    },
    /// A vector of labels does not have one entry per point.
    #[error("there are {found} labels for {expected} points: give one per point, -1 where unknown")]
    LabelCount {
        /// How many labels were given.
        found: usize,
        /// How many points there are.
        expected: usize,
    },
}

/// What is wrong with similarities, given or computed.
#[derive(Debug, Clone, PartialEq, ThisError)]
#[non_exhaustive]
pub enum KernelError {
    /// A precomputed matrix does not have as many columns as rows.
    #[error(
        "the precomputed similarities are {n_rows} × {n_columns}: give a square matrix, a row and a column per point"
    )]
    NotSquare {
        /// Rows of the matrix.
        n_rows: usize,
        /// Columns of the matrix.
        n_columns: usize,
    },
    /// The similarity of two points depends on their order.
    #[error(
        "the precomputed similarities are not symmetric: row {row}, column {col} is {here}, row {col}, column {row} is {there}; take their mean, (K + Kᵀ)/2"
    )]
    NotSymmetric {
        /// Row of the entry, from 0.
        row: usize,
        /// Column of the entry, from 0.
        col: usize,
        /// The entry.
        here: f64,
        /// The entry with row and column swapped.
        there: f64,
    },
    /// A precomputed matrix is no matrix of inner products.
    #[error(
        "the precomputed similarities are not positive semi-definite: rows {row} and {col} show it; set repair to drop the negative eigenvalues, or take another similarity"
    )]
    NotPositive {
        /// A row, from 0, whose points would have an imaginary distance.
        row: usize,
        /// The other such row, from 0; maybe the same.
        col: usize,
    },
    /// A histogram with a negative count.
    #[error(
        "row {row}, column {col} is {value}: the chi2 kernel is for histograms, which have nothing negative"
    )]
    Negative {
        /// Row of the value, from 0.
        row: usize,
        /// Column of the value, from 0.
        col: usize,
        /// The value.
        value: f64,
    },
    /// The kernel of a point with itself overflows.
    #[error(
        "the kernel of row {row} with itself is {value}: scale the columns first, or lower the degree"
    )]
    TooLarge {
        /// The row, from 0.
        row: usize,
        /// What overflows.
        value: f64,
    },
}

fn no_assignment(n_clusters: usize, row: usize, blocking: &[Link], proven: bool) -> String {
    /// More links than this are counted, not listed.
    const MOST_LISTED: usize = 10;
    let listed: Vec<String> = blocking.iter().take(MOST_LISTED).map(Link::to_string).collect();
    let more = match blocking.len().saturating_sub(MOST_LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let links = format!("{}{more}", listed.join(", "));
    let why = if proven {
        format!("{} groups of points all belong apart from each other ({links})", n_clusters + 1)
    } else {
        format!("row {row}, with all that must-links join to it, is left without one by {links}")
    };
    format!(
        "no assignment to {n_clusters} clusters keeps all links: {why}; ask for more clusters or remove one of these links"
    )
}
