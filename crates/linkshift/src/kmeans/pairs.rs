//! Links pair by pair, for MPCKMeans, where each costs by its own length.

use super::penalties::must_confidence;
use crate::links::{LinkClosure, LinkKind, Links};
use rand::seq::index;
use rand_chacha::ChaCha8Rng;

/// Two rows that belong together or apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pair {
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) kind: LinkKind,
    /// What the link counts, by its confidence.
    pub(super) weight: f64,
}

/// All pairs that the links imply; of a group, or of two groups apart, at most `cap`, drawn by
/// chance and counted up to what all would weigh. Returns the pairs and how many were left out.
pub(super) fn expand(
    links: &Links,
    closure: &LinkClosure,
    penalty: f64,
    cap: usize,
    rng: &mut ChaCha8Rng,
) -> (Vec<Pair>, u64) {
    let mut pairs = Vec::new();
    let mut left_out = 0;
    let sure = must_confidence(links, closure);
    let mut add = |kind, n_all: usize, weight: f64, pair_at: &dyn Fn(usize) -> (u32, u32)| {
        let kept = n_all.min(cap);
        left_out += (n_all - kept) as u64;
        let weight = weight * n_all as f64 / kept as f64;
        let mut push = |at| {
            let (a, b) = pair_at(at);
            pairs.push(Pair { a, b, kind, weight });
        };
        match kept == n_all {
            true => (0..n_all).for_each(&mut push),
            false => index::sample(rng, n_all, kept).into_iter().for_each(&mut push),
        }
    };
    for (group, sure) in sure.iter().enumerate() {
        let members = closure.members(group);
        let m = members.len();
        // Pair number `at`, of row i with row j < i, where i·(i−1)/2 pairs come before those of i.
        let pair_at = |at: usize| {
            let mut i = ((1.0 + (1.0 + 8.0 * at as f64).sqrt()) / 2.0) as usize;
            while i * (i - 1) / 2 > at {
                i -= 1;
            }
            while i * (i + 1) / 2 <= at {
                i += 1;
            }
            (members[at - i * (i - 1) / 2], members[i])
        };
        if m > 1 {
            add(LinkKind::Must, m * (m - 1) / 2, penalty * sure, &pair_at);
        }
    }
    for pair in closure.cannot_pairs() {
        let (a, b) = (closure.members(pair.a), closure.members(pair.b));
        let pair_at = |at: usize| (a[at / b.len()], b[at % b.len()]);
        add(LinkKind::Cannot, a.len() * b.len(), penalty * pair.confidence, &pair_at);
    }
    (pairs, left_out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn every_implied_pair_is_there_once() {
        // Derived: a group of 4 makes 6 must pairs, and 4 · 1 cannot pairs with row 4.
        let mut links = Links::from_pairs(&[], &[(2, 4)]);
        links.add_group(&[0, 1, 2, 3]);
        let closure = links.close(5).unwrap();
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        let (pairs, left_out) = expand(&links, &closure, 1.0, 100, &mut rng);
        let mut ends: Vec<_> =
            pairs.iter().map(|pair| (pair.a.min(pair.b), pair.a.max(pair.b))).collect();
        ends.sort_unstable();
        ends.dedup();
        assert_eq!((ends.len(), pairs.len(), left_out), (10, 10, 0));
        assert!(pairs.iter().all(|pair| (pair.kind == LinkKind::Cannot) == (pair.b == 4)));

        // Above the cap 3 of 6 pairs count twice, 3 of 4 count 4/3 times: the sum stays 10.
        let (pairs, left_out) = expand(&links, &closure, 1.0, 3, &mut rng);
        let total: f64 = pairs.iter().map(|pair| pair.weight).sum();
        assert_eq!((pairs.len(), left_out), (6, 4));
        assert!((total - 10.0).abs() < 1e-12);
    }
}
