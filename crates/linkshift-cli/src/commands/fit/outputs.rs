//! The files that a fit writes: checked before the work, written after it, all or none.

use super::{Args, Fitted, Job, distances};
use crate::failure::{Failure, Result};
use crate::methods::Number;

use crate::picture::{self, Panel};
use linkshift::model::Fact;
use linkshift::params::{SEED, Value};
use linkshift::scale::{Scaler, Scaling};
use linkshift::{Link, Model};
use linkshift_io::{Format, Output, SavedModel, Staged, write_labels, write_model};
use linkshift_plot::{render, render_matrices};
use std::path::{Path, PathBuf};

pub(super) struct Outputs {
    pub(super) labels: Option<Output>,
    pub(super) model: Option<Output>,
    plot: Option<Output>,
    distances: Option<Output>,
}

impl Outputs {
    /// Finds out before the work whether its fruits can be stored.
    pub(super) fn check(args: &Args) -> Result<Self> {
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
        let files = if args.stream { args.table.files()? } else { vec![args.table.data.clone()] };
        let read: Vec<&Path> = files.iter().chain(&args.links).map(|path| &**path).collect();
        // A model may take the place of the one before it, which has been read by then; labels may
        // not.
        let mut all_read = read.clone();
        all_read.extend(args.previous.as_deref());
        if let Some(path) = &args.output {
            Format::of(path)?;
        }
        for path in [&args.plot, &args.plot_distances].into_iter().flatten() {
            linkshift_plot::Format::of(path)?;
        }
        let check = |path: &Option<PathBuf>, inputs: &[&Path]| {
            path.as_ref().map(|path| Output::check(path, inputs)).transpose()
        };
        Ok(Self {
            labels: check(&args.output, &all_read)?,
            model: check(&args.model, &read)?,
            plot: check(&args.plot, &all_read)?,
            distances: check(&args.plot_distances, &all_read)?,
        })
    }

    /// Labels, model and pictures: all or, if one cannot be made, none.
    pub(super) fn write<T: Number>(&self, job: &Job<'_>, fitted: &Fitted<'_, T>) -> Result<()> {
        let Fitted { made, points, links, model, .. } = *fitted;
        let table = &made.table;
        let mut staged = Staged::default();
        let suspicious = suspicious(model);
        if let Some(output) = &self.plot {
            let args = job.args;
            let panel = Panel {
                title: format!("{} on {}", job.chosen.method.info().name, args.table.source()),
                points,
                columns: &axis_names(&table.columns, fitted.scaler.scaling()),
                labels: model.labels(),
                centers: model.centers(),
                center_name: if model.mode_bandwidth().is_some() { "mode" } else { "mean" },
                links: links.links.as_slice(),
                broken: &model.link_report().broken,
                suspicious: &suspicious,
            };
            let scatter = panel.map(args.settings.seed)?;
            picture::stage(&mut staged, output, |format| render(&[scatter], format))?;
        }
        if let Some(output) = &self.distances {
            let pictures = distances::pictures(model);
            picture::stage(&mut staged, output, |format| render_matrices(&pictures, format))?;
        }
        if let Some(output) = &self.model {
            let saved = saved(job, fitted);
            staged.add(output, |path| write_model(path, &saved))?;
        }
        if let Some(output) = &self.labels {
            let labels = table.labels_of_file(model.labels());
            staged.add(output, |path| write_labels(path, &labels, table.file_ids()))?;
        }
        job.watch.check()?;
        Ok(staged.place()?)
    }

    /// What is written, by what it is.
    pub(super) fn files(&self) -> Vec<(&'static str, String)> {
        let named = |what, output: &Option<Output>| {
            output.as_ref().map(|output| (what, output.to_string()))
        };
        let files = [
            named("labels", &self.labels),
            named("model", &self.model),
            named("plot", &self.plot),
            named("plot_distances", &self.distances),
        ];
        files.into_iter().flatten().collect()
    }
}

/// Links that are probably wrong.
fn suspicious<T: Number>(model: &Model<T>) -> Vec<Link> {
    match model.detail("suspects") {
        Some(Fact::Suspects(suspects)) => suspects.iter().map(|suspect| suspect.link).collect(),
        _ => Vec::new(),
    }
}

/// All that the file of the model holds.
fn saved<T: Number>(job: &Job<'_>, fitted: &Fitted<'_, T>) -> SavedModel<T> {
    let Fitted { made, scaler, points, links, model, first_unused } = *fitted;
    let table = &made.table;
    let rows: Vec<usize> = (0..points.n_points()).collect();
    let Job { args, chosen, .. } = job;
    let mut settings = chosen.given.clone();
    settings.push((SEED.to_owned(), Value::Count(args.settings.seed)));
    SavedModel {
        // How much memory was free at the time is nobody's concern later.
        settings,
        intake: Some(made.intake.clone()),
        id_column: args.table.options().id_column,
        ids: table.ids.clone(),
        scaler: Scaler::clone(scaler),
        points: Some(points.select(&rows)),
        first_unused,
        ..SavedModel::new(
            &*chosen.method,
            Model::clone(model),
            links.links.clone(),
            table.columns.clone(),
        )
    }
}

fn axis_names(columns: &[String], scaling: Scaling) -> Vec<String> {
    let name = |column: &String| match scaling {
        Scaling::None => column.clone(),
        _ => format!("{column} ({})", scaling.name()),
    };
    columns.iter().map(name).collect()
}
