//! The formulas literally: a dense matrix of all terms and its whole decomposition. Slow; the oracle
//! of the tests.

use super::params::TextParams;
use super::terms;
use faer::Mat;
use std::collections::BTreeMap;

/// TF-IDF of all texts as dense rows, and the terms that are its columns.
pub(super) fn weights(texts: &[&str], params: &TextParams) -> (Vec<String>, Vec<Vec<f64>>) {
    let counted: Vec<BTreeMap<String, f64>> = texts
        .iter()
        .map(|text| {
            let mut counts = BTreeMap::new();
            terms::for_each(text, params, |term| {
                *counts.entry(term.to_owned()).or_insert(0.0) += 1.0
            });
            counts
        })
        .collect();
    let mut n_texts: BTreeMap<String, f64> = BTreeMap::new();
    for term in counted.iter().flat_map(BTreeMap::keys) {
        *n_texts.entry(term.clone()).or_insert(0.0) += 1.0;
    }
    n_texts.retain(|_, count| *count >= params.least_rows as f64);
    let n = texts.len() as f64;
    let row = |counts: &BTreeMap<String, f64>| {
        let weight = |(term, n_t): (&String, &f64)| match counts.get(term) {
            Some(times) => (1.0 + times.ln()) * (((1.0 + n) / (1.0 + n_t)).ln() + 1.0),
            None => 0.0,
        };
        let mut row: Vec<f64> = n_texts.iter().map(weight).collect();
        for pieces in [false, true] {
            let own: Vec<usize> = n_texts
                .keys()
                .enumerate()
                .filter(|(_, term)| terms::is_piece(term) == pieces)
                .map(|(at, _)| at)
                .collect();
            let length = own.iter().map(|&at| row[at] * row[at]).sum::<f64>().sqrt();
            if length > 0.0 {
                own.iter().for_each(|&at| row[at] /= length);
            }
        }
        row
    };
    let rows = counted.iter().map(row).collect();
    (n_texts.into_keys().collect(), rows)
}

/// The rows times their leading right singular vectors, at length 1 (or zeros).
pub(super) fn points(rows: &[Vec<f64>], n_columns: usize) -> Vec<Vec<f64>> {
    let matrix = Mat::from_fn(rows.len(), rows[0].len(), |row, column| rows[row][column]);
    let svd = matrix.thin_svd().unwrap();
    let (u, s) = (svd.U(), svd.S().column_vector());
    let point = |row: usize| {
        let point: Vec<f64> = (0..n_columns).map(|at| u[(row, at)] * s[at]).collect();
        let length = point.iter().map(|x| x * x).sum::<f64>().sqrt();
        point.into_iter().map(|x| if length > 1e-12 { x / length } else { 0.0 }).collect()
    };
    (0..rows.len()).map(point).collect()
}
