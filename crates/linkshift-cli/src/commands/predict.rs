//! `linkshift predict`: labels for new rows, by a model that was saved.

use crate::clusters::Clusters;
use crate::failure::{Failure, Result};
use crate::input::TableArgs;
use crate::intake::{self, parser};
use crate::interrupt;
use crate::json::Object;
use crate::methods::Number;
use crate::notes::Note;

use crate::picture::{self, Panel};
use crate::scored::Scored;
use crate::summary::aligned;
use crate::terminal;
use linkshift::{Points, Scaling};
use linkshift_features::FeatureError;
use linkshift_features::pictures::Broken;
use linkshift_features::table::{Made, read_points_like};
use linkshift_io::{
    AnyModel, ColumnKind, ColumnRecipe, Format, Intake, IoError, Output, Problem, ReadOptions,
    SavedModel, Staged, Table, TableRecipe, read_model, write_labels,
};
use linkshift_plot::render;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Label new rows by a model that `fit --model` has saved
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The model
    model: PathBuf,
    #[command(flatten)]
    table: TableArgs,
    /// Write the labels here: .csv, .tsv (also .gz), .parquet, .arrow, .npy, or - for CSV on
    /// standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Draw the new rows: .svg or .png
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// What to do with pictures that cannot be used: refuse them, or leave them out (label -1)
    #[arg(long, value_name = "WAY", default_value = "error", value_parser = parser::<Broken>())]
    bad_images: Broken,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    if args.output.as_deref() == Some(Path::new("-")) && args.json {
        let text = "-o - and --json both want standard output: give -o a file";
        return Err(Failure::input(text));
    }
    if let Some(path) = &args.output {
        Format::of(path)?;
    }
    if let Some(path) = &args.plot {
        linkshift_plot::Format::of(path)?;
    }
    let read = [&args.model, &args.table.data].map(|path| &**path);
    let check =
        |path: &Option<PathBuf>| path.as_ref().map(|path| Output::check(path, &read)).transpose();
    let (labels_to, plot_to) = (check(&args.output)?, check(&args.plot)?);
    let job = Job { args, labels_to, plot_to };
    match read_model(&args.model)? {
        AnyModel::F32(model) => job.run(&model),
        AnyModel::F64(model) => job.run(&model),
    }
}

/// What is known to be right before the table is read.
struct Job<'a> {
    args: &'a Args,
    labels_to: Option<Output>,
    plot_to: Option<Output>,
}

impl Job<'_> {
    fn run<T: Number>(&self, model: &SavedModel<T>) -> Result<()> {
        let made = self.read(model)?;
        let table = &made.table;
        let told = table.points()?;
        let points = match model.scaler.scaling() {
            Scaling::None => told,
            _ => model.scaler.apply(&told)?,
        };
        let started = Instant::now();
        let labels = model.predictor.predict(&points)?;
        let seconds = started.elapsed().as_secs_f64();
        if interrupt::asked() {
            return Err(Failure::Cancelled);
        }
        interrupt::attended(|| self.write(model, table, &points, &labels))?;
        self.report(model, &made, &labels, seconds)
    }

    /// The columns that the model knows, by name or as `--columns` names them in their place.
    fn read<T: Number>(&self, model: &SavedModel<T>) -> Result<Made<T>> {
        let table = &self.args.table;
        let mut options = table.options();
        let mut intake = known(model);
        if let Some(chosen) = options.columns.take() {
            let columns = &mut intake.table.columns;
            if chosen.len() != columns.len() {
                let text = format!(
                    "--columns names {} columns, but the model was fitted on {}: {}",
                    chosen.len(),
                    columns.len(),
                    wanted(&intake)
                );
                return Err(Failure::Input(text));
            }
            columns.iter_mut().zip(chosen).for_each(|(column, name)| column.name = name);
        }
        let read = |options: &ReadOptions| {
            read_points_like(&table.data, options, &intake, self.args.bad_images)
        };
        let ids_unasked = options.id_column.is_none() && table.data != Path::new("-");
        if ids_unasked && model.id_column.is_some() {
            // The ids of the fit are welcome in the output, but new rows may have none.
            let with_ids = ReadOptions { id_column: model.id_column.clone(), ..options.clone() };
            match read(&with_ids) {
                Err(error) if unknown_column(&error) == model.id_column.as_deref() => {}
                other => return other.map_err(|error| self.explained(&intake, error)),
            }
        }
        read(&options).map_err(|error| self.explained(&intake, error))
    }

    /// A column that the model wants and the table lacks is said to be just that.
    fn explained(&self, intake: &Intake, error: FeatureError) -> Failure {
        let is_features = self.args.table.options().columns.is_none();
        let is_wanted = |name: &str| {
            let content = intake.content.iter().map(|content| &content.column);
            let columns = intake.table.columns.iter().map(|column| &column.name);
            content.chain(columns).any(|known| known == name)
        };
        match unknown_column(&error) {
            Some(name) if is_features && is_wanted(name) => {
                let file = self.args.model.display();
                Failure::Input(format!(
                    "{error}; the model {file} was fitted on {}: rename the columns, or name those that take their place with --columns",
                    wanted(intake)
                ))
            }
            _ => error.into(),
        }
    }

    fn write<T: Number>(
        &self,
        model: &SavedModel<T>,
        table: &Table<T>,
        points: &Points<'_, T>,
        labels: &[i64],
    ) -> Result<()> {
        let mut staged = Staged::default();
        if let Some(output) = &self.plot_to {
            let panel = Panel {
                title: format!("{} on {}", model.method, self.args.table.source()),
                points,
                columns: &model.columns,
                labels,
                centers: model.centers.as_ref(),
                center_name: "center",
                links: &[],
                broken: &[],
            };
            let scatter = panel.project()?;
            picture::stage(&mut staged, output, |format| render(&[scatter], format))?;
        }
        if let Some(output) = &self.labels_to {
            let labels = table.labels_of_file(labels);
            staged.add(output, |path| write_labels(path, &labels, table.file_ids()))?;
        }
        Ok(staged.place()?)
    }

    fn report<T: Number>(
        &self,
        model: &SavedModel<T>,
        made: &Made<T>,
        labels: &[i64],
        seconds: f64,
    ) -> Result<()> {
        let table = &made.table;
        let mut notes = intake::remarks(made);
        let scored = Scored::of(table.labels.as_deref(), labels, &mut notes)?;
        notes.iter().for_each(Note::show);
        let clusters = Clusters::of(labels);
        let (source, files) = (self.args.table.source(), self.files());
        if self.args.json {
            return Object::new("predict")
                .with("model", self.args.model.display().to_string())
                .with("method", &model.method[..])
                .with("data", source)
                .with("n_points", labels.len())
                .with("n_features", table.n_features)
                .with("scale", model.scaler.scaling().name())
                .with("dtype", T::NAME)
                .with_clusters(&clusters)
                .with("seconds", seconds)
                .with_scores(scored.as_ref())
                .with_files(&files)
                .with_notes(&notes)
                .say();
        }
        let mut lines: Vec<(String, String)> = vec![
            ("model".into(), format!("{}, {}", self.args.model.display(), model.method)),
            ("points".into(), format!("{} × {} from {source}", labels.len(), table.n_features)),
        ];
        lines.extend(clusters.lines());
        lines.push(("time".into(), format!("{seconds:.3} s")));
        if let Some(scored) = &scored {
            lines.push(("scores".into(), scored.line()));
        }
        lines.extend(files.into_iter().map(|(what, path)| (what.to_owned(), path)));
        if self.labels_to.is_none() {
            lines.push(("labels".into(), "not written: add -o labels.csv".into()));
        }
        if self.labels_to.as_ref().is_some_and(Output::is_stdout) {
            terminal::aside(&aligned(&lines));
            return Ok(());
        }
        terminal::say(&aligned(&lines))
    }

    /// What was written, by what it is.
    fn files(&self) -> Vec<(&'static str, String)> {
        let files = [("labels", &self.labels_to), ("plot", &self.plot_to)];
        let written = files.into_iter().filter_map(|(what, to)| Some((what, to.as_ref()?)));
        written.map(|(what, to)| (what, to.to_string())).collect()
    }
}

/// How new rows become points; models that do not say were fitted on numbers.
fn known<T: Number>(model: &SavedModel<T>) -> Intake {
    let number =
        |name: &String| ColumnRecipe { name: name.clone(), kind: ColumnKind::Number, median: None };
    model.intake.clone().unwrap_or_else(|| {
        let columns = model.columns.iter().map(number).collect();
        Intake { table: TableRecipe { columns, ..Default::default() }, content: None }
    })
}

/// The columns of the file that a model was fitted on.
fn wanted(intake: &Intake) -> String {
    let columns = intake.table.columns.iter().map(|column| column.name.as_str());
    let content = intake.content.iter().map(|content| content.column.as_str());
    columns.chain(content).collect::<Vec<_>>().join(", ")
}

/// The column that a table was found not to have.
fn unknown_column(error: &FeatureError) -> Option<&str> {
    match error {
        FeatureError::Io(IoError { problem: Problem::UnknownColumn { name, .. }, .. }) => {
            Some(name)
        }
        _ => None,
    }
}
