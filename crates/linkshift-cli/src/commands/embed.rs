//! `linkshift embed`: rows as points in few columns, by an autoencoder, or as they are read.

use super::fit::scaling_parser;
use crate::failure::{Failure, Result};
use crate::input::TableArgs;
use crate::intake::{self, IntakeArgs};
use crate::json::Object;
use crate::notes::Note;
use crate::summary::aligned;
use crate::{interrupt, picture, progress, terminal};
use linkshift::Points;
use linkshift::scale::{Scaler, Scaling};
use linkshift_features::autoencoder::{AutoencoderParams, Pass, Training};
use linkshift_features::table::{Made, read_points_like};
use linkshift_io::{
    Beside, Format, Output, SavedEncoder, Staged, Table, read_encoder, write_encoder,
    write_table_beside,
};
use linkshift_plot::{Chart, Curve, Places, render_charts};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Training is kept on disk this often: what a kill costs at most, and a pass.
const KEEP_EVERY: Duration = Duration::from_secs(60);

/// Turn rows into points in few columns, for `fit` and others to read
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    table: TableArgs,
    #[command(flatten)]
    intake: IntakeArgs,
    /// Write the points here: .parquet, .arrow, .csv or .tsv (also .gz); ids and labels go along
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Train a stacked denoising autoencoder on the rows; without it points are written as they
    /// are read, words and pictures as numbers
    #[arg(long)]
    autoencoder: bool,
    /// Keep the autoencoder here, while it trains and after. A run that was broken off goes on from
    /// it; without --autoencoder other rows are embedded by it
    #[arg(long, value_name = "FILE")]
    encoder: Option<PathBuf>,
    /// Draw the loss of each pass: .svg or .png
    #[arg(long, value_name = "FILE", requires = "autoencoder")]
    plot: Option<PathBuf>,
    /// Bring all columns to one scale first
    #[arg(long, default_value = "none", value_parser = scaling_parser())]
    scale: Scaling,
    #[command(flatten)]
    training: TrainingArgs,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

/// How an autoencoder is built and trained.
#[derive(Debug, clap::Args)]
struct TrainingArgs {
    /// Columns of the embedding [default: 10]
    #[arg(long, value_name = "D")]
    dimensions: Option<usize>,
    /// Units of the layers between rows and embedding [default: 500,500,2000]
    #[arg(long, value_name = "UNITS", value_delimiter = ',')]
    hidden: Option<Vec<usize>>,
    /// Passes over the rows when all layers are trained together, at most
    #[arg(long, value_name = "N")]
    epochs: Option<usize>,
    /// Passes over the rows when each layer is trained by itself before, at most; 0 leaves that out
    #[arg(long, value_name = "N")]
    pretrain_epochs: Option<usize>,
    /// The rows are pictures of this height and width, a column for each pixel, line by line, and 0 is the
    /// background: they are moved, turned and resized a little in training, e.g. 28x28
    #[arg(long, value_name = "HEIGHTxWIDTH", requires = "autoencoder", value_parser = shape)]
    picture: Option<(usize, usize)>,
    /// Share of the rows that are only used to see when to stop
    #[arg(long, value_name = "SHARE")]
    held_out: Option<f64>,
    /// Seed of all that is drawn by chance
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

impl TrainingArgs {
    fn params(&self) -> AutoencoderParams {
        let usual = AutoencoderParams::default();
        AutoencoderParams {
            n_columns: self.dimensions.unwrap_or(usual.n_columns),
            hidden: self.hidden.clone().unwrap_or(usual.hidden),
            epochs: self.epochs.unwrap_or(usual.epochs),
            pretrain_epochs: self.pretrain_epochs.unwrap_or(usual.pretrain_epochs),
            held_out: self.held_out.unwrap_or(usual.held_out),
            picture: self.picture,
            seed: self.seed,
            ..usual
        }
    }
}

/// Height and width as in `28x28`.
fn shape(text: &str) -> Result<(usize, usize), String> {
    let pixels = |text: &str| text.trim().parse::<usize>().ok().filter(|&pixels| pixels > 0);
    let both =
        text.split_once(['x', 'X', '×']).map(|(height, width)| (pixels(height), pixels(width)));
    match both {
        Some((Some(height), Some(width))) => Ok((height, width)),
        _ => Err("write height x width, such as 28x28".into()),
    }
}

/// Fails if columns are brought to one scale each: pixels then no longer share one.
fn check_scale(args: &Args) -> Result<()> {
    match args.scale {
        Scaling::MinMax | Scaling::ZScore if args.training.picture.is_some() => {
            Err(Failure::Input(format!(
                "--scale {} with --picture: all pixels are on one scale already, and 0 must stay the \
                 background: leave out --scale",
                args.scale.name()
            )))
        }
        _ => Ok(()),
    }
}

pub(crate) fn run(args: &Args) -> Result<()> {
    Format::of(&args.output)?;
    check_scale(args)?;
    if let Some(path) = &args.plot {
        linkshift_plot::Format::of(path)?;
    }
    let params = args.training.params();
    params.check()?;
    let read = [&*args.table.data];
    let points_to = Output::check(&args.output, &read)?;
    let plot_to = args.plot.as_ref().map(|path| Output::check(path, &read)).transpose()?;
    let started = Instant::now();
    let known = match &args.encoder {
        Some(path) if path.exists() => Some(read_encoder(path)?),
        Some(path) if !args.autoencoder => {
            let text = format!(
                "{}: there is no such encoder: add --autoencoder to train one",
                path.display()
            );
            return Err(Failure::Input(text));
        }
        Some(path) => {
            Output::check(path, &read)?;
            None
        }
        None => None,
    };
    let made = match known.as_ref().and_then(|known| known.intake.as_ref()) {
        Some(intake) => {
            read_points_like(&args.table.data, &args.table.options(), intake, args.intake.broken())?
        }
        None => args.intake.read::<f32>(&args.table)?,
    };
    let told = made.table.points()?;
    let scaler = match &known {
        Some(known) => known.scaler.clone(),
        None => Scaler::fit(&told, args.scale),
    };
    let points = scaler.apply(&told)?;
    let mut notes = intake::remarks(&made);
    let embedded = match (args.autoencoder, &known) {
        (false, None) => {
            Embedded { points, columns: made.table.columns.clone(), curve: Vec::new() }
        }
        _ => Job { args, known: known.as_ref(), made: &made, scaler: &scaler, params: &params }
            .embed(&points, &mut notes)?,
    };
    interrupt::attended(|| {
        write(&points_to, plot_to.as_ref(), &args.table, &made.table, &embedded)
    })?;
    notes.iter().for_each(Note::show);
    report(args, &made, &embedded, &notes, started)
}

/// Rows in their new columns, and how training went.
struct Embedded<'a> {
    points: Points<'a, f32>,
    columns: Vec<String>,
    curve: Vec<Pass>,
}

/// What is known before training.
struct Job<'a> {
    args: &'a Args,
    known: Option<&'a SavedEncoder>,
    made: &'a Made<f32>,
    scaler: &'a Scaler,
    params: &'a AutoencoderParams,
}

impl Job<'_> {
    fn embed(&self, points: &Points<'_, f32>, notes: &mut Vec<Note>) -> Result<Embedded<'static>> {
        let mut training = match self.known {
            Some(known) => Training::load(known)?,
            None => Training::new(points, self.params)?,
        };
        if !training.is_done() {
            if !self.args.autoencoder {
                let text = "the encoder is not trained to its end: add --autoencoder, and the rows it began with, to go on";
                return Err(Failure::input(text));
            }
            if self.known.is_some() {
                self.check_same(&training, points)?;
                terminal::note(&format!(
                    "training goes on after {} passes",
                    training.curve().len()
                ));
            }
            self.train(&mut training, points)?;
        }
        if self.args.autoencoder && self.args.encoder.is_none() {
            let text = "the autoencoder is not kept: name a file with --encoder to embed other rows by it, or to go on after a stop";
            notes.push(Note::new("encoder-not-kept", text));
        }
        let encoder = training.encoder();
        let columns = (0..encoder.n_columns()).map(|at| format!("embedding_{at}")).collect();
        let points = encoder.apply(points)?;
        Ok(Embedded { points, columns, curve: training.curve().to_vec() })
    }

    /// Fails if training was begun with other settings or other rows.
    fn check_same(&self, training: &Training, points: &Points<'_, f32>) -> Result<()> {
        let fresh = Training::new(points, self.params)?;
        let what = match () {
            () if training.params() != fresh.params() => "settings",
            () if !training.began_like(&fresh) => "rows",
            () => return Ok(()),
        };
        let file = self.args.encoder.as_deref().unwrap_or(Path::new("-")).display();
        Err(Failure::Input(format!(
            "{file}: this training was begun with other {what}: give the same again, or name another file with --encoder"
        )))
    }

    fn train(&self, training: &mut Training, points: &Points<'_, f32>) -> Result<()> {
        let keep = |training: &Training| match &self.args.encoder {
            None => Ok(()),
            Some(path) => {
                let mut saved = SavedEncoder {
                    kind: String::new(),
                    numbers: Vec::new(),
                    arrays: Vec::new(),
                    intake: Some(self.made.intake.clone()),
                    scaler: self.scaler.clone(),
                };
                training.save_to(&mut saved);
                write_encoder(path, &saved)
            }
        };
        let mut kept = Instant::now();
        progress::trained(|observe| {
            while !training.is_done() {
                if training.pass(points, observe)?.is_none() {
                    keep(training)?;
                    return Err(self.cancelled());
                }
                if kept.elapsed() >= KEEP_EVERY {
                    keep(training)?;
                    kept = Instant::now();
                }
            }
            Ok(keep(training)?)
        })
    }

    fn cancelled(&self) -> Failure {
        if let Some(path) = &self.args.encoder {
            terminal::note(&format!("the same command goes on from {}", path.display()));
        }
        Failure::Cancelled
    }
}

fn write(
    points_to: &Output,
    plot_to: Option<&Output>,
    args: &TableArgs,
    table: &Table<f32>,
    embedded: &Embedded<'_>,
) -> Result<()> {
    let mut beside = Vec::new();
    if let Some(ids) = &table.ids {
        beside.push((args.id_column().unwrap_or("row"), Beside::Texts(ids)));
    }
    let named: Vec<String>;
    if let (Some(column), Some(labels)) = (&args.label_column, &table.labels) {
        let name =
            |&label: &i64| usize::try_from(label).ok().and_then(|at| table.label_names.get(at));
        beside.push(match table.label_names.is_empty() {
            true => (column, Beside::Numbers(labels)),
            false => {
                named =
                    labels.iter().map(|label| name(label).cloned().unwrap_or_default()).collect();
                (column, Beside::Texts(&named))
            }
        });
    }
    let mut staged = Staged::default();
    if let Some(output) = plot_to {
        picture::stage(&mut staged, output, |format| {
            render_charts(&[chart(&embedded.curve)], format)
        })?;
    }
    let (columns, values) = (&embedded.columns, embedded.points.values());
    staged.add(points_to, |path| write_table_beside(path, columns, values, &beside))?;
    Ok(staged.place()?)
}

/// The loss of each pass, stage by stage.
fn chart(curve: &[Pass]) -> Chart {
    let last = curve.last().map_or(0, |pass| pass.stage);
    let mut curves = Vec::new();
    for stage in 0..=last {
        let name = match stage == last {
            true => "all layers".to_owned(),
            false => format!("layer {}", stage + 1),
        };
        let values = |loss: &dyn Fn(&Pass) -> Option<f64>| {
            curve.iter().map(|pass| (pass.stage == stage).then(|| loss(pass)).flatten()).collect()
        };
        let trained = values(&|pass| Some(pass.loss));
        let held_out = values(&|pass| pass.held_out);
        let look = stage;
        curves.push(Curve { name: name.clone(), values: trained, look, hollow: false });
        curves.push(Curve {
            name: format!("{name}, held out"),
            values: held_out,
            look,
            hollow: true,
        });
    }
    Chart {
        title: "Training".into(),
        x_name: "pass".into(),
        y_name: "mean squared error".into(),
        places: Places::Numbers((1..=curve.len()).map(|pass| pass as f64).collect()),
        curves,
    }
}

fn report(
    args: &Args,
    made: &Made<f32>,
    embedded: &Embedded<'_>,
    notes: &[Note],
    started: Instant,
) -> Result<()> {
    let table = &made.table;
    let seconds = started.elapsed().as_secs_f64();
    let last = embedded.curve.last();
    let mut files = vec![("points", args.output.display().to_string())];
    files.extend(args.plot.iter().map(|path| ("plot", path.display().to_string())));
    let kept = args.encoder.iter().filter(|_| args.autoencoder);
    files.extend(kept.map(|path| ("encoder", path.display().to_string())));
    if args.json {
        return Object::new("embed")
            .with("data", args.table.source())
            .with("n_points", table.n_rows)
            .with("n_features", table.n_features)
            .with("n_columns", embedded.columns.len())
            .with("n_passes", embedded.curve.len())
            .with("loss", last.map(|pass| pass.loss))
            .with("held_out_loss", last.and_then(|pass| pass.held_out))
            .with("seconds", seconds)
            .with_files(&files)
            .with_notes(notes)
            .say();
    }
    let n_columns = embedded.columns.len();
    let mut lines = vec![(
        "points".to_owned(),
        format!(
            "{} × {} from {}, now × {n_columns}",
            table.n_rows,
            table.n_features,
            args.table.source()
        ),
    )];
    if let Some(pass) = last {
        let held_out =
            pass.held_out.map_or(String::new(), |loss| format!(", {loss:.4} on rows held out"));
        let text = format!("{} passes, loss {:.4}{held_out}", embedded.curve.len(), pass.loss);
        lines.push(("training".to_owned(), text));
    }
    lines.push(("time".to_owned(), format!("{seconds:.1} s")));
    lines.extend(files.into_iter().map(|(what, path)| (what.to_owned(), path)));
    if args.output == Path::new("-") {
        terminal::aside(&aligned(&lines));
        return Ok(());
    }
    terminal::say(&aligned(&lines))
}
