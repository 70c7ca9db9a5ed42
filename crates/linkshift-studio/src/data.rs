//! What a dialogue is about: the points, and what a person sees of them.

use crate::pictures::Pictures;
use linkshift::scale::Scaler;
use linkshift::{Link, Links, Points};
use linkshift_io::Intake;
use serde_json::{Value, json};

/// More fields of a row than this are not sent: nobody reads them.
const MOST_FIELDS: usize = 40;

/// Points, and what stands beside them.
#[derive(Debug)]
pub struct Data {
    /// What the data are called: the file's name.
    pub name: String,
    /// The points, on one scale.
    pub points: Points<'static, f64>,
    /// One id per row, if rows have any.
    pub ids: Option<Vec<String>>,
    /// Columns that are shown besides those clustered by.
    pub shown: Vec<Column>,
    /// Columns clustered by, as they stand in the file, if they say something to a person.
    pub numbers: Numbers,
    /// One text per row, if points are made of texts.
    pub texts: Option<Vec<String>>,
    /// The pictures of rows.
    pub pictures: Option<Pictures>,
    /// Links that came with the data, and that are not changed here.
    pub given: Links,
    /// Those of them that take part in the dialogue: the others contradict surer ones.
    pub given_consistent: Links,
    /// Where they stand.
    pub given_from: Option<String>,
    /// What a person should know of how the data were read.
    pub notes: Vec<String>,
    /// How the points came to be, for models and commands.
    pub origin: Origin,
}

/// A column of texts.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// One per row.
    pub values: Vec<String>,
}

/// Columns of numbers, row by row.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Numbers {
    /// Their names.
    pub names: Vec<String>,
    /// Numbers from one row to the next: at least as many as names.
    pub stride: usize,
    /// All numbers.
    pub values: Vec<f64>,
}

/// How the points came to be.
#[derive(Debug, Clone)]
pub struct Origin {
    /// The names of the points' columns.
    pub columns: Vec<String>,
    /// How rows of a file become points, if they came from a file.
    pub intake: Option<Intake>,
    /// The column of ids.
    pub id_column: Option<String>,
    /// How columns were brought to one scale.
    pub scaler: Scaler,
    /// The rows of the file that are here, if some were dropped.
    pub kept_rows: Option<Vec<usize>>,
    /// Number of rows of the file.
    pub n_file_rows: usize,
    /// Ids of all rows of the file, if there are ids.
    pub file_ids: Option<Vec<String>>,
    /// What stands after `linkshift fit` so that the same points come of it.
    pub arguments: Vec<String>,
    /// The lines of Python that make the same points, `X`.
    pub python: Vec<String>,
    /// Seed of everything drawn.
    pub seed: u64,
}

impl Origin {
    /// That of points that came from nowhere in particular.
    pub fn of_points(points: &Points<'_, f64>) -> Self {
        let n_features = points.n_features();
        Self {
            columns: (0..n_features).map(|at| format!("f{at}")).collect(),
            intake: None,
            id_column: None,
            scaler: Scaler::none(n_features),
            kept_rows: None,
            n_file_rows: points.n_points(),
            file_ids: None,
            arguments: Vec::new(),
            python: Vec::new(),
            seed: 0,
        }
    }

    /// Labels of the rows here as labels of all rows of the file: −1 for those that were dropped.
    pub fn labels_of_file(&self, labels: &[i64]) -> Vec<i64> {
        let Some(kept) = &self.kept_rows else { return labels.to_vec() };
        let mut all = vec![-1; self.n_file_rows];
        kept.iter().zip(labels).for_each(|(&row, &label)| all[row] = label);
        all
    }
}

impl Data {
    /// Points and nothing beside them.
    pub fn of_points(name: &str, points: Points<'static, f64>) -> Self {
        let origin = Origin::of_points(&points);
        Self {
            name: name.to_owned(),
            ids: None,
            shown: Vec::new(),
            numbers: Numbers::default(),
            texts: None,
            pictures: None,
            given: Links::new(),
            given_consistent: Links::new(),
            given_from: None,
            notes: Vec::new(),
            origin,
            points,
        }
    }

    /// The same with links that are not changed here.
    pub fn with_links(mut self, links: Links, from: String) -> linkshift::Result<Self> {
        let consistent = links.consistent(self.n_rows())?;
        if !consistent.dropped.is_empty() {
            self.notes.push(format!(
                "{} of {} links in {from} contradict surer ones: questions pass over them",
                consistent.dropped.len(),
                links.len()
            ));
        }
        self.given_consistent = consistent.kept;
        self.given = links;
        self.given_from = Some(from);
        Ok(self)
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.points.n_points()
    }

    /// What a row is called: its id, or its number.
    pub fn name_of(&self, row: usize) -> String {
        match &self.ids {
            Some(ids) => ids.get(row).cloned().unwrap_or_default(),
            None => row.to_string(),
        }
    }

    /// A link in words.
    pub fn link_text(&self, link: &Link) -> String {
        let kind = linkshift::params::Named::name(link.kind);
        format!("{kind} {}–{}", self.name_of(link.a), self.name_of(link.b))
    }

    /// The names of all fields of a row, as far as they are shown.
    pub fn field_names(&self) -> Vec<&str> {
        let shown = self.shown.iter().map(|column| &column.name[..]);
        shown.chain(self.numbers.names.iter().map(|name| &name[..])).take(MOST_FIELDS).collect()
    }

    /// Fields of a row that are not shown.
    pub fn n_hidden(&self) -> usize {
        (self.shown.len() + self.numbers.names.len()).saturating_sub(MOST_FIELDS)
    }

    /// The fields of a row: name and value.
    pub fn fields(&self, row: usize) -> Vec<Value> {
        let shown = self.shown.iter().map(|column| json!([column.name, column.values[row]]));
        let number = |(at, name): (usize, &String)| {
            json!([name, self.numbers.values[row * self.numbers.stride + at].to_string()])
        };
        let numbers = self.numbers.names.iter().enumerate().map(number);
        shown.chain(numbers).take(MOST_FIELDS).collect()
    }

    /// Rows whose id, text or field contains a word, whatever its case.
    pub fn search(&self, word: &str) -> Vec<usize> {
        let word = word.to_lowercase();
        let has = |text: &str| text.to_lowercase().contains(&word);
        let number = |row: usize| {
            let of_row = &self.numbers.values[row * self.numbers.stride..];
            let texts = of_row.iter().take(self.numbers.names.len()).map(f64::to_string);
            texts.into_iter().any(|text| text == word)
        };
        let found = |&row: &usize| {
            has(&self.name_of(row))
                || self.texts.as_ref().is_some_and(|texts| has(&texts[row]))
                || self.shown.iter().any(|column| has(&column.values[row]))
                || number(row)
        };
        (0..self.n_rows()).filter(found).collect()
    }
}
