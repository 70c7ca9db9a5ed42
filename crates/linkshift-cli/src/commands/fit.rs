//! `linkshift fit`: from a table, and links, to labels.

use crate::failure::{Failure, Result};
use crate::input::{ClosedLinks, Dtype, TableArgs, read_closed_links};
use crate::memory;
use crate::methods::{self, Method, Number, Outcome, Settings, Task};
use crate::outputs::{Output, Prepared};
use crate::picture::Panel;
use crate::previous::Previous;
use crate::progress;
use crate::summary::Summary;
use crate::{interrupt, terminal};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use linkshift::Points;
use linkshift::scale::{Scaler, Scaling};
use linkshift::scores::Scores;
use linkshift_io::{Format, SavedModel, Table, write_labels, write_model};
use linkshift_plot::MatrixPicture;
use serde_json::json;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The method that takes similarities and shows distances.
const KERNEL_METHOD: &str = "kernel";

/// Cluster the points of a table
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// The method; `linkshift methods` lists them
    #[arg(short, long)]
    method: String,
    /// Links: lines of a,b,must or a,b,cannot, with a confidence if not sure
    #[arg(short, long, value_name = "FILE")]
    links: Option<PathBuf>,
    /// Number of clusters, for methods that do not find it themselves
    #[arg(short, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    k: Option<u64>,
    /// Bring all columns to one scale first
    #[arg(long, default_value = "none", value_parser = scaling_parser())]
    scale: Scaling,
    /// A parameter of the method, e.g. --set bandwidth=0.4; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Write the labels here: .csv, .tsv (also .gz), .parquet, .arrow, .npy, or - for CSV on
    /// standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Save the model here, for `linkshift predict`, `linkshift why` and --previous
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Keep the cluster numbers of this model where clusters overlap most; rows are matched by id,
    /// or by row number where there are no ids
    #[arg(long, value_name = "MODEL")]
    previous: Option<PathBuf>,
    /// Draw the clusters and links: .svg or .png
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Draw the distances between points, before and after the shift: .svg or .png (method kernel)
    #[arg(long, value_name = "FILE")]
    plot_distances: Option<PathBuf>,
    /// DATA is a matrix of similarities, a row and a column per point (method kernel)
    #[arg(long)]
    precomputed: bool,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
    /// Use this many threads [default: one per core]; the result does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    threads: Option<u64>,
    /// Seed of everything that is drawn by chance
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Compute in 32-bit or 64-bit numbers
    #[arg(long, value_enum, default_value = "f64")]
    dtype: Dtype,
    /// Most memory that the method may use, in MB [default: three quarters of what is free]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..))]
    memory: Option<u64>,
}

pub(crate) fn scaling_parser() -> impl TypedValueParser<Value = Scaling> {
    PossibleValuesParser::new(Scaling::ALL.map(Scaling::name)).try_map(|name| Scaling::parse(&name))
}

/// What was read, and what came of it.
struct Fitted<'a, T: Number> {
    table: &'a Table<T>,
    scaler: &'a Scaler,
    points: &'a Points<'a, T>,
    links: &'a ClosedLinks,
    outcome: &'a Outcome<T>,
    first_unused: i64,
}

/// What is known to be right before anything is read.
struct Job<'a> {
    args: &'a Args,
    method: &'static Method,
    settings: Settings,
    previous: Option<Previous>,
    labels_to: Option<Output>,
    model_to: Option<Output>,
    plot_to: Option<Output>,
    distances_to: Option<Output>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let method = methods::find(&args.method)?;
    let settings = Settings::parse(method, &settings_of(args, method)?)?;
    (method.check)(&settings)?;
    let [labels_to, model_to, plot_to, distances_to] = check_outputs(args)?;
    let previous = args.previous.as_deref().map(Previous::read).transpose()?;
    if let Some(threads) = args.threads {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads as usize);
        pool.build_global().map_err(|error| Failure::input(format!("--threads: {error}")))?;
    }
    let job = Job { args, method, settings, previous, labels_to, model_to, plot_to, distances_to };
    match args.dtype {
        Dtype::F32 => job.run::<f32>(),
        Dtype::F64 => job.run::<f64>(),
    }
}

/// What is set, and what other options set: `--precomputed` names a kernel.
fn settings_of(args: &Args, method: &Method) -> Result<Vec<String>> {
    for (wanted, option) in
        [(args.precomputed, "--precomputed"), (args.plot_distances.is_some(), "--plot-distances")]
    {
        if wanted && method.name != KERNEL_METHOD {
            let text = format!("{option} is for --method {KERNEL_METHOD}: leave it out");
            return Err(Failure::Input(text));
        }
    }
    let mut set = args.set.clone();
    if args.precomputed {
        if args.scale != Scaling::None {
            let text = "--scale with --precomputed: similarities are not scaled; leave one out";
            return Err(Failure::input(text));
        }
        set.push("kernel=precomputed".into());
    }
    Ok(set)
}

/// Finds out before the work whether its fruits can be stored.
fn check_outputs(args: &Args) -> Result<[Option<Output>; 4]> {
    let is_dash = |path: &Option<PathBuf>| path.as_deref() == Some(Path::new("-"));
    if is_dash(&args.output) && args.json {
        let text = "-o - and --json both want standard output: give -o a file";
        return Err(Failure::input(text));
    }
    if is_dash(&args.model) {
        return Err(Failure::input("--model -: a model is not text: give it a file"));
    }
    if is_dash(&args.links) && args.table.data == Path::new("-") {
        let text = "the points and the links both want standard input: give one of them a file";
        return Err(Failure::input(text));
    }
    let read = [Some(&args.table.data), args.links.as_ref()];
    let read: Vec<&Path> = read.into_iter().flatten().map(|path| &**path).collect();
    // A model may take the place of the one before it, which has been read by then; labels may not.
    let mut all_read = read.clone();
    all_read.extend(args.previous.as_deref());
    if let Some(path) = &args.output {
        Format::of(path)?;
    }
    for path in [&args.plot, &args.plot_distances].into_iter().flatten() {
        linkshift_plot::check_name(path)?;
    }
    let check = |path: &Option<PathBuf>, inputs: &[&Path]| {
        path.as_ref().map(|path| Output::check(path, inputs)).transpose()
    };
    Ok([
        check(&args.output, &all_read)?,
        check(&args.model, &read)?,
        check(&args.plot, &all_read)?,
        check(&args.plot_distances, &all_read)?,
    ])
}

impl Job<'_> {
    fn run<T: Number>(&self) -> Result<()> {
        let args = self.args;
        let table = args.table.read::<T>()?;
        check_k(self.method, args.k, table.n_rows)?;
        let links = read_closed_links(args.links.as_deref(), table.n_rows, table.ids.as_deref())?;
        let told = table.points()?;
        let scaler = Scaler::fit(&told, args.scale);
        let points = match args.scale {
            Scaling::None => told,
            _ => scaler.apply(&told)?,
        };
        let mut notes = remarks(&table, &scaler);

        let started = Instant::now();
        let pictures = RefCell::new(Vec::new());
        let task = Task {
            points: &points,
            links: &links.told,
            k: args.k.map(|k| k as usize),
            settings: &self.settings,
            seed: args.seed,
            memory_mb: args.memory.or_else(memory::usable_mb),
            distances: self.distances_to.as_ref().map(|_| &pictures),
        };
        let mut outcome = progress::watched(|observer| T::fit_of(self.method)(&task, observer))?;
        let seconds = started.elapsed().as_secs_f64();
        if interrupt::asked() {
            return Err(Failure::Cancelled);
        }
        notes.append(&mut outcome.notes);
        if !outcome.converged {
            let n_iter = outcome.n_iter;
            notes.push(format!("not converged after {n_iter} iterations: raise max_iter"));
        }

        let mut first_unused = outcome.labels.iter().max().map_or(0, |last| last + 1);
        if let Some(previous) = &self.previous {
            let (numbering, words) = previous.keep(&outcome.labels, table.ids.as_deref())?;
            outcome.labels = numbering.apply(&outcome.labels);
            outcome.predictor.relabel(|label| numbering.number(label));
            outcome.details.push(("numbers_kept", json!(words)));
            first_unused = numbering.first_unused();
        }

        let scores = score(&table, &outcome.labels, &mut notes)?;
        let report = links.told.report(&outcome.labels);
        let pictures = pictures.into_inner();
        let fitted = Fitted {
            table: &table,
            scaler: &scaler,
            points: &points,
            links: &links,
            outcome: &outcome,
            first_unused,
        };
        interrupt::attended(|| self.write(&fitted, &pictures))?;
        let summary = Summary {
            method: self.method.name,
            data: args.table.source(),
            n_points: table.n_rows,
            n_features: table.n_features,
            scale: args.scale.name(),
            dtype: T::NAME,
            seed: args.seed,
            labels: &outcome.labels,
            n_iter: outcome.n_iter,
            converged: outcome.converged,
            seconds,
            details: &outcome.details,
            links: &report,
            uses_links: self.method.uses_links,
            ids: table.ids.as_deref(),
            scores,
            notes: &notes,
            files: self.files(),
        };
        notes.iter().for_each(|note| terminal::note(note));
        if args.json {
            return terminal::say(&format!("{:#}", summary.json()));
        }
        if self.labels_to.as_ref().is_some_and(Output::is_stdout) {
            terminal::aside(&summary.text());
            return Ok(());
        }
        terminal::say(&summary.text())
    }

    /// Labels, model and pictures: all or, if one cannot be made, none.
    fn write<T: Number>(&self, fitted: &Fitted<'_, T>, distances: &[MatrixPicture]) -> Result<()> {
        let Fitted { table, points, links, outcome, .. } = *fitted;
        let mut prepared = Prepared::default();
        if let Some(output) = &self.plot_to {
            let panel = Panel {
                title: format!("{} on {}", self.method.name, self.args.table.source()),
                points,
                columns: &axis_names(&table.columns, self.args.scale),
                labels: &outcome.labels,
                modes: &outcome.modes,
                links: links.told.as_slice(),
                broken: &links.told.report(&outcome.labels).broken,
            };
            let scatter = panel.project()?;
            prepared.add(output, |path| Ok(linkshift_plot::save(&[scatter], path)?))?;
        }
        if let Some(output) = &self.distances_to {
            prepared.add(output, |path| Ok(linkshift_plot::save_matrices(distances, path)?))?;
        }
        if let Some(output) = &self.model_to {
            let model = self.saved(fitted);
            prepared.add(output, |path| Ok(write_model(path, &model)?))?;
        }
        if let Some(output) = &self.labels_to {
            let ids = table.ids.as_deref();
            prepared.add(output, |path| Ok(write_labels(path, &outcome.labels, ids)?))?;
        }
        prepared.place()
    }

    /// All that the file of the model holds.
    fn saved<T: Number>(&self, fitted: &Fitted<'_, T>) -> SavedModel<T> {
        let Fitted { table, scaler, points, links, outcome, first_unused } = *fitted;
        let rows: Vec<usize> = (0..points.n_points()).collect();
        SavedModel {
            method: self.method.name.into(),
            settings: self.settings.pairs(),
            n_clusters: self.args.k.map(|k| k as usize),
            seed: self.args.seed,
            columns: table.columns.clone(),
            id_column: self.args.table.options().id_column,
            ids: table.ids.clone(),
            scaler: Scaler::clone(scaler),
            points: points.select(&rows),
            labels: outcome.labels.clone(),
            first_unused,
            modes: outcome.modes.clone(),
            bandwidth: outcome.bandwidth,
            links: links.told.clone(),
            uses_links: self.method.uses_links,
            predictor: outcome.predictor.clone(),
        }
    }

    fn files(&self) -> Vec<(&'static str, String)> {
        let named = |what, output: &Option<Output>| {
            output.as_ref().map(|output| (what, output.to_string()))
        };
        let files = [
            named("labels", &self.labels_to),
            named("model", &self.model_to),
            named("plot", &self.plot_to),
            named("plot_distances", &self.distances_to),
        ];
        files.into_iter().flatten().collect()
    }
}

/// A number of clusters must be possible, and wanted by the method.
pub(crate) fn check_k(method: &Method, k: Option<u64>, n_points: usize) -> Result<()> {
    let Some(k) = k else { return Ok(()) };
    if k > n_points as u64 {
        let text = format!("-k {k}: there are only {n_points} points: ask for fewer clusters");
        return Err(Failure::Input(text));
    }
    if !method.takes_k {
        let name = method.name;
        let text =
            format!("-k {k}: method {name} finds the number of clusters itself: leave -k out");
        return Err(Failure::Input(text));
    }
    Ok(())
}

/// What is odd about the points, though not wrong.
fn remarks<T: Number>(table: &Table<T>, scaler: &Scaler) -> Vec<String> {
    let constant = scaler.constant_columns();
    if table.n_rows == 1 {
        return vec!["there is only one point: it is a cluster by itself".into()];
    }
    if constant.len() == table.n_features {
        return vec![format!("all {} points are equal: they are one cluster", table.n_rows)];
    }
    if constant.is_empty() {
        return Vec::new();
    }
    let names: Vec<String> =
        constant.iter().take(12).map(|&column| format!("{:?}", table.columns[column])).collect();
    let more = match constant.len() - names.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let names = names.join(", ");
    vec![format!("the same value in every row, hence of no use for clustering: {names}{more}")]
}

/// Scores over the rows whose class is known.
fn score<T: Number>(
    table: &Table<T>,
    labels: &[i64],
    notes: &mut Vec<String>,
) -> Result<Option<Scores>> {
    let Some(truth) = &table.labels else { return Ok(None) };
    let known: Vec<usize> = (0..truth.len()).filter(|&row| truth[row] != -1).collect();
    if known.is_empty() {
        notes.push("the label column is empty: there is nothing to score against".into());
        return Ok(None);
    }
    if known.len() < truth.len() {
        let (known, all) = (known.len(), truth.len());
        notes.push(format!("scores are over the {known} of {all} points that have a label"));
    }
    let select = |all: &[i64]| known.iter().map(|&row| all[row]).collect::<Vec<i64>>();
    Ok(Some(Scores::of(&select(truth), &select(labels))?))
}

fn axis_names(columns: &[String], scaling: Scaling) -> Vec<String> {
    let name = |column: &String| match scaling {
        Scaling::None => column.clone(),
        _ => format!("{column} ({})", scaling.name()),
    };
    columns.iter().map(name).collect()
}
