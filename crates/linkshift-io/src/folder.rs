//! A folder as a table of one column: the names of its files.

use crate::columns::{Choose, TypeOf, no_numeric_column};
use crate::error::IoError;
use crate::table::{ReadOptions, Rows};
use linkshift::Real;
use std::path::Path;

/// What the column is called.
const COLUMN: &str = "file";

/// Reads the names of all files that are not hidden, in alphabetical order.
pub(crate) fn read<T: Real>(
    folder: &Path,
    options: &ReadOptions,
    choose: Choose,
) -> Result<Rows<T>, IoError> {
    let failed = |error| IoError::reading(folder, error);
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.starts_with('.') && entry.path().is_file() {
            files.push(name);
        }
    }
    files.sort_unstable();
    let names = vec![COLUMN.to_owned()];
    let roles = choose(&names, Some(&[TypeOf::Text]))?;
    if !roles.features.is_empty() || roles.weight.is_some() {
        return Err(no_numeric_column(folder, &names));
    }
    let columns = roles.gathered(options);
    let mut rows = Rows::new(names, roles, columns);
    rows.n_rows = files.len();
    if rows.roles.label.is_some() {
        files.iter().for_each(|name| rows.labels.push(name));
    }
    if rows.roles.id.is_some() {
        rows.ids = files.clone();
    }
    if rows.roles.content.is_some() {
        rows.contents = files;
    }
    Ok(rows)
}
