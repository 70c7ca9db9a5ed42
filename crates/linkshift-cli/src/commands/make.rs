//! `linkshift make`: data sets on which methods can be tried.

use crate::failure::{Failure, Result};
use crate::interrupt;

use linkshift::datasets;
use linkshift_io::{Format, Output, Staged, write_labels, write_table};
use std::path::PathBuf;

/// Draw a data set with its true classes in a column `label`
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The data set
    #[arg(value_parser = datasets::NAMES)]
    name: String,
    /// Number of points [default: as in the papers]
    #[arg(short, value_name = "N")]
    n: Option<usize>,
    /// Standard deviation of the noise [default: as in the papers]
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    noise: Option<f64>,
    /// Columns of blobs
    #[arg(long, value_name = "D", default_value_t = 2)]
    dimensions: usize,
    /// Centers of blobs
    #[arg(long, value_name = "C", default_value_t = 5)]
    centers: usize,
    /// Seed of the drawing
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Write the points here; - is CSV on standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Write the classes to a file of their own instead
    #[arg(long, value_name = "FILE")]
    labels: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    Format::of(&args.output)?;
    let points_to = Output::check(&args.output, &[])?;
    let labels_to = args.labels.as_deref().map(|path| Output::check(path, &[])).transpose()?;
    let set = draw(args)?;
    let columns = column_names(set.points.n_features());
    let beside = labels_to.is_none().then_some(&set.labels[..]);
    interrupt::attended(|| -> Result<()> {
        let mut staged = Staged::default();
        if let Some(output) = &labels_to {
            staged.add(output, |path| write_labels(path, &set.labels, None))?;
        }
        staged.add(&points_to, |path| write_table(path, &columns, set.points.values(), beside))?;
        Ok(staged.place()?)
    })
}

fn draw(args: &Args) -> Result<datasets::Dataset> {
    /// Half the side of the square in which the centers lie, as in `datasets::make`.
    const HALF_SIDE: f64 = 10.0;
    let of_blobs = args.dimensions != 2 || args.centers != 5;
    match (args.name.as_str(), of_blobs) {
        ("blobs", _) => {
            let (n, noise) = (args.n.unwrap_or(500), args.noise.unwrap_or(1.0));
            let (d, centers) = (args.dimensions, args.centers);
            Ok(datasets::blobs(n, d, centers, noise, HALF_SIDE, args.seed)?)
        }
        (name, true) => {
            let text =
                format!("--dimensions and --centers are for blobs: leave them out for {name}");
            Err(Failure::Input(text))
        }
        (name, false) => Ok(datasets::make(name, args.n, args.noise, args.seed)?),
    }
}

/// `x`, `y` in the plane, else `x0`, `x1`, ….
fn column_names(n_features: usize) -> Vec<String> {
    match n_features {
        2 => ["x", "y"].map(String::from).to_vec(),
        _ => (0..n_features).map(|column| format!("x{column}")).collect(),
    }
}
