//! Tables as text for a terminal, as Markdown and as CSV.

use crate::reading::{Verdict, sentences};
use crate::table::{Pair, Table};

/// Columns are broken into blocks of about this many characters.
const WIDTH: usize = 110;

/// The table for a terminal: ours, then published and difference in brackets.
pub(crate) fn text(table: &Table) -> String {
    let mut text = format!("{}\n{}: ours (published, difference)\n", table.title, table.measure);
    let head = table.rows.iter().map(|row| width(&row.name)).max().unwrap_or(0).max(8) + 2;
    let cells: Vec<Vec<String>> = table
        .rows
        .iter()
        .map(|row| row.pairs.iter().map(|pair| cell(pair, table)).collect())
        .collect();
    let widths: Vec<usize> = (0..table.columns.len())
        .map(|at| {
            let inside = cells.iter().map(|row| row.get(at).map_or(0, |text| width(text)));
            inside.max().unwrap_or(0).max(width(&table.columns[at])) + 2
        })
        .collect();
    let mut first = 0;
    while first < table.columns.len() {
        let mut last = first;
        let mut used = head;
        while last < widths.len() && (last == first || used + widths[last] <= WIDTH) {
            used += widths[last];
            last += 1;
        }
        text.push_str(&" ".repeat(head));
        (first..last).for_each(|at| text.push_str(&padded(&table.columns[at], widths[at])));
        text.push('\n');
        for (row, cells) in table.rows.iter().zip(&cells) {
            text.push_str(&row.name);
            text.push_str(&" ".repeat(head - width(&row.name)));
            (first..last).for_each(|at| {
                text.push_str(&padded(cells.get(at).map_or("", String::as_str), widths[at]));
            });
            text.push('\n');
        }
        first = last;
    }
    for sentence in sentences(table) {
        text.push_str(&format!("  {sentence}\n"));
    }
    for deviation in &table.deviations {
        text.push_str(&format!("  Other than printed: {deviation}\n"));
    }
    text
}

/// The table as Markdown, with its reading and its deviations.
pub(crate) fn markdown(table: &Table) -> String {
    let mut text = format!("### {}\n\n{}; ours (published).\n\n", table.title, table.measure);
    let corner = table.axis.clone().unwrap_or_default();
    text.push_str(&format!("| {corner} | {} |\n", table.columns.join(" | ")));
    text.push_str(&format!("|---|{}\n", "---|".repeat(table.columns.len())));
    for row in &table.rows {
        let name = if row.subject { format!("**{}**", row.name) } else { row.name.clone() };
        let cells: Vec<String> = row.pairs.iter().map(|pair| short_cell(pair, table)).collect();
        text.push_str(&format!("| {name} | {} |\n", cells.join(" | ")));
    }
    text.push('\n');
    for sentence in sentences(table) {
        text.push_str(&format!("- {sentence}\n"));
    }
    for deviation in &table.deviations {
        text.push_str(&format!("- *Other than printed:* {deviation}\n"));
    }
    text.push('\n');
    text
}

/// One line per number, with a header.
pub(crate) fn csv(tables: &[Table]) -> String {
    let mut text = String::from(
        "table,measure,row,column,published,ours,deviation,repeats,difference,verdict\n",
    );
    for table in tables {
        for row in &table.rows {
            for (column, pair) in table.columns.iter().zip(&row.pairs) {
                let number =
                    |value: Option<f64>| value.map_or(String::new(), |v| format!("{v:.6}"));
                let verdict = pair.difference().and_then(|by| Verdict::of(by, table.better));
                let fields = [
                    quoted(&table.title),
                    quoted(&table.measure),
                    quoted(&row.name),
                    quoted(column),
                    number(pair.published),
                    number(pair.ours.map(|ours| ours.mean)),
                    number(pair.ours.map(|ours| ours.deviation)),
                    pair.ours.map_or(String::new(), |ours| ours.n.to_string()),
                    number(pair.difference()),
                    verdict.map_or(String::new(), |v| format!("{v:?}").to_lowercase()),
                ];
                text.push_str(&fields.join(","));
                text.push('\n');
            }
        }
    }
    text
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

fn cell(pair: &Pair, table: &Table) -> String {
    let digits = table.decimals;
    let published = pair.published.map(|published| format!("{published:.digits$}"));
    match (pair.ours, published) {
        (None, None) => "–".into(),
        (None, Some(published)) => format!("– ({published})"),
        (Some(ours), None) => format!("{:.digits$}", ours.mean),
        (Some(ours), Some(published)) => {
            let by = pair.difference().unwrap_or_default();
            format!("{:.digits$} ({published}, {by:+.digits$})", ours.mean)
        }
    }
}

fn short_cell(pair: &Pair, table: &Table) -> String {
    let digits = table.decimals;
    let verdict = pair.difference().and_then(|by| Verdict::of(by, table.better));
    let mark = verdict.map_or("", Verdict::mark);
    let ours = pair.ours.map_or("–".into(), |ours| format!("{:.digits$}{mark}", ours.mean));
    match pair.published {
        Some(published) => format!("{ours} ({published:.digits$})"),
        None => ours,
    }
}

/// Characters, of which all that occur here are one place wide.
fn width(text: &str) -> usize {
    text.chars().count()
}

fn padded(text: &str, to: usize) -> String {
    format!("{}{text}", " ".repeat(to.saturating_sub(width(text))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Mean, pairs};

    fn table() -> Table {
        let mut table = Table::new("Table 9", "ARI", &["moons".to_string(), "s4".to_string()]);
        let mean = |mean| Some(Mean { mean, deviation: 0.01, n: 10 });
        table.subject("CMS", pairs(&[0.996, 0.618], &[mean(0.9), None]));
        table
    }

    #[test]
    fn published_ours_and_difference_stand_in_the_terminal() {
        let text = text(&table());
        assert!(text.contains("0.900 (0.996, -0.096)"), "{text}");
        assert!(text.contains("– (0.618)"), "{text}");
    }

    #[test]
    fn markdown_marks_what_is_below() {
        let text = markdown(&table());
        assert!(text.contains("| **CMS** | 0.900▼ (0.996) | – (0.618) |"), "{text}");
    }

    #[test]
    fn csv_has_a_line_per_number() {
        let text = csv(&[table()]);
        assert_eq!(text.lines().count(), 3);
        let line =
            "\"Table 9\",\"ARI\",\"CMS\",\"moons\",0.996000,0.900000,0.010000,10,-0.096000,below";
        assert_eq!(text.lines().nth(1), Some(line));
    }
}
