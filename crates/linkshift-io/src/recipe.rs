//! How the columns of a table become the numbers of points, as plain data: a model keeps it, so that
//! new rows are treated as the first ones were.

use linkshift::params::Named;

/// What becomes of rows in which a number is missing: an empty field, a null, NaN, or one of the
/// usual signs for it (`NA`, `N/A`, `null`, `None`, `?`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Missing {
    /// They are an error.
    #[default]
    Error,
    /// They are left out.
    Drop,
    /// The column's median is put in.
    Median,
}

impl Named for Missing {
    const ALL: &'static [Self] = &[Missing::Error, Missing::Drop, Missing::Median];

    fn name(self) -> &'static str {
        match self {
            Missing::Error => "error",
            Missing::Drop => "drop",
            Missing::Median => "median",
        }
    }
}

/// What becomes of columns that hold texts. Those of `true` and `false` are numbers, 1 and 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Categories {
    /// They are an error.
    Error,
    /// One column for each text that occurs: 1 where it is that one, else 0.
    OneHot,
    /// They are left out, unless they were asked for by name, which is an error.
    #[default]
    Skip,
}

impl Named for Categories {
    const ALL: &'static [Self] = &[Categories::Error, Categories::OneHot, Categories::Skip];

    fn name(self) -> &'static str {
        match self {
            Categories::Error => "error",
            Categories::OneHot => "one-hot",
            Categories::Skip => "skip",
        }
    }
}

/// What dates are counted in, from the beginning of 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateUnit {
    /// Seconds. In 32 bits those of today are two minutes apart.
    Seconds,
    /// Days, with fractions.
    Days,
    /// Years of 365.2425 days, the Gregorian mean, with fractions.
    Years,
}

impl Named for DateUnit {
    const ALL: &'static [Self] = &[DateUnit::Seconds, DateUnit::Days, DateUnit::Years];

    fn name(self) -> &'static str {
        match self {
            DateUnit::Seconds => "seconds",
            DateUnit::Days => "days",
            DateUnit::Years => "years",
        }
    }
}

impl DateUnit {
    /// How long it is.
    pub(crate) fn seconds(self) -> f64 {
        match self {
            DateUnit::Seconds => 1.0,
            DateUnit::Days => 86_400.0,
            DateUnit::Years => 365.2425 * 86_400.0,
        }
    }
}

/// How a table became points.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TableRecipe {
    /// The columns of the file, in order.
    pub columns: Vec<ColumnRecipe>,
    /// What became of rows in which a number was missing.
    pub missing: Missing,
}

/// How a column of the file became columns of the points.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnRecipe {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: ColumnKind,
    /// What is put in where a number is missing, if that is wanted.
    pub median: Option<f64>,
}

/// What a column of the file holds.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColumnKind {
    /// Numbers: one column.
    Number,
    /// `true` and `false`: one column of 1 and 0.
    Truth,
    /// Dates: one column, counted in this.
    Date(DateUnit),
    /// Texts: one column for each of these.
    Categories(Vec<String>),
    /// A list of so many numbers in each row: as many columns.
    List(usize),
}

impl TableRecipe {
    /// The names of the columns of the points.
    pub fn column_names(&self) -> Vec<String> {
        self.columns.iter().flat_map(ColumnRecipe::column_names).collect()
    }
}

impl ColumnRecipe {
    /// `height`, `city=Paris`, or `embedding_0`, `embedding_1`, ….
    fn column_names(&self) -> Vec<String> {
        let name = &self.name;
        match &self.kind {
            ColumnKind::Number | ColumnKind::Truth | ColumnKind::Date(_) => vec![name.clone()],
            ColumnKind::Categories(texts) => {
                texts.iter().map(|text| format!("{name}={text}")).collect()
            }
            ColumnKind::List(length) => (0..*length).map(|at| format!("{name}_{at}")).collect(),
        }
    }
}
