//! How what people have becomes points: gaps, categories, texts, pictures.

use crate::failure::{Failure, Result};
use crate::input::TableArgs;
use crate::notes::Note;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use linkshift::Real;
use linkshift::params::Named;
use linkshift_features::FeatureError;
use linkshift_features::pictures::Broken;
use linkshift_features::table::{ContentColumn, Made, read_points};
use linkshift_features::text::TextParams;
use linkshift_io::{Categories, DateUnit, Missing, ReadOptions};

/// More columns or pictures than this are counted, not listed.
const MOST_LISTED: usize = 10;

/// How the columns of a table become points.
#[derive(Debug, Args)]
pub(crate) struct IntakeArgs {
    /// What to do with rows in which a number is missing: refuse them, leave them out (label -1),
    /// or put in the median of the column
    #[arg(long, value_name = "WAY", default_value = "error", value_parser = parser::<Missing>())]
    pub(crate) missing: Missing,
    /// What to do with columns of texts: refuse them, make a column of each text that occurs, or
    /// leave them out
    #[arg(long, value_name = "WAY", default_value = "skip", value_parser = parser::<Categories>())]
    categories: Categories,
    /// Take columns of dates as numbers, counted from 1970; without it they are left out
    #[arg(long, value_name = "UNIT", value_parser = parser::<DateUnit>())]
    dates: Option<DateUnit>,
    /// Cluster by the words of this column, beside the numbers that --columns names
    #[arg(long, value_name = "NAME", conflicts_with = "image_column")]
    pub(crate) text_column: Option<String>,
    /// Cluster by the pictures (PNG, JPEG) that this column names, relative to DATA; if DATA is a
    /// folder, the column is called file
    #[arg(long, value_name = "NAME")]
    pub(crate) image_column: Option<String>,
    /// What to do with pictures that cannot be used: refuse them, or leave them out (label -1)
    #[arg(long, value_name = "WAY", default_value = "error", value_parser = parser::<Broken>())]
    bad_images: Broken,
}

/// The names of an enumeration.
pub(crate) fn parser<N: Named + Send + Sync>() -> impl TypedValueParser<Value = N> {
    PossibleValuesParser::new(N::ALL.iter().map(|member| member.name()))
        .try_map(|name| N::parse(&name).ok_or("not a known name"))
}

impl IntakeArgs {
    /// The same options as words of another command, as far as they are not the usual ones.
    pub(crate) fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        let mut add = |name: &str, value: &str| words.extend([name.to_owned(), value.to_owned()]);
        if self.missing != Missing::Error {
            add("--missing", self.missing.name());
        }
        if self.categories != Categories::Skip {
            add("--categories", self.categories.name());
        }
        if let Some(unit) = self.dates {
            add("--dates", unit.name());
        }
        if let Some(column) = &self.text_column {
            add("--text-column", column);
        }
        if let Some(column) = &self.image_column {
            add("--image-column", column);
        }
        if self.bad_images != Broken::Error {
            add("--bad-images", self.bad_images.name());
        }
        words
    }

    /// What the options say of the table.
    pub(crate) fn options(&self, table: &TableArgs) -> ReadOptions {
        let Self { missing, categories, dates, .. } = *self;
        ReadOptions { missing, categories, dates, ..table.options() }
    }

    /// The column of texts or pictures, if there is one.
    pub(crate) fn content(&self) -> Option<ContentColumn> {
        let texts = self.text_column.clone().map(|column| {
            let params = TextParams::default();
            ContentColumn::Texts { column, params }
        });
        let pictures = self.image_column.clone();
        let broken = self.bad_images;
        texts.or(pictures.map(|column| ContentColumn::Pictures { column, broken }))
    }

    /// What becomes of pictures that cannot be used.
    pub(crate) fn broken(&self) -> Broken {
        self.bad_images
    }

    /// Reads the table and makes its points.
    pub(crate) fn read<T: Real>(&self, table: &TableArgs) -> Result<Made<T>> {
        self.read_within(None, table)
    }

    /// The same, where the table may take no more than so many bytes.
    pub(crate) fn read_within<T: Real>(
        &self,
        most_bytes: Option<usize>,
        table: &TableArgs,
    ) -> Result<Made<T>> {
        let options = ReadOptions { most_bytes, ..self.options(table) };
        Ok(read_points(&table.data, &options, self.content().as_ref())?)
    }
}

impl From<FeatureError> for Failure {
    fn from(error: FeatureError) -> Self {
        match error {
            FeatureError::Core(error) => Failure::Core(error),
            FeatureError::Io(error) => Failure::Io(error),
            other => Failure::Input(other.to_string()),
        }
    }
}

/// What was left out or stands for itself, and whoever reads the result should know.
pub(crate) fn remarks<T: Real>(made: &Made<T>) -> Vec<Note> {
    let Made { table, unknown_rows, broken, .. } = made;
    let mut notes = Vec::new();
    if !table.text_columns.is_empty() {
        let names = table.text_columns.iter().map(|name| format!("{name:?}")).collect();
        let text = format!(
            "left out: {}; name columns with --columns to insist, or see --categories and --text-column",
            listed(names)
        );
        notes.push(Note::new("left-out-columns", text));
    }
    let n_dropped = table.n_file_rows - table.n_rows - broken.len();
    if n_dropped > 0 {
        let text = format!(
            "{n_dropped} of {} rows lack a number and were dropped: their label is -1",
            table.n_file_rows
        );
        notes.push(Note::new("dropped-rows", text));
    }
    if !broken.is_empty() {
        let each = broken.iter().map(|one| format!("{}: {}", one.path.display(), one.problem));
        let text = format!(
            "{} of {} pictures cannot be used, and their label is -1: {}",
            broken.len(),
            table.n_file_rows,
            listed(each.collect())
        );
        notes.push(Note::new("bad-images", text));
    }
    if !unknown_rows.is_empty() {
        let text = format!(
            "{} of {} texts have no word in common with enough others, and lie at the origin",
            unknown_rows.len(),
            table.n_rows
        );
        notes.push(Note::new("unknown-texts", text));
    }
    notes
}

/// The first few, and how many more.
fn listed(all: Vec<String>) -> String {
    let more = match all.len().saturating_sub(MOST_LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let shown: Vec<String> = all.into_iter().take(MOST_LISTED).collect();
    format!("{}{more}", shown.join(", "))
}
