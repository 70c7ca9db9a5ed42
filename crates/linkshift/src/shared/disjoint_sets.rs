//! Union-find, with path halving and union by size.

/// A partition of 0..n into sets, at first one set for each.
pub(crate) struct DisjointSets {
    parent: Vec<u32>,
    size: Vec<u32>,
}

impl DisjointSets {
    /// `n` sets of one; `n` fits a `u32`.
    pub(crate) fn new(n: usize) -> Self {
        DisjointSets { parent: (0..n as u32).collect(), size: vec![1; n] }
    }

    /// The member that stands for the set of `item`.
    pub(crate) fn find(&mut self, item: usize) -> usize {
        let mut at = item as u32;
        while self.parent[at as usize] != at {
            let grandparent = self.parent[self.parent[at as usize] as usize];
            self.parent[at as usize] = grandparent;
            at = grandparent;
        }
        at as usize
    }

    /// Makes the sets of `a` and `b` one.
    pub(crate) fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return;
        }
        let (small, large) = if self.size[a] < self.size[b] { (a, b) } else { (b, a) };
        self.parent[small] = large as u32;
        self.size[large] += self.size[small];
    }
}
