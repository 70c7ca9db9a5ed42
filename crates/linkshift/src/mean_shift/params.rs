//! What mean shift can be told, checked once.

use crate::bandwidth::Bandwidth;
use crate::error::{Error, Result};
use crate::kernel::Profile;
use crate::obey::Obey;
use crate::params::shared::{self, HasBandwidth, HasProfile};
use crate::params::{Named, Param, Preset, Range, Slot};

/// How points get their labels once the modes are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum LabelRule {
    /// The mode that the point itself climbed to: the basins of the density.
    #[default]
    Basin,
    /// The nearest mode, as scikit-learn does.
    Nearest,
}

impl Named for LabelRule {
    const ALL: &'static [Self] = &[LabelRule::Basin, LabelRule::Nearest];

    fn name(self) -> &'static str {
        match self {
            LabelRule::Basin => "basin",
            LabelRule::Nearest => "nearest",
        }
    }
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
    /// Where climbing begins, row by row. Default `None`: at every point.
    pub seeds: Option<Vec<f64>>,
    /// Whether climbing begins at the corners of a grid, one bandwidth wide, instead of at every
    /// point. Default: no.
    pub bin_seeding: bool,
    /// Least number of points in a cell of that grid that makes a seed. Default 1.
    pub min_bin_freq: usize,
    /// How points get their labels. Default `None`: by basin if every point climbs, else by the
    /// nearest mode.
    pub labels: Option<LabelRule>,
    /// Whether lone points get a cluster, too. If not they are noise (label −1): by the nearest mode
    /// points farther than one bandwidth from every mode, by basin points alone on their mode.
    /// Default: yes.
    pub cluster_all: bool,
    /// What becomes of certain links that the method itself would break.
    pub obey: Obey,
    /// What the fit may use beside the points, in megabytes; `None` = no limit.
    pub memory_mb: Option<u64>,
    /// Seed of the sampled bandwidth rules.
    pub seed: u64,
}

impl Default for MeanShiftParams {
    fn default() -> Self {
        Self {
            bandwidth: Bandwidth::Percentile(Bandwidth::PERCENTILE),
            profile: Profile::TRUNCATED,
            blurring: false,
            max_iter: 300,
            tolerance: 1e-3,
            merge_tolerance: 1e-3,
            mode_radius: 1.0,
            seeds: None,
            bin_seeding: false,
            min_bin_freq: 1,
            labels: None,
            cluster_all: true,
            obey: Obey::Certain,
            memory_mb: None,
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
            labels: Some(LabelRule::Nearest),
            ..Self::default()
        }
    }

    /// Whether climbing begins at every point.
    pub(super) fn every_point_climbs(&self) -> bool {
        self.seeds.is_none() && !self.bin_seeding
    }

    /// How points get their labels.
    pub(super) fn label_rule(&self) -> LabelRule {
        self.labels.unwrap_or(match self.every_point_climbs() {
            true => LabelRule::Basin,
            false => LabelRule::Nearest,
        })
    }
}

impl HasProfile for MeanShiftParams {
    fn profile(&mut self) -> &mut Profile {
        &mut self.profile
    }
}

impl HasBandwidth for MeanShiftParams {
    fn bandwidth(&mut self) -> &mut Bandwidth {
        &mut self.bandwidth
    }
}

pub(super) const TABLE: &[Param<MeanShiftParams>] = &[
    shared::bandwidth("how far a point looks: a distance, or a rule that finds one"),
    shared::percentile(),
    shared::alpha(),
    shared::k(),
    shared::kernel(),
    shared::cut(),
    Param::new(
        "blurring",
        Range::Any,
        |params| Slot::Field(&mut params.blurring),
        "whether the points themselves move along",
    ),
    Param::new(
        "max_iter",
        Range::From(1.0),
        |params| Slot::Field(&mut params.max_iter),
        "iterations at the most",
    ),
    Param::new(
        "tolerance",
        Range::FromBelow(0.0, 1.0),
        |params| Slot::Field(&mut params.tolerance),
        "a point has arrived when it moves less than this share of the bandwidth",
    ),
    Param::new(
        "merge_tolerance",
        Range::FromBelow(0.0, 1.0),
        |params| Slot::Field(&mut params.merge_tolerance),
        "points this share of the bandwidth apart travel on as one; 0: only equal ones",
    ),
    Param::new(
        "mode_radius",
        Range::From(0.0),
        |params| Slot::Field(&mut params.mode_radius),
        "modes within this many bandwidths of a denser one are the same mode",
    ),
    Param::new(
        "seeds",
        Range::Any,
        |params| Slot::Field(&mut params.seeds),
        "where climbing begins, as many numbers for each place as there are columns; auto: at every point",
    ),
    Param::new(
        "bin_seeding",
        Range::Any,
        |params| Slot::Field(&mut params.bin_seeding),
        "whether climbing begins at the corners of a grid, one bandwidth wide, instead of at every point",
    ),
    Param::new(
        "min_bin_freq",
        Range::From(1.0),
        |params| {
            let field = params.bin_seeding.then_some(&mut params.min_bin_freq);
            Slot::only_if(field, "bin_seeding=true", 1)
        },
        "points that a cell of that grid must hold",
    ),
    Param::new(
        "labels",
        Range::Any,
        |params| Slot::Field(&mut params.labels),
        "a point's cluster: the mode it climbs to, or the nearest; auto: basin if every point climbs",
    ),
    Param::new(
        "cluster_all",
        Range::Any,
        |params| Slot::Field(&mut params.cluster_all),
        "whether lone points are in a cluster, too, or else noise (label -1)",
    ),
    shared::obey(|params| Slot::Field(&mut params.obey)),
    shared::memory_mb(|params| Slot::Field(&mut params.memory_mb)),
    shared::seed(|params| Slot::Field(&mut params.seed)),
];

pub(super) const PRESETS: &[Preset<MeanShiftParams>] = &[Preset {
    name: "scikit-learn",
    what: "settings that agree with scikit-learn's MeanShift",
    needs: &["bandwidth"],
    params: || MeanShiftParams::like_scikit_learn(1.0),
}];

impl MeanShiftParams {
    pub(super) fn agree(&self) -> Result<()> {
        if self.blurring && matches!(self.bandwidth, Bandwidth::PerPoint { .. }) {
            return Err(Error::param("blurring", true, "false with a bandwidth per point"));
        }
        if self.seeds.is_some() && self.bin_seeding {
            return Err(Error::param("bin_seeding", true, "false where seeds are given"));
        }
        if self.every_point_climbs() {
            return Ok(());
        }
        if self.blurring {
            return Err(Error::param("blurring", true, "false unless every point is a seed"));
        }
        if self.label_rule() == LabelRule::Basin {
            let must =
                "nearest unless every point is a seed (points that do not climb have no basin)";
            return Err(Error::param("labels", "basin", must));
        }
        Ok(())
    }
}
