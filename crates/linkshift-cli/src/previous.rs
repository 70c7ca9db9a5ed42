//! `--previous`: clusters keep the numbers that they had in an earlier model.

use crate::failure::Result;
use linkshift::keep_numbers;
use linkshift::numbering::Numbering;
use linkshift_io::{AnyModel, SavedModel, read_model};
use std::collections::HashMap;
use std::path::Path;

/// What an earlier model says of numbers.
pub(crate) struct Previous {
    labels: Vec<i64>,
    ids: Option<Vec<String>>,
    first_unused: i64,
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

    /// Numbers for new labels, and in words how they came about.
    pub(crate) fn keep(
        &self,
        labels: &[i64],
        ids: Option<&[String]>,
    ) -> Result<(Numbering, String)> {
        let (rows, how) = self.rows(labels.len(), ids);
        let before: Vec<i64> =
            rows.iter().map(|row| row.map_or(-1, |at| self.labels[at])).collect();
        let numbering = keep_numbers(&before, labels, self.first_unused)?;
        let n_matched = rows.iter().flatten().count();
        let words = format!(
            "{} of {} clusters; {n_matched} of {} rows matched by {how}",
            numbering.n_kept(),
            numbering.n_clusters(),
            labels.len()
        );
        Ok((numbering, words))
    }

    /// For each row the row that it was, and by what they were matched.
    fn rows(&self, n_rows: usize, ids: Option<&[String]>) -> (Vec<Option<usize>>, &'static str) {
        let (Some(before), Some(now)) = (&self.ids, ids) else {
            let n_before = self.labels.len();
            return (
                (0..n_rows).map(|row| (row < n_before).then_some(row)).collect(),
                "row number",
            );
        };
        let row_of: HashMap<&str, usize> =
            before.iter().enumerate().map(|(row, id)| (id.as_str(), row)).collect();
        (now.iter().map(|id| row_of.get(id.as_str()).copied()).collect(), "id")
    }
}
