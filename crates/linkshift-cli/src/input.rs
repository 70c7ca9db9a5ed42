//! What is read: points with what stands beside them, and links.

use crate::failure::{Failure, Result};
use clap::Args;
use linkshift::error::LinkError;
use linkshift::{Link, LinkClosure, Links, Real};
use linkshift_io::{Header, ReadOptions, Table, read_links, read_table};
use std::path::{Path, PathBuf};

/// How a table of points is read; the same options wherever one is.
#[derive(Debug, Args)]
pub(crate) struct TableArgs {
    /// Points: .csv, .tsv (also .gz), .parquet, .arrow or .npy; - is CSV from standard input
    #[arg(value_name = "DATA")]
    pub(crate) data: PathBuf,
    /// Columns to cluster by, e.g. x,y [default: all that play no other part]
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

    pub(crate) fn read<T: Real>(&self) -> Result<Table<T>> {
        Ok(read_table(&self.data, &self.options())?)
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

/// Links, and what they imply.
pub(crate) struct ClosedLinks {
    pub(crate) told: Links,
    pub(crate) closure: LinkClosure,
}

/// Reads and closes links; none if there is no file.
pub(crate) fn read_closed_links(
    path: Option<&Path>,
    n_points: usize,
    ids: Option<&[String]>,
) -> Result<ClosedLinks> {
    let Some(path) = path else {
        return Ok(ClosedLinks { told: Links::new(), closure: LinkClosure::none(n_points) });
    };
    let told: Links = read_links(path, n_points, ids)?.into_iter().collect();
    let closure = told.close(n_points).map_err(|error| name_ends(path, error, ids))?;
    Ok(ClosedLinks { told, closure })
}

/// An error about links in terms of the links file: its name, and ids where it has them.
fn name_ends(path: &Path, error: linkshift::Error, ids: Option<&[String]>) -> Failure {
    let text = match (&error, ids) {
        (linkshift::Error::Links(LinkError::Contradiction { cannot, chain }), Some(ids)) => {
            contradiction_by_id(cannot, chain, ids)
        }
        _ => error.to_string(),
    };
    Failure::input(format!("{}: {text}", path.display()))
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
