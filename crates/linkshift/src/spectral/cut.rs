//! The graph of modes, cut where it is weakest.

use super::affinity::Affinity;
use super::model::ClusterCount;
use super::votes::Votes;
use crate::distance::distance_sq_f64;
use crate::points::Points;
use crate::real::Real;
use crate::shared::apart::ApartSets;
use rayon::prelude::*;
use std::cmp::Ordering;

/// When the number of clusters is sought, affinities below this are all alike: none to speak of.
const NEXT_TO_NONE: f64 = 0.001;

/// What modes side by side in one cluster have in common at least: 0.03 to 0.5 on the sets tried.
const SIDE_BY_SIDE: f64 = 0.05;

/// Two modes and how much they have to do with each other.
#[derive(Debug, Clone, Copy)]
struct Edge {
    a: usize,
    b: usize,
    affinity: f64,
    /// Decides between equal affinities: nearer modes have more to do with each other.
    distance_sq: f64,
}

/// The graph after the cut.
pub(crate) struct Cut {
    /// Node → the node that stands for its cluster.
    pub(crate) cluster_of: Vec<usize>,
    /// The affinities of the tree's edges, strongest first, as far as links did not decide.
    pub(crate) tree: Vec<f64>,
    /// How the number of clusters was found, if it was not told.
    pub(crate) found: Option<ClusterCount>,
}

/// What the cut has to respect besides affinities.
pub(crate) struct Wishes<'a> {
    pub(crate) n_clusters: Option<usize>,
    pub(crate) votes: &'a Votes,
    /// Points of each node, and how many a node must have to be a cluster.
    pub(crate) sizes: &'a [usize],
    pub(crate) min_support: f64,
}

/// Joins nodes, strongest edge first, until as many clusters are left as were asked for or as the
/// data suggest. Removing edges, weakest first, ends with the same clusters (without links).
pub(crate) fn cut<T: Real>(
    affinity: &Affinity,
    places: &Points<'_, T>,
    wishes: &Wishes<'_>,
) -> Cut {
    let mut edges = strongest_first(affinity, places, wishes);
    let joined_before = join_first(&edges, places, wishes);
    let replay = |joins: &[Edge]| {
        let mut sets = start(wishes, affinity.n_nodes());
        joined_before.iter().chain(joins).for_each(|edge| {
            sets.try_join(edge.a, edge.b);
        });
        sets
    };
    let mut sets = replay(&[]);
    let n_before = sets.n_sets();
    let mut joins: Vec<Edge> =
        edges.drain(..).filter(|edge| sets.try_join(edge.a, edge.b)).collect();
    if wishes.n_clusters.is_some_and(|wanted| sets.n_sets() > wanted) {
        // Nodes that have nothing to do with each other; what is nearer goes first.
        let unrelated = nearest_first(places, &mut sets, wishes);
        joins.extend(unrelated.into_iter().filter(|edge| sets.try_join(edge.a, edge.b)));
    }
    let tree: Vec<f64> = joins.iter().map(|edge| edge.affinity).collect();
    let (n_clusters, found) = match wishes.n_clusters {
        Some(told) => (told, None),
        None => {
            let found = largest_fall(&tree, n_before);
            (found.n_clusters, Some(found))
        }
    };
    joins.truncate(n_before.saturating_sub(n_clusters));
    let mut sets = replay(&joins);
    let cluster_of = (0..affinity.n_nodes()).map(|node| sets.find(node)).collect();
    Cut { cluster_of, tree, found }
}

fn start(wishes: &Wishes<'_>, n_nodes: usize) -> ApartSets {
    let mut sets = ApartSets::new(n_nodes);
    wishes.votes.apart.iter().for_each(|&(a, b)| sets.part(a, b));
    sets
}

/// The joins that come before all others: those that links ask for, then those of nodes too small
/// to be a cluster, each along its strongest edge, or to what is nearest if it has none.
fn join_first<T: Real>(edges: &[Edge], places: &Points<'_, T>, wishes: &Wishes<'_>) -> Vec<Edge> {
    let n_nodes = places.n_points();
    let mut sets = start(wishes, n_nodes);
    let mut joins = Vec::new();
    for &(a, b) in &wishes.votes.together {
        if sets.try_join(a, b) {
            joins.push(Edge { a, b, affinity: 1.0, distance_sq: 0.0 });
        }
    }
    let mut sizes = vec![0; n_nodes];
    (0..n_nodes).for_each(|node| sizes[sets.find(node)] += wishes.sizes[node]);
    let is_small = |size: usize| (size as f64) < wishes.min_support;
    let mut join_small = |edges: &[Edge], sets: &mut ApartSets| {
        for edge in edges {
            let of = [edge.a, edge.b].map(|node| sizes[sets.find(node)]);
            if of.into_iter().any(is_small) && sets.try_join(edge.a, edge.b) {
                sizes[sets.find(edge.a)] = of[0] + of[1];
                joins.push(*edge);
            }
        }
        (0..n_nodes).any(|node| is_small(sizes[sets.find(node)]))
    };
    if wishes.min_support > 0.0 && join_small(edges, &mut sets) {
        let unrelated = nearest_first(places, &mut sets, wishes);
        join_small(&unrelated, &mut sets);
    }
    joins
}

impl Edge {
    fn new<T: Real>(places: &Points<'_, T>, a: usize, b: usize, affinity: f64) -> Self {
        let distance_sq = distance_sq_f64(places.row(a), places.row(b));
        Self { a, b, affinity, distance_sq }
    }

    /// The stronger edge first, of equally strong ones the shorter; never equal for two edges.
    fn order(&self, other: &Self) -> Ordering {
        let by_strength = other.affinity.total_cmp(&self.affinity);
        let by_length = self.distance_sq.total_cmp(&other.distance_sq);
        by_strength.then(by_length).then((self.a, self.b).cmp(&(other.a, other.b)))
    }
}

/// The edges with an affinity, strongest first, as far as they can matter.
fn strongest_first<T: Real>(
    affinity: &Affinity,
    places: &Points<'_, T>,
    wishes: &Wishes<'_>,
) -> Vec<Edge> {
    let edges: Vec<Edge> =
        affinity.edges().map(|(a, b, value)| Edge::new(places, a, b, value)).collect();
    if !wishes.votes.apart.is_empty() {
        return sorted(edges);
    }
    let mut near = vec![Vec::new(); places.n_points()];
    for edge in &edges {
        near[edge.a].push(*edge);
        near[edge.b].push(*edge);
    }
    forest(places.n_points(), |node, meet| near[node].iter().for_each(|&edge| meet(edge)))
}

/// Pairs of nodes in different sets, as edges without affinity, nearest first, as far as they can
/// matter.
fn nearest_first<T: Real>(
    places: &Points<'_, T>,
    sets: &mut ApartSets,
    wishes: &Wishes<'_>,
) -> Vec<Edge> {
    let of: Vec<usize> = (0..places.n_points()).map(|node| sets.find(node)).collect();
    let n_nodes = of.len();
    let between =
        |a: usize, b: usize| (of[a] != of[b]).then(|| Edge::new(places, a.min(b), a.max(b), 0.0));
    if wishes.votes.apart.is_empty() {
        let others = |a: usize, meet: &mut dyn FnMut(Edge)| {
            (0..n_nodes).filter_map(|b| between(a, b)).for_each(meet);
        };
        return forest(n_nodes, others);
    }
    let pairs = (0..n_nodes).flat_map(|a| (a + 1..n_nodes).map(move |b| (a, b)));
    sorted(pairs.filter_map(|(a, b)| between(a, b)).collect())
}

fn sorted(mut edges: Vec<Edge>) -> Vec<Edge> {
    edges.par_sort_unstable_by(Edge::order);
    edges
}

/// The edges of the maximum spanning forest, in order, by Prim's way from node to node. No other
/// edge can ever join two sets if edges are taken in order: before its turn, stronger ones have
/// joined its ends, or were left out because the sets at their ends were large enough, and then so
/// are those at its own. (With nodes to be held apart this does not hold.)
fn forest(n_nodes: usize, edges_of: impl Fn(usize, &mut dyn FnMut(Edge))) -> Vec<Edge> {
    let mut best: Vec<Option<Edge>> = vec![None; n_nodes];
    let mut outside: Vec<usize> = (0..n_nodes).collect();
    let mut is_inside = vec![false; n_nodes];
    let mut edges = Vec::with_capacity(n_nodes);
    let is_better = |edge: &Edge, than: &Option<Edge>| {
        than.is_none_or(|than| edge.order(&than) == Ordering::Less)
    };
    while !outside.is_empty() {
        // Without any edge from inside, the next tree begins.
        let mut next = 0;
        for at in 1..outside.len() {
            if best[outside[at]].is_some_and(|edge| is_better(&edge, &best[outside[next]])) {
                next = at;
            }
        }
        let node = outside.swap_remove(next);
        is_inside[node] = true;
        edges.extend(best[node]);
        edges_of(node, &mut |edge| {
            let other = if edge.a == node { edge.b } else { edge.a };
            if !is_inside[other] && is_better(&edge, &best[other]) {
                best[other] = Some(edge);
            }
        });
    }
    sorted(edges)
}

/// The number of clusters at which the tree's affinities, strongest first, fall most. By ratio: in
/// a chain of modes neighbours may have a tenth in common, and still a hundred times more than
/// across the gap beside them.
pub(crate) fn largest_fall(tree: &[f64], n_before: usize) -> ClusterCount {
    let log = |affinity: f64| affinity.clamp(NEXT_TO_NONE, 1.0).ln();
    // Stopping after t joins: from the last edge joined (before the first: what would have been
    // one) to the first one cut (after the last: none).
    let falls = (0..=tree.len()).map(|t| {
        let joined = if t == 0 { SIDE_BY_SIDE } else { tree[t - 1] };
        let cut = tree.get(t).map_or(NEXT_TO_NONE, |&affinity| affinity);
        (n_before - t, (log(joined) - log(cut)).max(0.0))
    });
    ClusterCount::best_of(falls.collect(), n_before)
}
