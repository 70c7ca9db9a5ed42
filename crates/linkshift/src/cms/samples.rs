//! What centers are drawn to: the points or their representatives, indexed.

use super::state::State;
use crate::kernel::Profile;
use crate::neighbors::products::Products;
use crate::neighbors::tree::Tree;
use crate::points::Points;
use crate::real::Real;

/// A center stays if its samples weigh no more than this, in units of the largest sample weight.
const VANISHED: f64 = 1e-10;

/// The samples, indexed once (or, in blurring mode, once per iteration).
#[derive(Debug, Clone)]
pub(crate) struct Samples<T: Real> {
    pub(super) tree: Tree<T>,
    /// The same by position in the tree, where there are many columns.
    pub(super) products: Option<Products<T>>,
    /// A center stays if its samples weigh no more than this.
    pub(super) vanished: f64,
}

impl<T: Real> Samples<T> {
    pub(crate) fn new(points: &Points<'_, T>, profile: Profile) -> Self {
        let tree = Tree::new(points);
        let heaviest = points.weights().map_or(1.0, |weights| {
            weights.iter().map(|weight| weight.as_f64()).fold(0.0, f64::max)
        });
        let by_position: Vec<usize> = (0..tree.n_points()).map(|at| tree.row_at(at)).collect();
        // A ball has an edge, on which centers come to lie exactly (half-way between the ends of a
        // link); there distances from differences have the last word.
        let products = match profile {
            Profile::Ball => None,
            _ => Products::worthwhile(&points.select(&by_position)),
        };
        Self { tree, products, vanished: VANISHED * heaviest }
    }

    /// For each center the weighted sum of its samples, then their weight.
    pub(super) fn totals(&self, state: &State<T>) -> Vec<f64> {
        const TOGETHER: usize = 16;
        let d = state.n_features;
        let n_points = self.tree.n_points();
        let mut totals = vec![0.0; state.n_centers() * (d + 1)];
        // A few columns at a time, so that what lies side by side is fetched together.
        for some in (0..d).step_by(TOGETHER) {
            for position in 0..n_points {
                let center = state.of[self.tree.row_at(position)] as usize;
                let total = &mut totals[center * (d + 1)..][..d + 1];
                let weight = self.tree.weights().map_or(1.0, |weights| weights[position].as_f64());
                let columns = some..d.min(some + TOGETHER);
                for (sum, col) in total[columns.clone()].iter_mut().zip(columns) {
                    *sum += weight * self.tree.columns().slice(col, 0..n_points)[position].as_f64();
                }
                if some == 0 {
                    total[d] += weight;
                }
            }
        }
        totals
    }
}
