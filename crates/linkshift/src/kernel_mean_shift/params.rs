//! What kernel mean shift can be told, checked once.

use super::mercer::Mercer;
use crate::error::{Error, Result};
use crate::shared::representatives::Representatives;

/// A cannot-link asks for the squared distance below which this share of all pairs lies, a soft
/// must-link for the one below which next to none do: the choice of Anand et al.
pub(super) const CANNOT_PERCENTILE: f64 = 99.0;
pub(super) const MUST_PERCENTILE: f64 = 1.0;

/// Which neighbour's distance is a point's bandwidth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Neighbor {
    /// The k-th, whatever the number of points.
    Kth(usize),
    /// The k-th with k this share of the points, at least the first.
    Share(f64),
}

impl Neighbor {
    /// k for so many points.
    pub fn k(self, n_points: usize) -> usize {
        let k = match self {
            Neighbor::Kth(k) => k,
            Neighbor::Share(share) => (share * n_points as f64).round() as usize,
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
    /// A number of one's own; 0 lets a point count by 1/h².
    Fixed(f64),
}

/// All parameters of kernel mean shift.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelMeanShiftParams {
    /// How similar points are.
    pub kernel: Mercer,
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
    /// What the run may use, in megabytes; `None` = no limit.
    pub memory_mb: Option<u64>,
    /// Seed of everything drawn: sampled distances, representatives.
    pub seed: u64,
}

impl Default for KernelMeanShiftParams {
    fn default() -> Self {
        Self {
            // The paper's first kernel. Its σ is about the mean distance; wider, the kernel has fewer
            // directions, and a link takes more of what it should with it. From 3 on little changes.
            kernel: Mercer::Gaussian { sigma: None },
            sigma_factor: 4.0,
            // The paper's 20 of 240 and of 280 points, "a fraction of the number of points".
            neighbor: Neighbor::Share(0.08),
            // Against the text, which has no factor and says the rank: in many directions all points
            // are about as far as the k-th, and the densest takes all. If the k neighbours fill a ball of
            // radius h, each of d coordinates deviates by h/√(d + 2); if all lie on its surface, by
            // h/√d. Between the two, heaps in the plane stay whole and circles apart.
            bandwidth_factor: None,
            dimension: Dimension::Effective,
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
            memory_mb: None,
            seed: 0,
        }
    }
}

impl KernelMeanShiftParams {
    /// Fails at the first parameter that cannot work.
    pub fn check(&self) -> Result<()> {
        self.kernel.check()?;
        if !(self.sigma_factor > 0.0 && self.sigma_factor.is_finite()) {
            return Err(Error::param("sigma_factor", self.sigma_factor, "a finite number above 0"));
        }
        match self.neighbor {
            Neighbor::Kth(0) => return Err(Error::param("k", 0, "at least 1")),
            Neighbor::Share(share) if !(share > 0.0 && share <= 1.0) => {
                return Err(Error::param(
                    "k",
                    share,
                    "above 0 and at most 1 (a share of the points)",
                ));
            }
            _ => {}
        }
        match self.bandwidth_factor {
            Some(factor) if !(factor > 0.0 && factor.is_finite()) => {
                return Err(Error::param("bandwidth_factor", factor, "a finite number above 0"));
            }
            _ => {}
        }
        match self.dimension {
            Dimension::Fixed(d) if !(d >= 0.0 && d.is_finite()) => {
                return Err(Error::param("dimension", d, "a finite number from 0"));
            }
            _ => {}
        }
        if self.max_iter == 0 {
            return Err(Error::param("max_iter", 0, "at least 1"));
        }
        for (name, value) in [
            ("tolerance", self.tolerance),
            ("merge_tolerance", self.merge_tolerance),
            ("rank_tolerance", self.rank_tolerance),
            ("leftover_share", self.leftover_share),
        ] {
            if !(0.0..1.0).contains(&value) {
                return Err(Error::param(name, value, "at least 0 and below 1 (a share)"));
            }
        }
        if !(self.mode_radius >= 0.0 && self.mode_radius.is_finite()) {
            return Err(Error::param("mode_radius", self.mode_radius, "a finite number from 0"));
        }
        if self.rank == 0 {
            return Err(Error::param("rank", 0, "at least 1"));
        }
        if self.representatives == Representatives::Count(0) {
            return Err(Error::param("representatives", 0, "at least 1"));
        }
        if self.repair && self.kernel != Mercer::Precomputed {
            return Err(Error::param("repair", true, "false unless the kernel is precomputed"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_work_is_refused_by_name() {
        let base = KernelMeanShiftParams::default;
        assert_eq!(base().check(), Ok(()));
        let bad = [
            ("k", KernelMeanShiftParams { neighbor: Neighbor::Kth(0), ..base() }),
            ("k", KernelMeanShiftParams { neighbor: Neighbor::Share(1.5), ..base() }),
            ("bandwidth_factor", KernelMeanShiftParams { bandwidth_factor: Some(0.0), ..base() }),
            ("dimension", KernelMeanShiftParams { dimension: Dimension::Fixed(-1.0), ..base() }),
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
    }
}
