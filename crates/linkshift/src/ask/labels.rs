//! Where each row belongs by now, and what share of pairs that is expected to get right.

use super::belief::{Belief, NEW, SHARPER};
use super::border::{Border, by_falling};
use super::settle::each_by_itself;
use crate::real::Real;
use crate::shared::relabel::number_by_first_member;
use std::collections::BTreeMap;

/// When so many rows for each community have their place, answers say more than communities: what is
/// still unheard then are parts of groups that nobody had to ask about, unless answers about a row there speak
/// against all groups. On every second set of the bench 1.5, 2 and never were level; 1 was too early.
const HEARD: f64 = 1.5;

/// For each node that answers are about and that has no place the chance of each group, and of a new one.
type Waiting = BTreeMap<usize, Vec<f64>>;

/// The communities in which no row has its place yet: for each community its number among them.
struct Unheard {
    number: Vec<Option<usize>>,
    count: usize,
}

impl<T: Real> Border<'_, '_, T> {
    /// For each node its label, numbered by first member, and the chance that it belongs there.
    ///
    /// Whom no answer has reached is labelled as the points alone suggest.
    pub(super) fn labels(&self) -> (Vec<i64>, Vec<f64>) {
        let (k, n) = (self.n_groups(), self.frame.n_nodes());
        if k == 0 {
            return (vec![0; n], vec![0.0; n]);
        }
        let state = &self.belief.state;
        let waiting = self.waiting();
        let unheard = self.unheard(&waiting);
        let communities = self.frame.communities(self.points);
        let mut raw = Vec::with_capacity(n);
        let mut sure = Vec::with_capacity(n);
        for (node, &community) in communities.iter().enumerate() {
            if let Some(group) = state.places.get(node) {
                raw.push(group as i64);
                sure.push(1.0 - state.error_rate);
                continue;
            }
            if let Some(placing) = waiting.get(&node) {
                let likeliest = by_falling(&placing[..k])[0];
                let (label, place) = match unheard.number[community] {
                    Some(number) if is_new(placing) => (k + number, k),
                    _ => (likeliest, likeliest),
                };
                raw.push(label as i64);
                sure.push(placing[place]);
                continue;
            }
            let chances = self.chances_of(node);
            if let Some(number) = unheard.number[community] {
                raw.push((k + number) as i64);
                sure.push(new_one(chances));
                continue;
            }
            let likeliest = by_falling(chances)[0];
            match chances[likeliest] > 0.0 {
                true => raw.push(likeliest as i64),
                false => raw.push(self.nearest_group(node) as i64),
            }
            sure.push(chances[likeliest]);
        }
        (number_by_first_member(&raw).0, sure)
    }

    /// The group of the nearest node that has its place.
    fn nearest_group(&self, node: usize) -> usize {
        let Belief { state, known, .. } = self.belief;
        let apart = |&other: &usize| self.frame.distance_sq(self.points, node, other);
        let nearest = known.nodes.iter().min_by(|a, b| apart(a).total_cmp(&apart(b)));
        nearest.and_then(|&node| state.places.get(node)).unwrap_or_default()
    }

    fn waiting(&self) -> Waiting {
        let Belief { state, heard, .. } = self.belief;
        let nodes = (0..self.frame.n_nodes())
            .filter(|&node| heard.about(node).len() > 0 && state.places.get(node).is_none());
        nodes.map(|node| (node, self.placing(node))).collect()
    }

    fn unheard(&self, waiting: &Waiting) -> Unheard {
        let communities = self.frame.communities(self.points);
        let n_communities = communities.iter().max().map_or(0, |&last| last + 1);
        let placed = &self.belief.known.nodes;
        let mut is_heard = vec![placed.len() as f64 >= HEARD * n_communities as f64; n_communities];
        let new = waiting.iter().filter(|(_, placing)| is_new(placing));
        new.for_each(|(&node, _)| is_heard[communities[node]] = false);
        placed.iter().for_each(|&node| is_heard[communities[node]] = true);
        let mut count = 0;
        let number = is_heard.into_iter().map(|is_heard| {
            (!is_heard).then(|| {
                count += 1;
                count - 1
            })
        });
        let number = number.collect();
        Unheard { number, count }
    }

    /// The share of pairs that the labels are expected to put rightly together or apart: a pair is one
    /// thing with the chance Σ qᵢ·qⱼ over the groups, those that the points alone suggest among them. Rows that
    /// have their place count by what speaks for it besides themselves.
    pub(super) fn share(&self) -> Option<f64> {
        let k = self.n_groups();
        if k == 0 {
            return None;
        }
        let weights = &self.frame.weights;
        let Belief { state, heard, known, .. } = self.belief;
        let unheard = self.unheard(&self.waiting());
        let communities = self.frame.communities(self.points);
        let placed = each_by_itself(state, heard, known);
        let n_labels = k + unheard.count;
        let mut sums = vec![0.0; n_labels * n_labels]; // by label, by group
        let mut sizes = vec![0.0; n_labels];
        for (node, &weight) in weights.iter().enumerate() {
            let place = state.places.get(node);
            let chances = self.chances_of(node);
            let suggested = unheard.number[communities[node]].map(|number| k + number);
            let label = place.or(suggested).unwrap_or_else(|| by_falling(chances)[0]);
            let to = &mut sums[label * n_labels..][..n_labels];
            sizes[label] += weight;
            let Some(by_itself) = &placed[node] else {
                let norm = all_sharp(chances);
                for (to, chance) in to.iter_mut().zip(chances) {
                    *to += weight * chance.powf(SHARPER) / norm;
                }
                if suggested.is_some() {
                    to[label] += weight * new_one(chances);
                }
                continue;
            };
            to.iter_mut().zip(&by_itself[..k]).for_each(|(to, chance)| *to += weight * chance);
            // Who is alone in its group is where it would be as the first of a new one.
            if known.groups[label].len() == 1 {
                to[label] += weight * by_itself[k];
            }
        }
        let total: f64 = weights.iter().sum();
        let rows = || sums.chunks_exact(n_labels).zip(&sizes).enumerate();
        let mut right = 0.0;
        for (one, (of_one, size)) in rows() {
            for (other, (of_other, other_size)) in rows() {
                let same: f64 = of_one.iter().zip(of_other).map(|(a, b)| a * b).sum();
                right += if one == other { same } else { size * other_size - same };
            }
        }
        Some((right / (total * total)).clamp(0.0, 1.0))
    }
}

/// Whether a new group is likelier than each known one.
fn is_new(placing: &[f64]) -> bool {
    by_falling(placing)[0] + 1 == placing.len()
}

/// The chance that a node is of a group that nobody has heard of.
fn new_one(chances: &[f64]) -> f64 {
    (missing(chances) * NEW).powf(SHARPER) / all_sharp(chances)
}

fn all_sharp(chances: &[f64]) -> f64 {
    let all = chances.iter().copied().chain([missing(chances) * NEW]);
    all.map(|chance| chance.powf(SHARPER)).sum::<f64>().max(f64::MIN_POSITIVE)
}

/// The walks that end at no known row.
fn missing(chances: &[f64]) -> f64 {
    (1.0 - chances.iter().sum::<f64>()).max(0.0)
}
