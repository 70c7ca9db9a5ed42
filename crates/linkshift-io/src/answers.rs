//! Answers files: a links file that grows by one line per answer, each on the disk before the next
//! question.

use crate::error::{IoError, Problem};
use crate::format::Format;
use crate::links::{Line, read_lines};
use crate::write::write_beside;
use linkshift::LinkKind;
use linkshift::ask::{Answer, Told};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// How every answers file begins.
const HEADER: &[u8] = b"a,b,kind\n";

/// The words that end a line.
const KINDS: [&str; 3] = ["must", "cannot", "unsure"];

/// A file that answers are added to.
///
/// It is a links file (`a,b,kind` with kind must, cannot or unsure), so methods read it as it is.
///
/// ```
/// use linkshift::Link;
/// use linkshift::ask::{Answer, Told};
/// use linkshift_io::{AnswersFile, read_links};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("answers.csv");
/// let (mut file, told) = AnswersFile::open(&path, 9, None)?;
/// assert_eq!(told, []);
/// file.append(&Told { a: 3, b: 8, answer: Answer::Same })?; // on the disk from here on
/// file.append(&Told { a: 3, b: 5, answer: Answer::Unsure })?;
///
/// let (_, told) = AnswersFile::open(&path, 9, None)?;
/// assert_eq!(told.len(), 2);
/// assert_eq!(read_links(&path, 9, None)?, [Link::must(3, 8)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct AnswersFile {
    path: PathBuf,
    ids: Option<Vec<String>>,
    file: File,
    dropped: Option<String>,
}

impl AnswersFile {
    /// Opens a file, or begins one, and gives the answers it holds.
    ///
    /// A last line that was cut off in the middle, as by a power failure, is dropped; see
    /// [`dropped`](Self::dropped). A file that does not begin like an answers file is left alone.
    pub fn open(
        path: &Path,
        n_points: usize,
        ids: Option<&[String]>,
    ) -> Result<(Self, Vec<Told>), IoError> {
        check_name(path)?;
        let content = match fs::read(path) {
            Ok(content) => content,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                write_beside(path, |file| file.write_all(HEADER))?;
                HEADER.to_vec()
            }
            Err(error) => return Err(IoError::reading(path, error)),
        };
        if !content.starts_with(HEADER) {
            return Err(IoError::new(path, Problem::NotAnswers));
        }
        let n_whole = content.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let rest = String::from_utf8_lossy(&content[n_whole..]).into_owned();
        let is_whole = rest.is_empty() || KINDS.iter().any(|kind| rest.ends_with(kind));
        if !is_whole {
            write_beside(path, |file| file.write_all(&content[..n_whole]))?;
        } else if !rest.is_empty() {
            // A line of a person's hand that lacks its end.
            write_beside(path, |file| {
                file.write_all(&content).and_then(|()| file.write_all(b"\n"))
            })?;
        }
        let told = read_lines(path, n_points, ids)?.into_iter().map(told).collect();
        let file = open_to_append(path)?;
        let dropped = (!is_whole).then_some(rest);
        Ok((
            AnswersFile { path: path.to_owned(), ids: ids.map(<[_]>::to_vec), file, dropped },
            told,
        ))
    }

    /// The unfinished line that was dropped on opening, if there was one.
    pub fn dropped(&self) -> Option<&str> {
        self.dropped.as_deref()
    }

    /// Adds an answer; when this returns, it is on the disk.
    pub fn append(&mut self, told: &Told) -> Result<(), IoError> {
        let line = self.line(told)?;
        // One write for the whole line: a process that is killed has written all of it or nothing.
        let written = self.file.write_all(&line).and_then(|()| self.file.sync_data());
        written.map_err(|error| IoError::writing(&self.path, error))
    }

    /// Replaces all answers, in one step: after a crash there are the old ones or the new ones.
    pub fn rewrite(&mut self, told: &[Told]) -> Result<(), IoError> {
        let lines: Vec<Vec<u8>> =
            told.iter().map(|told| self.line(told)).collect::<Result<_, _>>()?;
        write_beside(&self.path, |file| {
            file.write_all(HEADER)?;
            lines.iter().try_for_each(|line| file.write_all(line))
        })?;
        self.file = open_to_append(&self.path)?;
        Ok(())
    }

    fn line(&self, told: &Told) -> Result<Vec<u8>, IoError> {
        let end = |row: usize| match &self.ids {
            None => Ok(row.to_string()),
            Some(ids) => ids.get(row).cloned().ok_or_else(|| {
                IoError::new(&self.path, Problem::OutOfRange { row, n_points: ids.len() })
            }),
        };
        let kind = match told.answer {
            Answer::Same => "must",
            Answer::Different => "cannot",
            Answer::Unsure => "unsure",
        };
        let mut csv = csv::Writer::from_writer(Vec::new());
        let failed = |error: String| IoError::writing(&self.path, io::Error::other(error));
        csv.write_record([&end(told.a)?, &end(told.b)?, kind])
            .map_err(|e| failed(e.to_string()))?;
        csv.into_inner().map_err(|error| failed(error.to_string()))
    }
}

fn told(line: Line) -> Told {
    match line {
        Line::Link(link) => {
            let same = link.kind == LinkKind::Must;
            let answer = if same { Answer::Same } else { Answer::Different };
            Told { a: link.a, b: link.b, answer }
        }
        Line::Unsure { a, b } => Told { a, b, answer: Answer::Unsure },
    }
}

fn open_to_append(path: &Path) -> Result<File, IoError> {
    OpenOptions::new().append(true).open(path).map_err(|error| IoError::writing(path, error))
}

/// Answers are added line by line: to plain text, in a file.
fn check_name(path: &Path) -> Result<(), IoError> {
    let is_text = matches!(Format::of(path), Ok(Format::Csv { gz: false }));
    if is_text && path != Path::new("-") {
        return Ok(());
    }
    Err(IoError::new(path, Problem::AnswersName))
}
