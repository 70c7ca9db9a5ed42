//! Whether one candidate alone understood the links better than all of them together.
//!
//! The combination is judged as its candidates are: by held-back links. From the shares of must-links
//! and of cannot-links that an answer agrees with follows the adjusted Rand index that it would have if
//! the links were all pairs. A candidate is followed only if it is ahead by more than chance would bring
//! about: the best of several always looks a little better than it is.

use super::core::Outcome;
use crate::links::{Link, LinkKind, Links};
use std::collections::BTreeMap;

/// A candidate has to be ahead by this over the root of the number of must-links that were held back.
const MARGIN: f64 = 0.15;

/// By fewer held-back links than this nobody is followed alone: with ten links that cost .03 on average.
const FEWEST: f64 = 20.0;

/// Standard deviations that count as clear where the candidates are compared with label spreading: two were
/// not enough for links that were not drawn by chance.
const DEVIATIONS: f64 = 3.0;

/// Held-back links that an answer agrees with, and all of them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tally {
    /// Must-links, cannot-links.
    agreed: [f64; 2],
    all: [f64; 2],
}

impl Tally {
    /// Counts a link as much as it is surely right.
    pub(super) fn count(&mut self, link: &Link, agreed: bool, right: f64) {
        let at = usize::from(link.kind == LinkKind::Cannot);
        self.all[at] += right;
        self.agreed[at] += if agreed { right } else { 0.0 };
    }

    /// The adjusted Rand index if all pairs were like these links; shares drawn to a half as if one link
    /// of each kind had agreed and one had not.
    pub(super) fn ari(&self) -> f64 {
        let [same, apart] = [0, 1].map(|at| (self.agreed[at] + 1.0) / (self.all[at] + 2.0));
        let share = (self.all[0] + 1.0) / (self.all[0] + self.all[1] + 2.0);
        let (tp, fn_) = (share * same, share * (1.0 - same));
        let (tn, fp) = ((1.0 - share) * apart, (1.0 - share) * (1.0 - apart));
        2.0 * (tp * tn - fp * fn_) / ((tp + fn_) * (fn_ + tn) + (tp + fp) * (fp + tn))
    }
}

/// The answer to follow: the first, which is the combination, unless another is clearly ahead; `None` if
/// nothing was held back to tell.
pub(super) fn choose(tallies: &[Tally]) -> Option<usize> {
    let [n_must, n_cannot] = tallies.first().map_or([0.0; 2], |tally| tally.all);
    if n_must + n_cannot == 0.0 {
        return None;
    }
    if n_must + n_cannot < FEWEST {
        return Some(0);
    }
    let margin = MARGIN / n_must.max(1.0).sqrt();
    let mut best = (0, tallies.first().map_or(0.0, Tally::ari) + margin);
    for (at, tally) in tallies.iter().enumerate().skip(1) {
        if tally.ari() > best.1 {
            best = (at, tally.ari());
        }
    }
    Some(best.0)
}

/// Whether some answers agree with more held-back links than others do by three standard deviations of the
/// links that only one of them agrees with (McNemar's test), and with no fewer of either kind: who makes
/// many small clusters keeps cannot-links for nothing. Both were held to the same links.
pub(super) fn is_clearly_better(these: &[Outcome], those: &[Outcome], links: &Links) -> bool {
    let agreed: BTreeMap<usize, bool> =
        those.iter().map(|outcome| (outcome.position, outcome.agreed)).collect();
    // Must-links, cannot-links.
    let (mut gained, mut lost) = ([0.0; 2], [0.0; 2]);
    for outcome in these {
        let kind = usize::from(links.as_slice()[outcome.position].kind == LinkKind::Cannot);
        match (outcome.agreed, agreed.get(&outcome.position)) {
            (true, Some(false)) => gained[kind] += 1.0,
            (false, Some(true)) => lost[kind] += 1.0,
            _ => {}
        }
    }
    let (all_gained, all_lost): (f64, f64) = (gained.iter().sum(), lost.iter().sum());
    let is_no_worse = gained.iter().zip(&lost).all(|(gained, lost)| gained >= lost);
    is_no_worse && all_gained - all_lost > DEVIATIONS * (all_gained + all_lost).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many of a hundred must-links and of a hundred cannot-links agreed.
    fn tally(must: usize, cannot: usize, n: usize) -> Tally {
        let mut tally = Tally::default();
        for at in 0..n {
            tally.count(&Link::must(0, 1), at < must, 1.0);
            tally.count(&Link::cannot(0, 1), at < cannot, 1.0);
        }
        tally
    }

    #[test]
    fn shares_of_agreement_tell_the_adjusted_rand_index() {
        // Derived: with as many must-links as cannot-links and nine tenths of both agreed (of 98 + 2),
        // ARI = 2·(.45² − .05²) / (2·.5·.5) = .8.
        assert!((tally(89, 89, 98).ari() - 0.8).abs() < 1e-12);
        // Derived: who says the same of all pairs knows nothing.
        assert!(tally(98, 0, 98).ari().abs() < 0.05);
    }

    #[test]
    fn a_handful_of_links_does_not_make_an_answer_clearly_better() {
        let links: Links = (0..20).map(|at| Link::must(at, at + 1)).collect();
        let outcomes = |agreed: &dyn Fn(usize) -> bool| -> Vec<Outcome> {
            let of = |position| Outcome { position, agreed: agreed(position), right: 1.0 };
            (0..20).map(of).collect()
        };
        let none = outcomes(&|_| false);
        // Derived: 9 gained are not more than 3√9; 10 are more than 3√10 = 9.49.
        assert!(!is_clearly_better(&outcomes(&|at| at < 9), &none, &links));
        assert!(is_clearly_better(&outcomes(&|at| at < 10), &none, &links));
        // Who gains all must-links and loses cannot-links is not better.
        let mixed: Links = (0..20)
            .map(|at| if at < 18 { Link::must(at, at + 1) } else { Link::cannot(at, at + 1) })
            .collect();
        assert!(!is_clearly_better(&outcomes(&|at| at < 18), &outcomes(&|at| at >= 18), &mixed));
    }

    #[test]
    fn one_alone_is_followed_only_if_it_is_clearly_ahead() {
        let [all, better, far_better] = [tally(70, 70, 98), tally(70, 71, 98), tally(85, 85, 98)];
        assert_eq!(choose(&[all, better]), Some(0));
        assert_eq!(choose(&[all, better, far_better]), Some(2));
        assert_eq!(choose(&[tally(0, 0, 8), tally(8, 8, 8)]), Some(0));
        assert_eq!(choose(&[]), None);
    }
}
