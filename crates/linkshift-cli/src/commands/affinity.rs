//! `linkshift affinity`: the matrix of affinities before and after mean shift, as a picture.

use super::fit::scaling_parser;
use crate::failure::Result;
use crate::input::TableArgs;
use crate::intake::{self, IntakeArgs};
use crate::methods::{self, SettingArgs};
use crate::notes::Note;

use crate::{picture, progress, terminal};
use linkshift::method::Algorithm;
use linkshift::scale::{Scaler, Scaling};
use linkshift::spectral::{Spectral, SpectralParams};
use linkshift::{Links, params};
use linkshift_io::{Output, Staged};
use linkshift_plot::{Format, MatrixPicture, render_matrices};
use std::path::PathBuf;

/// More rows than a picture can show are thinned out evenly.
const MOST_ROWS: usize = 1_000;

/// Draw the affinities of points and of modes, in the order of the clusters of `--method spectral`
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    table: TableArgs,
    #[command(flatten)]
    intake: IntakeArgs,
    #[command(flatten)]
    settings: SettingArgs,
    /// Bring all columns to one scale first
    #[arg(long, default_value = "none", value_parser = scaling_parser())]
    scale: Scaling,
    /// Where to draw: .svg or .png
    #[arg(long, value_name = "FILE")]
    plot: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let method = method(&args.settings)?;
    Format::of(&args.plot)?;
    let output = Output::check(&args.plot, &[&args.table.data])?;
    let made = args.intake.read::<f64>(&args.table)?;
    intake::remarks(&made).iter().for_each(Note::show);
    let table = made.table;
    methods::check_points(method.params().n_clusters, table.n_rows)?;
    let told = table.points()?;
    let points = Scaler::fit(&told, args.scale).apply(&told)?;
    let model =
        progress::watched(|observer| method.fit_observed(&points, &Links::new(), observer))?;

    let clusters = model.cluster_of_mode();
    let mut modes: Vec<usize> = (0..clusters.len()).collect();
    modes.sort_by_key(|&mode| (clusters[mode], mode));
    let mut rows: Vec<usize> = (0..table.n_rows).collect();
    rows.sort_by_key(|&row| (model.labels()[row], model.mode_of()[row], row));
    let shown = table.n_rows.min(MOST_ROWS);
    let rows: Vec<usize> = (0..shown).map(|at| rows[at * table.n_rows / shown]).collect();
    let panel = |title: String, values, n_columns| MatrixPicture {
        title,
        values: without_diagonal(values, n_columns),
        n_columns,
    };
    let of_points = match shown == table.n_rows {
        true => format!("{shown} points"),
        false => format!("{shown} of {} points", table.n_rows),
    };
    let panels = [
        panel(format!("before: {of_points}"), method.full_affinity(&points, &rows)?, shown),
        panel(format!("after: {} modes", modes.len()), model.affinity(&modes), modes.len()),
    ];
    let mut staged = Staged::default();
    picture::stage(&mut staged, &output, |format| render_matrices(&panels, format))?;
    staged.place()?;
    terminal::say(&format!(
        "{} points, {} modes, {} clusters: {output}\n",
        table.n_rows,
        modes.len(),
        model.n_clusters()
    ))
}

/// Spectral clustering, by its own type: the matrices are not part of what all methods have.
fn method(args: &SettingArgs) -> Result<Spectral> {
    let entry = methods::find(Some(SpectralParams::INFO.name))?;
    let given = methods::given(entry, args, &[])?;
    let params = params::configure(&methods::complete(entry, args, &given));
    Ok(Spectral::new(params.map_err(|error| methods::explained(entry, error))?)?)
}

/// As in the paper's figures: ones on the diagonal would outshine all else.
fn without_diagonal(mut values: Vec<f64>, n_columns: usize) -> Vec<f64> {
    values.iter_mut().step_by(n_columns + 1).for_each(|value| *value = 0.0);
    values
}
