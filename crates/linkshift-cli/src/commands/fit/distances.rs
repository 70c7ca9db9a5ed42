//! `--plot-distances`: how far points are from each other, before and after the shift.

use crate::failure::{Failure, Result};
use crate::methods::Number;
use linkshift::Model;
use linkshift::distance::distance_sq;
use linkshift::model::Fact;
use linkshift_plot::MatrixPicture;

/// Points whose distances are drawn at the most: 10⁸ numbers in memory, far beyond what an eye sees.
const MOST_DRAWN: usize = 10_000;

/// Fails if there are too many points to draw.
pub(super) fn check(n_points: usize) -> Result<()> {
    if n_points <= MOST_DRAWN {
        return Ok(());
    }
    let text =
        format!("--plot-distances: {n_points} points are too many: draw at most {MOST_DRAWN}");
    Err(Failure::Input(text))
}

/// Where points lie in feature space and where they end there, as matrices of distances; none
/// for a model that has no such space.
pub(super) fn pictures<T: Number>(model: &Model<T>) -> Vec<MatrixPicture> {
    let details = ["embedding", "ends", "end_of"].map(|name| model.detail(name));
    let [Some(Fact::Array(rows, shape)), Some(Fact::Array(ends, _)), Some(Fact::Labels(end_of))] =
        details
    else {
        return Vec::new();
    };
    let d = shape[1];
    let rows: Vec<&[f64]> = rows.chunks_exact(d).collect();
    let ends: Vec<&[f64]> = end_of.iter().map(|&end| &ends[end as usize * d..][..d]).collect();
    vec![picture("in feature space", &rows), picture("between modes", &ends)]
}

/// The picture of the paper's Figures 6 and 8: all distances between rows.
fn picture(title: &str, rows: &[&[f64]]) -> MatrixPicture {
    let between = |a: &[f64]| rows.iter().map(|b| distance_sq(a, b).sqrt()).collect::<Vec<f64>>();
    MatrixPicture {
        title: format!("distances {title}"),
        values: rows.iter().flat_map(|a| between(a)).collect(),
        n_columns: rows.len(),
    }
}
