//! Answers files: a links file that grows with every answer, each on the disk before the next
//! question.

use crate::error::{IoError, Problem};
use crate::format::Format;
use crate::links::{Line, read_lines};
use crate::write::write_beside;
use linkshift::LinkKind;
use linkshift::ask::{Answer, Kind, Reply, Told};
use linkshift::params::Named;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// How an answers file begins.
const HEADER: &[u8] = b"a,b,kind\n";

/// How it begins when some answers were said with certainty: those have confidence 1.
const HEADER_WITH_CONFIDENCE: &[u8] = b"a,b,kind,confidence\n";

/// The words that end a line.
const KINDS: [&str; 3] = ["must", "cannot", "unsure"];

/// A file that answers are added to.
///
/// It is a links file (`a,b,kind` with kind must, cannot or unsure), so methods read it as it is. An
/// answer of several pairs stands below a comment that says so (`# place 3`), and is read as a whole
/// or, when its end is missing, not at all.
///
/// ```
/// use linkshift::Link;
/// use linkshift::ask::{Answer, Choice, Reply};
/// use linkshift_io::{AnswersFile, read_links};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("answers.csv");
/// let (mut file, replies) = AnswersFile::open(&path, 9, None)?;
/// assert_eq!(replies, []);
/// file.append(&Reply::pair(3, 8, Answer::Same))?; // on the disk from here on
/// file.append(&Reply::place(4, &[vec![8], vec![2]], Choice::Group(1))?)?;
///
/// let (_, replies) = AnswersFile::open(&path, 9, None)?;
/// assert_eq!(replies.len(), 2);
/// let links = read_links(&path, 9, None)?;
/// assert_eq!(links, [Link::must(3, 8), Link::cannot(4, 8), Link::must(4, 2)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct AnswersFile {
    path: PathBuf,
    ids: Option<Vec<String>>,
    file: File,
    /// What the file holds.
    replies: Vec<Reply>,
    has_confidence: bool,
    dropped: Option<String>,
}

impl AnswersFile {
    /// Opens a file, or begins one, and gives the answers it holds.
    ///
    /// A last answer that was cut off in the middle, as by a power failure, is dropped; see
    /// [`dropped`](Self::dropped). A file that does not begin like an answers file is left alone.
    pub fn open(
        path: &Path,
        n_points: usize,
        ids: Option<&[String]>,
    ) -> Result<(Self, Vec<Reply>), IoError> {
        check_name(path)?;
        let content = match fs::read(path) {
            Ok(content) => content,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                write_beside(path, |file| file.write_all(HEADER))?;
                HEADER.to_vec()
            }
            Err(error) => return Err(IoError::reading(path, error)),
        };
        let has_confidence = content.starts_with(HEADER_WITH_CONFIDENCE);
        if !has_confidence && !content.starts_with(HEADER) {
            return Err(IoError::new(path, Problem::NotAnswers));
        }
        let n_whole = content.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        if let Some(line) = open_quote(&content[..n_whole]) {
            return Err(IoError::new(path, Problem::OpenQuote { line }));
        }
        let mut rest = String::from_utf8_lossy(&content[n_whole..]).into_owned();
        let is_whole = rest.is_empty() || is_whole_line(&rest, has_confidence);
        if !is_whole {
            write_beside(path, |file| file.write_all(&content[..n_whole]))?;
        } else if !rest.is_empty() {
            // A line of a person's hand that lacks its end.
            write_beside(path, |file| {
                file.write_all(&content).and_then(|()| file.write_all(b"\n"))
            })?;
            rest.clear();
        }
        let lines = read_lines(path, n_points, ids)?;
        let (replies, n_missing) = replies(lines, &markers(&content));
        let file = open_to_append(path)?;
        let ids = ids.map(<[_]>::to_vec);
        let mut opened = AnswersFile {
            path: path.to_owned(),
            ids,
            file,
            replies,
            has_confidence,
            dropped: None,
        };
        if n_missing > 0 {
            // An answer of several lines whose end is missing: none of it counts.
            let text = String::from_utf8_lossy(&content);
            let marked = text.rfind("\n# ").map_or(0, |at| at + 1);
            rest = text[marked..].trim_end().replace('\n', " / ");
            let kept = opened.replies.clone();
            opened.rewrite(&kept)?;
        }
        opened.dropped = (!rest.is_empty()).then_some(rest);
        let replies = opened.replies.clone();
        Ok((opened, replies))
    }

    /// The unfinished answer that was dropped on opening, if there was one.
    pub fn dropped(&self) -> Option<&str> {
        self.dropped.as_deref()
    }

    /// Adds an answer; it is on the disk when this returns, all of it or, at an error, nothing.
    pub fn append(&mut self, reply: &Reply) -> Result<(), IoError> {
        if reply.told().iter().any(|told| told.certain) && !self.has_confidence {
            let mut replies = self.replies.clone();
            replies.push(reply.clone());
            return self.rewrite(&replies);
        }
        let lines = self.lines(reply, self.has_confidence)?;
        // One write for the whole answer: a process that is killed has written all of it or nothing.
        let written = self.file.write_all(&lines).and_then(|()| self.file.sync_data());
        written.map_err(|error| IoError::writing(&self.path, error))?;
        self.replies.push(reply.clone());
        Ok(())
    }

    /// Replaces all answers, in one step: after a crash there are the old ones or the new ones.
    pub fn rewrite(&mut self, replies: &[Reply]) -> Result<(), IoError> {
        let any_certain = replies.iter().flat_map(Reply::told).any(|told| told.certain);
        let has_confidence = self.has_confidence || any_certain;
        let lines: Vec<Vec<u8>> = replies
            .iter()
            .map(|reply| self.lines(reply, has_confidence))
            .collect::<Result<_, _>>()?;
        write_beside(&self.path, |file| {
            file.write_all(if has_confidence { HEADER_WITH_CONFIDENCE } else { HEADER })?;
            lines.iter().try_for_each(|line| file.write_all(line))
        })?;
        self.file = open_to_append(&self.path)?;
        self.has_confidence = has_confidence;
        self.replies = replies.to_vec();
        Ok(())
    }

    /// All lines of an answer.
    fn lines(&self, reply: &Reply, has_confidence: bool) -> Result<Vec<u8>, IoError> {
        let failed = |error: String| IoError::writing(&self.path, io::Error::other(error));
        let mut text = Vec::new();
        if reply.kind() != Kind::Pair {
            text = format!("# {} {}\n", reply.kind().name(), reply.told().len()).into_bytes();
        }
        // An id that begins like a comment is put in quotes.
        let mut csv = csv::WriterBuilder::new().comment(Some(b'#')).from_writer(text);
        for told in reply.told() {
            let kind = match told.answer {
                Answer::Same => "must",
                Answer::Different => "cannot",
                Answer::Unsure => "unsure",
            };
            let confidence = if told.certain && told.link().is_some() { "1" } else { "" };
            let (a, b) = (self.end(told.a)?, self.end(told.b)?);
            let record = [a.as_str(), b.as_str(), kind, confidence];
            let n_fields = if has_confidence { 4 } else { 3 };
            csv.write_record(&record[..n_fields]).map_err(|error| failed(error.to_string()))?;
        }
        csv.into_inner().map_err(|error| failed(error.to_string()))
    }

    fn end(&self, row: usize) -> Result<String, IoError> {
        match &self.ids {
            None => Ok(row.to_string()),
            Some(ids) => ids.get(row).cloned().ok_or_else(|| {
                IoError::new(&self.path, Problem::OutOfRange { row, n_points: ids.len() })
            }),
        }
    }
}

fn is_whole_line(line: &str, has_confidence: bool) -> bool {
    let end = match has_confidence {
        true => line.trim_end_matches('1').strip_suffix(','),
        false => Some(line),
    };
    end.is_some_and(|end| KINDS.iter().any(|kind| end.ends_with(kind)))
}

/// A comment that says how many of the next lines are one answer, and of which kind.
struct Marker {
    line: u64,
    kind: Kind,
    n_pairs: usize,
}

fn markers(content: &[u8]) -> Vec<Marker> {
    let text = String::from_utf8_lossy(content);
    let marker = |(at, line): (usize, &str)| {
        let (kind, n_pairs) = line.strip_prefix("# ")?.trim_end().split_once(' ')?;
        let (kind, n_pairs) = (Kind::parse(kind)?, n_pairs.parse().ok()?);
        Some(Marker { line: at as u64 + 1, kind, n_pairs })
    };
    text.split('\n').enumerate().filter_map(marker).collect()
}

/// Lines as answers, and how many lines the last one lacks; then it is not among them.
fn replies(lines: Vec<(u64, Line)>, markers: &[Marker]) -> (Vec<Reply>, usize) {
    let mut replies = Vec::new();
    let mut lines = lines.into_iter().map(|(line, said)| (line, told(said))).peekable();
    let mut markers = markers.iter().peekable();
    loop {
        let next = lines.peek().map_or(u64::MAX, |&(line, _)| line);
        let Some(marker) = markers.next_if(|marker| marker.line < next) else {
            match lines.next() {
                Some((_, told)) => replies.push(Reply::from(told)),
                None => return (replies, 0),
            }
            continue;
        };
        let end = markers.peek().map_or(u64::MAX, |marker| marker.line);
        let mut pairs = Vec::new();
        while pairs.len() < marker.n_pairs
            && let Some((_, told)) = lines.next_if(|&(line, _)| line < end)
        {
            pairs.push(told);
        }
        let n_missing = marker.n_pairs - pairs.len();
        if n_missing > 0 && lines.peek().is_none() && end == u64::MAX {
            return (replies, n_missing);
        }
        // Lines that a person took out by hand are not missed.
        match Reply::of(marker.kind, pairs.clone()) {
            Ok(reply) => replies.push(reply),
            Err(_) => replies.extend(pairs.into_iter().map(Reply::from)),
        }
    }
}

fn told(line: Line) -> Told {
    let certain = line.is_certain();
    match line {
        Line::Link { link, .. } => {
            let same = link.kind == LinkKind::Must;
            let answer = if same { Answer::Same } else { Answer::Different };
            Told { certain, ..Told::new(link.a, link.b, answer) }
        }
        Line::Unsure { a, b } => Told::new(a, b, Answer::Unsure),
    }
}

/// The line, counted from 1, of a quote that nothing closes. Comments may hold any quotes.
fn open_quote(content: &[u8]) -> Option<usize> {
    let mut opened = None;
    for (at, line) in content.split(|&byte| byte == b'\n').enumerate() {
        if opened.is_none() && line.starts_with(b"#") {
            continue;
        }
        if line.iter().filter(|&&byte| byte == b'"').count() % 2 == 1 {
            opened = if opened.is_none() { Some(at + 1) } else { None };
        }
    }
    opened
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
