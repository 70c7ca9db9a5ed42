//! Eqs. 8 and 9: how much the points of two modes have to do with each other.

use crate::bandwidth::Found;
use crate::kernel::Profile;
use crate::neighbors::blocks::{self, Wide};
use crate::neighbors::tree::{Part, Tree};
use crate::points::Points;
use crate::real::Real;
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

    /// σ of one row.
    fn sigma(&self, row: usize) -> T {
        match &self.sigma {
            Found::Same(sigma) => *sigma,
            Found::PerPoint(all) => all[row],
        }
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
        let of = |(a, list): (usize, &'_ Vec<(u32, f64)>)| {
            list.iter().map(move |&(b, affinity)| (a, b as usize, affinity)).collect::<Vec<_>>()
        };
        self.later.iter().enumerate().flat_map(of)
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
    let mut rows_of = vec![Vec::new(); n_nodes];
    node_of.iter().enumerate().for_each(|(row, &node)| rows_of[node as usize].push(row));
    let nodes: Vec<Node<T>> =
        rows_of.par_iter().map(|rows| Node::new(points, rows, kernel)).collect();
    let tasks: Vec<(usize, &[usize])> = rows_of
        .iter()
        .enumerate()
        .flat_map(|(node, rows)| rows.chunks(ROWS_PER_TASK).map(move |rows| (node, rows)))
        .collect();
    let parts: Vec<(usize, Vec<(u32, f64)>)> = tasks
        .par_iter()
        .map_init(
            || vec![T::zero(); STRETCH],
            |scratch, &(a, rows)| {
                let sum = |b: usize| -> f64 {
                    let of_row = |&row: &usize| {
                        let weight = points.weight(row).as_f64();
                        weight
                            * nodes[b].sum_at(points.row(row), kernel.sigma(row), kernel, scratch)
                    };
                    rows.iter().map(of_row).sum()
                };
                let sums = (a..n_nodes).map(sum).enumerate();
                (a, sums.filter(|&(_, sum)| sum > 0.0).map(|(b, s)| ((a + b) as u32, s)).collect())
            },
        )
        .collect();
    normalised(parts, n_nodes)
}

/// Adds up what the tasks found (Eq. 9) and divides by what each node has with itself (Eq. 8).
fn normalised(parts: Vec<(usize, Vec<(u32, f64)>)>, n_nodes: usize) -> Affinity {
    let mut own = vec![0.0; n_nodes];
    let mut later: Vec<Vec<(u32, f64)>> = vec![Vec::new(); n_nodes];
    let mut row = vec![0.0; n_nodes];
    // Tasks of one node follow each other.
    for of_node in parts.chunk_by(|one, next| one.0 == next.0) {
        let node = of_node[0].0;
        of_node.iter().flat_map(|(_, sums)| sums).for_each(|&(b, sum)| row[b as usize] += sum);
        own[node] = row[node];
        let listed = (node + 1..n_nodes).filter(|&b| row[b] > 0.0);
        later[node] = listed.map(|b| (b as u32, row[b])).collect();
        row[node..].fill(0.0);
    }
    for (a, list) in later.iter_mut().enumerate() {
        // Points without weight have nothing with themselves, nor with anyone else.
        list.iter_mut().for_each(|(b, sum)| *sum /= (own[a] * own[*b as usize]).sqrt());
    }
    Affinity { later }
}

/// The points of a node, ready to be summed over.
struct Node<T: Real> {
    tree: Tree<T>,
    /// 1/σ by position, if each point has its own, and the largest σ.
    inverse_sigmas: Option<Vec<T>>,
    largest_sigma: T,
    wide: Wide,
}

impl<T: Real> Node<T> {
    fn new(points: &Points<'_, T>, rows: &[usize], kernel: &Kernel<T>) -> Self {
        let tree = Tree::new(&points.select(rows));
        let sigma_at = |position: usize| kernel.sigma(rows[tree.row_at(position)]);
        let sigmas: Vec<T> = (0..rows.len()).map(sigma_at).collect();
        let largest_sigma = sigmas.iter().copied().fold(T::zero(), T::max);
        let inverse_sigmas = match kernel.sigma {
            Found::Same(_) => None,
            Found::PerPoint(_) => Some(sigmas.iter().map(|sigma| sigma.recip()).collect()),
        };
        Self { tree, inverse_sigmas, largest_sigma, wide: Wide::new() }
    }

    /// Σ w_l·G(x − x_l) over the points of the node.
    fn sum_at(&self, x: &[T], sigma: T, kernel: &Kernel<T>, scratch: &mut [T]) -> f64 {
        let mut sum = 0.0;
        match kernel.profile.support() {
            None => self.sweep(0..self.tree.n_points(), x, sigma, kernel, scratch, &mut sum),
            Some(end) => {
                let two = T::of(2.0);
                // Wider by a few roundings: the profile's own value has the last word.
                let slack = T::one() + T::epsilon() * T::of(16.0);
                let reach_sq = T::of(end) * two * sigma * self.largest_sigma * slack;
                self.tree.walk(x, reach_sq, |part| {
                    let range = match part {
                        Part::Inside(node) => self.tree.range(node),
                        Part::Block(range) => range,
                    };
                    self.sweep(range, x, sigma, kernel, scratch, &mut sum);
                });
            }
        }
        sum
    }

    fn sweep(
        &self,
        range: Range<usize>,
        x: &[T],
        sigma: T,
        kernel: &Kernel<T>,
        scratch: &mut [T],
        sum: &mut f64,
    ) {
        let two = T::of(2.0);
        let mut start = range.start;
        while start < range.end {
            let stretch = start..range.end.min(start + STRETCH);
            start = stretch.end;
            let values = &mut scratch[..stretch.len()];
            *sum += self.wide.run(
                #[inline(always)]
                || {
                    blocks::fill_distances_sq(self.tree.columns(), stretch.clone(), x, values);
                    let scale_sq = match &self.inverse_sigmas {
                        None => two * sigma * sigma,
                        Some(inverse) => {
                            blocks::multiply(values, &inverse[stretch.clone()]);
                            two * sigma
                        }
                    };
                    blocks::fill_profile(kernel.profile, scale_sq, values);
                    if let Some(weights) = self.tree.weights() {
                        blocks::multiply(values, &weights[stretch]);
                    }
                    blocks::total(values).as_f64()
                },
            );
        }
    }
}
