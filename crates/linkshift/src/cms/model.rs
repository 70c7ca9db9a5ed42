//! What constrained mean shift found, and the labels of points it has not seen.

use super::fit::Run;
use super::params::CmsParams;
use super::replay::{Replay, Stage};
use crate::error::Result;
use crate::links::LinkReport;
use crate::points::Points;
use crate::predictor::Predictor;
use crate::real::Real;
use crate::shared::relabel::number_by_first_member;

/// That points were gathered into representatives, and how far that moved them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gathered {
    /// How many representatives there were.
    pub n_representatives: usize,
    /// Root of the mean squared distance from a point to its representative.
    pub rms_distance: f64,
}

/// A fitted constrained mean shift.
#[derive(Debug, Clone)]
pub struct CmsModel<T: Real> {
    labels: Vec<i64>,
    modes: Points<'static, T>,
    sizes: Vec<usize>,
    bandwidths: Vec<f64>,
    converged: bool,
    pub(super) link_report: LinkReport,
    pub(super) n_implied_broken: u64,
    gathered: Option<Gathered>,
    pub(super) pairs_left_out: u64,
    replay: Replay<T>,
}

impl<T: Real> CmsModel<T> {
    /// `sample_of`: point → its sample, itself or its representative.
    pub(super) fn new(
        run: Run<T>,
        samples: Points<'static, T>,
        sample_of: Vec<u32>,
        params: &CmsParams,
        gathered: Option<Gathered>,
    ) -> Self {
        let component = |&sample: &u32| run.component_of_sample(sample);
        let raw: Vec<i64> = sample_of.iter().map(component).collect();
        let (labels, raw_of) = number_by_first_member(&raw);
        let mut sizes = vec![0; raw_of.len()];
        labels.iter().for_each(|&label| sizes[label as usize] += 1);

        let mut label_of = vec![-1; run.component_of_center.len()];
        raw_of.iter().enumerate().for_each(|(label, &raw)| label_of[raw] = label as i64);
        let label_of_center: Vec<i64> =
            run.component_of_center.iter().map(|&component| label_of[component as usize]).collect();
        // The mode of a cluster is the center most of its weight has gathered at.
        let mut heaviest = vec![usize::MAX; sizes.len()];
        for (center, &label) in label_of_center.iter().enumerate() {
            let Ok(label) = usize::try_from(label) else { continue };
            let weight = |center: usize| run.state.weights[center];
            if heaviest[label] == usize::MAX || weight(center) > weight(heaviest[label]) {
                heaviest[label] = center;
            }
        }
        Self {
            labels,
            modes: run.centers.select(&heaviest),
            sizes,
            bandwidths: run.bandwidths,
            converged: run.at_rest,
            link_report: LinkReport::default(),
            n_implied_broken: 0,
            gathered,
            pairs_left_out: 0,
            replay: Replay {
                params: params.clone(),
                samples,
                sample_of,
                gathered: gathered.is_some(),
                ties: run.ties,
                before_first: run.before_first,
                path: run.path,
                final_centers: run.centers,
                label_of_center,
            },
        }
    }

    /// The cluster of each point, numbered from 0 by first member.
    pub fn labels(&self) -> &[i64] {
        &self.labels
    }

    /// The mode of each cluster: where most of it has gathered.
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
        self.bandwidths.len()
    }

    /// Whether the centers were at rest after the last iteration.
    pub fn converged(&self) -> bool {
        self.converged
    }

    /// The bandwidth of each iteration.
    pub fn bandwidths(&self) -> &[f64] {
        &self.bandwidths
    }

    /// Which of the links given were kept, and which were broken.
    pub fn link_report(&self) -> &LinkReport {
        &self.link_report
    }

    /// Pairs of points that the links imply are apart but that share a label.
    pub fn n_implied_broken(&self) -> u64 {
        self.n_implied_broken
    }

    /// Whether points were gathered into representatives first; `None` = every point was its own.
    pub fn gathered(&self) -> Option<Gathered> {
        self.gathered
    }

    /// Implied cannot-linked pairs that were left out because their groups exceed the cap.
    pub fn pairs_left_out(&self) -> u64 {
        self.pairs_left_out
    }

    /// Bytes that the way of the centers takes, which prediction and [`trace`](Self::trace) need.
    pub fn path_bytes(&self) -> usize {
        let of =
            |stage: &Stage<T>| size_of_val(&stage.centers[..]) + size_of_val(&stage.merged[..]);
        self.replay.path.iter().map(of).sum()
    }

    /// The place of each point's center before the first and after each iteration, row by row.
    /// (Where points were gathered, they begin at their representatives.)
    pub fn trace(&self) -> Vec<Vec<T>> {
        let Replay { samples, sample_of, before_first, path, final_centers, .. } = &self.replay;
        let d = samples.n_features();
        let first = |&sample: &u32| before_first[sample as usize];
        let mut of: Vec<u32> = sample_of.iter().map(first).collect();
        let spread = |of: &[u32], centers: &[T]| -> Vec<T> {
            of.iter().flat_map(|&c| &centers[c as usize * d..][..d]).copied().collect()
        };
        let mut trace = Vec::with_capacity(path.len() + 1);
        for stage in path {
            trace.push(spread(&of, &stage.centers));
            of.iter_mut().for_each(|center| *center = stage.merged[*center as usize]);
        }
        trace.push(spread(&of, final_centers.values()));
        trace
    }

    /// Labels of new points: each is carried through all iterations by the samples and links of
    /// the fit, and from where it meets a center of the fit it shares that center's fate. A point
    /// of the fit meets its own at once, so it keeps its label.
    pub fn predict(&self, points: &Points<'_, T>) -> Result<Vec<i64>> {
        self.replay.predict(points)
    }

    /// All that [`predict`](Self::predict) takes, as plain data.
    pub fn into_predictor(self) -> Predictor<T> {
        Predictor::Replay(self.replay)
    }
}
