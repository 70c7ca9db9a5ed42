//! The glue between the core and Python: arrays in, arrays out, and nothing decided here.
//!
//! What a user sees is plain Python in `python/linkshift`; it calls the functions of this module,
//! `linkshift._core`, with checked arrays and with the estimator's parameters as a dictionary.

mod arrays;
mod ask;
mod baselines;
mod boosted;
mod cms;
mod errors;
mod kernel;
mod kmeans;
mod mean_shift;
mod model;
mod numbering;
mod run;
mod settings;
mod spectral;

use pyo3::prelude::*;

#[pymodule]
mod _core {
    #[pymodule_export]
    use super::arrays::{check_links, label_links};
    #[pymodule_export]
    use super::ask::PyAsker;
    #[pymodule_export]
    use super::baselines::{fit_cdbscan, fit_constrained_spectral};
    #[pymodule_export]
    use super::boosted::fit_boosted_mean_shift;
    #[pymodule_export]
    use super::cms::fit_constrained_mean_shift;
    #[pymodule_export]
    use super::kernel::fit_kernel_mean_shift;
    #[pymodule_export]
    use super::kmeans::fit_kmeans;
    #[pymodule_export]
    use super::mean_shift::fit_mean_shift;
    #[pymodule_export]
    use super::model::Model;
    #[pymodule_export]
    use super::numbering::keep_numbers;
    #[pymodule_export]
    use super::spectral::fit_spectral_mean_shift;
}
