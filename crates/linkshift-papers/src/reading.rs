//! What a table says, computed from its numbers.

use crate::table::{Better, Row, Table};

/// Above, level or below the published number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Above,
    Level,
    Below,
}

impl Verdict {
    /// By how much ours is more than the published number.
    pub(crate) fn of(difference: f64, better: Better) -> Option<Self> {
        // What is printed as the margin is within it.
        const ROUNDING: f64 = 5e-4;
        match better {
            Better::Neither => None,
            Better::Higher { margin } if difference > margin + ROUNDING => Some(Self::Above),
            Better::Higher { margin } if difference < -margin - ROUNDING => Some(Self::Below),
            Better::Higher { .. } => Some(Self::Level),
        }
    }

    /// What stands behind a number in a table.
    pub(crate) fn mark(self) -> &'static str {
        match self {
            Self::Above => "▲",
            Self::Level => "",
            Self::Below => "▼",
        }
    }
}

/// The sentences about a table: one per subject, one for all baselines, one per claim.
pub(crate) fn sentences(table: &Table) -> Vec<String> {
    let mut sentences = Vec::new();
    for row in table.rows.iter().filter(|row| row.subject) {
        sentences.extend(about(table, row));
    }
    let baselines: Vec<&Row> = table.rows.iter().filter(|row| !row.subject).collect();
    let verdicts: Vec<Verdict> =
        baselines.iter().flat_map(|row| verdicts(table, row)).map(|(_, _, v)| v).collect();
    if !verdicts.is_empty() {
        let count = |verdict| verdicts.iter().filter(|&&found| found == verdict).count();
        sentences.push(format!(
            "Compared methods, ours against theirs: {} above, {} level, {} below.",
            count(Verdict::Above),
            count(Verdict::Level),
            count(Verdict::Below)
        ));
    }
    for claim in &table.claims {
        let holds = if claim.holds { "holds" } else { "does not hold" };
        sentences.push(format!("“{}” {holds}: {}.", claim.text, claim.found));
    }
    sentences
}

/// Column, difference and verdict of each number that has all three.
fn verdicts<'a>(
    table: &'a Table,
    row: &'a Row,
) -> impl Iterator<Item = (&'a str, f64, Verdict)> + 'a {
    table.columns.iter().zip(&row.pairs).filter_map(|(column, pair)| {
        let difference = pair.difference()?;
        Some((column.as_str(), difference, Verdict::of(difference, table.better)?))
    })
}

fn about(table: &Table, row: &Row) -> Option<String> {
    let Better::Higher { margin } = table.better else { return None };
    let all: Vec<_> = verdicts(table, row).collect();
    if all.is_empty() {
        return None;
    }
    let named = |wanted: Verdict| {
        let of = all.iter().filter(|(_, _, verdict)| *verdict == wanted);
        of.map(|(column, by, _)| format!("{column} {by:+.3}")).collect::<Vec<_>>()
    };
    let (above, below) = (named(Verdict::Above), named(Verdict::Below));
    let n_level = all.len() - above.len() - below.len();
    let list = |names: &[String]| match names.is_empty() {
        true => String::new(),
        false => format!(" ({})", names.join(", ")),
    };
    let mut text = format!(
        "{}: above in {}{}, level (within {margin}) in {n_level}, below in {}{} of {}.",
        row.name,
        above.len(),
        list(&above),
        below.len(),
        list(&below),
        all.len()
    );
    for (_, why) in table.reasons.iter().filter(|(name, _)| *name == row.name && !below.is_empty())
    {
        text.push(' ');
        text.push_str(why);
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Mean, pairs};

    fn table() -> Table {
        let columns = ["a", "b", "c"].map(String::from);
        let ours = [0.5, 0.7, 0.62].map(|mean| Some(Mean { mean, deviation: 0.0, n: 1 }));
        let mut table = Table::new("T", "ARI", &columns);
        table.subject("CMS", pairs(&[0.6, 0.6, 0.6], &ours));
        table.baseline("PCK", pairs(&[0.6], &ours));
        table
    }

    #[test]
    fn a_reading_names_what_is_above_and_below() {
        let mut table = table();
        table.reason("CMS", "Because.");
        assert_eq!(
            sentences(&table),
            [
                "CMS: above in 1 (b +0.100), level (within 0.02) in 1, below in 1 (a -0.100) of 3. \
                 Because.",
                "Compared methods, ours against theirs: 0 above, 0 level, 1 below."
            ]
        );
    }

    #[test]
    fn counts_are_not_judged() {
        let mut table = table();
        table.better = Better::Neither;
        assert!(sentences(&table).is_empty());
    }
}
