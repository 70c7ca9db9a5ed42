//! The glue between the core and Python: arrays in, arrays out, and nothing decided here.
//!
//! What a user sees is plain Python in `python/linkshift`; it calls the functions of this module,
//! `linkshift._core`, with checked arrays and with what is set of a method as a dictionary. Methods
//! are found in the core's registry by name: a new one needs nothing here.

mod arrays;
mod ask;
mod autoencoder;
mod colors;
mod command;
mod errors;
mod features;
mod fit;
mod model;
mod numbering;
mod run;
mod studio;
mod table;
mod values;

use pyo3::pymodule;

#[pymodule]
mod _core {
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(_module: &Bound<'_, PyModule>) -> PyResult<()> {
        linkshift_io::silence_guarded_panics();
        Ok(())
    }

    #[pymodule_export]
    use super::arrays::{consistent_links, label_links};
    #[pymodule_export]
    use super::ask::PyAsker;
    #[pymodule_export]
    use super::autoencoder::Autoencoder;
    #[pymodule_export]
    use super::colors::{cluster_look, sign_colors};
    #[pymodule_export]
    use super::command::command;
    #[pymodule_export]
    use super::features::{TextRecipe, picture_columns, picture_features};
    #[pymodule_export]
    use super::fit::{draw, fit, fit_drawn};
    #[pymodule_export]
    use super::model::Model;
    #[pymodule_export]
    use super::numbering::keep_numbers;
    #[pymodule_export]
    use super::studio::PyStudio;
    #[pymodule_export]
    use super::table::methods;
}
