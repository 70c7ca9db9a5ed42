//! A map of points by their neighbours, for points of many columns.

use crate::layout_by_neighbors::{Pulls, lay_out};
use linkshift::neighbors::Neighbors;
use linkshift::pca::Pca;
use linkshift::{Points, Real, Result};
use rayon::prelude::*;
use std::ops::ControlFlow;

/// Neighbours that each point is drawn to: UMAP's usual number.
const NEIGHBORS: usize = 15;

/// More columns than this are first brought to so many principal components: in more, neighbours cost too
/// much and mean no more.
const MOST_COLUMNS: usize = 32;

/// Rounds of the layout. Half as many leave clusters of `digits` bent.
const ROUNDS: usize = 200;

/// How far from the middle the layout begins, as in UMAP.
const REACH: f64 = 10.0;

/// Of more points than this, so many are laid out, and every other one goes where its nearest ones are.
pub const MOST_LAID_OUT: usize = 50_000;

/// Laid-out points that another one goes between.
const BETWEEN: usize = 4;

/// A place in the plane for each point, near to those of its neighbours; `None` if `watch`, which is shown
/// the share that is done, stopped it. Points of one or two columns need no such map.
///
/// The places depend on points and seed alone, not on the number of threads.
///
/// ```
/// use linkshift::datasets;
/// use linkshift_plot::neighbor_map;
/// use std::ops::ControlFlow;
///
/// let blobs = datasets::blobs(300, 5, 3, 0.5, 10.0, 7)?;
/// let places = neighbor_map(&blobs.points, 0, &mut |_| ControlFlow::Continue(()))?;
/// assert_eq!(places.expect("nobody stopped it").len(), 300);
/// # Ok::<(), linkshift::Error>(())
/// ```
pub fn neighbor_map<T: Real>(
    points: &Points<'_, T>,
    seed: u64,
    watch: &mut dyn FnMut(f64) -> ControlFlow<()>,
) -> Result<Option<Vec<[f64; 2]>>> {
    let n = points.n_points();
    let n_columns = points.n_features().min(MOST_COLUMNS);
    let components = Pca::fit(points, n_columns)?.apply(points)?;
    let first_two = |points: &Points<'_, T>| -> Vec<[f64; 2]> {
        let two = |row: &[T]| [row[0].as_f64(), row.get(1).map_or(0.0, |y| y.as_f64())];
        points.rows().map(two).collect()
    };
    let flat = first_two(&components);
    let farthest = flat.iter().flatten().fold(0.0, |most: f64, value| most.max(value.abs()));
    if n <= NEIGHBORS || farthest == 0.0 {
        return Ok(Some(flat));
    }
    // A fixed step through rows in an order without meaning: every part is drawn from.
    let step = n.div_ceil(MOST_LAID_OUT);
    let laid: Vec<usize> = (0..n).step_by(step).collect();
    let chosen = components.select(&laid);
    let near = Neighbors::new(&chosen);
    let nearest: Vec<Vec<(u32, f64)>> = (0..laid.len())
        .into_par_iter()
        .map(|row| {
            let found = near.nearest(chosen.row(row), NEIGHBORS + 1).into_iter();
            let others = found.filter(|other| other.row != row).take(NEIGHBORS);
            others.map(|other| (other.row as u32, other.distance_sq.as_f64().sqrt())).collect()
        })
        .collect();
    if watch(0.2).is_break() {
        return Ok(None);
    }
    let begin = laid.iter().map(|&row| flat[row].map(|value| REACH * value / farthest)).collect();
    let pulls = Pulls::of(&nearest);
    let mut of_layout = |share: f64| watch(0.2 + 0.6 * share);
    let Some(places) = lay_out(&pulls, begin, ROUNDS, seed, &mut of_layout) else {
        return Ok(None);
    };
    if step == 1 {
        return Ok(Some(places));
    }
    let place = |row: usize| match row % step {
        0 => places[row / step],
        _ => between(&near.nearest(components.row(row), BETWEEN), &places),
    };
    Ok(Some((0..n).into_par_iter().map(place).collect()))
}

/// The place between those of some neighbours, nearest to the nearest.
fn between<T: Real>(near: &[linkshift::neighbors::Neighbor<T>], places: &[[f64; 2]]) -> [f64; 2] {
    let nearest = near.first().map_or(0.0, |one| one.distance_sq.as_f64()).max(f64::MIN_POSITIVE);
    let weight =
        |one: &linkshift::neighbors::Neighbor<T>| nearest / one.distance_sq.as_f64().max(nearest);
    let total: f64 = near.iter().map(weight).sum();
    let sum = |at: usize| near.iter().map(|one| weight(one) * places[one.row][at]).sum::<f64>();
    [sum(0) / total, sum(1) / total]
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkshift::datasets;

    fn map(points: &Points<'_, f64>) -> Vec<[f64; 2]> {
        neighbor_map(points, 0, &mut |_| ControlFlow::Continue(())).unwrap().unwrap()
    }

    #[test]
    fn clusters_that_hide_each_other_in_two_components_are_apart() {
        // Eight blobs at the corners of a cube in 8 columns; two components show at most four corners.
        let blobs = datasets::blobs(400, 8, 8, 0.4, 10.0, 3).unwrap();
        let places = map(&blobs.points);
        let flat = Points::new(places.concat(), 2).unwrap();
        let near = Neighbors::new(&flat);
        let kept = (0..400).filter(|&row| {
            let found = near.nearest(flat.row(row), 6);
            found.iter().all(|other| blobs.labels[other.row] == blobs.labels[row])
        });
        // Blobs are twenty deviations apart, so all neighbours but for stragglers are of one blob.
        assert!(kept.count() >= 390);
    }

    #[test]
    fn the_number_of_threads_does_not_show() {
        let blobs = datasets::blobs(1_500, 5, 3, 1.0, 10.0, 3).unwrap();
        let with = |n_threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
            pool.install(|| map(&blobs.points))
        };
        assert!(with(1) == with(3));
    }

    #[test]
    fn equal_and_few_points_have_places_too() {
        let equal = Points::new(vec![7.0; 300], 3).unwrap();
        assert_eq!(map(&equal), [[0.0, 0.0]; 100]);
        let one = Points::new(vec![1.0, 2.0, 3.0], 3).unwrap();
        assert_eq!(map(&one), [[0.0, 0.0]]);
        let mut doubles = vec![0.0; 60];
        doubles.extend([1.0; 60]);
        let doubles = Points::new(doubles, 3).unwrap();
        assert!(map(&doubles).iter().flatten().all(|value| value.is_finite()));
    }

    #[test]
    fn whoever_watches_can_stop_it() {
        let blobs = datasets::blobs(100, 3, 3, 1.0, 10.0, 3).unwrap();
        let mut shown = Vec::new();
        let stopped = neighbor_map(&blobs.points, 0, &mut |share| {
            shown.push(share);
            if share > 0.5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(stopped.unwrap(), None);
        assert!(shown.is_sorted() && shown.last().is_some_and(|&share| share > 0.5 && share < 0.6));
    }
}
