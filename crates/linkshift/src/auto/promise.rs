//! How good the result probably is, from what became of links that were held back.
//!
//! A held-back link is a pair of points whose answer is known and was not used. The share of those that
//! the clusters agreed with is what to expect of other pairs, if the links are pairs like all
//! others; who asks about difficult pairs gets less promised than is true.

use super::core::Outcome;
use crate::links::Links;

/// Links that the prior is worth, and the share of them that agreed: the mean over the sets of
/// `benches/auto.rs`.
const WORTH: f64 = 4.0;
const USUAL: f64 = 0.85;

/// Answers of one set are alike: so many count like one that is on its own. With it nine in ten promises
/// hold on the even sets of `benches/auto.rs`.
const ALIKE: f64 = 6.0;

/// With all links fewer pairs are wrong than with two thirds of them: by this factor.
const FEWER_WRONG: f64 = 0.85;

/// Who is promised so much needs no more answers.
const ENOUGH: f64 = 0.95;

/// Standard deviations to either side that hold nine in ten.
const NINE_IN_TEN: f64 = 1.645;

/// The share of pairs of points that are rightly together or apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Promise {
    /// What to expect.
    pub share: f64,
    /// Nine times in ten it is at least this.
    pub low: f64,
    /// Nine times in ten it is at most this.
    pub high: f64,
}

/// What held-back links promise; `None` without any.
///
/// A suspect counts as much as it may be right after all: were suspects left out, right answers
/// that clusters fail to follow would not show.
pub(super) fn promise(outcomes: &[Outcome]) -> Option<Promise> {
    let n: f64 = outcomes.iter().map(|outcome| outcome.right).sum();
    let wrong = outcomes.iter().filter(|outcome| !outcome.agreed);
    let n_wrong: f64 = wrong.map(|outcome| outcome.right).sum();
    (n > 0.0).then(|| of_counts(n_wrong + WORTH * (1.0 - USUAL), n + WORTH))
}

/// What so many of so many wrong pairs promise.
fn of_counts(n_wrong: f64, n: f64) -> Promise {
    let wrong = FEWER_WRONG * n_wrong / n;
    let deviation = (wrong * (1.0 - wrong) * ALIKE / n).sqrt();
    let share = 1.0 - wrong;
    let (low, high) = (share - NINE_IN_TEN * deviation, share + NINE_IN_TEN * deviation);
    Promise { share, low: low.max(0.0), high: high.min(1.0) }
}

/// For each cluster the share of pairs with a point in it that are probably right, drawn to the
/// whole's where few links touch it.
pub(super) fn by_cluster(
    outcomes: &[Outcome],
    links: &Links,
    labels: &[i64],
    n_clusters: usize,
    whole: Promise,
) -> Vec<Promise> {
    let mut wrong = vec![WORTH * (1.0 - whole.share) / FEWER_WRONG; n_clusters];
    let mut all = vec![WORTH; n_clusters];
    for outcome in outcomes {
        let link = links.as_slice()[outcome.position];
        let (a, b) = (labels[link.a] as usize, labels[link.b] as usize);
        for cluster in if a == b { vec![a] } else { vec![a, b] } {
            all[cluster] += outcome.right;
            wrong[cluster] += if outcome.agreed { 0.0 } else { outcome.right };
        }
    }
    wrong.iter().zip(all).map(|(&wrong, all)| of_counts(wrong, all)).collect()
}

/// The clusters of which less can be promised than of most, and not enough, the least first.
pub(super) fn to_ask(by_cluster: &[Promise]) -> Vec<usize> {
    let sum: f64 = by_cluster.iter().map(|promise| promise.low).sum();
    let most = ENOUGH.min(sum / by_cluster.len().max(1) as f64);
    let is_doubtful = |&cluster: &usize| by_cluster[cluster].low < most;
    let mut doubtful: Vec<usize> = (0..by_cluster.len()).filter(is_doubtful).collect();
    doubtful.sort_by(|&a, &b| by_cluster[a].low.total_cmp(&by_cluster[b].low));
    doubtful
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clusters_of_which_least_is_promised_deserve_answers() {
        let of = |low: f64| Promise { share: low, low, high: 1.0 };
        // Derived: the mean of the lower ends is 0.7.
        assert_eq!(to_ask(&[of(0.9), of(0.6), of(0.8), of(0.5)]), [3, 1]);
        assert_eq!(to_ask(&[of(0.99), of(0.97)]), [0; 0]);
        assert_eq!(to_ask(&[]), [0; 0]);
    }

    #[test]
    fn without_held_back_links_nothing_is_promised() {
        assert_eq!(promise(&[]), None);
    }

    #[test]
    fn more_links_promise_more_exactly() {
        let outcome =
            |at: usize| Outcome { position: at, agreed: !at.is_multiple_of(10), right: 1.0 };
        let of = |n: usize| promise(&(0..n).map(outcome).collect::<Vec<_>>()).unwrap();
        let (few, many) = (of(20), of(2_000));
        // Derived: one in ten disagrees, and with all links 0.85 times as many: 0.915.
        assert!((many.share - 0.915).abs() < 1e-3, "{many:?}");
        assert!(many.high - many.low < 0.2 * (few.high - few.low));
        assert!(few.low < few.share && few.share < few.high && few.high <= 1.0);
    }
}
