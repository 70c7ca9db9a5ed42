//! The centers of one iteration: where they are, who follows them, what holds them apart.

use super::link_weights::BLOCK;
use super::ties::Ties;
use crate::neighbors::spatial_order;
use crate::points::Points;
use crate::real::Real;
use crate::shared::coincident;

/// Distinct centers with their followers and ties.
#[derive(Debug, Clone)]
pub(crate) struct State<T> {
    /// Places of the centers, row by row.
    pub(crate) centers: Vec<T>,
    pub(crate) n_features: usize,
    /// Sample → its center.
    pub(crate) of: Vec<u32>,
    /// The weight of each center's samples together, and their number.
    pub(crate) weights: Vec<T>,
    pub(crate) n_followers: Vec<u32>,
    /// What holds centers apart, and what pulls them together.
    pub(crate) ties: Ties,
}

impl<T: Real> State<T> {
    /// Every sample its own center.
    pub(crate) fn new(samples: &[T], n_features: usize, weights: Vec<T>, ties: Ties) -> Self {
        let of = (0..weights.len() as u32).collect();
        let n_followers = vec![1; weights.len()];
        Self { centers: samples.to_vec(), n_features, of, weights, n_followers, ties }
    }

    /// Merges as an earlier run did; the places of the new centers are set by the caller.
    pub(crate) fn follow(&mut self, new_of: &[u32]) {
        let n_new = new_of.iter().max().map_or(0, |&last| last as usize + 1);
        let mut weights = vec![T::zero(); n_new];
        let mut n_followers = vec![0; n_new];
        for (old, &new) in new_of.iter().enumerate() {
            weights[new as usize] += self.weights[old];
            n_followers[new as usize] += self.n_followers[old];
        }
        (self.weights, self.n_followers) = (weights, n_followers);
        self.of.iter_mut().for_each(|center| *center = new_of[*center as usize]);
        self.ties = self.ties.regroup(new_of);
    }

    pub(crate) fn n_centers(&self) -> usize {
        self.weights.len()
    }

    pub(crate) fn center(&self, center: usize) -> &[T] {
        &self.centers[center * self.n_features..][..self.n_features]
    }

    /// Makes centers within `tolerance` of each other one, except the ends of a tie: what a link
    /// holds apart stays two, however near. Then they are numbered by place anew: what is near in space
    /// is to be near in memory, and centers travel. Returns old center → new center.
    pub(crate) fn merge(&mut self, tolerance: T, half_step: bool) -> Vec<u32> {
        let d = self.n_features;
        let cells = if d >= coincident::MANY_COLUMNS {
            coincident::merge_wide(&self.centers, d, tolerance)
        } else {
            coincident::merge(&self.centers, d, |_| tolerance, half_step)
        };
        if cells.first.len() == self.n_centers() {
            return cells.of;
        }
        let mut stays_alone = vec![false; self.n_centers()];
        for tie in &self.ties.cannot {
            if cells.of[tie.x as usize] == cells.of[tie.y as usize] {
                stays_alone[tie.x as usize] = true;
            }
        }
        let mut new_of_cell = vec![u32::MAX; cells.first.len()];
        let mut new_of = Vec::with_capacity(self.n_centers());
        let mut n_new = 0;
        for (old, (&cell, &alone)) in cells.of.iter().zip(&stays_alone).enumerate() {
            let in_cell = &mut new_of_cell[cell as usize];
            if !alone && *in_cell != u32::MAX {
                new_of.push(*in_cell);
                continue;
            }
            if !alone {
                *in_cell = n_new as u32;
            }
            self.centers.copy_within(old * d..(old + 1) * d, n_new * d);
            new_of.push(n_new as u32);
            n_new += 1;
        }
        self.centers.truncate(n_new * d);
        let centers = Points::checked_before(std::mem::take(&mut self.centers), d, None);
        let (order, place_of) = by_place(&centers);
        self.centers = centers.select(&order).values().to_vec();
        new_of.iter_mut().for_each(|new| *new = place_of[*new as usize]);
        self.follow(&new_of);
        new_of
    }
}

/// The rows in the order in which centers are numbered, and the number of each row.
pub(super) fn by_place<T: Real>(rows: &Points<'_, T>) -> (Vec<usize>, Vec<u32>) {
    let order = spatial_order(rows, BLOCK);
    let mut place_of = vec![0; order.len()];
    order.iter().enumerate().for_each(|(new, &old)| place_of[old] = new as u32);
    (order, place_of)
}

#[cfg(test)]
mod tests {
    use super::super::ties::Tie;
    use super::*;

    fn tied(x: u32, y: u32) -> Ties {
        let tie = |x, y| Tie { x, y, count: 1, strength: 1.0 };
        Ties { cannot: vec![tie(x, y), tie(y, x)], must: Vec::new() }
    }

    #[test]
    fn merged_centers_share_followers_weight_and_ties() {
        let mut state = State::new(&[0.01, 5.0, 0.02], 1, vec![1.0, 1.0, 2.0], tied(1, 2));
        state.merge(0.1, false);
        assert_eq!(state.centers, [0.01, 5.0]);
        assert_eq!(state.of, [0, 1, 0]);
        assert_eq!(state.weights, [3.0, 1.0]);
        assert_eq!(state.ties.cannot, tied(0, 1).cannot);
    }

    #[test]
    fn what_a_link_holds_apart_stays_two() {
        let mut state = State::new(&[0.01, 0.02, 0.03], 1, vec![1.0; 3], tied(0, 2));
        state.merge(0.1, false);
        assert_eq!(state.of, [0, 1, 2]);
        let mut state = State::new(&[0.01, 0.02, 0.03, 0.04], 1, vec![1.0; 4], tied(0, 2));
        state.merge(0.1, false);
        assert_eq!(state.of, [0, 1, 2, 1]);
    }
}
