//! The method from points and links to model.

use super::model::ConstrainedSpectralDetails;
use super::params::{self, ConstrainedSpectralParams};
use super::pencil::{Entry, feasible, spectrum};
use crate::error::{Error, Result};
use crate::links::{LinkKind, Links};
use crate::memory::Size;
use crate::method::{Algorithm, Clusters, Counts, GivenLinks, Info, LinkUse, Method, Outcome};
use crate::observe::{Observer, Stages};
use crate::params::Param;
use crate::points::Points;
use crate::predictor::{Nearest, Predictor, Reach};
use crate::real::Real;
use crate::shared::means::cluster_means;
use crate::shared::relabel::number_by_first_member;
use crate::spectral::affinity::{Kernel, between};
use crate::spectral::routes::k_means;
use faer::Mat;
use std::collections::BTreeMap;

/// The matrix, the cuts, the clusters.
const STAGES: usize = 3;

/// Constrained spectral clustering with checked parameters.
pub type ConstrainedSpectral = Method<ConstrainedSpectralParams>;

impl Algorithm for ConstrainedSpectralParams {
    const INFO: Info = Info {
        name: "constrained-spectral",
        class: "ConstrainedSpectral",
        sentence: "the cheapest cuts of the affinity graph among those that agree with the links",
        links: LinkUse::Weighed,
        clusters: Clusters::Told,
        counts: Counts::STEPS,
        takes_similarities: false,
        shows_distances: false,
    };
    const TABLE: &'static [Param<Self>] = params::TABLE;

    /// All pairs of them are looked at.
    const DRAWN: usize = 2_000;

    type Details<T: Real> = ConstrainedSpectralDetails;

    /// The matrix, the cuts and the clusters are shown.
    fn needs(&self, size: &Size) -> u64 {
        /// Matrices of n × n numbers that are held at once, by measured peaks of 800 to 2,200 points
        /// (9.3 to 10.3).
        const MATRICES: u64 = 11;
        size.n_points.saturating_mul(size.n_points).saturating_mul(8 * MATRICES)
    }

    fn run<T: Real>(
        &self,
        points: &Points<'_, T>,
        links: &GivenLinks<'_>,
        observer: &mut Observer<'_>,
    ) -> Result<Outcome<T, ConstrainedSpectralDetails>> {
        let (n, k) = (points.n_points(), self.n_clusters);
        self.check_size(n)?;
        let sigma = self.bandwidth.find(points, self.seed)?;
        let bandwidth = sigma.mean();
        let mut stages = Stages::new(observer, STAGES, bandwidth);
        let of: Vec<u32> = (0..n as u32).collect();
        let (laplacian, roots) =
            normalised(between(points, &of, n, &Kernel::new(sigma, 0.0)).dense());
        stages.done(n)?;
        let entries = link_matrix(links.all);
        let beta = match self.beta {
            Some(beta) => beta,
            None => half_of_ranked(&spectrum(&entries)?, k.max(2) - 2, n),
        };
        let cuts = feasible(&laplacian, &entries, beta)?;
        stages.done(n)?;
        let both_signs =
            |vector: &[f64]| vector.iter().any(|&x| x > 0.0) && vector.iter().any(|&x| x < 0.0);
        let taken: Vec<_> =
            cuts.into_iter().filter(|cut| both_signs(&cut.vector)).take(k - 1).collect();

        let volume: f64 = roots.iter().map(|root| root * root).sum();
        let coordinate = |row: usize, cut: &super::pencil::Cut| {
            cut.vector[row] * volume.sqrt() / roots[row] * (1.0 - cut.cost)
        };
        let d = taken.len();
        let rows: Vec<f64> =
            (0..n).flat_map(|row| taken.iter().map(move |cut| coordinate(row, cut))).collect();
        let raw = if d == 0 { vec![0; n] } else { k_means(rows, d, k, self.seed)? };
        stages.done(n)?;

        let raw: Vec<i64> = raw.into_iter().map(|label| label as i64).collect();
        let (labels, _) = number_by_first_member(&raw);
        let all: Vec<usize> = (0..n).collect();
        let places = points.select(&all);
        let nearest = Nearest { places, labels: labels.clone(), reach: Reach::Any };
        Ok(Outcome {
            centers: cluster_means(points, &labels),
            labels,
            mode_bandwidth: None,
            n_iter: stages.n_done(),
            converged: true,
            notes: Vec::new(),
            predictor: Predictor::Nearest(nearest),
            details: ConstrainedSpectralDetails {
                bandwidth,
                beta,
                costs: taken.iter().map(|cut| cut.cost).collect(),
            },
        })
    }
}

impl ConstrainedSpectralParams {
    fn check_size(&self, n: usize) -> Result<()> {
        let k = self.n_clusters;
        if k > n {
            let must = format!("at most {n}, the number of points");
            return Err(Error::param("n_clusters", k, must));
        }
        Ok(())
    }
}

/// L̄ of an affinity matrix, whose diagonal is taken for zeros, and the roots of the row sums.
fn normalised(mut affinity: Mat<f64>) -> (Mat<f64>, Vec<f64>) {
    let n = affinity.nrows();
    (0..n).for_each(|at| affinity[(at, at)] = 0.0);
    let roots: Vec<f64> = (0..n)
        .map(|col| affinity.col(col).iter().sum::<f64>())
        // A point that has nothing to do with any other still needs a place.
        .map(|sum| sum.max(f64::MIN_POSITIVE.sqrt()).sqrt())
        .collect();
    let laplacian = Mat::from_fn(n, n, |a, b| {
        f64::from(u8::from(a == b)) - affinity[(a, b)] / (roots[a] * roots[b])
    });
    (laplacian, roots)
}

/// Q: the confidence of must-links, less that of cannot-links. A pair told twice counts once, with
/// its largest confidence.
pub(super) fn link_matrix(links: &Links) -> Vec<Entry> {
    let mut pairs: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    for link in links.iter() {
        let value = match link.kind {
            LinkKind::Must => link.confidence,
            LinkKind::Cannot => -link.confidence,
        };
        let told = pairs.entry((link.a.min(link.b), link.a.max(link.b))).or_default();
        if value.abs() > told.abs() {
            *told = value;
        }
    }
    pairs.into_iter().map(|((a, b), value)| (a, b, value)).collect()
}

/// Half of one of n eigenvalues, ranked from the largest, of which those not listed are zeros; a
/// little less, so that without links everything is feasible.
fn half_of_ranked(listed: &[f64], rank: usize, n: usize) -> f64 {
    let n_positive = listed.iter().take_while(|&&value| value > 0.0).count();
    let n_zeros = n - listed.len();
    let ranked = match rank {
        rank if rank < n_positive => listed[rank],
        rank if rank < n_positive + n_zeros => 0.0,
        rank => listed.get(rank - n_zeros).copied().unwrap_or(0.0),
    };
    ranked / 2.0 - 1e-6
}
