//! Methods that the papers compare with and that are no part of the library.
//!
//! DBSCAN, k-means, mean shift, C-DBSCAN and the constrained relatives of k-means are in the core.
//! Average linkage is kodama's, which agrees with scikit-learn. OPTICS and the Gaussian mixture are
//! short versions of our own: the OPTICS of the two Rust crates that have one disagrees with
//! scikit-learn's (ARI .84 and less between them), and the mixture at hand stands on an older
//! `ndarray` and takes about ten times as long. LAC is in no crate.

pub(crate) mod average_linkage;
pub(crate) mod lac;
pub(crate) mod mixture;
pub(crate) mod optics;
