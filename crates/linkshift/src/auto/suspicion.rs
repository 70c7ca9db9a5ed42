//! Which answers are probably wrong: links between the same two regions vote on each other.
//!
//! k-means cuts the points into regions, a few large ones and many small ones, several times over. All
//! links from region A to region B are about nearly the same pair of places, so a link is judged
//! by the others between its two regions: with m of them must-links and c cannot-links, and p what the
//! candidates that did not see it say, it is a must-link by ln((m + p) / (c + 1 − p)). No link has a
//! vote on itself. This holds out against wrong answers where a clustering that obeyed some of them
//! does not.
//!
//! That a link disagrees with its regions need not make it wrong: where classes overlap, right answers
//! disagree all the time. The difference is in all of them together. Wrong answers are as frequent
//! where the others are sure as elsewhere, right answers that disagree are found where nobody is sure. So
//! the log-odds that a link is wrong are a weighted sum of what speaks for it and of how often links
//! disagree: at all, among the half and the quarter of them about which regions are surest, and with
//! the candidates. The weights are logistic regressions over drawn sets and the even ones of
//! `benches/auto.rs`, where wrong answers were made by turning right ones round; among the drawn ones
//! are many in which points say little about classes. `--learn` prints them.
//!
//! In a second round candidates are asked again without the suspects, and links vote by how surely they
//! are right.

use crate::links::{Link, LinkKind};
use std::collections::HashMap;

/// Fewer links than this cannot be told apart from each other.
const FEWEST: usize = 20;

/// What speaks for a link (small regions, large regions), whether it is a must-link, and of the run the
/// logarithms of the shares of links that disagree (all, surer half, surest quarter, with candidates), of
/// the mean strength of votes and of the number of links, and the share of must-links.
pub(super) const N_SIGNS: usize = 10;

/// The weights of the signs and a constant, in the first round and in the second.
const WEIGHTS: [[f64; N_SIGNS + 1]; 2] = [
    [-0.81, -1.24, -0.11, 0.49, 0.56, -0.09, 0.19, 1.33, 0.77, 2.09, -6.53],
    [-0.79, -0.91, -0.34, 0.46, 0.51, -0.12, -0.04, 1.09, 0.47, 2.15, -5.24],
];

/// A confidence from which on an answer is as good as any other.
const AS_SAID: f64 = 0.95;

/// Shares of disagreement are never smaller, before their logarithm is taken.
const LEAST_SHARE: f64 = 0.02;

/// What is known when links are judged.
pub(super) struct Hearing<'a> {
    pub(super) links: &'a [Link],
    /// Labels by k-means, into small regions and into large ones.
    pub(super) regions: [Vec<&'a [i64]>; 2],
    /// The log-odds of a must-link by candidates that did not see the link; none if it follows from
    /// others.
    pub(super) unseen: Vec<Option<f64>>,
    /// Links that may not be doubted.
    pub(super) is_certain: &'a [bool],
}

impl Hearing<'_> {
    /// For each link how surely it is right, if `right` is what was believed before.
    pub(super) fn judge(&self, right: &[f64], round: usize) -> Vec<f64> {
        let n_judged = self.unseen.iter().flatten().count();
        if n_judged < FEWEST {
            return vec![1.0; self.links.len()];
        }
        let weights = &WEIGHTS[round.min(WEIGHTS.len() - 1)];
        let (constant, weights) = weights.split_last().expect("there is a constant");
        let judge = |(at, signs): (usize, [f64; N_SIGNS])| {
            if self.unseen[at].is_none() || self.is_certain[at] {
                return 1.0;
            }
            let sum: f64 = signs.iter().zip(weights).map(|(x, w)| x * w).sum();
            // Who says that an answer is doubtful is believed.
            let confidence = self.links[at].confidence.min(AS_SAID);
            let said = ((1.0 - confidence) / confidence).ln() - ((1.0 - AS_SAID) / AS_SAID).ln();
            1.0 / (1.0 + (sum + constant + said).exp())
        };
        self.signs(right).into_iter().enumerate().map(judge).collect()
    }

    /// For each link what tells whether it is wrong.
    pub(super) fn signs(&self, right: &[f64]) -> Vec<[f64; N_SIGNS]> {
        let of_kind = |at: usize| if self.links[at].kind == LinkKind::Must { 1.0 } else { -1.0 };
        let [small, large] = [0, 1].map(|size| {
            let mut votes = self.votes(&self.regions[size], right);
            votes.iter_mut().enumerate().for_each(|(at, vote)| *vote *= of_kind(at));
            votes
        });
        let is_judged = |at: &usize| self.unseen[*at].is_some();
        let judged: Vec<usize> = (0..self.links.len()).filter(is_judged).collect();
        let both = |at: usize| small[at] + large[at];
        let mut by_strength = judged.clone();
        by_strength.sort_by(|&a, &b| both(b).abs().total_cmp(&both(a).abs()));
        let n = judged.len().max(1) as f64;
        let disagree = |among: &[usize]| {
            let n_against = among.iter().filter(|&&at| both(at) < 0.0).count() as f64;
            (n_against / among.len().max(1) as f64 + LEAST_SHARE).ln()
        };
        let n_candidates_against =
            judged.iter().filter(|&&at| self.unseen[at].unwrap_or(0.0) * of_kind(at) < 0.0).count();
        let strength = judged.iter().map(|&at| both(at).abs()).sum::<f64>() / n;
        let n_must = self.links.iter().filter(|link| link.kind == LinkKind::Must).count() as f64;
        let of_run = [
            disagree(&by_strength),
            disagree(&by_strength[..by_strength.len().div_ceil(2)]),
            disagree(&by_strength[..by_strength.len().div_ceil(4)]),
            (n_candidates_against as f64 / n + LEAST_SHARE).ln(),
            strength.max(1e-3).ln(),
            n.ln(),
            n_must / self.links.len().max(1) as f64,
        ];
        let signs = |at: usize| {
            let is_must = f64::from(u8::from(of_kind(at) > 0.0));
            let mut signs = [0.0; N_SIGNS];
            signs[..3].copy_from_slice(&[small[at], large[at], is_must]);
            signs[3..].copy_from_slice(&of_run);
            signs
        };
        (0..self.links.len()).map(signs).collect()
    }

    /// The log-odds of a must-link by the other links between the same two regions, averaged over
    /// several ways to cut the points into regions.
    fn votes(&self, regions: &[&[i64]], right: &[f64]) -> Vec<f64> {
        let between = |labels: &[i64], link: &Link| {
            let (a, b) = (labels[link.a], labels[link.b]);
            (a.min(b), a.max(b))
        };
        let vote = |at: usize| match self.links[at].kind {
            LinkKind::Must => [right[at], 0.0],
            LinkKind::Cannot => [0.0, right[at]],
        };
        let mut sums = vec![0.0; self.links.len()];
        for labels in regions {
            let mut all: HashMap<(i64, i64), [f64; 2]> = HashMap::new();
            for (at, link) in self.links.iter().enumerate() {
                let [must, cannot] = vote(at);
                let votes = all.entry(between(labels, link)).or_default();
                *votes = [votes[0] + must, votes[1] + cannot];
            }
            for (at, link) in self.links.iter().enumerate() {
                let [must, cannot] = all[&between(labels, link)];
                let own = vote(at);
                // The candidates are one voice, and not quite sure of themselves.
                let said = 1.0 / (1.0 + (-self.unseen[at].unwrap_or(0.0) / 2.0).exp());
                let must = (must - own[0]).max(0.0) + said;
                let cannot = (cannot - own[1]).max(0.0) + 1.0 - said;
                sums[at] += (must / cannot).ln();
            }
        }
        sums.into_iter().map(|sum| sum / regions.len().max(1) as f64).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Six places, fifteen points in each, of which the even and the odd ones belong together.
    const PLACES: usize = 6;

    fn links(turned: &[usize]) -> Vec<Link> {
        let pairs = (0..240).map(|at| (at * 7 % 90, (at * 11 + 1 + at / 90) % 90));
        let link = |(at, (a, b)): (usize, (usize, usize))| {
            let together = (a % PLACES) % 2 == (b % PLACES) % 2;
            match together != turned.contains(&at) {
                true => Link::must(a, b),
                false => Link::cannot(a, b),
            }
        };
        pairs.filter(|(a, b)| a != b).enumerate().map(link).collect()
    }

    fn judged(links: &[Link], is_certain: &[bool]) -> Vec<f64> {
        let places: Vec<i64> = (0..90).map(|row| (row % PLACES) as i64).collect();
        let regions = [vec![&places[..]], vec![&places[..]]];
        let unseen = vec![Some(0.0); links.len()];
        Hearing { links, regions, unseen, is_certain }.judge(&vec![1.0; links.len()], 0)
    }

    #[test]
    fn a_link_is_judged_by_the_others_between_its_places() {
        // Derived: three must-links and a cannot-link between the same places. Of the others each
        // must-link sees 2 : 1, the cannot-link 3 : 0; half a voice is added on both sides.
        let links = [Link::must(0, 1), Link::must(0, 1), Link::must(0, 1), Link::cannot(0, 1)];
        let places = [0_i64, 1];
        let regions = [vec![&places[..]], Vec::new()];
        let hearing =
            Hearing { links: &links, regions, unseen: vec![None; 4], is_certain: &[false; 4] };
        let votes = hearing.votes(&hearing.regions[0], &[1.0; 4]);
        let expected = [2.5 / 1.5, 2.5 / 1.5, 2.5 / 1.5, 3.5 / 0.5_f64].map(f64::ln);
        assert!(votes.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{votes:?}");
    }

    #[test]
    fn turned_answers_are_found_and_right_ones_left_alone() {
        let turned = [3, 30, 57, 84, 111, 138, 165, 192, 219];
        let none = links(&[]);
        let no_doubt = judged(&none, &vec![false; none.len()]);
        assert!(no_doubt.iter().all(|&right| right > 0.5));
        let some = links(&turned);
        let right = judged(&some, &vec![false; some.len()]);
        let found: Vec<usize> = (0..some.len()).filter(|&at| right[at] < 0.5).collect();
        assert_eq!(found, turned);
    }

    #[test]
    fn what_is_certain_is_no_suspect_and_what_is_said_to_be_doubtful_is_one_sooner() {
        let turned = [3, 30, 57, 84, 111, 138, 165, 192, 219];
        let mut some = links(&turned);
        assert!(judged(&some, &vec![true; some.len()]).iter().all(|&right| right == 1.0));
        let before = judged(&some, &vec![false; some.len()])[5];
        some[5].confidence = 0.6;
        assert!(judged(&some, &vec![false; some.len()])[5] < before);
    }

    #[test]
    fn a_handful_of_links_has_no_suspects() {
        let few = links(&[3]);
        assert!(judged(&few[..10], &[false; 10]).iter().all(|&right| right == 1.0));
    }
}
