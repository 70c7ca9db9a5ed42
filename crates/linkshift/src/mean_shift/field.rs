//! The density that centers climb: Eq. 3.1 of the CMS paper, evaluated anywhere.

use crate::bandwidth::Found;
use crate::kernel::Profile;
use crate::neighbors::blocks::{self, Wide};
use crate::neighbors::tree::{Part, Tree};
use crate::points::Points;
use crate::real::Real;
use std::ops::Range;

/// Less than this share of the lightest sample is no evidence of any: the center stays.
pub(crate) const VANISHED: f64 = 1e-10;

/// Longest stretch of samples handled at once, so that what is between the steps stays in cache.
const STRETCH: usize = 512;

/// Samples, profile and bandwidth, ready to be evaluated.
#[derive(Debug, Clone)]
pub(crate) struct Field<T: Real> {
    tree: Tree<T>,
    profile: Profile,
    bandwidth: Found<T>,
    scale: Scale<T>,
    /// Weights by position in the tree; none means 1.
    weights: Option<Vec<T>>,
    /// A center whose samples weigh no more than this stays.
    vanished: f64,
    wide: Wide,
}

#[derive(Debug, Clone)]
enum Scale<T> {
    Same(T),
    /// 1/h² by position, and the largest h.
    PerPoint {
        inv_h_sq: Vec<T>,
        largest: T,
    },
}

/// What an evaluation needs to write into; one per thread.
pub(crate) struct Scratch<T> {
    weights: Vec<T>,
    /// Σ weight·sample, then Σ weight.
    sums: Vec<f64>,
}

impl<T> Scratch<T> {
    /// The weight around the place that was evaluated last.
    pub(crate) fn weight(&self) -> f64 {
        self.sums.last().copied().unwrap_or(0.0)
    }
}

impl<T: Real> Field<T> {
    pub(crate) fn new(samples: &Points<'_, T>, profile: Profile, bandwidth: &Found<T>) -> Self {
        let tree = Tree::new(samples);
        let positions = 0..tree.n_points();
        let mut weights = tree.weights().map(<[T]>::to_vec);
        let scale = match bandwidth {
            Found::Same(h) => Scale::Same(*h),
            Found::PerPoint(h) => {
                // A sample's share of the density gradient is k/h^(d+2). Taken relative to the
                // smallest h and in logs: the plain powers overflow when d is large.
                let h_at = |position: usize| h[tree.row_at(position)];
                let smallest = h.iter().copied().fold(T::infinity(), T::min);
                let power = T::of(tree.n_features() as f64 + 2.0);
                // Far below the others a share is nothing, but not so little that it underflows.
                let least = T::min_positive_value().sqrt();
                let share =
                    |position: usize| ((smallest / h_at(position)).ln() * power).exp().max(least);
                let own = weights.take();
                let own = |position: usize| own.as_ref().map_or(T::one(), |w| w[position]);
                weights = Some(positions.clone().map(|p| share(p) * own(p)).collect());
                Scale::PerPoint {
                    inv_h_sq: positions.map(|p| (h_at(p) * h_at(p)).recip()).collect(),
                    largest: h.iter().copied().fold(T::zero(), T::max),
                }
            }
        };
        let positive = weights.iter().flatten().map(|w| w.as_f64()).filter(|&w| w > 0.0);
        let lightest = positive.fold(f64::INFINITY, f64::min);
        let vanished = VANISHED * if weights.is_some() { lightest } else { 1.0 };
        Self {
            tree,
            profile,
            bandwidth: bandwidth.clone(),
            scale,
            weights,
            vanished,
            wide: Wide::new(),
        }
    }

    pub(crate) fn n_features(&self) -> usize {
        self.tree.n_features()
    }

    pub(crate) fn profile(&self) -> Profile {
        self.profile
    }

    pub(crate) fn n_samples(&self) -> usize {
        self.tree.n_points()
    }

    /// The samples that the field was made of, in their own order.
    pub(crate) fn samples(&self) -> Points<'static, T> {
        self.tree.points()
    }

    /// The bandwidth that the field was made with.
    pub(crate) fn bandwidth(&self) -> &Found<T> {
        &self.bandwidth
    }

    pub(crate) fn scratch(&self) -> Scratch<T> {
        Scratch { weights: vec![T::zero(); STRETCH], sums: vec![0.0; self.n_features() + 1] }
    }

    /// Eq. 3.1: moves a center to the weighted mean of the samples around it and returns how far
    /// it went. Where no sample counts, it stays.
    pub(crate) fn shift(&self, center: &mut [T], scratch: &mut Scratch<T>) -> T {
        let weight = self.weigh(center, scratch);
        if weight <= self.vanished {
            return T::zero();
        }
        let mut moved_sq = T::zero();
        for (value, &sum) in center.iter_mut().zip(&scratch.sums) {
            let mean = T::of(sum / weight);
            moved_sq += (mean - *value) * (mean - *value);
            *value = mean;
        }
        moved_sq.sqrt()
    }

    /// How much weight the samples around a place have together.
    pub(crate) fn weigh(&self, at: &[T], scratch: &mut Scratch<T>) -> f64 {
        scratch.sums.fill(0.0);
        match self.reach_sq() {
            None => self.sweep(0..self.tree.n_points(), at, scratch),
            Some(reach_sq) => self.tree.walk(at, reach_sq, |part| match part {
                Part::Inside(node) if self.inside_counts_whole() => {
                    scratch.sums.iter_mut().zip(self.tree.sum(node)).for_each(|(s, n)| *s += n);
                }
                Part::Inside(node) => self.sweep(self.tree.range(node), at, scratch),
                Part::Block(range) => self.sweep(range, at, scratch),
            }),
        }
        scratch.sums[self.n_features()]
    }

    /// Distance from which on nothing counts, if the profile ends somewhere.
    pub(super) fn reach(&self) -> Option<T> {
        self.reach_sq().map(T::sqrt)
    }

    /// Squared distance from which on nothing counts, if the profile ends somewhere. Wider by a few
    /// roundings: the profile's own value has the last word.
    fn reach_sq(&self) -> Option<T> {
        let h = match &self.scale {
            Scale::Same(h) => *h,
            Scale::PerPoint { largest, .. } => *largest,
        };
        let slack = if self.inside_counts_whole() { T::zero() } else { T::epsilon() * T::of(16.0) };
        self.profile.support().map(|end| T::of(end) * h * h * (T::one() + slack))
    }

    /// Whether all samples inside the reach count the same, so that their sum is all it takes.
    fn inside_counts_whole(&self) -> bool {
        self.profile == Profile::Ball && matches!(self.scale, Scale::Same(_))
    }

    /// Adds what the samples at `range` contribute.
    fn sweep(&self, range: Range<usize>, at: &[T], scratch: &mut Scratch<T>) {
        let reach_sq = self.reach_sq();
        let mut start = range.start;
        while start < range.end {
            let stretch = start..range.end.min(start + STRETCH);
            start = stretch.end;
            let weights = &mut scratch.weights[..stretch.len()];
            self.wide.run(
                #[inline(always)]
                || {
                    let columns = self.tree.columns();
                    blocks::fill_distances_sq(columns, stretch.clone(), at, weights);
                    match &self.scale {
                        Scale::Same(h) => {
                            // With some columns, most leaves that a ball may touch have no point in
                            // it, and exponentials cost more than distances.
                            if reach_sq.is_some_and(|reach| !blocks::any_below(weights, reach)) {
                                return;
                            }
                            blocks::fill_profile(self.profile, *h * *h, weights);
                        }
                        Scale::PerPoint { inv_h_sq, .. } => {
                            blocks::multiply(weights, &inv_h_sq[stretch.clone()]);
                            blocks::fill_profile(self.profile, T::one(), weights);
                        }
                    }
                    if !blocks::any_positive(weights) {
                        return;
                    }
                    if let Some(own) = &self.weights {
                        blocks::multiply(weights, &own[stretch.clone()]);
                    }
                    blocks::add_weighted(columns, stretch, weights, &mut scratch.sums);
                },
            );
        }
    }
}
