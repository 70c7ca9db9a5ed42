//! `linkshift ask`: questions about pairs of rows, put to a person or to a column of classes.

mod curve;
mod dialogue;
mod keys;
mod rows;
mod state;

use super::fit::scaling_parser;
use crate::clusters::Clusters;
use crate::failure::{Failure, Result};
use crate::input::TableArgs;
use crate::intake::{self, IntakeArgs};
use crate::json::{self, Object};
use crate::methods::{self, Chosen, SettingArgs};
use crate::notes::Note;

use crate::scored::Scored;
use crate::summary::aligned;
use crate::{interrupt, terminal};
use clap::builder::PossibleValuesParser;
use linkshift::ask::{Asker, Chooser, Finish, Kind, KnownLabels};
use linkshift::method;
use linkshift::params::Named;
use linkshift::scale::{Scaler, Scaling};
use linkshift_io::{
    AnswersFile, Format, Output, Staged, Table, read_column, write_labels, write_table,
};
use serde_json::{Map, json};
use state::{Clustering, State};
use std::path::{Path, PathBuf};

/// Ask which rows belong together, the most telling pairs first
///
/// Keys: s same, d different, u unsure; digits choose a group (0 none of these) or mark the odd ones; !
/// before an answer: certain; z take back, q save and quit. Every answer is on disk before the next
/// question; the same command goes on where it stopped.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    table: TableArgs,
    #[command(flatten)]
    intake: IntakeArgs,
    /// File of the answers, a links file for `fit --links` [default: DATA's name and .answers.csv]
    #[arg(long, value_name = "FILE")]
    answers: Option<PathBuf>,
    /// The rule that chooses the questions
    #[arg(long, value_name = "NAME", default_value = Chooser::Border.name(), value_parser = PossibleValuesParser::new(Chooser::ALL.map(Chooser::name)))]
    chooser: String,
    /// Kinds of questions: two rows, the place of a row, whether a group is one thing
    #[arg(long, value_name = "KINDS", value_delimiter = ',', default_value = "pair,place,group", value_parser = PossibleValuesParser::new(Kind::ASKED.map(Kind::name)))]
    kinds: Vec<String>,
    #[command(flatten)]
    settings: SettingArgs,
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
    /// At the end fit the default method with the answers, and keep the better labels; without it a
    /// person is asked
    #[arg(long, conflicts_with = "method")]
    finish: bool,
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
}

/// Answers of an oracle when no budget is given.
const ORACLE_BUDGET: usize = 200;

/// Answers after which a person sees the clustering.
const EVERY: u64 = 10;

pub(crate) fn run(mut args: Args) -> Result<()> {
    let k = args.settings.k.map(|k| k as usize);
    let chooser = Chooser::parse(&args.chooser, k)?;
    let clustering = Clustering { chosen: choose(&mut args)? };
    let seed = args.settings.seed;
    let kinds: Vec<Kind> = args.kinds.iter().filter_map(|name| Kind::parse(name)).collect();
    share_columns(&mut args)?;
    let answers_path = answers_path(&args)?;
    let inputs: Vec<&Path> = [Some(&args.table.data), answers_path.as_ref()]
        .into_iter()
        .flatten()
        .map(|p| &**p)
        .collect();
    let check = |path: &PathBuf| -> Result<Output> {
        Format::of(path)?;
        Ok(Output::check(path, &inputs)?)
    };
    let labels_to = args.output.as_ref().map(check).transpose()?;
    let curve_to = args.curve.as_ref().map(check).transpose()?;

    let made = args.intake.read::<f64>(&args.table)?;
    let table = &made.table;
    let told = table.points()?;
    let points = Scaler::fit(&told, args.scale).apply(&told)?;
    let mut asker = Asker::new(points, chooser, seed)?;
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
    let mut state = State { asker, clustering, file };

    let mut curve = None;
    let mut finish = args.finish;
    match &args.oracle_column {
        Some(_) => {
            let classes = table.labels.clone().unwrap_or_default();
            let oracle = KnownLabels::new(classes.clone()).with_errors(args.error_rate, seed)?;
            let budget = args.budget.unwrap_or(ORACLE_BUDGET);
            let every = args.every.unwrap_or(1) as usize;
            let wanted = curve_to.as_ref().map(|_| &classes[..]);
            curve = Some(curve::run(&mut state, oracle, &kinds, budget, wanted, every)?);
        }
        None => {
            intake::remarks(&made).iter().for_each(Note::show);
            let shown = rows::Shown::new(&made, shown_besides(&args, table)?);
            let every = args.every.unwrap_or(EVERY) as usize;
            finish |= dialogue::run(&mut state, &shown, &kinds, args.budget, every)?;
        }
    }

    let end = finish.then(|| state.finish()).transpose()?;
    let labels = match &end {
        Some(end) => end.labels.clone(),
        None => state.labels()?,
    };
    let outputs = [("labels", &labels_to), ("curve", &curve_to)];
    let written = outputs.into_iter().filter_map(|(what, to)| Some((what, to.as_ref()?)));
    let mut files: Vec<(&str, String)> = written.map(|(what, to)| (what, to.to_string())).collect();
    if let Some(path) = &answers_path {
        files.insert(0, ("answers", path.display().to_string()));
    }
    interrupt::attended(|| -> Result<()> {
        let mut staged = Staged::default();
        if let Some(output) = &labels_to {
            let labels = table.labels_of_file(&labels);
            staged.add(output, |path| write_labels(path, &labels, table.file_ids()))?;
        }
        if let (Some(output), Some(values)) = (&curve_to, &curve) {
            let columns = curve::columns();
            staged.add(output, |path| write_table::<f64>(path, &columns, values, None))?;
        }
        Ok(staged.place()?)
    })?;
    summarize(&args, &state, &labels, end.as_ref(), table, &files)
}

/// The method that clusters by the answers, if one is named. The number of groups is also the
/// chooser's, so a method that finds it itself is not told.
fn choose(args: &mut Args) -> Result<Option<Chosen>> {
    let Some(name) = &args.method else {
        return match args.settings.set.is_empty() {
            true => Ok(None),
            false => Err(Failure::input("--set is for the parameters of a --method: name one")),
        };
    };
    let entry = methods::find(Some(name))?;
    if entry.info.clusters == method::Clusters::Found {
        args.settings.k = None;
    }
    Chosen::new(entry, &args.settings, &[]).map(Some)
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
        if texts.len() != table.n_file_rows {
            let n_rows = table.n_file_rows;
            let text = format!("--show {name}: it has {} rows, the points {n_rows}", texts.len());
            return Err(Failure::Input(text));
        }
        Ok((name.clone(), table.of_rows(texts)))
    };
    // What points were made of is shown unasked.
    let made_of = args.intake.content().zip(table.contents.clone());
    let made_of = made_of.map(|(content, texts)| Ok((content.column().to_owned(), texts)));
    made_of.into_iter().chain(args.show.iter().map(read)).collect()
}

fn about(path: &Path, error: &linkshift::Error) -> Failure {
    Failure::input(format!("{}: {error}", path.display()))
}

fn summarize(
    args: &Args,
    state: &State<'_>,
    labels: &[i64],
    end: Option<&Finish<f64>>,
    table: &Table<f64>,
    files: &[(&str, String)],
) -> Result<()> {
    let counts = state.counts();
    let outlook = state.asker.outlook();
    let clusters = Clusters::of(labels);
    let mut notes = Vec::new();
    let scored = Scored::of(table.labels.as_deref(), labels, &mut notes)?;
    notes.iter().for_each(Note::show);
    if args.json {
        let report = state.asker.answers().links().report(labels);
        let answers = counts.pairs().map(|(answer, n)| (answer.name().to_owned(), json!(n)));
        let finish = end.map(
            |end| json!({ "kept": end.kept.name(), "fit_agreed": end.fit, "own_agreed": end.own }),
        );
        let outlook = json!({
            "agreement": outlook.agreement,
            "settled": outlook.settled,
            "expected_right": outlook.share,
        });
        let name = |row: usize| json::row(row, table.ids.as_deref());
        let suspects = state.asker.suspects().into_iter().map(|suspect| {
            json!({
                "a": name(suspect.told.a),
                "b": name(suspect.told.b),
                "answer": suspect.told.answer.name(),
                "right": suspect.right,
            })
        });
        let kinds = counts.kinds().map(|(kind, n)| (kind.name().to_owned(), json!(n)));
        return Object::new("ask")
            .with("method", state.clustering.method())
            .with("seed", args.settings.seed)
            .with("data", args.table.source())
            .with("n_points", table.n_rows)
            .with("n_features", table.n_features)
            .with("scale", args.scale.name())
            .with("chooser", state.asker.chooser().name())
            .with("answers", answers.collect::<Map<_, _>>())
            .with("kinds", kinds.collect::<Map<_, _>>())
            .with("error_rate", state.asker.error_rate())
            .with("suspects", suspects.collect::<Vec<_>>())
            .with("outlook", outlook)
            .with("finish", finish)
            .with_clusters(&clusters)
            .with("links", json::links(&report, table.ids.as_deref()))
            .with_scores(scored.as_ref())
            .with_files(files)
            .with_notes(&notes)
            .say();
    }
    let mut lines = vec![
        ("answers", counts.to_string()),
        ("clusters", state.clusters_line(&clusters, end)),
        ("links", state.links_line(labels)),
        ("outlook", state::outlook_line(&outlook)),
    ];
    if let Some(end) = end {
        lines.push(("finish", state::finish_line(end)));
    }
    if let Some(line) = state::wrong_line(&state.asker) {
        lines.insert(1, ("wrong", line));
    }
    if let Some(scored) = &scored {
        lines.push(("scores", scored.line()));
    }
    if let Some((_, path)) = files.iter().find(|(what, _)| *what == "answers") {
        lines.push(("kept in", path.clone()));
        let data = args.table.source();
        let ids = match &args.table.options().id_column {
            Some(name) => format!(" --id-column {name}"),
            None => String::new(),
        };
        lines.push(("next", format!("linkshift fit {data}{ids} --links {path}")));
    }
    terminal::say(&aligned(&lines))
}
