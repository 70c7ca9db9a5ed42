//! `fit --stream`: tables that are larger than the memory, in one file or many.
//!
//! The rows are counted (Parquet files say how many they have; of others, and where links name ids,
//! they are read for it), then read twice. The first time those that the method draws, and all that
//! links name, are kept, and the clusters found from them; the second time every row is labelled by
//! the model and forgotten. Clusters are numbered by the rows that were kept.

mod links;

use super::{Job, Summary};
use crate::clusters::Clusters;
use crate::failure::{Failure, Result};
use crate::interrupt;
use crate::methods::Number;
use crate::notes::Note;
use links::FarLinks;
use linkshift::drawn::Draw;
use linkshift::params::{SEED, Value};
use linkshift::scale::{Scaler, Scaling};
use linkshift::{Model, Points};
use linkshift_io::{
    Intake, LabelChunk, Output, ReadOptions, SavedModel, Staged, Survey, Table, TableChunks,
    TableRecipe, write_label_chunks, write_model,
};
use std::collections::HashMap;
use std::path::PathBuf;
use std::time::Instant;

/// Files that are read more than once.
struct Source {
    files: Vec<PathBuf>,
    options: ReadOptions,
}

/// The rows of a draw, as they were read.
struct Kept<T: Number> {
    points: Points<'static, T>,
    /// The ids of these rows, or their numbers.
    names: Vec<String>,
    columns: Vec<String>,
    recipe: TableRecipe,
    text_columns: Vec<String>,
}

impl Job<'_> {
    /// The points are never in memory all at once, and the labels are written as they come.
    pub(super) fn stream<T: Number>(&self) -> Result<()> {
        let args = self.args;
        let Some(labels_to) = &self.outputs.labels else {
            let text = "--stream writes labels as they come: add -o labels.parquet";
            return Err(Failure::input(text));
        };
        let started = Instant::now();
        let source =
            Source { files: args.table.files()?, options: args.intake.options(&args.table) };
        let path = args.links.as_deref();
        let named = FarLinks::named(path, source.options.id_column.is_some())?;
        let survey = Survey::of(&source.files, &source.options, &named)?;
        let n_points = survey.n_rows;
        self.chosen.check_points(n_points)?;
        let links = FarLinks::read(path, &survey, source.options.id_column.is_some())?;
        let links = links.settled(args.contradictions)?;
        let method = &self.chosen.method;
        let most = args.draw.map(|most| most as usize);
        let draw = method.draw(n_points, most, &links.told())?;
        let kept = source.keep::<T>(draw.rows())?;
        let near = draw.positions(&links.far());
        let (scaling, scale_note) = args.scaling(&self.chosen, &kept.points, &near);
        let scaler = Scaler::fit(&kept.points, scaling);
        let drawn = scaler.apply(&kept.points)?;
        let fit = self
            .chosen
            .fit(|method, observer| method.fit_drawn(&draw, &drawn, &links.far(), observer));
        self.watch.check()?;
        let model = fit.map_err(|error| links.explained(error))?;
        let labelling = Labelling { kept: &kept, draw: &draw, scaler: &scaler, model: &model };
        let mut staged = Staged::default();
        let clusters = interrupt::attended(|| -> Result<Clusters> {
            let clusters = labelling.write(&source, labels_to, &mut staged)?;
            if let Some(output) = &self.outputs.model {
                let saved = self.saved_from(&kept, &draw, &scaler, &drawn, &links, &model);
                staged.add(output, |path| write_model(path, &saved))?;
            }
            self.watch.check()?;
            staged.place()?;
            Ok(clusters)
        })?;

        let is_scaled_by_part = scaling != Scaling::None && draw.rows().len() < n_points;
        let mut notes = self.stream_notes(&kept, &model, is_scaled_by_part);
        notes.extend(scale_note);
        let dropped = links.dropped(&draw);
        self.tell(&Summary {
            job: self,
            model: &model,
            n_points,
            n_drawn: Some(draw.rows().len()),
            n_features: drawn.n_features(),
            scaling,
            clusters,
            seconds: started.elapsed().as_secs_f64(),
            dropped: &dropped,
            ids: Some(&kept.names),
            kept: None,
            scored: None,
            notes: &notes,
        })
    }

    fn stream_notes<T: Number>(
        &self,
        kept: &Kept<T>,
        model: &Model<T>,
        is_scaled_by_part: bool,
    ) -> Vec<Note> {
        let mut notes: Vec<Note> = model.notes().iter().map(Note::from).collect();
        if !kept.text_columns.is_empty() {
            let names: Vec<String> =
                kept.text_columns.iter().map(|name| format!("{name:?}")).collect();
            let text =
                format!("left out: {}; name columns with --columns to insist", names.join(", "));
            notes.push(Note::new("left-out-columns", text));
        }
        if is_scaled_by_part {
            let text = "the scale is that of the rows that were drawn";
            notes.push(Note::new("scale-of-drawn-rows", text));
        }
        if self.args.table.label_column.is_some() {
            let text = "a stream is not scored: see linkshift score";
            notes.push(Note::new("stream-not-scored", text));
        }
        notes
    }

    /// All that the file of the model holds: of the rows that were kept.
    fn saved_from<T: Number>(
        &self,
        kept: &Kept<T>,
        draw: &Draw,
        scaler: &Scaler,
        drawn: &Points<'_, T>,
        links: &FarLinks<'_>,
        model: &Model<T>,
    ) -> SavedModel<T> {
        let Job { args, chosen, .. } = self;
        let mut settings = chosen.given.clone();
        settings.push((SEED.to_owned(), Value::Count(args.settings.seed)));
        let all: Vec<usize> = (0..drawn.n_points()).collect();
        SavedModel {
            settings,
            intake: Some(Intake { table: kept.recipe.clone(), content: None }),
            id_column: args.table.options().id_column,
            ids: Some(kept.names.clone()),
            scaler: scaler.clone(),
            points: Some(drawn.select(&all)),
            ..SavedModel::new(
                &*chosen.method,
                model.clone(),
                draw.positions(&links.far()),
                kept.columns.clone(),
            )
        }
    }
}

impl Source {
    fn chunks<T: Number>(&self) -> Result<TableChunks<T>> {
        Ok(TableChunks::open(&self.files, &self.options)?)
    }

    /// The points of these rows, which ascend, with their weights. Every row is checked, so that
    /// nothing is found wrong after the work.
    fn keep<T: Number>(&self, all: &[usize]) -> Result<Kept<T>> {
        let (mut values, mut weights, mut ids) = (Vec::new(), Vec::new(), Vec::new());
        let mut first_chunk: Option<Table<T>> = None;
        let (mut rows, mut first) = (all, 0);
        for chunk in self.chunks::<T>()? {
            if interrupt::asked() {
                return Err(Failure::Cancelled);
            }
            let chunk = chunk?;
            let points = chunk.points()?;
            let here = rows.partition_point(|&row| row < first + chunk.n_rows);
            for at in rows[..here].iter().map(|&row| row - first) {
                values.extend_from_slice(points.row(at));
                if chunk.weights.is_some() {
                    weights.push(points.weight(at));
                }
                ids.extend(chunk.ids.as_ref().map(|ids| ids[at].clone()));
            }
            rows = &rows[here..];
            first += chunk.n_rows;
            first_chunk.get_or_insert(chunk);
        }
        let (Some(table), true) = (first_chunk, rows.is_empty()) else {
            return Err(self.changed());
        };
        let names = match table.ids {
            Some(_) => ids,
            None => all.iter().map(usize::to_string).collect(),
        };
        let points = Points::new(values, table.n_features)?;
        let points = if weights.is_empty() { points } else { points.with_weights(weights)? };
        Ok(Kept {
            points,
            names,
            columns: table.columns,
            recipe: table.recipe,
            text_columns: table.text_columns,
        })
    }

    fn changed(&self) -> Failure {
        let path = self.files.first().map(|path| path.display().to_string()).unwrap_or_default();
        Failure::Input(format!(
            "{path}: it has changed while it was read: let nobody write to it, and start again"
        ))
    }
}

/// What labels all rows.
struct Labelling<'a, T: Number> {
    kept: &'a Kept<T>,
    draw: &'a Draw,
    scaler: &'a Scaler,
    model: &'a Model<T>,
}

impl<T: Number> Labelling<'_, T> {
    /// Writes a label for each row, and counts them.
    fn write(&self, source: &Source, to: &Output, staged: &mut Staged) -> Result<Clusters> {
        let n_points = self.draw.n_points();
        // Links are between rows, so what they say of a row holds for it, whatever equals it.
        let linked = self.draw.linked().iter();
        let linked: HashMap<usize, i64> =
            linked.map(|&at| (self.draw.rows()[at], self.model.labels()[at])).collect();
        let mut clusters = Clusters::default();
        let (mut first, mut n_checked) = (0, 0);
        let mut label = |chunk: Table<T>| -> Result<LabelChunk<'static>> {
            if interrupt::asked() {
                return Err(Failure::Cancelled);
            }
            let points = chunk.points()?;
            n_checked = self.check(&points, first, n_checked).ok_or_else(|| source.changed())?;
            let mut labels = self.model.predict(&self.scaler.apply(&points)?)?;
            for (at, label) in labels.iter_mut().enumerate() {
                *label = linked.get(&(first + at)).copied().unwrap_or(*label);
                clusters.add(*label);
            }
            first += chunk.n_rows;
            if first > n_points {
                return Err(source.changed());
            }
            Ok(LabelChunk { labels: labels.into(), ids: chunk.ids.map(Into::into) })
        };
        let chunks = source.chunks::<T>()?.map(|chunk| label(chunk?));
        staged.add(to, |path| write_label_chunks(path, n_points, chunks))?;
        match first == n_points {
            true => Ok(clusters),
            false => Err(source.changed()),
        }
    }

    /// Looks at the drawn rows among these, of which `n_before` were before them, and says how many
    /// have been looked at; none if one is not what it was.
    fn check(&self, points: &Points<'_, T>, first: usize, n_before: usize) -> Option<usize> {
        let rows = &self.draw.rows()[n_before..];
        let here = rows.partition_point(|&row| row < first + points.n_points());
        let is_same =
            |at: usize| points.row(rows[at] - first) == self.kept.points.row(n_before + at);
        (0..here).all(is_same).then_some(n_before + here)
    }
}
