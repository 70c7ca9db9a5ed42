//! The steps of an epoch, each a function of what it is given and of nothing else.
//!
//! Whoever spreads the cells over machines calls them cell by cell; only modes and the points of a
//! neighbourhood travel. All chance comes from [`Draws`], which gives every cell of every epoch a
//! stream of its own, so the order in which cells are served plays no part.

use super::grid::Grid;
use super::params::BoostedParams;
use super::sampled_density::SampledDensity;
use crate::bandwidth::Bandwidth;
use crate::cms::{Cms, CmsParams, Representatives, Schedule};
use crate::error::Result;
use crate::links::{Link, LinkClosure, Links};
use crate::mean_shift::{MeanShift, MeanShiftParams};
use crate::neighbors::Neighbors;
use crate::points::Points;
use crate::real::Real;
use crate::stop::Stoppable;
use rand::RngExt;
use rand::SeedableRng;
use rand::seq::{SliceRandom, index};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// ε of constrained mean shift in a cell, as a share of the bandwidth: what the default is at a
/// bandwidth of 0.1, in columns of range 1.
const MIN_LINK_SHARE: f64 = 0.01;

/// The streams of chance of a run.
#[derive(Debug, Clone, Copy)]
pub struct Draws {
    seed: u64,
    n_cells: usize,
}

impl Draws {
    /// The streams of this seed on this torus.
    pub fn new(seed: u64, grid: Grid) -> Self {
        Self { seed, n_cells: grid.n_cells() }
    }

    fn stream(self, number: u64) -> ChaCha8Rng {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(number);
        rng
    }

    /// Line 1: the first rows of each cell, dealt out like cards, at most `cell_size` to a cell.
    /// Where there are fewer points than cells, some cells stay empty.
    pub fn deal(self, n_points: usize, cell_size: usize) -> Vec<Vec<usize>> {
        let room = self.n_cells.saturating_mul(cell_size);
        let mut rng = self.stream(0);
        let rows = if n_points > room {
            index::sample(&mut rng, n_points, room).into_vec()
        } else {
            let mut rows: Vec<usize> = (0..n_points).collect();
            rows.shuffle(&mut rng);
            rows
        };
        let of_cell = |cell| rows.iter().skip(cell).step_by(self.n_cells).copied().collect();
        (0..self.n_cells).map(of_cell).collect()
    }

    /// Lines 11 and 12: `count` positions among the points collected from the neighbourhood, drawn
    /// with replacement in proportion to their confidence. `epoch` counts from 0.
    pub fn redraw(self, epoch: usize, cell: usize, confidence: &[f64], count: usize) -> Vec<usize> {
        let mut rng = self.stream((epoch * self.n_cells + cell) as u64 + 1);
        let mut total = 0.0;
        let sums: Vec<f64> = confidence
            .iter()
            .map(|&share| {
                total += share;
                total
            })
            .collect();
        let last = confidence.len().saturating_sub(1);
        let draw = |_| {
            let at = rng.random::<f64>() * total;
            sums.partition_point(|&sum| sum <= at).min(last)
        };
        (0..count).map(draw).collect()
    }
}

/// What the points of one cell climb to.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalModes<T: Real> {
    /// The modes with enough support, at least one.
    pub modes: Points<'static, T>,
    /// How many points of the cell climb to each.
    pub support: Vec<usize>,
}

/// What a cell says of how far a point looks; the mean over the cells is the bandwidth of an epoch.
pub fn cell_bandwidth<T: Real>(
    points: &Points<'_, T>,
    rows: &[usize],
    params: &BoostedParams,
) -> Result<f64> {
    Ok(params.bandwidth.find(&points.select(rows), params.seed)?.mean())
}

/// Line 6: the modes of a cell by mean shift, without those that too few of its points climb to.
/// Cannot-links between points of the cell (rows are positions in it) make it constrained mean
/// shift at that bandwidth.
pub fn local_modes<T: Real>(
    cell: &Points<'_, T>,
    links: &Links,
    bandwidth: f64,
    params: &BoostedParams,
) -> Result<LocalModes<T>> {
    let (modes, sizes) = if links.is_empty() {
        let method = MeanShift::new(MeanShiftParams {
            bandwidth: Bandwidth::Fixed(bandwidth),
            profile: params.profile,
            ..MeanShiftParams::default()
        })?;
        let model = method.fit(cell, links)?;
        (model.centers().cloned(), model.sizes().to_vec())
    } else {
        let method = Cms::new(CmsParams {
            schedule: Schedule::Fixed(bandwidth),
            profile: params.profile,
            representatives: Representatives::Never,
            // A share of the bandwidth, since nobody says what the unit is.
            min_link_bandwidth: MIN_LINK_SHARE * bandwidth,
            seed: params.seed,
            ..CmsParams::default()
        })?;
        let model = method.fit(cell, links)?;
        (model.centers().cloned(), model.sizes().to_vec())
    };
    // Without noise there is a mode, and a cell has a point.
    let modes = modes.unwrap_or_else(|| cell.select(&[]));
    let most = sizes.iter().copied().max().unwrap_or(0);
    let least = params.least_support_in(cell.n_points()).min(most);
    let kept: Vec<usize> = (0..sizes.len()).filter(|&mode| sizes[mode] >= least).collect();
    let support = kept.iter().map(|&mode| sizes[mode]).collect();
    Ok(LocalModes { modes: modes.select(&kept), support })
}

/// What the links say of the points of a cell, `rows` (a row drawn twice is linked twice), in
/// positions of the cell. Empty unless there are two groups to hold apart.
pub fn links_within(closure: &LinkClosure, rows: &[usize]) -> Links {
    let mut links = Links::new();
    if closure.cannot_pairs().is_empty() {
        return links;
    }
    let mut positions: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (position, &row) in rows.iter().enumerate() {
        if let Some(group) = closure.group_of(row) {
            positions.entry(group).or_default().push(position);
        }
    }
    for (&group, ours) in &positions {
        for apart in closure.cannot_groups_of(group) {
            if let Some(theirs) = positions.get(&apart.group).filter(|_| apart.group > group) {
                links.push(Link::cannot(ours[0], theirs[0]));
            }
        }
    }
    if !links.is_empty() {
        positions.values().for_each(|together| links.add_group(together));
    }
    links
}

/// Eq. 5: the confidence in each point by the modes of one cell. Every point follows its nearest
/// mode; of the followers of a mode the nearest has 1 and the farthest 0 (all have 1 where they
/// are equally far).
pub fn confidence<T: Real>(modes: &Points<'_, T>, points: &Points<'_, T>) -> Vec<f64> {
    let near = Neighbors::new(modes);
    let nearest: Vec<(usize, f64)> = points
        .rows()
        .map(|row| {
            let mode = near.nearest(row, 1)[0];
            (mode.row, mode.distance_sq.as_f64().sqrt())
        })
        .collect();
    let mut extremes = vec![(f64::INFINITY, 0.0_f64); modes.n_points()];
    for &(mode, distance) in &nearest {
        let (least, most) = extremes[mode];
        extremes[mode] = (least.min(distance), most.max(distance));
    }
    let rate = |(mode, distance): (usize, f64)| {
        let (least, most) = extremes[mode];
        if most > least { 1.0 - (distance - least) / (most - least) } else { 1.0 }
    };
    nearest.into_iter().map(rate).collect()
}

/// Line 21: the label of the nearest mode of each point, from where it climbs to.
pub fn assign<T: Real>(
    points: &Points<'_, T>,
    density: &SampledDensity<T>,
    modes: &Points<'_, T>,
    label_of_mode: &[i64],
) -> Vec<i64> {
    // In parts, so that no second copy of all points is held.
    const PART: usize = 65_536;
    let d = points.n_features();
    let near = Neighbors::new(modes);
    let mut labels = Vec::with_capacity(points.n_points());
    for part in points.values().chunks(PART * d) {
        let mut places = part.to_vec();
        density.climb(&mut places);
        let label = |place: &[T]| label_of_mode[near.nearest(place, 1)[0].row];
        labels.par_extend(places.par_chunks_exact(d).stoppable().map(label));
    }
    labels
}
