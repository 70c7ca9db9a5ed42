//! How cannot-links bend the field of one iteration: Eqs. 4.2–4.4 for one center at a time.

use super::params::CmsParams;
use super::ties::Tie;
use crate::kernel::Profile;
use crate::neighbors::blocks::Wide;
use crate::real::Real;
use rayon::prelude::*;
use std::collections::HashMap;

/// A tie as one iteration sees it, from the side of its end x.
#[derive(Debug, Clone, Copy)]
struct Reach<T> {
    /// The other end, as a number of an anchor.
    y: u32,
    /// The same tie seen from y.
    reverse: u32,
    count: i32,
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
    /// Places of the centers that have a tie, row by row.
    anchors: Vec<T>,
    /// Where the ties of each anchor begin.
    starts: Vec<u32>,
    /// By anchor, farthest reach first.
    ties: Vec<Reach<T>>,
    /// For each tie the centers that feel it at its end x, and k(|t_x − t_i|²/h_c²) of each.
    near: Vec<Vec<(u32, T)>>,
    wide: Wide,
}

/// What the weights of one center are written into; one per thread.
pub(crate) struct Weights<T> {
    /// w by center.
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
        // Where k(…)·k(…) is below half a unit of 1, Eq. 4.2 rounds to exactly 1.
        let felt_until = params.profile.exceeds_until(T::epsilon().as_f64() / 2.0).sqrt();
        let sample_reach = params.profile.support().map_or(f64::INFINITY, f64::sqrt);
        let mut felt: Vec<(Tie, f64)> = ties
            .iter()
            .map(|&tie| {
                let length = distance_sq(at(tie.x), at(tie.y)).as_f64().sqrt();
                (tie, length, link_bandwidth(length, h, params))
            })
            // i within reach of x, j within reach of y, and the sample of j within reach of i.
            .filter(|&(_, length, h_c)| length < 2.0 * felt_until * h_c + sample_reach * h + drift)
            .map(|(tie, _, h_c)| (tie, h_c))
            .collect();
        // Ties come sorted by x; within one x, farthest reach first.
        felt.sort_by(|(a, a_h), (b, b_h)| {
            a.x.cmp(&b.x).then(b_h.total_cmp(a_h)).then(a.y.cmp(&b.y))
        });

        let mut anchor_of = vec![u32::MAX; centers.len() / d];
        let mut anchors: Vec<T> = Vec::new();
        let mut starts = vec![0];
        for (at_tie, (tie, _)) in felt.iter().enumerate() {
            // Ties are there in both directions, so every y is an x too.
            if anchor_of[tie.x as usize] == u32::MAX {
                anchor_of[tie.x as usize] = (anchors.len() / d) as u32;
                anchors.extend_from_slice(at(tie.x));
                starts.push(0);
            }
            starts[anchors.len() / d] = at_tie as u32 + 1;
        }
        let place: HashMap<(u32, u32), u32> =
            felt.iter().enumerate().map(|(at, (tie, _))| ((tie.x, tie.y), at as u32)).collect();
        let ties = felt.iter().map(|(tie, h_c)| {
            let h_c = T::of(*h_c);
            let reach = T::of(felt_until) * h_c;
            Reach {
                y: anchor_of[tie.y as usize],
                reverse: place[&(tie.y, tie.x)],
                count: tie.count.min(i32::MAX as u32) as i32,
                inv_h_sq: (h_c * h_c).recip(),
                reach,
                reach_sq: reach * reach,
            }
        });
        let mut bend = Self {
            profile: params.profile,
            n_centers: centers.len() / d,
            n_features: d,
            ties: ties.collect(),
            anchors,
            starts,
            near: Vec::new(),
            wide: Wide::new(),
        };
        bend.near = bend.near_each_tie(centers);
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

    /// Eq. 4.3 for a center at `at`: w for all centers no farther from it than `radius`.
    pub(crate) fn weigh(&self, at: &[T], radius: T, weights: &mut Weights<T>) {
        weights.of_center.fill(T::one());
        self.distances_sq(&self.anchors, at, &mut weights.to_anchors);
        for (x, &to_x_sq) in weights.to_anchors.iter().enumerate() {
            for tie in self.ties_of(x) {
                if to_x_sq >= tie.reach_sq {
                    break; // as for all that follow: farthest reach first
                }
                let far = tie.reach + radius;
                if weights.to_anchors[tie.y as usize] >= far * far {
                    continue;
                }
                let near_x = self.profile.value(to_x_sq * tie.inv_h_sq);
                let near_y = &self.near[tie.reverse as usize];
                if tie.count == 1 {
                    for &(j, near_y) in near_y {
                        weights.of_center[j as usize] *= reduction(near_x, near_y);
                    }
                } else {
                    for &(j, near_y) in near_y {
                        let left = reduction(near_x, near_y).powi(tie.count);
                        weights.of_center[j as usize] *= left;
                    }
                }
            }
        }
    }

    fn ties_of(&self, anchor: usize) -> &[Reach<T>] {
        &self.ties[self.starts[anchor] as usize..self.starts[anchor + 1] as usize]
    }

    /// See [`Bend::near`].
    fn near_each_tie(&self, centers: &[T]) -> Vec<Vec<(u32, T)>> {
        (0..self.starts.len() - 1)
            .into_par_iter()
            .map_init(
                || vec![T::zero(); self.n_centers],
                |to_centers, anchor| {
                    let at = &self.anchors[anchor * self.n_features..][..self.n_features];
                    self.distances_sq(centers, at, to_centers);
                    let felt = |tie: &Reach<T>| -> Vec<(u32, T)> {
                        let near = to_centers.iter().enumerate();
                        near.filter(|&(_, &distance_sq)| distance_sq < tie.reach_sq)
                            .map(|(i, &sq)| (i as u32, self.profile.value(sq * tie.inv_h_sq)))
                            .collect()
                    };
                    self.ties_of(anchor).iter().map(felt).collect::<Vec<_>>()
                },
            )
            .flatten_iter()
            .collect()
    }

    /// Squared distances from `at` to places given row by row.
    fn distances_sq(&self, places: &[T], at: &[T], out: &mut [T]) {
        self.wide.run(
            #[inline(always)]
            || {
                for (place, out) in places.chunks_exact(self.n_features).zip(out) {
                    *out = distance_sq(place, at);
                }
            },
        );
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

#[inline(always)]
fn distance_sq<T: Real>(a: &[T], b: &[T]) -> T {
    let mut sum = T::zero();
    for (&a, &b) in a.iter().zip(b) {
        sum += (a - b) * (a - b);
    }
    sum
}
