//! Many points gathered into few: halved across their longest direction, over and over.
//!
//! Drawing representatives and moving them to the mean of their points searches among all of them
//! for each point in each round, and takes longer than all that follows. Halving takes a few passes
//! over the points for each of log₂(count) levels. Where points lie along shapes of fewer dimensions
//! its cells follow these, since each is cut across its own longest direction.

use crate::error::Result;
use crate::kmeans::centers::{ByColumn, move_to_means};
use crate::points::Points;
use crate::real::Real;
use crate::shared::representatives::{Gathering, with_followers};

/// Cells of more points than this are halved on all cores.
const ON_ALL_CORES: usize = 256;

/// At most `count` representatives: the means of cells, moved once to the mean of the points that
/// are nearest to them. Each point goes to the nearest.
pub(crate) fn gather<T: Real>(points: &Points<'_, T>, count: usize) -> Result<Gathering<T>> {
    let mut rows: Vec<u32> = (0..points.n_points() as u32).collect();
    let whole = Cell::of(points, &rows, points.row(0));
    let mut means = halve(points, &mut rows, &whole, count);
    let d = points.n_features();
    let nearest = |means: &[T]| ByColumn::new(means, d).nearest(points.values(), d);
    let of: Vec<u32> = nearest(&means).into_iter().map(|(mean, _)| mean).collect();
    move_to_means(points, &of, &mut means);
    let nearest: Vec<(u32, f64)> =
        nearest(&means).into_iter().map(|(mean, sq)| (mean, sq.as_f64())).collect();
    with_followers(points, &means, &nearest)
}

/// Some points, and what decides whether and where they are cut.
struct Cell<T> {
    mean: Vec<T>,
    /// Σ w·(x − mean)², column by column.
    scatter: Vec<f64>,
}

impl<T: Real> Cell<T> {
    /// In one pass, by sums of differences to a place that is not far.
    fn of(points: &Points<'_, T>, rows: &[u32], near: &[T]) -> Self {
        let mut weight = 0.0;
        let mut sums = vec![0.0; near.len()];
        let mut squares = vec![0.0; near.len()];
        for &row in rows {
            let w = points.weight(row as usize).as_f64();
            weight += w;
            let off = points.row(row as usize).iter().zip(near).map(|(&x, &at)| (x - at).as_f64());
            for ((sum, square), off) in sums.iter_mut().zip(&mut squares).zip(off) {
                *sum += w * off;
                *square += w * off * off;
            }
        }
        if weight > 0.0 {
            for (sum, square) in sums.iter_mut().zip(&mut squares) {
                let mean = *sum / weight;
                *square = (*square - *sum * mean).max(0.0);
                *sum = mean;
            }
        }
        let mean = near.iter().zip(sums).map(|(&at, off)| at + T::of(off)).collect();
        Self { mean, scatter: squares }
    }

    fn total_scatter(&self) -> f64 {
        self.scatter.iter().sum()
    }

    /// About where the cell is longest: how all columns go along with the one that varies most,
    /// which is the first step of the power method. (A second one makes cells 1 % smaller at most.)
    fn longest_direction(&self, points: &Points<'_, T>, rows: &[u32]) -> Vec<T> {
        let (scatter, d) = (&self.scatter, self.scatter.len());
        let widest =
            (1..d).fold(0, |best, col| if scatter[col] > scatter[best] { col } else { best });
        let mut direction = vec![T::zero(); d];
        for &row in rows {
            let row = points.row(row as usize);
            let along = row[widest] - self.mean[widest];
            for ((v, &x), &m) in direction.iter_mut().zip(row).zip(&self.mean) {
                *v += along * (x - m);
            }
        }
        direction
    }

    /// Whether a point lies on the lower side of the mean.
    fn is_below(&self, x: &[T], direction: &[T]) -> bool {
        let along: T =
            x.iter().zip(&self.mean).zip(direction).map(|((&x, &m), &v)| (x - m) * v).sum();
        along <= T::zero()
    }
}

/// The means, row by row, of at most `count` cells.
fn halve<T: Real>(
    points: &Points<'_, T>,
    rows: &mut [u32],
    cell: &Cell<T>,
    count: usize,
) -> Vec<T> {
    if count < 2 || cell.total_scatter() == 0.0 {
        return cell.mean.clone();
    }
    let direction = cell.longest_direction(points, rows);
    let mut n_below = 0;
    for at in 0..rows.len() {
        if cell.is_below(points.row(rows[at] as usize), &direction) {
            rows.swap(n_below, at);
            n_below += 1;
        }
    }
    let on_all_cores = rows.len() > ON_ALL_CORES;
    let (below, above) = rows.split_at_mut(n_below);
    if below.is_empty() || above.is_empty() {
        return cell.mean.clone(); // only rounding tells them apart
    }
    let halves = (Cell::of(points, below, &cell.mean), Cell::of(points, above, &cell.mean));
    let n_cells = share(count, [&halves.0, &halves.1], [below.len(), above.len()]);
    let mut first = || halve(points, below, &halves.0, n_cells);
    let mut second = || halve(points, above, &halves.1, count - n_cells);
    let (mut means, others) =
        if on_all_cores { rayon::join(first, second) } else { (first(), second()) };
    means.extend(others);
    means
}

/// How many of `count` cells the first half gets: as its share of the scatter, at least one, and
/// no half more than it has points.
fn share<T: Real>(count: usize, halves: [&Cell<T>; 2], sizes: [usize; 2]) -> usize {
    let [first, second] = halves.map(Cell::total_scatter);
    let fair = if first + second > 0.0 { first / (first + second) } else { 0.5 };
    let least = count.saturating_sub(sizes[1]).max(1);
    let most = sizes[0].min(count - 1).max(least);
    ((fair * count as f64).round() as usize).clamp(least, most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blobs_become_their_means() {
        // Derived: means of 0, 1 | 10, 11 | 20, 24; distances ½ four times and 2 twice.
        let points = Points::new(vec![0.0, 10.0, 20.0, 1.0, 11.0, 24.0], 1).unwrap();
        let gathering = gather(&points, 3).unwrap();
        let mut places = gathering.points.values().to_vec();
        places.sort_by(f64::total_cmp);
        assert_eq!(places, [0.5, 10.5, 22.0]);
        assert!((gathering.rms_distance - (9.0_f64 / 6.0).sqrt()).abs() < 1e-12);
        let of = &gathering.of;
        assert!(of[0] == of[3] && of[1] == of[4] && of[2] == of[5] && of[0] != of[1]);
    }

    #[test]
    fn a_cell_is_cut_across_its_longest_direction() {
        // Along a diagonal no column is longer than the other; the cut is across all the same.
        let values: Vec<f64> = (0..8).flat_map(|i| [f64::from(i), f64::from(i)]).collect();
        let gathering = gather(&Points::new(values, 2).unwrap(), 2).unwrap();
        assert_eq!(gathering.of, [0, 0, 0, 0, 1, 1, 1, 1]);
    }

    #[test]
    fn equal_points_and_points_without_weight_are_no_trouble() {
        let equal = Points::new(vec![3.0_f32; 6], 2).unwrap();
        assert_eq!(gather(&equal, 2).unwrap().points.n_points(), 1);
        let weights = vec![0.0, 0.0, 1.0];
        let points = Points::new(vec![0.0, 5.0, 9.0], 1).unwrap().with_weights(weights).unwrap();
        let gathering = gather(&points, 2).unwrap();
        assert_eq!(gathering.points.values(), [9.0]);
    }

    #[test]
    fn as_many_cells_as_asked_for_if_points_differ() {
        let points = Points::new((0..100).map(|i| f64::from(i * i)).collect::<Vec<_>>(), 1);
        for count in [1, 2, 7, 50, 99] {
            let gathering = gather(points.as_ref().unwrap(), count).unwrap();
            assert_eq!(gathering.points.n_points(), count);
        }
    }
}
