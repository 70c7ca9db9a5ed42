//! What is read: points with what stands beside them, and links.

use crate::failure::{Failure, Result};
use clap::Args;
use linkshift::error::LinkError;
use linkshift::links::Consistent;
use linkshift::{Link, Links, Real};
use linkshift_io::{Header, ReadOptions, Table, read_links, read_table, states_confidences};
use std::path::{Path, PathBuf};

/// How a table of points is read; the same options wherever one is.
#[derive(Debug, Args)]
pub(crate) struct TableArgs {
    /// Points: .csv, .tsv (also .gz), .parquet, .arrow or .npy; - is CSV from standard input
    #[arg(value_name = "DATA")]
    pub(crate) data: PathBuf,
    /// Columns to cluster by, e.g. x,y [default: the only one of lists, or all of numbers]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    columns: Option<Vec<String>>,
    /// Column of known classes, used only for scores and for drawing links
    #[arg(long, value_name = "NAME")]
    pub(crate) label_column: Option<String>,
    /// Column of ids, all different; links then name ids instead of row numbers
    #[arg(long, value_name = "NAME")]
    id_column: Option<String>,
    /// Column of weights: a point of weight 2 counts like two equal points
    #[arg(long, value_name = "NAME")]
    weight_column: Option<String>,
    /// What separates the fields of a text file [default: guessed from the first line]
    #[arg(long, value_name = "CHAR", value_parser = parse_delimiter)]
    delimiter: Option<u8>,
    /// The text file does not begin with the names of its columns, which are then f0, f1, …
    #[arg(long)]
    no_header: bool,
}

impl TableArgs {
    /// Where the points come from, for people.
    pub(crate) fn source(&self) -> String {
        match self.data.to_str() {
            Some("-") => "standard input".into(),
            _ => self.data.display().to_string(),
        }
    }

    /// The files that DATA names, in order: itself, or those that fit it as a pattern.
    pub(crate) fn files(&self) -> Result<Vec<PathBuf>> {
        let name = self.data.to_string_lossy();
        if self.data.exists() || !name.contains(['*', '?', '[']) {
            return Ok(vec![self.data.clone()]);
        }
        let found = glob::glob(&name).map_err(|error| {
            Failure::Input(format!("{name}: it is no pattern of file names ({error})"))
        })?;
        let files = found.collect::<std::result::Result<Vec<_>, _>>();
        let files = files.map_err(|error| Failure::Input(error.to_string()))?;
        match files.is_empty() {
            true => Err(Failure::Input(format!("{name}: no file has such a name"))),
            false => Ok(files),
        }
    }

    /// Only what stands beside the points: ids and labels, of all rows.
    pub(crate) fn read_beside(&self) -> Result<Table<f64>> {
        let options = ReadOptions { columns: Some(Vec::new()), ..self.options() };
        Ok(read_table(&self.data, &options)?)
    }

    /// The same options as words of another command.
    pub(crate) fn words(&self) -> Vec<String> {
        let text = |name: &str, value: &Option<String>| {
            value.iter().flat_map(|value| [name.to_owned(), value.clone()]).collect::<Vec<_>>()
        };
        let mut words = vec![self.data.display().to_string()];
        words.extend(text("--columns", &self.columns.as_ref().map(|names| names.join(","))));
        words.extend(text("--id-column", &self.id_column));
        words.extend(text("--weight-column", &self.weight_column));
        words.extend(text("--label-column", &self.label_column));
        words.extend(text("--delimiter", &self.delimiter.map(|byte| char::from(byte).to_string())));
        words.extend(self.no_header.then(|| "--no-header".to_owned()));
        words
    }

    /// The column of ids, if one is named.
    pub(crate) fn id_column(&self) -> Option<&str> {
        self.id_column.as_deref()
    }

    /// What the options say of the table.
    pub(crate) fn options(&self) -> ReadOptions {
        ReadOptions {
            columns: self.columns.clone(),
            label_column: self.label_column.clone(),
            id_column: self.id_column.clone(),
            weight_column: self.weight_column.clone(),
            delimiter: self.delimiter,
            header: if self.no_header { Header::No } else { Header::Auto },
            ..ReadOptions::default()
        }
    }
}

fn parse_delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        [byte] if byte.is_ascii() => Ok(*byte),
        _ if matches!(text, "\\t" | "tab") => Ok(b'\t'),
        _ => Err("give one ASCII character, or tab".into()),
    }
}

/// The number types that points can be computed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Dtype {
    F32,
    F64,
}

/// What becomes of links that contradict each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Contradictions {
    /// They are an error, with the chain that shows it
    Error,
    /// The least sure of them are left out, and listed; equally sure: must-links before cannot-links
    DropWeakest,
}

/// Links from a file. Whoever uses them closes them; what is wrong with them then is told in terms
/// of the file by [`explained`](Self::explained).
#[derive(Debug)]
pub(crate) struct LinksFile<'a> {
    path: Option<&'a Path>,
    ids: Option<&'a [String]>,
    pub(crate) links: Links,
    /// Those that were left out because they contradict surer ones.
    pub(crate) dropped: Vec<Link>,
}

impl<'a> LinksFile<'a> {
    /// Links that were read by other means.
    pub(crate) fn new(path: Option<&'a Path>, ids: Option<&'a [String]>, links: Links) -> Self {
        Self { path, ids, links, dropped: Vec::new() }
    }

    /// Reads links; none if there is no file.
    pub(crate) fn read(
        path: Option<&'a Path>,
        n_points: usize,
        ids: Option<&'a [String]>,
    ) -> Result<Self> {
        let links = match path {
            Some(path) => {
                let links: Links = read_links(path, n_points, ids)?.into_iter().collect();
                let can_read_again = path != Path::new("-");
                match can_read_again && states_confidences(path)? {
                    true => links.stated(),
                    false => links,
                }
            }
            None => Links::new(),
        };
        Ok(Self { path, ids, links, dropped: Vec::new() })
    }

    /// Links between the rows of a table, as a file names them; where rows were dropped, with all that
    /// follows for the others.
    pub(crate) fn of_table<T: Real>(path: Option<&'a Path>, table: &'a Table<T>) -> Result<Self> {
        let read = Self::read(path, table.n_file_rows, table.file_ids())?;
        let links = match &table.kept_rows {
            Some(kept) => read.links.restrict(kept),
            None => read.links,
        };
        Ok(Self { links, ids: table.ids.as_deref(), ..read })
    }

    /// The same without contradictions, if that is wanted.
    pub(crate) fn settled(self, contradictions: Contradictions, n_points: usize) -> Result<Self> {
        match contradictions {
            Contradictions::Error => Ok(self),
            Contradictions::DropWeakest => {
                let consistent = self.links.consistent(n_points);
                let Consistent { kept, dropped, .. } =
                    consistent.map_err(|error| self.explained(error))?;
                Ok(Self { links: kept, dropped, ..self })
            }
        }
    }

    /// An error about links in terms of the file: its name, and ids where it has them.
    pub(crate) fn explained(&self, error: linkshift::Error) -> Failure {
        let (linkshift::Error::Links(problem), Some(path)) = (&error, self.path) else {
            return error.into();
        };
        let text = match (problem, self.ids) {
            (LinkError::Contradiction { cannot, chain }, Some(ids)) => {
                contradiction_by_id(cannot, chain, ids)
            }
            _ => error.to_string(),
        };
        Failure::Input(format!("{}: {text}", path.display()))
    }
}

fn contradiction_by_id(cannot: &Link, chain: &[Link], ids: &[String]) -> String {
    let mut at = cannot.a;
    let mut walk = vec![ids[at].as_str()];
    for link in chain {
        at = if link.a == at { link.b } else { link.a };
        walk.push(&ids[at]);
    }
    format!(
        "the links contradict each other: cannot {}–{}, but must-links put them together: {}; \
         remove one of these links",
        ids[cannot.a],
        ids[cannot.b],
        walk.join(" – ")
    )
}
