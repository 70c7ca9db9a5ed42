//! What spectral clustering can be told, checked once.

use crate::bandwidth::Bandwidth;
use crate::error::{Error, Result};
use crate::obey::Obey;
use crate::params::shared::{self, HasBandwidth};
use crate::params::{N_CLUSTERS, Named, Param, Preset, Range, Slot};
use crate::shared::representatives::Representatives;

/// Representatives without links. Mean ARI of six sets (s4, digits, pendigits, and 2,000 each of
/// MNIST, Fashion and GTSRB; five numbers around it): .55 with 500, .58 with 1,000, .52 with up to
/// 4,000. The fewest of these, because the time grows with their square.
const AUTO: usize = 500;

/// In the plane fewer are as near to their points. 10,000 points, three draws each: crescents 1.000
/// with 300, 500 and 1,000, moons .996 .997 .997, Toy1 .993 .993 .993, five blobs .82 with each.
const AUTO_IN_THE_PLANE: usize = 300;

/// Representatives that a cluster should have, if the number of clusters is told.
const PER_CLUSTER: usize = 20;

/// From the matrix of affinities to clusters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Route {
    /// Cut the weakest edges of the maximum spanning tree (the paper's way). The only one that
    /// listens to links.
    Tree,
    /// Two clusters: split the entries of the matrix's leading eigenvector (Perona and Freeman).
    LeadingVector,
    /// Two clusters: split the second eigenvector of the normalised matrix (Shi and Malik).
    SecondVector,
    /// k-means on the rows of the leading k eigenvectors of the normalised matrix, brought to
    /// length 1 (Ng, Jordan and Weiss).
    Embedding,
}

impl Named for Route {
    const ALL: &'static [Self] =
        &[Route::Tree, Route::LeadingVector, Route::SecondVector, Route::Embedding];

    fn name(self) -> &'static str {
        match self {
            Route::Tree => "tree",
            Route::LeadingVector => "leading-vector",
            Route::SecondVector => "second-vector",
            Route::Embedding => "embedding",
        }
    }
}

/// All parameters of spectral clustering after mean shift.
#[derive(Debug, Clone, PartialEq)]
pub struct SpectralParams {
    /// How many clusters; `None` = from the data. Default: from the data.
    pub n_clusters: Option<usize>,
    /// σ of the Gaussian. Default: Silverman's rule, Eq. 3 of the paper.
    pub bandwidth: Bandwidth,
    /// What σ is multiplied by. Default 0.5: Silverman's rule takes the points for one Gaussian,
    /// and is too wide where they are several clusters. Two crescents half a radius apart came out
    /// without an error in 2 of 12 draws with 1, in 19 of 20 with 0.5 (one point in the other), and
    /// their number was found in all of these.
    pub bandwidth_factor: f64,
    /// From affinities to clusters. Default: the paper's tree.
    pub route: Route,
    /// Whether the rows of the matrix are modes (K̃) or all points (K, without mean shift).
    /// Default: modes.
    pub quantise: bool,
    /// Modes with a smaller share of the points are joined to where they are drawn most before the
    /// tree is cut, so that stray points take up no cluster. `None` = a fifth of the mean cluster,
    /// 0.2/k, if their number is told, else 0.01. 0 as in the paper; there, in 16 columns and more,
    /// the weakest edges lead to single points (pen digits: ARI 0.00 instead of 0.6).
    pub min_support: Option<f64>,
    /// Kernel values at or below this count as 0; 0 = all count. Default 1e-8, six σ away: no edge
    /// that decides anything is that weak, and what is farther need not be looked at.
    pub negligible: f64,
    /// Iterations of mean shift at the most. Default 1,000: the Gaussian arrives slowly.
    pub max_iter: usize,
    /// A point has arrived when it moves less than this share of σ. Default 0.001.
    pub tolerance: f64,
    /// Whether points are gathered into weighted representatives first. Default: without links,
    /// more than 1,000 into 500 (300 in the plane), or into 20 for each cluster if that is more; with links, which say
    /// nothing about points of one representative, as constrained mean shift: more than 4,000 into
    /// so many.
    pub representatives: Representatives,
    /// What becomes of certain links that the method itself would break.
    pub obey: Obey,
    /// What the matrix may use, in megabytes; `None` = no limit.
    pub memory_mb: Option<u64>,
    /// Seed of everything drawn: representatives, sampled bandwidths, the starts of k-means.
    pub seed: u64,
}

impl Default for SpectralParams {
    fn default() -> Self {
        Self {
            n_clusters: None,
            bandwidth: Bandwidth::Silverman,
            bandwidth_factor: 0.5,
            route: Route::Tree,
            quantise: true,
            min_support: None,
            negligible: 1e-8,
            max_iter: 1_000,
            tolerance: 1e-3,
            representatives: Representatives::Auto,
            obey: Obey::Certain,
            memory_mb: None,
            seed: 0,
        }
    }
}

impl SpectralParams {
    /// The paper to the letter: Silverman's σ as it is, every mode counts, and so does every pair.
    pub fn paper(n_clusters: usize) -> Self {
        Self {
            n_clusters: Some(n_clusters),
            bandwidth_factor: 1.0,
            min_support: Some(0.0),
            negligible: 0.0,
            obey: Obey::AsFound,
            representatives: Representatives::Never,
            ..Self::default()
        }
    }

    /// How many representatives `n_points` are gathered into; `None` = none.
    pub(crate) fn n_representatives(
        &self,
        n_points: usize,
        n_features: usize,
        has_links: bool,
    ) -> Option<usize> {
        if self.representatives != Representatives::Auto || has_links {
            return self.representatives.count_for(n_points);
        }
        let for_clusters = PER_CLUSTER * self.n_clusters.unwrap_or(0);
        let enough = if n_features <= 2 { AUTO_IN_THE_PLANE } else { AUTO };
        (n_points > 2 * AUTO.max(for_clusters)).then_some(enough.max(for_clusters))
    }

    /// The share of the points that makes a mode a cluster.
    pub(crate) fn min_share(&self) -> f64 {
        match (self.min_support, self.n_clusters) {
            (Some(share), _) => share,
            (None, Some(k)) => 0.2 / k as f64,
            (None, None) => 0.01,
        }
    }

    pub(super) fn agree(&self) -> Result<()> {
        match (self.route, self.n_clusters) {
            (Route::LeadingVector | Route::SecondVector, Some(k)) if k != 2 => {
                let must = format!("2, or left out, with route {}", self.route.name());
                Err(Error::param("n_clusters", k, must))
            }
            _ => Ok(()),
        }
    }
}

impl HasBandwidth for SpectralParams {
    fn bandwidth(&mut self) -> &mut Bandwidth {
        &mut self.bandwidth
    }
}

pub(super) const TABLE: &[Param<SpectralParams>] = &[
    Param::new(
        N_CLUSTERS,
        Range::From(1.0),
        |params| Slot::Field(&mut params.n_clusters),
        "number of clusters; auto: from the points",
    ),
    shared::bandwidth("σ of the Gaussian: a distance, or a rule that finds one"),
    shared::percentile(),
    shared::alpha(),
    shared::k(),
    Param::new(
        "bandwidth_factor",
        Range::Above(0.0),
        |params| Slot::Field(&mut params.bandwidth_factor),
        "what the bandwidth is multiplied by; 1 is the paper's",
    ),
    Param::new(
        "route",
        Range::Any,
        |params| Slot::Field(&mut params.route),
        "from affinities to clusters; only the tree listens to links",
    ),
    Param::new(
        "quantise",
        Range::Any,
        |params| Slot::Field(&mut params.quantise),
        "whether the matrix is of modes, or of all points (without mean shift)",
    ),
    Param::new(
        "min_support",
        Range::FromBelow(0.0, 1.0),
        |params| Slot::Field(&mut params.min_support),
        "route=tree: modes with a smaller share of the points join others; auto: 0.2/n_clusters, or 0.01",
    ),
    Param::new(
        "negligible",
        Range::FromBelow(0.0, 1.0),
        |params| Slot::Field(&mut params.negligible),
        "kernel values at or below this count as 0",
    ),
    Param::new(
        "max_iter",
        Range::From(1.0),
        |params| Slot::Field(&mut params.max_iter),
        "iterations of mean shift at the most",
    ),
    Param::new(
        "tolerance",
        Range::FromBelow(0.0, 1.0),
        |params| Slot::Field(&mut params.tolerance),
        "a point has arrived when it moves less than this share of the bandwidth",
    ),
    Param::new(
        "representatives",
        Range::From(1.0),
        |params| Slot::Field(&mut params.representatives),
        "gather points into this many weighted ones first, if there are more; auto: 500 (in the plane 300) above 1000 without links, else 4000",
    ),
    shared::obey(|params| Slot::Field(&mut params.obey)),
    shared::memory_mb(|params| Slot::Field(&mut params.memory_mb)),
    shared::seed(|params| Slot::Field(&mut params.seed)),
];

pub(super) const PRESETS: &[Preset<SpectralParams>] = &[Preset {
    name: "paper",
    what: "the paper to the letter",
    needs: &[N_CLUSTERS],
    params: || SpectralParams::paper(2),
}];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn representatives_by_points_columns_clusters_and_links() {
        let told = |n_clusters| SpectralParams { n_clusters, ..SpectralParams::default() };
        assert_eq!(told(None).n_representatives(1_000, 2, false), None);
        assert_eq!(told(None).n_representatives(1_001, 2, false), Some(300));
        assert_eq!(told(None).n_representatives(1_001, 3, false), Some(500));
        assert_eq!(told(Some(40)).n_representatives(2_000, 2, false), Some(800));
        assert_eq!(told(None).n_representatives(4_000, 2, true), None);
    }
}
