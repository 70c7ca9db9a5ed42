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
use crate::stop::Stoppable;
use rayon::prelude::*;
use std::ops::Range;

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

/// Centers that are dimmed at once. (Centers are numbered by place, so those that feel a tie are
/// seldom far apart, and a block seldom has only one of them.)
const BLOCK: usize = 8;

/// The centers that feel the ties of an anchor there, and k(|t_x − t_i|²/h_c²) of each: blocks of
/// centers one of which does at least, with 0 for the others.
#[derive(Debug)]
struct Near<T> {
    blocks: Vec<u32>,
    values: Vec<[T; BLOCK]>,
    /// The blocks of each tie. Ties that reach equally far share theirs.
    of_tie: Vec<Range<u32>>,
}

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
    /// For each anchor.
    near: Vec<Near<T>>,
    wide: Wide,
}

/// Centers that are weighed for together: they are neighbours, so they feel nearly the same ties, and
/// what is known of these is fetched once for all of them.
pub(crate) const TOGETHER: usize = 32;

/// Where a center is, and how far that is from all centers of the iteration (squared) if known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a, T> {
    pub(crate) at: &'a [T],
    pub(crate) to_centers: Option<&'a [T]>,
}

/// What the weights of a few centers are written into; one per thread.
pub(crate) struct Weights<T> {
    n_centers: usize,
    /// w by place, then center, in blocks.
    of_center: Vec<[T; BLOCK]>,
    felt: [bool; TOGETHER],
    /// Squared distances from each place to each anchor, infinite beyond where that matters.
    to_anchors: Vec<[T; TOGETHER]>,
}

impl<T> Weights<T> {
    /// w of all centers for a place.
    pub(crate) fn of(&self, place: usize) -> &[T] {
        let n_blocks = self.n_centers.div_ceil(BLOCK);
        &self.of_center[place * n_blocks..][..n_blocks].as_flattened()[..self.n_centers]
    }

    pub(crate) fn of_mut(&mut self, place: usize) -> &mut [T] {
        let n_blocks = self.n_centers.div_ceil(BLOCK);
        &mut self.of_center[place * n_blocks..][..n_blocks].as_flattened_mut()[..self.n_centers]
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
        let length = |tie: &Tie| {
            // Both directions of a tie must be as long, to the last bit.
            let (x, y) = (tie.x.min(tie.y), tie.x.max(tie.y));
            let length_sq = match between {
                Some(between) => between.row(x as usize)[y as usize],
                None => distance_sq(at(x), at(y)),
            };
            length_sq.as_f64().sqrt()
        };
        let felt: Vec<(Tie, f64)> = ties
            .iter()
            .map(|tie| {
                let length = length(tie);
                (*tie, length, link_bandwidth(length, h, params))
            })
            .filter(|(tie, length, h_c)| counts(tie, *length, felt_until * h_c))
            .map(|(tie, _, h_c)| (tie, h_c))
            .collect();

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
        // Ties come sorted by x, then y, then strength. So those that end at some y are met in the
        // order in which their reverses stand at y.
        let mut next_at = starts.clone();
        let reverse = felt.iter().map(|(tie, _)| {
            let next = &mut next_at[anchor_of[tie.y as usize] as usize];
            *next += 1;
            *next - 1
        });
        let reverse: Vec<u32> = reverse.collect();
        // Within one x, farthest reach first.
        let mut order: Vec<u32> = (0..felt.len() as u32).collect();
        for ties in starts.windows(2) {
            let h_c = |tie: u32| felt[tie as usize].1;
            order[ties[0] as usize..ties[1] as usize].sort_by(|&a, &b| h_c(b).total_cmp(&h_c(a)));
        }
        let mut place = vec![0; felt.len()];
        order.iter().enumerate().for_each(|(at, &tie)| place[tie as usize] = at as u32);
        let ties = order.iter().map(|&at| {
            let (tie, h_c) = &felt[at as usize];
            let h_c = T::of(*h_c);
            let reach = T::of(felt_until) * h_c;
            ActiveTie {
                y: anchor_of[tie.y as usize],
                reverse: place[reverse[at as usize] as usize],
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
            of_center: vec![[T::one(); BLOCK]; n_places * self.n_blocks()],
            felt: [false; TOGETHER],
            to_anchors: vec![[T::infinity(); TOGETHER]; self.anchors.len()],
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
        weights.of_center[..places.len() * self.n_blocks()].fill([T::one(); BLOCK]);
        weights.to_anchors.fill([T::infinity(); TOGETHER]);
        let to_anchors = &mut weights.to_anchors;
        for (i, &place) in places.iter().enumerate() {
            let radius = radii.map_or(T::zero(), |radii| radii[i]);
            self.visit_anchors(place, self.farthest + radius, |anchor| {
                to_anchors[anchor.row][i] = anchor.distance_sq;
            });
        }
        self.wide.run(
            #[inline(always)]
            || self.dim_all(radii, weights),
        );
    }

    /// Multiplies the weights of all places by what each tie leaves.
    #[inline(always)]
    fn dim_all(&self, radii: Option<&[T; TOGETHER]>, weights: &mut Weights<T>) {
        let n_blocks = self.n_blocks();
        for (anchor, to_x_sq) in weights.to_anchors.iter().enumerate() {
            let nearest = to_x_sq.iter().copied().fold(T::infinity(), smaller);
            for tie in self.ties_of(anchor) {
                if nearest >= tie.reach_sq {
                    break; // as for all that follow: farthest reach first
                }
                let to_y_sq = &weights.to_anchors[tie.y as usize];
                let mut near_x = [T::infinity(); TOGETHER];
                let mut any_feels = false;
                for i in 0..TOGETHER {
                    let far = radii.map_or(T::infinity(), |radii| tie.reach + radii[i]);
                    let sees = radii.is_none() | (to_y_sq[i] < far * far);
                    let feels = sees & (to_x_sq[i] < tie.reach_sq);
                    any_feels |= feels;
                    near_x[i] = if feels { to_x_sq[i] } else { T::infinity() };
                }
                if !any_feels {
                    continue;
                }
                blocks::fill_profile(self.profile, tie.h_sq, &mut near_x);
                let near_y = &self.near[tie.y as usize];
                let of_tie = &near_y.of_tie[(tie.reverse - self.starts[tie.y as usize]) as usize];
                let of_tie = of_tie.start as usize..of_tie.end as usize;
                let near_y = (&near_y.blocks[of_tie.clone()], &near_y.values[of_tie]);
                for (i, &near_x) in near_x.iter().enumerate() {
                    if near_x > T::zero() {
                        weights.felt[i] = true;
                        let of_center = &mut weights.of_center[i * n_blocks..];
                        dim(tie.strength * near_x, near_y, tie.count, of_center);
                    }
                }
            }
        }
    }

    /// Blocks of all centers.
    fn n_blocks(&self) -> usize {
        self.n_centers.div_ceil(BLOCK)
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
        let near = |(anchor, &center): (usize, &u32)| {
            let ties = self.ties_of(anchor);
            // The first tie reaches farthest.
            self.near_anchor(ties, &within(center, ties[0].reach))
        };
        self.anchors.par_iter().enumerate().stoppable().map(near).collect()
    }

    /// The centers that feel some ties of one anchor among those `around` it, which are in order.
    fn near_anchor(&self, ties: &[ActiveTie<T>], around: &[Neighbor<T>]) -> Near<T> {
        let of_tie = Vec::with_capacity(ties.len());
        let mut near = Near { blocks: Vec::new(), values: Vec::new(), of_tie };
        let mut last = None;
        for tie in ties {
            if last == Some(tie.h_sq) {
                near.of_tie.extend(near.of_tie.last().cloned());
                continue;
            }
            last = Some(tie.h_sq);
            let start = near.blocks.len();
            for neighbor in around.iter().filter(|neighbor| neighbor.distance_sq < tie.reach_sq) {
                let block = (neighbor.row / BLOCK) as u32;
                if near.blocks[start..].last() != Some(&block) {
                    near.blocks.push(block);
                    near.values.push([T::infinity(); BLOCK]);
                }
                if let Some(values) = near.values.last_mut() {
                    values[neighbor.row % BLOCK] = neighbor.distance_sq;
                }
            }
            let values = near.values[start..].as_flattened_mut();
            self.wide.run(
                #[inline(always)]
                || blocks::fill_profile(self.profile, tie.h_sq, values),
            );
            near.of_tie.push(start as u32..near.blocks.len() as u32);
        }
        near
    }
}

/// The smaller of two numbers that are no NaN; `min` would also look for it.
#[inline(always)]
fn smaller<T: Real>(a: T, b: T) -> T {
    if a < b { a } else { b }
}

/// Multiplies w by what one tie leaves, Eq. 4.2 to the power of its count:
/// R = 1 − k(|t_x − tᵢ|²/h_c²)·k(|t_y − tⱼ|²/h_c²).
#[inline(always)]
fn dim<T: Real>(
    near_x: T,
    (blocks, values): (&[u32], &[[T; BLOCK]]),
    count: u32,
    weights: &mut [[T; BLOCK]],
) {
    for (&block, values) in blocks.iter().zip(values) {
        let mut left = [T::one(); BLOCK];
        for (left, &near_y) in left.iter_mut().zip(values) {
            *left -= near_x * near_y;
        }
        if count > 1 {
            left = power(left, count);
        }
        for (weight, left) in weights[block as usize].iter_mut().zip(left) {
            *weight *= left;
        }
    }
}

/// Each to the same power, by squaring: the steps are the same for all, so this is SIMD.
#[inline(always)]
fn power<T: Real>(mut base: [T; BLOCK], mut count: u32) -> [T; BLOCK] {
    let mut result = [T::one(); BLOCK];
    loop {
        if count & 1 == 1 {
            result.iter_mut().zip(base).for_each(|(result, base)| *result *= base);
        }
        count >>= 1;
        if count == 0 {
            return result;
        }
        base.iter_mut().for_each(|base| *base *= *base);
    }
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
        let mut values = [0.0; BLOCK];
        values[1..3].copy_from_slice(&[0.1, 0.5]);
        for count in 1..40 {
            let mut weights = [[1.0; BLOCK]; 2];
            dim(1.0, (&[1], &[values]), count, &mut weights);
            assert_eq!(weights[0], [1.0; BLOCK]);
            for (weight, base) in weights[1].into_iter().zip([1.0_f64, 0.9, 0.5, 1.0]) {
                assert!((weight - base.powi(count as i32)).abs() < 1e-14);
            }
        }
    }
}
