//! The colours of the pictures, so that matplotlib's look the same.

use pyo3::prelude::*;
use std::collections::BTreeMap;

/// Colour, as in `#005fc9`, and shape of a cluster's points; those of noise for a negative label.
#[pyfunction]
pub(crate) fn cluster_look(label: i64) -> (String, &'static str) {
    linkshift_plot::colors::of_cluster(label)
}

/// The colours of all other signs by name.
#[pyfunction]
pub(crate) fn sign_colors() -> BTreeMap<&'static str, String> {
    linkshift_plot::colors::of_signs().into_iter().collect()
}
