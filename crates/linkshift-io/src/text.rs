//! Delimited text: records with the line they start on, and tables made of them.

use crate::columns::{Choose, no_numeric_column, numbered};
use crate::error::{At, IntakeProblem, IoError, Problem, shorten};
use crate::format::{TextFile, text_read_error};
use crate::gathered::Holds;
use crate::number;
use crate::table::{Header, ReadOptions, Rows};
use csv::{ByteRecord, Terminator};
use linkshift::Real;
use std::io::{BufRead, Cursor, Read};
use std::path::{Path, PathBuf};

/// What the text is about, which settles what its form leaves open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// Every line is a row; spaces separate only numbers, for names may contain them.
    Table,
    /// Lines that begin with `#` are comments; spaces separate where nothing else does.
    Links,
}

/// A stream of records, each with its line.
pub(crate) struct Records {
    file: PathBuf,
    gz: bool,
    csv: csv::Reader<Box<dyn Read>>,
    /// Runs of spaces separate fields, so empty fields do not count.
    spaces: bool,
    record: ByteRecord,
}

impl Records {
    /// Opens a file; without a delimiter it is guessed from the first line that has content.
    pub(crate) fn open(
        file: &Path,
        delimiter: Option<u8>,
        dialect: Dialect,
    ) -> Result<Self, IoError> {
        let comment = (dialect == Dialect::Links).then_some(b'#');
        let TextFile { mut content, gz } = TextFile::open(file)?;
        let mut start = Vec::new();
        if delimiter.is_none() {
            start = read_first_line(&mut content, comment)
                .map_err(|error| text_read_error(file, gz, error))?;
        }
        let delimiter = delimiter.unwrap_or_else(|| guess_delimiter(last_line(&start), dialect));
        // A newline at the end makes the last record like all others: its line is complete.
        let content = Cursor::new(start).chain(content).chain(&b"\n"[..]);
        let csv = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(delimiter)
            .comment(comment)
            // With newlines only, the line after a record is always counted; carriage returns
            // stay at the end of the last field and are trimmed with other white space.
            .terminator(Terminator::Any(b'\n'))
            .from_reader(Box::new(content) as Box<dyn Read>);
        let spaces = delimiter == b' ';
        Ok(Records { file: file.to_owned(), gz, csv, spaces, record: ByteRecord::new() })
    }

    /// The next record that is not blank, and its first line.
    pub(crate) fn next(&mut self) -> Result<Option<(u64, &ByteRecord)>, IoError> {
        loop {
            if !self.csv.read_byte_record(&mut self.record).map_err(|e| self.csv_error(e))? {
                return Ok(None);
            }
            if self.spaces {
                self.record = self.record.iter().filter(|f| !f.trim_ascii().is_empty()).collect();
            }
            if self.record.as_slice().iter().any(|byte| !byte.is_ascii_whitespace())
                || self.record.len() > 1
            {
                break;
            }
        }
        // The reader stands on the line after the record; quoted fields may span lines.
        let inside = self.record.as_slice().iter().filter(|&&byte| byte == b'\n').count() as u64;
        Ok(Some((self.csv.position().line() - 1 - inside, &self.record)))
    }

    fn csv_error(&self, error: csv::Error) -> IoError {
        match error.into_kind() {
            csv::ErrorKind::Io(error) => text_read_error(&self.file, self.gz, error),
            other => {
                let reason = format!("{other:?}");
                IoError::new(&self.file, Problem::Damaged { format: "text", reason })
            }
        }
    }
}

/// All bytes up to the end of the first line that is neither blank nor a comment.
fn read_first_line(content: &mut dyn BufRead, comment: Option<u8>) -> std::io::Result<Vec<u8>> {
    /// A file without line ends must not fill the memory before it is refused.
    const MOST: u64 = 1 << 20;
    let mut content = content.take(MOST);
    let mut start = Vec::new();
    loop {
        let before = start.len();
        if content.read_until(b'\n', &mut start)? == 0 {
            return Ok(start);
        }
        let line = start[before..].trim_ascii();
        if !line.is_empty() && line.first() != comment.as_ref() {
            return Ok(start);
        }
    }
}

fn last_line(start: &[u8]) -> &[u8] {
    let start = start.trim_ascii_end();
    start.rsplit(|&byte| byte == b'\n').next().unwrap_or_default()
}

/// The commonest candidate outside quotes; else spaces where the dialect allows, or a comma.
fn guess_delimiter(line: &[u8], dialect: Dialect) -> u8 {
    let mut quoted = false;
    let mut counts = [(b',', 0), (b';', 0), (b'\t', 0), (b'|', 0)];
    for &byte in line {
        quoted ^= byte == b'"';
        for (delimiter, count) in &mut counts {
            *count += u32::from(!quoted && byte == *delimiter);
        }
    }
    // `rev`: among equals `max_by_key` takes the last, and the comma shall win.
    match counts.into_iter().rev().max_by_key(|&(_, count)| count) {
        Some((delimiter, count)) if count > 0 => delimiter,
        _ => {
            let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
            if dialect == Dialect::Links || words.all(number::is_number) { b' ' } else { b',' }
        }
    }
}

/// Records that are read at a time.
const BATCH_ROWS: usize = 1024;

/// A table of text that is open for reading.
pub(crate) struct TextTable {
    file: PathBuf,
    records: Records,
    n_fields: usize,
    /// The first record, if it is a row, and its line.
    pending: Option<(u64, ByteRecord)>,
}

impl TextTable {
    /// Opens a file; the rows that come with it are none yet.
    pub(crate) fn open<T: Real>(
        file: &Path,
        delimiter: Option<u8>,
        options: &ReadOptions,
        choose: Choose,
    ) -> Result<(Self, Rows<T>), IoError> {
        let mut records = Records::open(file, delimiter, Dialect::Table)?;
        let Some((line, first)) = records.next()? else {
            return Err(IoError::new(file, Problem::Empty));
        };
        let has_header = match options.header {
            Header::Yes => true,
            Header::No => false,
            Header::Auto => !first.iter().all(number::is_number),
        };
        let n_fields = first.len();
        let names = if has_header {
            first.iter().map(text_of).collect::<Result<Vec<String>, Problem>>()
        } else {
            Ok(numbered(n_fields))
        };
        let names = names.map_err(|problem| IoError::new(file, problem).at(At::Line(line)))?;
        let pending = (!has_header).then(|| (line, first.clone()));
        let roles = choose(&names, None)?;
        let columns = roles.gathered(options);
        let rows = Rows::new(names, roles, columns).within(options.most_bytes);
        Ok((Self { file: file.to_owned(), records, n_fields, pending }, rows))
    }

    /// Adds the next records to the rows; whether there were any.
    pub(crate) fn append_to<T: Real>(&mut self, rows: &mut Rows<T>) -> Result<bool, IoError> {
        let Self { file, records, n_fields, pending } = self;
        let before = rows.n_rows;
        if let Some((line, record)) = pending.take() {
            push(file, rows, line, &record)?;
        }
        while rows.n_rows < before + BATCH_ROWS {
            let Some((line, record)) = records.next()? else { break };
            if record.len() != *n_fields {
                let problem = Problem::Ragged { expected: *n_fields, found: record.len() };
                return Err(IoError::new(file, problem).at(At::Line(line)));
            }
            push(file, rows, line, record)?;
        }
        Ok(rows.n_rows > before)
    }
}

/// Reads a whole table.
pub(crate) fn read<T: Real>(
    file: &Path,
    delimiter: Option<u8>,
    options: &ReadOptions,
    choose: Choose,
) -> Result<Rows<T>, IoError> {
    let (mut content, mut rows) = TextTable::open(file, delimiter, options, choose)?;
    while content.append_to(&mut rows)? {}
    Ok(rows)
}

/// Adds one record to the rows.
fn push<T: Real>(
    file: &Path,
    rows: &mut Rows<T>,
    line: u64,
    record: &ByteRecord,
) -> Result<(), IoError> {
    let text_bytes = rows.roles.texts().map(|column| record[column].len()).sum();
    rows.make_room(1, text_bytes).map_err(|problem| IoError::new(file, problem))?;
    let Rows { names, roles, columns, values, weights, labels, ids, contents, .. } = rows;
    let place = |problem: Problem, column: usize| {
        IoError::new(file, problem).at(At::Line(line)).column(&names[column])
    };
    for (gathered, &column) in columns.iter_mut().zip(&roles.features) {
        let field = &record[column];
        if gathered.holds == Holds::List {
            return Err(IoError::new(file, IntakeProblem::NoLists).column(&names[column]));
        }
        let parsed = match gathered.holds {
            Holds::Texts | Holds::Dates => Err(Problem::NoValue),
            _ => number::parse_or_gap(field),
        };
        values.push(match parsed {
            Ok(Some(value)) => {
                gathered.holds = Holds::Numbers;
                value
            }
            Ok(None) => T::nan(),
            Err(problem) => {
                let text = text_of(field).map_err(|problem| place(problem, column))?;
                let is_text = matches!(problem, Problem::NotANumber { .. } | Problem::NoValue);
                if let Some(number) = is_text.then(|| gathered.date(&text)).flatten() {
                    T::of(number)
                } else if gathered.holds == Holds::Dates && number::is_missing(field) {
                    T::nan()
                } else if is_text && (text.is_empty() || gathered.takes(&text)) {
                    gathered.code(&text)
                } else {
                    let problem = match problem {
                        _ if gathered.holds == Holds::Dates => {
                            Problem::NotADate { text: shorten(&text) }
                        }
                        Problem::NoValue => Problem::NotANumber { text: shorten(&text) },
                        problem => problem,
                    };
                    let nothing_fits = matches!(problem, Problem::NotANumber { .. })
                        && rows.n_rows == 0
                        && !roles.features.iter().any(|&at| number::is_number(&record[at]));
                    return Err(match nothing_fits {
                        true => no_numeric_column(file, names),
                        false => place(problem, column),
                    });
                }
            }
        });
    }
    if let Some(column) = roles.weight {
        weights.push(number::parse(&record[column]).map_err(|problem| place(problem, column))?);
    }
    if let Some(column) = roles.label {
        labels.push(&text_of(&record[column]).map_err(|problem| place(problem, column))?);
    }
    if let Some(column) = roles.id {
        ids.push(text_of(&record[column]).map_err(|problem| place(problem, column))?);
    }
    if let Some(column) = roles.content {
        contents.push(text_of(&record[column]).map_err(|problem| place(problem, column))?);
    }
    rows.lines.push(rows.n_rows, line);
    rows.n_rows += 1;
    Ok(())
}

pub(crate) fn text_of(field: &[u8]) -> Result<String, Problem> {
    let text = std::str::from_utf8(field).map_err(|_| Problem::NotUtf8)?;
    Ok(text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delimiters_are_guessed_from_the_first_line() {
        let guess = |line: &[u8]| guess_delimiter(line, Dialect::Table);
        assert_eq!(guess(b"x,y"), b',');
        assert_eq!(guess(b"x;y;z"), b';');
        assert_eq!(guess(b"x\ty"), b'\t');
        assert_eq!(guess(b"\"a,b\"|c"), b'|');
        assert_eq!(guess(b"  0.5   -1e3"), b' ');
        assert_eq!(guess(b"petal width"), b',');
        assert_eq!(guess_delimiter(b"ann bob must", Dialect::Links), b' ');
    }

    #[test]
    fn lines_are_those_an_editor_shows() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("lines.csv");
        // Blank lines, a quoted field over two lines, carriage returns, no newline at the end.
        let text = "\n\na,b\r\n1,2\r\n\r\n \n3,4\n\"x\ny\",6\n7,\"8\"\r\n9,10";
        std::fs::write(&file, text).unwrap();
        let mut records = Records::open(&file, None, Dialect::Table).unwrap();
        let mut lines = Vec::new();
        while let Some((line, record)) = records.next().unwrap() {
            lines.push((line, text_of(&record[1]).unwrap()));
        }
        let lines: Vec<(u64, &str)> = lines.iter().map(|(l, text)| (*l, text.as_str())).collect();
        // Derived by counting the newlines above.
        assert_eq!(lines, [(3, "b"), (4, "2"), (7, "4"), (8, "6"), (10, "8"), (11, "10")]);
    }
}
