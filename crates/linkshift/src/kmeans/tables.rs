//! The numbers that MPCKMeans weighs against each other while centers and metrics stand still.

use super::metric::Metric;
use super::pairs::Pair;
use crate::distance::distance_sq;
use crate::links::LinkKind;
use crate::points::Points;
use crate::real::Real;
use crate::stop::Stoppable;
use rayon::prelude::*;

/// Before the first assignment.
const NOWHERE: u32 = u32::MAX;

/// The other end of a link.
#[derive(Debug, Clone, Copy)]
pub(super) struct LinkedRow {
    pub(super) row: u32,
    pub(super) pair: u32,
}

/// Whether and how the clusters of its ends break a link.
pub(super) enum Broken {
    No,
    Must,
    Cannot,
}

impl Broken {
    pub(super) fn of(kind: LinkKind, a: u32, b: u32) -> Self {
        match kind {
            LinkKind::Must if a != b => Broken::Must,
            LinkKind::Cannot if a == b => Broken::Cannot,
            _ => Broken::No,
        }
    }
}

/// Costs of rows in clusters, and of pairs under metrics.
pub(super) struct Tables {
    n_clusters: usize,
    /// Row by row: weight · (|x − μ|²_A − log det A) for each cluster.
    rows: Vec<f64>,
    pairs: Vec<Pair>,
    /// For each metric the squared length of each pair.
    pair_sq: Vec<Vec<f64>>,
    /// For each metric two rows that are farthest from each other, and their squared distance.
    pub(super) farthest: Vec<(usize, usize)>,
    farthest_sq: Vec<f64>,
    log_dets: Vec<f64>,
}

impl Tables {
    /// `metrics` is one for all clusters or one for each; `farthest` is sought if it is not given.
    pub(super) fn new<T: Real>(
        points: &Points<'_, T>,
        pairs: &[Pair],
        mean: &[f64],
        centers: &[T],
        metrics: &[Metric],
        farthest: Option<&[(usize, usize)]>,
    ) -> Self {
        let d = mean.len();
        let n_clusters = centers.len() / d;
        let mut tables = Self {
            n_clusters,
            rows: vec![0.0; points.n_points() * n_clusters],
            pairs: pairs.to_vec(),
            pair_sq: Vec::new(),
            farthest: Vec::new(),
            farthest_sq: Vec::new(),
            log_dets: metrics.iter().map(Metric::log_det).collect(),
        };
        for (at, metric) in metrics.iter().enumerate() {
            let image = image_of(points.values(), mean, metric);
            let clusters = if metrics.len() == 1 { 0..n_clusters } else { at..at + 1 };
            let own = image_of(&centers[clusters.start * d..clusters.end * d], mean, metric);
            let log_det = metric.log_det();
            tables.rows.par_chunks_mut(n_clusters).enumerate().stoppable().for_each(
                |(row, costs)| {
                    let (x, weight) = (&image[row * d..][..d], points.weight(row).as_f64());
                    for (cost, center) in
                        costs[clusters.clone()].iter_mut().zip(own.chunks_exact(d))
                    {
                        *cost = weight * (distance_sq(x, center) - log_det);
                    }
                },
            );
            let between =
                |a: usize, b: usize| distance_sq(&image[a * d..][..d], &image[b * d..][..d]);
            let lengths =
                pairs.par_iter().stoppable().map(|pair| between(pair.a as usize, pair.b as usize));
            tables.pair_sq.push(lengths.collect());
            let (a, b) = farthest.map_or_else(|| farthest_pair(&image, d), |pairs| pairs[at]);
            tables.farthest.push((a, b));
            tables.farthest_sq.push(between(a, b));
        }
        tables
    }

    fn metric_of(&self, cluster: usize) -> usize {
        if self.pair_sq.len() == 1 { 0 } else { cluster }
    }

    /// f_M: half the squared length under the metrics of both clusters.
    fn must_cost(&self, pair: usize, one: usize, other: usize) -> f64 {
        let length = |cluster: usize| self.pair_sq[self.metric_of(cluster)][pair];
        0.5 * self.pairs[pair].weight * (length(one) + length(other))
    }

    /// f_C: by how much the squared length falls short of the farthest pair.
    fn cannot_cost(&self, pair: usize, cluster: usize) -> f64 {
        let metric = self.metric_of(cluster);
        let short = self.farthest_sq[metric] - self.pair_sq[metric][pair];
        self.pairs[pair].weight * short.max(0.0)
    }

    /// The objective: rows, and broken links.
    pub(super) fn objective(&self, of: &[u32]) -> f64 {
        let rows = of.iter().zip(self.rows.chunks_exact(self.n_clusters));
        let rows: f64 = rows.map(|(&cluster, costs)| costs[cluster as usize]).sum();
        let of_pair = |(at, pair): (usize, &Pair)| {
            let (a, b) = (of[pair.a as usize], of[pair.b as usize]);
            match Broken::of(pair.kind, a, b) {
                Broken::No => 0.0,
                Broken::Must => self.must_cost(at, a as usize, b as usize),
                Broken::Cannot => self.cannot_cost(at, a as usize),
            }
        };
        rows + self.pairs.iter().enumerate().map(of_pair).sum::<f64>()
    }

    /// Assigns rows one after the other where they cost least given the others, then fills empty
    /// clusters; returns the assignment and whether it differs from the one before.
    pub(super) fn assign<T: Real>(
        &mut self,
        points: &Points<'_, T>,
        neighbors: &[Vec<LinkedRow>],
        companies: &[Vec<usize>],
        order: &[usize],
        before: Option<Vec<u32>>,
        centers: &mut [T],
    ) -> (Vec<u32>, bool) {
        let mut of = before.unwrap_or_else(|| vec![NOWHERE; order.len()]);
        let mut changed = false;
        let mut costs = vec![0.0; self.n_clusters];
        for &row in order {
            self.costs_of(row, &neighbors[row], &of, &mut costs);
            let mut best = if of[row] == NOWHERE { 0 } else { of[row] as usize };
            for cluster in 0..self.n_clusters {
                if costs[cluster] < costs[best] {
                    best = cluster;
                }
            }
            changed |= of[row] != best as u32;
            of[row] = best as u32;
        }
        for company in companies {
            changed |= self.move_together(company, neighbors, &mut of, &mut costs);
        }
        changed |= self.fill_empty_clusters(points, neighbors, &mut of, centers);
        (of, changed)
    }

    /// Moves all rows of a group to the one cluster where they cost least together, if that is less
    /// than where they are: one by one they could not leave, each being held by the others.
    fn move_together(
        &self,
        company: &[usize],
        neighbors: &[Vec<LinkedRow>],
        of: &mut [u32],
        costs: &mut [f64],
    ) -> bool {
        let before: Vec<u32> = company.iter().map(|&row| of[row]).collect();
        company.iter().for_each(|&row| of[row] = NOWHERE);
        let mut together = vec![0.0; self.n_clusters];
        for &row in company {
            self.costs_of(row, &neighbors[row], of, costs);
            together.iter_mut().zip(&*costs).for_each(|(total, cost)| *total += cost);
        }
        let mut now = 0.0;
        for (&row, &cluster) in company.iter().zip(&before) {
            self.costs_of(row, &neighbors[row], of, costs);
            now += costs[cluster as usize];
            of[row] = cluster;
        }
        let best = (0..self.n_clusters).min_by(|&a, &b| together[a].total_cmp(&together[b]));
        // Gains within rounding are none: they could go round in circles.
        let Some(best) = best.filter(|&best| together[best] < now - 1e-12 * now.abs()) else {
            return false;
        };
        company.iter().for_each(|&row| of[row] = best as u32);
        true
    }

    /// What a row costs in each cluster, with its links to rows that are assigned.
    fn costs_of(&self, row: usize, neighbors: &[LinkedRow], of: &[u32], costs: &mut [f64]) {
        costs.copy_from_slice(&self.rows[row * self.n_clusters..][..self.n_clusters]);
        for neighbor in neighbors {
            let (there, pair) = (of[neighbor.row as usize], neighbor.pair as usize);
            if there == NOWHERE {
                continue;
            }
            match self.pairs[pair].kind {
                LinkKind::Cannot => {
                    costs[there as usize] += self.cannot_cost(pair, there as usize);
                }
                LinkKind::Must => {
                    for (cluster, cost) in costs.iter_mut().enumerate() {
                        if cluster != there as usize {
                            *cost += self.must_cost(pair, cluster, there as usize);
                        }
                    }
                }
            }
        }
    }

    /// Gives each cluster without a row the one that gains most by becoming its center.
    fn fill_empty_clusters<T: Real>(
        &mut self,
        points: &Points<'_, T>,
        neighbors: &[Vec<LinkedRow>],
        of: &mut [u32],
        centers: &mut [T],
    ) -> bool {
        let (k, d) = (self.n_clusters, points.n_features());
        let mut sizes = vec![0_usize; k];
        of.iter().for_each(|&cluster| sizes[cluster as usize] += 1);
        let mut changed = false;
        let mut costs = vec![0.0; k];
        for empty in (0..k).filter(|&cluster| sizes[cluster] == 0).collect::<Vec<_>>() {
            let mut best = (0.0, NOWHERE as usize, 0.0);
            for row in 0..of.len() {
                let here = of[row] as usize;
                if sizes[here] < 2 {
                    continue;
                }
                self.costs_of(row, &neighbors[row], of, &mut costs);
                // As its own center the row is at distance 0: what is left is the determinant.
                let log_det = self.log_dets[self.metric_of(empty)];
                let at_center = -points.weight(row).as_f64() * log_det;
                let there = costs[empty] - self.rows[row * k + empty] + at_center;
                if costs[here] - there > best.0 {
                    best = (costs[here] - there, row, at_center);
                }
            }
            let (_, row, at_center) = best;
            if row == NOWHERE as usize {
                continue;
            }
            sizes[of[row] as usize] -= 1;
            sizes[empty] += 1;
            of[row] = empty as u32;
            centers[empty * d..][..d].copy_from_slice(points.row(row));
            self.rows[row * k + empty] = at_center;
            changed = true;
        }
        changed
    }
}

/// R·(x − mean) for each row x.
fn image_of<T: Real>(values: &[T], mean: &[f64], metric: &Metric) -> Vec<f64> {
    let d = mean.len();
    let mut image = vec![0.0; values.len()];
    image.par_chunks_mut(d).zip(values.par_chunks(d)).stoppable().for_each_init(
        || vec![0.0; d],
        |centred, (out, row)| {
            for ((centred, x), mean) in centred.iter_mut().zip(row).zip(mean) {
                *centred = x.as_f64() - mean;
            }
            metric.apply(centred, out);
        },
    );
    image
}

/// Two rows far from each other: from the one farthest from the mean to the one farthest from it,
/// and on, as long as the way grows. Mostly the farthest two; all pairs would cost n².
fn farthest_pair(image: &[f64], d: usize) -> (usize, usize) {
    let farthest_from = |place: &[f64]| {
        let distances = image.chunks_exact(d).map(|row| distance_sq(row, place)).enumerate();
        distances.fold((0, -1.0), |best, next| if next.1 > best.1 { next } else { best })
    };
    let mut from = farthest_from(&vec![0.0; d]).0;
    let mut far = (from, 0.0);
    loop {
        let next = farthest_from(&image[from * d..][..d]);
        if next.1 <= far.1 {
            return (far.0, from);
        }
        (far, from) = ((from, next.1), next.0);
    }
}
