//! The label step: centers that have come together and are not held apart share a label.

use super::params::CmsParams;
use super::state::State;
use super::step::Iteration;
use crate::neighbors::Neighbors;
use crate::points::Points;
use crate::real::Real;
use crate::shared::disjoint_sets::DisjointSets;
use crate::stop::Stoppable;
use rayon::prelude::*;

/// The component of each center in the graph that joins two centers when their profile value
/// exceeds `merge_k` and the weight of links `merge_b`.
pub(crate) fn components<T: Real>(
    iteration: &Iteration<'_, T>,
    state: &State<T>,
    centers: &Points<'_, T>,
    h: f64,
    params: &CmsParams,
) -> Vec<i64> {
    let reach = h * params.profile.exceeds_until(params.merge_k).sqrt();
    let index = Neighbors::new(centers);
    let near: Vec<Vec<u32>> = (0..state.n_centers())
        .into_par_iter()
        .stoppable()
        .map(|i| {
            let found = index.within(centers.row(i), T::of(reach));
            found.into_iter().map(|neighbor| neighbor.row as u32).collect()
        })
        .collect();
    let mut sets = DisjointSets::new(state.n_centers());
    for (i, joined) in iteration.joined(&near).into_iter().enumerate() {
        for j in joined {
            sets.join(i, j as usize);
        }
    }
    (0..state.n_centers()).map(|center| sets.find(center) as i64).collect()
}
