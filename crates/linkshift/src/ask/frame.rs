//! What answers are spread over: all rows or, where there are very many, some that stand for them.

use super::beginning;
use super::beliefs::Beliefs;
use super::walk::Walk;
use crate::distance::distance_sq_f64;
use crate::neighbors::Neighbors;
use crate::points::Points;
use crate::real::Real;
use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// So many rows are looked at; of more, as many are drawn, and each other row goes with the nearest
/// of them. A question at this number takes about a tenth of a second.
pub(super) const MOST_NODES: usize = 16_384;

/// A column of the walk's matrix, and its sum by weight.
type Weighed = (Arc<Vec<f32>>, f64);

/// The rows that are looked at, with all that depends on the points alone.
#[derive(Debug)]
pub(super) struct Frame<T: Real> {
    /// Where rows were drawn: their places, which rows they are, and who stands for each row.
    drawn: Option<Drawn<T>>,
    pub(super) walk: Walk,
    /// How much each node weighs.
    pub(super) weights: Vec<f64>,
    /// Columns of the walk's matrix that were needed so far.
    columns: Mutex<HashMap<usize, Weighed>>,
    pub(super) beliefs: Beliefs,
    /// What the points alone suggest, made when it is first needed.
    communities: OnceLock<Vec<usize>>,
}

#[derive(Debug)]
struct Drawn<T: Real> {
    points: Points<'static, T>,
    rows: Vec<usize>,
    of: Vec<u32>,
}

impl<T: Real> Frame<T> {
    pub(super) fn new(points: &Points<'_, T>, seed: u64) -> Self {
        let n = points.n_points();
        let (drawn, walk, weights) = if n <= MOST_NODES {
            let weights = (0..n).map(|row| points.weight(row).as_f64()).collect();
            (None, Walk::new(points), weights)
        } else {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let mut rows = index::sample(&mut rng, n, MOST_NODES).into_vec();
            rows.sort_unstable();
            let picked = points.select(&rows);
            let d = points.n_features();
            let places = Points::checked_before(picked.values().to_vec(), d, None);
            let near = Neighbors::new(&places);
            let of: Vec<u32> = (points.values().par_chunks_exact(d))
                .map(|row| near.nearest(row, 1)[0].row as u32)
                .collect();
            let mut weights = vec![0.0; rows.len()];
            for (row, &node) in of.iter().enumerate() {
                weights[node as usize] += points.weight(row).as_f64();
            }
            let walk = Walk::new(&places);
            (Some(Drawn { points: places, rows, of }), walk, weights)
        };
        Frame {
            drawn,
            walk,
            weights,
            columns: Mutex::default(),
            beliefs: Beliefs::default(),
            communities: OnceLock::new(),
        }
    }

    pub(super) fn n_nodes(&self) -> usize {
        self.weights.len()
    }

    /// For each node its community, by the points alone.
    pub(super) fn communities(&self, points: &Points<'_, T>) -> &[usize] {
        self.communities.get_or_init(|| {
            let resolution = [beginning::RESOLUTION];
            let labels = match &self.drawn {
                Some(drawn) => beginning::communities(&drawn.points, &resolution),
                None => beginning::communities(points, &resolution),
            };
            labels[0].iter().map(|&label| label as usize).collect()
        })
    }

    /// The row that a node is.
    pub(super) fn row(&self, node: usize) -> usize {
        self.drawn.as_ref().map_or(node, |drawn| drawn.rows[node])
    }

    /// The node that stands for a row.
    pub(super) fn node(&self, row: usize) -> usize {
        self.drawn.as_ref().map_or(row, |drawn| drawn.of[row] as usize)
    }

    /// The squared distance between two nodes.
    pub(super) fn distance_sq(&self, points: &Points<'_, T>, a: usize, b: usize) -> f64 {
        match &self.drawn {
            Some(drawn) => distance_sq_f64(drawn.points.row(a), drawn.points.row(b)),
            None => distance_sq_f64(points.row(a), points.row(b)),
        }
    }

    /// The column of the walk's matrix for a node.
    pub(super) fn column(&self, node: usize) -> Arc<Vec<f32>> {
        self.weighed_column(node).0
    }

    /// The columns of several nodes with their sums by weight, those that are not kept yet in parallel.
    pub(super) fn columns(&self, nodes: &[usize]) -> Vec<Weighed> {
        nodes.par_iter().map(|&node| self.weighed_column(node)).collect()
    }

    fn weighed_column(&self, node: usize) -> Weighed {
        let kept = self.columns.lock().unwrap_or_else(PoisonError::into_inner).get(&node).cloned();
        if let Some(column) = kept {
            return column;
        }
        let column = self.walk.column(node);
        let by_weight = column.iter().zip(&self.weights);
        let total = by_weight.map(|(&value, weight)| f64::from(value) * weight).sum();
        let weighed = (Arc::new(column), total);
        let mut columns = self.columns.lock().unwrap_or_else(PoisonError::into_inner);
        columns.insert(node, weighed.clone());
        weighed
    }

    /// The label of each row by those of the nodes.
    pub(super) fn of_rows(&self, labels: Vec<i64>) -> Vec<i64> {
        match &self.drawn {
            Some(drawn) => drawn.of.iter().map(|&node| labels[node as usize]).collect(),
            None => labels,
        }
    }
}
