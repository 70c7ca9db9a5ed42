//! What was learned from texts, and the points it makes of them and of others.

use super::params::TextParams;
use super::svd;
use super::vocabulary::Vocabulary;
use crate::error::{FeatureError, Result};
use linkshift::{Points, Real};
use rayon::prelude::*;

/// Terms, their weights and a basis: everything that a text becomes a point by.
///
/// The basis is kept in 32 bits, and the first texts go through it like all others, so that a text
/// has the same point whenever it comes.
#[derive(Debug, Clone, PartialEq)]
pub struct TextRecipe {
    params: TextParams,
    vocabulary: Vocabulary,
    /// A row for each term.
    basis: Vec<f32>,
    n_columns: usize,
}

/// Points made of texts.
#[derive(Debug, Clone, PartialEq)]
pub struct TextPoints<T: Real> {
    /// A row of length 1 for each text.
    pub points: Points<'static, T>,
    /// The texts that have no known term; their rows are zeros.
    pub unknown_rows: Vec<usize>,
}

impl TextRecipe {
    /// Learns from texts; [`apply`](Self::apply) makes points of them.
    pub fn fit<S: AsRef<str> + Sync>(texts: &[S], params: &TextParams) -> Result<Self> {
        params.check()?;
        let vocabulary = Vocabulary::count(texts, params)?;
        let rows = vocabulary.rows(texts, params);
        let basis = svd::right_vectors(&rows, params.n_columns, params.seed)?;
        Ok(Self {
            params: params.clone(),
            vocabulary,
            n_columns: basis.width,
            basis: basis.values.into_iter().map(|loading| loading as f32).collect(),
        })
    }

    /// A recipe from its parts, as another crate kept them.
    pub fn from_parts(
        params: TextParams,
        terms: Vec<String>,
        weights: Vec<f64>,
        basis: Vec<f32>,
    ) -> Result<Self> {
        params.check()?;
        let n_columns = basis.len().checked_div(terms.len()).unwrap_or(0);
        let parts = [
            ("terms", !terms.is_empty() && terms.is_sorted_by(|a, b| a < b)),
            ("weights", weights.len() == terms.len() && weights.iter().all(|w| w.is_finite())),
            ("basis", n_columns > 0 && basis.len() == n_columns * terms.len()),
            ("basis", basis.iter().all(|loading| loading.is_finite())),
        ];
        if let Some((part, _)) = parts.into_iter().find(|(_, whole)| !whole) {
            return Err(FeatureError::Recipe { part });
        }
        Ok(Self { params, vocabulary: Vocabulary::from_parts(terms, weights), basis, n_columns })
    }

    /// How texts are cut up, and all else that was set.
    pub fn params(&self) -> &TextParams {
        &self.params
    }

    /// The terms that count, in the order of their bytes; pieces of words begin with `~`.
    pub fn terms(&self) -> &[String] {
        self.vocabulary.terms()
    }

    /// The weight of each term: the rarer the larger.
    pub fn weights(&self) -> &[f64] {
        self.vocabulary.weights()
    }

    /// The basis: for each term one number per column.
    pub fn basis(&self) -> &[f32] {
        &self.basis
    }

    /// Columns of the points.
    pub fn n_columns(&self) -> usize {
        self.n_columns
    }

    /// The points of texts, the first ones or others.
    pub fn apply<T: Real, S: AsRef<str> + Sync>(&self, texts: &[S]) -> Result<TextPoints<T>> {
        let rows = self.vocabulary.rows(texts, &self.params);
        let point = |text: usize| {
            let mut sums = vec![0.0; self.n_columns];
            for (term, weight) in rows.row(text) {
                let loadings = &self.basis[term * self.n_columns..][..self.n_columns];
                sums.iter_mut().zip(loadings).for_each(|(sum, &x)| *sum += weight * f64::from(x));
            }
            let length = sums.iter().map(|x| x * x).sum::<f64>().sqrt();
            let unit = if length > 0.0 { length } else { 1.0 };
            sums.into_iter().map(|x| T::of(x / unit)).collect::<Vec<T>>()
        };
        let points: Vec<Vec<T>> = (0..texts.len()).into_par_iter().map(point).collect();
        let is_unknown = |&row: &usize| points[row].iter().all(|x| x.is_zero());
        let unknown_rows = (0..texts.len()).filter(is_unknown).collect();
        Ok(TextPoints { points: Points::new(points.concat(), self.n_columns)?, unknown_rows })
    }
}
