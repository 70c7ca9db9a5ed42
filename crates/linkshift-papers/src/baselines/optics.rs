//! OPTICS, and the clusters that DBSCAN would find in its order.
//!
//! Reference: M. Ankerst, M. Breunig, H.-P. Kriegel, J. Sander. OPTICS: ordering points to identify
//! the clustering structure. SIGMOD, 1999.

use linkshift::Points;
use linkshift::neighbors::Neighbors;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A point in OPTICS's order.
struct Visit {
    row: usize,
    /// The least reachability distance from what came before, infinite where a walk begins.
    reachability: f32,
    /// The distance to the `min_points`-th neighbour, itself included, if that is within `eps`.
    core: Option<f32>,
}

/// The cluster of each point, −1 for noise: the order cut where it is out of reach of `eps`.
pub(crate) fn fit(points: &Points<'_, f32>, eps: f64, min_points: usize) -> Vec<i64> {
    let mut labels = vec![-1; points.n_points()];
    let mut cluster = -1;
    for visit in order(points, eps as f32, min_points) {
        if visit.reachability.is_infinite() {
            match visit.core {
                Some(_) => cluster += 1,
                None => continue,
            }
        }
        labels[visit.row] = cluster;
    }
    labels
}

fn order(points: &Points<'_, f32>, eps: f32, min_points: usize) -> Vec<Visit> {
    let n_points = points.n_points();
    let index = Neighbors::new(points);
    let mut reachability = vec![f32::INFINITY; n_points];
    let mut visited = vec![false; n_points];
    let mut order = Vec::with_capacity(n_points);
    for start in 0..n_points {
        // Distances are not negative, and then their bits are ordered as they are.
        let mut waiting = BinaryHeap::from([Reverse((f32::INFINITY.to_bits(), start))]);
        while let Some(Reverse((reach, row))) = waiting.pop() {
            if visited[row] || f32::from_bits(reach) > reachability[row] {
                continue; // there already, or by a shorter way
            }
            visited[row] = true;
            // A search ends before its radius; a rounding more lets it reach it.
            let near = index.within(points.row(row), eps * (1.0 + 4.0 * f32::EPSILON));
            let mut distances: Vec<f32> = near.iter().map(|near| near.distance_sq.sqrt()).collect();
            let core = (near.len() >= min_points)
                .then(|| *distances.select_nth_unstable_by(min_points - 1, f32::total_cmp).1);
            order.push(Visit { row, reachability: reachability[row], core });
            let Some(core) = core else { continue };
            for near in near.iter().filter(|near| !visited[near.row]) {
                let reach = near.distance_sq.sqrt().max(core);
                if reach < reachability[near.row] {
                    reachability[near.row] = reach;
                    waiting.push(Reverse((reach.to_bits(), near.row)));
                }
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkshift::datasets;
    use linkshift::dbscan::Dbscan;
    use linkshift::scores::adjusted_rand_index;

    #[test]
    fn clusters_are_those_of_dbscan_but_for_the_border() {
        let set = datasets::moons(400, 0.1, 3).unwrap();
        let points = set.cast::<f32>().unwrap();
        let ours = fit(&points, 0.15, 4);
        // Another path: DBSCAN. Only border points visited before any core point differ (they are
        // noise here), so core points, nearly all, agree.
        let theirs = Dbscan::new(0.15, 4).unwrap().fit(&points);
        assert!(adjusted_rand_index(&theirs, &ours).unwrap() > 0.95);
    }

    #[test]
    fn far_points_are_noise() {
        let points = Points::new(vec![0.0f32, 0.1, 0.2, 5.0, 5.1, 5.2, 9.0], 1).unwrap();
        assert_eq!(fit(&points, 0.5, 3), [0, 0, 0, 1, 1, 1, -1]);
    }
}
