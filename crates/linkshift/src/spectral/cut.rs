//! The graph of modes, cut where it is weakest.

use super::affinity::Affinity;
use super::model::Found;
use super::votes::Votes;
use crate::apart::ApartSets;
use crate::points::Points;
use crate::real::Real;
use rayon::prelude::*;

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
    pub(crate) found: Option<Found>,
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
    let mut edges = strongest_first(affinity, places);
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
        let unrelated = nearest_first(places, &mut sets);
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
        let unrelated = nearest_first(places, &mut sets);
        join_small(&unrelated, &mut sets);
    }
    joins
}

fn strongest_first<T: Real>(affinity: &Affinity, places: &Points<'_, T>) -> Vec<Edge> {
    let edge = |(a, b, affinity)| Edge { a, b, affinity, distance_sq: distance_sq(places, a, b) };
    let mut edges: Vec<Edge> = affinity.edges().map(edge).collect();
    edges.par_sort_unstable_by(|x, y| {
        let by_strength = y.affinity.total_cmp(&x.affinity);
        by_strength.then(x.distance_sq.total_cmp(&y.distance_sq)).then((x.a, x.b).cmp(&(y.a, y.b)))
    });
    edges
}

/// All pairs of nodes in different sets, as edges without affinity.
fn nearest_first<T: Real>(places: &Points<'_, T>, sets: &mut ApartSets) -> Vec<Edge> {
    let of: Vec<usize> = (0..places.n_points()).map(|node| sets.find(node)).collect();
    let mut edges: Vec<Edge> = (0..of.len())
        .flat_map(|a| (a + 1..of.len()).map(move |b| (a, b)))
        .filter(|&(a, b)| of[a] != of[b])
        .map(|(a, b)| Edge { a, b, affinity: 0.0, distance_sq: distance_sq(places, a, b) })
        .collect();
    edges.par_sort_unstable_by(|x, y| {
        x.distance_sq.total_cmp(&y.distance_sq).then((x.a, x.b).cmp(&(y.a, y.b)))
    });
    edges
}

fn distance_sq<T: Real>(places: &Points<'_, T>, a: usize, b: usize) -> f64 {
    let pairs = places.row(a).iter().zip(places.row(b));
    pairs.map(|(a, b)| (a.as_f64() - b.as_f64()).powi(2)).sum()
}

/// The number of clusters at which the tree's affinities, strongest first, fall most. By ratio: in
/// a chain of modes neighbours may have a tenth in common, and still a hundred times more than
/// across the gap beside them.
pub(crate) fn largest_fall(tree: &[f64], n_before: usize) -> Found {
    let log = |affinity: f64| affinity.clamp(NEXT_TO_NONE, 1.0).ln();
    // Stopping after t joins: from the last edge joined (before the first: what would have been
    // one) to the first one cut (after the last: none).
    let falls = (0..=tree.len()).map(|t| {
        let joined = if t == 0 { SIDE_BY_SIDE } else { tree[t - 1] };
        let cut = tree.get(t).map_or(NEXT_TO_NONE, |&affinity| affinity);
        (n_before - t, (log(joined) - log(cut)).max(0.0))
    });
    Found::best_of(falls.collect(), n_before)
}
