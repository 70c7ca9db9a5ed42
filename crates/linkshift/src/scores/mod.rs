//! Scores: how well labels agree with the truth, whatever the clusters are called.
//!
//! | score | best | at random | asks |
//! |---|---|---|---|
//! | [`rand_index`] | 1 | depends on the clusters | how many pairs of points are treated alike? |
//! | [`adjusted_rand_index`] | 1 | 0 | the same, with chance taken out |
//! | [`nmi`] | 1 | above 0 | how much does one labelling tell about the other? |
//! | [`accuracy`] | 1 | depends on the clusters | how many points are right, clusters being named as well as possible? |
//!
//! A label of -1 ("not clustered") is compared like any other label, as scikit-learn does with
//! plain labels: all such points count as one cluster of their own. Only [`n_clusters`] leaves it
//! out. Where a formula is 0/0 the value is scikit-learn's.
//!
//! Cost: O(n log n) time and O(n) memory for any number of clusters; `accuracy` needs in addition
//! one search per class or per cluster, whichever are fewer.

mod contingency;
pub(crate) mod matching;
#[cfg(test)]
mod tests;

use crate::error::{LinkError, Result};
use contingency::Contingency;
use std::collections::HashSet;

/// The label of a point that is in no cluster.
const NOISE: i64 = -1;

/// What the mutual information is divided by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Normalisation {
    /// The mean of the two entropies; scikit-learn's default.
    #[default]
    Arithmetic,
    /// The square root of their product.
    Geometric,
}

/// All scores of one labelling.
///
/// ```
/// use linkshift::scores::Scores;
///
/// let scores = Scores::of(&[0, 0, 0, 1, 1, 1], &[7, 7, 7, 3, 3, 7])?;
/// assert_eq!(scores.accuracy, 5.0 / 6.0);
/// assert_eq!(scores.n_clusters, 2);
/// # Ok::<(), linkshift::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Scores {
    /// The Rand index.
    pub ri: f64,
    /// The adjusted Rand index.
    pub ari: f64,
    /// Normalised mutual information, arithmetic normalisation.
    pub nmi: f64,
    /// Normalised mutual information, geometric normalisation.
    pub nmi_geometric: f64,
    /// Clustering accuracy under the best matching of clusters to classes.
    pub accuracy: f64,
    /// Clusters in the labels, -1 left out.
    pub n_clusters: usize,
}

impl Scores {
    /// Scores `labels` against `truth`; fails unless both have the same length, at least 1.
    pub fn of(truth: &[i64], labels: &[i64]) -> Result<Self> {
        let table = Contingency::of(truth, labels)?;
        let pairs = Pairs::of(&table);
        Ok(Self {
            ri: pairs.rand_index(),
            ari: pairs.adjusted_rand_index(),
            nmi: nmi_of(&table, Normalisation::Arithmetic),
            nmi_geometric: nmi_of(&table, Normalisation::Geometric),
            accuracy: accuracy_of(&table),
            n_clusters: n_clusters(labels),
        })
    }

    /// The same over the rows whose class is known, that is not −1, and how many those are; no
    /// scores if it is none.
    ///
    /// ```
    /// use linkshift::scores::Scores;
    ///
    /// let (scores, n_known) = Scores::of_known(&[0, -1, 1, 1], &[3, 7, 7, 7])?;
    /// assert_eq!((scores.map(|scores| scores.ari), n_known), (Some(1.0), 3));
    /// assert_eq!(Scores::of_known(&[-1], &[0])?, (None, 0));
    /// # Ok::<(), linkshift::Error>(())
    /// ```
    pub fn of_known(truth: &[i64], labels: &[i64]) -> Result<(Option<Self>, usize)> {
        if truth.len() != labels.len() {
            let (found, expected) = (labels.len(), truth.len());
            return Err(LinkError::LabelCount { found, expected }.into());
        }
        let known = truth.iter().zip(labels).filter(|&(&class, _)| class != NOISE);
        let (truth, labels): (Vec<i64>, Vec<i64>) = known.unzip();
        let scores = if truth.is_empty() { None } else { Some(Self::of(&truth, &labels)?) };
        Ok((scores, truth.len()))
    }
}

/// The share of pairs of points that both labellings put together or both put apart.
pub fn rand_index(truth: &[i64], labels: &[i64]) -> Result<f64> {
    Ok(Pairs::of(&Contingency::of(truth, labels)?).rand_index())
}

/// The Rand index, shifted and stretched so that chance scores 0 and agreement 1
/// (Hubert and Arabie 1985).
pub fn adjusted_rand_index(truth: &[i64], labels: &[i64]) -> Result<f64> {
    Ok(Pairs::of(&Contingency::of(truth, labels)?).adjusted_rand_index())
}

/// The mutual information of the two labellings over a mean of their entropies.
pub fn nmi(truth: &[i64], labels: &[i64], normalisation: Normalisation) -> Result<f64> {
    Ok(nmi_of(&Contingency::of(truth, labels)?, normalisation))
}

/// The share of points in the right cluster, when every class is given at most one cluster and
/// every cluster at most one class in the best possible way.
pub fn accuracy(truth: &[i64], labels: &[i64]) -> Result<f64> {
    Ok(accuracy_of(&Contingency::of(truth, labels)?))
}

/// The number of different labels, -1 left out.
pub fn n_clusters(labels: &[i64]) -> usize {
    labels.iter().filter(|&&label| label != NOISE).collect::<HashSet<_>>().len()
}

/// Pairs of points, counted by what the two labellings say of them.
struct Pairs {
    together_in_both: u128,
    together_in_truth_only: u128,
    together_in_labels_only: u128,
    apart_in_both: u128,
}

impl Pairs {
    fn of(table: &Contingency) -> Self {
        let within = |sizes: &mut dyn Iterator<Item = u64>| -> u128 {
            sizes.map(u128::from).map(|size| size * (size - 1) / 2).sum()
        };
        let all = within(&mut [table.n_points].into_iter());
        let both = within(&mut table.cells.iter().map(|&(_, _, count)| count));
        let truth = within(&mut table.class_sizes.iter().copied());
        let labels = within(&mut table.cluster_sizes.iter().copied());
        Self {
            together_in_both: both,
            together_in_truth_only: truth - both,
            together_in_labels_only: labels - both,
            apart_in_both: all + both - truth - labels,
        }
    }

    fn agree_everywhere(&self) -> bool {
        self.together_in_truth_only == 0 && self.together_in_labels_only == 0
    }

    fn rand_index(&self) -> f64 {
        if self.agree_everywhere() {
            return 1.0; // Also where there is no pair at all: a single point.
        }
        let alike = self.together_in_both + self.apart_in_both;
        let all = alike + self.together_in_truth_only + self.together_in_labels_only;
        alike as f64 / all as f64
    }

    fn adjusted_rand_index(&self) -> f64 {
        if self.agree_everywhere() {
            return 1.0; // The formula would be 0/0 for a single cluster, or only single points.
        }
        // The counts are exact. Their products are too large for that, but each of them is at most
        // the denominator, so the result is off by no more than a few roundings of 1.
        let both = self.together_in_both as f64;
        let truth = self.together_in_truth_only as f64;
        let labels = self.together_in_labels_only as f64;
        let apart = self.apart_in_both as f64;
        2.0 * (both * apart - truth * labels)
            / ((both + truth) * (truth + apart) + (both + labels) * (labels + apart))
    }
}

fn nmi_of(table: &Contingency, normalisation: Normalisation) -> f64 {
    if table.class_sizes.len() == 1 && table.cluster_sizes.len() == 1 {
        return 1.0; // 0/0, but the two labellings are the same.
    }
    let information = mutual_information(table);
    if information == 0.0 {
        return 0.0;
    }
    let truth = entropy(&table.class_sizes, table.n_points);
    let labels = entropy(&table.cluster_sizes, table.n_points);
    let scale = match normalisation {
        Normalisation::Arithmetic => (truth + labels) / 2.0,
        Normalisation::Geometric => (truth * labels).sqrt(),
    };
    // Rounding must not make two equal labellings better than perfect.
    (information / scale).min(1.0)
}

/// Σ p(class, cluster) · ln( p(class, cluster) / p(class) p(cluster) ), in nats.
fn mutual_information(table: &Contingency) -> f64 {
    let n = table.n_points as f64;
    let terms = table.cells.iter().map(|&(class, cluster, count)| {
        let count = count as f64;
        let by_chance = table.class_sizes[class] as f64 * table.cluster_sizes[cluster] as f64;
        // One logarithm of one ratio: independent labellings give ln 1 = 0, not a rounded zero.
        count / n * (count * n / by_chance).ln()
    });
    terms.sum::<f64>().max(0.0)
}

/// −Σ p ln p, in nats.
fn entropy(sizes: &[u64], n_points: u64) -> f64 {
    let n = n_points as f64;
    sizes.iter().map(|&size| size as f64 / n * (n / size as f64).ln()).sum()
}

fn accuracy_of(table: &Contingency) -> f64 {
    let (n_classes, n_clusters) = (table.class_sizes.len(), table.cluster_sizes.len());
    // The matching searches once per row, so the fewer of the two are its rows.
    let matched = if n_classes <= n_clusters {
        matching::best_total(&table.cells, n_classes, n_clusters)
    } else {
        let mut turned: Vec<_> = table.cells.iter().map(|&(a, b, count)| (b, a, count)).collect();
        turned.sort_unstable();
        matching::best_total(&turned, n_clusters, n_classes)
    };
    matched as f64 / table.n_points as f64
}
