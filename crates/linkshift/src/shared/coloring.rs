//! Assignments that break no cannot-link: units are colored by clusters so that no two linked ones
//! share a color.
//!
//! The unit with the fewest clusters left comes first (Brélaz 1979), ties by chance, and takes the
//! cheapest that is left. From then on a unit changes its cluster together with all that must
//! give way to it: those it reaches through cannot-links within its old and its new cluster trade
//! places as a whole (a Kempe chain), which breaks no link ever.

use crate::links::LinkClosure;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::collections::BinaryHeap;

/// Who must not share a cluster with whom.
pub(crate) struct Coloring {
    /// For each linked unit its number among them; the others have none.
    pub(crate) linked: Vec<usize>,
    neighbors: Vec<Vec<u32>>,
    n_clusters: usize,
}

/// A unit that has no cluster left, and for each cluster a unit that keeps it out.
#[derive(Debug)]
pub(crate) struct Blocked {
    pub(crate) unit: usize,
    pub(crate) by: Vec<usize>,
}

impl Coloring {
    pub(crate) fn new(closure: &LinkClosure, n_clusters: usize) -> Self {
        // In a closure of units each group is a single unit.
        let unit = |group: usize| closure.members(group)[0] as usize;
        let neighbors = |group: usize| {
            closure.cannot_groups_of(group).iter().map(|it| it.group as u32).collect()
        };
        Self {
            linked: (0..closure.n_groups()).map(unit).collect(),
            neighbors: (0..closure.n_groups()).map(neighbors).collect(),
            n_clusters,
        }
    }

    /// A first assignment of the linked units; `costs` has a row for each of them.
    pub(crate) fn color(
        &self,
        costs: &[f64],
        rng: &mut ChaCha8Rng,
    ) -> std::result::Result<Vec<u32>, Blocked> {
        const UNCOLORED: u32 = u32::MAX;
        let (n, k) = (self.linked.len(), self.n_clusters);
        let mut colors = vec![UNCOLORED; n];
        let mut taken = vec![false; n * k];
        let mut n_taken = vec![0_usize; n];
        // Most clusters taken first, then most links, then by chance; outdated entries are skipped.
        let chance: Vec<u32> = (0..n).map(|_| rng.random()).collect();
        let entry = |at: usize, n_taken: usize| (n_taken, self.neighbors[at].len(), chance[at], at);
        let mut queue: BinaryHeap<_> = (0..n).map(|at| entry(at, 0)).collect();
        while let Some((when_queued, _, _, at)) = queue.pop() {
            if colors[at] != UNCOLORED || when_queued != n_taken[at] {
                continue;
            }
            let free = (0..k).filter(|&color| !taken[at * k + color]);
            let costs = &costs[at * k..][..k];
            let Some(color) = free.min_by(|&a, &b| costs[a].total_cmp(&costs[b])) else {
                return Err(self.blocked(at, &colors));
            };
            colors[at] = color as u32;
            for &neighbor in &self.neighbors[at] {
                let neighbor = neighbor as usize;
                if !taken[neighbor * k + color] {
                    taken[neighbor * k + color] = true;
                    n_taken[neighbor] += 1;
                    queue.push(entry(neighbor, n_taken[neighbor]));
                }
            }
        }
        Ok(colors)
    }

    fn blocked(&self, at: usize, colors: &[u32]) -> Blocked {
        let with = |color: u32| {
            let mut neighbors = self.neighbors[at].iter();
            neighbors.find(|&&other| colors[other as usize] == color)
        };
        let by = (0..self.n_clusters as u32).filter_map(with);
        Blocked { unit: self.linked[at], by: by.map(|&at| self.linked[at as usize]).collect() }
    }

    /// Trades clusters along chains as long as that lowers the cost; returns whether any did.
    pub(crate) fn improve(&self, costs: &[f64], colors: &mut [u32]) -> bool {
        let (n, k) = (self.linked.len(), self.n_clusters);
        let mut changed = false;
        // A chain is the same whichever of its members it is entered by: once is enough.
        let mut tried = vec![false; n * k];
        let mut chain = Vec::new();
        for at in 0..n {
            for to in 0..k as u32 {
                let from = colors[at];
                if to == from || tried[at * k + to as usize] {
                    continue;
                }
                self.follow(at, from, to, colors, &mut tried, &mut chain);
                let other = |at: usize| if colors[at] == from { to } else { from };
                let gain: f64 = chain
                    .iter()
                    .map(|&at| {
                        costs[at * k + colors[at] as usize] - costs[at * k + other(at) as usize]
                    })
                    .sum();
                let now: f64 = chain.iter().map(|&at| costs[at * k + colors[at] as usize]).sum();
                // Gains within rounding are none: they could go round in circles.
                if gain > 1e-12 * now {
                    changed = true;
                    for &at in &chain {
                        colors[at] = if colors[at] == from { to } else { from };
                    }
                }
            }
        }
        changed
    }

    /// All that `at` reaches through cannot-links among units of the two clusters.
    fn follow(
        &self,
        at: usize,
        from: u32,
        to: u32,
        colors: &[u32],
        tried: &mut [bool],
        chain: &mut Vec<usize>,
    ) {
        let k = self.n_clusters;
        let other = |color: u32| if color == from { to } else { from };
        let mut mark =
            |at: usize| !std::mem::replace(&mut tried[at * k + other(colors[at]) as usize], true);
        chain.clear();
        mark(at);
        chain.push(at);
        let mut next = 0;
        let mut seen: std::collections::HashSet<usize> = [at].into();
        while let Some(&at) = chain.get(next) {
            next += 1;
            for &neighbor in &self.neighbors[at] {
                let neighbor = neighbor as usize;
                if [from, to].contains(&colors[neighbor]) && seen.insert(neighbor) {
                    mark(neighbor);
                    chain.push(neighbor);
                }
            }
        }
    }

    /// Units that all belong apart from each other, grown greedily from one of them.
    pub(crate) fn clique_around(&self, unit: usize) -> Vec<usize> {
        let Some(at) = self.linked.iter().position(|&linked| linked == unit) else {
            return vec![unit];
        };
        let mut candidates = self.neighbors[at].clone();
        candidates.sort_by_key(|&other| std::cmp::Reverse(self.neighbors[other as usize].len()));
        let mut clique = vec![at as u32];
        for other in candidates {
            let apart = |member: &u32| {
                *member == other || self.neighbors[*member as usize].binary_search(&other).is_ok()
            };
            if clique.iter().all(apart) {
                clique.push(other);
            }
        }
        clique.into_iter().map(|at| self.linked[at as usize]).collect()
    }
}
