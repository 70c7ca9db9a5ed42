//! Texts and pictures as arrays of points.

use crate::arrays::rows;
use linkshift_features::FeatureError;
use linkshift_features::pictures::{Broken, column_names, read_pictures};
use linkshift_features::text::{TextParams, TextRecipe as Recipe};
use numpy::{PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::path::PathBuf;

/// A recipe as plain data, for pickling: what was set, terms, weights, basis.
type Parts<'py> = (Vec<u64>, Vec<String>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f32>>);

/// The features of pictures, which of the files they are, and of those that cannot be used which they
/// are, and why.
type Pictures<'py> = (Bound<'py, PyArray2<f32>>, Vec<usize>, Vec<(usize, String)>);

pub(crate) fn to_python(error: FeatureError) -> PyErr {
    match error {
        FeatureError::Core(error) => crate::errors::to_python(error),
        other => PyValueError::new_err(other.to_string()),
    }
}

/// What was learned from texts.
#[pyclass(frozen, module = "linkshift._core")]
pub(crate) struct TextRecipe(Recipe);

#[pymethods]
impl TextRecipe {
    /// Learns from texts; `settings` are the fields of the parameters in their order.
    #[staticmethod]
    fn fit(py: Python<'_>, texts: Vec<String>, settings: Vec<u64>) -> PyResult<Self> {
        let params = params(&settings)?;
        py.detach(|| Recipe::fit(&texts, &params)).map(Self).map_err(to_python)
    }

    /// The points of texts, and the rows without a known term.
    fn apply<'py>(
        &self,
        py: Python<'py>,
        texts: Vec<String>,
    ) -> PyResult<(Bound<'py, PyArray2<f32>>, Vec<usize>)> {
        let made = py.detach(|| self.0.apply::<f32, _>(&texts)).map_err(to_python)?;
        Ok((rows(py, &made.points)?, made.unknown_rows))
    }

    #[getter]
    fn n_columns(&self) -> usize {
        self.0.n_columns()
    }

    #[getter]
    fn terms(&self) -> Vec<String> {
        self.0.terms().to_vec()
    }

    /// All of it, for [`from_parts`](Self::from_parts).
    fn parts<'py>(&self, py: Python<'py>) -> Parts<'py> {
        let TextParams {
            n_columns,
            longest_phrase,
            shortest_piece,
            longest_piece,
            least_rows,
            most_terms,
            seed,
        } = *self.0.params();
        let counts =
            [n_columns, longest_phrase, shortest_piece, longest_piece, least_rows, most_terms];
        let settings = counts.into_iter().map(|count| count as u64).chain([seed]).collect();
        let weights = PyArray1::from_slice(py, self.0.weights());
        (settings, self.0.terms().to_vec(), weights, PyArray1::from_slice(py, self.0.basis()))
    }

    #[staticmethod]
    fn from_parts(
        settings: Vec<u64>,
        terms: Vec<String>,
        weights: PyReadonlyArray1<'_, f64>,
        basis: PyReadonlyArray1<'_, f32>,
    ) -> PyResult<Self> {
        let (weights, basis) = (weights.as_slice()?.to_vec(), basis.as_slice()?.to_vec());
        let recipe = Recipe::from_parts(params(&settings)?, terms, weights, basis);
        recipe.map(Self).map_err(to_python)
    }
}

fn params(settings: &[u64]) -> PyResult<TextParams> {
    let &[n_columns, longest_phrase, shortest_piece, longest_piece, least_rows, most_terms, seed] =
        settings
    else {
        return Err(PyValueError::new_err("the recipe is not whole: make it again"));
    };
    Ok(TextParams {
        n_columns: n_columns as usize,
        longest_phrase: longest_phrase as usize,
        shortest_piece: shortest_piece as usize,
        longest_piece: longest_piece as usize,
        least_rows: least_rows as usize,
        most_terms: most_terms as usize,
        seed,
    })
}

/// The features of picture files, which of them they are, and those that cannot be used.
#[pyfunction]
pub(crate) fn picture_features<'py>(
    py: Python<'py>,
    paths: Vec<PathBuf>,
    skip_bad: bool,
) -> PyResult<Pictures<'py>> {
    let broken = if skip_bad { Broken::Skip } else { Broken::Error };
    let made = py.detach(|| read_pictures::<f32, _>(&paths, broken)).map_err(to_python)?;
    let bad = made.broken.iter().map(|one| (one.row, one.problem.to_string())).collect();
    Ok((rows(py, &made.points)?, made.rows, bad))
}

/// What the features of pictures are called.
#[pyfunction]
pub(crate) fn picture_columns() -> Vec<String> {
    column_names()
}
