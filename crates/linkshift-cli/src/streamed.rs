//! `fit --stream`: a Parquet file that is larger than the memory, by boosted mean shift.
//!
//! The file is read twice. The first time the rows that the cells hold are kept, at most some
//! hundred thousand, and the modes found from them; the second time every row climbs, gets the label
//! of its nearest mode and is forgotten. The labels are those of a fit that has all points in
//! memory (with `--scale` but for the scale, which is that of the kept rows).

use crate::failure::{Failure, Result};
use crate::input::TableArgs;
use crate::interrupt;
use crate::outputs::{Output, Prepared};
use crate::progress;
use linkshift::boosted::{Boosted, BoostedModel};
use linkshift::scale::{Scaler, Scaling};
use linkshift::{Points, Real};
use linkshift_io::{LabelChunk, write_label_chunks};

/// What is left of a stream.
pub(crate) struct Streamed<T: Real> {
    pub(crate) n_points: usize,
    pub(crate) n_features: usize,
    pub(crate) sizes: Vec<usize>,
    pub(crate) model: BoostedModel<T>,
}

/// Clusters the rows of a file and writes a label for each.
pub(crate) fn cluster<T: Real>(
    table: &TableArgs,
    method: &Boosted,
    scaling: Scaling,
    labels_to: &Output,
) -> Result<Streamed<T>> {
    let n_points = table.chunks::<T>()?.n_rows();
    let kept = keep::<T>(table, &method.drawn_rows(n_points)?)?;
    let scaler = Scaler::fit(&kept, scaling);
    let kept = scaler.apply(&kept)?;
    let model = progress::watched(|observer| method.fit_drawn(&kept, n_points, observer))?;

    let mut numbering = Numbering::default();
    let mut prepared = Prepared::default();
    interrupt::attended(|| {
        let chunks = table.chunks::<T>()?.map(|chunk| {
            if interrupt::asked() {
                return Err(Failure::Cancelled);
            }
            let chunk = chunk?;
            let mut labels = model.predict(&scaler.apply(&chunk.points()?)?)?;
            numbering.apply(&mut labels);
            Ok(LabelChunk { labels: labels.into(), ids: chunk.ids.map(Into::into) })
        });
        prepared.add(labels_to, |path| write_label_chunks(path, n_points, chunks))?;
        prepared.place()
    })?;
    Ok(Streamed { n_points, n_features: kept.n_features(), sizes: numbering.sizes, model })
}

/// The points of these rows, which ascend, with their weights.
fn keep<T: Real>(table: &TableArgs, rows: &[usize]) -> Result<Points<'static, T>> {
    let chunks = table.chunks::<T>()?;
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

/// Labels numbered by their first row, and how many rows have each.
#[derive(Default)]
struct Numbering {
    new_of: Vec<Option<usize>>,
    sizes: Vec<usize>,
}

impl Numbering {
    fn apply(&mut self, labels: &mut [i64]) {
        for label in labels.iter_mut() {
            let old = *label as usize; // the model has no noise
            if old >= self.new_of.len() {
                self.new_of.resize(old + 1, None);
            }
            let new = *self.new_of[old].get_or_insert_with(|| {
                self.sizes.push(0);
                self.sizes.len() - 1
            });
            self.sizes[new] += 1;
            *label = new as i64;
        }
    }
}
