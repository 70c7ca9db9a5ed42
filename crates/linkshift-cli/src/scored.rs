//! Scores against known classes, over the rows that have one: the same for every command.

use crate::failure::Result;
use crate::notes::Note;
use linkshift::scores::Scores;

/// Scores, and over how many rows they are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scored {
    pub(crate) scores: Scores,
    pub(crate) n_scored: usize,
}

impl Scored {
    /// The scores of labels, if there are classes to score against; what is left out is noted.
    pub(crate) fn of(
        classes: Option<&[i64]>,
        labels: &[i64],
        notes: &mut Vec<Note>,
    ) -> Result<Option<Self>> {
        let Some(classes) = classes else { return Ok(None) };
        let (scores, n_scored) = Scores::of_known(classes, labels)?;
        let Some(scores) = scores else {
            let text = "the label column is empty: there is nothing to score against";
            notes.push(Note::new("nothing-to-score", text));
            return Ok(None);
        };
        if n_scored < classes.len() {
            let all = classes.len();
            let text = format!("scores are over the {n_scored} of {all} points that have a label");
            notes.push(Note::new("partly-scored", text));
        }
        Ok(Some(Self { scores, n_scored }))
    }

    /// In one line.
    pub(crate) fn line(&self) -> String {
        let Scores { ari, nmi, ri, accuracy, .. } = self.scores;
        format!("ARI {ari:.3}, NMI {nmi:.3}, RI {ri:.3}, accuracy {accuracy:.3}")
    }
}
