//! What boosted mean shift can be told, checked once.

use super::grid::{Grid, Neighborhood};
use crate::bandwidth::Bandwidth;
use crate::error::{Error, Result};
use crate::kernel::Profile;

/// How many cells there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
pub enum Eps {
    /// This distance (the paper: 0.5 for its toy sets).
    Fixed(f64),
    /// This many times the mean bandwidth of the cells.
    Bandwidths(f64),
    /// The median distance from a mode of the first epoch to its 4th nearest (the paper's rule for
    /// real data).
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
    /// Which cells exchange points. Default: the paper's, linear 5.
    pub neighborhood: Neighborhood,
    /// How far a point of a cell looks; found from the cell's first points and kept. Default: the
    /// paper's, the mean distance to the k-th neighbour with k = 0.5·√(points in the cell).
    pub bandwidth: Bandwidth,
    /// How points count by distance. Default: the ball.
    pub profile: Profile,
    /// Modes that fewer points of a cell climb to are dropped (unless all would be). Default
    /// `None`: half the root of the number of points in the cell, at least 3.
    pub least_support: Option<usize>,
    /// How near two modes must be to belong together. Default: 0.6 bandwidths.
    pub eps: Eps,
    /// How many modes, itself counted, must lie within `eps` of a mode of a cluster's core; if no
    /// mode has so many, one is enough. Default 6.
    pub min_points: usize,
    /// The run ends when so many epochs in a row find the same number of clusters. Default: the
    /// paper's 3.
    pub stable_epochs: usize,
    /// Epochs at the most. Default 50; the paper never saw 20.
    pub max_epochs: usize,
    /// Seed of the first cells and of every redraw.
    pub seed: u64,
}

impl Default for BoostedParams {
    fn default() -> Self {
        Self {
            cells: Cells::Auto,
            cell_size: Self::CELL_SIZE,
            neighborhood: Neighborhood::Linear5,
            bandwidth: Bandwidth::NeighborMean { alpha: 0.5 },
            profile: Profile::Ball,
            least_support: None,
            eps: Eps::Bandwidths(0.6),
            min_points: 6,
            stable_epochs: 3,
            max_epochs: 50,
            seed: 0,
        }
    }
}

impl BoostedParams {
    /// The default of [`cell_size`](Self::cell_size).
    pub const CELL_SIZE: usize = 1_008;

    /// What the paper's text says for its real sets: Gaussian profile, every mode counts, Eps from
    /// the modes of the first epoch, MinPts 4. (For its toy sets it sets Eps to 0.5.)
    pub fn paper() -> Self {
        Self {
            profile: Profile::Gaussian,
            least_support: Some(1),
            eps: Eps::NeighborMedian,
            min_points: 4,
            ..Self::default()
        }
    }

    /// The least support of a mode in a cell of so many points.
    pub fn least_support_in(&self, n_points: usize) -> usize {
        const NEVER_LESS: usize = 3;
        let half_root = (0.5 * (n_points as f64).sqrt()).round() as usize;
        self.least_support.unwrap_or(half_root.max(NEVER_LESS))
    }

    /// Fails on the first parameter that cannot work.
    pub fn check(&self) -> Result<()> {
        self.bandwidth.check()?;
        self.profile.check()?;
        if matches!(self.bandwidth, Bandwidth::PerPoint { .. }) {
            return Err(Error::param("bandwidth", "per-point", "one for all points of a cell"));
        }
        for (name, value) in [
            ("cell_size", self.cell_size),
            ("least_support", self.least_support.unwrap_or(1)),
            ("min_points", self.min_points),
            ("stable_epochs", self.stable_epochs),
            ("max_epochs", self.max_epochs),
        ] {
            if value == 0 {
                return Err(Error::param(name, value, "at least 1"));
            }
        }
        match self.eps {
            Eps::Fixed(eps) | Eps::Bandwidths(eps) if !(eps > 0.0 && eps.is_finite()) => {
                Err(Error::param("eps", eps, "a finite number above 0"))
            }
            _ => Ok(()),
        }
    }
}
