//! `linkshift ask`: questions about pairs of rows, put to a person or to a column of classes.

mod curve;
mod dialogue;
mod keys;
mod rows;
mod state;

use super::fit::scaling_parser;
use crate::failure::{Failure, Result};
use crate::input::TableArgs;
use crate::methods::{self, Method, Settings};
use crate::outputs::{Output, Prepared};
use crate::summary::aligned;
use crate::{interrupt, terminal};
use linkshift::ask::{Asker, Chooser, KnownLabels};
use linkshift::scale::{Scaler, Scaling};
use linkshift_io::{AnswersFile, Format, Table, read_column, write_labels, write_table};
use serde_json::json;
use state::{Clustering, State};
use std::path::{Path, PathBuf};

/// Ask which rows belong together, the most telling pairs first
///
/// Keys: s same, d different, u unsure, z take back, q save and quit. Every answer is on disk
/// before the next question; the same command goes on where it stopped.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// File of the answers, a links file for `fit --links` [default: DATA's name and .answers.csv]
    #[arg(long, value_name = "FILE")]
    answers: Option<PathBuf>,
    /// Who chooses: border, npu, explore-consolidate, min-max, random
    #[arg(long, value_name = "NAME", default_value = "border")]
    chooser: String,
    /// Number of groups, if it is known, for explore-consolidate, min-max and the method
    #[arg(short, value_name = "K")]
    k: Option<usize>,
    /// Bring all columns to one scale first; rows are shown as they are
    #[arg(long, default_value = "min-max", value_parser = scaling_parser())]
    scale: Scaling,
    /// Columns to show besides those clustered by, also of text, e.g. name,city
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    show: Vec<String>,
    /// Show the clustering after every so many answers [default: 10; of a curve: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    every: Option<u64>,
    /// Cluster by this method of `fit` [default: spread the answers over near points]
    #[arg(short, long)]
    method: Option<String>,
    /// A parameter of the method, e.g. --set link_cap=200; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Write the labels here at the end, as `fit -o` does
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Stop when there are so many answers [default: none; with --oracle-column 200]
    #[arg(long, value_name = "N")]
    budget: Option<usize>,
    /// Column of known classes that answers instead of a person
    #[arg(long, value_name = "NAME")]
    oracle_column: Option<String>,
    /// Share of wrong answers that the oracle gives
    #[arg(long, value_name = "RATE", default_value_t = 0.0, requires = "oracle_column")]
    error_rate: f64,
    /// Write ARI, NMI and more by number of answers here
    #[arg(long, value_name = "FILE", requires = "oracle_column")]
    curve: Option<PathBuf>,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
    /// Seed of everything that is drawn by chance
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

/// Answers of an oracle when no budget is given.
const ORACLE_BUDGET: usize = 200;

/// Answers after which a person sees the clustering.
const EVERY: u64 = 10;

pub(crate) fn run(mut args: Args) -> Result<()> {
    let chooser = Chooser::parse(&args.chooser, args.k)?;
    let method = args.method.as_deref().map(methods::find).transpose()?;
    let settings = method_settings(method, &args.set)?;
    share_columns(&mut args)?;
    let answers_path = answers_path(&args)?;
    let inputs: Vec<&Path> = [Some(&args.table.data), answers_path.as_ref()]
        .into_iter()
        .flatten()
        .map(|p| &**p)
        .collect();
    let check = |path: &PathBuf| {
        Format::of(path)?;
        Output::check(path, &inputs)
    };
    let labels_to = args.output.as_ref().map(check).transpose()?;
    let curve_to = args.curve.as_ref().map(check).transpose()?;

    let table = args.table.read::<f64>()?;
    let told = table.points()?;
    let points = Scaler::fit(&told, args.scale).apply(&told)?;
    let mut asker = Asker::new(points, chooser, args.seed)?;
    let mut file = None;
    if let Some(path) = &answers_path {
        let (opened, told) = AnswersFile::open(path, table.n_rows, table.ids.as_deref())?;
        if let Some(line) = opened.dropped() {
            terminal::note(&format!(
                "{}: the unfinished last line {line:?} was dropped",
                path.display()
            ));
        }
        asker = asker.resume(told).map_err(|error| about(path, &error))?;
        file = Some(opened);
    }
    let clustering = Clustering { method, k: args.k, settings, seed: args.seed };
    let mut state = State { asker, clustering, file };

    let mut curve = None;
    match &args.oracle_column {
        Some(_) => {
            let classes = table.labels.clone().unwrap_or_default();
            let oracle =
                KnownLabels::new(classes.clone()).with_errors(args.error_rate, args.seed)?;
            let budget = args.budget.unwrap_or(ORACLE_BUDGET);
            let every = args.every.unwrap_or(1) as usize;
            let wanted = curve_to.as_ref().map(|_| &classes[..]);
            curve = Some(curve::run(&mut state, oracle, budget, wanted, every)?);
        }
        None => {
            let shown = rows::Shown::new(&table, shown_besides(&args, &table)?);
            let every = args.every.unwrap_or(EVERY) as usize;
            dialogue::run(&mut state, &shown, args.budget, every)?;
        }
    }

    let labels = state.labels()?;
    interrupt::attended(|| {
        let mut prepared = Prepared::default();
        if let Some(output) = &labels_to {
            let ids = table.ids.as_deref();
            prepared.add(output, |path| Ok(write_labels(path, &labels, ids)?))?;
        }
        if let (Some(output), Some(values)) = (&curve_to, &curve) {
            let columns = curve::COLUMNS.map(String::from);
            prepared.add(output, |path| Ok(write_table::<f64>(path, &columns, values, None)?))?;
        }
        prepared.place()
    })?;
    summarize(&args, &state, &labels, &table, answers_path.as_deref())
}

fn method_settings(method: Option<&'static Method>, set: &[String]) -> Result<Settings> {
    match method {
        Some(method) => {
            let settings = Settings::parse(method, set)?;
            (method.check)(&settings)?;
            Ok(settings)
        }
        None if set.is_empty() => Ok(Settings::default()),
        None => Err(Failure::input("--set is for the parameters of a --method: name one")),
    }
}

/// The column that answers is a column of known classes like any other.
fn share_columns(args: &mut Args) -> Result<()> {
    match (&args.oracle_column, &args.table.label_column) {
        (Some(oracle), Some(label)) if oracle != label => Err(Failure::input(format!(
            "--oracle-column {oracle} and --label-column {label}: the oracle's column is also the one to score by: leave --label-column out"
        ))),
        (Some(oracle), _) => {
            args.table.label_column = Some(oracle.clone());
            Ok(())
        }
        (None, _) if args.table.data == Path::new("-") => Err(Failure::input(
            "the points and the answers both want standard input: give the points as a file",
        )),
        _ => Ok(()),
    }
}

/// Where answers are kept: always for a person, for an oracle if asked.
fn answers_path(args: &Args) -> Result<Option<PathBuf>> {
    if args.answers.is_some() || args.oracle_column.is_some() {
        return Ok(args.answers.clone());
    }
    let name = args.table.data.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.split('.').next().unwrap_or_default();
    Ok(Some(PathBuf::from(format!("{stem}.answers.csv"))))
}

/// The columns of `--show`, as text.
fn shown_besides(args: &Args, table: &Table<f64>) -> Result<Vec<(String, Vec<String>)>> {
    let read = |name: &String| -> Result<_> {
        let texts = read_column(&args.table.data, Some(name))?;
        if texts.len() != table.n_rows {
            let text =
                format!("--show {name}: it has {} rows, the points {}", texts.len(), table.n_rows);
            return Err(Failure::Input(text));
        }
        Ok((name.clone(), texts))
    };
    args.show.iter().map(read).collect()
}

fn about(path: &Path, error: &linkshift::Error) -> Failure {
    Failure::input(format!("{}: {error}", path.display()))
}

fn summarize(
    args: &Args,
    state: &State<'_>,
    labels: &[i64],
    table: &Table<f64>,
    answers: Option<&Path>,
) -> Result<()> {
    let counts = state.counts();
    let report = state.asker.answers().links().report(labels);
    let outlook = state.asker.outlook();
    let scores = table.labels.as_ref().and_then(|classes| curve::score(classes, labels));
    if args.json {
        let found = json!({
            "n_points": table.n_rows,
            "chooser": state.asker.chooser().name(),
            "answers": { "same": counts.same, "different": counts.different, "unsure": counts.unsure },
            "clusters": state::n_clusters(labels),
            "links": { "told": counts.same + counts.different, "broken": report.broken.len() },
            "settled": outlook.settled,
            "scores": scores.as_ref().map(crate::summary::scores_json),
        });
        return terminal::say(&format!("{found:#}"));
    }
    let mut lines = vec![
        ("answers", counts.to_string()),
        ("clusters", state.clusters_line(labels)),
        ("links", state.links_line(labels)),
        ("outlook", state::outlook_line(&outlook)),
    ];
    if let Some(scores) = &scores {
        lines.push(("scores", crate::summary::score_line(scores)));
    }
    if let Some(path) = answers {
        lines.push(("kept in", path.display().to_string()));
        let data = args.table.source();
        lines.push((
            "next",
            format!("linkshift fit {data} --method cms --links {}", path.display()),
        ));
    }
    terminal::say(&aligned(&lines))
}
