//! Centers climb until each has arrived; those that meet go on as one.

use super::field::Field;
use crate::distance::distance_sq;
use crate::error::Result;
use crate::observe::{self, Observer, Step};

/// When to stop, in the units of the feature space.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) max_iter: usize,
    /// A center that moves no farther has arrived.
    pub(super) tolerance: f64,
    /// Centers this near to each other become one.
    pub(super) merge_tolerance: f64,
    /// What the observer is shown.
    pub(super) bandwidth: f64,
}

/// Where the centers ended.
pub(super) struct Arrived {
    /// The distinct centers, row by row.
    pub(super) centers: Vec<f64>,
    /// Seed → its center.
    pub(super) of: Vec<u32>,
    pub(super) n_iter: usize,
    pub(super) converged: bool,
}

/// Lets centers climb from `seeds`. A center's way depends on the field alone, so each stops for
/// itself, and the result is the same for any number of threads.
pub(super) fn climb(
    field: &Field,
    seeds: Vec<f64>,
    limits: &Limits,
    observer: &mut Observer<'_>,
) -> Result<Arrived> {
    let d = field.n_columns();
    let n_seeds = seeds.len() / d;
    let of = (0..n_seeds as u32).collect();
    let mut arrived = Arrived { centers: seeds, of, n_iter: 0, converged: false };
    let mut moving = vec![true; n_seeds];
    arrived.merge(d, 0.0, &mut moving);
    while arrived.n_iter < limits.max_iter && !arrived.converged {
        arrived.n_iter += 1;
        let shifts = field.shift(&mut arrived.centers, &moving);
        moving.iter_mut().zip(&shifts).for_each(|(moves, by)| *moves &= *by > limits.tolerance);
        arrived.merge(d, limits.merge_tolerance, &mut moving);
        let n_live = moving.iter().filter(|&&moves| moves).count();
        arrived.converged = n_live == 0;
        let step = Step {
            n_iter: arrived.n_iter,
            max_iter: limits.max_iter,
            n_live,
            bandwidth: limits.bandwidth,
            largest_shift: shifts.into_iter().fold(0.0, f64::max),
        };
        observe::show(observer, &step)?;
    }
    Ok(arrived)
}

impl Arrived {
    /// Makes centers within `tolerance` of an earlier one that one.
    fn merge(&mut self, d: usize, tolerance: f64, moving: &mut Vec<bool>) {
        let (new_of, kept) = leaders(&self.centers, d, tolerance);
        for (new, &old) in kept.iter().enumerate() {
            self.centers.copy_within(old * d..(old + 1) * d, new * d);
            moving[new] = moving[old];
        }
        self.centers.truncate(kept.len() * d);
        moving.truncate(kept.len());
        self.of.iter_mut().for_each(|center| *center = new_of[*center as usize]);
    }
}

/// For each center the leader it follows, and the leaders, ascending: in order along the axis of
/// widest spread, a center follows the first leader within `tolerance`, or becomes one. (The cells
/// of `coincident` find next to nothing in a hundred columns: their corners are too far away.)
fn leaders(centers: &[f64], d: usize, tolerance: f64) -> (Vec<u32>, Vec<usize>) {
    let row = |center: usize| &centers[center * d..][..d];
    let axis = widest(centers, d);
    let mut order: Vec<usize> = (0..centers.len() / d).collect();
    order.sort_by(|&a, &b| row(a)[axis].total_cmp(&row(b)[axis]).then(a.cmp(&b)));
    let mut leader_of: Vec<usize> = (0..order.len()).collect();
    let mut in_reach: std::collections::VecDeque<usize> = std::collections::VecDeque::new();
    for &center in &order {
        let at = row(center);
        while in_reach.front().is_some_and(|&first| at[axis] - row(first)[axis] > tolerance) {
            in_reach.pop_front();
        }
        match in_reach.iter().find(|&&leader| within(row(leader), at, tolerance)) {
            Some(&leader) => leader_of[center] = leader,
            None => in_reach.push_back(center),
        }
    }
    let kept: Vec<usize> = (0..order.len()).filter(|&center| leader_of[center] == center).collect();
    let mut new_of_leader = vec![0; order.len()];
    kept.iter().enumerate().for_each(|(new, &leader)| new_of_leader[leader] = new as u32);
    (leader_of.iter().map(|&leader| new_of_leader[leader]).collect(), kept)
}

/// The column in which the rows differ most.
fn widest(rows: &[f64], d: usize) -> usize {
    let spread = |col: usize| {
        let column = || rows[col..].iter().step_by(d);
        let most = column().copied().fold(f64::NEG_INFINITY, f64::max);
        most - column().copied().fold(f64::INFINITY, f64::min)
    };
    // The axes are ordered by extent, so a wide one is among the first.
    (0..d.min(4)).max_by(|&a, &b| spread(a).total_cmp(&spread(b)).then(b.cmp(&a))).unwrap_or(0)
}

fn within(a: &[f64], b: &[f64], tolerance: f64) -> bool {
    let limit = tolerance * tolerance;
    let mut sum = 0.0;
    for (a, b) in a.chunks(16).zip(b.chunks(16)) {
        sum += distance_sq(a, b);
        if sum > limit {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn centers_follow_the_first_leader_within_reach() {
        // Derived: along the line 0, 0.05, 0.09, 0.2: the first three are within 0.1 of the first.
        let (of, kept) = leaders(&[0.2, 0.0, 0.09, 0.05], 1, 0.1);
        assert_eq!((of, kept), (vec![0, 1, 1, 1], vec![0, 1]));
        let (_, kept) = leaders(&[1.0, 1.0, 1.5], 1, 0.0);
        assert_eq!(kept, [0, 2]);
    }
}
