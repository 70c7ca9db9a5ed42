//! Kernel mean shift under must-links: what its figures share.
//!
//! Two ways are shown: the library's defaults (with the k that the paper prints), and the text
//! taken literally (its σ, the exponent is the rank, bandwidths are as they are).

pub(super) mod figure_3;
pub(super) mod figure_4;
pub(super) mod figure_6;
pub(super) mod figure_8;
pub(super) mod figure_9;
mod objects;

use super::{Paper, Picture};
use crate::failure::Result;
use crate::run::{Cell, Run};
use crate::table::{Better, Mean, Table};
use linkshift::kernel_mean_shift::{
    Dimension, KernelMeanShift, KernelMeanShiftModel, KernelMeanShiftParams, Mercer, Neighbor,
};
use linkshift::obey::Obey;
use linkshift::scores::{accuracy, n_clusters};
use linkshift::{Dataset, Links, Points, Real};
use linkshift_plot::MatrixPicture;

pub(super) const PAPER: Paper = Paper {
    name: "kernel mean shift",
    reference: "O. Tuzel, F. Porikli, P. Meer. Kernel Methods for Weakly Supervised Mean Shift Clustering. \
                ICCV 2009.",
};

type Pairs = Vec<(usize, usize)>;

/// Draws of the synthetic sets.
const DRAWS: u64 = 10;

const BY_DEFAULT: &str = "by default";
const LITERAL: &str = "the text literally";

/// Why the text taken literally falls short.
const ONE_MODE: &str = "With the rank as exponent the weights 1/h^(d+2) differ so much that the densest point takes \
     nearly all.";

/// The defaults, labels as found, with a Gaussian of this σ (the library's if none) and the k-th neighbour.
fn gaussian(sigma: Option<f64>, k: usize) -> KernelMeanShiftParams {
    KernelMeanShiftParams {
        kernel: Mercer::Gaussian { sigma },
        neighbor: Neighbor::Kth(k),
        obey: Obey::AsFound,
        ..Default::default()
    }
}

/// The same by the text: σ is the mean distance if none is given, d is the rank, bandwidths have
/// no factor, and outliers go where they go.
fn literally(params: KernelMeanShiftParams) -> KernelMeanShiftParams {
    KernelMeanShiftParams {
        sigma_factor: 1.0,
        dimension: Dimension::Rank,
        bandwidth_factor: Some(1.0),
        leftover_share: 0.0,
        ..params
    }
}

fn fit<T: Real>(
    params: &KernelMeanShiftParams,
    points: &Points<'_, T>,
    must: &[(usize, usize)],
) -> Result<KernelMeanShiftModel<T>> {
    Ok(KernelMeanShift::new(params.clone())?.fit(points, &Links::from_pairs(must, &[]))?)
}

/// Accuracy and clusters of a way over the draws of a set, without its links and with them.
fn without_and_with_links(
    run: &mut Run<'_>,
    set: &str,
    (name, params): (&str, &KernelMeanShiftParams),
    columns: &[String; 2],
    draw: impl Fn(u64) -> Result<(Dataset, Pairs)>,
) -> Result<[[Option<Mean>; 2]; 2]> {
    let mut measure = |linked: bool| {
        let settings = (params, &columns[usize::from(linked)]);
        let cell = Cell { set, method: name, settings: &settings, repeats: DRAWS };
        run.mean(&cell, |_, seed| {
            let (set, must) = draw(seed)?;
            let must = if linked { must } else { Pairs::new() };
            on_classes(&set.labels, fit(params, &set.points, &must)?.labels())
        })
    };
    Ok([measure(false)?, measure(true)?])
}

/// Accuracy on the points that have a class, and the clusters among them.
fn on_classes(truth: &[i64], labels: &[i64]) -> Result<[f64; 2]> {
    let rows = (0..truth.len()).filter(|&row| truth[row] >= 0);
    let (truth, labels): (Vec<i64>, Vec<i64>) = rows.map(|row| (truth[row], labels[row])).unzip();
    Ok([accuracy(&truth, &labels)?, n_clusters(&labels) as f64])
}

fn rows_of(labels: &[i64], class: i64) -> Vec<usize> {
    (0..labels.len()).filter(|&row| labels[row] == class).collect()
}

/// An accuracy table and a table of cluster counts over the same columns.
fn two_tables(title: &str, columns: &[String]) -> [Table; 2] {
    let accuracy = Table::new(title, "accuracy", columns);
    let mut clusters = Table::new(format!("{title}, clusters"), "clusters", columns);
    (clusters.better, clusters.decimals) = (Better::Neither, 1);
    [accuracy, clusters]
}

/// The distances between all points in feature space before and after the links, and between
/// where they ended.
fn distances(titles: [&str; 4], models: [&KernelMeanShiftModel<f64>; 2]) -> Picture {
    let [plain, linked] = models;
    let all =
        [plain.embedding().to_vec(), plain.ends(), linked.embedding().to_vec(), linked.ends()];
    let n_points = plain.labels().len();
    let panel = |(title, rows): (&str, Vec<f64>)| {
        let rank = (rows.len() / n_points.max(1)).max(1);
        let rows: Vec<&[f64]> = rows.chunks_exact(rank).collect();
        let distance = |a: &[f64], b: &[f64]| -> f64 {
            a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
        };
        let values = rows.iter().flat_map(|a| rows.iter().map(|b| distance(a, b))).collect();
        MatrixPicture { title: title.into(), values, n_columns: n_points }
    };
    Picture::Matrices(titles.into_iter().zip(all).map(panel).collect())
}
