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
    count: u32,
    /// ω.
    strength: T,
    /// h_c².
    h_sq: T,
    /// Whether h_c is h, as far as any link reaches.
    is_long: bool,
    /// Distance from which on the tie is not felt, and its square.
    reach: T,
    reach_sq: T,
}

/// Centers that are dimmed at once. (Centers are numbered by place, so those that feel a tie are
/// seldom far apart, and a block seldom has only one of them.)
pub(crate) const BLOCK: usize = 8;

/// Blocks of centers, and a value for each of them.
#[derive(Debug)]
struct Near<T> {
    blocks: Vec<u32>,
    values: Vec<[T; BLOCK]>,
}

/// What the ties of an anchor x do at their other ends: for each of them the blocks of centers that
/// feel it there (one of the block at least), and k(|t_y − tⱼ|²/h_c²), with 0 for the others. They
/// stand in the order in which they are met, so that they come from memory as a stream; only long ties
/// share what they have in common, one list for each y.
#[derive(Debug)]
struct OtherEnds<T> {
    near: Near<T>,
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
    other_ends: Vec<OtherEnds<T>>,
    /// For each anchor y, what long ties do there.
    long: Vec<Near<T>>,
    wide: Wide,
}

/// Centers that are weighed for together: they are neighbours, so they feel nearly the same ties, and
/// what is known of these is fetched once for all of them.
pub(crate) const TOGETHER: usize = 32;

/// The centers whose weights are wanted at a few places.
pub(crate) struct Wanted<T> {
    /// How far the farthest is from each place.
    radii: [T; TOGETHER],
    /// The blocks that have one that is wanted anywhere.
    blocks: Vec<bool>,
}

impl<T: Real> Wanted<T> {
    pub(crate) fn of(n_centers: usize) -> Self {
        let blocks = vec![false; n_centers.div_ceil(BLOCK)];
        Self { radii: [T::zero(); TOGETHER], blocks }
    }

    /// Nothing is wanted any more.
    pub(crate) fn clear(&mut self) {
        self.radii = [T::zero(); TOGETHER];
        self.blocks.fill(false);
    }

    /// A place wants some centers; the farthest of them is so far from it.
    pub(crate) fn add(&mut self, place: usize, centers: &[u32], farthest: T) {
        self.radii[place] = farthest;
        centers.iter().for_each(|&center| self.blocks[center as usize / BLOCK] = true);
    }
}

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
    /// Which blocks at the other end of a tie are wanted, by their places in its list.
    picked: Vec<u32>,
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
        // Within one x, farthest reach first.
        let mut order: Vec<u32> = (0..felt.len() as u32).collect();
        for ties in starts.windows(2) {
            let h_c = |tie: u32| felt[tie as usize].1;
            order[ties[0] as usize..ties[1] as usize].sort_by(|&a, &b| h_c(b).total_cmp(&h_c(a)));
        }
        let ties = order.iter().map(|&at| {
            let (tie, h_c) = &felt[at as usize];
            let h_c = T::of(*h_c);
            let reach = T::of(felt_until) * h_c;
            ActiveTie {
                y: anchor_of[tie.y as usize],
                count: tie.count,
                strength: T::of(tie.strength),
                h_sq: h_c * h_c,
                is_long: h_c == T::of(h),
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
            other_ends: Vec::new(),
            long: Vec::new(),
            wide: Wide::new(),
        };
        if weights.is_empty() {
            return weights;
        }
        match between {
            Some(between) => {
                weights.look_around(|anchor, reach| between.within(anchor, reach));
            }
            None => {
                let index = Neighbors::new(&Points::checked_before(centers, d, None));
                weights.look_around(|anchor, reach| index.within(at(anchor), reach));
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
            picked: Vec::new(),
        }
    }

    /// Eq. 4.3 for centers at a few places: w for the centers that are wanted (if not told, for all).
    pub(crate) fn weigh(
        &self,
        places: &[Place<'_, T>],
        wanted: Option<&Wanted<T>>,
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
            let radius = wanted.map_or(T::zero(), |wanted| wanted.radii[i]);
            self.visit_anchors(place, self.farthest + radius, |anchor| {
                to_anchors[anchor.row][i] = anchor.distance_sq;
            });
        }
        self.wide.run(
            #[inline(always)]
            || self.dim_all(wanted, weights),
        );
    }

    /// Multiplies the weights of all places by what each tie leaves.
    #[inline(always)]
    fn dim_all(&self, wanted: Option<&Wanted<T>>, weights: &mut Weights<T>) {
        let n_blocks = self.n_blocks();
        // Where every block is wanted, there is nothing to pick.
        let wanted_blocks = wanted.map(|wanted| &wanted.blocks[..]);
        let wanted_blocks = wanted_blocks.filter(|blocks| blocks.contains(&false));
        let Weights { of_center, felt, to_anchors, picked, .. } = weights;
        for (anchor, to_x_sq) in to_anchors.iter().enumerate() {
            let ties = self.ties_of(anchor);
            // The places that feel any of them, one after another: the first tie reaches farthest.
            let mut places = [0; TOGETHER];
            let mut place_to_x_sq = [T::infinity(); TOGETHER];
            let mut n_places = 0;
            for (place, &distance_sq) in to_x_sq.iter().enumerate() {
                if distance_sq < ties[0].reach_sq {
                    places[n_places] = place;
                    place_to_x_sq[n_places] = distance_sq;
                    n_places += 1;
                }
            }
            let nearest = place_to_x_sq[..n_places].iter().copied().fold(T::infinity(), smaller);
            // Whole blocks, for SIMD; beyond the last place they are infinite.
            let n_lanes = n_places.next_multiple_of(BLOCK);
            for (at_tie, tie) in ties.iter().enumerate() {
                if nearest >= tie.reach_sq {
                    break; // as for all that follow
                }
                let mut near_x = [T::infinity(); TOGETHER];
                for (near_x, &distance_sq) in
                    near_x[..n_lanes].iter_mut().zip(&place_to_x_sq[..n_lanes])
                {
                    let feels = distance_sq < tie.reach_sq;
                    *near_x = if feels { distance_sq } else { T::infinity() };
                }
                blocks::fill_profile(self.profile, tie.h_sq, &mut near_x[..n_lanes]);
                let (near_y, range) = self.other_end(anchor, at_tie);
                let (blocks, values) = (&near_y.blocks[range.clone()], &near_y.values[range]);
                let mut is_picked = false;
                for (&place, &near_x) in places[..n_places].iter().zip(&near_x) {
                    let sees = |wanted: &Wanted<T>| {
                        let far = tie.reach + wanted.radii[place];
                        to_anchors[tie.y as usize][place] < far * far
                    };
                    if near_x <= T::zero() || !wanted.is_none_or(sees) {
                        continue;
                    }
                    felt[place] = true;
                    let of_center = &mut of_center[place * n_blocks..][..n_blocks];
                    let near_x = tie.strength * near_x;
                    let Some(wanted_blocks) = wanted_blocks else {
                        for (&block, values) in blocks.iter().zip(values) {
                            dim(near_x, values, tie.count, &mut of_center[block as usize]);
                        }
                        continue;
                    };
                    if !is_picked {
                        is_picked = true;
                        pick(blocks, wanted_blocks, picked);
                    }
                    for &at in &picked[..] {
                        let (block, values) = (blocks[at as usize], &values[at as usize]);
                        dim(near_x, values, tie.count, &mut of_center[block as usize]);
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

    /// Who feels the tie `at_tie` of an anchor at its other end: where in which lists.
    #[inline(always)]
    fn other_end(&self, anchor: usize, at_tie: usize) -> (&Near<T>, Range<usize>) {
        let tie = &self.ties_of(anchor)[at_tie];
        if tie.is_long {
            let long = &self.long[tie.y as usize];
            return (long, 0..long.blocks.len());
        }
        let OtherEnds { near, of_tie } = &self.other_ends[anchor];
        (near, of_tie[at_tie].start as usize..of_tie[at_tie].end as usize)
    }

    /// Finds who feels which tie where; `within` finds the centers near a center, by number and in
    /// order.
    fn look_around(&mut self, within: impl Fn(u32, T) -> Vec<Neighbor<T>> + Sync) {
        let around = |(anchor, &center): (usize, &u32)| {
            // The first tie reaches farthest.
            in_blocks(&within(center, self.ties_of(anchor)[0].reach))
        };
        let around: Vec<Near<T>> =
            self.anchors.par_iter().enumerate().stoppable().map(around).collect();
        let long = |(anchor, around): (usize, &Near<T>)| {
            let mut near = Near { blocks: Vec::new(), values: Vec::new() };
            let long = &self.ties_of(anchor)[0];
            if long.is_long {
                self.add_those_that_feel(long, around, &mut near);
            }
            near
        };
        let long = around.par_iter().enumerate().stoppable().map(long).collect();
        let other_ends = |anchor| {
            let mut near = Near { blocks: Vec::new(), values: Vec::new() };
            let of_tie = self.ties_of(anchor).iter().map(|tie| {
                let start = near.blocks.len() as u32;
                if !tie.is_long {
                    self.add_those_that_feel(tie, &around[tie.y as usize], &mut near);
                }
                start..near.blocks.len() as u32
            });
            let of_tie = of_tie.collect();
            OtherEnds { near, of_tie }
        };
        let other_ends =
            (0..self.anchors.len()).into_par_iter().stoppable().map(other_ends).collect();
        (self.long, self.other_ends) = (long, other_ends);
    }

    /// Adds the centers around an end of a tie that feel it there, and how much.
    fn add_those_that_feel(&self, tie: &ActiveTie<T>, around: &Near<T>, near: &mut Near<T>) {
        let start = near.blocks.len();
        self.wide.run(
            #[inline(always)]
            || {
                for (&block, distances_sq) in around.blocks.iter().zip(&around.values) {
                    if !blocks::any_below(distances_sq, tie.reach_sq) {
                        continue;
                    }
                    let mut distances_sq = *distances_sq;
                    for distance_sq in &mut distances_sq {
                        let feels = *distance_sq < tie.reach_sq;
                        *distance_sq = if feels { *distance_sq } else { T::infinity() };
                    }
                    near.blocks.push(block);
                    near.values.push(distances_sq);
                }
                let values = near.values[start..].as_flattened_mut();
                blocks::fill_profile(self.profile, tie.h_sq, values);
            },
        );
    }
}

/// Centers in order of their numbers, with their squared distances, as blocks; infinite for the others.
fn in_blocks<T: Real>(found: &[Neighbor<T>]) -> Near<T> {
    let mut near: Near<T> = Near { blocks: Vec::new(), values: Vec::new() };
    for neighbor in found {
        let block = (neighbor.row / BLOCK) as u32;
        if near.blocks.last() != Some(&block) {
            near.blocks.push(block);
            near.values.push([T::infinity(); BLOCK]);
        }
        if let Some(values) = near.values.last_mut() {
            values[neighbor.row % BLOCK] = neighbor.distance_sq;
        }
    }
    near
}

/// The places in a list of blocks of those that are wanted.
#[inline(always)]
fn pick(blocks: &[u32], wanted: &[bool], picked: &mut Vec<u32>) {
    picked.resize(blocks.len(), 0);
    let mut n_picked = 0;
    // Without a branch: about half are wanted, and which is hard to foresee.
    for (at, &block) in blocks.iter().enumerate() {
        picked[n_picked] = at as u32;
        n_picked += usize::from(wanted[block as usize]);
    }
    picked.truncate(n_picked);
}

/// The smaller of two numbers that are no NaN; `min` would also look for it.
#[inline(always)]
fn smaller<T: Real>(a: T, b: T) -> T {
    if a < b { a } else { b }
}

/// Multiplies w of a block by what one tie leaves, Eq. 4.2 to the power of its count:
/// R = 1 − k(|t_x − tᵢ|²/h_c²)·k(|t_y − tⱼ|²/h_c²).
#[inline(always)]
fn dim<T: Real>(near_x: T, near_y: &[T; BLOCK], count: u32, weights: &mut [T; BLOCK]) {
    let mut left = [T::one(); BLOCK];
    for (left, &near_y) in left.iter_mut().zip(near_y) {
        *left -= near_x * near_y;
    }
    if count > 1 {
        left = power(left, count);
    }
    for (weight, left) in weights.iter_mut().zip(left) {
        *weight *= left;
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
            let mut weights = [1.0; BLOCK];
            dim(1.0, &values, count, &mut weights);
            for (weight, base) in weights.into_iter().zip([1.0_f64, 0.9, 0.5, 1.0]) {
                assert!((weight - base.powi(count as i32)).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn what_is_wanted_weighs_the_same_whatever_else_is_not() {
        let n = 200;
        let values: Vec<f64> = (0..2 * n).map(|i| (i as f64 * 0.73).sin()).collect();
        let points = Points::new(values, 2).unwrap();
        let order = crate::neighbors::spatial_order(&points, BLOCK);
        let centers = points.select(&order).values().to_vec();
        let tie = |x, y| Tie { x, y, count: 1 + (x + y) % 3, strength: 1.0 };
        let ends = |i: u32| [(i, (i * 7 + 50) % 200), ((i * 7 + 50) % 200, i)];
        let ties = (0..200).filter(|&i| (i * 7 + 50) % 200 != i).flat_map(ends);
        let ties = super::super::ties::group(ties.map(|(x, y)| tie(x, y)).collect());
        let params = CmsParams::default();
        let all = |_: &Tie, _, _| true;
        let weights = LinkWeights::new(&centers, 2, None, &ties, 0.4, &params, all);
        let places: Vec<Place<'_, f64>> = centers[..2 * TOGETHER]
            .chunks_exact(2)
            .map(|at| Place { at, to_centers: None })
            .collect();
        let (mut every, mut some) = (weights.scratch(), weights.scratch());
        weights.weigh(&places, None, &mut every);
        let mut wanted = Wanted::of(n);
        let mut n_dimmed = 0;
        for (i, place) in places.iter().enumerate() {
            let near = |&j: &u32| distance_sq(place.at, &centers[2 * j as usize..][..2]) < 0.1;
            let near: Vec<u32> = (0..n as u32).filter(near).collect();
            wanted.add(i, &near, 0.1_f64.sqrt());
        }
        weights.weigh(&places, Some(&wanted), &mut some);
        for (i, place) in places.iter().enumerate() {
            for j in 0..n {
                if distance_sq(place.at, &centers[2 * j..][..2]) < 0.1 {
                    assert_eq!(every.of(i)[j], some.of(i)[j]);
                    n_dimmed += usize::from(every.of(i)[j] < 1.0);
                }
            }
        }
        assert!(wanted.blocks.contains(&false) && n_dimmed > 100, "{n_dimmed}");
    }
}
