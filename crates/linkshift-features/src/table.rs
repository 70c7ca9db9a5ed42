//! Tables whose points are made of a column of texts or pictures, and how new rows become points
//! like the first ones.

use crate::error::{FeatureError, Result};
use crate::pictures::{self, Broken, BrokenPicture};
use crate::text::{TextParams, TextRecipe};
use linkshift::Real;
use linkshift_io::{Content, ContentKind, Intake, ReadOptions, Table, TextParts, read_table};
use std::path::{Path, PathBuf};

/// A column that points are made of.
#[derive(Debug, Clone, PartialEq)]
pub enum ContentColumn {
    /// Texts.
    Texts {
        /// The column's name.
        column: String,
        /// How texts become points.
        params: TextParams,
    },
    /// Picture files; names that are not absolute are relative to the table's folder.
    Pictures {
        /// The column's name.
        column: String,
        /// What becomes of those that cannot be used.
        broken: Broken,
    },
}

/// A table of points, and how they were made.
#[derive(Debug, Clone, PartialEq)]
pub struct Made<T: Real> {
    /// The table; columns of texts or pictures come after those of numbers.
    pub table: Table<T>,
    /// For new rows.
    pub intake: Intake,
    /// Rows of the table whose text has no known term, and lies at the origin.
    pub unknown_rows: Vec<usize>,
    /// Pictures that cannot be used, whose rows were dropped.
    pub broken: Vec<BrokenPicture>,
}

impl ContentColumn {
    /// Its name.
    pub fn column(&self) -> &str {
        match self {
            ContentColumn::Texts { column, .. } | ContentColumn::Pictures { column, .. } => column,
        }
    }
}

/// Reads a table, with points of a column of texts or pictures if one is named, beside the columns
/// that the options name.
pub fn read_points<T: Real>(
    path: &Path,
    options: &ReadOptions,
    content: Option<&ContentColumn>,
) -> Result<Made<T>> {
    let content_column = content.map(|content| content.column().to_owned());
    let table = read_table(path, &ReadOptions { content_column, ..options.clone() })?;
    match content {
        None => Ok(Made::plain(table)),
        Some(ContentColumn::Texts { params, .. }) => {
            let recipe = TextRecipe::fit(contents(&table), params)?;
            of_texts(table, content.map_or("", |content| content.column()), &recipe)
        }
        Some(ContentColumn::Pictures { column, broken }) => {
            of_pictures(path, table, column, *broken)
        }
    }
}

/// Reads new rows as the first ones were read.
pub fn read_points_like<T: Real>(
    path: &Path,
    options: &ReadOptions,
    intake: &Intake,
    broken: Broken,
) -> Result<Made<T>> {
    let content_column = intake.content.as_ref().map(|content| content.column.clone());
    let recipe = Some(intake.table.clone());
    let table = read_table(path, &ReadOptions { content_column, recipe, ..options.clone() })?;
    match &intake.content {
        None => Ok(Made::plain(table)),
        Some(Content { column, kind: ContentKind::Texts(parts) }) => {
            of_texts(table, column, &TextRecipe::try_from(parts)?)
        }
        Some(Content { column, kind: ContentKind::Pictures }) => {
            of_pictures(path, table, column, broken)
        }
        // A kind that a later version adds.
        Some(_) => Err(FeatureError::Recipe { part: "content" }),
    }
}

impl<T: Real> Made<T> {
    fn plain(table: Table<T>) -> Self {
        let intake = Intake { table: table.recipe.clone(), content: None };
        Self { table, intake, unknown_rows: Vec::new(), broken: Vec::new() }
    }
}

/// The texts of the column that was asked for.
fn contents<T: Real>(table: &Table<T>) -> &[String] {
    table.contents.as_deref().unwrap_or_default()
}

fn of_texts<T: Real>(table: Table<T>, column: &str, recipe: &TextRecipe) -> Result<Made<T>> {
    let made = recipe.apply::<T, _>(contents(&table))?;
    let names = (0..recipe.n_columns()).map(|at| format!("{column}_{at}")).collect();
    let rows: Vec<usize> = (0..table.n_rows).collect();
    let kind = ContentKind::Texts(recipe.into());
    let content = Some(Content { column: column.to_owned(), kind });
    let intake = Intake { table: table.recipe.clone(), content };
    let table = table.with_columns(names, made.points.values(), &rows);
    Ok(Made { table, intake, unknown_rows: made.unknown_rows, broken: Vec::new() })
}

fn of_pictures<T: Real>(
    path: &Path,
    table: Table<T>,
    column: &str,
    broken: Broken,
) -> Result<Made<T>> {
    let folder = if path.is_dir() { path } else { path.parent().unwrap_or(Path::new("")) };
    // An empty name stays empty, so that it is told apart from the folder itself.
    let place = |name: &String| if name.is_empty() { PathBuf::new() } else { folder.join(name) };
    let paths: Vec<PathBuf> = contents(&table).iter().map(place).collect();
    let made = pictures::read_pictures::<T, _>(&paths, broken)?;
    let content = Some(Content { column: column.to_owned(), kind: ContentKind::Pictures });
    let intake = Intake { table: table.recipe.clone(), content };
    let names = pictures::column_names();
    let table = table.with_columns(names, made.points.values(), &made.rows);
    Ok(Made { table, intake, unknown_rows: Vec::new(), broken: made.broken })
}

impl From<&TextRecipe> for TextParts {
    fn from(recipe: &TextRecipe) -> Self {
        let params = recipe.params();
        let settings = [
            ("n_columns", params.n_columns as u64),
            ("longest_phrase", params.longest_phrase as u64),
            ("shortest_piece", params.shortest_piece as u64),
            ("longest_piece", params.longest_piece as u64),
            ("least_rows", params.least_rows as u64),
            ("most_terms", params.most_terms as u64),
            ("seed", params.seed),
        ];
        TextParts {
            settings: settings.map(|(key, value)| (key.to_owned(), value)).to_vec(),
            terms: recipe.terms().to_vec(),
            weights: recipe.weights().to_vec(),
            basis: recipe.basis().to_vec(),
        }
    }
}

impl TryFrom<&TextParts> for TextRecipe {
    type Error = FeatureError;

    fn try_from(parts: &TextParts) -> Result<Self> {
        let number = |key: &str| {
            let found = parts.settings.iter().find(|(known, _)| known == key);
            found.map(|&(_, value)| value).ok_or(FeatureError::Recipe { part: "settings" })
        };
        let count = |key: &str| Ok::<_, FeatureError>(number(key)? as usize);
        let params = TextParams {
            n_columns: count("n_columns")?,
            longest_phrase: count("longest_phrase")?,
            shortest_piece: count("shortest_piece")?,
            longest_piece: count("longest_piece")?,
            least_rows: count("least_rows")?,
            most_terms: count("most_terms")?,
            seed: number("seed")?,
        };
        let (terms, weights) = (parts.terms.clone(), parts.weights.clone());
        TextRecipe::from_parts(params, terms, weights, parts.basis.clone())
    }
}
