//! DBSCAN: clusters are what dense points join, everything else is noise.
//!
//! A point is a *core* point if at least `min_points` points, itself included, lie within `eps` of
//! it. Core points within `eps` of each other share a cluster; any other point within `eps` of a
//! core point is on the *border* and takes the cluster of the nearest one; what is left is noise.
//! (The original gives a border point between two clusters to whichever came first; the nearest
//! core point depends on no order.)
//!
//! Reference: M. Ester, H.-P. Kriegel, J. Sander, X. Xu. A density-based algorithm for discovering
//! clusters in large spatial databases with noise. KDD, 1996.
//!
//! # Cost
//! One radius search per point in the tree of boxes. The memory is that of the pairs within `eps`.
//!
//! ```
//! use linkshift::{Points, dbscan::Dbscan};
//!
//! let points = Points::new(vec![0.0, 0.1, 0.2, 5.0, 5.1, 5.2, 9.0], 1)?;
//! let labels = Dbscan::new(0.5, 3)?.fit(&points);
//! assert_eq!(labels, [0, 0, 0, 1, 1, 1, -1]);
//! # Ok::<(), linkshift::Error>(())
//! ```

use crate::error::{Error, Result};
use crate::neighbors::{Neighbor, Neighbors};
use crate::points::Points;
use crate::real::Real;
use crate::shared::disjoint_sets::DisjointSets;
use crate::shared::relabel::number_by_first_member;
use crate::stop::Stoppable;
use rayon::prelude::*;

/// DBSCAN with checked parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dbscan {
    eps: f64,
    min_points: usize,
}

/// Who lies within `eps` of whom, and who is a core point: all that grouping needs, so that
/// whoever groups by other rules (links between points, say) can begin here.
#[derive(Debug, Clone)]
pub struct DensityGraph<T> {
    /// For each point those within `eps` of it, itself included, by ascending row.
    pub near: Vec<Vec<Neighbor<T>>>,
    /// Whether each point is a core point.
    pub is_core: Vec<bool>,
}

impl Dbscan {
    /// Points within `eps` are near; `min_points` of them, itself included, make a core point.
    pub fn new(eps: f64, min_points: usize) -> Result<Self> {
        if !(eps > 0.0 && eps.is_finite()) {
            return Err(Error::param("eps", eps, "a finite number above 0"));
        }
        if min_points == 0 {
            return Err(Error::param("min_points", 0, "at least 1 (a point is near itself)"));
        }
        Ok(Self { eps, min_points })
    }

    /// The cluster of each point, numbered from 0 by first member; −1 is noise.
    pub fn fit<T: Real>(&self, points: &Points<'_, T>) -> Vec<i64> {
        let graph = self.density_graph(points);
        let mut sets = DisjointSets::new(points.n_points());
        for (a, b, _) in graph.core_pairs() {
            sets.join(a, b);
        }
        graph.label(|point| sets.find(point))
    }

    /// Who is near whom.
    pub fn density_graph<T: Real>(&self, points: &Points<'_, T>) -> DensityGraph<T> {
        let index = Neighbors::new(points);
        // Searches end before their radius; a few roundings more let them reach it.
        let radius = T::of(self.eps) * (T::one() + T::epsilon() * T::of(4.0));
        let near: Vec<_> = points
            .values()
            .par_chunks_exact(points.n_features())
            .stoppable()
            .map(|row| index.within(row, radius))
            .collect();
        let is_core = near.iter().map(|near| near.len() >= self.min_points).collect();
        DensityGraph { near, is_core }
    }
}

impl<T: Real> DensityGraph<T> {
    /// Pairs of core points within `eps` of each other, the smaller row first, with their squared
    /// distance.
    pub fn core_pairs(&self) -> impl Iterator<Item = (usize, usize, T)> + '_ {
        let cores = self.near.iter().enumerate().filter(|&(a, _)| self.is_core[a]);
        cores.flat_map(move |(a, near)| {
            let later = near.iter().filter(move |b| b.row > a && self.is_core[b.row]);
            later.map(move |b| (a, b.row, b.distance_sq))
        })
    }

    /// The core point whose cluster a point shares: itself, or for a border point the nearest
    /// (the first of equally near ones). `None` for noise.
    pub fn core_of(&self, point: usize) -> Option<usize> {
        if self.is_core[point] {
            return Some(point);
        }
        let cores = self.near[point].iter().filter(|near| self.is_core[near.row]);
        let nearest = cores.fold(None, |best: Option<&Neighbor<T>>, near| match best {
            Some(best) if best.distance_sq <= near.distance_sq => Some(best),
            _ => Some(near),
        });
        nearest.map(|near| near.row)
    }

    /// Labels by the set that each point's core point is in, numbered by first member.
    pub fn label(&self, mut set_of_core: impl FnMut(usize) -> usize) -> Vec<i64> {
        let raw: Vec<i64> = (0..self.near.len())
            .map(|point| self.core_of(point).map_or(-1, |core| set_of_core(core) as i64))
            .collect();
        number_by_first_member(&raw).0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn line(values: &[f64]) -> Points<'static, f64> {
        Points::new(values.to_vec(), 1).unwrap()
    }

    fn labels(values: &[f64], eps: f64, min_points: usize) -> Vec<i64> {
        Dbscan::new(eps, min_points).unwrap().fit(&line(values))
    }

    #[test]
    fn a_distance_of_exactly_eps_is_near() {
        // Derived: 0–1 and 1–2 are 1 apart, so 1 has three points within 1 and the others are its border.
        assert_eq!(labels(&[0.0, 1.0, 2.0], 1.0, 3), [0, 0, 0]);
        assert_eq!(labels(&[0.0, 1.0, 2.0], 0.999, 3), [-1, -1, -1]);
    }

    #[test]
    fn a_border_point_goes_to_the_nearest_core_point() {
        // Derived: 1.0 is 0.8 from the core 0.2 and 0.6 from the core 1.6, and has itself and these
        // two within 0.8: no core with min_points 4.
        let row = [0.0, 0.1, 0.15, 0.2, 1.0, 1.6, 1.85, 1.9, 2.0];
        assert_eq!(labels(&row, 0.8, 4), [0, 0, 0, 0, 1, 1, 1, 1, 1]);
    }

    #[test]
    fn one_point_is_a_cluster_only_if_one_is_enough() {
        assert_eq!(labels(&[3.0], 1.0, 1), [0]);
        assert_eq!(labels(&[3.0], 1.0, 2), [-1]);
    }

    #[test]
    fn equal_points_count_one_by_one() {
        assert_eq!(labels(&[3.0; 4], 1e-9, 4), [0; 4]);
        assert_eq!(labels(&[3.0; 4], 1e-9, 5), [-1; 4]);
    }

    #[test]
    fn what_cannot_work_is_refused() {
        for (eps, min_points) in [(0.0, 4), (-1.0, 4), (f64::NAN, 4), (f64::INFINITY, 4), (1.0, 0)]
        {
            assert!(matches!(Dbscan::new(eps, min_points), Err(Error::Param { .. })));
        }
    }

    /// The definition, pair by pair: cores reach each other in steps of at most eps.
    fn literal(points: &Points<'_, f64>, eps: f64, min_points: usize) -> Vec<i64> {
        let n = points.n_points();
        let distance = |a: usize, b: usize| {
            let pairs = points.row(a).iter().zip(points.row(b));
            pairs.map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
        };
        let near = |a: usize| (0..n).filter(move |&b| distance(a, b) <= eps);
        let is_core: Vec<bool> = (0..n).map(|a| near(a).count() >= min_points).collect();
        let mut raw = vec![-1; n];
        for first in (0..n).filter(|&a| is_core[a]) {
            if raw[first] >= 0 {
                continue;
            }
            let mut reached = vec![first];
            while let Some(a) = reached.pop() {
                raw[a] = first as i64;
                reached.extend(near(a).filter(|&b| is_core[b] && raw[b] < 0));
            }
        }
        for border in (0..n).filter(|&a| !is_core[a]) {
            let nearest = near(border)
                .filter(|&b| is_core[b])
                .min_by(|&a, &b| distance(border, a).total_cmp(&distance(border, b)));
            if let Some(core) = nearest {
                raw[border] = raw[core];
            }
        }
        number_by_first_member(&raw).0
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Another path: the definition, pair by pair. On a lattice, so that ties are common.
        #[test]
        fn it_is_the_definition(
            values in prop::collection::vec((-6_i32..6).prop_map(f64::from), 2..160),
            eps in 0.5_f64..3.0, min_points in 1_usize..6,
        ) {
            let even = values.len() / 2 * 2;
            let points = Points::new(values[..even].to_vec(), 2).unwrap();
            let found = Dbscan::new(eps, min_points).unwrap().fit(&points);
            prop_assert_eq!(found, literal(&points, eps, min_points));
        }
    }
}
