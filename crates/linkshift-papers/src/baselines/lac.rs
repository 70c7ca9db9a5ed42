//! Locally adaptive clustering: k-means in which each cluster weighs the columns in its own way.
//!
//! A cluster's weights are w_i ∝ exp(−X_i·s), where X_i is its mean squared deviation in column i:
//! columns in which it is narrow count more, the more so the larger the steepness s. (1/s is the
//! weight of the term that keeps a single column from counting alone.)
//!
//! Reference: C. Domeniconi, D. Gunopulos, S. Ma, B. Yan, M. Al-Razgan, D. Papadopoulos. Locally
//! adaptive metrics for clustering high dimensional data. Data Mining and Knowledge Discovery 14,
//! 2007.

use linkshift::kmeans::{KMeans, KMeansParams};
use linkshift::{Links, Points, Result};
use rayon::prelude::*;

/// Iterations at the most.
const MAX_ITER: usize = 100;

/// One cluster.
struct Cluster {
    center: Vec<f64>,
    weights: Vec<f64>,
}

/// The cluster of each point. The beginning is a step of k-means, with equal weights.
pub(crate) fn fit(
    points: &Points<'_, f64>,
    n_clusters: usize,
    steepness: f64,
    seed: u64,
) -> Result<Vec<i64>> {
    let begin = KMeansParams { seed, n_init: 1, max_iter: 1, ..KMeansParams::of(n_clusters) };
    let mut labels = KMeans::new(begin)?.fit(points, &Links::new())?.labels().to_vec();
    for _ in 0..MAX_ITER {
        let clusters: Vec<Option<Cluster>> = (0..n_clusters as i64)
            .map(|cluster| describe(points, &labels, cluster, steepness))
            .collect();
        let assigned: Vec<i64> = points
            .values()
            .par_chunks_exact(points.n_features())
            .map(|row| nearest(row, &clusters))
            .collect();
        if assigned == labels {
            break;
        }
        labels = assigned;
    }
    Ok(labels)
}

/// Centre and weights of a cluster, if it has any points left.
fn describe(
    points: &Points<'_, f64>,
    labels: &[i64],
    cluster: i64,
    steepness: f64,
) -> Option<Cluster> {
    let members = || points.rows().zip(labels).filter(|(_, label)| **label == cluster);
    let n_members = members().count();
    if n_members == 0 {
        return None;
    }
    let share = 1.0 / n_members as f64;
    let mut center = vec![0.0; points.n_features()];
    for (row, _) in members() {
        center.iter_mut().zip(row).for_each(|(sum, value)| *sum += value * share);
    }
    let mut spread = vec![0.0; points.n_features()];
    for (row, _) in members() {
        let away = row.iter().zip(&center).map(|(value, center)| (value - center).powi(2));
        spread.iter_mut().zip(away).for_each(|(sum, away)| *sum += away * share);
    }
    // The narrowest column has the exponent 0, so that not all of them vanish.
    let least = spread.iter().copied().fold(f64::INFINITY, f64::min);
    let raw: Vec<f64> = spread.iter().map(|spread| ((least - spread) * steepness).exp()).collect();
    let total: f64 = raw.iter().sum();
    Some(Cluster { center, weights: raw.iter().map(|raw| raw / total).collect() })
}

fn nearest(row: &[f64], clusters: &[Option<Cluster>]) -> i64 {
    let distance_sq = |cluster: &Cluster| -> f64 {
        let away = row.iter().zip(&cluster.center).map(|(value, center)| (value - center).powi(2));
        away.zip(&cluster.weights).map(|(away, weight)| away * weight).sum()
    };
    let there = clusters.iter().enumerate().filter_map(|(at, found)| Some((at, found.as_ref()?)));
    let by_distance = there.map(|(at, cluster)| (distance_sq(cluster), at));
    by_distance.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(-1, |(_, at)| at as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkshift::scores::adjusted_rand_index;

    #[test]
    fn a_narrow_column_counts_more() {
        // Derived: column 0 has no spread, column 1 has the spread 1: weights 1 : exp(−2).
        let points = Points::new(vec![0.0, -1.0, 0.0, 1.0], 2).unwrap();
        let cluster = describe(&points, &[0, 0], 0, 2.0).unwrap();
        let ratio = cluster.weights[1] / cluster.weights[0];
        assert!((ratio - (-2.0f64).exp()).abs() < 1e-12);
    }

    #[test]
    fn well_separated_clusters_are_found() {
        let set = linkshift::datasets::blobs(300, 4, 3, 0.5, 10.0, 2).unwrap();
        let found = (0..5).map(|seed| {
            let labels = fit(&set.points, 3, 0.2, seed).unwrap();
            adjusted_rand_index(&set.labels, &labels).unwrap()
        });
        // A bad start can merge two of them; not every start is bad.
        assert!(found.fold(0.0, f64::max) > 0.99);
    }
}
