//! Two rows side by side, column by column, with their differences marked.

use linkshift::ask::{Choice, Kind, Question, Reply, Told};
use linkshift::params::Named;
use linkshift_features::table::Made;
use linkshift_io::Table;
use std::fmt::Write;

/// More columns than this are not shown, but for the most different ones.
const MOST_COLUMNS: usize = 24;

/// Longer texts are cut.
const MOST_CHARS: usize = 36;

/// A row in one line is no longer than this.
const MOST_IN_A_LINE: usize = 110;

/// Numbers further apart than this share of their column's range are different; nearer ones nearly
/// equal.
const NEAR: f64 = 0.1;

/// What is shown of each row.
pub(super) struct Shown<'a> {
    table: &'a Table<f64>,
    /// Columns of text, by name.
    besides: Vec<(String, Vec<String>)>,
    /// Largest minus smallest value of each feature that is shown.
    ranges: Vec<f64>,
}

/// One column of two rows.
struct Line {
    name: String,
    values: [String; 2],
    /// 0 if equal, as a share of the column's range; infinite for texts that differ.
    difference: f64,
}

impl Line {
    fn mark(&self) -> char {
        match self.difference {
            0.0 => ' ',
            difference if difference <= NEAR => '·',
            _ => '≠',
        }
    }
}

impl<'a> Shown<'a> {
    pub(super) fn new(made: &'a Made<f64>, besides: Vec<(String, Vec<String>)>) -> Self {
        let table = &made.table;
        let range = |column: usize| {
            let values = table.values.chunks_exact(table.n_features).map(|row| row[column]);
            let (least, most) = values
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), v| {
                    (v.min(least), v.max(most))
                });
            most - least
        };
        // Columns made of texts or pictures say nothing to a person.
        let n_shown = made.intake.table.column_names().len();
        Shown { table, besides, ranges: (0..n_shown).map(range).collect() }
    }

    /// The name of a row: its id, or its number.
    fn name(&self, row: usize) -> String {
        match &self.table.ids {
            Some(ids) => shorten(&ids[row]),
            None => format!("row {row}"),
        }
    }

    /// An answer in words.
    pub(super) fn told(&self, reply: &Reply) -> String {
        let Told { a, b, answer, .. } = reply.told()[0];
        let certain = if reply.is_certain() { " (certain)" } else { "" };
        let names =
            |rows: &[usize]| rows.iter().map(|&row| self.name(row)).collect::<Vec<_>>().join(", ");
        let words = match (reply.kind(), reply.choice(), reply.odd()) {
            (Kind::Place, Some(Choice::Group(at)), _) => {
                format!("{} belongs with {}", self.name(a), self.name(reply.told()[at].b))
            }
            (Kind::Place, Some(Choice::NoneOfThese), _) => {
                format!("{} belongs to none of these", self.name(a))
            }
            (Kind::Group, _, Some(odd)) if odd.is_empty() => {
                format!("one thing: {}", names(&reply.rows()))
            }
            (Kind::Group, _, Some(odd)) => format!("odd: {}", names(&odd)),
            (Kind::Pair, ..) => {
                format!("{}: {} and {}", answer.name(), self.name(a), self.name(b))
            }
            _ => format!("{}: {}", reply.word(), names(&reply.rows())),
        };
        format!("{words}{certain}")
    }

    /// What a question is about.
    pub(super) fn question(&self, question: &Question) -> String {
        match question {
            Question::Pair(pair) => self.pair(pair.a, pair.b),
            Question::Place(place) => {
                let mut text = format!("  {}\n", self.line(place.row));
                for (group, number) in place.groups.iter().zip(1..) {
                    for (member, at) in group.iter().zip(0..) {
                        let mark = if at == 0 { format!("{number}") } else { " ".into() };
                        let _ = writeln!(text, "{mark} {}", self.line(*member));
                    }
                }
                text
            }
            Question::Group(group) => {
                let lines = group.rows.iter().zip(1..);
                lines.map(|(&row, number)| format!("{number} {}\n", self.line(row))).collect()
            }
        }
    }

    /// A row in one line: its name, its texts, and as many columns as fit.
    fn line(&self, row: usize) -> String {
        let mut text = self.name(row);
        let texts = self.besides.iter().map(|(name, texts)| (name.clone(), texts[row].clone()));
        let numbers = (0..self.ranges.len()).map(|column| {
            let value = self.table.values[row * self.table.n_features + column];
            (self.table.columns[column].clone(), value.to_string())
        });
        for (name, value) in texts.chain(numbers) {
            let field = format!("   {} {}", shorten(&name), shorten(&value));
            if text.chars().count() + field.chars().count() > MOST_IN_A_LINE {
                text.push_str("   …");
                break;
            }
            text.push_str(&field);
        }
        text
    }

    /// The two rows, a line for each column.
    pub(super) fn pair(&self, a: usize, b: usize) -> String {
        let texts = self.besides.iter().map(|(name, texts)| Line {
            name: shorten(name),
            values: [shorten(&texts[a]), shorten(&texts[b])],
            difference: if texts[a] == texts[b] { 0.0 } else { f64::INFINITY },
        });
        let numbers = (0..self.ranges.len()).map(|column| {
            let value = |row: usize| self.table.values[row * self.table.n_features + column];
            let (one, other) = (value(a), value(b));
            Line {
                name: shorten(&self.table.columns[column]),
                values: [one.to_string(), other.to_string()],
                difference: match self.ranges[column] {
                    0.0 => 0.0,
                    range => (one - other).abs() / range,
                },
            }
        });
        let mut lines: Vec<Line> = texts.chain(numbers).collect();
        let left_out = lines.len().saturating_sub(MOST_COLUMNS);
        if left_out > 0 {
            let mut by_difference: Vec<f64> = lines.iter().map(|line| line.difference).collect();
            by_difference.sort_by(|x, y| y.total_cmp(x));
            let least = by_difference[MOST_COLUMNS - 1];
            lines.retain(|line| line.difference >= least);
            lines.truncate(MOST_COLUMNS);
        }
        let head =
            Line { name: String::new(), values: [self.name(a), self.name(b)], difference: 0.0 };
        let all = || std::iter::once(&head).chain(&lines);
        let width = |text: &dyn Fn(&Line) -> &str| {
            all().map(|line| text(line).chars().count()).max().unwrap_or_default()
        };
        let (names, first) = (width(&|line| &line.name), width(&|line| &line.values[0]));
        let mut text = String::new();
        for line in all() {
            let [one, other] = &line.values;
            let row = format!("{} {:<names$}  {one:<first$}  {other}", line.mark(), line.name);
            // Writing to a String does not fail.
            let _ = writeln!(text, "{}", row.trim_end());
        }
        if left_out > 0 {
            let _ = writeln!(text, "  and {left_out} columns that differ less");
        }
        text
    }
}

fn shorten(text: &str) -> String {
    let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match one_line.chars().count() > MOST_CHARS {
        true => one_line.chars().take(MOST_CHARS - 1).chain(['…']).collect(),
        false => one_line,
    }
}
