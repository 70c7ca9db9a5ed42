//! Average linkage, by kodama: the nearest two clusters become one until `n_clusters` are left.

use kodama::{Method, linkage};
use linkshift::Points;
use rayon::prelude::*;

/// The cluster of each point. All n(n − 1)/2 distances are in memory, in single precision.
pub(crate) fn fit(points: &Points<'_, f32>, n_clusters: usize) -> Vec<i64> {
    let n_points = points.n_points();
    let mut distances: Vec<f32> = (0..n_points)
        .into_par_iter()
        .flat_map_iter(|a| (a + 1..n_points).map(move |b| distance(points.row(a), points.row(b))))
        .collect();
    let tree = linkage(&mut distances, n_points, Method::Average);
    // Step i joins two clusters into the one numbered n + i; the last steps are left out.
    let n_steps = n_points.saturating_sub(n_clusters);
    let mut joined_into: Vec<usize> = (0..n_points + n_steps).collect();
    for (step, joined) in tree.steps()[..n_steps].iter().enumerate() {
        joined_into[joined.cluster1] = n_points + step;
        joined_into[joined.cluster2] = n_points + step;
    }
    // What a cluster is joined into has a larger number: seen from the end, all is settled.
    for cluster in (0..joined_into.len()).rev() {
        joined_into[cluster] = joined_into[joined_into[cluster]];
    }
    joined_into[..n_points].iter().map(|&root| root as i64).collect()
}

fn distance(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f32>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkshift::scores::adjusted_rand_index;

    #[test]
    fn near_points_are_joined_first() {
        let points = Points::new(vec![0.0f32, 1.0, 10.0, 11.0, 30.0], 1).unwrap();
        let ari = |k, truth: [i64; 5]| adjusted_rand_index(&truth, &fit(&points, k)).unwrap();
        assert_eq!(ari(3, [0, 0, 1, 1, 2]), 1.0);
        // Derived: {0, 1} and {10, 11} are 10 apart on average, {10, 11} and {30} 19.5.
        assert_eq!(ari(2, [0, 0, 0, 0, 1]), 1.0);
        assert_eq!(ari(5, [0, 1, 2, 3, 4]), 1.0);
    }
}
