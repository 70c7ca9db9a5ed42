//! What C-DBSCAN found.

use crate::model::{Detail, Fact, IntoDetails, Model};
use crate::real::Real;

/// A fitted C-DBSCAN. The center of a cluster is its mean. A new point takes the label of the
/// nearest core point, or −1 if none is within reach; fitted points whose place in a cluster is
/// owed to a link may so get another label. No link is broken, unless one of its ends is noise.
pub type CdbscanModel<T> = Model<T, CdbscanDetails>;

/// What only C-DBSCAN has to say.
#[derive(Debug, Clone, PartialEq)]
pub struct CdbscanDetails {
    pub(super) eps: f64,
    pub(super) core_rows: Vec<usize>,
}

impl<T: Real> CdbscanModel<T> {
    /// The rows of the core points, ascending.
    pub fn core_rows(&self) -> &[usize] {
        &self.details.core_rows
    }
}

impl<T: Real> IntoDetails<T> for CdbscanDetails {
    fn into_details(self) -> Vec<Detail<T>> {
        vec![
            Detail::new("eps", self.eps),
            Detail::new("n_core_points", self.core_rows.len()),
            Detail::new("core_sample_indices", Fact::Rows(self.core_rows)),
        ]
    }
}
