//! Which column of a file plays which part.

use crate::error::{IntakeProblem, IoError, Problem};
use crate::gathered::Gathered;
use crate::recipe::Categories;
use crate::table::ReadOptions;
use std::path::Path;

/// What a column of a file with types holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TypeOf {
    Number,
    /// Texts, or truths.
    Text,
    /// A list of numbers in each row.
    List,
    Date,
    Other,
}

/// A function that gives the columns of a file their parts, by names and, if there are any, types.
pub(crate) type Choose<'a> = &'a dyn Fn(&[String], Option<&[TypeOf]>) -> Result<Roles, IoError>;

/// The columns of a file by their part, as positions in the file.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Roles {
    /// The features, in the order in which they become columns of the points.
    pub(crate) features: Vec<usize>,
    pub(crate) label: Option<usize>,
    pub(crate) id: Option<usize>,
    pub(crate) weight: Option<usize>,
    /// The column of texts or file names that points are made of elsewhere.
    pub(crate) content: Option<usize>,
    /// Columns that are no features because of what they hold.
    pub(crate) left_out: Vec<usize>,
}

impl Roles {
    /// The parts that the options give to the columns of a file.
    pub(crate) fn choose(
        file: &Path,
        names: &[String],
        types: Option<&[TypeOf]>,
        options: &ReadOptions,
    ) -> Result<Roles, IoError> {
        let find = |name: &Option<String>| {
            name.as_ref().map(|name| position(file, names, name)).transpose()
        };
        let mut roles = Roles {
            features: Vec::new(),
            label: find(&options.label_column)?,
            id: find(&options.id_column)?,
            weight: find(&options.weight_column)?,
            content: find(&options.content_column)?,
            left_out: Vec::new(),
        };
        match options.chosen() {
            None if roles.content.is_some() => {}
            None => {
                let taken = [roles.label, roles.id, roles.weight];
                let free = (0..names.len()).filter(|&at| !taken.contains(&Some(at))).collect();
                roles.take_all(file, names, types, free, options)?;
            }
            Some(chosen) => {
                for name in chosen {
                    let at = position(file, names, name)?;
                    if roles.features.contains(&at) {
                        let problem = Problem::ChosenTwice { name: name.to_owned() };
                        return Err(IoError::new(file, problem));
                    }
                    roles.features.push(at);
                }
            }
        }
        let none_wanted = roles.content.is_some() || options.columns.as_deref() == Some(&[]);
        if roles.features.is_empty() && !none_wanted {
            return Err(no_numeric_column(file, names));
        }
        Ok(roles)
    }

    /// Gives a part to columns that nobody named: the one of lists, or else all that can be numbers.
    fn take_all(
        &mut self,
        file: &Path,
        names: &[String],
        types: Option<&[TypeOf]>,
        free: Vec<usize>,
        options: &ReadOptions,
    ) -> Result<(), IoError> {
        let Some(types) = types else {
            self.features = free;
            return Ok(());
        };
        let of = |kind: TypeOf| free.iter().copied().filter(move |&at| types[at] == kind);
        let lists: Vec<usize> = of(TypeOf::List).collect();
        if let [_, _, ..] = lists[..] {
            let known = lists.iter().map(|&at| names[at].clone()).collect();
            return Err(IoError::new(file, IntakeProblem::WhichList { known }));
        }
        let is_feature = |at: &usize| match types[*at] {
            TypeOf::List => true,
            _ if !lists.is_empty() => false,
            TypeOf::Number | TypeOf::Text => true,
            TypeOf::Date if options.dates.is_some() => true,
            // Refused with its type if nothing is to be left out.
            TypeOf::Date | TypeOf::Other => options.categories == Categories::Error,
        };
        (self.features, self.left_out) = free.iter().partition(|at| is_feature(at));
        Ok(())
    }

    /// The features with nothing read yet.
    pub(crate) fn gathered(&self, options: &ReadOptions) -> Vec<Gathered> {
        if let Some(recipe) = &options.recipe {
            return recipe.columns.iter().map(Gathered::known).collect();
        }
        let allows_texts = match options.categories {
            Categories::Error => false,
            Categories::OneHot => true,
            Categories::Skip => options.columns.is_none(),
        };
        vec![Gathered::new(allows_texts, options.dates); self.features.len()]
    }

    /// Only the column of one name as ids; without a name the only column, or `label`.
    pub(crate) fn single(
        file: &Path,
        names: &[String],
        name: Option<&str>,
    ) -> Result<Roles, IoError> {
        let id = match name {
            Some(name) => position(file, names, name)?,
            None if names.len() == 1 => 0,
            None => names.iter().position(|name| name == "label").ok_or_else(|| {
                IoError::new(file, Problem::WhichColumn { known: names.to_vec() })
            })?,
        };
        Ok(Roles { id: Some(id), ..Roles::default() })
    }

    /// The columns that are kept as texts.
    pub(crate) fn texts(&self) -> impl Iterator<Item = usize> {
        [self.id, self.content].into_iter().flatten()
    }

    /// All columns that play a part, in the order of the file.
    pub(crate) fn used(&self) -> Vec<usize> {
        let mut used = self.features.clone();
        used.extend([self.label, self.id, self.weight, self.content].into_iter().flatten());
        used.sort_unstable();
        used.dedup();
        used
    }
}

pub(crate) fn no_numeric_column(file: &Path, names: &[String]) -> IoError {
    IoError::new(file, Problem::NoNumericColumn { known: names.to_vec() })
}

/// Names for columns that have none: `f0`, `f1`, ….
pub(crate) fn numbered(n_columns: usize) -> Vec<String> {
    (0..n_columns).map(|at| format!("f{at}")).collect()
}

fn position(file: &Path, names: &[String], name: &str) -> Result<usize, IoError> {
    let mut found = names.iter().enumerate().filter(|(_, known)| *known == name);
    match (found.next(), found.next()) {
        (Some((at, _)), None) => Ok(at),
        (Some(_), Some(_)) => {
            Err(IoError::new(file, Problem::NamedTwice { name: name.to_owned() }))
        }
        (None, _) => Err(IoError::new(
            file,
            Problem::UnknownColumn {
                name: name.to_owned(),
                near: nearest(name, names),
                known: names.to_vec(),
            },
        )),
    }
}

/// The most similar of the known names, if any is similar enough to have been meant.
pub(crate) fn nearest(name: &str, known: &[String]) -> Option<String> {
    let name: Vec<char> = name.to_lowercase().chars().collect();
    let most = (name.len() / 3).max(1);
    let distance = |other: &String| {
        let other: Vec<char> = other.to_lowercase().chars().collect();
        // The distance is at least the difference in length: most names are dismissed by that.
        (other.len().abs_diff(name.len()) <= most).then(|| edit_distance(&name, &other))
    };
    let near = known.iter().filter_map(|other| Some((distance(other)?, other)));
    near.filter(|(distance, _)| *distance <= most)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, other)| other.clone())
}

/// Insertions, deletions and replacements that turn one text into the other.
fn edit_distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_pen_finds_the_name_that_was_meant() {
        let known = ["width", "height", "label"].map(String::from);
        assert_eq!(nearest("heigth", &known), Some("height".into()));
        assert_eq!(nearest("LABEL", &known), Some("label".into()));
        assert_eq!(nearest("depth", &known), None);
    }
}
