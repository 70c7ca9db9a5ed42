//! How new rows become points: the recipe of the table, and of texts or pictures in it.

use super::container::{Container, damaged, missing};
use crate::error::Problem;
use crate::recipe::{ColumnKind, ColumnRecipe, DateUnit, Missing, TableRecipe};
use linkshift::params::Named;
use serde_json::{Map, Value, json};

/// How the rows of a file became points, and others will.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Intake {
    /// The columns that are numbers, or were made numbers.
    pub table: TableRecipe,
    /// The column of texts or pictures, whose columns of points follow those of the table.
    pub content: Option<Content>,
}

/// A column of texts or of picture files.
#[derive(Debug, Clone, PartialEq)]
pub struct Content {
    /// Its name.
    pub column: String,
    /// What it holds.
    pub kind: ContentKind,
}

/// What a column that is no numbers holds.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ContentKind {
    /// Texts, with what was learned of them.
    Texts(TextParts),
    /// Names of picture files, which are described without learning.
    Pictures,
}

/// What was learned of texts, in parts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TextParts {
    /// What was set, by name.
    pub settings: Vec<(String, u64)>,
    /// The terms.
    pub terms: Vec<String>,
    /// The weight of each term.
    pub weights: Vec<f64>,
    /// The numbers of each term, one per column.
    pub basis: Vec<f32>,
}

impl Intake {
    /// Columns of the points that it makes; of pictures, which only others know how to describe, as
    /// many as are missing to `expected`.
    pub(super) fn n_columns(&self, expected: usize) -> usize {
        let n_table = self.table.column_names().len();
        match self.content.as_ref().map(|content| &content.kind) {
            None => n_table,
            Some(ContentKind::Texts(parts)) => {
                n_table + parts.basis.len().checked_div(parts.terms.len()).unwrap_or(0)
            }
            Some(ContentKind::Pictures) => n_table.max(expected),
        }
    }
}

pub(super) fn put(to: &mut Container, intake: &Intake) {
    let columns: Vec<Value> = intake.table.columns.iter().map(column_to_json).collect();
    let mut value = json!({ "missing": intake.table.missing.name(), "columns": columns });
    if let Some(content) = &intake.content {
        let mut about = json!({ "column": content.column, "kind": "pictures" });
        if let ContentKind::Texts(parts) = &content.kind {
            let settings = parts.settings.iter().map(|(key, value)| (key.clone(), json!(value)));
            about["kind"] = json!("texts");
            about["settings"] = Value::Object(settings.collect());
            about["terms"] = json!(parts.terms);
            to.put("text_weights", parts.weights.iter().copied());
            to.put("text_basis", parts.basis.iter().copied());
        }
        value["content"] = about;
    }
    to.set("intake", value);
}

/// None in models that were not fitted on a file.
pub(super) fn take(from: &Container) -> Result<Option<Intake>, Problem> {
    let value = from.get("intake");
    if value.is_null() {
        return Ok(None);
    }
    let whole = || {
        let columns = value["columns"].as_array()?;
        let columns = columns.iter().map(column_from_json).collect::<Option<Vec<_>>>()?;
        let table = TableRecipe { columns, missing: Missing::parse(value["missing"].as_str()?)? };
        Some(table)
    };
    let table = whole().ok_or_else(|| missing("intake"))?;
    let content = match &value["content"] {
        Value::Null => None,
        content => Some(take_content(from, content)?),
    };
    Ok(Some(Intake { table, content }))
}

fn take_content(from: &Container, value: &Value) -> Result<Content, Problem> {
    let column = value["column"].as_str().ok_or_else(|| missing("intake"))?.to_owned();
    let kind = match value["kind"].as_str() {
        Some("pictures") => ContentKind::Pictures,
        Some("texts") => {
            let whole = || {
                let settings = value["settings"].as_object()?;
                let setting =
                    |(key, value): (&String, &Value)| Some((key.clone(), value.as_u64()?));
                Some((
                    settings.iter().map(setting).collect::<Option<_>>()?,
                    texts(&value["terms"])?,
                ))
            };
            let (settings, terms) = whole().ok_or_else(|| missing("intake"))?;
            let (weights, basis) = (from.take("text_weights")?, from.take("text_basis")?);
            ContentKind::Texts(TextParts { settings, terms, weights, basis })
        }
        _ => return Err(damaged("it makes points in a way that is not known here")),
    };
    Ok(Content { column, kind })
}

fn column_to_json(column: &ColumnRecipe) -> Value {
    let mut value = Map::new();
    value.insert("name".into(), json!(column.name));
    match &column.kind {
        ColumnKind::Number => value.insert("kind".into(), json!("number")),
        ColumnKind::Truth => value.insert("kind".into(), json!("truth")),
        ColumnKind::Date(unit) => value.insert("date".into(), json!(unit.name())),
        ColumnKind::Categories(texts) => value.insert("categories".into(), json!(texts)),
        ColumnKind::List(length) => value.insert("list".into(), json!(length)),
    };
    if let Some(median) = column.median {
        value.insert("median".into(), json!(median));
    }
    Value::Object(value)
}

fn column_from_json(value: &Value) -> Option<ColumnRecipe> {
    let kind = match (value["kind"].as_str(), &value["categories"], value["list"].as_u64()) {
        (Some("number"), ..) => ColumnKind::Number,
        (Some("truth"), ..) => ColumnKind::Truth,
        (None, ..) if value["date"].is_string() => {
            ColumnKind::Date(DateUnit::parse(value["date"].as_str()?)?)
        }
        (None, _, Some(length)) => ColumnKind::List(usize::try_from(length).ok()?),
        (None, categories, None) => ColumnKind::Categories(texts(categories)?),
        _ => return None,
    };
    Some(ColumnRecipe {
        name: value["name"].as_str()?.to_owned(),
        kind,
        median: value["median"].as_f64(),
    })
}

fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|text| text.as_str().map(str::to_owned)).collect()
}
