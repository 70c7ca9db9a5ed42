//! Modes that links join: where among the linked points behind two modes more pairs must be together
//! than cannot.
//!
//! Modes are joined one pair after another, those first that agree most for their number of linked
//! points; a larger set has more to say, so agreement is counted anew each time.

use crate::links::LinkClosure;
use crate::mean_shift::modes::Modes;
use std::collections::{BTreeMap, BTreeSet};

/// How many points of each group of linked points are behind a mode.
type Voices = BTreeMap<usize, f64>;

/// Gives modes that links join the number of one of them.
pub(super) fn join(modes: &mut Modes, end_of_row: &[u32], closure: &LinkClosure) {
    let n_modes = modes.centers.len();
    let mut voices = vec![Voices::new(); n_modes];
    for group in 0..closure.n_groups() {
        for &row in closure.members(group) {
            let mode = modes.of[end_of_row[row as usize] as usize];
            *voices[mode].entry(group).or_insert(0.0) += 1.0;
        }
    }
    let mut home: Vec<usize> = (0..n_modes).collect();
    while let Some((kept, gone)) = most_agreed(&voices, closure) {
        for (group, count) in std::mem::take(&mut voices[gone]) {
            *voices[kept].entry(group).or_insert(0.0) += count;
        }
        home.iter_mut().filter(|home| **home == gone).for_each(|home| *home = kept);
    }
    modes.of.iter_mut().for_each(|mode| *mode = home[*mode]);
}

/// The two modes that agree most, if any two agree: they share a group, or nothing speaks for them.
fn most_agreed(voices: &[Voices], closure: &LinkClosure) -> Option<(usize, usize)> {
    let mut modes_of_group: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (mode, groups) in voices.iter().enumerate() {
        groups.keys().for_each(|&group| modes_of_group.entry(group).or_default().push(mode));
    }
    let mut pairs = BTreeSet::new();
    for modes in modes_of_group.values() {
        for (at, &a) in modes.iter().enumerate() {
            pairs.extend(modes[at + 1..].iter().map(|&b| (a, b)));
        }
    }
    let mut best = (0.0, None);
    for (a, b) in pairs {
        let agreement = agreement(&voices[a], &voices[b], closure);
        if agreement > best.0 {
            best = (agreement, Some((a, b)));
        }
    }
    best.1
}

/// The share of the pairs of linked points, one of each mode, that must be together, less the share
/// of those that cannot.
fn agreement(a: &Voices, b: &Voices, closure: &LinkClosure) -> f64 {
    let theirs = |group: usize| b.get(&group).copied().unwrap_or(0.0);
    let of_group = |(&group, &count): (&usize, &f64)| {
        let apart = closure.cannot_groups_of(group).iter();
        let against: f64 = apart.map(|other| other.confidence * theirs(other.group)).sum();
        count * (theirs(group) - against)
    };
    let n_pairs = a.values().sum::<f64>() * b.values().sum::<f64>();
    a.iter().map(of_group).sum::<f64>() / n_pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::links::Links;

    /// Six rows, two at each of three modes.
    fn joined(must: &[(usize, usize)], cannot: &[(usize, usize)]) -> Vec<usize> {
        let mut modes = Modes { centers: vec![0, 1, 2], of: vec![0, 1, 2] };
        let closure = Links::from_pairs(must, cannot).close(6).unwrap();
        join(&mut modes, &[0, 0, 1, 1, 2, 2], &closure);
        modes.of
    }

    #[test]
    fn modes_are_joined_where_most_links_say_so() {
        assert_eq!(joined(&[], &[]), [0, 1, 2]);
        assert_eq!(joined(&[(0, 2)], &[]), [0, 0, 2]);
        // Derived: 0–2 speaks for it, 1–3 against it: as many for as against.
        assert_eq!(joined(&[(0, 2)], &[(1, 3)]), [0, 1, 2]);
        assert_eq!(joined(&[(0, 2), (2, 4)], &[]), [0, 0, 0]);
    }
}
