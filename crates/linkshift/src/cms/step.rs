//! One iteration: all centers move at once (Eq. 3.1 with the weights of Eq. 4.3).

use super::between::Between;
use super::link_weights::{self, LinkWeights, Place, Wanted, Weights};
use super::params::CmsParams;
use super::samples::Samples;
use super::state::State;
use crate::distance::distance_sq;
use crate::neighbors::blocks::{self, Wide};
use crate::neighbors::products::{Products, TOGETHER};
use crate::neighbors::tree::Part;
use crate::real::Real;
use crate::stop::Stoppable;
use rayon::prelude::*;
use std::ops::Range;

/// Longest stretch of samples handled at once.
const STRETCH: usize = 512;

/// Samples, centers and links at one bandwidth: everything that says where a center goes.
pub(crate) struct Iteration<'a, T: Real> {
    samples: &'a Samples<T>,
    state: &'a State<T>,
    /// The center of the sample at each position.
    center_at: Vec<u32>,
    /// Distances between all centers, where there are many columns.
    between: Option<Between<T>>,
    /// What cannot-links dim.
    cannot: LinkWeights<T>,
    /// What must-links pull, and for each center the weighted sum of its samples, then their weight.
    must: LinkWeights<T>,
    totals: Vec<f64>,
    params: &'a CmsParams,
    h: T,
    wide: Wide,
}

/// Fewer than one sample in this many are summed one by one, not by a product.
const FEW: usize = 8;

/// Centers that are moved together where their distances to the samples are not known already.
const BLOCK: usize = link_weights::TOGETHER;

/// What the moves of a few centers are computed in; one per thread.
struct Scratch<T> {
    values: Vec<T>,
    /// What each of them sees.
    sights: [Sight<T>; BLOCK],
    /// Marks the centers of samples that were met.
    seen: Vec<bool>,
    /// The centers that count for any of them.
    wanted: Wanted<T>,
    weights: Weights<T>,
    /// What the pull of must-links leaves of the plain attraction, by center.
    unpulled: Weights<T>,
    sums: Vec<f64>,
}

/// What one place sees.
#[derive(Default)]
struct Sight<T> {
    /// Positions of the samples that count, and how much.
    positions: Vec<u32>,
    attraction: Vec<T>,
    /// Their centers, each once.
    wanted: Vec<u32>,
}

impl<'a, T: Real> Iteration<'a, T> {
    /// `drift`: the longest way from a sample to its center, 0 in blurring mode.
    pub(crate) fn new(
        samples: &'a Samples<T>,
        state: &'a State<T>,
        h: f64,
        drift: f64,
        params: &'a CmsParams,
    ) -> Self {
        let (centers, d) = (&state.centers, state.n_features);
        let sees = params.profile.support().map_or(f64::INFINITY, f64::sqrt) * h + drift;
        let between = samples.products.as_ref().and_then(|_| Between::of(centers, d));
        let known = between.as_ref();
        let longest_pull = params.must_range * h;
        let must =
            LinkWeights::new(centers, d, known, &state.ties.must, h, params, |tie, length, _| {
                length <= params.pull_range(tie.strength) * h
            });
        // What is pulled in may come from beyond what a center sees: from near the other end of a
        // link whose one end is near.
        let sees =
            if must.is_empty() { sees } else { sees.max(longest_pull + must.farthest() * 2.0) };
        // i within reach of x, j within reach of y, and j no farther from i than it can see.
        let cannot = LinkWeights::new(
            centers,
            d,
            known,
            &state.ties.cannot,
            h,
            params,
            |_, length, reach| length < 2.0 * reach + sees,
        );
        let totals = if must.is_empty() { Vec::new() } else { samples.totals(state) };
        let positions = 0..samples.tree.n_points();
        let center_at = positions.map(|at| state.of[samples.tree.row_at(at)]).collect();
        let (h, wide) = (T::of(h), Wide::new());
        Self { samples, state, center_at, between, cannot, must, totals, params, h, wide }
    }

    /// Moves `places`, row by row. Place i is center i of the state if `own`, else a newcomer.
    /// Returns the longest way.
    pub(crate) fn shift(&self, places: &mut [T], own: bool) -> T {
        let known = self.samples.products.as_ref().zip(self.between.as_ref());
        let together = if known.is_some() { TOGETHER } else { BLOCK };
        places
            .par_chunks_mut(together * self.state.n_features)
            .enumerate()
            .stoppable()
            .map_init(
                || self.scratch(),
                |scratch, (chunk, places)| {
                    let first = own.then_some(chunk * together);
                    match known {
                        Some((samples, between)) => {
                            self.shift_together(samples, between, places, first, scratch)
                        }
                        None => self.shift_block(places, first, scratch),
                    }
                },
            )
            .reduce(T::zero, T::max)
    }

    /// For each center the centers that it shares a label with: k above `merge_k`, w above
    /// `merge_b`.
    pub(crate) fn joined(&self, near: &[Vec<u32>]) -> Vec<Vec<u32>> {
        let merge_b = T::of(self.params.merge_b);
        near.par_chunks(BLOCK)
            .enumerate()
            .stoppable()
            .map_init(
                || (Wanted::of(self.state.n_centers()), self.cannot.scratch()),
                |(wanted, weights), (chunk, near)| {
                    wanted.clear();
                    let places = near.iter().enumerate().map(|(i, near)| {
                        let center = chunk * BLOCK + i;
                        let to_centers = self.between.as_ref().map(|between| between.row(center));
                        let place = Place { at: self.state.center(center), to_centers };
                        wanted.add(i, near, self.radius(place, near));
                        place
                    });
                    let places: Vec<Place<'_, T>> = places.collect();
                    self.cannot.weigh(&places, Some(wanted), weights);
                    let joined = near.iter().enumerate().map(|(i, near)| {
                        if self.cannot.is_empty() {
                            return near.clone();
                        }
                        let joins = |j: &u32| weights.of(i)[*j as usize] > merge_b;
                        near.iter().copied().filter(joins).collect()
                    });
                    joined.collect::<Vec<Vec<u32>>>()
                },
            )
            .flatten_iter()
            .collect()
    }

    fn scratch(&self) -> Scratch<T> {
        Scratch {
            values: vec![T::zero(); STRETCH],
            sights: std::array::from_fn(|_| Sight::default()),
            seen: vec![false; self.state.n_centers()],
            wanted: Wanted::of(self.state.n_centers()),
            weights: self.cannot.scratch(),
            unpulled: self.must.scratch(),
            sums: vec![0.0; self.state.n_features + 1],
        }
    }

    /// Moves a few places. The first is center `first` of the state, if they are centers.
    fn shift_block(&self, places: &mut [T], first: Option<usize>, scratch: &mut Scratch<T>) -> T {
        let d = self.state.n_features;
        for (i, place) in places.chunks_exact(d).enumerate() {
            self.attract(place, &mut scratch.values, &mut scratch.sights[i]);
        }
        let at = |at| Place { at, to_centers: None };
        let all: Vec<Place<'_, T>> = places.chunks_exact(d).map(at).collect();
        self.listen(&all, first, scratch);
        let mut longest = T::zero();
        for (i, place) in places.chunks_exact_mut(d).enumerate() {
            self.sum(&scratch.sights[i], &mut scratch.sums);
            if scratch.unpulled.is_felt(i) {
                self.sum_pull(i, scratch);
            }
            longest = longest.max(self.go(place, &scratch.sums));
        }
        longest
    }

    /// The same for many places, by products of matrices.
    fn shift_together(
        &self,
        samples: &Products<T>,
        between: &Between<T>,
        places: &mut [T],
        first: Option<usize>,
        scratch: &mut Scratch<T>,
    ) -> T {
        let (d, n) = (self.state.n_features, samples.n_rows());
        let n_places = places.len() / d;
        let mut to_samples = vec![T::zero(); n_places * n];
        samples.fill_distances_sq(places, &mut to_samples);
        let n_centers = self.state.n_centers();
        let mut newcomers = Vec::new();
        if first.is_none() {
            newcomers.resize(n_places * n_centers, T::zero());
            between.fill(places, &mut newcomers);
        }
        let mut all_sums = vec![0.0; n_places * (d + 1)];
        // Places that many samples count for, and how much these count together.
        let (mut many, mut totals) = (Vec::new(), Vec::new());
        for (block, rows) in to_samples.chunks_mut(BLOCK * n).enumerate() {
            let start = block * BLOCK;
            for (i, row) in rows.chunks_exact_mut(n).enumerate() {
                self.attract_known(row, &mut scratch.sights[i]);
            }
            let place = |i: usize| Place {
                at: &places[(start + i) * d..][..d],
                to_centers: Some(match first {
                    Some(first) => between.row(first + start + i),
                    None => &newcomers[(start + i) * n_centers..][..n_centers],
                }),
            };
            let all: Vec<Place<'_, T>> = (0..rows.len() / n).map(place).collect();
            self.listen(&all, first.map(|first| first + start), scratch);
            for (i, row) in rows.chunks_exact_mut(n).enumerate() {
                let all = &mut all_sums[(start + i) * (d + 1)..][..d + 1];
                if scratch.unpulled.is_felt(i) {
                    scratch.sums.fill(0.0);
                    self.sum_pull(i, scratch);
                    all.copy_from_slice(&scratch.sums);
                }
                let Sight { positions, attraction, .. } = &scratch.sights[i];
                let total: f64 = attraction.iter().map(|a| a.as_f64()).sum();
                all[d] += total;
                if positions.len() * FEW < n {
                    samples.weighted_sum_of(positions, attraction, &mut all[..d]);
                    continue;
                }
                row.fill(T::zero());
                for (&position, &attraction) in positions.iter().zip(attraction) {
                    row[position as usize] = attraction;
                }
                many.push(start + i);
                totals.push(total);
            }
        }
        for (to, &from) in many.iter().enumerate() {
            to_samples.copy_within(from * n..(from + 1) * n, to * n);
        }
        let sums = samples.weighted_sums(&to_samples[..many.len() * n], &totals);
        for (&i, sums) in many.iter().zip(sums.chunks_exact(d)) {
            let all = &mut all_sums[i * (d + 1)..][..d];
            all.iter_mut().zip(sums).for_each(|(all, sum)| *all += sum);
        }
        let moved = places.chunks_exact_mut(d).zip(all_sums.chunks_exact(d + 1));
        moved.map(|(place, sums)| self.go(place, sums)).fold(T::zero(), T::max)
    }

    /// Takes links into account for the samples that count for a few places.
    fn listen(&self, places: &[Place<'_, T>], first: Option<usize>, scratch: &mut Scratch<T>) {
        self.must.weigh(places, None, &mut scratch.unpulled);
        if self.cannot.is_empty() && self.must.is_empty() {
            return;
        }
        scratch.wanted.clear();
        for (i, &place) in places.iter().enumerate() {
            self.look_for_centers(i, scratch);
            let wanted = &scratch.sights[i].wanted;
            scratch.wanted.add(i, wanted, self.radius(place, wanted));
        }
        self.cannot.weigh(places, Some(&scratch.wanted), &mut scratch.weights);
        for i in 0..places.len() {
            self.dim(i, first.map(|first| first + i), scratch);
        }
    }

    /// Moves a place to the mean of its samples, given their sum and weight. Returns how far.
    fn go(&self, place: &mut [T], sums: &[f64]) -> T {
        let weight = sums[place.len()];
        if weight <= self.samples.vanished {
            return T::zero();
        }
        let mut moved_sq = T::zero();
        for (value, &sum) in place.iter_mut().zip(sums) {
            let mean = T::of(sum / weight);
            moved_sq += (mean - *value) * (mean - *value);
            *value = mean;
        }
        moved_sq.sqrt()
    }

    /// The samples that count for a place without links: k(|t − s|²/h²)·weight above 0.
    fn attract(&self, place: &[T], values: &mut [T], sight: &mut Sight<T>) {
        sight.positions.clear();
        sight.attraction.clear();
        // Wider by a few roundings: the profile's own value has the last word.
        let reach_sq = self.params.profile.support().map_or(T::infinity(), |end| {
            T::of(end) * self.h * self.h * (T::one() + T::epsilon() * T::of(16.0))
        });
        self.samples.tree.walk(place, reach_sq, |part| {
            let range = match part {
                Part::Inside(node) => self.samples.tree.range(node),
                Part::Block(range) => range,
            };
            self.attract_range(range, place, values, sight);
        });
    }

    fn attract_range(
        &self,
        range: Range<usize>,
        place: &[T],
        values: &mut [T],
        sight: &mut Sight<T>,
    ) {
        let mut start = range.start;
        while start < range.end {
            let stretch = start..range.end.min(start + STRETCH);
            start = stretch.end;
            let values = &mut values[..stretch.len()];
            self.wide.run(
                #[inline(always)]
                || {
                    blocks::fill_distances_sq(
                        self.samples.tree.columns(),
                        stretch.clone(),
                        place,
                        values,
                    );
                    self.fill_attraction(stretch.clone(), values);
                },
            );
            let attracting = stretch.zip(values.iter()).filter(|(_, value)| **value > T::zero());
            for (position, &value) in attracting {
                sight.positions.push(position as u32);
                sight.attraction.push(value);
            }
        }
    }

    /// As [`attract`](Self::attract), from squared distances to all samples.
    fn attract_known(&self, distances_sq: &mut [T], sight: &mut Sight<T>) {
        sight.positions.clear();
        sight.attraction.clear();
        self.wide.run(
            #[inline(always)]
            || self.fill_attraction(0..distances_sq.len(), distances_sq),
        );
        for (position, &value) in distances_sq.iter().enumerate() {
            if value > T::zero() {
                sight.positions.push(position as u32);
                sight.attraction.push(value);
            }
        }
    }

    /// Replaces squared distances to the samples at some positions by k(…)·weight.
    #[inline(always)]
    fn fill_attraction(&self, positions: Range<usize>, values: &mut [T]) {
        blocks::fill_profile(self.params.profile, self.h * self.h, values);
        if let Some(weights) = self.samples.tree.weights() {
            blocks::multiply(values, &weights[positions]);
        }
    }

    /// Finds the centers that count for a place: those of its samples, and those it is pulled to.
    fn look_for_centers(&self, place: usize, scratch: &mut Scratch<T>) {
        let Sight { positions, wanted, .. } = &mut scratch.sights[place];
        wanted.clear();
        for &position in positions.iter() {
            let center = self.center_at[position as usize];
            if !std::mem::replace(&mut scratch.seen[center as usize], true) {
                wanted.push(center);
            }
        }
        for &center in wanted.iter() {
            scratch.seen[center as usize] = false;
        }
        if scratch.unpulled.is_felt(place) {
            for (center, &left) in scratch.unpulled.of(place).iter().enumerate() {
                if left < T::one() {
                    wanted.push(center as u32);
                }
            }
        }
    }

    /// Multiplies each sample's attraction by w of its center, and, with a pull P, by 1 − P: the
    /// rest of 1 − (1 − K)·(1 − P) = K·(1 − P) + P is the same for all samples of a center.
    fn dim(&self, place: usize, own: Option<usize>, scratch: &mut Scratch<T>) {
        let Sight { positions, attraction, .. } = &mut scratch.sights[place];
        if !self.cannot.is_empty() {
            if let (true, Some(own)) = (self.params.blurring, own) {
                // A center sees itself in full, w(i,i) = 1, but not the others that travel with it.
                let n = T::of(f64::from(self.state.n_followers[own]));
                let weight = &mut scratch.weights.of_mut(place)[own];
                *weight = (T::one() + (n - T::one()) * *weight) / n;
            }
            let weights = scratch.weights.of(place);
            for (&position, attraction) in positions.iter().zip(attraction.iter_mut()) {
                *attraction *= weights[self.center_at[position as usize] as usize];
            }
        }
        if scratch.unpulled.is_felt(place) {
            let unpulled = scratch.unpulled.of(place);
            for (&position, attraction) in positions.iter().zip(attraction) {
                *attraction *= unpulled[self.center_at[position as usize] as usize];
            }
        }
    }

    /// Adds P·w of each center to all of its samples.
    fn sum_pull(&self, place: usize, scratch: &mut Scratch<T>) {
        let width = self.state.n_features + 1;
        for (center, &left) in scratch.unpulled.of(place).iter().enumerate() {
            if left < T::one() {
                let mut pull = T::one() - left;
                if !self.cannot.is_empty() {
                    pull *= scratch.weights.of(place)[center];
                }
                let total = &self.totals[center * width..][..width];
                let (pull, sums) = (pull.as_f64(), &mut scratch.sums);
                self.wide.run(
                    #[inline(always)]
                    || {
                        for (sum, &total) in sums.iter_mut().zip(total) {
                            *sum += pull * total;
                        }
                    },
                );
            }
        }
    }

    /// How far the farthest of some centers is from a place.
    fn radius(&self, place: Place<'_, T>, centers: &[u32]) -> T {
        let to_center_sq = |&center: &u32| -> T {
            if let Some(to_centers) = place.to_centers {
                return to_centers[center as usize];
            }
            distance_sq(self.state.center(center as usize), place.at)
        };
        centers.iter().map(to_center_sq).fold(T::zero(), T::max).sqrt()
    }

    /// Eq. 3.1, above and below the line.
    fn sum(&self, sight: &Sight<T>, sums: &mut [f64]) {
        sums.fill(0.0);
        let d = self.state.n_features;
        let n_points = self.samples.tree.n_points();
        for (col, sum) in sums[..d].iter_mut().enumerate() {
            let column = self.samples.tree.columns().slice(col, 0..n_points);
            let pairs = sight.positions.iter().zip(&sight.attraction);
            *sum = pairs.map(|(&p, &a)| (a * column[p as usize]).as_f64()).sum();
        }
        sums[d] = sight.attraction.iter().map(|a| a.as_f64()).sum();
    }
}
