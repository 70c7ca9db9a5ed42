//! MPCKMeans: PCKMeans that learns how columns count.

use super::centers::move_to_means;
use super::descent::longest_way;
use super::fit::{Watch, best_of, info};
use super::metric::Metric;
use super::model::{BestRun, KMeansDetails, conclude};
use super::pairs::{self, Pair};
use super::params::{self, MetricKind, MpckParams};
use super::penalties::companies;
use super::seeding::Starts;
use super::tables::{Broken, LinkedRow, Tables};
use crate::error::Result;
use crate::memory::{self, Size};
use crate::method::{Algorithm, GivenLinks, Info, LinkUse, Method, Outcome};
use crate::observe::Observer;
use crate::params::Param;
use crate::points::Points;
use crate::real::Real;
use crate::scale::means;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// MPCKMeans with checked parameters.
pub type Mpck = Method<MpckParams>;

impl Algorithm for MpckParams {
    const INFO: Info = info(
        "mpck",
        "MPCKMeans",
        "MPCKMeans: learns how columns count; broken links cost by their length",
        LinkUse::Weighed,
    );
    const TABLE: &'static [Param<Self>] = params::MPCK;

    type Details<T: Real> = KMeansDetails<T>;

    fn needs(&self, size: &Size) -> u64 {
        // What each point costs in each cluster, and all points under a metric.
        let costs = size.rows(8).saturating_mul(self.common.n_clusters as u64);
        let rows = costs.saturating_add(size.numbers(8)).saturating_add(size.rows(40));
        self.common.holds(size).saturating_add(rows).saturating_add(self.metrics(size.n_features))
    }

    fn run<T: Real>(
        &self,
        points: &Points<'_, T>,
        links: &GivenLinks<'_>,
        observer: &mut Observer<'_>,
    ) -> Result<Outcome<T, KMeansDetails<T>>> {
        let params = &self.common;
        params.check_points(points.n_points())?;
        self.check_memory(points.n_features())?;
        let closure = &links.closure;
        let mut rng = ChaCha8Rng::seed_from_u64(params.seed);
        let (pairs, pairs_left_out) =
            pairs::expand(links.all, closure, self.penalty, self.link_cap, &mut rng);
        let task = Task::new(points, &pairs, companies(closure), self);
        let starts = Starts::new(points, closure);
        let best = best_of(
            params,
            observer,
            |run: &BestRun<T>| last(&run.objectives),
            |rng, watch| task.descend(starts.draw(points, params.n_clusters, rng), rng, watch),
        )?;
        conclude(points, BestRun { pairs_left_out, ..best }, params.n_clusters)
    }
}

impl MpckParams {
    /// Whole matrices of very many columns are refused before they are begun.
    fn check_memory(&self, n_features: usize) -> Result<()> {
        /// What no machine for which this was made has.
        const MOST_MB: u64 = 32 << 10;
        let remedy = "set metric=diagonal, or take fewer columns";
        memory::allow(self.metrics(n_features as u64), Some(MOST_MB), remedy)
    }

    /// Bytes of whole matrices.
    fn metrics(&self, n_features: u64) -> u64 {
        /// Of each metric: the old one, the new one, its scatter, and its decomposition.
        const MATRICES: u64 = 4;
        if self.metric != MetricKind::Full {
            return 0;
        }
        let n_metrics = if self.shared { 1 } else { self.common.n_clusters as u64 };
        n_features.saturating_pow(2).saturating_mul(8 * MATRICES).saturating_mul(n_metrics)
    }
}

fn last(objectives: &[f64]) -> f64 {
    objectives.last().copied().unwrap_or(f64::INFINITY)
}

/// What stays the same in all runs.
struct Task<'a, T: Real> {
    points: &'a Points<'a, T>,
    pairs: &'a [Pair],
    /// For each row its links.
    neighbors: Vec<Vec<LinkedRow>>,
    /// The groups of at least two rows.
    companies: Vec<Vec<usize>>,
    mean: Vec<f64>,
    variances: Vec<f64>,
    params: &'a MpckParams,
}

impl<'a, T: Real> Task<'a, T> {
    fn new(
        points: &'a Points<'a, T>,
        pairs: &'a [Pair],
        companies: Vec<Vec<usize>>,
        params: &'a MpckParams,
    ) -> Self {
        let mean = means(points);
        let mut variances = vec![0.0; mean.len()];
        for row in points.rows() {
            for ((sum, x), mean) in variances.iter_mut().zip(row).zip(&mean) {
                *sum += (x.as_f64() - mean).powi(2) / points.n_points() as f64;
            }
        }
        let mut neighbors = vec![Vec::new(); points.n_points()];
        for (at, pair) in pairs.iter().enumerate() {
            neighbors[pair.a as usize].push(LinkedRow { row: pair.b, pair: at as u32 });
            neighbors[pair.b as usize].push(LinkedRow { row: pair.a, pair: at as u32 });
        }
        Self { points, pairs, neighbors, companies, mean, variances, params }
    }

    fn descend(
        &self,
        mut centers: Vec<T>,
        rng: &mut ChaCha8Rng,
        watch: &mut Watch<'_, '_>,
    ) -> Result<BestRun<T>> {
        let (points, common) = (self.points, &self.params.common);
        let mut metrics = self.first_metrics();
        let mut tables = Tables::new(points, self.pairs, &self.mean, &centers, &metrics, None);
        let mut order: Vec<usize> = (0..points.n_points()).collect();
        let mut of: Option<Vec<u32>> = None;
        let mut objectives: Vec<f64> = Vec::new();
        let mut converged = false;
        for _ in 0..common.max_iter {
            // Rows without links come first: where they go depends on nobody.
            order.shuffle(rng);
            order.sort_by_key(|&row| !self.neighbors[row].is_empty());
            let (labels, changed) =
                tables.assign(points, &self.neighbors, &self.companies, &order, of, &mut centers);
            let objective = tables.objective(&labels);
            let drop = last(&objectives) - objective;
            objectives.push(objective);
            converged = !changed || drop <= common.tolerance * objective.abs();
            if converged || objectives.len() == common.max_iter {
                of = Some(labels);
                watch.show(common.n_clusters, 0.0)?;
                break;
            }
            let old = centers.clone();
            move_to_means(points, &labels, &mut centers);
            let learned = self.learn(&labels, &centers, &tables.farthest)?;
            (metrics, tables) = self.take_if_better(&labels, &centers, metrics, learned, &tables);
            of = Some(labels);
            watch.show(common.n_clusters, longest_way(&old, &centers, points))?;
        }
        Ok(BestRun {
            of: of.unwrap_or_default(),
            centers,
            per_cluster: 1,
            objectives,
            converged,
            metrics,
            pairs_left_out: 0,
        })
    }

    /// Plain distances, in units of the spread of the points.
    fn first_metrics(&self) -> Vec<Metric> {
        let variance = self.variances.iter().sum::<f64>() / self.variances.len() as f64;
        let unit_sq = if variance > 0.0 { variance } else { 1.0 };
        let n_metrics = if self.params.shared { 1 } else { self.params.common.n_clusters };
        vec![Metric::euclidean(self.params.metric, self.variances.len(), unit_sq); n_metrics]
    }

    /// The new metrics with the pair that is farthest under them; with the old pair, if that pair
    /// raises the objective; or the old metrics, if even that does.
    fn take_if_better(
        &self,
        of: &[u32],
        centers: &[T],
        old: Vec<Metric>,
        learned: Vec<Metric>,
        tables: &Tables,
    ) -> (Vec<Metric>, Tables) {
        let with = |metrics: &[Metric], farthest| {
            Tables::new(self.points, self.pairs, &self.mean, centers, metrics, farthest)
        };
        let kept = with(&old, Some(&tables.farthest));
        let bar = kept.objective(of);
        for farthest in [None, Some(&tables.farthest[..])] {
            let new = with(&learned, farthest);
            if new.objective(of) <= bar {
                return (learned, new);
            }
        }
        (old, kept)
    }

    /// A = n·S⁻¹ for each metric, where S holds what its cluster scatters and what its broken links
    /// add (Eqs. 9 and 10 of Bilenko, Basu, Mooney).
    fn learn(&self, of: &[u32], centers: &[T], farthest: &[(usize, usize)]) -> Result<Vec<Metric>> {
        let d = self.points.n_features();
        let size = if self.params.metric == MetricKind::Full { d * d } else { d };
        let metric_of = |cluster: u32| if self.params.shared { 0 } else { cluster as usize };
        let mut scatters = vec![vec![0.0; size]; farthest.len()];
        let mut weights = vec![0.0; farthest.len()];
        for (row, &cluster) in of.iter().enumerate() {
            let weight = self.points.weight(row).as_f64();
            let center = &centers[cluster as usize * d..][..d];
            add_outer(&mut scatters[metric_of(cluster)], self.points.row(row), center, weight);
            weights[metric_of(cluster)] += weight;
        }
        for pair in self.pairs {
            let (a, b) = (pair.a as usize, pair.b as usize);
            let (x, y) = (self.points.row(a), self.points.row(b));
            match Broken::of(pair.kind, of[a], of[b]) {
                Broken::No => {}
                Broken::Must => {
                    for cluster in [of[a], of[b]] {
                        add_outer(&mut scatters[metric_of(cluster)], x, y, 0.5 * pair.weight);
                    }
                }
                Broken::Cannot => {
                    let metric = metric_of(of[a]);
                    let (one, other) = farthest[metric];
                    let ends = (self.points.row(one), self.points.row(other));
                    add_outer(&mut scatters[metric], ends.0, ends.1, pair.weight);
                    add_outer(&mut scatters[metric], x, y, -pair.weight);
                }
            }
        }
        let metric = |(scatter, weight): (&Vec<f64>, &f64)| {
            // A cluster without weight learns nothing: as if it had one point.
            Metric::least_costly(scatter, weight.max(f64::MIN_POSITIVE), &self.variances)
        };
        scatters.iter().zip(&weights).map(metric).collect()
    }
}

/// Adds weight·(x − y)(x − y)ᵀ, or its diagonal.
fn add_outer<T: Real>(scatter: &mut [f64], x: &[T], y: &[T], weight: f64) {
    let d = x.len();
    let difference = |col: usize| x[col].as_f64() - y[col].as_f64();
    if scatter.len() == d {
        scatter
            .iter_mut()
            .enumerate()
            .for_each(|(col, sum)| *sum += weight * difference(col).powi(2));
        return;
    }
    for row in 0..d {
        for col in 0..d {
            scatter[row * d + col] += weight * difference(row) * difference(col);
        }
    }
}
