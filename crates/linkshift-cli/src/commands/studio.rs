//! `linkshift studio`: the same in the browser.

use super::fit::scaling_parser;
use crate::failure::{Failure, Result};
use crate::input::{LinksFile, TableArgs};
use crate::intake::{self, IntakeArgs, parser};
use crate::{interrupt, terminal};
use linkshift::params::Named;
use linkshift::scale::{Scaler, Scaling};
use linkshift_io::{Table, read_column};
use linkshift_studio::{Bound, Column, Data, Demo, Numbers, Origin, Pictures, StudioError};
use std::path::{Path, PathBuf};

/// Look at all points in the browser, answer questions, correct clusters, export
///
/// Without DATA, on built-in data. Every answer is on disk before the next question, in a file that
/// `ask` and `fit --links` read; the same command goes on where it stopped.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    table: Option<TableArgs>,
    #[command(flatten)]
    intake: IntakeArgs,
    /// Links that are known already; they are not changed
    #[arg(short, long, value_name = "FILE")]
    links: Option<PathBuf>,
    /// File of the answers, a links file for `fit --links` [default: DATA's name and .answers.csv]
    #[arg(long, value_name = "FILE")]
    answers: Option<PathBuf>,
    /// Bring all columns to one scale first; rows are shown as they are
    #[arg(long, default_value = "min-max", value_parser = scaling_parser())]
    scale: Scaling,
    /// Columns to show besides those clustered by, also of text, e.g. name,city
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    show: Vec<String>,
    /// Seed of everything that is drawn by chance
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// The built-in data, if no DATA is named
    #[arg(long, value_name = "NAME", default_value = "shapes", value_parser = parser::<Demo>(), conflicts_with = "data")]
    demo: Demo,
    /// The port; 0 takes a free one
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// The address to listen on; any other than this machine's own lets others in
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: String,
    /// Do not open a browser
    #[arg(long)]
    no_browser: bool,
}

impl From<StudioError> for Failure {
    fn from(error: StudioError) -> Self {
        match error {
            StudioError::Core(error) => Failure::Core(error),
            StudioError::Io(error) => Failure::Io(error),
            other => Failure::Input(other.to_string()),
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let (data, answers) = match &args.table {
        Some(table) => (read(args, table)?, answers_path(args, &table.data)),
        None => {
            let named = PathBuf::from(format!("{}.answers.csv", args.demo.name()));
            (args.demo.data()?, args.answers.clone().unwrap_or(named))
        }
    };
    let bound = Bound::new(&args.host, args.port)?;
    if !bound.is_local() {
        terminal::note(&format!(
            "--host {}: every machine that reaches this address can open the studio if it learns the \
             token, and what is sent is not encrypted",
            args.host
        ));
    }
    let url = bound.url();
    let studio = bound.open(data, &answers)?;
    terminal::say(&format!("{url}\n"))?;
    terminal::note(&format!("answers go to {}; Ctrl-C ends the studio", answers.display()));
    if !args.no_browser && !linkshift_studio::open_browser(&url) {
        terminal::note("no browser could be opened: open the address above in one");
    }
    interrupt::attended(|| studio.serve(interrupt::asked))?;
    Ok(())
}

/// The same file that `ask` takes.
fn answers_path(args: &Args, data: &Path) -> PathBuf {
    let name = data.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.split('.').next().unwrap_or_default();
    args.answers.clone().unwrap_or_else(|| PathBuf::from(format!("{stem}.answers.csv")))
}

fn read(args: &Args, source: &TableArgs) -> Result<Data> {
    if source.data == Path::new("-") {
        return Err(Failure::input("the studio reads its points from a file: name one"));
    }
    let made = args.intake.read::<f64>(source)?;
    let notes = intake::remarks(&made).iter().map(|note| note.text.clone()).collect();
    let table = &made.table;
    let told = table.points()?;
    let scaler = Scaler::fit(&told, args.scale);
    let points = scaler.apply(&told)?;
    let name = source.data.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let links = LinksFile::of_table(args.links.as_deref(), table)?.links;
    let shown = args.show.iter().map(|name| column(&source.data, name, table));
    let shown = shown.collect::<Result<Vec<_>>>()?;
    let contents = table.contents.clone();
    let is_texts = args.intake.text_column.is_some();
    let folder = match source.data.is_dir() {
        true => source.data.clone(),
        false => source
            .data
            .parent()
            .filter(|folder| *folder != Path::new(""))
            .unwrap_or(Path::new("."))
            .to_owned(),
    };
    let pictures = contents.clone().filter(|_| args.intake.image_column.is_some());
    // Columns made of texts or pictures say nothing to a person.
    let n_shown = made.intake.table.column_names().len();
    let origin = Origin {
        columns: table.columns.clone(),
        intake: Some(made.intake.clone()),
        id_column: source.options().id_column,
        scaler,
        kept_rows: table.kept_rows.clone(),
        n_file_rows: table.n_file_rows,
        file_ids: table.file_ids().map(<[_]>::to_vec),
        arguments: words(args, source),
        python: python(args, source, &table.columns[..n_shown]),
        seed: args.seed,
    };
    let data = Data {
        shown,
        numbers: Numbers {
            names: table.columns[..n_shown].to_vec(),
            stride: table.n_features,
            values: if n_shown > 0 { table.values.clone() } else { Vec::new() },
        },
        ids: table.ids.clone(),
        texts: contents.filter(|_| is_texts),
        pictures: pictures.map(|names| Pictures::Files { folder, names }),
        notes,
        origin,
        ..Data::of_points(&name, points)
    };
    match &args.links {
        Some(path) => Ok(data.with_links(links, path.display().to_string())?),
        None => Ok(data),
    }
}

/// A column of `--show`, as text.
fn column(path: &Path, name: &String, table: &Table<f64>) -> Result<Column> {
    let values = read_column(path, Some(name))?;
    if values.len() != table.n_file_rows {
        let n_rows = table.n_file_rows;
        let text = format!("--show {name}: it has {} rows, the points {n_rows}", values.len());
        return Err(Failure::Input(text));
    }
    Ok(Column { name: name.clone(), values: table.of_rows(values) })
}

/// What stands after `linkshift fit` for the same points.
fn words(args: &Args, source: &TableArgs) -> Vec<String> {
    let mut words = source.words();
    words.extend(args.intake.words());
    words.extend(["--scale".to_owned(), args.scale.name().to_owned()]);
    if args.seed != 0 {
        words.extend(["--seed".to_owned(), args.seed.to_string()]);
    }
    words
}

/// Lines of Python that make the same points, `X`; none where features are made of texts or pictures.
fn python(args: &Args, source: &TableArgs, columns: &[String]) -> Vec<String> {
    if args.intake.content().is_some() || args.scale == Scaling::Unit {
        return Vec::new();
    }
    let path = source.data.display().to_string();
    let read = match source.data.extension().and_then(|extension| extension.to_str()) {
        Some("parquet") => "pd.read_parquet",
        Some("arrow") => "pd.read_feather",
        Some("npy") => return Vec::new(),
        _ => "pd.read_csv",
    };
    let ids = source.options().id_column;
    let index = ids.map_or(String::new(), |name| format!(".set_index({name:?})"));
    let mut lines = vec![
        "import pandas as pd".to_owned(),
        "import linkshift".into(),
        format!("X = {read}({path:?}){index}[{columns:?}]"),
    ];
    match args.scale {
        Scaling::MinMax => {
            lines.push("X = (X - X.min()) / (X.max() - X.min()).replace(0, 1)".into())
        }
        Scaling::ZScore => lines.push("X = (X - X.mean()) / X.std(ddof=0).replace(0, 1)".into()),
        _ => {}
    }
    lines
}
