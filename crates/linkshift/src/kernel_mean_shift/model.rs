//! What kernel mean shift found.

use super::climb::Limits;
use super::factor::{Factor, Pivots};
use super::feature_climb::FeatureClimb;
use super::field::Field;
use super::fit::Around;
use super::mercer::Mercer;
use crate::cms::Gathered;
use crate::distance::distance_sq;
use crate::links::LinkClosure;
use crate::mean_shift::modes::Modes;
use crate::method::Outcome;
use crate::model::{Detail, Fact, IntoDetails, Model};
use crate::obey::Renumbered;
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
    /// What the axes are principal axes around.
    pub(super) around: Around,
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

/// All that a run leaves behind.
pub(super) struct Run<T: Real> {
    pub(super) embedding: Embedding<T>,
    pub(super) landscape: Landscape,
    /// Where centers ended.
    pub(super) terminals: Points<'static, f64>,
    /// Point → where its center ended.
    pub(super) terminal_of: Vec<u32>,
    pub(super) n_iter: usize,
    pub(super) converged: bool,
}

/// A fitted kernel mean shift. A mode lies in feature space and need not be the image of any point:
/// the center of a cluster is its point nearest to the mode (of a precomputed kernel: that point's
/// similarities). A new point is brought to feature space, climbs there as the fitted points did,
/// and takes the label of the place it reaches; with a precomputed kernel a row holds the
/// similarities of a new point to all fitted ones.
pub type KernelMeanShiftModel<T> = Model<T, KernelMeanShiftDetails>;

/// What only kernel mean shift has to say.
#[derive(Debug, Clone)]
pub struct KernelMeanShiftDetails {
    kernel: Mercer,
    bandwidth: f64,
    effective_dimension: f64,
    left_out: f64,
    gathered: Option<Gathered>,
    mode_rows: Vec<usize>,
    /// The points in feature space, row by row.
    rows: Vec<f64>,
    rank: usize,
    ends: Points<'static, f64>,
    end_of: Vec<u32>,
}

pub(super) fn conclude<T: Real>(
    points: &Points<'_, T>,
    run: Run<T>,
    modes: &Modes,
) -> Outcome<T, KernelMeanShiftDetails> {
    let Run { embedding, landscape, terminals, terminal_of, n_iter, converged } = run;
    let raw: Vec<i64> =
        terminal_of.iter().map(|&terminal| modes.of[terminal as usize] as i64).collect();
    let (labels, raw_of) = number_by_first_member(&raw);
    let mut new_of = vec![-1; modes.centers.len()];
    raw_of.iter().enumerate().for_each(|(new, &raw)| new_of[raw] = new as i64);
    let label_of_terminal: Vec<i64> = modes.of.iter().map(|&mode| new_of[mode]).collect();
    let places: Vec<usize> = raw_of.iter().map(|&raw| modes.centers[raw]).collect();
    let mode_rows = nearest_members(&embedding, &labels, &terminals.select(&places));
    let n_representatives = landscape.bandwidths.len();
    let details = KernelMeanShiftDetails {
        kernel: embedding.kernel,
        bandwidth: landscape.limits.bandwidth,
        effective_dimension: embedding.effective_dimension,
        left_out: embedding.factor.left_out,
        gathered: landscape
            .gathered
            .map(|rms_distance| Gathered { n_representatives, rms_distance }),
        mode_rows,
        rows: embedding.rows,
        rank: embedding.d,
        ends: terminals.clone(),
        end_of: terminal_of,
    };
    let Pivots { kernel, rows, points: at_pivots, n_features, triangle } = embedding.factor.pivots;
    let map = embedding.map;
    let Landscape { field, limits, gathered, .. } = landscape;
    let (samples, scales, log_shares) = field.into_shares();
    let climb = FeatureClimb {
        kernel,
        n_features,
        pivot_rows: rows.into_iter().map(|row| row as u32).collect(),
        pivots: at_pivots.map_or(Vec::new(), |points| points.values().to_vec()),
        triangle,
        map: (0..map.ncols()).flat_map(|col| map.col(col).iter().copied()).collect(),
        samples,
        gathered: gathered.is_some(),
        scales,
        log_shares,
        max_iter: limits.max_iter,
        tolerance: limits.tolerance,
        merge_tolerance: limits.merge_tolerance,
        ends: terminals,
        labels: label_of_terminal,
    };
    Outcome {
        labels,
        centers: Some(points.places(&details.mode_rows)),
        mode_bandwidth: None,
        n_iter,
        converged,
        notes: Vec::new(),
        predictor: Predictor::FeatureClimb(climb),
        details,
    }
}

impl<T: Real> KernelMeanShiftModel<T> {
    /// For each cluster the row of its point nearest to the mode.
    pub fn mode_rows(&self) -> &[usize] {
        &self.details.mode_rows
    }

    /// The mean of the bandwidths, in feature space.
    pub fn bandwidth(&self) -> f64 {
        self.details.bandwidth
    }

    /// The kernel, with the σ that was found if none was given.
    pub fn kernel(&self) -> Mercer {
        self.details.kernel
    }

    /// The rank of K̂: the number of columns of [`embedding`](Self::embedding).
    pub fn rank(&self) -> usize {
        self.details.rank
    }

    /// In how many directions the points really spread: see
    /// [`Dimension::Effective`](super::Dimension::Effective).
    pub fn effective_dimension(&self) -> f64 {
        self.details.effective_dimension
    }

    /// What the low-rank factor leaves out: the largest error of a similarity of a point to itself,
    /// which bounds that of all others, as a share of the largest.
    pub fn left_out(&self) -> f64 {
        self.details.left_out
    }

    /// Whether points were gathered into representatives first; the distance is in feature space.
    pub fn gathered(&self) -> Option<Gathered> {
        self.details.gathered
    }

    /// The points in the feature space that the links leave, row by row: their inner products are
    /// K̂, their distances those of Eq. 11.
    pub fn embedding(&self) -> &[f64] {
        &self.details.rows
    }

    /// Where the center of each point ended, in the same space, row by row.
    pub fn ends(&self) -> Vec<f64> {
        let KernelMeanShiftDetails { ends, end_of, .. } = &self.details;
        end_of.iter().flat_map(|&end| ends.row(end as usize)).copied().collect()
    }
}

impl<T: Real> IntoDetails<T> for KernelMeanShiftDetails {
    fn into_details(self) -> Vec<Detail<T>> {
        let sigma = match self.kernel {
            Mercer::Gaussian { sigma } => sigma,
            _ => None,
        };
        let shape = |values: &[f64]| vec![values.len() / self.rank, self.rank];
        let (of_points, of_ends) = (shape(&self.rows), shape(self.ends.values()));
        vec![
            Detail::new("kernel", self.kernel.name()),
            Detail::new("sigma", sigma),
            Detail::new("bandwidth", self.bandwidth),
            Detail::new("rank", self.rank),
            Detail::new("effective_dimension", self.effective_dimension),
            Detail::new("left_out", self.left_out),
            Detail::new("n_representatives", self.gathered.map(|it| it.n_representatives)),
            Detail::new("rms_distance", self.gathered.map(|it| it.rms_distance)),
            Detail::new("mode_indices", Fact::Rows(self.mode_rows)),
            Detail::new("embedding", Fact::Array(self.rows, of_points)),
            Detail::new("ends", Fact::Array(self.ends.values().to_vec(), of_ends)),
            Detail::new("end_of", Fact::Labels(self.end_of.into_iter().map(i64::from).collect())),
        ]
    }

    fn renumber(&mut self, numbers: &Renumbered, _labels: &[i64], _closure: &LinkClosure) {
        // The mode of a new cluster is its first point.
        let row = |(former, &first): (&Option<usize>, &usize)| {
            former.map_or(first, |it| self.mode_rows[it])
        };
        self.mode_rows = numbers.former.iter().zip(&numbers.first_row).map(row).collect();
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
