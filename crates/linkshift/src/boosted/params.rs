//! What boosted mean shift can be told, checked once.

use super::grid::{Grid, Neighborhood};
use crate::bandwidth::Bandwidth;
use crate::error::{Error, Result};
use crate::kernel::Profile;
use crate::obey::Obey;
use crate::params::shared::{self, HasBandwidth, HasProfile};
use crate::params::{Form, Param, Preset, Range, Setting, Slot, Value};

/// How many cells there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cells {
    /// As many as suit the number of points, see [`Cells::grid_for`].
    Auto,
    /// This torus.
    Grid(Grid),
}

impl Cells {
    /// Auto: no side of the torus is longer. A hundred cells of a thousand points each know a
    /// density; more of them would only add modes beside modes.
    pub const LONGEST_SIDE: usize = 10;

    /// The torus for so many points. Auto: 3 × 3 below 10,000 points and 5 × 5 from there on, as in
    /// the paper; fewer cells where one would hold less than 20 points (the paper's smallest has
    /// 22), more where one would hold more than about a thousand.
    pub fn grid_for(self, n_points: usize) -> Result<Grid> {
        let side = match self {
            Cells::Grid(grid) => return Ok(grid),
            Cells::Auto if n_points < 10_000 => (n_points / 20).isqrt().clamp(1, 3),
            Cells::Auto => {
                n_points.div_ceil(BoostedParams::CELL_SIZE).isqrt().clamp(5, Self::LONGEST_SIDE)
            }
        };
        Grid::new(side, side)
    }
}

/// How near two modes must be to belong together.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Eps {
    /// This distance (the paper: 0.5 for its toy sets).
    Fixed(f64),
    /// This many times the mean bandwidth of the cells.
    Bandwidths(f64),
    /// The median distance from a mode of the first epoch to its k-th nearest, k being
    /// [`min_points`](BoostedParams::min_points) (the paper's rule for real data, with k = 4), but
    /// no more than one bandwidth: mean shift itself holds modes farther apart for different.
    NeighborMedian,
}

/// All parameters of boosted mean shift. The defaults are one choice for all sets of the paper; how
/// they were found is in the [module's documentation](super).
#[derive(Debug, Clone, PartialEq)]
pub struct BoostedParams {
    /// The torus of cells. Default: from the number of points.
    pub cells: Cells,
    /// Most points that a cell holds. Of more points than all cells hold, the cells get a part
    /// drawn at random; the others are only assigned at the end. Default 1,008, the size of the
    /// paper's largest cells.
    pub cell_size: usize,
    /// Which cells exchange points. Default: compact 9, on 3 × 3 cells all of them.
    pub neighborhood: Neighborhood,
    /// How far a point looks: this rule on the points of a cell, the mean over all cells, anew in
    /// every epoch. Default: the paper's, the mean distance to the k-th neighbour with
    /// k = 0.5·√(points in the cell).
    pub bandwidth: Bandwidth,
    /// How points count by distance. Default: exp(−x), which the paper calls Gaussian.
    pub profile: Profile,
    /// Modes that fewer points of a cell climb to are dropped (unless all would be). Default
    /// `None`: half the root of the number of points in the cell, at least 4.
    pub least_support: Option<usize>,
    /// How near two modes must be to belong together. Default: by the median of distances.
    pub eps: Eps,
    /// How many modes, itself counted, must lie within `eps` of a mode of a cluster's core; if no
    /// mode has so many, one is enough. Default `None`: four ninths of the number of cells.
    pub min_points: Option<usize>,
    /// The run ends when so many epochs in a row find the same number of clusters. Default: the
    /// paper's 3.
    pub stable_epochs: usize,
    /// Epochs at the most. Default 50; the paper never saw 20.
    pub max_epochs: usize,
    /// Clusters too small to show in any one cell are looked for among the points of all cells
    /// together; so many of these must lie close together behind a valley of the density. 0: none
    /// are looked for. Default `None`: half the root of the number of points in all cells (159 of
    /// 100,800), and 0 up to 25,200, what the paper's largest torus holds: with fewer, counts are
    /// too small to tell a valley from chance.
    pub small_support: Option<usize>,
    /// How many steps of mean shift a point takes before it takes the cluster of the nearest mode.
    /// Default 3; 0 is the paper's.
    pub climb_steps: usize,
    /// What becomes of certain links that the method itself would break.
    pub obey: Obey,
    /// What the fit may use beside the points, in megabytes; `None` = no limit.
    pub memory_mb: Option<u64>,
    /// Seed of the first cells and of every redraw.
    pub seed: u64,
}

impl Default for BoostedParams {
    fn default() -> Self {
        Self {
            cells: Cells::Auto,
            cell_size: Self::CELL_SIZE,
            neighborhood: Neighborhood::Compact9,
            bandwidth: Bandwidth::NeighborMean { alpha: Bandwidth::ALPHA },
            profile: Profile::Rbf,
            least_support: None,
            eps: Eps::NeighborMedian,
            min_points: None,
            stable_epochs: 3,
            max_epochs: 50,
            small_support: None,
            climb_steps: 3,
            obey: Obey::Certain,
            memory_mb: None,
            seed: 0,
        }
    }
}

impl BoostedParams {
    /// The default of [`cell_size`](Self::cell_size).
    pub const CELL_SIZE: usize = 1_008;

    /// What the paper's text says for its real sets: linear 5, every mode counts, MinPts 4 whatever
    /// the number of cells, no look for small clusters, points do not climb. (For its toy sets it sets Eps to 0.5.)
    pub fn paper() -> Self {
        Self {
            neighborhood: Neighborhood::Linear5,
            least_support: Some(1),
            min_points: Some(4),
            small_support: Some(0),
            climb_steps: 0,
            obey: Obey::AsFound,
            ..Self::default()
        }
    }

    /// The least support of a mode in a cell of so many points: as many as the bandwidth is
    /// measured by, so that a mode has at least a neighbourhood behind it.
    pub fn least_support_in(&self, n_points: usize) -> usize {
        const NEVER_LESS: usize = 4;
        let half_root = (0.5 * (n_points as f64).sqrt()).round() as usize;
        self.least_support.unwrap_or(half_root.max(NEVER_LESS))
    }

    /// [`min_points`](Self::min_points) on this torus. A mode of the points shows once per cell, so
    /// how many company it has grows with the cells; the paper's 4 are of 3 × 3 cells.
    pub fn min_points_on(&self, grid: Grid) -> usize {
        const OF_THE_CELLS: f64 = 4.0 / 9.0;
        let share = (OF_THE_CELLS * grid.n_cells() as f64).round() as usize;
        self.min_points.unwrap_or(share.max(1))
    }

    /// [`small_support`](Self::small_support) where so many points are in all cells together.
    pub fn small_support_among(&self, n_points: usize) -> usize {
        const THE_PAPER_S_MOST: usize = 25 * BoostedParams::CELL_SIZE;
        let half_root = (0.5 * (n_points as f64).sqrt()).round() as usize;
        let by_default = if n_points > THE_PAPER_S_MOST { half_root } else { 0 };
        self.small_support.unwrap_or(by_default)
    }

    pub(super) fn agree(&self) -> Result<()> {
        match self.bandwidth {
            Bandwidth::PerPoint { .. } => {
                Err(Error::param("bandwidth", "per-point", "one for all points of a cell"))
            }
            _ => Ok(()),
        }
    }
}

impl HasProfile for BoostedParams {
    fn profile(&mut self) -> &mut Profile {
        &mut self.profile
    }
}

impl HasBandwidth for BoostedParams {
    fn bandwidth(&mut self) -> &mut Bandwidth {
        &mut self.bandwidth
    }
}

/// `auto`, or two numbers.
impl Setting for Cells {
    fn get(&self) -> Value {
        match self {
            Cells::Auto => Value::Auto,
            Cells::Grid(grid) => Value::Word(format!("{}x{}", grid.width(), grid.height())),
        }
    }

    fn set(&mut self, value: &Value) -> bool {
        let grid = match value {
            Value::Auto => {
                *self = Cells::Auto;
                return true;
            }
            Value::List(sides) => match sides[..] {
                [width, height] => Grid::new(width as usize, height as usize),
                _ => return false,
            },
            Value::Word(word) => {
                let sides = word.split_once('x').map(|(w, h)| (w.parse(), h.parse()));
                let Some((Ok(width), Ok(height))) = sides else { return false };
                Grid::new(width, height)
            }
            _ => return false,
        };
        grid.map(|grid| *self = Cells::Grid(grid)).is_ok()
    }

    fn words(&self) -> Vec<&'static str> {
        vec!["auto"]
    }

    fn form(&self) -> Form {
        Form::Like("width x height as in 5x5")
    }
}

const MEDIAN: &str = "median";

/// A number is a distance, one with an h that many bandwidths.
impl Setting for Eps {
    fn get(&self) -> Value {
        match self {
            Eps::Fixed(distance) => Value::Number(*distance),
            Eps::Bandwidths(times) => Value::Word(format!("{times}h")),
            Eps::NeighborMedian => MEDIAN.into(),
        }
    }

    fn set(&mut self, value: &Value) -> bool {
        let word = value.as_word().unwrap_or_default();
        let times = word.strip_suffix('h').and_then(|times| times.parse().ok());
        *self = match (value.as_number(), times) {
            (Some(distance), _) => Eps::Fixed(distance),
            (_, Some(times)) => Eps::Bandwidths(times),
            _ if word == MEDIAN => Eps::NeighborMedian,
            _ => return false,
        };
        true
    }

    fn words(&self) -> Vec<&'static str> {
        vec![MEDIAN]
    }

    fn form(&self) -> Form {
        Form::NumberOrLike("bandwidths as in 0.6h")
    }

    fn numbers(&self) -> Vec<f64> {
        match self {
            Eps::Fixed(number) | Eps::Bandwidths(number) => vec![*number],
            Eps::NeighborMedian => Vec::new(),
        }
    }
}

pub(super) const TABLE: &[Param<BoostedParams>] = &[
    Param::new(
        "cells",
        Range::Any,
        |params| Slot::Field(&mut params.cells),
        "the torus of cells; auto: 3x3, from 10,000 points 5x5, up to 10x10",
    ),
    Param::new(
        "cell_size",
        Range::From(1.0),
        |params| Slot::Field(&mut params.cell_size),
        "points a cell holds at most; of more, the cells get a part drawn at random",
    ),
    Param::new(
        "neighborhood",
        Range::Any,
        |params| Slot::Field(&mut params.neighborhood),
        "the cells that exchange points",
    ),
    shared::bandwidth("how far a point looks: a distance, or a rule that finds one from each cell")
        .except(&["per-point"]),
    shared::percentile(),
    shared::alpha(),
    shared::kernel(),
    shared::cut(),
    Param::new(
        "least_support",
        Range::From(1.0),
        |params| Slot::Field(&mut params.least_support),
        "modes that fewer points of a cell climb to are dropped; auto: half the root of the cell's points, at least 4",
    ),
    Param::new(
        "eps",
        Range::Above(0.0),
        |params| Slot::Field(&mut params.eps),
        "how near two modes must be to belong together; median: of the distances to the k-th nearest mode, k = min_points",
    ),
    Param::new(
        "min_points",
        Range::From(1.0),
        |params| Slot::Field(&mut params.min_points),
        "modes within eps, itself counted, that make a mode part of a cluster's core; auto: 4/9 of the cells",
    ),
    Param::new(
        "stable_epochs",
        Range::From(1.0),
        |params| Slot::Field(&mut params.stable_epochs),
        "epochs in a row with the same number of clusters that end the run",
    ),
    Param::new(
        "max_epochs",
        Range::From(1.0),
        |params| Slot::Field(&mut params.max_epochs),
        "epochs at the most",
    ),
    Param::new(
        "small_support",
        Range::From(0.0),
        |params| Slot::Field(&mut params.small_support),
        "points of all cells together that make a cluster too small for any one cell, 0: none is looked for; auto: half the root of their number, 0 up to 25,200 points",
    ),
    Param::new(
        "climb_steps",
        Range::From(0.0),
        |params| Slot::Field(&mut params.climb_steps),
        "steps of mean shift that a point takes before it takes the cluster of the nearest mode; 0 in the paper",
    ),
    shared::obey(|params| Slot::Field(&mut params.obey)),
    shared::memory_mb(|params| Slot::Field(&mut params.memory_mb)),
    shared::seed(|params| Slot::Field(&mut params.seed)),
];

pub(super) const PRESETS: &[Preset<BoostedParams>] = &[Preset {
    name: "paper",
    what: "the text of the paper literally",
    needs: &[],
    params: BoostedParams::paper,
}];
