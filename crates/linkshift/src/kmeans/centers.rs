//! Distances to all centers at once, and centers as means.

use crate::neighbors::Neighbors;
use crate::neighbors::blocks::Wide;
use crate::points::Points;
use crate::real::Real;
use crate::stop::Stoppable;
use rayon::prelude::*;

/// Points that one task handles; fixed, so that sums do not depend on the number of threads.
pub(super) const CHUNK: usize = 1024;

/// Centers compared at once: their distances stay in registers.
const BLOCK: usize = 32;

/// From so many centers on the nearest is sought in a tree.
const MANY: usize = 20_000;

/// Centers beyond which most of them have no point in a chunk.
const SPARSE: usize = CHUNK / 4;

/// Chunks whose sums are held at once.
const AT_ONCE: usize = 64;

/// Centers column by column: one point is compared with many of them at once by wide instructions.
pub(crate) struct ByColumn<T: Real> {
    /// Whole blocks; what is missing of the last is infinitely far.
    values: Vec<T>,
    n_centers: usize,
    /// Values of a column.
    length: usize,
    wide: Wide,
    /// Where there are [many](MANY).
    index: Option<Neighbors<T>>,
}

impl<T: Real> ByColumn<T> {
    pub(crate) fn new(centers: &[T], n_features: usize) -> Self {
        let n_centers = centers.len() / n_features;
        let length = n_centers.next_multiple_of(BLOCK);
        let mut values = vec![T::infinity(); length * n_features];
        for (col, column) in values.chunks_exact_mut(length).enumerate() {
            for (value, center) in column.iter_mut().zip(centers.chunks_exact(n_features)) {
                *value = center[col];
            }
        }
        let index = (n_centers >= MANY)
            .then(|| Neighbors::new(&Points::checked_before(centers, n_features, None)));
        Self { values, n_centers, length, wide: Wide::new(), index }
    }

    /// The squared distances from each row to each center, row by row.
    pub(super) fn distances_sq(&self, rows: &[T], out: &mut [T]) {
        let n_features = self.values.len() / self.length;
        self.wide.run(
            #[inline(always)]
            || {
                let outs = out.chunks_exact_mut(self.n_centers);
                for (row, out) in rows.chunks_exact(n_features).zip(outs) {
                    out.fill(T::zero());
                    let columns = self.values.chunks_exact(self.length);
                    for (&x, column) in row.iter().zip(columns) {
                        for (sum, &center) in out.iter_mut().zip(column) {
                            *sum += (center - x) * (center - x);
                        }
                    }
                }
            },
        );
    }

    /// The nearest center of each row; the first of equally near ones.
    pub(crate) fn nearest(&self, rows: &[T], n_features: usize) -> Vec<(u32, T)> {
        let n_rows = rows.len() / n_features;
        if let Some(index) = &self.index {
            let rows = rows.par_chunks_exact(n_features).stoppable();
            let nearest = rows.map_init(Vec::new, |room, row| index.nearest_one(row, room));
            return nearest.map(|found| (found.row as u32, found.distance_sq)).collect();
        }
        let chunks: Vec<Vec<(u32, T)>> = rows
            .par_chunks(CHUNK * n_features)
            .stoppable()
            .map(|rows| {
                let mut nearest = Vec::with_capacity(rows.len() / n_features);
                self.wide.run(
                    #[inline(always)]
                    || {
                        // Not by an iterator: its body would not be compiled for wide instructions.
                        for row in rows.chunks_exact(n_features) {
                            nearest.push(self.nearest_to(row));
                        }
                    },
                );
                nearest
            })
            .collect();
        let mut nearest = Vec::with_capacity(n_rows);
        chunks.into_iter().for_each(|chunk| nearest.extend(chunk));
        nearest
    }

    /// Which center of a block it is is looked up only in the last block that had a nearer one.
    #[inline(always)]
    fn nearest_to(&self, row: &[T]) -> (u32, T) {
        let mut best = (0, T::infinity());
        for start in (0..self.length).step_by(BLOCK) {
            let least = least(self.block(row, start));
            if least < best.1 {
                best = (start, least);
            }
        }
        let (start, least) = best;
        let found = self.block(row, start).iter().position(|&distance| distance == least);
        ((start + found.unwrap_or(0)) as u32, least)
    }

    /// The squared distances to the centers of a block.
    #[inline(always)]
    fn block(&self, row: &[T], start: usize) -> [T; BLOCK] {
        let mut distances = [T::zero(); BLOCK];
        for (&x, column) in row.iter().zip(self.values.chunks_exact(self.length)) {
            let centers = &column[start..start + BLOCK];
            for (sum, &center) in distances.iter_mut().zip(centers) {
                *sum += (center - x) * (center - x);
            }
        }
        distances
    }
}

/// Halves against halves: that is SIMD.
#[inline(always)]
fn least<T: Real>(mut values: [T; BLOCK]) -> T {
    let mut half = BLOCK / 2;
    while half > 0 {
        for at in 0..half {
            let other = values[at + half];
            values[at] = if other < values[at] { other } else { values[at] };
        }
        half /= 2;
    }
    values[0]
}

/// Moves each center to the weighted mean of its points; one without weight stays.
pub(crate) fn move_to_means<T: Real>(points: &Points<'_, T>, of: &[u32], centers: &mut [T]) {
    let d = points.n_features();
    let n_centers = centers.len() / d;
    // Sums of a chunk for the centers that are listed, each for points one after the other.
    let sums_of = |first: usize, of: &[u32]| {
        let mut order: Vec<u32> = (0..of.len() as u32).collect();
        let centers: Vec<u32> = if n_centers <= SPARSE {
            (0..n_centers as u32).collect()
        } else {
            order.sort_by_key(|&at| of[at as usize]);
            let mut centers: Vec<u32> = order.iter().map(|&at| of[at as usize]).collect();
            centers.dedup();
            centers
        };
        let mut sums = vec![0.0; centers.len() * (d + 1)];
        let mut place = 0;
        for at in order {
            let (row, center) = (first + at as usize, of[at as usize]);
            if n_centers <= SPARSE {
                place = center as usize;
            } else if centers[place] != center {
                place += 1;
            }
            let weight = points.weight(row).as_f64();
            let sums = &mut sums[place * (d + 1)..][..d + 1];
            for (sum, value) in sums.iter_mut().zip(points.row(row)) {
                *sum += weight * value.as_f64();
            }
            sums[d] += weight;
        }
        (centers, sums)
    };
    let mut sums = vec![0.0; n_centers * (d + 1)];
    for (batch, of) in of.chunks(CHUNK * AT_ONCE).enumerate() {
        let first = |chunk: usize| (batch * AT_ONCE + chunk) * CHUNK;
        let chunks = of.par_chunks(CHUNK).enumerate().stoppable();
        let chunks: Vec<(Vec<u32>, Vec<f64>)> =
            chunks.map(|(chunk, of)| sums_of(first(chunk), of)).collect();
        for (centers, parts) in chunks {
            for (&center, part) in centers.iter().zip(parts.chunks_exact(d + 1)) {
                let sums = &mut sums[center as usize * (d + 1)..][..d + 1];
                sums.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
            }
        }
    }
    for (center, sums) in centers.chunks_exact_mut(d).zip(sums.chunks_exact(d + 1)) {
        if sums[d] > 0.0 {
            for (value, sum) in center.iter_mut().zip(sums) {
                *value = T::of(sum / sums[d]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_the_nearest_is_found_among_any_number() {
        // Centers at 0, 1, 0, 1, … on a line: every second is equally near.
        for n_centers in [1, 2, 31, 32, 33, 64, 70] {
            let centers: Vec<f64> = (0..n_centers).map(|at| f64::from(at % 2)).collect();
            let nearest = ByColumn::new(&centers, 1).nearest(&[-1.0, 0.9], 1);
            assert_eq!(nearest[0], (0, 1.0));
            assert_eq!(nearest[1].0, u32::from(n_centers > 1));
        }
        // The last of many, in a block that is not full.
        let mut centers = vec![5.0_f32; 2 * 33];
        centers[2 * 32..].copy_from_slice(&[1.0, 2.0]);
        assert_eq!(ByColumn::new(&centers, 2).nearest(&[1.0, 4.0], 2), [(32, 4.0)]);
    }

    #[test]
    fn among_very_many_centers_the_nearest_is_the_same() {
        // Whole numbers, so that distances have no rounding; every place is there several times.
        let centers: Vec<f64> =
            (0..2 * MANY).map(|at| (at.wrapping_mul(2_654_435_761) >> 7) as f64 % 97.0).collect();
        let rows: Vec<f64> = (0..400).map(|at| f64::from(at * 31 % 101) - 2.5).collect();
        let by_tree = ByColumn::new(&centers, 2);
        let one_by_one = ByColumn { index: None, ..ByColumn::new(&centers, 2) };
        assert!(by_tree.index.is_some());
        assert_eq!(by_tree.nearest(&rows, 2), one_by_one.nearest(&rows, 2));
    }

    #[test]
    fn means_do_not_depend_on_how_many_centers_stand_by() {
        let n = 5_000;
        let values: Vec<f64> = (0..2 * n).map(|at| f64::from(at as u32).sin()).collect();
        let points = Points::new(values, 2).unwrap();
        let of: Vec<u32> = (0..n as u32).map(|row| row * 7 % SPARSE as u32).collect();
        let mut few = vec![0.0; 2 * SPARSE];
        move_to_means(&points, &of, &mut few);
        let mut more = vec![0.0; 2 * (SPARSE + 1)];
        move_to_means(&points, &of, &mut more);
        // Another path: to the last bit.
        assert_eq!(few, more[..2 * SPARSE]);
    }
}
