//! What mean shift can be told, checked once.

use crate::bandwidth::Bandwidth;
use crate::error::{Error, Result};
use crate::kernel::Profile;

/// Where climbing begins.
#[derive(Debug, Clone, PartialEq)]
pub enum Seeding {
    /// At every point.
    All,
    /// At the corners of a grid, one bandwidth wide, whose cells hold at least `min_points` points.
    Bins {
        /// Least number of points in a cell that makes a seed.
        min_points: usize,
    },
    /// At places of the caller's choice, row by row.
    Given(Vec<f64>),
}

/// How points get their labels once the modes are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LabelRule {
    /// The mode that the point itself climbed to: the basins of the density.
    Basin,
    /// The nearest mode, as scikit-learn does.
    Nearest,
}

/// All parameters of mean shift.
#[derive(Debug, Clone, PartialEq)]
pub struct MeanShiftParams {
    /// How far a point looks. Default: the 15th percentile of the distances, the rule of the CMS
    /// paper's baseline.
    pub bandwidth: Bandwidth,
    /// How samples count by distance. Default: the truncated RBF, as in constrained mean shift.
    pub profile: Profile,
    /// Whether the samples move along with the centers. Default: no.
    pub blurring: bool,
    /// Iterations at the most. Default 300, as scikit-learn: plenty, since centers stop one by one.
    pub max_iter: usize,
    /// A center has arrived when it moves less than this share of the bandwidth. Default 0.001, as
    /// scikit-learn.
    pub tolerance: f64,
    /// Centers within this share of the bandwidth of each other become one (up to 32 times as far
    /// while they still take long steps); 0 merges only equal ones. Default 0.001: no more than
    /// what counts as arrived.
    pub merge_tolerance: f64,
    /// A mode within this many bandwidths of a denser mode is the same mode. Default 1, as
    /// scikit-learn; two Gaussian bumps are one unless they are farther apart than that.
    pub mode_radius: f64,
    /// Where climbing begins. Default: at every point.
    pub seeding: Seeding,
    /// How points get their labels. Default: by basin.
    pub labels: LabelRule,
    /// Whether lone points are noise (label −1): with [`LabelRule::Nearest`] points farther than
    /// one bandwidth from every mode, with [`LabelRule::Basin`] points alone on their mode.
    /// Default: no.
    pub orphans_as_noise: bool,
    /// Seed of the sampled bandwidth rules.
    pub seed: u64,
}

impl Default for MeanShiftParams {
    fn default() -> Self {
        Self {
            bandwidth: Bandwidth::Percentile(15.0),
            profile: Profile::TRUNCATED,
            blurring: false,
            max_iter: 300,
            tolerance: 1e-3,
            merge_tolerance: 1e-3,
            mode_radius: 1.0,
            seeding: Seeding::All,
            labels: LabelRule::Basin,
            orphans_as_noise: false,
            seed: 0,
        }
    }
}

impl MeanShiftParams {
    /// The settings under which labels agree with scikit-learn's `MeanShift` (but for points exactly
    /// one bandwidth apart, which count there and not here).
    pub fn like_scikit_learn(bandwidth: f64) -> Self {
        Self {
            bandwidth: Bandwidth::Fixed(bandwidth),
            profile: Profile::Ball,
            labels: LabelRule::Nearest,
            ..Self::default()
        }
    }

    /// Fails on the first parameter, or pair of parameters, that cannot work.
    pub fn check(&self) -> Result<()> {
        self.bandwidth.check()?;
        self.profile.check()?;
        if self.max_iter == 0 {
            return Err(Error::param("max_iter", 0, "at least 1"));
        }
        for (name, value) in
            [("tolerance", self.tolerance), ("merge_tolerance", self.merge_tolerance)]
        {
            if !(0.0..1.0).contains(&value) {
                return Err(Error::param(name, value, "at least 0 and below 1 (a share of h)"));
            }
        }
        if !(self.mode_radius >= 0.0 && self.mode_radius.is_finite()) {
            return Err(Error::param("mode_radius", self.mode_radius, "a finite number from 0"));
        }
        if self.blurring && matches!(self.bandwidth, Bandwidth::PerPoint { .. }) {
            return Err(Error::param("blurring", true, "false with a bandwidth per point"));
        }
        if self.seeding != Seeding::All {
            if self.blurring {
                return Err(Error::param("blurring", true, "false unless every point is a seed"));
            }
            if self.labels == LabelRule::Basin {
                let must =
                    "nearest unless every point is a seed (points that do not climb have no basin)";
                return Err(Error::param("labels", "basin", must));
            }
        }
        Ok(())
    }
}
