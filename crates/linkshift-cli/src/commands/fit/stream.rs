//! `fit --stream`: a Parquet file that is larger than the memory, by a method that finds the
//! clusters from a part of the points.
//!
//! The file is read twice. The first time the rows that the method draws are kept, at most some
//! hundred thousand, and the clusters found from them; the second time every row is labelled by
//! the model and forgotten. The labels are those of a fit that has all points in memory (with
//! `--scale` but for the scale, which is that of the kept rows).

use super::{Args, Job, Summary};
use crate::clusters::Clusters;
use crate::failure::{Failure, Result};
use crate::interrupt;
use crate::methods::Number;
use crate::notes::Note;

use crate::progress;
use linkshift::scale::{Scaler, Scaling};
use linkshift::{Links, Model, Points};
use linkshift_io::{LabelChunk, Output, Staged, write_label_chunks};
use std::collections::HashMap;
use std::time::Instant;

impl Job<'_> {
    /// The points are never in memory all at once, and the labels are written as they come.
    pub(super) fn stream<T: Number>(&self) -> Result<()> {
        let args = self.args;
        let Some(labels_to) = &self.outputs.labels else {
            let text = "--stream writes labels as they come: add -o labels.parquet";
            return Err(Failure::input(text));
        };
        let started = Instant::now();
        let n_points = args.intake.chunks::<T>(&args.table)?.n_rows();
        self.chosen.check_points(n_points)?;
        let method = &self.chosen.method;
        let drawn = keep::<T>(args, &method.drawn_rows(n_points)?)?;
        let (scaling, scale_note) = args.scaling(&self.chosen, &drawn, &Links::new());
        let scaler = Scaler::fit(&drawn, scaling);
        let drawn = scaler.apply(&drawn)?;
        let model = progress::watched(|observer| method.fit_drawn(&drawn, n_points, observer))?;
        let clusters = label::<T>(args, &scaler, &model, n_points, labels_to)?;

        let mut notes: Vec<Note> = model.notes().iter().map(Note::from).collect();
        notes.extend(scale_note);
        if scaling != Scaling::None && drawn.n_points() < n_points {
            let text = "the scale is that of the rows that were drawn";
            notes.push(Note::new("scale-of-drawn-rows", text));
        }
        if args.table.label_column.is_some() {
            let text = "a stream is not scored: see linkshift score";
            notes.push(Note::new("stream-not-scored", text));
        }
        self.tell(&Summary {
            job: self,
            model: &model,
            n_points,
            n_features: drawn.n_features(),
            scaling,
            clusters,
            seconds: started.elapsed().as_secs_f64(),
            dropped: &[],
            ids: None,
            kept: None,
            scored: None,
            notes: &notes,
        })
    }
}

/// The points of these rows, which ascend, with their weights.
fn keep<T: Number>(args: &Args, rows: &[usize]) -> Result<Points<'static, T>> {
    let chunks = args.intake.chunks::<T>(&args.table)?;
    let n_features = chunks.n_features();
    let mut values = Vec::with_capacity(rows.len() * n_features);
    let mut weights = Vec::new();
    let (mut rows, mut first) = (rows, 0);
    for chunk in chunks {
        let chunk = chunk?;
        // Every row is checked, so that nothing is found wrong after the work.
        let points = chunk.points()?;
        let here = rows.partition_point(|&row| row < first + chunk.n_rows);
        for &row in &rows[..here] {
            values.extend_from_slice(points.row(row - first));
            if chunk.weights.is_some() {
                weights.push(points.weight(row - first));
            }
        }
        rows = &rows[here..];
        first += chunk.n_rows;
    }
    let points = Points::new(values, n_features)?;
    Ok(if weights.is_empty() { points } else { points.with_weights(weights)? })
}

/// Writes a label for each row of the file.
fn label<T: Number>(
    args: &Args,
    scaler: &Scaler,
    model: &Model<T>,
    n_points: usize,
    labels_to: &Output,
) -> Result<Clusters> {
    let mut numbering = Numbering::default();
    let mut staged = Staged::default();
    interrupt::attended(|| -> Result<()> {
        let chunks = args.intake.chunks::<T>(&args.table)?.map(|chunk| {
            if interrupt::asked() {
                return Err(Failure::Cancelled);
            }
            let chunk = chunk?;
            let mut labels = model.predict(&scaler.apply(&chunk.points()?)?)?;
            labels.iter_mut().for_each(|label| *label = numbering.next(*label));
            Ok(LabelChunk { labels: labels.into(), ids: chunk.ids.map(Into::into) })
        });
        staged.add(labels_to, |path| write_label_chunks(path, n_points, chunks))?;
        Ok(staged.place()?)
    })?;
    Ok(numbering.clusters)
}

/// Labels numbered by their first row, and how many rows have each.
#[derive(Default)]
struct Numbering {
    new_of: HashMap<i64, i64>,
    clusters: Clusters,
}

impl Numbering {
    /// The new label of the next row.
    fn next(&mut self, label: i64) -> i64 {
        let n_known = self.new_of.len() as i64;
        let new = if label < 0 { label } else { *self.new_of.entry(label).or_insert(n_known) };
        self.clusters.add(new);
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_are_numbered_by_their_first_row() {
        let mut numbering = Numbering::default();
        assert_eq!([7, -1, 2, 7].map(|label| numbering.next(label)), [0, -1, 1, 0]);
        assert_eq!(numbering.clusters, Clusters::of(&[0, -1, 1, 0]));
    }
}
