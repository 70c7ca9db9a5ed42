//! What kernel mean shift found, and the labels of points it has not seen.

use super::climb::Limits;
use super::factor::{Factor, Pivots};
use super::feature_climb::{Ascent, FeatureClimb};
use super::field::Field;
use super::mercer::Mercer;
use crate::cms::Gathered;
use crate::distance::distance_sq;
use crate::error::Result;
use crate::links::LinkReport;
use crate::mean_shift::modes::Modes;
use crate::points::Points;
use crate::predictor::Predictor;
use crate::real::Real;
use crate::shared::relabel::number_by_first_member;
use faer::Mat;

/// The way from a point to its coordinates in the feature space that the links leave.
#[derive(Debug, Clone)]
pub(super) struct Embedding<T: Real> {
    pub(super) kernel: Mercer,
    pub(super) factor: Factor<T>,
    /// Coordinates by the factor → final coordinates.
    pub(super) map: Mat<f64>,
    /// The fitted points, row by row.
    pub(super) rows: Vec<f64>,
    pub(super) d: usize,
    pub(super) effective_dimension: f64,
}

/// What centers climb on.
#[derive(Debug, Clone)]
pub(super) struct Landscape {
    pub(super) field: Field,
    pub(super) limits: Limits,
    pub(super) samples: Vec<f64>,
    pub(super) bandwidths: Vec<f64>,
    /// Root of the mean squared distance from points to representatives, where there are any.
    pub(super) gathered: Option<f64>,
}

/// A fitted kernel mean shift.
#[derive(Debug, Clone)]
pub struct KernelMeanShiftModel<T: Real> {
    labels: Vec<i64>,
    sizes: Vec<usize>,
    mode_rows: Vec<usize>,
    modes: Points<'static, T>,
    pub(super) n_iter: usize,
    pub(super) converged: bool,
    pub(super) link_report: LinkReport,
    embedding: Embedding<T>,
    landscape: Landscape,
    terminals: Points<'static, f64>,
    terminal_of: Vec<u32>,
    label_of_terminal: Vec<i64>,
}

impl<T: Real> KernelMeanShiftModel<T> {
    /// `terminal_of`: point → where its center ended.
    pub(super) fn new(
        points: &Points<'_, T>,
        embedding: Embedding<T>,
        landscape: Landscape,
        terminals: Points<'static, f64>,
        modes: &Modes,
        terminal_of: Vec<u32>,
    ) -> Self {
        let raw: Vec<i64> =
            terminal_of.iter().map(|&terminal| modes.of[terminal as usize] as i64).collect();
        let (labels, raw_of) = number_by_first_member(&raw);
        let mut sizes = vec![0; raw_of.len()];
        labels.iter().for_each(|&label| sizes[label as usize] += 1);
        let mut new_of = vec![-1; modes.centers.len()];
        raw_of.iter().enumerate().for_each(|(new, &raw)| new_of[raw] = new as i64);
        let label_of_terminal = modes.of.iter().map(|&mode| new_of[mode]).collect();
        let places: Vec<usize> = raw_of.iter().map(|&raw| modes.centers[raw]).collect();
        let mode_rows = nearest_members(&embedding, &labels, &terminals.select(&places));
        Self {
            modes: points.select(&mode_rows),
            labels,
            sizes,
            mode_rows,
            n_iter: 0,
            converged: false,
            link_report: LinkReport::default(),
            embedding,
            landscape,
            terminals,
            terminal_of,
            label_of_terminal,
        }
    }

    /// The cluster of each point, numbered from 0 by first member.
    pub fn labels(&self) -> &[i64] {
        &self.labels
    }

    /// For each cluster the row of its point nearest to the mode. The mode itself lies in feature
    /// space and need not be the image of any point.
    pub fn mode_rows(&self) -> &[usize] {
        &self.mode_rows
    }

    /// The points at [`mode_rows`](Self::mode_rows) (of a precomputed kernel: their similarities).
    pub fn modes(&self) -> &Points<'static, T> {
        &self.modes
    }

    /// The number of points in each cluster.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// The number of clusters.
    pub fn n_clusters(&self) -> usize {
        self.sizes.len()
    }

    /// Iterations done.
    pub fn n_iter(&self) -> usize {
        self.n_iter
    }

    /// Whether every center arrived before the iterations ran out.
    pub fn converged(&self) -> bool {
        self.converged
    }

    /// The mean of the bandwidths, in feature space.
    pub fn bandwidth(&self) -> f64 {
        self.landscape.limits.bandwidth
    }

    /// The kernel, with the σ that was found if none was given.
    pub fn kernel(&self) -> Mercer {
        self.embedding.kernel
    }

    /// The rank of K̂: the number of columns of [`embedding`](Self::embedding).
    pub fn rank(&self) -> usize {
        self.embedding.d
    }

    /// In how many directions the points really spread: see
    /// [`Dimension::Effective`](super::Dimension::Effective).
    pub fn effective_dimension(&self) -> f64 {
        self.embedding.effective_dimension
    }

    /// What the low-rank factor leaves out: the largest error of a similarity of a point to itself,
    /// which bounds that of all others, as a share of the largest.
    pub fn left_out(&self) -> f64 {
        self.embedding.factor.left_out
    }

    /// Which of the links given were kept, and which were broken.
    pub fn link_report(&self) -> &LinkReport {
        &self.link_report
    }

    /// Whether points were gathered into representatives first; the distance is in feature space.
    pub fn gathered(&self) -> Option<Gathered> {
        let n_representatives = self.landscape.bandwidths.len();
        self.landscape.gathered.map(|rms_distance| Gathered { n_representatives, rms_distance })
    }

    /// The points in the feature space that the links leave, row by row: their inner products are
    /// K̂, their distances those of Eq. 11.
    pub fn embedding(&self) -> &[f64] {
        &self.embedding.rows
    }

    /// Where the center of each point ended, in the same space, row by row.
    pub fn ends(&self) -> Vec<f64> {
        self.terminal_of.iter().flat_map(|&end| self.terminals.row(end as usize)).copied().collect()
    }

    /// Labels of new points: each is brought to feature space, climbs there as the fitted points
    /// did, and takes the label of the place it reaches. With a precomputed kernel a row holds the
    /// similarities of a new point to all fitted ones.
    pub fn predict(&self, points: &Points<'_, T>) -> Result<Vec<i64>> {
        let ascent = Ascent {
            pivots: &self.embedding.factor.pivots,
            map: &self.embedding.map,
            field: &self.landscape.field,
            limits: &self.landscape.limits,
            gathered: self.landscape.gathered.is_some(),
            ends: &self.terminals,
            labels: &self.label_of_terminal,
        };
        ascent.predict(points)
    }

    /// All that [`predict`](Self::predict) takes, as plain data.
    pub fn into_predictor(self) -> Predictor<T> {
        let Pivots { kernel, rows, points, n_features, triangle } = self.embedding.factor.pivots;
        let map = self.embedding.map;
        let Landscape { field, limits, gathered, .. } = self.landscape;
        let (samples, scales, log_shares) = field.into_shares();
        Predictor::FeatureClimb(FeatureClimb {
            kernel,
            n_features,
            pivot_rows: rows.into_iter().map(|row| row as u32).collect(),
            pivots: points.map_or(Vec::new(), |points| points.values().to_vec()),
            triangle,
            map: (0..map.ncols()).flat_map(|col| map.col(col).iter().copied()).collect(),
            samples,
            gathered: gathered.is_some(),
            scales,
            log_shares,
            max_iter: limits.max_iter,
            tolerance: limits.tolerance,
            merge_tolerance: limits.merge_tolerance,
            ends: self.terminals,
            labels: self.label_of_terminal,
        })
    }
}

/// For each cluster the row of its member nearest to its mode.
fn nearest_members<T: Real>(
    embedding: &Embedding<T>,
    labels: &[i64],
    modes: &Points<'_, f64>,
) -> Vec<usize> {
    let mut best = vec![(0, f64::INFINITY); modes.n_points()];
    for (row, (&label, at)) in
        labels.iter().zip(embedding.rows.chunks_exact(embedding.d)).enumerate()
    {
        let cluster = label as usize;
        let mode = modes.row(cluster);
        let distance_sq = distance_sq(at, mode);
        if distance_sq < best[cluster].1 {
            best[cluster] = (row, distance_sq);
        }
    }
    best.into_iter().map(|(row, _)| row).collect()
}
