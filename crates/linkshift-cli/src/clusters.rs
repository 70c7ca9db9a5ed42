//! The clusters that labels speak of.

use std::collections::BTreeMap;

/// More cluster sizes than this are counted, not listed.
const MOST_LISTED: usize = 10;

/// How many points there are in each cluster, and in none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Clusters {
    /// By the cluster's number.
    pub(crate) sizes: BTreeMap<i64, usize>,
    pub(crate) n_noise: usize,
}

impl Clusters {
    pub(crate) fn of(labels: &[i64]) -> Self {
        let mut clusters = Self::default();
        labels.iter().for_each(|&label| clusters.add(label));
        clusters
    }

    /// Counts one more point.
    pub(crate) fn add(&mut self, label: i64) {
        match label {
            0.. => *self.sizes.entry(label).or_insert(0) += 1,
            _ => self.n_noise += 1,
        }
    }

    /// How many clusters there are.
    pub(crate) fn count(&self) -> usize {
        self.sizes.len()
    }

    /// The number of clusters with their sizes, the largest first.
    pub(crate) fn line(&self) -> String {
        let mut sizes: Vec<usize> = self.sizes.values().copied().collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        let shown: Vec<String> = sizes.iter().take(MOST_LISTED).map(usize::to_string).collect();
        let shown = shown.join(", ");
        match sizes.len() {
            0 => "none".into(),
            n if n > MOST_LISTED => {
                format!("{n} (sizes {shown} and {} smaller)", n - MOST_LISTED)
            }
            n => format!("{n} (sizes {shown})"),
        }
    }

    /// The lines of a summary.
    pub(crate) fn lines(&self) -> Vec<(String, String)> {
        let mut lines = vec![("clusters".to_owned(), self.line())];
        if self.n_noise > 0 {
            lines.push(("noise".to_owned(), format!("{} points in no cluster", self.n_noise)));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_leave_noise_out() {
        let clusters = Clusters::of(&[7, -1, 3, 3]);
        assert_eq!(clusters.sizes, BTreeMap::from([(3, 2), (7, 1)]));
        assert_eq!((clusters.count(), clusters.n_noise), (2, 1));
        assert_eq!(clusters.line(), "2 (sizes 2, 1)");
    }

    #[test]
    fn many_sizes_are_counted_not_listed() {
        let labels: Vec<i64> = (1..=12).flat_map(|size| vec![size; size as usize]).collect();
        let line = "12 (sizes 12, 11, 10, 9, 8, 7, 6, 5, 4, 3 and 2 smaller)";
        assert_eq!(Clusters::of(&labels).line(), line);
    }
}
