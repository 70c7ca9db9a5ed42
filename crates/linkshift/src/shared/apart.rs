//! Sets that grow together, except where somebody said that they belong apart.

use crate::shared::disjoint_sets::DisjointSets;

/// A partition of 0..n in which some items have foes that they may never share a set with.
pub(crate) struct ApartSets {
    sets: DisjointSets,
    /// By the member that stands for a set: the foes of all its members.
    foes: Vec<Vec<u32>>,
    n_sets: usize,
}

impl ApartSets {
    pub(crate) fn new(n: usize) -> Self {
        Self { sets: DisjointSets::new(n), foes: vec![Vec::new(); n], n_sets: n }
    }

    /// From now on the sets of `a` and `b` stay apart; says nothing if they are one already.
    pub(crate) fn part(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            self.foes[a].push(b as u32);
            self.foes[b].push(a as u32);
        }
    }

    /// Whether the two are in sets that must stay apart.
    pub(crate) fn are_apart(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        let (few, other) = if self.foes[a].len() <= self.foes[b].len() { (a, b) } else { (b, a) };
        let foes = std::mem::take(&mut self.foes[few]);
        let apart = foes.iter().any(|&foe| self.sets.find(foe as usize) == other);
        self.foes[few] = foes;
        apart
    }

    /// Makes the two sets one, unless they are already or must stay apart. Returns whether it did.
    pub(crate) fn try_join(&mut self, a: usize, b: usize) -> bool {
        if self.find(a) == self.find(b) || self.are_apart(a, b) {
            return false;
        }
        let (old_a, old_b) = (self.find(a), self.find(b));
        self.sets.join(a, b);
        let new = self.find(a);
        let gone = if new == old_a { old_b } else { old_a };
        let foes = std::mem::take(&mut self.foes[gone]);
        self.foes[new].extend(foes);
        self.n_sets -= 1;
        true
    }

    /// The member that stands for the set of `item`.
    pub(crate) fn find(&mut self, item: usize) -> usize {
        self.sets.find(item)
    }

    pub(crate) fn n_sets(&self) -> usize {
        self.n_sets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foes_never_meet_not_even_through_others() {
        let mut sets = ApartSets::new(5);
        sets.part(0, 4);
        assert!(sets.try_join(0, 1) && sets.try_join(3, 4) && sets.try_join(1, 2));
        assert!(!sets.try_join(2, 3), "2 is with 0, 3 with its foe 4");
        assert!(!sets.try_join(0, 2), "they are one already");
        assert_eq!(sets.n_sets(), 2);
    }
}
