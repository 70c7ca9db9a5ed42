//! What the points alone suggest: communities, nearer to themselves than chance would have it.
//!
//! The first answers cannot reach everywhere. Where none has come yet, rows are grouped as the graph of
//! the [walk](super#how-far-an-answer-reaches) suggests: so that its modularity
//! Q = Σ_c (in_c/2m − γ·(tot_c/2m)²) is large, with in_c the weight within a community, tot_c that of
//! all edges of its members, and 2m that of all edges (M. Newman, M. Girvan 2004), by the method of
//! V. Blondel et al. 2008: nodes move to the community of a neighbour as long as Q grows, then
//! communities become nodes, and so on.

use super::walk::Walk;
use crate::bandwidth;
use crate::neighbors::Neighbors;
use crate::points::Points;
use crate::real::Real;
use rayon::prelude::*;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// γ: the smaller, the fewer communities. By the mean ARI after 10, 25 and 50 answers on every second set of the bench
/// .35, .5, .7 and 1 brought .680, .686, .685 and .666.
pub(super) const RESOLUTION: f64 = 0.5;

/// A gain below this is rounding, and could be had and lost for ever.
const NEGLIGIBLE: f64 = 1e-12;

/// Passes over all nodes at the most, on each level: the last ones move next to nobody.
const MOST_PASSES: usize = 50;

/// A graph with weights: each edge stands with both of its ends; an edge of a node to itself is what
/// lies within it.
pub(super) struct Graph {
    pub(super) edges: Vec<Vec<(usize, f64)>>,
}

/// Rows that are looked at: at this size the constants were chosen, and modularity finds more communities the more
/// rows there are. Of more rows as many are drawn, and each other one goes with the nearest.
const MOST_ROWS: usize = 2_500;

/// The communities of points at several resolutions γ, by the graph that answers spread along: for each
/// the labels of all points. How rows are numbered plays no part, nor how often the same row is there.
pub(crate) fn communities<T: Real>(points: &Points<'_, T>, resolutions: &[f64]) -> Vec<Vec<i64>> {
    let (distinct, of_row) = distinct(points);
    // In the order of their values neighbours would move one after the other, and follow the first.
    let mut drawn = bandwidth::shuffled(distinct.len(), 0);
    drawn.truncate(MOST_ROWS);
    let places = points.places(&drawn.iter().map(|&at| distinct[at]).collect::<Vec<usize>>());
    let walk = Walk::new(&places);
    let near = Neighbors::new(&places);
    let nearest = |&row: &usize| near.nearest(points.row(row), 1)[0].row;
    let goes_with: Vec<usize> = distinct.par_iter().map(nearest).collect();
    let labels = |&resolution: &f64| -> Vec<i64> {
        let communities = walk.communities(resolution);
        of_row.iter().map(|&at| communities[goes_with[at]] as i64).collect()
    };
    resolutions.par_iter().map(labels).collect()
}

/// Rows of which no two are equal, in the order of their values, and for each row which of them it is.
fn distinct<T: Real>(points: &Points<'_, T>) -> (Vec<usize>, Vec<usize>) {
    let compare = |&a: &usize, &b: &usize| {
        let columns = points.row(a).iter().zip(points.row(b));
        let mut orders = columns.map(|(a, b)| a.partial_cmp(b).unwrap_or(Ordering::Equal));
        orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    };
    let mut order: Vec<usize> = (0..points.n_points()).collect();
    order.par_sort_by(compare);
    let mut distinct: Vec<usize> = Vec::new();
    let mut of_row = vec![0; order.len()];
    for row in order {
        if distinct.last().is_none_or(|last| compare(last, &row).is_ne()) {
            distinct.push(row);
        }
        of_row[row] = distinct.len() - 1;
    }
    (distinct, of_row)
}

impl Graph {
    /// For each node the number of its community.
    pub(super) fn communities(self, resolution: f64) -> Vec<usize> {
        let mut community_of: Vec<usize> = (0..self.edges.len()).collect();
        let mut graph = self;
        loop {
            let (of, n_communities) = graph.moved(resolution);
            community_of.iter_mut().for_each(|community| *community = of[*community]);
            if n_communities == graph.edges.len() {
                return community_of;
            }
            graph = graph.gathered(&of, n_communities);
        }
    }

    /// Nodes go where Q gains most, one after the other, until none gains. The community of each, numbered
    /// by first member, and how many there are.
    fn moved(&self, resolution: f64) -> (Vec<usize>, usize) {
        let n = self.edges.len();
        let degree: Vec<f64> =
            self.edges.iter().map(|edges| edges.iter().map(|edge| edge.1).sum()).collect();
        let all: f64 = degree.iter().sum();
        let mut of: Vec<usize> = (0..n).collect();
        let mut total = degree.clone();
        for _ in 0..MOST_PASSES {
            let mut any = false;
            for node in 0..n {
                let own = of[node];
                let mut ties: BTreeMap<usize, f64> = BTreeMap::from([(own, 0.0)]);
                for &(other, weight) in self.edges[node].iter().filter(|edge| edge.0 != node) {
                    *ties.entry(of[other]).or_default() += weight;
                }
                total[own] -= degree[node];
                // Half of the change of Q, times 2m, for going there from being alone.
                let gain = |community: usize, tie: f64| {
                    tie - resolution * degree[node] * total[community] / all
                };
                let stays = gain(own, ties[&own]);
                let best = ties.iter().map(|(&community, &tie)| (community, gain(community, tie)));
                let best = best.fold((own, stays), |best, other| {
                    if other.1 > best.1 + NEGLIGIBLE * all { other } else { best }
                });
                total[best.0] += degree[node];
                of[node] = best.0;
                any |= best.0 != own;
            }
            if !any {
                break;
            }
        }
        let mut number = BTreeMap::new();
        for community in &of {
            let next = number.len();
            number.entry(*community).or_insert(next);
        }
        (of.iter().map(|community| number[community]).collect(), number.len())
    }

    /// The graph whose nodes are the communities of this one.
    fn gathered(&self, of: &[usize], n_communities: usize) -> Graph {
        let mut sums: Vec<BTreeMap<usize, f64>> = vec![BTreeMap::new(); n_communities];
        for (node, edges) in self.edges.iter().enumerate() {
            for &(other, weight) in edges {
                *sums[of[node]].entry(of[other]).or_default() += weight;
            }
        }
        Graph { edges: sums.into_iter().map(|edges| edges.into_iter().collect()).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(n: usize, pairs: &[(usize, usize, f64)]) -> Graph {
        let mut edges = vec![Vec::new(); n];
        for &(a, b, weight) in pairs {
            edges[a].push((b, weight));
            edges[b].push((a, weight));
        }
        Graph { edges }
    }

    /// Q by its formula.
    fn modularity(graph: &Graph, of: &[usize]) -> f64 {
        let all: f64 = graph.edges.iter().flatten().map(|edge| edge.1).sum();
        let degree = |node: usize| graph.edges[node].iter().map(|edge| edge.1).sum::<f64>();
        let n = of.len();
        let mut q = 0.0;
        for a in 0..n {
            let within = graph.edges[a].iter().filter(|edge| of[edge.0] == of[a]);
            q += within.map(|edge| edge.1).sum::<f64>() / all;
            let same = (0..n).filter(|&b| of[b] == of[a]);
            q -= same.map(|b| degree(a) * degree(b) / (all * all)).sum::<f64>();
        }
        q
    }

    #[test]
    fn two_triangles_with_a_bridge_are_two_communities() {
        let pairs = [
            (0, 1, 1.0),
            (1, 2, 1.0),
            (0, 2, 1.0),
            (3, 4, 1.0),
            (4, 5, 1.0),
            (3, 5, 1.0),
            (2, 3, 0.1),
        ];
        assert_eq!(graph(6, &pairs).communities(1.0), [0, 0, 0, 1, 1, 1]);
    }

    #[test]
    fn neither_the_order_of_rows_nor_how_often_they_are_there_plays_a_part() {
        let values = [0.0, 0.3, 0.1, 9.0, 9.2, 9.1];
        let points = Points::new(values.to_vec(), 1).unwrap();
        assert_eq!(distinct(&points), (vec![0, 2, 1, 3, 5, 4], vec![0, 2, 1, 3, 5, 4]));
        let twice =
            Points::new(values.iter().rev().chain(&values).copied().collect::<Vec<f64>>(), 1);
        let (once, twice) = (communities(&points, &[0.5]), communities(&twice.unwrap(), &[0.5]));
        let reversed: Vec<i64> = once[0].iter().rev().copied().collect();
        assert_eq!(twice[0], [reversed, once[0].clone()].concat());
    }

    #[test]
    fn nodes_without_edges_stay_alone() {
        assert_eq!(graph(3, &[(0, 2, 1.0)]).communities(1.0), [0, 1, 0]);
        assert_eq!(graph(2, &[]).communities(1.0), [0, 1]);
    }

    #[test]
    fn no_single_move_gains_any_more() {
        // Of the last level nobody gains by moving alone: Q by its formula, a ring of eight cliques.
        let mut pairs = Vec::new();
        for clique in 0..8 {
            for a in 0..4 {
                (0..a).for_each(|b| pairs.push((clique * 4 + a, clique * 4 + b, 1.0)));
            }
            pairs.push((clique * 4, (clique * 4 + 5) % 32, 0.5));
        }
        let of = graph(32, &pairs).communities(1.0);
        let whole = graph(32, &pairs);
        let q = modularity(&whole, &of);
        for node in 0..32 {
            for other in 0..32 {
                let mut moved = of.clone();
                moved[node] = of[other];
                assert!(modularity(&whole, &moved) <= q + 1e-12);
            }
        }
        assert_eq!(of.iter().max(), Some(&7));
    }
}
