//! Links files: `a,b,kind[,confidence]` with or without a header, and `i j ±1`.

use crate::columns::nearest;
use crate::error::{At, IoError, Problem, shorten};
use crate::format::{Encoding, Format};
use crate::text::{Dialect, Records, text_of};
use crate::write::write_text;
use csv::ByteRecord;
use linkshift::ask::Told;
use linkshift::{Link, LinkKind};
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::Path;

/// The names of the fields, in the order they have without a header.
const FIELDS: [&str; 4] = ["a", "b", "kind", "confidence"];

/// Reads links: text of any extension, also compressed; `-` is standard input.
///
/// Fields are separated by commas, semicolons, tabs or spaces; lines that begin with `#` are
/// comments; with a header the columns come in any order. The kind is `must` or `cannot`, also
/// spelled `ml`/`cl`, `must-link`/`cannot-link`, `MUST_LINK`/`CANNOT_LINK`, `same`/`different`,
/// `1`/`-1`. The kind `unsure`, of an answers file, is no link and is passed over. The ends are ids
/// where ids are given (never row numbers then), else rows from 0.
///
/// A link without a confidence counts as 1, but where others say 1 in writing as
/// [`Told::PLAIN`]: what was said with certainty is surer than what was only said.
pub fn read_links(
    path: &Path,
    n_points: usize,
    ids: Option<&[String]>,
) -> Result<Vec<Link>, IoError> {
    let lines = read_lines(path, n_points, ids)?;
    let any_certain = lines.iter().any(|(_, line)| line.is_certain());
    let link = |(_, line): (u64, Line)| match line {
        Line::Link { link, stated: false } if any_certain => {
            Some(Link { confidence: Told::PLAIN, ..link })
        }
        Line::Link { link, .. } => Some(link),
        Line::Unsure { .. } => None,
    };
    Ok(lines.into_iter().filter_map(link).collect())
}

/// The ends that a links file names, as they are written there, each once, in order of appearance.
pub fn link_ends(path: &Path) -> Result<Vec<String>, IoError> {
    let ends = RefCell::new((Vec::new(), HashMap::new()));
    let number = |end: &str| {
        let (ends, known) = &mut *ends.borrow_mut();
        Ok(*known.entry(end.to_owned()).or_insert_with(|| {
            ends.push(end.to_owned());
            ends.len() - 1
        }))
    };
    parse_lines(path, &number)?;
    Ok(ends.into_inner().0)
}

/// What a line of a links file says.
pub(crate) enum Line {
    Link {
        link: Link,
        /// Whether a confidence is written.
        stated: bool,
    },
    /// That one cannot say.
    Unsure { a: usize, b: usize },
}

impl Line {
    /// Whether it says in writing that there is no doubt.
    pub(crate) fn is_certain(&self) -> bool {
        matches!(self, Line::Link { link, stated: true } if link.confidence == 1.0)
    }
}

/// Like [`read_links`], and also what is no link, each with the number of its line.
pub(crate) fn read_lines(
    path: &Path,
    n_points: usize,
    ids: Option<&[String]>,
) -> Result<Vec<(u64, Line)>, IoError> {
    let rows_by_id: Option<HashMap<&str, usize>> =
        ids.map(|ids| ids.iter().enumerate().map(|(row, id)| (id.as_str(), row)).collect());
    let find_row = |end: &str| match &rows_by_id {
        Some(rows) => rows.get(end).copied().ok_or_else(|| Problem::UnknownId {
            id: shorten(end),
            near: nearest(end, ids.unwrap_or_default()),
        }),
        None => match end.parse() {
            Ok(row) if row < n_points => Ok(row),
            Ok(row) => Err(Problem::OutOfRange { row, n_points }),
            Err(_) => Err(Problem::NotARow { text: shorten(end) }),
        },
    };
    parse_lines(path, &find_row)
}

fn parse_lines(
    path: &Path,
    find_row: &dyn Fn(&str) -> Result<usize, Problem>,
) -> Result<Vec<(u64, Line)>, IoError> {
    let mut records = Records::open(path, None, Dialect::Links)?;
    let mut lines = Vec::new();
    let mut order: [Option<usize>; 4] = [Some(0), Some(1), Some(2), Some(3)];
    let mut n_fields = None;
    let mut is_first = true;
    while let Some((line, record)) = records.next()? {
        let place = |problem| IoError::new(path, problem).at(At::Line(line));
        if std::mem::take(&mut is_first) && is_header(record) {
            order = header_order(record).map_err(place)?;
            n_fields = Some(record.len());
            continue;
        }
        let expected = n_fields.unwrap_or(record.len().clamp(3, 4));
        if record.len() != expected {
            return Err(place(ragged_link(record.len(), expected, n_fields.is_some())));
        }
        lines.push((line, parse_line(record, &order, find_row).map_err(place)?));
    }
    Ok(lines)
}

/// Whether a file of links says how sure they are, in any line; a 1 is then meant.
pub fn states_confidences(path: &Path) -> Result<bool, IoError> {
    let mut records = Records::open(path, None, Dialect::Links)?;
    let mut at = Some(3);
    let mut is_first = true;
    while let Some((line, record)) = records.next()? {
        let place = |problem| IoError::new(path, problem).at(At::Line(line));
        if std::mem::take(&mut is_first) && is_header(record) {
            at = header_order(record).map_err(place)?[3];
            continue;
        }
        let is_written = |field: &[u8]| !field.trim_ascii().is_empty();
        if at.and_then(|at| record.get(at)).is_some_and(is_written) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A first record is a header if it names the kind and does not state one.
fn is_header(record: &ByteRecord) -> bool {
    let is_name = |field: &[u8]| field.trim_ascii().eq_ignore_ascii_case(b"kind");
    let is_kind =
        |field: &[u8]| text_of(field).is_ok_and(|t| is_unsure(&t) || parse_kind(&t).is_some());
    record.iter().any(is_name) && !record.iter().any(is_kind)
}

/// Where each of the fields stands; a name that is not known may be a slip, so it is refused.
fn header_order(record: &ByteRecord) -> Result<[Option<usize>; 4], Problem> {
    let names: Vec<String> = record.iter().map(text_of).collect::<Result<_, _>>()?;
    let known = FIELDS.map(String::from);
    let is_known = |name: &&String| FIELDS.iter().any(|field| name.eq_ignore_ascii_case(field));
    if let Some(name) = names.iter().find(|name| !is_known(name)) {
        let near = nearest(name, &known);
        return Err(Problem::UnknownLinkField { name: shorten(name), near });
    }
    let order = FIELDS.map(|field| names.iter().position(|name| name.eq_ignore_ascii_case(field)));
    match FIELDS.into_iter().zip(order).take(3).find(|(_, at)| at.is_none()) {
        Some((field, _)) => Err(Problem::LinkField { field }),
        None => Ok(order),
    }
}

fn ragged_link(found: usize, expected: usize, has_header: bool) -> Problem {
    if !has_header && found < 3 {
        return Problem::LinkField { field: FIELDS[found] };
    }
    Problem::Ragged { expected, found }
}

fn parse_line(
    record: &ByteRecord,
    order: &[Option<usize>; 4],
    find_row: &dyn Fn(&str) -> Result<usize, Problem>,
) -> Result<Line, Problem> {
    let text = |field: usize| match order[field].and_then(|at| record.get(at)) {
        Some(bytes) => text_of(bytes),
        None => Ok(String::new()),
    };
    let needed = |field: usize| match text(field)? {
        text if text.is_empty() => Err(Problem::LinkField { field: FIELDS[field] }),
        text => Ok(text),
    };
    let (a, b, kind, confidence) = (needed(0)?, needed(1)?, needed(2)?, text(3)?);
    let rows = (find_row(&a)?, find_row(&b)?);
    if rows.0 == rows.1 {
        return Err(Problem::SelfLink { end: shorten(&a) });
    }
    if is_unsure(&kind) {
        return Ok(Line::Unsure { a: rows.0, b: rows.1 });
    }
    let kind = parse_kind(&kind).ok_or(Problem::UnknownKind { text: shorten(&kind) })?;
    let link = Link { a: rows.0, b: rows.1, kind, confidence: 1.0 };
    if confidence.is_empty() {
        return Ok(Line::Link { link, stated: false });
    }
    match confidence.parse() {
        Ok(value) if value > 0.0 && value <= 1.0 => {
            Ok(Line::Link { link: Link { confidence: value, ..link }, stated: true })
        }
        _ => Err(Problem::Confidence { text: shorten(&confidence) }),
    }
}

fn is_unsure(kind: &str) -> bool {
    kind.eq_ignore_ascii_case("unsure")
}

fn parse_kind(text: &str) -> Option<LinkKind> {
    match text.to_lowercase().replace('_', "-").as_str() {
        "must" | "ml" | "must-link" | "same" | "1" | "+1" => Some(LinkKind::Must),
        "cannot" | "cl" | "cannot-link" | "different" | "-1" => Some(LinkKind::Cannot),
        _ => None,
    }
}

/// Writes links as text (`.csv`, `.tsv`, `.txt`, also with `.gz`; `-` is standard output).
///
/// The confidence is left out where every link is certain.
pub fn write_links(path: &Path, links: &[Link], ids: Option<&[String]>) -> Result<(), IoError> {
    let format = Format::of(path)?;
    let end = |row: usize| match ids {
        None => Ok(row.to_string()),
        Some(ids) => ids
            .get(row)
            .cloned()
            .ok_or_else(|| IoError::new(path, Problem::OutOfRange { row, n_points: ids.len() })),
    };
    let certain = links.iter().all(|link| link.confidence == 1.0);
    let n_fields = if certain { 3 } else { 4 };
    let mut records = Vec::with_capacity(links.len());
    for link in links {
        let kind = match link.kind {
            LinkKind::Must => "must",
            LinkKind::Cannot => "cannot",
        };
        records.push([end(link.a)?, end(link.b)?, kind.into(), link.confidence.to_string()]);
    }
    match format.encoding() {
        Encoding::Text(text) => write_text(path, text, |csv| {
            csv.write_record(&FIELDS[..n_fields])?;
            records.iter().try_for_each(|record| csv.write_record(&record[..n_fields]))
        }),
        Encoding::Npy | Encoding::Columnar(_) => {
            let problem = Problem::CannotHold { format, what: "links", accepted: Format::TEXT };
            Err(IoError::new(path, problem))
        }
    }
}
