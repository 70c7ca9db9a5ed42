//! One iteration: all centers move at once (Eq. 3.1 with the weights of Eq. 4.3).

use super::between::Between;
use super::link_weights::{LinkWeights, Place, Weights};
use super::params::CmsParams;
use super::samples::Samples;
use super::state::State;
use crate::distance::distance_sq;
use crate::neighbors::blocks::{self, Wide};
use crate::neighbors::products::{Products, TOGETHER};
use crate::neighbors::tree::Part;
use crate::real::Real;
use rayon::prelude::*;
use std::ops::Range;

/// Longest stretch of samples handled at once.
const STRETCH: usize = 512;

/// Samples, centers and links at one bandwidth: everything that says where a center goes.
pub(crate) struct Iteration<'a, T: Real> {
    samples: &'a Samples<T>,
    state: &'a State<T>,
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

/// What one center's move is computed in; one per thread.
struct Scratch<T> {
    values: Vec<T>,
    /// Positions of the samples that count, and how much.
    positions: Vec<u32>,
    attraction: Vec<T>,
    /// Their centers, each once; `seen` marks them.
    wanted: Vec<u32>,
    seen: Vec<bool>,
    weights: Weights<T>,
    /// What the pull of must-links leaves of the plain attraction, by center.
    unpulled: Weights<T>,
    sums: Vec<f64>,
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
        let h = T::of(h);
        Self { samples, state, between, cannot, must, totals, params, h, wide: Wide::new() }
    }

    /// Moves `places`, row by row. Place i is center i of the state if `own`, else a newcomer.
    /// Returns the longest way.
    pub(crate) fn shift(&self, places: &mut [T], own: bool) -> T {
        if let (Some(samples), Some(between)) = (&self.samples.products, &self.between) {
            return places
                .par_chunks_mut(TOGETHER * self.state.n_features)
                .enumerate()
                .map_init(
                    || self.scratch(),
                    |scratch, (chunk, places)| {
                        let first = own.then_some(chunk * TOGETHER);
                        self.shift_together(samples, between, places, first, scratch)
                    },
                )
                .reduce(T::zero, T::max);
        }
        places
            .par_chunks_exact_mut(self.state.n_features)
            .enumerate()
            .with_min_len(4)
            .map_init(
                || self.scratch(),
                |scratch, (i, place)| self.shift_one(place, own.then_some(i), scratch),
            )
            .reduce(T::zero, T::max)
    }

    /// For each center the centers that it shares a label with: k above `merge_k`, w above
    /// `merge_b`.
    pub(crate) fn joined(&self, near: &[Vec<u32>]) -> Vec<Vec<u32>> {
        let merge_b = T::of(self.params.merge_b);
        (0..self.state.n_centers())
            .into_par_iter()
            .map_init(
                || self.cannot.scratch(),
                |weights, i| {
                    let to_centers = self.between.as_ref().map(|between| between.row(i));
                    let place = Place { at: self.state.center(i), to_centers };
                    self.cannot.weigh(place, Some(self.radius(place, &near[i])), weights);
                    let joins = |j: &u32| weights.of_center[*j as usize] > merge_b;
                    near[i].iter().copied().filter(joins).collect()
                },
            )
            .collect()
    }

    fn scratch(&self) -> Scratch<T> {
        Scratch {
            values: vec![T::zero(); STRETCH],
            positions: Vec::new(),
            attraction: Vec::new(),
            wanted: Vec::new(),
            seen: vec![false; self.state.n_centers()],
            weights: self.cannot.scratch(),
            unpulled: self.must.scratch(),
            sums: vec![0.0; self.state.n_features + 1],
        }
    }

    fn shift_one(&self, place: &mut [T], own: Option<usize>, scratch: &mut Scratch<T>) -> T {
        self.attract(place, scratch);
        let pulled = self.listen(Place { at: place, to_centers: None }, own, scratch);
        self.sum(scratch);
        if pulled {
            self.sum_pull(scratch);
        }
        self.go(place, &scratch.sums)
    }

    /// The same for many places, by products of matrices. The first is center `first` of the
    /// state, if they are centers.
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
        let mut pulled_sums = vec![0.0; n_places * (d + 1)];
        let mut totals = vec![0.0; n_places];
        for (i, at) in places.chunks_exact(d).enumerate() {
            let own = first.map(|first| first + i);
            let to_centers = match own {
                Some(own) => between.row(own),
                None => &newcomers[i * n_centers..][..n_centers],
            };
            let row = &mut to_samples[i * n..][..n];
            self.attract_known(row, scratch);
            let place = Place { at, to_centers: Some(to_centers) };
            let pulled = self.listen(place, own, scratch);
            row.fill(T::zero());
            for (&position, &attraction) in scratch.positions.iter().zip(&scratch.attraction) {
                row[position as usize] = attraction;
            }
            totals[i] = scratch.attraction.iter().map(|a| a.as_f64()).sum();
            if pulled {
                scratch.sums.fill(0.0);
                self.sum_pull(scratch);
                pulled_sums[i * (d + 1)..][..d + 1].copy_from_slice(&scratch.sums);
            }
        }
        let sums = samples.weighted_sums(&to_samples, &totals);
        let mut longest = T::zero();
        for (i, place) in places.chunks_exact_mut(d).enumerate() {
            let all = &mut pulled_sums[i * (d + 1)..][..d + 1];
            all.iter_mut().zip(&sums[i * d..][..d]).for_each(|(all, sum)| *all += sum);
            all[d] += totals[i];
            longest = longest.max(self.go(place, all));
        }
        longest
    }

    /// Takes links into account for the samples that count for a place. Returns whether it is
    /// pulled by any.
    fn listen(&self, place: Place<'_, T>, own: Option<usize>, scratch: &mut Scratch<T>) -> bool {
        let pulled = self.must.weigh(place, None, &mut scratch.unpulled);
        if pulled || !self.cannot.is_empty() {
            self.dim(place, own, pulled, scratch);
        }
        pulled
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
    fn attract(&self, place: &[T], scratch: &mut Scratch<T>) {
        scratch.positions.clear();
        scratch.attraction.clear();
        // Wider by a few roundings: the profile's own value has the last word.
        let reach_sq = self.params.profile.support().map_or(T::infinity(), |end| {
            T::of(end) * self.h * self.h * (T::one() + T::epsilon() * T::of(16.0))
        });
        self.samples.tree.walk(place, reach_sq, |part| match part {
            Part::Inside(node) => self.attract_range(self.samples.tree.range(node), place, scratch),
            Part::Block(range) => self.attract_range(range, place, scratch),
        });
    }

    fn attract_range(&self, range: Range<usize>, place: &[T], scratch: &mut Scratch<T>) {
        let mut start = range.start;
        while start < range.end {
            let stretch = start..range.end.min(start + STRETCH);
            start = stretch.end;
            let values = &mut scratch.values[..stretch.len()];
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
                scratch.positions.push(position as u32);
                scratch.attraction.push(value);
            }
        }
    }

    /// As [`attract`](Self::attract), from squared distances to all samples.
    fn attract_known(&self, distances_sq: &mut [T], scratch: &mut Scratch<T>) {
        scratch.positions.clear();
        scratch.attraction.clear();
        self.wide.run(
            #[inline(always)]
            || self.fill_attraction(0..distances_sq.len(), distances_sq),
        );
        for (position, &value) in distances_sq.iter().enumerate() {
            if value > T::zero() {
                scratch.positions.push(position as u32);
                scratch.attraction.push(value);
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

    /// Multiplies each sample's attraction by w of its center, and, with a pull P, by 1 − P: the
    /// rest of 1 − (1 − K)·(1 − P) = K·(1 − P) + P is the same for all samples of a center.
    fn dim(&self, place: Place<'_, T>, own: Option<usize>, pulled: bool, scratch: &mut Scratch<T>) {
        let center_of = |position: u32| self.state.of[self.samples.tree.row_at(position as usize)];
        scratch.wanted.clear();
        for &position in &scratch.positions {
            let center = center_of(position);
            if !std::mem::replace(&mut scratch.seen[center as usize], true) {
                scratch.wanted.push(center);
            }
        }
        for &center in &scratch.wanted {
            scratch.seen[center as usize] = false;
        }
        if pulled {
            for (center, &left) in scratch.unpulled.of_center.iter().enumerate() {
                if left < T::one() {
                    scratch.wanted.push(center as u32);
                }
            }
        }
        let radius = self.radius(place, &scratch.wanted);
        self.cannot.weigh(place, Some(radius), &mut scratch.weights);
        if let (true, Some(own)) = (self.params.blurring, own) {
            // A center sees itself in full, w(i,i) = 1, but not the others that travel with it.
            let n = T::of(f64::from(self.state.n_followers[own]));
            let weight = &mut scratch.weights.of_center[own];
            *weight = (T::one() + (n - T::one()) * *weight) / n;
        }
        for (&position, attraction) in scratch.positions.iter().zip(&mut scratch.attraction) {
            let center = center_of(position) as usize;
            *attraction *= scratch.weights.of_center[center];
            if pulled {
                *attraction *= scratch.unpulled.of_center[center];
            }
        }
    }

    /// Adds P·w of each center to all of its samples.
    fn sum_pull(&self, scratch: &mut Scratch<T>) {
        let width = self.state.n_features + 1;
        for (center, &left) in scratch.unpulled.of_center.iter().enumerate() {
            if left < T::one() {
                let pull = (T::one() - left) * scratch.weights.of_center[center];
                let total = &self.totals[center * width..][..width];
                for (sum, &total) in scratch.sums.iter_mut().zip(total) {
                    *sum += pull.as_f64() * total;
                }
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
    fn sum(&self, scratch: &mut Scratch<T>) {
        scratch.sums.fill(0.0);
        let d = self.state.n_features;
        let n_points = self.samples.tree.n_points();
        for col in 0..d {
            let column = self.samples.tree.columns().slice(col, 0..n_points);
            let pairs = scratch.positions.iter().zip(&scratch.attraction);
            scratch.sums[col] = pairs.map(|(&p, &a)| (a * column[p as usize]).as_f64()).sum();
        }
        scratch.sums[d] = scratch.attraction.iter().map(|a| a.as_f64()).sum();
    }
}
