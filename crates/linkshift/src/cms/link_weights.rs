//! The weights of links in one iteration, w of Eq. 4.3: what all links of a kind leave of each sample,
//! for a few centers at a time, so that what is known of a link is fetched from memory once for all of
//! them. A link is felt around its ends (Eq. 4.4), and there it takes a share
//! (Eqs. 4.2 and L.1). Of must-links it is 1 − w that pulls (Eq. L.2); `step.rs` makes the sums.

use super::between::Between;
use super::params::CmsParams;
use super::ties::Tie;
use crate::distance::distance_sq;
use crate::kernel::Profile;
use crate::neighbors::blocks::{self, Wide};
use crate::neighbors::{Neighbor, Neighbors};
use crate::points::Points;
use crate::real::Real;
use rayon::prelude::*;
use std::collections::HashMap;

/// A tie as one iteration sees it, from the side of its end x.
#[derive(Debug, Clone, Copy)]
struct ActiveTie<T> {
    /// The other end, as a number of an anchor.
    y: u32,
    /// The same tie seen from y.
    reverse: u32,
    count: u32,
    /// ω.
    strength: T,
    /// h_c².
    h_sq: T,
    /// Distance from which on the tie is not felt, and its square.
    reach: T,
    reach_sq: T,
}

/// The centers that feel a tie at one end, and k(|t_x − t_i|²/h_c²) of each.
#[derive(Debug)]
enum Near<T> {
    /// One by one.
    Few(Vec<u32>, Vec<T>),
    /// So many between the first and the last that a sweep, with 0 for the others, is faster.
    Many(usize, Vec<T>),
}

/// Looking up one center costs about as much as a sweep over this many. (Centers are numbered by
/// place, so those that feel a tie are seldom far apart.)
const SWEEP: usize = 6;

/// All ties of one kind that can be felt at the centers and bandwidth of one iteration.
#[derive(Debug)]
pub(crate) struct LinkWeights<T: Real> {
    profile: Profile,
    n_centers: usize,
    /// The centers that have a tie, and an index over their places, unless distances between all
    /// centers are known.
    anchors: Vec<u32>,
    index: Option<Neighbors<T>>,
    /// Where the ties of each anchor begin.
    starts: Vec<u32>,
    /// By anchor, farthest reach first.
    ties: Vec<ActiveTie<T>>,
    /// The farthest reach of all.
    farthest: T,
    /// For each tie the centers that feel it at its end x.
    near: Vec<Near<T>>,
    wide: Wide,
}

/// Centers that are weighed for together. They are neighbours, so they feel nearly the same ties.
pub(crate) const TOGETHER: usize = 8;

/// Where a center is, and how far that is from all centers of the iteration (squared) if known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a, T> {
    pub(crate) at: &'a [T],
    pub(crate) to_centers: Option<&'a [T]>,
}

/// What the weights of a few centers are written into; one per thread.
pub(crate) struct Weights<T> {
    n_centers: usize,
    /// w by place, then center.
    of_center: Vec<T>,
    felt: [bool; TOGETHER],
    /// Squared distances from each place to each anchor, infinite beyond where that matters.
    to_anchors: Vec<[T; TOGETHER]>,
    /// What one tie leaves of each center it dims.
    left: Vec<T>,
}

impl<T> Weights<T> {
    /// w of all centers for a place.
    pub(crate) fn of(&self, place: usize) -> &[T] {
        &self.of_center[place * self.n_centers..][..self.n_centers]
    }

    pub(crate) fn of_mut(&mut self, place: usize) -> &mut [T] {
        &mut self.of_center[place * self.n_centers..][..self.n_centers]
    }

    /// Whether any tie was felt at a place.
    pub(crate) fn is_felt(&self, place: usize) -> bool {
        self.felt[place]
    }
}

impl<T: Real> LinkWeights<T> {
    /// `between` are the distances between all centers, if known; `counts` tells of a tie, by its
    /// length and reach, whether it can be felt at all.
    pub(crate) fn new(
        centers: &[T],
        d: usize,
        between: Option<&Between<T>>,
        ties: &[Tie],
        h: f64,
        params: &CmsParams,
        counts: impl Fn(&Tie, f64, f64) -> bool,
    ) -> Self {
        let at = |center: u32| &centers[center as usize * d..][..d];
        // Where k(…)·k(…) is below half a unit of 1, Eq. 4.2 rounds to exactly 1.
        let felt_until = params.profile.exceeds_until(T::epsilon().as_f64() / 2.0).sqrt();
        let mut felt: Vec<(Tie, f64)> = ties
            .iter()
            .map(|&tie| {
                let length = distance_sq(at(tie.x), at(tie.y)).as_f64().sqrt();
                (tie, length, link_bandwidth(length, h, params))
            })
            .filter(|(tie, length, h_c)| counts(tie, *length, felt_until * h_c))
            .map(|(tie, _, h_c)| (tie, h_c))
            .collect();
        // Ties come sorted by x; within one x, farthest reach first.
        felt.sort_by(|(a, a_h), (b, b_h)| {
            let by_reach = a.x.cmp(&b.x).then(b_h.total_cmp(a_h));
            by_reach.then(a.y.cmp(&b.y)).then(a.strength.total_cmp(&b.strength))
        });

        let mut anchor_of = vec![u32::MAX; centers.len() / d];
        let mut anchors: Vec<u32> = Vec::new();
        let mut starts = vec![0];
        for (at_tie, (tie, _)) in felt.iter().enumerate() {
            // Ties are there in both directions, so every y is an x too.
            if anchor_of[tie.x as usize] == u32::MAX {
                anchor_of[tie.x as usize] = anchors.len() as u32;
                anchors.push(tie.x);
                starts.push(0);
            }
            starts[anchors.len()] = at_tie as u32 + 1;
        }
        let key = |x: u32, y: u32, tie: &Tie| (x, y, tie.strength.to_bits());
        let place: HashMap<(u32, u32, u64), u32> = felt
            .iter()
            .enumerate()
            .map(|(at, (tie, _))| (key(tie.x, tie.y, tie), at as u32))
            .collect();
        let ties = felt.iter().map(|(tie, h_c)| {
            let h_c = T::of(*h_c);
            let reach = T::of(felt_until) * h_c;
            ActiveTie {
                y: anchor_of[tie.y as usize],
                reverse: place[&key(tie.y, tie.x, tie)],
                count: tie.count,
                strength: T::of(tie.strength),
                h_sq: h_c * h_c,
                reach,
                reach_sq: reach * reach,
            }
        });
        let ties: Vec<ActiveTie<T>> = ties.collect();
        let mut weights = Self {
            profile: params.profile,
            n_centers: centers.len() / d,
            farthest: ties.iter().map(|tie| tie.reach).fold(T::zero(), T::max),
            ties,
            anchors,
            index: None,
            starts,
            near: Vec::new(),
            wide: Wide::new(),
        };
        if weights.is_empty() {
            return weights;
        }
        match between {
            Some(between) => {
                weights.near = weights.near_each_tie(|anchor, reach| between.within(anchor, reach));
            }
            None => {
                let index = Neighbors::new(&Points::checked_before(centers, d, None));
                weights.near =
                    weights.near_each_tie(|anchor, reach| index.within(at(anchor), reach));
                let places: Vec<T> = weights.anchors.iter().flat_map(|&x| at(x)).copied().collect();
                weights.index = Some(Neighbors::new(&Points::checked_before(places, d, None)));
            }
        }
        weights
    }

    /// Whether any tie is felt anywhere.
    pub(crate) fn is_empty(&self) -> bool {
        self.ties.is_empty()
    }

    /// How far the tie that reaches farthest is felt.
    pub(crate) fn farthest(&self) -> f64 {
        self.farthest.as_f64()
    }

    pub(crate) fn scratch(&self) -> Weights<T> {
        let n_places = if self.is_empty() { 1 } else { TOGETHER };
        Weights {
            n_centers: self.n_centers,
            of_center: vec![T::one(); n_places * self.n_centers],
            felt: [false; TOGETHER],
            to_anchors: vec![[T::infinity(); TOGETHER]; self.anchors.len()],
            left: vec![T::one(); self.n_centers],
        }
    }

    /// Eq. 4.3 for centers at a few places: w for all centers no farther from each than its radius
    /// (if given, else for all centers).
    pub(crate) fn weigh(
        &self,
        places: &[Place<'_, T>],
        radii: Option<&[T; TOGETHER]>,
        weights: &mut Weights<T>,
    ) {
        weights.felt = [false; TOGETHER];
        if self.is_empty() {
            return;
        }
        weights.of_center[..places.len() * self.n_centers].fill(T::one());
        weights.to_anchors.fill([T::infinity(); TOGETHER]);
        let to_anchors = &mut weights.to_anchors;
        for (i, &place) in places.iter().enumerate() {
            let radius = radii.map_or(T::zero(), |radii| radii[i]);
            self.visit_anchors(place, self.farthest + radius, |anchor| {
                to_anchors[anchor.row][i] = anchor.distance_sq;
            });
        }
        for (anchor, to_x_sq) in weights.to_anchors.iter().enumerate() {
            let nearest = to_x_sq.iter().copied().fold(T::infinity(), smaller);
            for tie in self.ties_of(anchor) {
                if nearest >= tie.reach_sq {
                    break; // as for all that follow: farthest reach first
                }
                let to_y_sq = &weights.to_anchors[tie.y as usize];
                let near_y = &self.near[tie.reverse as usize];
                for i in 0..places.len() {
                    let feels = to_x_sq[i] < tie.reach_sq
                        && radii.is_none_or(|radii| {
                            let far = tie.reach + radii[i];
                            to_y_sq[i] < far * far
                        });
                    if !feels {
                        continue;
                    }
                    weights.felt[i] = true;
                    let near_x = tie.strength * self.profile.value(to_x_sq[i] / tie.h_sq);
                    let of_center =
                        &mut weights.of_center[i * self.n_centers..][..self.n_centers];
                    self.wide.run(
                        #[inline(always)]
                        || dim(near_x, near_y, tie.count, &mut weights.left, of_center),
                    );
                }
            }
        }
    }

    /// The anchors nearer to a place than `radius`.
    fn visit_anchors(&self, place: Place<'_, T>, radius: T, mut visit: impl FnMut(Neighbor<T>)) {
        match (place, &self.index) {
            (Place { at, .. }, Some(index)) => index.visit_within(at, radius, visit),
            (Place { to_centers: Some(to_centers), .. }, None) => {
                for (row, &center) in self.anchors.iter().enumerate() {
                    let distance_sq = to_centers[center as usize];
                    if distance_sq < radius * radius {
                        visit(Neighbor { row, distance_sq });
                    }
                }
            }
            (Place { to_centers: None, .. }, None) => {}
        }
    }

    fn ties_of(&self, anchor: usize) -> &[ActiveTie<T>] {
        &self.ties[self.starts[anchor] as usize..self.starts[anchor + 1] as usize]
    }

    /// See [`LinkWeights::near`]; `within` finds the centers near a center, by number.
    fn near_each_tie(&self, within: impl Fn(u32, T) -> Vec<Neighbor<T>> + Sync) -> Vec<Near<T>> {
        self.anchors
            .par_iter()
            .enumerate()
            .flat_map_iter(|(anchor, &center)| {
                let ties = self.ties_of(anchor);
                // The first tie reaches farthest.
                let around = within(center, ties[0].reach);
                ties.iter().map(move |tie| self.near_tie(tie, &around))
            })
            .collect()
    }

    fn near_tie(&self, tie: &ActiveTie<T>, around: &[Neighbor<T>]) -> Near<T> {
        let felt = || around.iter().filter(|neighbor| neighbor.distance_sq < tie.reach_sq);
        let value = |n: &Neighbor<T>| self.profile.value(n.distance_sq / tie.h_sq);
        let (Some(first), Some(last)) = (felt().next(), felt().next_back()) else {
            return Near::Few(Vec::new(), Vec::new());
        };
        let span = last.row + 1 - first.row;
        if felt().count() * SWEEP > span {
            let mut values = vec![T::zero(); span];
            felt().for_each(|neighbor| values[neighbor.row - first.row] = value(neighbor));
            Near::Many(first.row, values)
        } else {
            Near::Few(felt().map(|n| n.row as u32).collect(), felt().map(value).collect())
        }
    }
}

/// The smaller of two numbers that are no NaN; `min` would also look for it.
#[inline(always)]
fn smaller<T: Real>(a: T, b: T) -> T {
    if a < b { a } else { b }
}

/// Multiplies w by what one tie leaves, Eq. 4.2 to the power of its count.
#[inline(always)]
fn dim<T: Real>(near_x: T, near_y: &Near<T>, count: u32, left: &mut [T], weights: &mut [T]) {
    if count > 1 {
        return dim_often(near_x, near_y, count, left, weights);
    }
    match near_y {
        Near::Few(ids, values) => {
            for (&j, &near_y) in ids.iter().zip(values) {
                weights[j as usize] *= reduction(near_x, near_y);
            }
        }
        Near::Many(start, values) => {
            for (weight, &near_y) in weights[*start..].iter_mut().zip(values) {
                *weight *= reduction(near_x, near_y);
            }
        }
    }
}

/// The power is taken by squaring: the steps are the same for all centers, so this is SIMD.
#[inline(always)]
fn dim_often<T: Real>(
    near_x: T,
    near_y: &Near<T>,
    mut count: u32,
    left: &mut [T],
    weights: &mut [T],
) {
    let (Near::Few(_, values) | Near::Many(_, values)) = near_y;
    let left = &mut left[..values.len()];
    for (left, &near_y) in left.iter_mut().zip(values) {
        *left = reduction(near_x, near_y);
    }
    loop {
        if count & 1 == 1 {
            match near_y {
                Near::Few(ids, _) => {
                    for (&j, &left) in ids.iter().zip(left.iter()) {
                        weights[j as usize] *= left;
                    }
                }
                Near::Many(start, _) => {
                    blocks::multiply(&mut weights[*start..][..left.len()], left);
                }
            }
        }
        count >>= 1;
        if count == 0 {
            break;
        }
        for left in left.iter_mut() {
            *left *= *left;
        }
    }
}

/// Eq. 4.2: R = 1 − k(|t_x − tᵢ|²/h_c²)·k(|t_y − tⱼ|²/h_c²).
#[inline(always)]
fn reduction<T: Real>(near_x: T, near_y: T) -> T {
    T::one() - near_x * near_y
}

/// Eq. 4.4: h_c = max{ε, min{h, λ·|t_x − t_y|}}.
fn link_bandwidth(length: f64, h: f64, params: &CmsParams) -> f64 {
    (params.link_scale * length).min(h).max(params.min_link_bandwidth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_right_for_every_count() {
        let (values, left) = (vec![0.1, 0.5], &mut [0.0; 2]);
        for near in [Near::Few(vec![1, 2], values.clone()), Near::Many(1, values)] {
            for count in 1..40 {
                let mut weights = [1.0; 3];
                dim(1.0, &near, count, left, &mut weights);
                for (weight, base) in weights.into_iter().zip([1.0_f64, 0.9, 0.5]) {
                    assert!((weight - base.powi(count as i32)).abs() < 1e-14);
                }
            }
        }
    }
}
