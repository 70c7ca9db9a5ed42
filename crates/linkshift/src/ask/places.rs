//! Where each node that has its place is.

/// For each node its group, if it has one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Places {
    of: Vec<Option<u32>>,
    n_placed: usize,
}

impl Places {
    pub(super) fn none(n_nodes: usize) -> Self {
        Places { of: vec![None; n_nodes], n_placed: 0 }
    }

    pub(super) fn get(&self, node: usize) -> Option<usize> {
        self.of[node].map(|group| group as usize)
    }

    pub(super) fn set(&mut self, node: usize, group: Option<usize>) {
        let before = std::mem::replace(&mut self.of[node], group.map(|group| group as u32));
        self.n_placed += usize::from(group.is_some());
        self.n_placed -= usize::from(before.is_some());
    }

    pub(super) fn is_empty(&self) -> bool {
        self.n_placed == 0
    }

    /// The nodes that have a place, ascending, with their groups.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, usize)> {
        self.of.iter().enumerate().filter_map(|(node, group)| Some((node, (*group)? as usize)))
    }

    pub(super) fn n_groups(&self) -> usize {
        self.of.iter().flatten().max().map_or(0, |&last| last as usize + 1)
    }

    /// Numbers groups without gaps, in the order they had; gives their old numbers.
    pub(super) fn renumber(&mut self) -> Vec<usize> {
        let mut is_used = vec![false; self.n_groups()];
        self.iter().for_each(|(_, group)| is_used[group] = true);
        let used: Vec<usize> = (0..is_used.len()).filter(|&group| is_used[group]).collect();
        if used.len() < is_used.len() {
            for group in self.of.iter_mut().flatten() {
                *group = used.binary_search(&(*group as usize)).unwrap_or_default() as u32;
            }
        }
        used
    }
}
