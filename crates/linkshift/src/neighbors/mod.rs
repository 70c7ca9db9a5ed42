//! Who is near whom: the one place that knows which spatial index is used.
//!
//! One structure serves every number of columns: a tree of tight boxes (`tree.rs`) whose leaves are
//! dense blocks (`blocks.rs`). Where boxes prune, whole subtrees are skipped; where they do not
//! (many columns, wide radius) what is left is a sweep over contiguous blocks with wide SIMD, that
//! is, the dense method, at the price of one box test per `LEAF` points. Searches take
//! distances from differences, never by expanding |a|² − 2ab + |b|², which loses the digits of near
//! points in `f32`. Who wants the distances between all of many columns, and sums over them, is faster by
//! products of matrices (`products.rs`), which take near pairs from differences again.

pub(crate) mod blocks;
pub(crate) mod products;
pub(crate) mod tree;

pub(crate) use tree::spatial_order;

use crate::points::Points;
use crate::real::Real;
use blocks::Wide;
use std::ops::Range;
use tree::{Part, Tree};

/// A point found by a search: its row and its squared distance to the query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Neighbor<T> {
    /// Row of the point.
    pub row: usize,
    /// Squared distance to the query.
    pub distance_sq: T,
}

/// An index over points that answers radius and k-nearest searches exactly.
///
/// ```
/// use linkshift::{Points, neighbors::Neighbors};
///
/// let points = Points::new(vec![0.0, 1.0, 5.0], 1)?;
/// let near = Neighbors::new(&points);
/// assert_eq!(near.within(&[0.2], 2.0).len(), 2);
/// assert_eq!(near.nearest(&[4.0], 1)[0].row, 2);
/// # Ok::<(), linkshift::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Neighbors<T: Real> {
    tree: Tree<T>,
    wide: Wide,
}

impl<T: Real> Neighbors<T> {
    /// Builds the index: O(n log n) time, one copy of the points.
    pub fn new(points: &Points<'_, T>) -> Self {
        Self { tree: Tree::new(points), wide: Wide::new() }
    }

    /// All points strictly nearer to `query` than `radius`, by ascending row.
    pub fn within(&self, query: &[T], radius: T) -> Vec<Neighbor<T>> {
        let mut found = Vec::new();
        self.visit_within(query, radius, |neighbor| found.push(neighbor));
        found.sort_unstable_by_key(|neighbor| neighbor.row);
        found
    }

    /// Like [`within`](Self::within), one by one and in no particular (but a repeatable) order.
    pub(crate) fn visit_within(&self, query: &[T], radius: T, mut visit: impl FnMut(Neighbor<T>)) {
        let radius_sq = radius * radius;
        let mut distances = Vec::new();
        self.tree.walk(query, radius_sq, |part| {
            let range = match part {
                Part::Inside(node) => self.tree.range(node),
                Part::Block(range) => range,
            };
            self.distances_sq(range.clone(), query, &mut distances);
            for (position, &distance_sq) in range.zip(&distances) {
                if distance_sq < radius_sq {
                    visit(Neighbor { row: self.tree.row_at(position), distance_sq });
                }
            }
        });
    }

    /// How many points are as near to `query` as `radius`, or nearer.
    pub(crate) fn count_within(&self, query: &[T], radius: T) -> usize {
        let radius_sq = radius * radius;
        let mut count = 0;
        let mut distances = Vec::new();
        // The walk leaves out what is exactly as far, so it is told to go a little farther.
        let reach_sq = radius_sq * (T::one() + T::epsilon()) + T::min_positive_value();
        self.tree.walk(query, reach_sq, |part| {
            let range = match part {
                Part::Inside(node) => self.tree.range(node),
                Part::Block(range) => range,
            };
            self.distances_sq(range, query, &mut distances);
            count += distances.iter().filter(|&&distance_sq| distance_sq <= radius_sq).count();
        });
        count
    }

    /// The `k` points nearest to `query` (all points if there are fewer), nearest first; equally
    /// near points by ascending row.
    pub fn nearest(&self, query: &[T], k: usize) -> Vec<Neighbor<T>> {
        let k = k.min(self.tree.n_points());
        let mut best: Vec<Neighbor<T>> = Vec::with_capacity(k + 1);
        let mut distances = Vec::new();
        self.tree.walk_nearest(query, |range| {
            self.distances_sq(range.clone(), query, &mut distances);
            for (position, &distance_sq) in range.zip(&distances) {
                let row = self.tree.row_at(position);
                let full = best.len() == k;
                let worse =
                    |worst: &Neighbor<T>| (worst.distance_sq, worst.row) < (distance_sq, row);
                if full && best.last().is_some_and(worse) {
                    continue;
                }
                let place = best.partition_point(|neighbor| {
                    (neighbor.distance_sq, neighbor.row) < (distance_sq, row)
                });
                best.insert(place, Neighbor { row, distance_sq });
                best.truncate(k);
            }
            if best.len() == k { best.last().map(|worst| worst.distance_sq) } else { None }
        });
        best
    }

    /// The first of [`nearest`](Self::nearest) alone; `distances` is room to work in.
    pub(crate) fn nearest_one(&self, query: &[T], distances: &mut Vec<T>) -> Neighbor<T> {
        let mut best = Neighbor { row: usize::MAX, distance_sq: T::infinity() };
        self.tree.walk_nearest(query, |range| {
            self.distances_sq(range.clone(), query, distances);
            let least =
                distances.iter().copied().fold(T::infinity(), |a, b| if b < a { b } else { a });
            if least <= best.distance_sq {
                let nearest =
                    range.zip(&*distances).filter(|&(_, &distance_sq)| distance_sq == least);
                let row = nearest.map(|(position, _)| self.tree.row_at(position)).min();
                let row = row.unwrap_or(usize::MAX);
                let row = if least == best.distance_sq { row.min(best.row) } else { row };
                best = Neighbor { row, distance_sq: least };
            }
            Some(best.distance_sq)
        });
        best
    }

    /// Squared distances from `query` to the points at a range of the tree's positions.
    fn distances_sq(&self, range: Range<usize>, query: &[T], distances: &mut Vec<T>) {
        distances.resize(range.len(), T::zero());
        self.wide.run(
            #[inline(always)]
            || blocks::fill_distances_sq(self.tree.columns(), range, query, distances),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn brute(points: &Points<'_, f64>, query: &[f64]) -> Vec<Neighbor<f64>> {
        let distance_sq = |row: &[f64]| row.iter().zip(query).map(|(a, b)| (a - b) * (a - b)).sum();
        points
            .rows()
            .enumerate()
            .map(|(row, values)| Neighbor { row, distance_sq: distance_sq(values) })
            .collect()
    }

    /// Up to 400 points on a coarse lattice, so that ties and duplicates are common.
    fn lattice() -> impl Strategy<Value = (Vec<f64>, usize)> {
        (1_usize..12, 1_usize..400).prop_flat_map(|(d, n)| {
            let value = (-8_i32..8).prop_map(|v| f64::from(v) * 0.5);
            (prop::collection::vec(value, n * d), Just(d))
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn searches_equal_the_brute_force((values, d) in lattice(), radius in 0.1_f64..6.0, k in 1_usize..20) {
            let points = Points::new(values, d).unwrap();
            let near = Neighbors::new(&points);
            let query = points.row(points.n_points() / 2);
            let mut all = brute(&points, query);
            let inside: Vec<_> =
                all.iter().copied().filter(|n| n.distance_sq < radius * radius).collect();
            prop_assert_eq!(near.within(query, radius), inside);
            all.sort_by(|a, b| (a.distance_sq, a.row).partial_cmp(&(b.distance_sq, b.row)).unwrap());
            all.truncate(k);
            prop_assert_eq!(near.nearest_one(query, &mut Vec::new()), all[0]);
            prop_assert_eq!(near.nearest(query, k), all);
        }
    }

    #[test]
    fn blocks_of_rows_in_spatial_order_are_compact() {
        // Derived: a lattice of 16 × 16 has 32 squares with a side of 2 or 4, whatever its order was.
        let values: Vec<f64> = (0..256)
            .flat_map(|i| [(i * 37 % 256) % 16, (i * 37 % 256) / 16])
            .map(f64::from)
            .collect();
        let points = Points::new(values, 2).unwrap();
        let order = spatial_order(&points, 8);
        for block in order.chunks(8) {
            for col in 0..2 {
                let values: Vec<f64> = block.iter().map(|&row| points.row(row)[col]).collect();
                let width = |values: &[f64]| {
                    values.iter().copied().fold(f64::MIN, f64::max)
                        - values.iter().copied().fold(f64::MAX, f64::min)
                };
                assert!(width(&values) <= 3.0, "{values:?}");
            }
        }
        let mut rows = order;
        rows.sort_unstable();
        assert_eq!(rows, (0..256).collect::<Vec<usize>>());
    }

    #[test]
    fn asking_for_more_than_there_are_gives_all() {
        let points = Points::new(vec![3.0_f32, 1.0], 1).unwrap();
        let rows: Vec<_> =
            Neighbors::new(&points).nearest(&[0.0], 5).iter().map(|n| n.row).collect();
        assert_eq!(rows, [1, 0]);
    }
}
