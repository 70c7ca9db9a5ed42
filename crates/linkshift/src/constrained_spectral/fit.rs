//! The method from points and links to model.

use super::model::ConstrainedSpectralModel;
use super::pencil::{Entry, feasible, spectrum};
use crate::bandwidth::Bandwidth;
use crate::error::{Error, Result};
use crate::links::{LinkKind, Links};
use crate::observe::{self, Observer, Step};
use crate::points::Points;
use crate::real::Real;
use crate::shared::memory;
use crate::shared::relabel::number_by_first_member;
use crate::spectral::affinity::{Kernel, between};
use crate::spectral::routes::k_means;
use faer::Mat;
use std::collections::BTreeMap;

/// All parameters of constrained spectral clustering.
#[derive(Debug, Clone, PartialEq)]
pub struct ConstrainedSpectralParams {
    /// How many clusters. Default 2.
    pub n_clusters: usize,
    /// σ of the Gaussian affinity. Default: Silverman's rule, as in spectral clustering after mean
    /// shift.
    pub bandwidth: Bandwidth,
    /// What the links ask for; `None` = half the (k − 1)-th eigenvalue of Q.
    pub beta: Option<f64>,
    /// What the matrices may use, in megabytes; `None` = no limit.
    pub memory_mb: Option<u64>,
    /// Seed of k-means' starts, and of sampled bandwidths.
    pub seed: u64,
}

impl Default for ConstrainedSpectralParams {
    fn default() -> Self {
        let bandwidth = Bandwidth::Silverman;
        Self { n_clusters: 2, bandwidth, beta: None, memory_mb: None, seed: 0 }
    }
}

impl ConstrainedSpectralParams {
    /// Fails on the first parameter that cannot work.
    pub fn check(&self) -> Result<()> {
        self.bandwidth.check()?;
        if self.n_clusters == 0 {
            return Err(Error::param("n_clusters", 0, "at least 1"));
        }
        match self.beta {
            Some(beta) if !beta.is_finite() => Err(Error::param("beta", beta, "a finite number")),
            _ => Ok(()),
        }
    }
}

/// Constrained spectral clustering with checked parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct ConstrainedSpectral {
    params: ConstrainedSpectralParams,
}

impl ConstrainedSpectral {
    /// Checks the parameters; every parameter error that does not depend on the points is here.
    pub fn new(params: ConstrainedSpectralParams) -> Result<Self> {
        params.check()?;
        Ok(Self { params })
    }

    /// The parameters.
    pub fn params(&self) -> &ConstrainedSpectralParams {
        &self.params
    }

    /// Finds the clusters; every error of points and links is here.
    pub fn fit<T: Real>(
        &self,
        points: &Points<'_, T>,
        links: &Links,
    ) -> Result<ConstrainedSpectralModel<T>> {
        self.fit_observed(points, links, &mut observe::ignore)
    }

    /// Like [`fit`](Self::fit), showing the matrix, the cuts and the clusters to an observer that
    /// may cancel.
    pub fn fit_observed<T: Real>(
        &self,
        points: &Points<'_, T>,
        links: &Links,
        observer: &mut Observer<'_>,
    ) -> Result<ConstrainedSpectralModel<T>> {
        let (n, k) = (points.n_points(), self.params.n_clusters);
        links.close(n)?;
        self.check_size(n)?;
        let sigma = self.params.bandwidth.find(points, self.params.seed)?;
        let bandwidth = sigma.mean();
        let show = |observer: &mut Observer<'_>, n_iter: usize| {
            let step = Step { n_iter, max_iter: 3, n_live: n, bandwidth, largest_shift: 0.0 };
            observe::show(observer, &step)
        };
        let of: Vec<u32> = (0..n as u32).collect();
        let (laplacian, roots) =
            normalised(between(points, &of, n, &Kernel::new(sigma, 0.0)).dense());
        show(observer, 1)?;
        let entries = link_matrix(links);
        let beta = match self.params.beta {
            Some(beta) => beta,
            None => half_of_ranked(&spectrum(&entries)?, k.max(2) - 2, n),
        };
        let cuts = feasible(&laplacian, &entries, beta)?;
        show(observer, 2)?;
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
        let raw = if d == 0 { vec![0; n] } else { k_means(rows, d, k, self.params.seed)? };
        show(observer, 3)?;

        let raw: Vec<i64> = raw.into_iter().map(|label| label as i64).collect();
        let (labels, raw_of) = number_by_first_member(&raw);
        let mut sizes = vec![0; raw_of.len()];
        labels.iter().for_each(|&label| sizes[label as usize] += 1);
        let all: Vec<usize> = (0..n).collect();
        Ok(ConstrainedSpectralModel {
            link_report: links.report(&labels),
            labels,
            sizes,
            bandwidth,
            beta,
            costs: taken.iter().map(|cut| cut.cost).collect(),
            points: points.select(&all),
        })
    }

    fn check_size(&self, n: usize) -> Result<()> {
        let k = self.params.n_clusters;
        if k > n {
            let must = format!("at most {n}, the number of points");
            return Err(Error::param("n_clusters", k, must));
        }
        /// Matrices of n × n numbers that are held at once.
        const MATRICES: u64 = 8;
        let needed = MATRICES * 8 * (n as u64).pow(2);
        let remedy = "take fewer points (a sample of them), or allow more";
        memory::allow(needed, self.params.memory_mb, remedy)
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
fn link_matrix(links: &Links) -> Vec<Entry> {
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
