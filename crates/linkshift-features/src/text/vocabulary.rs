//! Which terms count, and how much.

use super::params::TextParams;
use super::sparse::Sparse;
use super::terms;
use crate::error::{FeatureError, Result};
use rayon::prelude::*;
use std::collections::HashMap;

/// Texts that one thread counts at a time.
const CHUNK: usize = 2_048;

/// The terms that count, each with its weight.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Vocabulary {
    /// In the order of their bytes.
    terms: Vec<String>,
    /// ln((1 + n)/(1 + n_t)) + 1 for each.
    weights: Vec<f64>,
    places: HashMap<String, u32>,
}

impl Vocabulary {
    /// Counts in how many texts each term occurs, and keeps those of enough texts.
    pub(super) fn count<S: AsRef<str> + Sync>(texts: &[S], params: &TextParams) -> Result<Self> {
        let mut kept: Vec<(String, u32)> = n_texts_of_terms(texts, params)
            .into_iter()
            .filter(|&(_, n_texts)| n_texts as usize >= params.least_rows)
            .collect();
        if kept.is_empty() {
            let (n_texts, least_rows) = (texts.len(), params.least_rows);
            return Err(FeatureError::NoTerms { n_texts, least_rows });
        }
        kept.par_sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        kept.truncate(params.most_terms);
        kept.par_sort_unstable();
        let n = texts.len() as f64;
        let weight = |n_texts: u32| ((1.0 + n) / (1.0 + f64::from(n_texts))).ln() + 1.0;
        let (terms, weights) = kept.into_iter().map(|(term, count)| (term, weight(count))).unzip();
        Ok(Self::from_parts(terms, weights))
    }

    pub(super) fn from_parts(terms: Vec<String>, weights: Vec<f64>) -> Self {
        let places = terms.iter().zip(0..).map(|(term, at)| (term.clone(), at)).collect();
        Self { terms, weights, places }
    }

    pub(super) fn terms(&self) -> &[String] {
        &self.terms
    }

    pub(super) fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// One row of weights for each text.
    pub(super) fn rows<S: AsRef<str> + Sync>(&self, texts: &[S], params: &TextParams) -> Sparse {
        let rows: Vec<Vec<(u32, f64)>> =
            texts.par_iter().map(|text| self.row(text.as_ref(), params)).collect();
        Sparse::from_rows(&rows, self.terms.len())
    }

    /// The known terms of a text, ascending, weighed; the words and the pieces have length 1 each.
    fn row(&self, text: &str, params: &TextParams) -> Vec<(u32, f64)> {
        let mut found: Vec<u32> = Vec::new();
        terms::for_each(text, params, |term| found.extend(self.places.get(term)));
        found.sort_unstable();
        let weigh = |times: &[u32]| {
            let term = times[0];
            (term, (1.0 + (times.len() as f64).ln()) * self.weights[term as usize])
        };
        let mut row: Vec<(u32, f64)> = found.chunk_by(|a, b| a == b).map(weigh).collect();
        let is_piece = |term: u32| terms::is_piece(&self.terms[term as usize]);
        for pieces in [false, true] {
            let own = |&&mut (term, _): &&mut (u32, f64)| is_piece(term) == pieces;
            let length_sq: f64 =
                row.iter_mut().filter(own).map(|(_, weight)| *weight * *weight).sum();
            let length = length_sq.sqrt();
            row.iter_mut().filter(own).for_each(|(_, weight)| *weight /= length);
        }
        row
    }
}

/// In how many texts each term occurs.
fn n_texts_of_terms<S: AsRef<str> + Sync>(
    texts: &[S],
    params: &TextParams,
) -> HashMap<String, u32> {
    let count_chunk = |chunk: &[S]| {
        // A term with the last text that had it, and the number of texts so far.
        let mut counts: HashMap<String, (usize, u32)> = HashMap::new();
        for (text, content) in chunk.iter().enumerate() {
            terms::for_each(content.as_ref(), params, |term| match counts.get_mut(term) {
                Some((last, count)) => {
                    *count += u32::from(*last != text);
                    *last = text;
                }
                None => {
                    counts.insert(term.to_owned(), (text, 1));
                }
            });
        }
        counts
    };
    let add = |mut all: HashMap<String, u32>, chunk: HashMap<String, (usize, u32)>| {
        for (term, (_, count)) in chunk {
            *all.entry(term).or_insert(0) += count;
        }
        all
    };
    // As many chunks as threads at a time, so that few counts are in memory; sums of whole numbers
    // are the same in any order.
    let width = CHUNK * rayon::current_num_threads();
    texts.chunks(width).fold(HashMap::new(), |all, part| {
        let counted: Vec<_> = part.par_chunks(CHUNK).map(count_chunk).collect();
        counted.into_iter().fold(all, add)
    })
}
