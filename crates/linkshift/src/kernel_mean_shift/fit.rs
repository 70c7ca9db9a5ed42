//! The method from points and links to model.

use super::choose::{Choice, Chosen};
use super::climb::{Limits, climb};
use super::factor::{Enough, Factor, not_yet_begun};
use super::field::{Field, kth_distances};
use super::gram::Gram;
use super::learned::Learned;
use super::leftovers;
use super::metric;
use super::model::{Embedding, KernelMeanShiftDetails, Landscape, Run, conclude};
use super::pairs;
use super::params::{self, Dimension, KernelMeanShiftParams};
use super::votes;
use crate::bandwidth;
use crate::error::Result;
use crate::links::{LinkKind, Links};
use crate::mean_shift::modes::gather;
use crate::memory::{self, Size};
use crate::method::{Algorithm, Clusters, Counts, GivenLinks, Info, LinkUse, Method, Outcome};
use crate::neighbors::Neighbors;
use crate::observe::{self, Observer};
use crate::params::Param;
use crate::points::Points;
use crate::real::Real;
use crate::shared::disjoint_sets::DisjointSets;
use crate::shared::representatives;

/// Points between which distances are looked at to find what soft links ask for.
const SAMPLE: usize = 500;

/// Kernel mean shift with checked parameters. With a precomputed kernel the points are the n × n
/// matrix of similarities.
pub type KernelMeanShift = Method<KernelMeanShiftParams>;

impl Algorithm for KernelMeanShiftParams {
    const INFO: Info = Info {
        name: "kernel",
        class: "KernelMeanShift",
        sentence: "kernel mean shift: any similarity, in a space that links reshape",
        links: LinkUse::Weighed,
        clusters: Clusters::Found,
        counts: Counts::ITERATIONS,
        takes_similarities: true,
        shows_distances: true,
    };
    const TABLE: &'static [Param<Self>] = params::TABLE;

    type Details<T: Real> = KernelMeanShiftDetails;

    fn check_together(&self) -> Result<()> {
        self.agree()
    }

    fn needs(&self, size: &Size) -> u64 {
        // The factor is counted as it grows.
        size.points() + size.rows(100) + bandwidth::sampled(size.n_points)
    }

    fn run<T: Real>(
        &self,
        points: &Points<'_, T>,
        links: &GivenLinks<'_>,
        observer: &mut Observer<'_>,
    ) -> Result<Outcome<T, KernelMeanShiftDetails>> {
        let (n, given, links) = (points.n_points(), links, links.all);
        let learns = self.learns_from(given);
        let (embedding, k) = match learns {
            true => self.embed_learned(points, given, observer)?,
            false => self.embed_projected(points, given, observer)?,
        };
        observe::show(observer, &not_yet_begun(n))?;
        let shape = Shape::new(self, &embedding.rows, embedding.d, learns, embedding.around);
        let (landscape, sample_of) = self.landscape(points, &embedding, k, shape)?;
        let arrived =
            climb(&landscape.field, landscape.samples.clone(), &landscape.limits, observer)?;
        let terminals = Points::new(arrived.centers, embedding.d)?;
        let log_density = landscape.field.log_density(terminals.values());
        let near = Neighbors::new(&Points::new(&landscape.samples[..], embedding.d)?);
        let mut modes = gather(&terminals, &log_density, |center| {
            let nearest = near.nearest(terminals.row(center), 1)[0].row;
            landscape.bandwidths[nearest] * self.mode_radius
        });
        let terminal_of: Vec<u32> =
            sample_of.iter().map(|&sample| arrived.of[sample as usize]).collect();
        if learns {
            votes::join(&mut modes, &terminal_of, &given.closure);
        }
        let largest = (self.leftover_share * k as f64) as usize;
        leftovers::join(&terminals, &mut modes, &terminal_of, links, largest);
        let run = Run {
            embedding,
            landscape,
            terminals,
            terminal_of,
            n_iter: arrived.n_iter,
            converged: arrived.converged,
        };
        Ok(conclude(points, run, &modes))
    }
}

impl KernelMeanShiftParams {
    /// When the pivots of a factor are enough.
    pub(super) fn enough(&self, negligible: f64) -> Enough {
        Enough { most: self.rank, tolerance: self.rank_tolerance, negligible }
    }

    /// Coordinates of all points in the feature space that the links leave: rows of E with
    /// E·Eᵀ ≈ K̂ (Eq. 20).
    fn embed<T: Real>(
        &self,
        points: &Points<'_, T>,
        Choice { kernel, axes, .. }: Choice,
        links: &Links,
        observer: &mut Observer<'_>,
    ) -> Result<Embedding<T>> {
        let params = self;
        let gram = Gram::new(points, kernel, params.repair)?;
        let allow = |rank| self.check_memory(points, rank);
        let factor = Factor::new(&gram, points, kernel, self.enough(0.0), allow, observer)?;
        let rank = factor.rank;
        let distances_sq = || match Points::new(&factor.rows[..], rank) {
            Ok(rows) => bandwidth::sampled_distances(&rows, SAMPLE, params.seed)
                .into_iter()
                .map(|distance| distance * distance)
                .collect(),
            Err(_) => Vec::new(),
        };
        let metric = metric::learn(&factor.rows, rank, links, distances_sq)?;
        let mut map = metric::axes(&factor.rows, rank, metric)?;
        let mut rows = metric::apply(&factor.rows, &map);
        let mut around = Around::Origin;
        if let Some(most) = axes {
            let longest = metric::leading_axes(&rows, map.ncols(), 1.0, most)?;
            rows = metric::apply(&rows, &longest);
            map = &map * &longest;
            around = Around::Mean;
        }
        let d = map.ncols();
        unify(&mut rows, d, links);
        let effective_dimension = effective_dimension(&rows, d, around);
        Ok(Embedding { kernel, factor, map, rows, d, effective_dimension, around })
    }

    /// Coordinates in the space that must-links leave, and k.
    fn embed_projected<T: Real>(
        &self,
        points: &Points<'_, T>,
        given: &GivenLinks<'_>,
        observer: &mut Observer<'_>,
    ) -> Result<(Embedding<T>, usize)> {
        let choice = self.choose_by_held_back(points, given, observer)?;
        let k = choice.neighbor.k(points.n_points());
        Ok((self.embed(points, choice, given.all, observer)?, k))
    }

    /// Coordinates in the space that all links have moved, and k.
    fn embed_learned<T: Real>(
        &self,
        points: &Points<'_, T>,
        given: &GivenLinks<'_>,
        observer: &mut Observer<'_>,
    ) -> Result<(Embedding<T>, usize)> {
        let pairs = pairs::implied(given.all, &given.closure, self.link_cap, self.seed)?;
        let Chosen { choice, learned } = self.choose(points, &pairs, observer)?;
        let learned = match learned {
            Some(learned) => learned,
            None => self.learn(points, choice.kernel, &pairs, observer)?,
        };
        let Learned { factor, map, rows } = learned.cut(choice.axes.unwrap_or(usize::MAX));
        let d = map.ncols();
        let effective_dimension = effective_dimension(&rows, d, Around::Mean);
        let (kernel, around) = (choice.kernel, Around::Mean);
        let embedding = Embedding { kernel, factor, map, rows, d, effective_dimension, around };
        Ok((embedding, choice.neighbor.k(points.n_points())))
    }

    /// The samples that centers climb on, and for each point its sample.
    fn landscape<T: Real>(
        &self,
        points: &Points<'_, T>,
        embedding: &Embedding<T>,
        k: usize,
        shape: Shape,
    ) -> Result<(Landscape, Vec<u32>)> {
        let params = self;
        let (n, d) = (points.n_points(), embedding.d);
        let weights: Vec<f64> = (0..n).map(|row| points.weight(row).as_f64()).collect();
        let rows = Points::new(&embedding.rows[..], d)?.with_weights(weights)?;
        let (samples, sample_of, gathered) = match params.representatives.count_for(n) {
            Some(count) => {
                let gathering = representatives::gather(&rows, count, params.seed)?;
                (gathering.points, gathering.of, Some(gathering.rms_distance))
            }
            None => (rows.clone(), (0..n as u32).collect(), None),
        };
        let mut bandwidths = kth_distances(samples.values(), rows.values(), d, k);
        never_zero(&mut bandwidths);
        bandwidths.iter_mut().for_each(|h| *h *= shape.factor);
        let weights: Vec<f64> = (0..samples.n_points()).map(|row| samples.weight(row)).collect();
        let smallest = bandwidths.iter().copied().fold(f64::INFINITY, f64::min);
        let limits = Limits {
            max_iter: params.max_iter,
            tolerance: params.tolerance * smallest,
            merge_tolerance: params.merge_tolerance * smallest,
            bandwidth: bandwidths.iter().sum::<f64>() / bandwidths.len() as f64,
        };
        let field = Field::new(samples.values().to_vec(), d, &bandwidths, &weights, shape.exponent);
        let samples = samples.values().to_vec();
        Ok((Landscape { field, limits, samples, bandwidths, gathered }, sample_of))
    }

    /// Fails if a factor of so many columns, with what is made of it, would not fit.
    pub(super) fn check_memory<T: Real>(&self, points: &Points<'_, T>, rank: usize) -> Result<()> {
        /// The columns as found, G, E, and those that distances are taken between.
        const COPIES: u64 = 5;
        /// What the shift works on, by measured peaks.
        const COPIES_OF_SAMPLES: u64 = 6;
        let n_points = points.n_points();
        let samples = self.representatives.count_for(n_points).unwrap_or(n_points).min(n_points);
        let (n, samples, rank) = (n_points as u64, samples as u64, rank as u64);
        let rows = COPIES * n + COPIES_OF_SAMPLES * (samples + rank);
        let needed = rows * rank * size_of::<f64>() as u64;
        let needed = self.needs(&Size::of(points, 0)) + needed;
        memory::allow(needed, self.memory_mb, "set rank lower (rank=100), or allow more")
    }
}

/// What turns distances to the k-th neighbour into a density.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    /// What every k-th distance is multiplied by.
    pub(super) factor: f64,
    /// The paper's d_φ + 2.
    pub(super) exponent: f64,
}

impl Shape {
    /// For points along the principal axes of a space that is `learned`, or not.
    pub(super) fn new(
        params: &KernelMeanShiftParams,
        rows: &[f64],
        d: usize,
        learned: bool,
        around: Around,
    ) -> Self {
        let effective_dimension = effective_dimension(rows, d, around);
        let auto = (effective_dimension + 1.0).sqrt().recip();
        let dimension = match params.dimension {
            Dimension::Rank => d as f64,
            Dimension::Auto if learned => 0.0,
            Dimension::Auto | Dimension::Effective => effective_dimension,
            Dimension::Fixed(dimension) => dimension,
        };
        Shape { factor: params.bandwidth_factor.unwrap_or(auto), exponent: dimension + 2.0 }
    }
}

/// The projection makes rows that must-links join equal but for rounding; here they become equal,
/// so that nothing can part them.
fn unify(rows: &mut [f64], d: usize, links: &Links) {
    let mut sets = DisjointSets::new(rows.len() / d);
    let hard = links
        .as_slice()
        .iter()
        .filter(|link| link.kind == LinkKind::Must && link.confidence == 1.0);
    hard.clone().for_each(|link| sets.join(link.a, link.b));
    for row in hard.flat_map(|link| [link.a, link.b]) {
        let first = sets.find(row);
        rows.copy_within(first * d..(first + 1) * d, row * d);
    }
}

/// Where so many points coincide that a distance is zero, the smallest that is not takes its
/// place; 1 where all points are one.
pub(super) fn never_zero(bandwidths: &mut [f64]) {
    let largest = bandwidths.iter().copied().fold(0.0, f64::max);
    // Points that coincide are this far apart by rounding.
    let nothing = largest * 1e-7;
    let least = bandwidths.iter().copied().filter(|&h| h > nothing).fold(f64::INFINITY, f64::min);
    let least = if least.is_finite() { least } else { 1.0 };
    bandwidths.iter_mut().filter(|h| **h <= nothing).for_each(|h| *h = least);
}

/// Which axes rows lie along: those around the origin, or around their mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Around {
    Origin,
    Mean,
}

/// (Σλ)²/Σλ² over the variances λ along the principal axes; at least 1. As traces: tr(C)²/tr(C²)
/// for C = EᵀE − n·μμᵀ, where C is diagonal if E lies along its axes around the mean, and EᵀE if around
/// the origin.
fn effective_dimension(rows: &[f64], d: usize, around: Around) -> f64 {
    let n = (rows.len() / d) as f64;
    let (mut moments, mut means) = (vec![0.0; d], vec![0.0; d]);
    for row in rows.chunks_exact(d) {
        for (col, &value) in row.iter().enumerate() {
            moments[col] += value * value;
            means[col] += value / n;
        }
    }
    let columns = || moments.iter().zip(&means);
    let trace: f64 = columns().map(|(moment, mean)| moment - n * mean * mean).sum();
    let trace_of_square: f64 = match around {
        Around::Mean => columns().map(|(moment, mean)| (moment - n * mean * mean).powi(2)).sum(),
        Around::Origin => {
            let mean_sq: f64 = means.iter().map(|mean| mean * mean).sum();
            let squares: f64 = moments.iter().map(|moment| moment * moment).sum();
            let mixed: f64 = columns().map(|(moment, mean)| moment * mean * mean).sum();
            squares - 2.0 * n * mixed + (n * mean_sq).powi(2)
        }
    };
    let dimension = trace * trace / trace_of_square;
    // Where all points are one there is no direction at all, and 0/0.
    if dimension.is_finite() { dimension.clamp(1.0, d as f64) } else { 1.0 }
}
