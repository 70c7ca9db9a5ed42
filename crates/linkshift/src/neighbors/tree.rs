//! A static tree of tight bounding boxes over the points, with the sum of the points in each box.
//!
//! Written here rather than taken from a crate for two reasons that decide the speed of mean shift:
//! the number of columns is known only at run time, and a ball that swallows a box whole must be
//! able to take the box's sum without looking at its points. (`cargo xtask bench neighbors`
//! measures it against kiddo.)

use super::blocks::{LANES, Wide};
use crate::points::Points;
use crate::real::Real;
use crate::stop;
use std::ops::Range;

/// Most points a leaf holds, unless they are all equal: long enough for SIMD, short enough to prune.
pub(crate) const LEAF: usize = 48;

/// The points, reordered so that each node is a contiguous range, column by column.
#[derive(Debug, Clone)]
pub(crate) struct Columns<T> {
    values: Vec<T>,
    n_points: usize,
}

impl<T: Real> Columns<T> {
    /// One column of a range of positions.
    #[inline(always)]
    pub(crate) fn slice(&self, col: usize, range: Range<usize>) -> &[T] {
        &self.values[col * self.n_points..][range]
    }
}

/// A node covers the positions `start..end`; its left child follows it, `right` is 0 in a leaf.
#[derive(Debug, Clone, Copy)]
struct Node {
    start: u32,
    end: u32,
    right: u32,
}

/// Up to [`LANES`] nodes that cover what one of them would, whose boxes are looked at together: the first
/// of them is the root, then those below each that is no leaf.
#[derive(Debug, Clone)]
struct Bundle {
    nodes: [u32; LANES],
    n_nodes: u32,
    /// The bundle below each node, 0 below a leaf.
    below: [u32; LANES],
}

/// What waits on the stack of a walk. Halves of halves, four of them to a bundle: no walk is as long.
const LONGEST_WALK: usize = 16 * LANES;

/// What a walk meets.
pub(crate) enum Part {
    /// A node that lies inside the ball as a whole.
    Inside(usize),
    /// Positions of a leaf that lies partly inside, to be looked at one by one.
    Block(Range<usize>),
}

/// See the module's documentation.
#[derive(Debug, Clone)]
pub(crate) struct Tree<T> {
    n_features: usize,
    /// Position in the tree → row of the points.
    rows: Vec<u32>,
    columns: Columns<T>,
    weights: Option<Vec<T>>,
    nodes: Vec<Node>,
    /// Per node the lower corner, then the upper corner.
    boxes: Vec<T>,
    /// Per node the weighted sum of its points, then their weight. In f64: sums outgrow f32.
    sums: Vec<f64>,
    bundles: Vec<Bundle>,
    /// Per bundle the lower corners of its boxes, column by column, then the upper ones. Where it has
    /// fewer boxes, the others are infinitely far.
    bundled_boxes: Vec<[T; LANES]>,
    wide: Wide,
}

impl<T: Real> Tree<T> {
    pub(crate) fn new(points: &Points<'_, T>) -> Self {
        let (n, d) = (points.n_points(), points.n_features());
        let mut rows: Vec<u32> = (0..n as u32).collect();
        let mut tree = Self {
            n_features: d,
            rows: Vec::new(),
            columns: Columns { values: Vec::new(), n_points: n },
            weights: None,
            nodes: Vec::new(),
            boxes: Vec::new(),
            sums: Vec::new(),
            bundles: Vec::new(),
            bundled_boxes: Vec::new(),
            wide: Wide::new(),
        };
        tree.split(points, &mut rows, 0);
        for col in 0..d {
            tree.columns.values.extend(rows.iter().map(|&row| points.row(row as usize)[col]));
        }
        tree.weights =
            points.weights().map(|weights| rows.iter().map(|&row| weights[row as usize]).collect());
        tree.rows = rows;
        tree.bundle(0);
        tree
    }

    /// Adds the bundle that covers a node, and those below it; returns its number.
    fn bundle(&mut self, root: usize) -> u32 {
        let (d, number) = (self.n_features, self.bundles.len());
        let mut nodes = vec![root as u32];
        while nodes.len() < LANES {
            let size = |&(_, &node): &(usize, &u32)| {
                let Node { start, end, right } = self.nodes[node as usize];
                if right == 0 { 0 } else { end - start }
            };
            // In the order of their points, the largest is parted next.
            let largest = nodes.iter().enumerate().max_by_key(size);
            let Some((at, &node)) = largest.filter(|largest| size(largest) > 0) else { break };
            nodes.insert(at + 1, self.nodes[node as usize].right);
            nodes[at] = node + 1;
        }
        let mut boxes = vec![[T::infinity(); LANES]; 2 * d];
        let mut bundle =
            Bundle { nodes: [0; LANES], n_nodes: nodes.len() as u32, below: [0; LANES] };
        for (lane, &node) in nodes.iter().enumerate() {
            bundle.nodes[lane] = node;
            let corners = &self.boxes[node as usize * 2 * d..][..2 * d];
            boxes.iter_mut().zip(corners).for_each(|(boxes, &corner)| boxes[lane] = corner);
        }
        self.bundles.push(bundle);
        self.bundled_boxes.extend(boxes);
        for (lane, &node) in nodes.iter().enumerate() {
            if self.nodes[node as usize].right != 0 {
                self.bundles[number].below[lane] = self.bundle(node as usize);
            }
        }
        number as u32
    }

    /// Adds the node of `rows` (which begin at position `start`) and everything below it.
    /// Returns the weighted sum of its points and their weight.
    fn split(&mut self, points: &Points<'_, T>, rows: &mut [u32], start: usize) -> Vec<f64> {
        stop::look();
        let d = self.n_features;
        let node = self.nodes.len();
        let end = (start + rows.len()) as u32;
        self.nodes.push(Node { start: start as u32, end, right: 0 });
        let (lower, upper) = corners(points, rows);
        let widest = widest(&lower, &upper);
        let all_equal = upper[widest] == lower[widest];
        self.boxes.extend(lower.into_iter().chain(upper));
        self.sums.resize(self.sums.len() + d + 1, 0.0);

        let sum = if rows.len() <= LEAF || all_equal {
            sum_of(points, rows)
        } else {
            // Whole rows of lanes, so that sweeps over a leaf have no odd ends (but for the last).
            let middle = (rows.len() / 2).next_multiple_of(LANES);
            let (left, right) = split_by(points, rows, widest, middle);
            let mut sum = self.split(points, left, start);
            self.nodes[node].right = self.nodes.len() as u32;
            let right_sum = self.split(points, right, start + middle);
            sum.iter_mut().zip(right_sum).for_each(|(total, part)| *total += part);
            sum
        };
        self.sums[node * (d + 1)..][..d + 1].copy_from_slice(&sum);
        sum
    }

    pub(crate) fn n_points(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn n_features(&self) -> usize {
        self.n_features
    }

    /// The row of the points at a position of the tree.
    pub(crate) fn row_at(&self, position: usize) -> usize {
        self.rows[position] as usize
    }

    /// The points that the tree was made of, in their own order.
    pub(crate) fn points(&self) -> Points<'static, T> {
        let (n, d) = (self.n_points(), self.n_features);
        let mut position_of = vec![0; n];
        self.rows.iter().enumerate().for_each(|(at, &row)| position_of[row as usize] = at);
        let row = |&at: &usize| (0..d).map(move |col| self.columns.values[col * n + at]);
        let values: Vec<T> = position_of.iter().flat_map(row).collect();
        let weights = self.weights.as_ref();
        let weights = weights.map(|weights| position_of.iter().map(|&at| weights[at]).collect());
        Points::checked_before(values, d, weights)
    }

    pub(crate) fn columns(&self) -> &Columns<T> {
        &self.columns
    }

    /// The weights by position, if the points have any.
    pub(crate) fn weights(&self) -> Option<&[T]> {
        self.weights.as_deref()
    }

    /// The positions that a node covers.
    pub(crate) fn range(&self, node: usize) -> Range<usize> {
        self.nodes[node].start as usize..self.nodes[node].end as usize
    }

    /// The weighted sum of a node's points, followed by their weight.
    pub(crate) fn sum(&self, node: usize) -> &[f64] {
        &self.sums[node * (self.n_features + 1)..][..self.n_features + 1]
    }

    /// Visits everything that may lie strictly nearer to `query` than the root of `radius_sq`.
    ///
    /// Box distances round the same way as point distances do (same operations, same order, and
    /// rounding is monotone), so no point that a direct comparison would accept is ever pruned.
    pub(crate) fn walk(&self, query: &[T], radius_sq: T, mut visit: impl FnMut(Part)) {
        let mut stack = [Waiting::Bundle(0); LONGEST_WALK];
        let mut depth = 1;
        let (mut nearest_sq, mut farthest_sq) = ([T::zero(); LANES], [T::zero(); LANES]);
        while depth > 0 {
            depth -= 1;
            let at = match stack[depth] {
                Waiting::Inside(node) => {
                    visit(Part::Inside(node as usize));
                    continue;
                }
                Waiting::Leaf(node) => {
                    visit(Part::Block(self.range(node as usize)));
                    continue;
                }
                Waiting::Bundle(bundle) => bundle as usize,
            };
            self.wide.run(
                #[inline(always)]
                || self.bundle_distances_sq(at, query, &mut nearest_sq, &mut farthest_sq),
            );
            let Bundle { nodes, n_nodes, below } = &self.bundles[at];
            // The last first, so that parts are met in the order of their points.
            for lane in (0..*n_nodes as usize).rev() {
                if nearest_sq[lane] >= radius_sq {
                    continue;
                }
                stack[depth] = if farthest_sq[lane] < radius_sq {
                    Waiting::Inside(nodes[lane])
                } else if below[lane] == 0 {
                    Waiting::Leaf(nodes[lane])
                } else {
                    Waiting::Bundle(below[lane])
                };
                depth += 1;
            }
        }
    }

    /// Visits leaves, near boxes first, until none can hold anything as near as the squared
    /// distance that the visitor last returned (`None`: not enough found yet).
    pub(crate) fn walk_nearest(
        &self,
        query: &[T],
        mut visit: impl FnMut(Range<usize>) -> Option<T>,
    ) {
        // Halves of halves: no tree is as deep as this.
        let mut stack = [(0_usize, T::zero()); 64];
        let mut depth = 1;
        let mut limit: Option<T> = None;
        while depth > 0 {
            depth -= 1;
            let (at, nearest_sq) = stack[depth];
            if limit.is_some_and(|limit| nearest_sq > limit) {
                continue;
            }
            if self.nodes[at].right == 0 {
                limit = visit(self.range(at));
                continue;
            }
            let child = |at: usize| (at, self.box_distance_sq(at, query));
            let (left, right) = (child(at + 1), child(self.nodes[at].right as usize));
            let (near, far) = if left.1 <= right.1 { (left, right) } else { (right, left) };
            stack[depth] = far;
            stack[depth + 1] = near;
            depth += 2;
        }
    }

    /// Squared distances from `query` to the nearest and to the farthest place of each box of a bundle.
    #[inline(always)]
    fn bundle_distances_sq(
        &self,
        bundle: usize,
        query: &[T],
        nearest_sq: &mut [T; LANES],
        farthest_sq: &mut [T; LANES],
    ) {
        let d = self.n_features;
        let (lower, upper) = self.bundled_boxes[bundle * 2 * d..][..2 * d].split_at(d);
        let (mut nearest, mut farthest) = ([T::zero(); LANES], [T::zero(); LANES]);
        for ((&q, lower), upper) in query.iter().zip(lower).zip(upper) {
            for lane in 0..LANES {
                let (below, above) = (lower[lane] - q, q - upper[lane]);
                let gap = larger(larger(below, above), T::zero());
                let reach = larger(-below, -above);
                nearest[lane] += gap * gap;
                farthest[lane] += reach * reach;
            }
        }
        (*nearest_sq, *farthest_sq) = (nearest, farthest);
    }

    /// Squared distance from `query` to the nearest place of a node's box.
    #[inline(always)]
    fn box_distance_sq(&self, node: usize, query: &[T]) -> T {
        let (lower, upper) = self.boxes[node * 2 * self.n_features..][..2 * self.n_features]
            .split_at(self.n_features);
        let mut nearest = T::zero();
        for ((&q, &lower), &upper) in query.iter().zip(lower).zip(upper) {
            let gap = larger(larger(lower - q, q - upper), T::zero());
            nearest += gap * gap;
        }
        nearest
    }
}

/// What a walk has still to do.
#[derive(Clone, Copy)]
enum Waiting {
    Inside(u32),
    Leaf(u32),
    Bundle(u32),
}

/// The larger of two finite numbers; `max` would also look for NaN, in the hottest loop there is.
#[inline(always)]
fn larger<T: Real>(a: T, b: T) -> T {
    if a > b { a } else { b }
}

/// The rows in an order in which near points have near places: halves of halves, down to so many.
pub(crate) fn spatial_order<T: Real>(points: &Points<'_, T>, finest: usize) -> Vec<usize> {
    fn sort<T: Real>(points: &Points<'_, T>, rows: &mut [u32], finest: usize) {
        if rows.len() <= finest {
            return;
        }
        let (lower, upper) = corners(points, rows);
        let widest = widest(&lower, &upper);
        if upper[widest] == lower[widest] {
            return;
        }
        let middle = (rows.len() / 2).next_multiple_of(finest);
        let (left, right) = split_by(points, rows, widest, middle);
        sort(points, left, finest);
        sort(points, right, finest);
    }
    let mut rows: Vec<u32> = (0..points.n_points() as u32).collect();
    sort(points, &mut rows, finest);
    rows.into_iter().map(|row| row as usize).collect()
}

/// The column in which a box is widest.
fn widest<T: Real>(lower: &[T], upper: &[T]) -> usize {
    let extent = |col: usize| upper[col] - lower[col];
    (1..lower.len()).fold(0, |best, col| if extent(col) > extent(best) { col } else { best })
}

/// Sorts rows into the `middle` of them that are lowest in a column, and the others. Ties go by row, so
/// that nothing depends on how the sort treats them.
fn split_by<'a, T: Real>(
    points: &Points<'_, T>,
    rows: &'a mut [u32],
    col: usize,
    middle: usize,
) -> (&'a mut [u32], &'a mut [u32]) {
    rows.select_nth_unstable_by(middle, |&a, &b| {
        let key = |row: u32| points.row(row as usize)[col];
        key(a).partial_cmp(&key(b)).unwrap_or(std::cmp::Ordering::Equal).then(a.cmp(&b))
    });
    rows.split_at_mut(middle)
}

/// The corners of the smallest box around some rows.
fn corners<T: Real>(points: &Points<'_, T>, rows: &[u32]) -> (Vec<T>, Vec<T>) {
    let first = points.row(rows[0] as usize).to_vec();
    let (mut lower, mut upper) = (first.clone(), first);
    for &row in rows {
        for (col, &value) in points.row(row as usize).iter().enumerate() {
            lower[col] = lower[col].min(value);
            upper[col] = upper[col].max(value);
        }
    }
    (lower, upper)
}

/// The weighted sum of some rows, followed by their weight.
fn sum_of<T: Real>(points: &Points<'_, T>, rows: &[u32]) -> Vec<f64> {
    let d = points.n_features();
    let mut sum = vec![0.0; d + 1];
    for &row in rows {
        let weight = points.weight(row as usize).as_f64();
        for (total, &value) in sum.iter_mut().zip(points.row(row as usize)) {
            *total += weight * value.as_f64();
        }
        sum[d] += weight;
    }
    sum
}
