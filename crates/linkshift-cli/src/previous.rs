//! `--previous`: clusters keep the numbers that they had in an earlier model.

use crate::failure::Result;
use linkshift::keep_numbers;
use linkshift::numbering::Numbering;
use linkshift_io::{AnyModel, SavedModel, read_model};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::Path;

/// What an earlier model says of numbers.
pub(crate) struct Previous {
    labels: Vec<i64>,
    ids: Option<Vec<String>>,
    first_unused: i64,
}

/// Numbers that stay where they can.
pub(crate) struct Kept {
    pub(crate) numbering: Numbering,
    /// Rows that were there before.
    n_matched: usize,
    n_rows: usize,
    /// `id` or `row`.
    matched_by: &'static str,
}

impl Kept {
    pub(crate) fn line(&self) -> String {
        let Self { numbering, n_matched, n_rows, matched_by } = self;
        let by = if *matched_by == "row" { "row number" } else { matched_by };
        format!(
            "{} of {} clusters; {n_matched} of {n_rows} rows matched by {by}",
            numbering.n_kept(),
            numbering.n_clusters(),
        )
    }

    pub(crate) fn json(&self) -> Value {
        json!({
            "n_kept": self.numbering.n_kept(),
            "n_matched": self.n_matched,
            "matched_by": self.matched_by,
        })
    }
}

impl Previous {
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let (labels, ids, first_unused) = match read_model(path)? {
            AnyModel::F32(SavedModel { labels, ids, first_unused, .. }) => {
                (labels, ids, first_unused)
            }
            AnyModel::F64(SavedModel { labels, ids, first_unused, .. }) => {
                (labels, ids, first_unused)
            }
        };
        Ok(Self { labels, ids, first_unused })
    }

    /// Numbers for new labels, and how they came about.
    pub(crate) fn keep(&self, labels: &[i64], ids: Option<&[String]>) -> Result<Kept> {
        let (rows, matched_by) = self.rows(labels.len(), ids);
        let before: Vec<i64> =
            rows.iter().map(|row| row.map_or(-1, |at| self.labels[at])).collect();
        let numbering = keep_numbers(&before, labels, self.first_unused)?;
        let n_matched = rows.iter().flatten().count();
        Ok(Kept { numbering, n_matched, n_rows: labels.len(), matched_by })
    }

    /// For each row the row that it was, and by what they were matched.
    fn rows(&self, n_rows: usize, ids: Option<&[String]>) -> (Vec<Option<usize>>, &'static str) {
        let (Some(before), Some(now)) = (&self.ids, ids) else {
            let n_before = self.labels.len();
            return ((0..n_rows).map(|row| (row < n_before).then_some(row)).collect(), "row");
        };
        let row_of: HashMap<&str, usize> =
            before.iter().enumerate().map(|(row, id)| (id.as_str(), row)).collect();
        (now.iter().map(|id| row_of.get(id.as_str()).copied()).collect(), "id")
    }
}
