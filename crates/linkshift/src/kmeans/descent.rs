//! The alternation that all members of the family with soft links share: assign every unit where
//! its distance and its broken links cost least, move the centers to their means, and again.
//!
//! Neither half can raise the objective, so a run ends. A unit is a point, or a group of points
//! that stay together; a cluster has one center or several (`per_cluster`, for AMPCC).

use super::centers::{ByColumn, CHUNK, move_to_means};
use super::fit::Watch;
use super::params::KMeansParams;
use super::penalties::{Penalties, Tally};
use crate::distance::distance_sq;
use crate::error::Result;
use crate::points::Points;
use crate::real::Real;
use crate::stop::{self, Stoppable};
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// In [`Descent::of`] before the first assignment.
const NOWHERE: u32 = u32::MAX;

/// What is to be made as small as possible.
pub(super) struct Problem<'a, T: Real> {
    /// The units with their weights.
    pub(super) points: &'a Points<'a, T>,
    /// What a squared distance costs: ½ in Eq. 1, 1 in Eqs. 4 and 7.
    pub(super) distance_cost: f64,
    pub(super) penalties: &'a Penalties,
    pub(super) n_clusters: usize,
    /// Centers of each cluster: those of cluster h are h·per_cluster and the next.
    pub(super) per_cluster: usize,
}

/// A run from its start to its end.
pub(super) struct Descent<T> {
    /// Unit → center.
    pub(super) of: Vec<u32>,
    pub(super) centers: Vec<T>,
    /// The objective after each assignment.
    pub(super) objectives: Vec<f64>,
    pub(super) converged: bool,
}

impl<T> Descent<T> {
    /// The objective in the end.
    pub(super) fn objective(&self) -> f64 {
        self.objectives.last().copied().unwrap_or(f64::INFINITY)
    }
}

impl<T: Real> Problem<'_, T> {
    /// From starting centers downhill.
    pub(super) fn descend(
        &self,
        centers: Vec<T>,
        params: &KMeansParams,
        rng: &mut ChaCha8Rng,
        watch: &mut Watch<'_, '_>,
    ) -> Result<Descent<T>> {
        let n = self.points.n_points();
        let mut tally = Tally::new(self.penalties, self.n_clusters);
        let mut linked: Vec<usize> = (0..n).filter(|&unit| self.penalties.concern(unit)).collect();
        let mut run =
            Descent { of: vec![NOWHERE; n], centers, objectives: Vec::new(), converged: false };
        for _ in 0..params.max_iter {
            linked.shuffle(rng);
            let (own_sq, changed) = self.assign(&mut run, &linked, &mut tally);
            let distances: f64 = (0..n).map(|unit| self.weight(unit) * own_sq[unit]).sum();
            let objective = self.distance_cost * distances + tally.total();
            let before = run.objective();
            run.objectives.push(objective);
            run.converged = !changed || before - objective <= params.tolerance * objective;
            if run.converged {
                watch.show(self.n_clusters, 0.0)?;
                break;
            }
            if run.objectives.len() < params.max_iter {
                let old = run.centers.clone();
                move_to_means(self.points, &run.of, &mut run.centers);
                watch.show(self.n_clusters, longest_way(&old, &run.centers, self.points))?;
            }
        }
        Ok(run)
    }

    /// Assigns all units; returns their squared distances and whether any went elsewhere.
    fn assign(
        &self,
        run: &mut Descent<T>,
        linked: &[usize],
        tally: &mut Tally<'_>,
    ) -> (Vec<f64>, bool) {
        let d = self.points.n_features();
        let by_column = ByColumn::new(&run.centers, d);
        let nearest = by_column.nearest(self.points.values(), d);
        let mut own_sq: Vec<f64> = nearest.iter().map(|&(_, sq)| sq.as_f64()).collect();
        let mut changed = false;
        for (unit, &(center, _)) in nearest.iter().enumerate() {
            if !self.penalties.concern(unit) {
                changed |= run.of[unit] != center;
                run.of[unit] = center;
            }
        }
        // Where one linked unit goes depends on where the others are: one after the other.
        let distances = self.distances_of(linked, &by_column);
        let n_centers = self.n_clusters * self.per_cluster;
        let mut place = vec![0; self.points.n_points()];
        linked.iter().enumerate().for_each(|(at, &unit)| place[unit] = at);
        let distances_of = |unit: usize| &distances[place[unit] * n_centers..][..n_centers];
        let mut costs = vec![0.0; self.n_clusters];
        for &unit in linked {
            let before = run.of[unit];
            if before != NOWHERE {
                tally.remove(unit, self.cluster_of(before));
            }
            tally.costs(unit, &mut costs);
            let best = self.cheapest(unit, distances_of(unit), &costs, before);
            run.of[unit] = best;
            changed |= best != before;
            tally.add(unit, self.cluster_of(best));
        }
        for company in &self.penalties.companies {
            changed |= self.move_together(company, &distances_of, run, tally, &mut costs);
        }
        for &unit in linked {
            own_sq[unit] = distances_of(unit)[run.of[unit] as usize].as_f64();
        }
        changed |= self.fill_empty_clusters(run, &mut own_sq, tally);
        (own_sq, changed)
    }

    /// The center where a unit costs least, by its distances to all centers and the costs of its
    /// links in all clusters; of equally good ones the unit keeps the one it has.
    fn cheapest(&self, unit: usize, distances: &[T], links: &[f64], before: u32) -> u32 {
        let factor = self.distance_cost * self.weight(unit);
        let cost =
            |center: usize| factor * distances[center].as_f64() + links[center / self.per_cluster];
        let mut best = if before == NOWHERE { 0 } else { before as usize };
        for center in 0..distances.len() {
            if cost(center) < cost(best) {
                best = center;
            }
        }
        best as u32
    }

    /// Moves all units of a group to the one cluster where they cost least together, if that is
    /// less than where they are: one by one they could not leave, each being held by the others.
    fn move_together<'d>(
        &self,
        company: &[usize],
        distances_of: &impl Fn(usize) -> &'d [T],
        run: &mut Descent<T>,
        tally: &mut Tally<'_>,
        costs: &mut [f64],
    ) -> bool
    where
        T: 'd,
    {
        for &unit in company {
            tally.remove(unit, self.cluster_of(run.of[unit]));
        }
        // With none of its units counted, only cannot-links are left: the same for all of them.
        tally.costs(company[0], costs);
        let mut together: Vec<f64> = costs.iter().map(|cost| cost * company.len() as f64).collect();
        let mut now = 0.0;
        for &unit in company {
            let factor = self.distance_cost * self.weight(unit);
            let distances = distances_of(unit);
            for (total, own) in together.iter_mut().zip(distances.chunks_exact(self.per_cluster)) {
                let nearest = own.iter().copied().fold(T::infinity(), T::min);
                *total += factor * nearest.as_f64();
            }
            let (center, cluster) = (run.of[unit] as usize, self.cluster_of(run.of[unit]));
            tally.costs(unit, costs);
            now += factor * distances[center].as_f64() + costs[cluster];
            tally.add(unit, cluster);
        }
        let best = (0..self.n_clusters).min_by(|&a, &b| together[a].total_cmp(&together[b]));
        // Gains within rounding are none: they could go round in circles.
        let Some(best) = best.filter(|&best| together[best] < now - 1e-12 * now) else {
            return false;
        };
        for &unit in company {
            tally.remove(unit, self.cluster_of(run.of[unit]));
            let own = &distances_of(unit)[best * self.per_cluster..][..self.per_cluster];
            let nearest =
                (0..own.len()).fold(0, |least, at| if own[at] < own[least] { at } else { least });
            run.of[unit] = (best * self.per_cluster + nearest) as u32;
            tally.add(unit, best);
        }
        true
    }

    /// Squared distances of the linked units to all centers, unit by unit.
    fn distances_of(&self, linked: &[usize], by_column: &ByColumn<T>) -> Vec<T> {
        let n_centers = self.n_clusters * self.per_cluster;
        let mut distances = vec![T::zero(); linked.len() * n_centers];
        let outs = distances.par_chunks_mut(CHUNK * n_centers);
        outs.zip(linked.par_chunks(CHUNK)).stoppable().for_each(|(out, units)| {
            let rows = self.points.select(units);
            by_column.distances_sq(rows.values(), out);
        });
        distances
    }

    /// Gives each cluster without a unit the one that gains most by becoming its center; where none
    /// gains (all points of all clusters are equal, or links forbid), it stays empty.
    fn fill_empty_clusters(
        &self,
        run: &mut Descent<T>,
        own_sq: &mut [f64],
        tally: &mut Tally<'_>,
    ) -> bool {
        let mut sizes = vec![0_usize; self.n_clusters];
        run.of.iter().for_each(|&center| sizes[self.cluster_of(center)] += 1);
        let mut changed = false;
        let mut costs = vec![0.0; self.n_clusters];
        for empty in 0..self.n_clusters {
            if sizes[empty] > 0 {
                continue;
            }
            let mut best = (0.0, NOWHERE as usize);
            for (unit, own_sq) in own_sq.iter().enumerate() {
                let cluster = self.cluster_of(run.of[unit]);
                if sizes[cluster] < 2 {
                    continue;
                }
                let mut gain = self.distance_cost * self.weight(unit) * own_sq;
                if self.penalties.concern(unit) {
                    tally.remove(unit, cluster);
                    tally.costs(unit, &mut costs);
                    tally.add(unit, cluster);
                    gain += costs[cluster] - costs[empty];
                }
                if gain > best.0 {
                    best = (gain, unit);
                }
            }
            let unit = best.1;
            if unit == NOWHERE as usize {
                // It would be the same for every other.
                break;
            }
            stop::look();
            let cluster = self.cluster_of(run.of[unit]);
            tally.remove(unit, cluster);
            tally.add(unit, empty);
            sizes[cluster] -= 1;
            sizes[empty] += 1;
            let (center, d) = (empty * self.per_cluster, self.points.n_features());
            run.centers[center * d..][..d].copy_from_slice(self.points.row(unit));
            run.of[unit] = center as u32;
            own_sq[unit] = 0.0;
            changed = true;
        }
        changed
    }

    fn cluster_of(&self, center: u32) -> usize {
        center as usize / self.per_cluster
    }

    fn weight(&self, unit: usize) -> f64 {
        self.points.weight(unit).as_f64()
    }
}

/// The longest way that a center went.
pub(super) fn longest_way<T: Real>(old: &[T], new: &[T], points: &Points<'_, T>) -> f64 {
    let d = points.n_features();
    let ways = old.chunks_exact(d).zip(new.chunks_exact(d));
    ways.map(|(old, new)| distance_sq(old, new).as_f64()).fold(0.0, f64::max).sqrt()
}
