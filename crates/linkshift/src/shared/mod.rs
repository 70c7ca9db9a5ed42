//! What several methods have in common, and none of them owns.
//!
//! Each file is one idea that stands by itself; methods use these, and these use no method.

pub(crate) mod apart;
pub(crate) mod coincident;
pub(crate) mod coloring;
pub(crate) mod disjoint_sets;
pub(crate) mod eigen;
pub(crate) mod held;
pub(crate) mod lists;
pub(crate) mod means;
pub(crate) mod relabel;
pub(crate) mod representatives;
