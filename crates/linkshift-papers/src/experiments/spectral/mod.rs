//! Spectral clustering after mean shift.

pub(super) mod digits;
pub(super) mod figure_2;

use super::{Paper, Picture};
use crate::failure::Result;
use linkshift::Points;
use linkshift::spectral::{Spectral, SpectralModel};
use linkshift_plot::MatrixPicture;

pub(super) const PAPER: Paper = Paper {
    name: "spectral clustering after mean shift",
    reference: "U. Ozertem, D. Erdogmus. Spectral clustering with mean shift preprocessing. 2005.",
};

/// Most rows of the full matrix that are shown.
const MOST_ROWS: usize = 400;

/// Figures 3 and 4: the affinities of points and of modes by cluster, without their diagonals.
fn affinities(
    method: &Spectral,
    model: &SpectralModel<f64>,
    points: &Points<'_, f64>,
) -> Result<Picture> {
    let clusters = model.cluster_of_mode();
    let mut modes: Vec<usize> = (0..clusters.len()).collect();
    modes.sort_by_key(|&mode| (clusters[mode], mode));
    let n_points = points.n_points();
    let mut rows: Vec<usize> = (0..n_points).collect();
    rows.sort_by_key(|&row| (model.labels()[row], model.mode_of()[row], row));
    let shown = n_points.min(MOST_ROWS);
    let rows: Vec<usize> = (0..shown).map(|at| rows[at * n_points / shown]).collect();
    let panel = |title: String, mut values: Vec<f64>, n_columns: usize| {
        values.iter_mut().step_by(n_columns + 1).for_each(|value| *value = 0.0);
        MatrixPicture { title, values, n_columns }
    };
    Ok(Picture::Matrices(vec![
        panel(format!("K: {shown} points"), method.full_affinity(points, &rows)?, shown),
        panel(format!("K̃: {} modes", modes.len()), model.affinity(&modes), modes.len()),
    ]))
}
