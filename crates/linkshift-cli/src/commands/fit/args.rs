//! What `linkshift fit` can be told.

use crate::failure::{Failure, Result};
use crate::input::{Contradictions, Dtype, TableArgs};
use crate::intake::IntakeArgs;
use crate::methods::{self, Chosen, SettingArgs};
use crate::notes::Note;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use linkshift::method::{Info, LinkUse};
use linkshift::params::{PRESET, Value};
use linkshift::scale::Scaling;
use linkshift::scale_choice::{self, ScaleChoice};
use linkshift::{Links, Points, Real};
use linkshift_io::Missing;
use std::path::PathBuf;

/// Cluster the points of a table
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(super) table: TableArgs,
    #[command(flatten)]
    pub(super) intake: IntakeArgs,
    /// The method [default: auto, which asks several]; `linkshift methods` lists them
    #[arg(short, long)]
    pub(super) method: Option<String>,
    #[command(flatten)]
    pub(super) settings: SettingArgs,
    /// Links: lines of a,b,must or a,b,cannot, with a confidence if not sure
    #[arg(short, long, value_name = "FILE")]
    pub(super) links: Option<PathBuf>,
    /// What to do with links that contradict each other
    #[arg(long, value_enum, default_value = "error")]
    pub(super) contradictions: Contradictions,
    /// Bring all columns to one scale first; auto looks at columns and links, but leaves points alone for
    /// method auto, for presets, and where a length is set (bandwidth, eps, sigma)
    #[arg(long, default_value = "auto", value_parser = scale_parser())]
    pub(super) scale: Scale,
    /// Write the labels here: .csv, .tsv (also .gz), .parquet, .arrow, .npy, or - for CSV on
    /// standard output
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// Save the model here, for `linkshift predict`, `linkshift why` and --previous
    #[arg(long, value_name = "FILE")]
    pub(super) model: Option<PathBuf>,
    /// Keep the cluster numbers of this model where clusters overlap most; rows are matched by id,
    /// or by row number where there are no ids
    #[arg(long, value_name = "MODEL")]
    pub(super) previous: Option<PathBuf>,
    /// Draw the clusters and links: .svg or .png
    #[arg(long, value_name = "FILE")]
    pub(super) plot: Option<PathBuf>,
    /// Draw the distances between points, before and after the shift: .svg or .png (method kernel)
    #[arg(long, value_name = "FILE")]
    pub(super) plot_distances: Option<PathBuf>,
    /// DATA is a matrix of similarities, a row and a column per point (method kernel)
    #[arg(long)]
    precomputed: bool,
    /// Never hold all of DATA in memory: a part of the rows, and all that links name, find the
    /// clusters, and labels are written as rows are read again; DATA may be many files
    /// ('data/*.parquet')
    #[arg(long, requires = "output", conflicts_with_all = ["plot", "plot_distances", "precomputed", "previous", "text_column", "image_column"])]
    pub(super) stream: bool,
    /// With --stream, so many rows are drawn at random to find the clusters [default: by the method]
    #[arg(long, value_name = "N", requires = "stream", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) draw: Option<u64>,
    /// Print the summary as JSON
    #[arg(long)]
    pub(super) json: bool,
    /// Use this many threads [default: one per core]; the result does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) threads: Option<u64>,
    /// Compute in 32-bit or 64-bit numbers
    #[arg(long, value_enum, default_value = "f64")]
    pub(super) dtype: Dtype,
}

/// Settings that are lengths: who states one means it in the units of the columns.
const LENGTHS: &[&str] = &["bandwidth", "eps", "sigma"];

/// What not every method can do.
type Ability = fn(&Info) -> bool;

/// A scaling that was told, or else is to be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Scale(pub(super) Option<Scaling>);

/// The names of scalings, and `auto`.
fn scale_parser() -> impl TypedValueParser<Value = Scale> {
    const AUTO: &str = "auto";
    let names = std::iter::once(AUTO).chain(Scaling::ALL.map(Scaling::name));
    PossibleValuesParser::new(names).try_map(|name| match &name[..] {
        AUTO => Ok(Scale(None)),
        told => Scaling::parse(told).map(|scaling| Scale(Some(scaling))),
    })
}

/// The names of scalings.
pub(crate) fn scaling_parser() -> impl TypedValueParser<Value = Scaling> {
    PossibleValuesParser::new(Scaling::ALL.map(Scaling::name)).try_map(|name| Scaling::parse(&name))
}

impl Args {
    /// The method, which must be able to do what the options ask for.
    pub(super) fn choose(&self) -> Result<Chosen> {
        let entry = methods::find(self.method.as_deref())?;
        let wants: [(bool, &str, Ability); 2] = [
            (self.precomputed, "--precomputed", |info| info.takes_similarities),
            (self.plot_distances.is_some(), "--plot-distances", |info| info.shows_distances),
        ];
        for (is_wanted, option, can) in wants {
            if is_wanted && !can(&entry.info) {
                let able = methods::names(|entry| can(&entry.info));
                let text = format!("{option} is for --method {able}: leave it out");
                return Err(Failure::Input(text));
            }
        }
        if self.stream && self.intake.missing == Missing::Drop {
            let text = "--missing drop with --stream: a stream has a label for every row; drop the \
                        rows first";
            return Err(Failure::input(text));
        }
        let is_scaled = self.scale.0.is_some_and(|scaling| scaling != Scaling::None);
        if self.precomputed && is_scaled {
            let text = "--scale with --precomputed: similarities are not scaled; leave one out";
            return Err(Failure::input(text));
        }
        let precomputed = [("kernel", Value::from("precomputed"))];
        let implied = if self.precomputed { &precomputed[..] } else { &[] };
        Chosen::new(entry, &self.settings, implied)
    }

    /// The scale that was told or, for a method that would not find it itself, the one that suits
    /// points and links, with a remark if that changes them.
    pub(super) fn scaling<T: Real>(
        &self,
        chosen: &Chosen,
        points: &Points<'_, T>,
        links: &Links,
    ) -> (Scaling, Option<Note>) {
        if let Some(told) = self.scale.0 {
            return (told, None);
        }
        let finds_its_own = chosen.method.info().links == LinkUse::Judged;
        let is_exact = |(key, value): &(String, Value)| {
            key == PRESET || (LENGTHS.contains(&&key[..]) && value.as_number().is_some())
        };
        if finds_its_own || self.precomputed || chosen.given.iter().any(is_exact) {
            return (Scaling::None, None);
        }
        let ScaleChoice { scaling, reason } = scale_choice::choose(points, links);
        let note = (scaling != Scaling::None).then(|| {
            let text = format!(
                "columns were brought to {}: {reason}; --scale none leaves them",
                scaling.name()
            );
            Note::new("scale-chosen", text)
        });
        (scaling, note)
    }
}
