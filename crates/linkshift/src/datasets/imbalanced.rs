//! A balanced set made unbalanced, to see whether a method minds.

use crate::error::{Error, Result};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rand_distr::Exp1;
use std::collections::BTreeMap;

/// `n` rows drawn without replacement so that some classes become rarer than others; ascending.
///
/// As in the constrained mean shift paper (section 5.4): the classes are put in a random order, a
/// row of the first class has the weight `retention`, one of the last the weight 1, and those
/// between are interpolated linearly. 1 draws all rows alike; 0.1 makes the first class about ten
/// times as rare as the last, until the larger ones run out of rows. A label of -1 is a class like
/// any other.
///
/// ```
/// let labels: Vec<i64> = (0..1_000).map(|row| row % 2).collect();
/// let rows = linkshift::datasets::imbalanced(&labels, 300, 0.1, 1)?;
/// let ones = rows.iter().filter(|&&row| labels[row] == 1).count();
/// assert!(ones < 60 || ones > 240);
/// # Ok::<(), linkshift::Error>(())
/// ```
pub fn imbalanced(labels: &[i64], n: usize, retention: f64, seed: u64) -> Result<Vec<usize>> {
    if n == 0 || n > labels.len() {
        let must = format!("at least 1 and at most {}, the number of rows", labels.len());
        return Err(Error::param("n", n, must));
    }
    if !(retention > 0.0 && retention <= 1.0) {
        return Err(Error::param("retention", retention, "above 0 and at most 1"));
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let weights = class_weights(labels, retention, &mut rng);
    // A race: a row arrives after an exponential time with its weight as rate. The first n to arrive
    // are distributed like n weighted draws, one after the other, without replacement.
    let mut arrivals: Vec<(f64, usize)> = labels
        .iter()
        .enumerate()
        .map(|(row, label)| (rng.sample::<f64, _>(Exp1) / weights[label], row))
        .collect();
    arrivals.select_nth_unstable_by(n - 1, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut rows: Vec<usize> = arrivals[..n].iter().map(|&(_, row)| row).collect();
    rows.sort_unstable();
    Ok(rows)
}

/// Weights from `retention` to 1 in equal steps, given to the classes in random order.
fn class_weights(labels: &[i64], retention: f64, rng: &mut ChaCha8Rng) -> BTreeMap<i64, f64> {
    let mut classes: Vec<i64> = labels.to_vec();
    classes.sort_unstable();
    classes.dedup();
    classes.shuffle(rng);
    let last = (classes.len() - 1).max(1) as f64;
    let weight = |place: usize| retention + (1.0 - retention) * place as f64 / last;
    classes.into_iter().enumerate().map(|(place, class)| (class, weight(place))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(n_classes: i64) -> Vec<i64> {
        (0..30_000).map(|row| row % n_classes).collect()
    }

    #[test]
    fn shares_follow_the_weights() {
        let labels = labels(3);
        let rows = imbalanced(&labels, 1_500, 0.1, 7).unwrap();
        let mut counts = [0.0; 3];
        rows.iter().for_each(|&row| counts[labels[row] as usize] += 1.0);
        counts.sort_by(f64::total_cmp);
        // Derived: weights 0.1, 0.55, 1 of 1.65 give 91, 500, 909 of 1,500 while few of the rows are
        // drawn (the larger classes thin out a little); sampling deviations 9, 18, 19.
        for (count, expected) in counts.iter().zip([91.0, 500.0, 909.0]) {
            assert!((count - expected).abs() < 0.1 * expected + 30.0, "{counts:?}");
        }
    }

    #[test]
    fn rows_are_different_and_ascending() {
        let rows = imbalanced(&labels(3), 20_000, 0.5, 1).unwrap();
        assert_eq!(rows.len(), 20_000);
        assert!(rows.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn all_rows_can_be_drawn() {
        assert_eq!(imbalanced(&[5, 5, -1], 3, 0.01, 1).unwrap(), [0, 1, 2]);
    }

    #[test]
    fn the_seed_decides_which_class_is_rare() {
        let labels = labels(2);
        let rare = |seed| {
            let rows = imbalanced(&labels, 1_000, 0.1, seed).unwrap();
            rows.iter().filter(|&&row| labels[row] == 0).count() < 500
        };
        assert!((0..20).any(rare) && !(0..20).all(rare));
        assert_eq!(rare(3), rare(3));
    }

    #[test]
    fn draws_that_cannot_be_are_refused() {
        for (n, retention) in [(0, 0.5), (4, 0.5), (2, 0.0), (2, 1.1), (2, f64::NAN)] {
            assert!(imbalanced(&[0, 1, 1], n, retention, 1).is_err());
        }
    }
}
