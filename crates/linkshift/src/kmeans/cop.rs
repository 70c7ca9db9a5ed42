//! COP-k-means: k-means in which no link is ever broken.

use super::centers::{ByColumn, move_to_means};
use super::descent::{Descent, longest_way};
use super::fit::{Watch, best_of, info};
use super::model::{BestRun, KMeansDetails, conclude};
use super::params::{self, CopParams};
use super::seeding::Starts;
use super::units::Units;
use crate::distance::distance_sq;
use crate::error::{LinkError, Result};
use crate::links::{Link, LinkKind};
use crate::memory::Size;
use crate::method::{Algorithm, GivenLinks, Info, LinkUse, Method, Outcome};
use crate::observe::Observer;
use crate::params::Param;
use crate::points::Points;
use crate::real::Real;
use crate::shared::coloring::{Blocked, Coloring};
use rand_chacha::ChaCha8Rng;

/// COP-k-means with checked parameters.
pub type Cop = Method<CopParams>;

impl Algorithm for CopParams {
    const INFO: Info = info(
        "cop",
        "COPKMeans",
        "COP-k-means: no link is ever broken; if that cannot be, the links that block are named",
        LinkUse::Certain,
    );
    const TABLE: &'static [Param<Self>] = params::COP;

    type Details<T: Real> = KMeansDetails<T>;

    fn needs(&self, size: &Size) -> u64 {
        // Groups are points of their own.
        self.common.holds(size) + size.points() + size.rows(40)
    }

    fn run<T: Real>(
        &self,
        points: &Points<'_, T>,
        links: &GivenLinks<'_>,
        observer: &mut Observer<'_>,
    ) -> Result<Outcome<T, KMeansDetails<T>>> {
        let params = &self.common;
        params.check_points(points.n_points())?;
        let closure = &links.closure;
        let units = Units::new(points, closure)?;
        let coloring = Coloring::new(&units.closure, params.n_clusters);
        let starts = Starts::new(points, closure);
        let best = best_of(params, observer, Descent::objective, |rng, watch| {
            let centers = starts.draw(points, params.n_clusters, rng);
            self.descend(&units, &coloring, centers, rng, watch)?
                .map_err(|blocked| self.no_assignment(&blocked, &coloring, &units, links))
        })?;
        conclude(points, BestRun::of_units(best, &units), params.n_clusters)
    }
}

impl CopParams {
    /// From starting centers downhill, without ever breaking a link.
    fn descend<T: Real>(
        &self,
        units: &Units<T>,
        coloring: &Coloring,
        centers: Vec<T>,
        rng: &mut ChaCha8Rng,
        watch: &mut Watch<'_, '_>,
    ) -> Result<std::result::Result<Descent<T>, Blocked>> {
        let params = &self.common;
        let mut run = Descent { of: Vec::new(), centers, objectives: Vec::new(), converged: false };
        let mut colors: Option<Vec<u32>> = None;
        for _ in 0..params.max_iter {
            let costs = costs(units, coloring, &run.centers);
            let mut colored = match colors.take() {
                Some(colors) => colors,
                None => match self.first_colors(coloring, &costs, rng) {
                    Ok(colors) => colors,
                    Err(blocked) => return Ok(Err(blocked)),
                },
            };
            coloring.improve(&costs, &mut colored);
            let before = std::mem::take(&mut run.of);
            let objective = assign(units, coloring, &colored, &mut run);
            for (color, &unit) in colored.iter_mut().zip(&coloring.linked) {
                *color = run.of[unit]; // a unit may have filled an empty cluster
            }
            colors = Some(colored);
            let last = run.objective();
            run.objectives.push(objective);
            run.converged = before == run.of || last - objective <= params.tolerance * objective;
            if run.converged {
                watch.show(params.n_clusters, 0.0)?;
                break;
            }
            if run.objectives.len() < params.max_iter {
                let old = run.centers.clone();
                move_to_means(&units.points, &run.of, &mut run.centers);
                let way = longest_way(&old, &run.centers, &units.points);
                watch.show(params.n_clusters, way)?;
            }
        }
        Ok(Ok(run))
    }

    fn first_colors(
        &self,
        coloring: &Coloring,
        costs: &[f64],
        rng: &mut ChaCha8Rng,
    ) -> std::result::Result<Vec<u32>, Blocked> {
        let mut outcome = coloring.color(costs, rng);
        for _ in 1..self.n_orders {
            if outcome.is_ok() {
                break;
            }
            outcome = coloring.color(costs, rng);
        }
        outcome
    }

    /// The error that names the links which block each other.
    fn no_assignment<T: Real>(
        &self,
        blocked: &Blocked,
        coloring: &Coloring,
        units: &Units<T>,
        links: &GivenLinks<'_>,
    ) -> crate::Error {
        let closure = &links.closure;
        let n_clusters = self.common.n_clusters;
        let mut clique = coloring.clique_around(blocked.unit);
        clique.truncate(n_clusters + 1);
        let proven = clique.len() > n_clusters;
        let pairs: Vec<(usize, usize)> = if proven {
            let pairs = clique.iter().enumerate();
            pairs.flat_map(|(at, &a)| clique[at + 1..].iter().map(move |&b| (a, b))).collect()
        } else {
            blocked.by.iter().map(|&other| (blocked.unit, other)).collect()
        };
        let group = |unit: usize| closure.group_of(units.first_row[unit]);
        let told = |(a, b): (usize, usize)| -> Option<Link> {
            let between = |link: &&Link| {
                let ends = (closure.group_of(link.a), closure.group_of(link.b));
                link.kind == LinkKind::Cannot
                    && (ends == (group(a), group(b)) || ends == (group(b), group(a)))
            };
            links.all.iter().find(between).copied()
        };
        LinkError::NoAssignment {
            n_clusters,
            row: units.first_row[blocked.unit],
            blocking: pairs.into_iter().filter_map(told).collect(),
            proven,
        }
        .into()
    }
}

/// What each linked unit costs in each cluster: its weight by its squared distance.
fn costs<T: Real>(units: &Units<T>, coloring: &Coloring, centers: &[T]) -> Vec<f64> {
    let d = units.points.n_features();
    let by_column = ByColumn::new(centers, d);
    let n_centers = centers.len() / d;
    let mut distances = vec![T::zero(); coloring.linked.len() * n_centers];
    if !coloring.linked.is_empty() {
        by_column.distances_sq(units.points.select(&coloring.linked).values(), &mut distances);
    }
    let weight = |at: usize| units.weight(coloring.linked[at / n_centers]);
    distances.iter().enumerate().map(|(at, sq)| weight(at) * sq.as_f64()).collect()
}

/// Linked units go where their color is, all others to the nearest center, and clusters without a
/// unit get the one that gains most; returns the objective.
fn assign<T: Real>(
    units: &Units<T>,
    coloring: &Coloring,
    colors: &[u32],
    run: &mut Descent<T>,
) -> f64 {
    let (points, d) = (&units.points, units.points.n_features());
    let nearest = ByColumn::new(&run.centers, d).nearest(points.values(), d);
    run.of = nearest.iter().map(|&(center, _)| center).collect();
    let mut own: Vec<f64> =
        nearest.iter().enumerate().map(|(unit, sq)| units.weight(unit) * sq.1.as_f64()).collect();
    for (&unit, &color) in coloring.linked.iter().zip(colors) {
        run.of[unit] = color;
        let center = &run.centers[color as usize * d..][..d];
        own[unit] = units.weight(unit) * distance_sq(points.row(unit), center).as_f64();
    }
    let mut sizes = vec![0_usize; run.centers.len() / d];
    run.of.iter().for_each(|&center| sizes[center as usize] += 1);
    for empty in 0..sizes.len() {
        if sizes[empty] > 0 {
            continue;
        }
        let movable = (0..own.len()).filter(|&unit| sizes[run.of[unit] as usize] > 1);
        let farthest = movable.max_by(|&a, &b| own[a].total_cmp(&own[b]).then(b.cmp(&a)));
        if let Some(unit) = farthest.filter(|&unit| own[unit] > 0.0) {
            sizes[run.of[unit] as usize] -= 1;
            sizes[empty] += 1;
            run.of[unit] = empty as u32;
            run.centers[empty * d..][..d].copy_from_slice(points.row(unit));
            own[unit] = 0.0;
        }
    }
    own.iter().sum()
}
