//! Which groups of linked points move, and where to.

use crate::links::LinkClosure;
use crate::shared::coloring::Coloring;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;

/// Up to this many groups in conflict with each other, the cheapest way out is found by trying all;
/// beyond it, the groups that solve most conflicts for their cost go first.
const TRY_ALL: usize = 18;

/// Orders of coloring tried before links are said to leave none.
const N_TRIES: u64 = 20;

/// Groups of linked points, each with the cluster it has for now.
pub(super) struct Board<'a> {
    closure: &'a LinkClosure,
    /// How many members of a group are in each cluster as found, without noise.
    counts: Vec<Vec<(i64, usize)>>,
    label: Vec<i64>,
    n_clusters: usize,
    may_open: bool,
    distance: &'a dyn Fn(usize, usize) -> f64,
}

impl<'a> Board<'a> {
    /// Every group in the cluster that most of its members are in.
    pub(super) fn new(
        labels: &[i64],
        closure: &'a LinkClosure,
        n_clusters: usize,
        may_open: bool,
        distance: &'a dyn Fn(usize, usize) -> f64,
    ) -> Self {
        let count = |group: usize| {
            let mut found: Vec<i64> =
                closure.members(group).iter().map(|&row| labels[row as usize]).collect();
            found.sort_unstable();
            let runs = found.chunk_by(|a, b| a == b).filter(|run| run[0] >= 0);
            runs.map(|run| (run[0], run.len())).collect::<Vec<_>>()
        };
        let counts: Vec<_> = (0..closure.n_groups()).map(count).collect();
        let label = vec![-1; counts.len()];
        Self { closure, counts, label, n_clusters, may_open, distance }
    }

    pub(super) fn label(&self, group: usize) -> i64 {
        self.label[group]
    }

    /// Finds a cluster for every group.
    pub(super) fn settle(&mut self) {
        let n_groups = self.label.len();
        for group in 0..n_groups {
            self.label[group] = self.favourite(group);
        }
        for component in self.conflicts() {
            let mut leaving = self.cheapest_cover(&component);
            // Who has the fewest clusters left goes first; equal ones by their number.
            leaving.sort_by_key(|&group| (self.n_free(group), group));
            for &group in &leaving {
                self.label[group] = -1;
            }
            for group in leaving {
                self.place(group);
            }
        }
        // Must-linked points without a cluster of their own come last: they take what is left.
        for group in 0..n_groups {
            if self.label[group] < 0 && self.closure.members(group).len() > 1 {
                self.place(group);
            }
        }
        self.return_home();
        if !self.may_open && !self.conflicts().is_empty() {
            self.color_anew();
        }
    }

    /// Where the number of clusters is told, moving one group after the other may end in a corner
    /// that another order avoids: all groups are colored anew, and then trade clusters as long as
    /// fewer points move by it.
    fn color_anew(&mut self) {
        let coloring = Coloring::new(self.closure, self.n_clusters);
        let mut costs = Vec::with_capacity(self.label.len() * self.n_clusters);
        for group in 0..self.label.len() {
            let n_members = self.closure.members(group).len();
            let cost = |cluster| (n_members - self.stay(group, cluster)) as f64;
            costs.extend((0..self.n_clusters as i64).map(cost));
        }
        // Ties are broken by chance, so that another try may find what the first did not.
        let tries = (0..N_TRIES).map(ChaCha8Rng::seed_from_u64);
        let found = tries.filter_map(|mut rng| coloring.color(&costs, &mut rng).ok()).next();
        let Some(mut colors) = found else { return };
        while coloring.improve(&costs, &mut colors) {}
        self.label = colors.into_iter().map(i64::from).collect();
    }

    /// Members that would not have to move if the group were in a cluster.
    fn stay(&self, group: usize, cluster: i64) -> usize {
        self.counts[group].iter().find(|(label, _)| *label == cluster).map_or(0, |&(_, n)| n)
    }

    /// The cluster of most members, of equal ones the nearest; −1 if all are noise.
    fn favourite(&self, group: usize) -> i64 {
        let counts = &self.counts[group];
        let most = counts.iter().map(|&(_, n)| n).max().unwrap_or(0);
        let best = counts.iter().filter(|&&(_, n)| n == most).map(|&(label, _)| label);
        best.min_by(|&a, &b| self.far(group, a).total_cmp(&self.far(group, b))).unwrap_or(-1)
    }

    fn far(&self, group: usize, cluster: i64) -> f64 {
        (self.distance)(group, cluster as usize)
    }

    fn neighbors(&self, group: usize) -> impl Iterator<Item = usize> + '_ {
        self.closure.cannot_groups_of(group).iter().map(|other| other.group)
    }

    fn taken(&self, group: usize) -> BTreeSet<i64> {
        self.neighbors(group).map(|other| self.label[other]).filter(|&label| label >= 0).collect()
    }

    fn n_free(&self, group: usize) -> usize {
        self.n_clusters.saturating_sub(self.taken(group).len())
    }

    /// Groups that cannot be together and are, in connected parts, each part ascending.
    fn conflicts(&self) -> Vec<Vec<usize>> {
        let n_groups = self.label.len();
        let mut seen = vec![false; n_groups];
        let mut parts = Vec::new();
        for first in 0..n_groups {
            if seen[first] || self.clashes(first).next().is_none() {
                continue;
            }
            seen[first] = true;
            let mut part = vec![first];
            let mut at = 0;
            while let Some(&group) = part.get(at) {
                at += 1;
                for other in self.clashes(group).collect::<Vec<_>>() {
                    if !std::mem::replace(&mut seen[other], true) {
                        part.push(other);
                    }
                }
            }
            part.sort_unstable();
            parts.push(part);
        }
        parts
    }

    /// Groups in the same cluster that a group cannot be with.
    fn clashes(&self, group: usize) -> impl Iterator<Item = usize> + '_ {
        let label = self.label[group];
        self.neighbors(group).filter(move |&other| label >= 0 && self.label[other] == label)
    }

    /// How many more points move if the group leaves its cluster.
    fn price(&self, group: usize) -> usize {
        let (here, taken) = (self.label[group], self.taken(group));
        let elsewhere = self.counts[group].iter();
        let elsewhere = elsewhere.filter(|(label, _)| *label != here && !taken.contains(label));
        let best = elsewhere.map(|&(_, n)| n).max().unwrap_or(0);
        self.stay(group, here).saturating_sub(best)
    }

    /// How much farther it is to the nearest other cluster that no link forbids.
    fn detour(&self, group: usize) -> f64 {
        let (here, taken) = (self.label[group], self.taken(group));
        let free =
            (0..self.n_clusters as i64).filter(|label| *label != here && !taken.contains(label));
        free.map(|label| self.far(group, label)).fold(f64::INFINITY, f64::min)
            - self.far(group, here)
    }

    /// Groups whose leaving solves all conflicts of a part, for the fewest points; of equal ones
    /// those go that have a shorter way.
    fn cheapest_cover(&self, part: &[usize]) -> Vec<usize> {
        let place = |group: usize| part.binary_search(&group).ok();
        let edges: Vec<Vec<usize>> =
            part.iter().map(|&group| self.clashes(group).filter_map(place).collect()).collect();
        let detours: Vec<f64> = part.iter().map(|&group| self.detour(group)).collect();
        let mut by_detour: Vec<usize> = (0..part.len()).collect();
        by_detour.sort_by(|&a, &b| detours[a].total_cmp(&detours[b]));
        // Ranks by detour are digits below those of the prices.
        let unit = part.len() * part.len();
        let mut prices: Vec<usize> = part.iter().map(|&group| unit * self.price(group)).collect();
        by_detour.iter().enumerate().for_each(|(rank, &at)| prices[at] += rank);
        let cover = match part.len() {
            n if n <= TRY_ALL => by_trying_all(&edges, &prices),
            _ => most_for_its_price(&edges, &prices),
        };
        cover.into_iter().map(|at| part[at]).collect()
    }

    /// Puts a group into the cluster where most members stay, of equal ones the nearest, among those
    /// that no link forbids; into a new one, or where the fewest links break, if all are forbidden.
    fn place(&mut self, group: usize) {
        let taken = self.taken(group);
        let free = (0..self.n_clusters as i64).filter(|cluster| !taken.contains(cluster));
        let best = free.min_by(|&a, &b| self.by_worth(group, a, b));
        self.label[group] = match best {
            Some(cluster) => cluster,
            None if self.may_open || self.n_clusters == 0 => {
                self.n_clusters += 1;
                self.n_clusters as i64 - 1
            }
            None => self.least_broken(group),
        };
    }

    fn by_worth(&self, group: usize, a: i64, b: i64) -> std::cmp::Ordering {
        let stay = self.stay(group, b).cmp(&self.stay(group, a));
        stay.then(self.far(group, a).total_cmp(&self.far(group, b)))
    }

    fn least_broken(&self, group: usize) -> i64 {
        let broken = |cluster: i64| {
            let there = self.neighbors(group).filter(|&other| self.label[other] == cluster);
            there.map(|other| self.closure.members(other).len()).sum::<usize>()
        };
        let all = 0..self.n_clusters as i64;
        let by = |a: &i64, b: &i64| broken(*a).cmp(&broken(*b)).then(self.by_worth(group, *a, *b));
        all.min_by(by).unwrap_or(-1)
    }

    /// A move may have made another one needless: who can be where more of it was, goes there.
    fn return_home(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for group in 0..self.label.len() {
                let (here, taken) = (self.label[group], self.taken(group));
                let better = self.counts[group]
                    .iter()
                    .filter(|&&(label, n)| n > self.stay(group, here) && !taken.contains(&label));
                if let Some(&(label, _)) = better.max_by_key(|&&(label, n)| (n, -label)) {
                    self.label[group] = label;
                    changed = true;
                }
            }
        }
    }
}

/// The cheapest set that touches every edge. Of an edge one end is in it.
fn by_trying_all(edges: &[Vec<usize>], prices: &[usize]) -> Vec<usize> {
    struct Search<'a> {
        edges: &'a [Vec<usize>],
        prices: &'a [usize],
        best: (usize, Vec<bool>),
    }
    impl Search<'_> {
        fn go(&mut self, inside: &mut Vec<bool>, price: usize) {
            if price >= self.best.0 {
                return;
            }
            let open = |at: &usize| !inside[*at] && self.edges[*at].iter().any(|&to| !inside[to]);
            let n_open = |at: usize| self.edges[at].iter().filter(|&&to| !inside[to]).count();
            let next =
                (0..inside.len()).filter(open).max_by_key(|&at| (n_open(at), inside.len() - at));
            let Some(at) = next else {
                self.best = (price, inside.clone());
                return;
            };
            // Either it goes, or all that it clashes with.
            inside[at] = true;
            self.go(inside, price + self.prices[at]);
            inside[at] = false;
            let others: Vec<usize> =
                self.edges[at].iter().copied().filter(|&to| !inside[to]).collect();
            others.iter().for_each(|&to| inside[to] = true);
            let all: usize = others.iter().map(|&to| self.prices[to]).sum();
            self.go(inside, price + all);
            others.iter().for_each(|&to| inside[to] = false);
        }
    }
    let worst = prices.iter().sum::<usize>() + 1;
    let mut search = Search { edges, prices, best: (worst, vec![true; prices.len()]) };
    search.go(&mut vec![false; prices.len()], 0);
    let inside = search.best.1;
    (0..inside.len()).filter(|&at| inside[at]).collect()
}

/// One after the other, whoever solves most conflicts for its price; then whoever is not needed
/// stays after all, the dearest first.
fn most_for_its_price(edges: &[Vec<usize>], prices: &[usize]) -> Vec<usize> {
    let mut inside = vec![false; edges.len()];
    let mut open: Vec<usize> = edges.iter().map(Vec::len).collect();
    let worth = |at: usize, open: usize| open as f64 / prices[at].max(1) as f64;
    let mut queue: BTreeSet<(u64, usize)> =
        (0..edges.len()).map(|at| (worth(at, open[at]).to_bits(), usize::MAX - at)).collect();
    let mut order = Vec::new();
    while let Some((_, key)) = queue.pop_last() {
        let at = usize::MAX - key;
        if open[at] == 0 {
            continue;
        }
        inside[at] = true;
        order.push(at);
        for &to in edges[at].iter().filter(|&&to| !inside[to]) {
            queue.remove(&(worth(to, open[to]).to_bits(), usize::MAX - to));
            open[to] -= 1;
            queue.insert((worth(to, open[to]).to_bits(), usize::MAX - to));
        }
        open[at] = 0;
    }
    order.sort_by_key(|&at| (std::cmp::Reverse(prices[at]), at));
    for at in order {
        if edges[at].iter().all(|&to| inside[to]) {
            inside[at] = false;
        }
    }
    (0..inside.len()).filter(|&at| inside[at]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;

    fn random_graph(rng: &mut ChaCha8Rng, n: usize) -> (Vec<Vec<usize>>, Vec<usize>) {
        let mut edges = vec![Vec::new(); n];
        for a in 0..n {
            for b in 0..a {
                if rng.random_range(0..4) == 0 {
                    edges[a].push(b);
                    edges[b].push(a);
                }
            }
        }
        (edges, (0..n).map(|_| rng.random_range(1..6)).collect())
    }

    fn price(cover: &[usize], edges: &[Vec<usize>], prices: &[usize]) -> Option<usize> {
        let covered = (0..edges.len())
            .all(|a| edges[a].iter().all(|b| cover.contains(&a) || cover.contains(b)));
        covered.then(|| cover.iter().map(|&at| prices[at]).sum())
    }

    #[test]
    fn both_ways_cover_every_edge_and_one_is_the_cheapest_of_all_subsets() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..200 {
            let n = rng.random_range(2..9);
            let (edges, prices) = random_graph(&mut rng, n);
            // Another path: every subset.
            let subset = |bits: usize| (0..n).filter(|at| bits >> at & 1 == 1).collect::<Vec<_>>();
            let cheapest =
                (0..1 << n).filter_map(|bits| price(&subset(bits), &edges, &prices)).min();
            assert_eq!(price(&by_trying_all(&edges, &prices), &edges, &prices), cheapest);
            assert!(price(&most_for_its_price(&edges, &prices), &edges, &prices) >= cheapest);
        }
    }
}
