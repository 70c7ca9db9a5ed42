//! Fitted points that links hold elsewhere than they would go by themselves.

use crate::error::Result;
use crate::points::Points;
use crate::predictor::same_count;
use crate::real::Real;
use crate::shared::coincident::mix;
use rayon::prelude::*;
use std::collections::HashMap;

/// Points, known again by their values, and the labels that links gave them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Held<T> {
    /// Their values, row by row.
    pub values: Vec<T>,
    /// The label of each.
    pub labels: Vec<i64>,
}

impl<T: Real> Held<T> {
    /// These rows of the points, with their labels among all.
    pub(crate) fn of(points: &Points<'_, T>, labels: &[i64], rows: &[usize]) -> Self {
        let values = rows.iter().flat_map(|&row| points.row(row)).copied().collect();
        Self { values, labels: rows.iter().map(|&row| labels[row]).collect() }
    }

    /// Gives the points that are held their labels; of equal ones the first counts.
    pub(crate) fn apply(&self, points: &Points<'_, T>, labels: &mut [i64]) {
        if self.labels.is_empty() {
            return;
        }
        let d = points.n_features();
        // By a hash of the values, which needs no room for each row that is looked for.
        let mut held: HashMap<u64, Vec<usize>> = HashMap::new();
        for (at, row) in self.values.chunks_exact(d).enumerate() {
            held.entry(hash(row)).or_default().push(at);
        }
        labels.par_iter_mut().zip(points.values().par_chunks_exact(d)).with_min_len(1024).for_each(
            |(label, row)| {
                let Some(like) = held.get(&hash(row)) else { return };
                let equal = like.iter().find(|&&at| self.values[at * d..][..d] == *row);
                *label = equal.map_or(*label, |&at| self.labels[at]);
            },
        );
    }

    /// Fails if the values cannot be rows of one length.
    pub(crate) fn check_shape(&self) -> Result<()> {
        let n_features = self.values.len() / self.labels.len().max(1);
        self.check(n_features)
    }

    /// Fails if the parts do not fit each other.
    pub(crate) fn check(&self, n_features: usize) -> Result<()> {
        same_count("numbers of held points", self.values.len(), self.labels.len() * n_features)
    }
}

/// Equal rows have the same; −0 is 0.
fn hash<T: Real>(row: &[T]) -> u64 {
    row.iter().fold(0, |hash, value| mix(hash ^ (value.as_f64() + 0.0).to_bits()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_held_is_known_again_by_its_values() {
        let points = Points::new(vec![1.0, -0.0, 2.0, 5.0, 1.0, 0.0], 2).unwrap();
        let held = Held::of(&points, &[7, 4, 9], &[0, 2]);
        // The first and the third are equal: the first counts.
        let mut labels = [3, 4, 3];
        held.apply(&points, &mut labels);
        assert_eq!(labels, [7, 4, 7]);
        assert!(held.check(2).is_ok() && held.check(3).is_err());
    }
}
