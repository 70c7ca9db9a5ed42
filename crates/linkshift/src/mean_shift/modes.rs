//! From the places where centers stopped to modes, and from centers to the modes they belong to.

use crate::neighbors::Neighbors;
use crate::points::Points;
use crate::real::Real;
use std::cmp::Ordering;

/// The modes among the final centers.
pub(crate) struct Modes {
    /// Center of each mode.
    pub(crate) centers: Vec<usize>,
    /// Center → mode.
    pub(crate) of: Vec<usize>,
}

/// The densest center is a mode; so is every next one that has no mode within its radius. All
/// others belong to the densest mode that has them within its radius.
pub(crate) fn gather<T: Real>(
    centers: &Points<'_, T>,
    density: &[f64],
    radius: impl Fn(usize) -> T,
) -> Modes {
    let mut order: Vec<usize> = (0..centers.n_points()).collect();
    // Equal densities go by place, so that the order of the points plays no part.
    order.sort_by(|&a, &b| {
        let place = centers.row(b).partial_cmp(centers.row(a)).unwrap_or(Ordering::Equal);
        density[b].total_cmp(&density[a]).then(place)
    });
    let near = Neighbors::new(centers);
    let mut of = vec![usize::MAX; centers.n_points()];
    let mut modes = Vec::new();
    for center in order {
        if of[center] != usize::MAX {
            continue;
        }
        of[center] = modes.len();
        for neighbor in near.within(centers.row(center), radius(center)) {
            if of[neighbor.row] == usize::MAX {
                of[neighbor.row] = modes.len();
            }
        }
        modes.push(center);
    }
    Modes { centers: modes, of }
}
