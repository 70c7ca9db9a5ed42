//! What broken links cost, kept factored: costs per group and per pair of groups, and for each
//! group how many of its members are in which cluster.
//!
//! A group of m members stands for m²/2 must-links and two groups for m·m' cannot-links; their
//! costs follow from the counts, so that no pair is ever listed.

use crate::links::{LinkClosure, LinkKind, Links};

/// In [`Penalties::group_of`] and [`Tally`]: none.
const NONE: u32 = u32::MAX;

/// What pairs of units cost that are together or apart against the links.
pub(super) struct Penalties {
    group_of: Vec<u32>,
    /// The groups of at least two units, which may go elsewhere together.
    pub(super) companies: Vec<Vec<usize>>,
    /// Cost of each pair of a group that is in two clusters.
    must: Vec<f64>,
    /// For each group the groups it is held apart from, with the cost of each pair in one cluster.
    apart: Vec<Vec<(u32, f64)>>,
}

impl Penalties {
    /// `must_cost` of a group; `cannot_cost` of two groups, given the confidence that they are apart.
    pub(super) fn new(
        closure: &LinkClosure,
        must_cost: impl Fn(usize) -> f64,
        cannot_cost: impl Fn(usize, usize, f64) -> f64,
    ) -> Self {
        let group_of = |row| closure.group_of(row).map_or(NONE, |group| group as u32);
        let apart_from = |group: usize| {
            let others = closure.cannot_groups_of(group).iter();
            others
                .map(|it| (it.group as u32, cannot_cost(group, it.group, it.confidence)))
                .collect()
        };
        Self {
            group_of: (0..closure.n_points()).map(group_of).collect(),
            companies: companies(closure),
            must: (0..closure.n_groups()).map(must_cost).collect(),
            apart: (0..closure.n_groups()).map(apart_from).collect(),
        }
    }

    /// Whether links can play a part in where a unit goes.
    pub(super) fn concern(&self, unit: usize) -> bool {
        self.group_of[unit] != NONE
    }
}

/// How many members of each group are in which cluster.
pub(super) struct Tally<'a> {
    penalties: &'a Penalties,
    n_clusters: usize,
    counts: Vec<u32>,
    assigned: Vec<u32>,
}

impl<'a> Tally<'a> {
    /// Nothing is assigned yet.
    pub(super) fn new(penalties: &'a Penalties, n_clusters: usize) -> Self {
        let n_groups = penalties.must.len();
        let counts = vec![0; n_groups * n_clusters];
        Self { penalties, n_clusters, counts, assigned: vec![0; n_groups] }
    }

    pub(super) fn add(&mut self, unit: usize, cluster: usize) {
        let group = self.penalties.group_of[unit] as usize;
        if group != NONE as usize {
            self.counts[group * self.n_clusters + cluster] += 1;
            self.assigned[group] += 1;
        }
    }

    pub(super) fn remove(&mut self, unit: usize, cluster: usize) {
        let group = self.penalties.group_of[unit] as usize;
        if group != NONE as usize {
            self.counts[group * self.n_clusters + cluster] -= 1;
            self.assigned[group] -= 1;
        }
    }

    /// What the links of a unit that is not counted would cost in each cluster, given the others.
    pub(super) fn costs(&self, unit: usize, out: &mut [f64]) {
        out.fill(0.0);
        let group = self.penalties.group_of[unit];
        if group == NONE {
            return;
        }
        let must = self.penalties.must[group as usize];
        let together = self.of(group);
        for (cost, &here) in out.iter_mut().zip(together) {
            *cost = must * f64::from(self.assigned[group as usize] - here);
        }
        for &(other, cannot) in &self.penalties.apart[group as usize] {
            for (cost, &here) in out.iter_mut().zip(self.of(other)) {
                *cost += cannot * f64::from(here);
            }
        }
    }

    /// What all broken links cost.
    pub(super) fn total(&self) -> f64 {
        let of_group = |group: usize| {
            let counts = self.of(group as u32);
            let all = f64::from(self.assigned[group]);
            let together: f64 = counts.iter().map(|&count| f64::from(count).powi(2)).sum();
            let must = self.penalties.must[group] * (all * all - together) / 2.0;
            let cannot = self.penalties.apart[group].iter().map(|&(other, cost)| {
                let pairs = counts.iter().zip(self.of(other));
                cost * pairs.map(|(&a, &b)| f64::from(a) * f64::from(b)).sum::<f64>()
            });
            // Each pair of groups is met from both sides.
            must + cannot.sum::<f64>() / 2.0
        };
        (0..self.assigned.len()).map(of_group).sum()
    }

    fn of(&self, group: u32) -> &[u32] {
        &self.counts[group as usize * self.n_clusters..][..self.n_clusters]
    }
}

/// The members of each group that has at least two.
pub(super) fn companies(closure: &LinkClosure) -> Vec<Vec<usize>> {
    let groups = (0..closure.n_groups()).map(|group| closure.members(group));
    let several = groups.filter(|members| members.len() > 1);
    several.map(|members| members.iter().map(|&row| row as usize).collect()).collect()
}

/// For each group the mean confidence of the must-links within it; 1 where there are none.
pub(super) fn must_confidence(links: &Links, closure: &LinkClosure) -> Vec<f64> {
    let mut sums = vec![(0.0, 0_u32); closure.n_groups()];
    for link in links.iter().filter(|link| link.kind == LinkKind::Must) {
        if let Some(group) = closure.group_of(link.a) {
            sums[group].0 += link.confidence;
            sums[group].1 += 1;
        }
    }
    sums.into_iter().map(|(sum, n)| if n == 0 { 1.0 } else { sum / f64::from(n) }).collect()
}
