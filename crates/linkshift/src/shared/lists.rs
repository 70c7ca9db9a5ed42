//! Many short lists in one piece of memory.

/// Lists numbered from 0, stored one after the other.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Lists<T> {
    /// List i is `items[starts[i]..starts[i + 1]]`.
    starts: Vec<usize>,
    items: Vec<T>,
}

impl<T: Copy> Lists<T> {
    /// Deals each item to the list named beside it; the order within a list is the order given.
    ///
    /// The entries are walked twice, to count and to fill.
    pub(crate) fn new(n_lists: usize, entries: impl Iterator<Item = (usize, T)> + Clone) -> Self {
        let mut starts = vec![0; n_lists + 1];
        let Some((_, any_item)) = entries.clone().next() else {
            return Lists { starts, items: Vec::new() };
        };
        for (list, _) in entries.clone() {
            starts[list + 1] += 1;
        }
        for list in 0..n_lists {
            starts[list + 1] += starts[list];
        }
        let mut items = vec![any_item; starts[n_lists]];
        let mut next = starts.clone();
        for (list, item) in entries {
            items[next[list]] = item;
            next[list] += 1;
        }
        Lists { starts, items }
    }

    /// How many lists there are, empty ones counted.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// One list.
    pub(crate) fn get(&self, list: usize) -> &[T] {
        &self.items[self.starts[list]..self.starts[list + 1]]
    }
}
