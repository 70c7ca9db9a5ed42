//! What is odd about the points, though not wrong.

use crate::methods::Number;
use crate::notes::Note;
use linkshift::Scaler;
use linkshift_io::Table;

/// More columns than this are counted, not listed.
const MOST_LISTED: usize = 12;

pub(super) fn of<T: Number>(table: &Table<T>, scaler: &Scaler) -> Vec<Note> {
    let constant = scaler.constant_columns();
    if table.n_rows == 1 {
        let text = "there is only one point: it is a cluster by itself";
        return vec![Note::new("one-point", text)];
    }
    if constant.len() == table.n_features {
        let text = format!("all {} points are equal: they are one cluster", table.n_rows);
        return vec![Note::new("equal-points", text)];
    }
    if constant.is_empty() {
        return Vec::new();
    }
    let shown = constant.iter().take(MOST_LISTED);
    let names: Vec<String> = shown.map(|&column| format!("{:?}", table.columns[column])).collect();
    let more = match constant.len() - names.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let names = names.join(", ");
    let text =
        format!("the same value in every row, hence of no use for clustering: {names}{more}");
    vec![Note::new("constant-columns", text)]
}
