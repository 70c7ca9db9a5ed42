//! Where climbing begins.

use super::params::MeanShiftParams;
use crate::error::{Error, Result};
use crate::points::Points;
use crate::real::Real;
use std::collections::BTreeMap;

/// The seeds, row by row.
pub(crate) fn plant<T: Real>(
    params: &MeanShiftParams,
    points: &Points<'_, T>,
    h: f64,
) -> Result<Vec<T>> {
    match &params.seeds {
        Some(values) => {
            let seeds: Vec<T> = values.iter().map(|&value| T::of(value)).collect();
            Points::new(seeds.as_slice(), points.n_features())?;
            Ok(seeds)
        }
        None if params.bin_seeding => bins(points, h, params.min_bin_freq),
        None => Ok(points.values().to_vec()),
    }
}

/// The corners of a grid of width `h` that are nearest to at least `min_bin_freq` points.
fn bins<T: Real>(points: &Points<'_, T>, h: f64, min_bin_freq: usize) -> Result<Vec<T>> {
    let mut counts: BTreeMap<Vec<i64>, usize> = BTreeMap::new();
    for row in points.rows() {
        let bin = row.iter().map(|value| (value.as_f64() / h).round_ties_even() as i64).collect();
        *counts.entry(bin).or_default() += 1;
    }
    let most = counts.values().copied().max().unwrap_or(0);
    let seeds: Vec<T> = counts
        .into_iter()
        .filter(|&(_, count)| count >= min_bin_freq)
        .flat_map(|(bin, _)| bin.into_iter().map(|index| T::of(index as f64 * h)))
        .collect();
    if seeds.is_empty() {
        let must = format!("at most {most}, the largest number of points in one bin");
        return Err(Error::param("min_bin_freq", min_bin_freq, must));
    }
    Ok(seeds)
}
