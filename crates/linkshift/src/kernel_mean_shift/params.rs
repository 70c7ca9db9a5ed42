//! What kernel mean shift can be told, checked once.

use super::mercer::Mercer;
use crate::error::{Error, Result};
use crate::method::GivenLinks;
use crate::obey::Obey;
use crate::params::{Form, Named, Param, Range, Setting, Slot, Value, shared};
use crate::shared::representatives::Representatives;

/// A cannot-link asks for the squared distance below which this share of all pairs lies, a soft
/// must-link for the one below which next to none do: the choice of Anand et al.
pub(super) const CANNOT_PERCENTILE: f64 = 99.0;
pub(super) const MUST_PERCENTILE: f64 = 1.0;

/// The paper's 20 of 240 and of 280 points, "a fraction of the number of points".
const PAPER_SHARE: f64 = 0.08;

/// Which neighbour's distance is a point's bandwidth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Neighbor {
    /// The k-th, whatever the number of points.
    Kth(usize),
    /// The k-th with k this share of the points, at least the first.
    Share(f64),
    /// The share that links choose where they are enough, as is on how many axes centers climb; else the
    /// paper's.
    Auto,
}

impl Neighbor {
    /// k for so many points.
    pub fn k(self, n_points: usize) -> usize {
        let k = match self {
            Neighbor::Kth(k) => k,
            Neighbor::Share(share) => (share * n_points as f64).round() as usize,
            Neighbor::Auto => (PAPER_SHARE * n_points as f64).round() as usize,
        };
        k.clamp(1, n_points.max(2) - 1)
    }
}

/// The d of the weights 1/h^(d+2) in Eq. 12.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Dimension {
    /// The rank of the kernel matrix, as the paper's text says.
    Rank,
    /// In how many directions the points really spread: (Σλ)²/Σλ² over the variances λ along the
    /// principal axes, which is the number of axes if all are equal.
    Effective,
    /// 0 where the metric is learned, which makes clusters about equally dense; else effective.
    Auto,
    /// A number of one's own; 0 lets a point count by 1/h².
    Fixed(f64),
}

/// What links do to the feature space.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum KernelMetric {
    /// Must-links flatten it: linked points become one (Tuzel et al. 2009).
    Projection,
    /// All links move distances, as little as possible (Anand et al. 2014).
    #[default]
    LogDet,
}

impl Named for KernelMetric {
    const ALL: &'static [Self] = &[KernelMetric::Projection, KernelMetric::LogDet];

    fn name(self) -> &'static str {
        match self {
            KernelMetric::Projection => "projection",
            KernelMetric::LogDet => "logdet",
        }
    }
}

/// All parameters of kernel mean shift.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelMeanShiftParams {
    /// How similar points are.
    pub kernel: Mercer,
    /// What links do to the feature space; `None` = log-det if a cannot-link is told, else projection.
    pub metric: Option<KernelMetric>,
    /// γ: how dear it is for a certain link not to get the distance it asks for where the metric is
    /// learned; a doubtful link's is this times its confidence.
    pub firmness: f64,
    /// Pairs of points of each kind, must and cannot, that links are learned from, at the most about.
    pub link_cap: usize,
    /// The σ of a Gaussian kernel that has none, in mean distances between the points.
    pub sigma_factor: f64,
    /// Which neighbour's distance is a point's bandwidth.
    pub neighbor: Neighbor,
    /// A factor on every bandwidth; `None` = 1/√(d + 1) with d the effective dimension.
    pub bandwidth_factor: Option<f64>,
    /// The d of the weights 1/h^(d+2).
    pub dimension: Dimension,
    /// Iterations at the most.
    pub max_iter: usize,
    /// A center has arrived when it moves less than this share of the smallest bandwidth.
    pub tolerance: f64,
    /// Centers within this share of the smallest bandwidth of each other travel as one; 0 = only
    /// equal ones.
    pub merge_tolerance: f64,
    /// Modes within this many bandwidths of a denser one are the same mode.
    pub mode_radius: f64,
    /// Modes of at most this share of the k neighbours are outliers and join the nearest mode that
    /// no cannot-link keeps them from; 0 = none do.
    pub leftover_share: f64,
    /// Most columns that the factor of the kernel matrix may have.
    pub rank: usize,
    /// The factor is good enough when it leaves out no more than this share of any similarity.
    pub rank_tolerance: f64,
    /// Whether a precomputed matrix that is not positive semi-definite is made so, by setting its
    /// negative eigenvalues to 0, instead of refused.
    pub repair: bool,
    /// Whether points are gathered into weighted representatives before the shift.
    pub representatives: Representatives,
    /// What becomes of certain links that the method itself would break.
    pub obey: Obey,
    /// What the run may use, in megabytes; `None` = no limit.
    pub memory_mb: Option<u64>,
    /// Seed of everything drawn: sampled distances, representatives.
    pub seed: u64,
}

impl Default for KernelMeanShiftParams {
    fn default() -> Self {
        Self {
            // The paper's first kernel, or cosine where links speak for it: of faces it takes the strength of
            // the light away (docs/kernel-learning.md). The paper's σ is about the mean distance; wider,
            // the kernel has fewer directions, and a link takes more of what it should with it. From 3 on
            // little changes.
            kernel: Mercer::Auto { sigma: None },
            // With links of both kinds log-det is far ahead (docs/kernel-learning.md). With must-links
            // alone nothing holds points apart, and what they say of directions is all there is: faces
            // with a chain of three links per subject, .955 by projection and .77 by log-det.
            metric: None,
            // As Davis et al.; a tenth is better with groups, ten times with random links.
            firmness: 1.0,
            // More pairs of the same groups say the same again, and a turn costs in proportion.
            link_cap: 2_000,
            sigma_factor: 4.0,
            neighbor: Neighbor::Auto,
            // Against the text, which has no factor and says the rank: in many directions all points
            // are about as far as the k-th, and the densest takes all. If the k neighbours fill a ball of
            // radius h, each of d coordinates deviates by h/√(d + 2); if all lie on its surface, by
            // h/√d. Between the two, heaps in the plane stay whole and circles apart.
            bandwidth_factor: None,
            dimension: Dimension::Auto,
            // The paper counts 20–30; slow modes between two others take some hundreds.
            max_iter: 500,
            // As in mean shift, but finer: coordinates of many columns creep.
            tolerance: 1e-4,
            // No more than a tenth of what tells modes apart, and ten times what counts as arrived.
            merge_tolerance: 1e-3,
            // The paper joins centers at distance 0; this is what centers that stop at `tolerance`
            // on their way to one mode need.
            mode_radius: 0.1,
            // So few have not made their own bandwidths: most of the k lie in other clusters.
            leftover_share: 0.25,
            // 1,000 points stay exact; 50,000 points need 400 MB.
            rank: 1_000,
            // Digits that single steps of the factor lose anyway.
            rank_tolerance: 1e-12,
            repair: false,
            representatives: Representatives::Auto,
            obey: Obey::Certain,
            memory_mb: None,
            seed: 0,
        }
    }
}

impl KernelMeanShiftParams {
    /// Whether these links are learned from; else they project.
    pub(super) fn learns_from(&self, links: &GivenLinks<'_>) -> bool {
        match self.metric {
            None => links.hold_apart(),
            Some(metric) => metric == KernelMetric::LogDet && !links.all.is_empty(),
        }
    }

    pub(super) fn agree(&self) -> Result<()> {
        if self.repair && self.kernel != Mercer::Precomputed {
            return Err(Error::param("repair", true, "false unless the kernel is precomputed"));
        }
        match self.neighbor {
            Neighbor::Share(share) if share > 1.0 => Err(Error::param(
                "k",
                share,
                "a whole number from 1, or a share of the points up to 1",
            )),
            _ => Ok(()),
        }
    }
}

/// A whole number is a neighbour, a fraction a share.
impl Setting for Neighbor {
    fn get(&self) -> Value {
        match self {
            Neighbor::Kth(k) => Value::Count(*k as u64),
            Neighbor::Share(share) => Value::Number(*share),
            Neighbor::Auto => Value::Auto,
        }
    }

    fn set(&mut self, value: &Value) -> bool {
        *self = match value {
            Value::Count(k) => Neighbor::Kth(*k as usize),
            Value::Number(share) => Neighbor::Share(*share),
            Value::Auto => Neighbor::Auto,
            _ => return false,
        };
        true
    }

    fn words(&self) -> Vec<&'static str> {
        vec!["auto"]
    }

    fn form(&self) -> Form {
        Form::Like("a whole number from 1, or a share of the points below 1")
    }
}

const EFFECTIVE: &str = "effective";
const RANK: &str = "rank";

/// A word is a rule, a number is the dimension itself.
impl Setting for Dimension {
    fn get(&self) -> Value {
        match self {
            Dimension::Auto => Value::Auto,
            Dimension::Rank => RANK.into(),
            Dimension::Effective => EFFECTIVE.into(),
            Dimension::Fixed(d) => Value::Number(*d),
        }
    }

    fn set(&mut self, value: &Value) -> bool {
        if *value == Value::Auto {
            *self = Dimension::Auto;
            return true;
        }
        *self = match (value.as_number(), value.as_word()) {
            (Some(d), _) => Dimension::Fixed(d),
            (_, Some(RANK)) => Dimension::Rank,
            (_, Some(EFFECTIVE)) => Dimension::Effective,
            _ => return false,
        };
        true
    }

    fn words(&self) -> Vec<&'static str> {
        vec!["auto", EFFECTIVE, RANK]
    }

    fn form(&self) -> Form {
        Form::Number
    }
}

pub(super) const TABLE: &[Param<KernelMeanShiftParams>] = &[
    Param::new(
        "kernel",
        Range::Any,
        |params| Slot::Field(&mut params.kernel),
        "how similar two points are; auto: gaussian or cosine, by links; precomputed: the points are the matrix of similarities",
    ),
    Param::new(
        "sigma",
        Range::Above(0.0),
        |params| {
            let sigma = match &mut params.kernel {
                Mercer::Auto { sigma } | Mercer::Gaussian { sigma } => Some(sigma),
                _ => None,
            };
            Slot::only_if(sigma, "kernel=gaussian", None)
        },
        "the width of the Gaussian; auto: from the links with logdet, or where they choose the kernel; else by sigma_factor",
    ),
    Param::new(
        "metric",
        Range::Any,
        |params| Slot::Field(&mut params.metric),
        "what links do: projection makes must-linked points one, logdet moves distances; auto: logdet if a cannot-link is told",
    ),
    Param::new(
        "firmness",
        Range::Above(0.0),
        |params| Slot::Field(&mut params.firmness),
        "metric=logdet: how dear it is for a link not to get the distance it asks for",
    ),
    Param::new(
        "link_cap",
        Range::From(1.0),
        |params| Slot::Field(&mut params.link_cap),
        "metric=logdet: pairs of each kind that are learned from; of more a part stands for all",
    ),
    Param::new(
        "sigma_factor",
        Range::Above(0.0),
        |params| Slot::Field(&mut params.sigma_factor),
        "the width of a Gaussian without sigma, in mean distances between points; the paper: about 1",
    ),
    Param::new(
        "degree",
        Range::From(1.0),
        |params| {
            let degree = match &mut params.kernel {
                Mercer::Polynomial { degree, .. } => Some(degree),
                _ => None,
            };
            Slot::only_if(degree, "kernel=polynomial", Mercer::DEGREE)
        },
        "the degree of the polynomial",
    ),
    Param::new(
        "offset",
        Range::From(0.0),
        |params| {
            let offset = match &mut params.kernel {
                Mercer::Polynomial { offset, .. } => Some(offset),
                _ => None,
            };
            Slot::only_if(offset, "kernel=polynomial", Mercer::OFFSET)
        },
        "what is added to the product before it is raised to the degree",
    ),
    Param::new(
        "k",
        Range::Above(0.0),
        |params| Slot::Field(&mut params.neighbor),
        "a point's bandwidth: the distance to its k-th neighbour, or to that share of the points; auto: from the links, else 0.08",
    ),
    Param::new(
        "bandwidth_factor",
        Range::Above(0.0),
        |params| Slot::Field(&mut params.bandwidth_factor),
        "what every bandwidth is multiplied by; auto: 1/√(d+1) with d the effective dimension",
    ),
    Param::new(
        "dimension",
        Range::From(0.0),
        |params| Slot::Field(&mut params.dimension),
        "the d of the weights 1/h^(d+2); auto: with logdet 0, else effective; the paper: rank",
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
        "a point has arrived when it moves less than this share of the smallest bandwidth",
    ),
    Param::new(
        "merge_tolerance",
        Range::FromBelow(0.0, 1.0),
        |params| Slot::Field(&mut params.merge_tolerance),
        "points this share of it apart travel on as one; 0: only equal ones",
    ),
    Param::new(
        "mode_radius",
        Range::From(0.0),
        |params| Slot::Field(&mut params.mode_radius),
        "modes within this many bandwidths of a denser one are the same mode",
    ),
    Param::new(
        "leftover_share",
        Range::FromBelow(0.0, 1.0),
        |params| Slot::Field(&mut params.leftover_share),
        "modes of at most this share of k points join the nearest mode, unless a cannot-link forbids it",
    ),
    Param::new(
        "rank",
        Range::From(1.0),
        |params| Slot::Field(&mut params.rank),
        "columns that stand for the kernel matrix at the most",
    ),
    Param::new(
        "rank_tolerance",
        Range::FromBelow(0.0, 1.0),
        |params| Slot::Field(&mut params.rank_tolerance),
        "… fewer if they leave out no more than this share of any similarity",
    ),
    Param::new(
        "repair",
        Range::Any,
        |params| Slot::Field(&mut params.repair),
        "kernel=precomputed: drop negative eigenvalues instead of refusing the matrix",
    ),
    Param::new(
        "representatives",
        Range::From(1.0),
        |params| Slot::Field(&mut params.representatives),
        "gather points into this many weighted ones first, if there are more; auto: 4000",
    ),
    shared::obey(|params| Slot::Field(&mut params.obey)),
    shared::memory_mb(|params| Slot::Field(&mut params.memory_mb)),
    shared::seed(|params| Slot::Field(&mut params.seed)),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::Algorithm;

    #[test]
    fn what_cannot_work_is_refused_by_name() {
        let base = KernelMeanShiftParams::default;
        assert_eq!(base().check(), Ok(()));
        let bad = [
            ("k", KernelMeanShiftParams { neighbor: Neighbor::Kth(0), ..base() }),
            ("k", KernelMeanShiftParams { neighbor: Neighbor::Share(1.5), ..base() }),
            ("bandwidth_factor", KernelMeanShiftParams { bandwidth_factor: Some(0.0), ..base() }),
            ("dimension", KernelMeanShiftParams { dimension: Dimension::Fixed(-1.0), ..base() }),
            ("firmness", KernelMeanShiftParams { firmness: 0.0, ..base() }),
            ("link_cap", KernelMeanShiftParams { link_cap: 0, ..base() }),
            ("sigma_factor", KernelMeanShiftParams { sigma_factor: 0.0, ..base() }),
            ("leftover_share", KernelMeanShiftParams { leftover_share: 1.0, ..base() }),
            ("max_iter", KernelMeanShiftParams { max_iter: 0, ..base() }),
            ("tolerance", KernelMeanShiftParams { tolerance: f64::NAN, ..base() }),
            ("merge_tolerance", KernelMeanShiftParams { merge_tolerance: 1.0, ..base() }),
            ("rank_tolerance", KernelMeanShiftParams { rank_tolerance: -1.0, ..base() }),
            ("mode_radius", KernelMeanShiftParams { mode_radius: -1.0, ..base() }),
            ("rank", KernelMeanShiftParams { rank: 0, ..base() }),
            ("repair", KernelMeanShiftParams { repair: true, ..base() }),
        ];
        for (expected, params) in bad {
            match params.check() {
                Err(Error::Param { name, .. }) => assert_eq!(name, expected),
                other => panic!("{expected}: {other:?}"),
            }
        }
    }

    #[test]
    fn k_is_never_beyond_the_points() {
        assert_eq!(Neighbor::Share(0.08).k(240), 19); // 19.2
        assert_eq!(Neighbor::Kth(20).k(5), 4);
        assert_eq!(Neighbor::Share(0.08).k(1), 1);
        assert_eq!(Neighbor::Auto.k(240), 19);
    }
}
