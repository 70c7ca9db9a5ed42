//! What mean shift found.

use crate::kernel::Profile;
use crate::model::{Detail, IntoDetails, Model};
use crate::params::Named;
use crate::real::Real;

/// A fitted mean shift. Its centers are the modes. New points climb as the fitted ones did and take
/// the label of the place they reach, so fitted points get their own labels again (up to what
/// merging centers within `merge_tolerance` leaves open, if only some of them are given).
pub type MeanShiftModel<T> = Model<T, MeanShiftDetails>;

/// What only mean shift has to say.
#[derive(Debug, Clone, PartialEq)]
pub struct MeanShiftDetails {
    pub(crate) bandwidth: f64,
    pub(crate) profile: Profile,
}

impl<T: Real> MeanShiftModel<T> {
    /// The bandwidth used; the mean of them if each point had its own.
    pub fn bandwidth(&self) -> f64 {
        self.details.bandwidth
    }
}

impl<T: Real> IntoDetails<T> for MeanShiftDetails {
    fn into_details(self) -> Vec<Detail<T>> {
        vec![Detail::new("bandwidth", self.bandwidth), Detail::new("kernel", self.profile.name())]
    }
}
