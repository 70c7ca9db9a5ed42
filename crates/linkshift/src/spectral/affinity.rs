//! Eqs. 8 and 9: how much the points of two modes have to do with each other.

use crate::bandwidth::Found;
use crate::kernel::Profile;
use crate::neighbors::blocks::{self, Wide};
use crate::neighbors::tree::{Part, Tree};
use crate::points::Points;
use crate::real::Real;
use crate::stop::Stoppable;
use faer::Mat;
use rayon::prelude::*;
use std::ops::Range;

/// Points that one task sums for, so that one large mode keeps all cores busy.
const ROWS_PER_TASK: usize = 64;

/// Longest stretch of points handled at once.
const STRETCH: usize = 512;

/// The Gaussian exp(−|x−y|²/(2·σ_x·σ_y)), 0 where that is negligible.
#[derive(Debug, Clone)]
pub(crate) struct Kernel<T> {
    profile: Profile,
    sigma: Found<T>,
}

impl<T: Real> Kernel<T> {
    pub(crate) fn new(sigma: Found<T>, negligible: f64) -> Self {
        // exp(−x) of x = |x−y|²/(2σ²), and not exp(−x/2): that profile has a form that ends.
        let profile =
            if negligible > 0.0 { Profile::Truncated { cut: negligible } } else { Profile::Rbf };
        Self { profile, sigma }
    }
}

/// A symmetric matrix with ones on its diagonal, its rows as lists of what is not 0.
#[derive(Debug, Clone)]
pub(crate) struct Affinity {
    /// By node, the later nodes and the affinity to each, ascending.
    later: Vec<Vec<(u32, f64)>>,
}

impl Affinity {
    pub(crate) fn n_nodes(&self) -> usize {
        self.later.len()
    }

    /// Every pair of nodes with an affinity above 0, each once.
    pub(crate) fn edges(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        let pairs = |a: usize| self.later[a].iter().map(move |&(b, value)| (a, b as usize, value));
        (0..self.n_nodes()).flat_map(pairs)
    }

    /// The whole matrix.
    pub(crate) fn dense(&self) -> Mat<f64> {
        let mut matrix = Mat::identity(self.n_nodes(), self.n_nodes());
        for (a, b, affinity) in self.edges() {
            matrix[(a, b)] = affinity;
            matrix[(b, a)] = affinity;
        }
        matrix
    }
}

/// The affinities between nodes, each of which stands for some of the points.
pub(crate) fn between<T: Real>(
    points: &Points<'_, T>,
    node_of: &[u32],
    n_nodes: usize,
    kernel: &Kernel<T>,
) -> Affinity {
    let pairs = Pairs::new(points, node_of, kernel);
    let mut positions_of = vec![Vec::new(); n_nodes];
    for (position, &node) in pairs.node_at.iter().enumerate() {
        positions_of[node as usize].push(position);
    }
    let tasks: Vec<(usize, &[usize])> = positions_of
        .iter()
        .enumerate()
        .flat_map(|(node, all)| all.chunks(ROWS_PER_TASK).map(move |some| (node, some)))
        .collect();
    let parts: Vec<(usize, Vec<(u32, f64)>)> = tasks
        .par_iter()
        .stoppable()
        .map_init(
            || (vec![T::zero(); STRETCH], vec![0.0; n_nodes]),
            |(scratch, sums), &(node, positions)| {
                for &position in positions {
                    pairs.add(position, scratch, sums);
                }
                let found = sums.iter().enumerate().filter(|&(_, &sum)| sum > 0.0);
                let found = found.map(|(other, &sum)| (other as u32, sum)).collect();
                sums.fill(0.0);
                (node, found)
            },
        )
        .collect();
    normalised(&parts, n_nodes)
}

/// Adds up what the tasks found (Eq. 9) and divides by what each node has with itself (Eq. 8).
fn normalised(parts: &[(usize, Vec<(u32, f64)>)], n_nodes: usize) -> Affinity {
    // Each pair of points was met from one side, so the sums of two nodes are in two places.
    let mut by_node: Vec<Vec<(u32, f64)>> = vec![Vec::new(); n_nodes];
    for (node, sums) in parts {
        for &(other, sum) in sums {
            let (a, b) = (*node.min(&(other as usize)), *node.max(&(other as usize)));
            by_node[a].push((b as u32, sum));
        }
    }
    by_node.par_iter_mut().stoppable().for_each(|list| {
        list.sort_by_key(|&(other, _)| other); // stable: the order of additions stays
        list.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
    });
    let is_own = |node: usize, list: &[(u32, f64)]| {
        list.first().filter(|&&(first, _)| first as usize == node).map_or(0.0, |&(_, sum)| sum)
    };
    let own: Vec<f64> = by_node.iter().enumerate().map(|(node, list)| is_own(node, list)).collect();
    for (a, list) in by_node.iter_mut().enumerate() {
        list.retain(|&(b, _)| b as usize != a);
        // Points without weight have nothing with themselves, nor with anyone else.
        list.iter_mut().for_each(|(b, sum)| *sum /= (own[a] * own[*b as usize]).sqrt());
    }
    Affinity { later: by_node }
}

/// All pairs of points, each to be met once.
struct Pairs<'a, T: Real> {
    kernel: &'a Kernel<T>,
    tree: Tree<T>,
    /// The points by position in the tree, row by row.
    values: Vec<T>,
    /// Position → node.
    node_at: Vec<u32>,
    /// σ and 1/σ by position, if each point has its own; the largest σ.
    sigmas: Option<(Vec<T>, Vec<T>)>,
    largest_sigma: T,
    wide: Wide,
}

impl<'a, T: Real> Pairs<'a, T> {
    fn new(points: &Points<'_, T>, node_of: &[u32], kernel: &'a Kernel<T>) -> Self {
        let tree = Tree::new(points);
        let rows: Vec<usize> = (0..tree.n_points()).map(|position| tree.row_at(position)).collect();
        let (sigmas, largest_sigma) = match &kernel.sigma {
            Found::Same(sigma) => (None, *sigma),
            Found::PerPoint(all) => {
                let sigmas: Vec<T> = rows.iter().map(|&row| all[row]).collect();
                let inverse = sigmas.iter().map(|sigma| sigma.recip()).collect();
                (Some((sigmas, inverse)), all.iter().copied().fold(T::zero(), T::max))
            }
        };
        Self {
            kernel,
            values: rows.iter().flat_map(|&row| points.row(row)).copied().collect(),
            node_at: rows.iter().map(|&row| node_of[row]).collect(),
            tree,
            sigmas,
            largest_sigma,
            wide: Wide::new(),
        }
    }

    /// Adds what one point has with itself and twice what it has with those after it that are of
    /// its own node; once what it has with those of others.
    fn add(&self, position: usize, scratch: &mut [T], sums: &mut [f64]) {
        let d = self.tree.n_features();
        let x = &self.values[position * d..][..d];
        let sigma = self.sigmas.as_ref().map_or(self.largest_sigma, |(all, _)| all[position]);
        let weight = self.tree.weights().map_or(T::one(), |weights| weights[position]);
        let weight = weight.as_f64();
        let own = self.node_at[position] as usize;
        sums[own] += weight * weight;
        let mut sweep = |range: Range<usize>| {
            let mut start = range.start.max(position + 1);
            while start < range.end {
                let stretch = start..range.end.min(start + STRETCH);
                start = stretch.end;
                let values = &mut scratch[..stretch.len()];
                self.fill(x, sigma, stretch.clone(), values);
                for (value, &other) in values.iter().zip(&self.node_at[stretch]) {
                    let times = if other as usize == own { 2.0 } else { 1.0 };
                    sums[other as usize] += times * weight * value.as_f64();
                }
            }
        };
        match self.kernel.profile.support() {
            None => sweep(0..self.tree.n_points()),
            Some(end) => {
                // Wider by a few roundings: the profile's own value has the last word.
                let slack = T::one() + T::epsilon() * T::of(16.0);
                let reach_sq = T::of(2.0 * end) * sigma * self.largest_sigma * slack;
                self.tree.walk(x, reach_sq, |part| match part {
                    Part::Inside(node) => sweep(self.tree.range(node)),
                    Part::Block(range) => sweep(range),
                });
            }
        }
    }

    /// w_l·G(x − x_l) of the points at some positions.
    fn fill(&self, x: &[T], sigma: T, at: Range<usize>, values: &mut [T]) {
        let two = T::of(2.0);
        self.wide.run(
            #[inline(always)]
            || {
                blocks::fill_distances_sq(self.tree.columns(), at.clone(), x, values);
                let scale_sq = match &self.sigmas {
                    None => two * sigma * sigma,
                    Some((_, inverse)) => {
                        blocks::multiply(values, &inverse[at.clone()]);
                        two * sigma
                    }
                };
                blocks::fill_profile(self.kernel.profile, scale_sq, values);
                if let Some(weights) = self.tree.weights() {
                    blocks::multiply(values, &weights[at]);
                }
            },
        );
    }
}
