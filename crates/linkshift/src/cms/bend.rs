//! How cannot-links bend the field of one iteration: Eqs. 4.2–4.4 for one center at a time.

use super::params::CmsParams;
use super::ties::Tie;
use crate::kernel::Profile;
use crate::neighbors::blocks::{self, Wide};
use crate::real::Real;

/// Values handled at once, so that powers are taken in cache.
const STRETCH: usize = 64;

/// A tie as one iteration sees it, from the side of its end x.
#[derive(Debug, Clone, Copy)]
struct Reach<T> {
    /// The other end, as a number of an anchor.
    y: u32,
    count: u32,
    /// 1/h_c².
    inv_h_sq: T,
    /// Distance from which on the tie is not felt, and its square.
    reach: T,
    reach_sq: T,
}

/// All ties that can be felt at the centers and bandwidth of one iteration.
#[derive(Debug)]
pub(crate) struct Bend<T> {
    profile: Profile,
    n_centers: usize,
    n_features: usize,
    /// Centers that have a tie, their places row by row, and the tie's range in `ties` by center.
    anchors: Vec<T>,
    starts: Vec<u32>,
    /// By anchor, farthest reach first.
    ties: Vec<Reach<T>>,
    /// Squared distance from each anchor to each center.
    to_centers: Vec<T>,
    wide: Wide,
}

/// What the weights of one center are written into; one per thread.
pub(crate) struct Weights<T> {
    /// w by center; valid for the centers asked for.
    pub(crate) of_center: Vec<T>,
    to_anchors: Vec<T>,
}

impl<T: Real> Bend<T> {
    /// `drift` is the longest way from a sample to its center: ties too long to be felt on both
    /// sides at once are left out.
    pub(crate) fn new(
        centers: &[T],
        d: usize,
        ties: &[Tie],
        h: f64,
        drift: f64,
        params: &CmsParams,
    ) -> Self {
        let at = |center: u32| &centers[center as usize * d..][..d];
        let reaches = params.profile.support().map(f64::sqrt);
        let felt: Vec<(Tie, f64)> = ties
            .iter()
            .map(|&tie| (tie, distance_sq(at(tie.x), at(tie.y)).as_f64().sqrt()))
            .filter(|&(_, length)| {
                // i within reach of x, j within reach of y, and the sample of j within reach of i.
                let h_c = link_bandwidth(length, h, params);
                reaches.is_none_or(|r| length < r * (2.0 * h_c + h) + drift)
            })
            .collect();

        let mut anchor_of = vec![u32::MAX; centers.len() / d];
        let mut anchors: Vec<T> = Vec::new();
        for (tie, _) in &felt {
            // Ties are there in both directions, so every y is an x too.
            if anchor_of[tie.x as usize] == u32::MAX {
                anchor_of[tie.x as usize] = (anchors.len() / d) as u32;
                anchors.extend_from_slice(at(tie.x));
            }
        }
        let mut starts = vec![0; anchors.len() / d + 1];
        let mut reaching: Vec<Reach<T>> = Vec::with_capacity(felt.len());
        for (tie, length) in &felt {
            let h_c = T::of(link_bandwidth(*length, h, params));
            let reach = reaches.map_or(T::infinity(), |r| T::of(r) * h_c);
            reaching.push(Reach {
                y: anchor_of[tie.y as usize],
                count: tie.count,
                inv_h_sq: (h_c * h_c).recip(),
                reach,
                reach_sq: reach * reach,
            });
            starts[anchor_of[tie.x as usize] as usize + 1] = reaching.len() as u32;
        }
        for (anchor, end) in starts.clone().into_iter().enumerate().skip(1) {
            reaching[starts[anchor - 1] as usize..end as usize]
                .sort_by(|a, b| b.reach.partial_cmp(&a.reach).unwrap_or(std::cmp::Ordering::Equal));
        }
        let mut bend = Self {
            profile: params.profile,
            n_centers: centers.len() / d,
            n_features: d,
            anchors,
            starts,
            ties: reaching,
            to_centers: Vec::new(),
            wide: Wide::new(),
        };
        bend.to_centers = bend.distances_to(centers);
        bend
    }

    /// Whether any tie is felt anywhere.
    pub(crate) fn is_flat(&self) -> bool {
        self.ties.is_empty()
    }

    pub(crate) fn scratch(&self) -> Weights<T> {
        Weights {
            of_center: vec![T::one(); self.n_centers],
            to_anchors: vec![T::zero(); self.starts.len() - 1],
        }
    }

    /// Eq. 4.3 for a center at `at`: w for each of the centers `wanted` (`None`: for all), none of
    /// which is farther from `at` than `radius`.
    pub(crate) fn weigh(
        &self,
        at: &[T],
        wanted: Option<&[u32]>,
        radius: T,
        weights: &mut Weights<T>,
    ) {
        match wanted {
            Some(wanted) => wanted.iter().for_each(|&j| weights.of_center[j as usize] = T::one()),
            None => weights.of_center.fill(T::one()),
        }
        self.wide.run(
            #[inline(always)]
            || fill_distances(&self.anchors, self.n_features, at, &mut weights.to_anchors),
        );
        for (x, &to_x_sq) in weights.to_anchors.iter().enumerate() {
            for tie in &self.ties[self.starts[x] as usize..self.starts[x + 1] as usize] {
                if to_x_sq >= tie.reach_sq {
                    break; // so do all that follow: farthest reach first
                }
                let near_x = self.profile.value(to_x_sq * tie.inv_h_sq);
                let far = tie.reach + radius;
                if near_x == T::zero() || weights.to_anchors[tie.y as usize] >= far * far {
                    continue;
                }
                let to_y = &self.to_centers[tie.y as usize * self.n_centers..][..self.n_centers];
                match wanted {
                    Some(wanted) => {
                        self.dim_some(tie, near_x, to_y, wanted, &mut weights.of_center)
                    }
                    None => self.wide.run(
                        #[inline(always)]
                        || dim_all(self.profile, tie, near_x, to_y, &mut weights.of_center),
                    ),
                }
            }
        }
    }

    /// Eq. 4.2 for some centers.
    fn dim_some(&self, tie: &Reach<T>, near_x: T, to_y: &[T], wanted: &[u32], weights: &mut [T]) {
        for &j in wanted {
            let to_y_sq = to_y[j as usize];
            if to_y_sq < tie.reach_sq {
                let near_y = self.profile.value(to_y_sq * tie.inv_h_sq);
                let left = T::one() - near_x * near_y;
                weights[j as usize] *= left.powi(tie.count as i32);
            }
        }
    }

    fn distances_to(&self, centers: &[T]) -> Vec<T> {
        use rayon::prelude::*;
        let mut distances = vec![T::zero(); (self.starts.len() - 1) * self.n_centers];
        distances.par_chunks_exact_mut(self.n_centers.max(1)).enumerate().for_each(
            |(anchor, row)| {
                let at = &self.anchors[anchor * self.n_features..][..self.n_features];
                self.wide.run(
                    #[inline(always)]
                    || fill_distances(centers, self.n_features, at, row),
                );
            },
        );
        distances
    }
}

/// Eq. 4.4: h_c = max{ε, min{h, λ·|t_x − t_y|}}.
fn link_bandwidth(length: f64, h: f64, params: &CmsParams) -> f64 {
    (params.link_scale * length).min(h).max(params.min_link_bandwidth)
}

/// Eq. 4.2 for all centers: w(j) ·= (1 − near_x·k(|t_y − t_j|²/h_c²))^count.
#[inline(always)]
fn dim_all<T: Real>(profile: Profile, tie: &Reach<T>, near_x: T, to_y: &[T], weights: &mut [T]) {
    let mut left = [T::zero(); STRETCH];
    for (to_y, weights) in to_y.chunks(STRETCH).zip(weights.chunks_mut(STRETCH)) {
        let left = &mut left[..to_y.len()];
        left.copy_from_slice(to_y);
        blocks::fill_profile(profile, tie.inv_h_sq, left);
        for value in left.iter_mut() {
            *value = T::one() - near_x * *value;
        }
        // The power by squaring: the count is the same for all, so this stays SIMD.
        let mut count = tie.count;
        loop {
            if count & 1 == 1 {
                blocks::multiply(weights, left);
            }
            count >>= 1;
            if count == 0 {
                break;
            }
            for value in left.iter_mut() {
                *value *= *value;
            }
        }
    }
}

/// Squared distances from `at` to places given row by row.
#[inline(always)]
fn fill_distances<T: Real>(places: &[T], d: usize, at: &[T], out: &mut [T]) {
    for (place, out) in places.chunks_exact(d).zip(out) {
        *out = distance_sq(place, at);
    }
}

#[inline(always)]
fn distance_sq<T: Real>(a: &[T], b: &[T]) -> T {
    let mut sum = T::zero();
    for (&a, &b) in a.iter().zip(b) {
        sum += (a - b) * (a - b);
    }
    sum
}
