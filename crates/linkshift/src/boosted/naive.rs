//! Algorithm 1 line by line: slow, obvious, the oracle of the fast path.
//!
//! Chance comes from the same [`Draws`], so that both paths draw the same cells. Line 6 is
//! [`MeanShift`], which has an oracle of its own. No links: the paper has none.

use super::params::BoostedParams;
use super::sampled_density::PROFILE;
use super::small::{MOST_ASKED, MOST_ROUNDS, N_STONES, SHARE_ASKED, VALLEY, way};
use super::steps::{Draws, cell_bandwidth};
use crate::bandwidth::Bandwidth;
use crate::distance::distance_sq;
use crate::error::Result;
use crate::links::Links;
use crate::mean_shift::naive::mean;
use crate::mean_shift::{MeanShift, MeanShiftParams};
use crate::points::Points;
use crate::real::Real;

/// The final clustering of Algorithm 1.
#[derive(Debug, Clone, PartialEq)]
pub struct NaiveBoosted {
    /// One label per point, numbered as DBSCAN numbers the clusters of modes.
    pub labels: Vec<i64>,
    /// Epochs done.
    pub n_epochs: usize,
    /// Modes found in all epochs.
    pub n_modes: usize,
}

/// Runs Algorithm 1 on at least as many points as there are cells.
pub fn fit<T: Real>(points: &Points<'_, T>, params: &BoostedParams) -> Result<NaiveBoosted> {
    let grid = params.cells.grid_for(points.n_points())?;
    let n_cells = grid.n_cells();
    let draws = Draws::new(params.seed, grid);
    // Line 1
    let mut cells = draws.deal(points.n_points(), params.cell_size);
    let first_cells = cells.clone();
    let min_points = params.min_points_on(grid);
    // Lines 2 and 3
    let mut modes: Vec<Vec<T>> = Vec::new();
    let (mut counter, mut last_number, mut epoch, mut eps) = (1, -1, 0, 0.0);
    loop {
        // The input h, which the text does not say how to find for all cells
        let said: Vec<f64> =
            cells.iter().map(|rows| cell_bandwidth(points, rows, params)).collect::<Result<_>>()?;
        let h = said.iter().sum::<f64>() / n_cells as f64;
        // Lines 5 to 8
        let mut new_modes = Vec::new();
        for rows in &cells {
            let of_cell = mean_shift(&points.select(rows), h, params)?;
            modes.extend(of_cell.iter().cloned());
            new_modes.push(of_cell);
        }
        // Line 9: of what the neighbours of a point's cell say, the largest (Eq. 6)
        let mut confidence: Vec<Vec<f64>> =
            cells.iter().map(|rows| vec![0.0; rows.len()]).collect();
        for (cell, of_cell) in new_modes.iter().enumerate() {
            // Cell, position in it, nearest mode and distance of each point around.
            let mut followers = Vec::new();
            for owner in grid.around(cell, params.neighborhood) {
                for (position, &row) in cells[owner].iter().enumerate() {
                    let (mode, distance) = nearest(points.row(row), of_cell);
                    followers.push((owner, position, mode, distance));
                }
            }
            for &(owner, position, mode, distance) in &followers {
                let same = followers.iter().filter(|other| other.2 == mode);
                let said = equation_5(distance, &same.map(|other| other.3).collect::<Vec<_>>());
                confidence[owner][position] = confidence[owner][position].max(said);
            }
        }
        // Lines 10 to 13
        let mut redrawn = Vec::new();
        for cell in 0..n_cells {
            let (mut rows, mut shares) = (Vec::new(), Vec::new());
            for owner in grid.around(cell, params.neighborhood) {
                rows.extend(&cells[owner]);
                shares.extend(&confidence[owner]);
            }
            let drawn = draws.redraw(epoch, cell, &shares, cells[cell].len());
            redrawn.push(drawn.into_iter().map(|position| rows[position]).collect());
        }
        cells = redrawn;
        // Line 14
        if epoch == 0 {
            let all: Vec<T> = modes.iter().flatten().copied().collect();
            let all = Points::new(all, points.n_features())?;
            eps = params.eps.find(h, &all, min_points);
        }
        let clusters = dbscan(&modes, eps, min_points);
        let number = clusters.iter().max().map_or(0, |&label| label + 1);
        epoch += 1;
        // Lines 15 to 19
        counter = if number == last_number { counter + 1 } else { 1 };
        last_number = number;
        // Line 20
        if counter == params.stable_epochs || epoch == params.max_epochs {
            // Lines 21 and 22: noise is left out
            let kept: Vec<usize> = (0..modes.len()).filter(|&mode| clusters[mode] >= 0).collect();
            let mut kept_modes: Vec<Vec<T>> =
                kept.iter().map(|&mode| modes[mode].clone()).collect();
            let mut kept_clusters: Vec<i64> = kept.iter().map(|&mode| clusters[mode]).collect();
            // What the text does not have
            let mut pooled = first_cells.concat();
            pooled.sort_unstable();
            let support = params.small_support_among(pooled.len());
            let pooled: Vec<Vec<T>> = pooled.iter().map(|&row| points.row(row).to_vec()).collect();
            small_clusters(&pooled, &mut kept_modes, &mut kept_clusters, support);
            let climb = density(points, &first_cells, params)?;
            let label = |row: &[T]| kept_clusters[nearest(&climb(row), &kept_modes).0];
            let labels = points.rows().map(label).collect();
            let n_modes = modes.len() + kept_modes.len() - kept.len();
            return Ok(NaiveBoosted { labels, n_epochs: epoch, n_modes });
        }
    }
}

/// What the text does not have: the climb of a point before line 21, on the first of every cell's
/// first points.
fn density<T: Real>(
    points: &Points<'_, T>,
    first_cells: &[Vec<usize>],
    params: &BoostedParams,
) -> Result<impl Fn(&[T]) -> Vec<T>> {
    let from_each = BoostedParams::CELL_SIZE.div_ceil(first_cells.len());
    let rows: Vec<usize> =
        first_cells.iter().flat_map(|rows| rows.iter().take(from_each)).copied().collect();
    let samples = points.select(&rows);
    let h = T::of(params.bandwidth.find(&samples, params.seed)?.mean());
    Ok(move |row: &[T]| {
        let mut place = row.to_vec();
        for _ in 0..params.climb_steps {
            place = mean(&samples, PROFILE, |_| h, &place).unwrap_or(place);
        }
        place
    })
}

/// The four steps of `small.rs`, on all points of the cells.
fn small_clusters<T: Real>(
    points: &[Vec<T>],
    modes: &mut Vec<Vec<T>>,
    clusters: &mut Vec<i64>,
    k: usize,
) {
    if k == 0 || k >= points.len() {
        return;
    }
    for _ in 0..MOST_ROUNDS {
        let n_clusters = clusters.iter().max().map_or(0, |&last| last + 1);
        // 1. Of each cluster the farthest twentieth, every n-th of all of them.
        let to_mode: Vec<(usize, f64)> = points.iter().map(|row| nearest(row, modes)).collect();
        let mut asked = Vec::new();
        for cluster in 0..n_clusters {
            let mut members: Vec<usize> = (0..points.len()).collect();
            members.retain(|&row| clusters[to_mode[row].0] == cluster);
            members.sort_by(|&a, &b| to_mode[b].1.total_cmp(&to_mode[a].1));
            let n = (SHARE_ASKED * members.len() as f64).ceil() as usize;
            asked.extend_from_slice(&members[..n]);
        }
        asked.sort_unstable();
        let every = asked.len().div_ceil(MOST_ASKED).max(1);
        // 2. The ball of the k nearest of each.
        let mut balls: Vec<(T, usize, Vec<T>)> = Vec::new();
        for &row in asked.iter().step_by(every) {
            let mut by_distance: Vec<(T, usize)> = (0..points.len())
                .map(|other| (distance_sq(&points[row], &points[other]), other))
                .collect();
            by_distance.sort_by(|a, b| a.partial_cmp(b).expect("no distance is NaN"));
            let ball = &by_distance[..k];
            let mean = |col: usize| {
                T::of(ball.iter().map(|at| points[at.1][col].as_f64()).sum::<f64>() / k as f64)
            };
            let mean = (0..points[row].len()).map(mean).collect();
            balls.push((ball[k - 1].0.sqrt(), row, mean));
        }
        balls.sort_by(|a, b| a.0.partial_cmp(&b.0).expect("no radius is NaN"));
        let is_apart = |from: &[T], radius: T, to: &[T]| {
            let inside = |place: &[T]| {
                points.iter().filter(|row| distance_sq(place, row) <= radius * radius).count()
            };
            way(from, radius, to).iter().any(|place| (inside(place) as f64) < VALLEY * k as f64)
        };
        // 3. Densest first: its mode's cluster, or that of a stone, or a new one.
        let mut placed: Vec<(usize, i64)> = Vec::new();
        let (mut new_modes, mut new_clusters, mut number) = (Vec::new(), Vec::new(), n_clusters);
        for (radius, row, mean) in balls {
            let (from, mode) = (&points[row], to_mode[row].0);
            let mut cluster = clusters[mode];
            if is_apart(from, radius, &modes[mode]) {
                let far = |stone: &(usize, i64)| distance_sq(from, &points[stone.0]);
                let mut stones = placed.clone();
                stones.sort_by(|a, b| far(a).partial_cmp(&far(b)).expect("no distance is NaN"));
                stones.truncate(N_STONES);
                let led = stones.iter().find(|stone| !is_apart(from, radius, &points[stone.0]));
                cluster = led.map_or(number, |stone| stone.1);
                number = number.max(cluster + 1);
                if cluster >= n_clusters {
                    new_modes.push(mean);
                    new_clusters.push(cluster);
                }
            }
            placed.push((row, cluster));
        }
        // 4. Again, unless nothing is new.
        if new_modes.is_empty() {
            return;
        }
        modes.extend(new_modes);
        clusters.extend(new_clusters);
    }
}

/// Line 6, and what the text leaves open: modes of little support are dropped.
fn mean_shift<T: Real>(
    cell: &Points<'_, T>,
    h: f64,
    params: &BoostedParams,
) -> Result<Vec<Vec<T>>> {
    let bandwidth = Bandwidth::Fixed(h);
    let shift = MeanShiftParams { bandwidth, profile: params.profile, ..Default::default() };
    let model = MeanShift::new(shift)?.fit(cell, &Links::new())?;
    let most = model.sizes().iter().copied().max().unwrap_or(0);
    let least = params.least_support_in(cell.n_points()).min(most);
    let modes = model.centers().into_iter().flat_map(Points::rows);
    let kept = modes.zip(model.sizes()).filter(|&(_, &size)| size >= least);
    Ok(kept.map(|(mode, _)| mode.to_vec()).collect())
}

/// Eq. 5: conf = 1 − (dis − min_dis) / (max_dis − min_dis); 1 where all are equally far.
fn equation_5(distance: f64, of_followers: &[f64]) -> f64 {
    let least = of_followers.iter().copied().fold(f64::INFINITY, f64::min);
    let most = of_followers.iter().copied().fold(0.0, f64::max);
    if most > least { 1.0 - (distance - least) / (most - least) } else { 1.0 }
}

/// DBSCAN by its definition, pair by pair; one mode is enough for a core if none has `min_points`.
fn dbscan<T: Real>(modes: &[Vec<T>], eps: f64, min_points: usize) -> Vec<i64> {
    let n = modes.len();
    let near = |a: usize| (0..n).filter(move |&b| distance(&modes[a], &modes[b]) <= eps);
    let mut is_core: Vec<bool> = (0..n).map(|mode| near(mode).count() >= min_points).collect();
    if !is_core.contains(&true) {
        is_core.fill(true);
    }
    let mut clusters = vec![-1; n];
    let mut number = 0;
    for first in 0..n {
        if !is_core[first] || clusters[first] >= 0 {
            continue;
        }
        let mut reached = vec![first];
        while let Some(mode) = reached.pop() {
            clusters[mode] = number;
            reached.extend(near(mode).filter(|&other| is_core[other] && clusters[other] < 0));
        }
        number += 1;
    }
    for border in (0..n).filter(|&mode| !is_core[mode]) {
        let by_distance = |&a: &usize, &b: &usize| {
            distance(&modes[border], &modes[a]).total_cmp(&distance(&modes[border], &modes[b]))
        };
        let core = near(border).filter(|&other| is_core[other]).min_by(by_distance);
        clusters[border] = core.map_or(-1, |core| clusters[core]);
    }
    clusters
}

/// The nearest mode and its distance.
fn nearest<T: Real>(row: &[T], modes: &[Vec<T>]) -> (usize, f64) {
    let mut best = (0, f64::INFINITY);
    for (mode, place) in modes.iter().enumerate() {
        let distance = distance(row, place);
        if distance < best.1 {
            best = (mode, distance);
        }
    }
    best
}

fn distance<T: Real>(a: &[T], b: &[T]) -> f64 {
    distance_sq(a, b).as_f64().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn confidence_falls_from_one_to_zero() {
        // Derived: distances 1, 2, 5 → 1, 1 − 1/4, 1 − 4/4.
        let followers = [1.0, 2.0, 5.0];
        assert_eq!(followers.map(|own| equation_5(own, &followers)), [1.0, 0.75, 0.0]);
        assert_eq!(equation_5(2.0, &[2.0, 2.0]), 1.0);
    }

    #[test]
    fn a_mode_without_company_is_noise() {
        let modes = [0.0, 0.1, 0.2, 7.0].map(|place| vec![place]);
        assert_eq!(dbscan(&modes, 0.15, 3), [0, 0, 0, -1]);
        assert_eq!(dbscan(&modes[2..], 0.15, 3), [0, 1]);
    }
}
