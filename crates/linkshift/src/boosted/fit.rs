//! The method from points and links to model.

use super::grid::Grid;
use super::group::group_modes;
use super::model::{BoostedDetails, conclude};
use super::params::{self, BoostedParams};
use super::sampled_density::SampledDensity;
use super::small::{Skeleton, add_small_clusters};
use super::steps::{Draws, LocalModes, cell_bandwidth, confidence, links_within, local_modes};
use crate::drawn::Draw;
use crate::error::{Error, Result};
use crate::links::LinkClosure;
use crate::memory::Size;
use crate::method::{Algorithm, Clusters, Counts, GivenLinks, Info, LinkUse, Method, Outcome};
use crate::observe::{self, Observer, Step};
use crate::params::{Param, Preset};
use crate::points::Points;
use crate::real::Real;
use crate::stop::Stop;
use rayon::prelude::*;

/// Boosted mean shift with checked parameters.
pub type Boosted = Method<BoostedParams>;

/// Points dealt to cells.
struct Dealt {
    grid: Grid,
    draws: Draws,
    cells: Vec<Vec<usize>>,
}

/// Everything that is known after some epochs.
pub(super) struct Run<T: Real> {
    pub(super) grid: Grid,
    pub(super) density: SampledDensity<T>,
    /// The points, those with links where they climbed to; none if there are no links.
    pub(super) climbed: Option<Points<'static, T>>,
    /// All modes found so far, row by row.
    pub(super) modes: Vec<T>,
    pub(super) support: Vec<usize>,
    /// The cluster of each mode; −1 is noise.
    pub(super) cluster_of_mode: Vec<i64>,
    pub(super) n_epochs: usize,
    pub(super) converged: bool,
    /// Of the first epoch.
    pub(super) bandwidth: f64,
    pub(super) eps: f64,
    pub(super) n_drawn: usize,
}

impl Algorithm for BoostedParams {
    const INFO: Info = Info {
        name: "boosted",
        class: "BoostedMeanShift",
        sentence: "boosted mean shift: cells of points find modes, which DBSCAN groups; made for many points",
        links: LinkUse::Weighed,
        clusters: Clusters::Found,
        counts: Counts { unit: "epochs", limit: Some("max_epochs") },
        takes_similarities: false,
        shows_distances: false,
    };
    const TABLE: &'static [Param<Self>] = params::TABLE;
    const PRESETS: &'static [Preset<Self>] = params::PRESETS;

    type Details<T: Real> = BoostedDetails<T>;

    fn check_together(&self) -> Result<()> {
        self.agree()
    }

    /// Each epoch is shown: `n_live` is the number of modes found so far; nothing moves between
    /// epochs, so `largest_shift` is 0.
    fn needs(&self, size: &Size) -> u64 {
        // Every thread looks for the bandwidth of a cell.
        let in_cells = self.bandwidth.holds(size.n_points.min(self.cell_size as u64));
        let n_threads = rayon::current_num_threads() as u64;
        2 * size.points() + size.rows(120) + n_threads.saturating_mul(in_cells)
    }

    fn run<T: Real>(
        &self,
        points: &Points<'_, T>,
        links: &GivenLinks<'_>,
        observer: &mut Observer<'_>,
    ) -> Result<Outcome<T, BoostedDetails<T>>> {
        let dealt = self.deal(points.n_points())?;
        let run = self.epochs(points, &links.closure, dealt, observer)?;
        Ok(conclude(run, points, &links.closure, points.n_points()))
    }

    /// The rows that the cells hold.
    fn drawn_rows(&self, n_points: usize, most: Option<usize>) -> Result<Vec<usize>> {
        if let Some(most) = most {
            let must = "left out: cells and cell_size say how many rows boosted draws";
            return Err(Error::param("drawn rows", most, must));
        }
        let mut rows = self.deal(n_points)?.cells.concat();
        rows.sort_unstable();
        Ok(rows)
    }

    /// The cells hold what they hold where all points are there, so it finds the same; rows that only
    /// links name take no part but as ends of these, as there.
    fn run_drawn<T: Real>(
        &self,
        draw: &Draw,
        points: &Points<'_, T>,
        links: &GivenLinks<'_>,
        observer: &mut Observer<'_>,
    ) -> Result<Outcome<T, BoostedDetails<T>>> {
        let mut dealt = self.deal(draw.n_points())?;
        for row in dealt.cells.iter_mut().flatten() {
            *row = draw.rows().partition_point(|drawn| drawn < row);
        }
        let run = self.epochs(points, &links.closure, dealt, observer)?;
        Ok(conclude(run, points, &links.closure, draw.n_points()))
    }
}

impl BoostedParams {
    /// Line 1: so many points dealt to the cells.
    fn deal(&self, n_points: usize) -> Result<Dealt> {
        let params = self;
        let grid = params.cells.grid_for(n_points)?;
        let draws = Draws::new(params.seed, grid);
        let mut cells = draws.deal(n_points, params.cell_size);
        cells.retain(|rows| !rows.is_empty());
        // Where there are fewer points than cells, a row of cells with one point each is left.
        let grid =
            if cells.len() < grid.n_cells() { Grid::new(cells.len().max(1), 1)? } else { grid };
        Ok(Dealt { grid, draws, cells })
    }

    /// Algorithm 1 from line 2 to line 20.
    fn epochs<T: Real>(
        &self,
        points: &Points<'_, T>,
        closure: &LinkClosure,
        dealt: Dealt,
        observer: &mut Observer<'_>,
    ) -> Result<Run<T>> {
        let params = self;
        let Dealt { grid, draws, mut cells } = dealt;
        let around: Vec<Vec<usize>> =
            (0..cells.len()).map(|cell| grid.around(cell, params.neighborhood)).collect();

        let density = SampledDensity::draw(points, &cells, params)?;
        // Linked points speak through the modes that they will be assigned to.
        let climbed =
            if closure.is_empty() { None } else { Some(density.climbed(points, closure)) };
        let min_points = params.min_points_on(grid);
        let mut pooled = cells.concat();
        pooled.sort_unstable();
        let mut run = Run {
            grid,
            density,
            climbed,
            modes: Vec::new(),
            support: Vec::new(),
            cluster_of_mode: Vec::new(),
            n_epochs: 0,
            converged: false,
            bandwidth: 0.0,
            eps: 0.0,
            n_drawn: pooled.len(),
        };
        let (mut n_clusters, mut n_stable) = (0, 0);
        while run.n_epochs < params.max_epochs && !run.converged {
            let bandwidth = bandwidth_of_cells(points, &cells, params)?;
            let local = modes_of_cells(points, closure, &cells, bandwidth, params)?;
            for found in &local {
                run.modes.extend_from_slice(found.modes.values());
                run.support.extend_from_slice(&found.support);
            }
            let confidence = rate(points, &cells, &around, &local);
            cells = redraw(draws, run.n_epochs, &cells, &around, &confidence);

            let modes = Points::checked_before(&run.modes[..], points.n_features(), None);
            if run.n_epochs == 0 {
                run.bandwidth = bandwidth;
                run.eps = params.eps.find(bandwidth, &modes, min_points);
            }
            let places = run.climbed.as_ref().unwrap_or(points);
            run.cluster_of_mode = group_modes(&modes, run.eps, min_points, places, closure)?;
            let last = n_clusters;
            n_clusters = run.cluster_of_mode.iter().max().map_or(0, |&label| label + 1);
            n_stable = if n_clusters == last { n_stable + 1 } else { 1 };
            run.converged = n_stable >= params.stable_epochs;
            run.n_epochs += 1;
            let step = Step {
                n_iter: run.n_epochs,
                max_iter: params.max_epochs,
                n_live: run.support.len(),
                bandwidth,
                largest_shift: 0.0,
            };
            observe::show(observer, &step)?;
        }
        let support = params.small_support_among(pooled.len());
        if support > 0 {
            run.add_small_clusters(&points.select(&pooled), support);
        }
        Ok(run)
    }
}

impl<T: Real> Run<T> {
    /// Beyond the paper: `points` are those of all cells.
    fn add_small_clusters(&mut self, points: &Points<'_, T>, support: usize) {
        let d = points.n_features();
        let is_clustered = |&mode: &usize| self.cluster_of_mode[mode] >= 0;
        let clustered: Vec<usize> = (0..self.support.len()).filter(is_clustered).collect();
        let mode = |&mode: &usize| self.modes[mode * d..][..d].iter().copied();
        let mut skeleton = Skeleton {
            modes: clustered.iter().flat_map(mode).collect(),
            clusters: clustered.iter().map(|&mode| self.cluster_of_mode[mode]).collect(),
        };
        add_small_clusters(points, &mut skeleton, support);
        self.modes.extend_from_slice(&skeleton.modes[clustered.len() * d..]);
        let found = &skeleton.clusters[clustered.len()..];
        self.cluster_of_mode.extend_from_slice(found);
        self.support.resize(self.support.len() + found.len(), support);
    }
}

/// The bandwidth of an epoch: one for all cells, as in the input of Algorithm 1.
fn bandwidth_of_cells<T: Real>(
    points: &Points<'_, T>,
    cells: &[Vec<usize>],
    params: &BoostedParams,
) -> Result<f64> {
    let stop = Stop::here();
    let of_cell = |rows: &Vec<usize>| stop.within(|| cell_bandwidth(points, rows, params));
    let said = cells.par_iter().map(of_cell);
    let said: Vec<f64> = said.collect::<Result<_>>()?;
    Ok(said.iter().sum::<f64>() / said.len() as f64)
}

/// Lines 5 to 8, one task per cell.
fn modes_of_cells<T: Real>(
    points: &Points<'_, T>,
    closure: &LinkClosure,
    cells: &[Vec<usize>],
    bandwidth: f64,
    params: &BoostedParams,
) -> Result<Vec<LocalModes<T>>> {
    let stop = Stop::here();
    let of_cell = |rows: &Vec<usize>| {
        let links = links_within(closure, rows);
        stop.within(|| local_modes(&points.select(rows), &links, bandwidth, params))
    };
    cells.par_iter().map(of_cell).collect()
}

/// Line 9: Eq. 5 by each cell for its neighbourhood, and of what several cells say of a point the
/// largest, Eq. 6.
fn rate<T: Real>(
    points: &Points<'_, T>,
    cells: &[Vec<usize>],
    around: &[Vec<usize>],
    local: &[LocalModes<T>],
) -> Vec<Vec<f64>> {
    let stop = Stop::here();
    let by_cell: Vec<Vec<f64>> = around
        .par_iter()
        .zip(local)
        .map(|(around, found)| {
            let points = points.select(&collect(cells, around));
            stop.within(|| confidence(&found.modes, &points))
        })
        .collect();
    let mut best: Vec<Vec<f64>> = cells.iter().map(|rows| vec![0.0; rows.len()]).collect();
    for (around, said) in around.iter().zip(&by_cell) {
        let mut said = said.iter();
        for &cell in around {
            best[cell].iter_mut().zip(&mut said).for_each(|(best, &said)| *best = best.max(said));
        }
    }
    best
}

/// Lines 10 to 13: the next points of every cell, as many as it had.
fn redraw(
    draws: Draws,
    epoch: usize,
    cells: &[Vec<usize>],
    around: &[Vec<usize>],
    confidence: &[Vec<f64>],
) -> Vec<Vec<usize>> {
    around
        .par_iter()
        .enumerate()
        .map(|(cell, around)| {
            let rows = collect(cells, around);
            let shares = collect(confidence, around);
            let drawn = draws.redraw(epoch, cell, &shares, cells[cell].len());
            drawn.into_iter().map(|position| rows[position]).collect()
        })
        .collect()
}

/// What the cells of a neighbourhood hold, one after the other.
fn collect<V: Copy>(of_cells: &[Vec<V>], around: &[usize]) -> Vec<V> {
    around.iter().flat_map(|&cell| of_cells[cell].iter().copied()).collect()
}
