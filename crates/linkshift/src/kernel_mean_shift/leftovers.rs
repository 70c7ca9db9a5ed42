//! The end step for outliers: modes of a few points join the nearest mode in feature space.
//!
//! "Since we use variable bandwidth, the outliers converge to the nearest mode", says the paper. With
//! bandwidths that tell clusters apart in many directions they do not: nothing is near enough to
//! draw them, and each is its own mode. Here they go where the paper says, unless a cannot-link forbids it.

use crate::distance::distance_sq;
use crate::links::{LinkKind, Links};
use crate::mean_shift::modes::Modes;
use crate::points::Points;
use std::collections::BTreeSet;

/// Gives the ends of modes of at most `largest` points to the nearest larger mode.
pub(super) fn join(
    ends: &Points<'_, f64>,
    modes: &mut Modes,
    end_of_row: &[u32],
    links: &Links,
    largest: usize,
) {
    let mode_of = |row: usize| modes.of[end_of_row[row] as usize];
    let n_modes = modes.centers.len();
    let mut sizes = vec![0; n_modes];
    (0..end_of_row.len()).for_each(|row| sizes[mode_of(row)] += 1);
    let mut foes = vec![BTreeSet::new(); n_modes];
    for link in links.as_slice().iter().filter(|link| link.kind == LinkKind::Cannot) {
        let (a, b) = (mode_of(link.a), mode_of(link.b));
        foes[a].insert(b);
        foes[b].insert(a);
    }
    let place = |mode: usize| ends.row(modes.centers[mode]);
    let mut home: Vec<usize> = (0..n_modes).collect();
    for small in (0..n_modes).filter(|&mode| sizes[mode] <= largest) {
        let apart = |mode: usize| distance_sq(place(small), place(mode));
        let may_join = |&mode: &usize| sizes[mode] > largest && !foes[small].contains(&mode);
        let nearest = (0..n_modes)
            .filter(may_join)
            .map(|mode| (mode, apart(mode)))
            .min_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((mode, _)) = nearest {
            home[small] = mode;
            // Whoever is kept from a leftover is from now on kept from the mode it went to.
            for foe in foes[small].clone() {
                foes[foe].insert(mode);
                foes[mode].insert(foe);
            }
        }
    }
    modes.of.iter_mut().for_each(|mode| *mode = home[*mode]);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Modes at 0, 10, 4 and 5 on a line, of three, three, one and one points.
    fn joined(links: &Links, largest: usize) -> Vec<usize> {
        let ends = Points::new(vec![0.0, 10.0, 4.0, 5.5], 1).unwrap();
        let mut modes = Modes { centers: vec![0, 1, 2, 3], of: vec![0, 1, 2, 3] };
        join(&ends, &mut modes, &[0, 0, 0, 1, 1, 1, 2, 3], links, largest);
        modes.of
    }

    #[test]
    fn small_modes_join_the_nearest_large_one() {
        assert_eq!(joined(&Links::new(), 1), [0, 1, 0, 1]);
        assert_eq!(joined(&Links::new(), 0), [0, 1, 2, 3]);
        // All are small: there is nothing to join.
        assert_eq!(joined(&Links::new(), 3), [0, 1, 2, 3]);
    }

    #[test]
    fn no_cannot_link_is_broken_by_joining() {
        assert_eq!(joined(&Links::from_pairs(&[], &[(6, 0)]), 1), [0, 1, 1, 1]);
        assert_eq!(joined(&Links::from_pairs(&[], &[(6, 0), (6, 3)]), 1), [0, 1, 2, 1]);
        // The first goes to 0; the second may go to 1 only, and would without the link too. Kept from
        // 1 as well, it stays.
        assert_eq!(joined(&Links::from_pairs(&[], &[(6, 7), (7, 3)]), 1), [0, 1, 0, 3]);
    }
}
