//! From log-odds between points to clusters: what belongs together most joins first.
//!
//! Average linkage: the evidence between two clusters is the mean over all pairs of their points.
//! Must-linked points begin as one cluster, clusters with a cannot-link between them never join, and
//! joining ends where the mean evidence falls below a cut, but not before there are few enough clusters: where
//! all evidence is weak every point would stay alone. O(m²) memory, and about as much time, for
//! m clusters in the beginning.

use crate::links::LinkClosure;

/// More clusters than this many times √n are too many, however weak the evidence is.
const MOST: f64 = 3.0;

/// No evidence is strong enough.
const NEVER: f32 = f32::NEG_INFINITY;

/// Labels by average linkage of an n × n matrix of evidence, down to `cut`.
pub(super) fn join(evidence: &[f32], closure: &LinkClosure, cut: f32) -> Vec<i64> {
    let n = closure.n_points();
    let cells = Cells::new(closure);
    let mut forest = Forest::new(evidence, closure, &cells);
    let most = (MOST * (n as f64).sqrt()) as usize;
    let mut n_left = cells.rows.len();
    while let Some((a, b)) = forest.strongest(if n_left > most { f32::MIN } else { cut }) {
        forest.join(a, b);
        n_left -= 1;
    }
    (0..n).map(|row| forest.root(cells.of[row]) as i64).collect()
}

/// Points that are together before anything else is known.
pub(super) struct Cells {
    /// Point → its cell.
    pub(super) of: Vec<usize>,
    /// The points of each cell.
    pub(super) rows: Vec<Vec<u32>>,
}

impl Cells {
    pub(super) fn new(closure: &LinkClosure) -> Self {
        let n = closure.n_points();
        let (mut of, mut rows) = (vec![usize::MAX; n], Vec::new());
        for row in 0..n {
            if of[row] == usize::MAX {
                let group = closure.group_of(row);
                let together = group.map_or(vec![row as u32], |at| closure.members(at).to_vec());
                together.iter().for_each(|&row| of[row as usize] = rows.len());
                rows.push(together);
            }
        }
        Self { of, rows }
    }
}

struct Forest {
    n: usize,
    /// Mean evidence between clusters; rows of clusters that are gone are stale.
    mean: Vec<f32>,
    size: Vec<f32>,
    is_there: Vec<bool>,
    parent: Vec<usize>,
    /// For each cluster the one it belongs with most, and how much.
    best: Vec<(f32, usize)>,
}

impl Forest {
    fn new(evidence: &[f32], closure: &LinkClosure, cells: &Cells) -> Self {
        let (n_points, n) = (closure.n_points(), cells.rows.len());
        let mut mean = vec![0.0_f32; n * n];
        for (row, of_row) in evidence.chunks_exact(n_points).enumerate() {
            let to = &mut mean[cells.of[row] * n..][..n];
            of_row.iter().zip(&cells.of).for_each(|(value, &cell)| to[cell] += value);
        }
        let size: Vec<f32> = cells.rows.iter().map(|rows| rows.len() as f32).collect();
        for (of_cell, own) in mean.chunks_exact_mut(n).zip(&size) {
            of_cell.iter_mut().zip(&size).for_each(|(sum, other)| *sum /= own * other);
        }
        for pair in closure.cannot_pairs() {
            let cell = |group: usize| cells.of[closure.members(group)[0] as usize];
            let (a, b) = (cell(pair.a), cell(pair.b));
            mean[a * n + b] = NEVER;
            mean[b * n + a] = NEVER;
        }
        let mut forest = Self {
            n,
            mean,
            size,
            is_there: vec![true; n],
            parent: (0..n).collect(),
            best: Vec::new(),
        };
        forest.best = (0..n).map(|cluster| forest.best_of(cluster)).collect();
        forest
    }

    fn best_of(&self, cluster: usize) -> (f32, usize) {
        let mut best = (NEVER, usize::MAX);
        for (other, &mean) in self.mean[cluster * self.n..][..self.n].iter().enumerate() {
            if mean > best.0 && self.is_there[other] && other != cluster {
                best = (mean, other);
            }
        }
        best
    }

    /// The two clusters that belong together most, if the evidence is no weaker than the cut.
    fn strongest(&self, cut: f32) -> Option<(usize, usize)> {
        let mut strongest = (NEVER, usize::MAX);
        for (cluster, best) in self.best.iter().enumerate() {
            if self.is_there[cluster] && best.0 > strongest.0 {
                strongest = (best.0, cluster);
            }
        }
        let (mean, a) = strongest;
        (a != usize::MAX && mean >= cut).then(|| {
            let b = self.best[a].1;
            (a.min(b), a.max(b))
        })
    }

    /// Cluster b becomes part of a.
    fn join(&mut self, a: usize, b: usize) {
        let n = self.n;
        let (of_a, of_b) = (self.size[a], self.size[b]);
        self.is_there[b] = false;
        self.parent[b] = a;
        for other in (0..n).filter(|&other| other != a) {
            if self.is_there[other] {
                let sum = of_a * self.mean[a * n + other] + of_b * self.mean[b * n + other];
                self.mean[a * n + other] = sum / (of_a + of_b);
                self.mean[other * n + a] = sum / (of_a + of_b);
            }
        }
        self.size[a] += of_b;
        self.best[a] = self.best_of(a);
        for other in (0..n).filter(|&other| other != a) {
            if !self.is_there[other] {
                continue;
            }
            let (mean, with) = self.best[other];
            if with == a || with == b {
                self.best[other] = self.best_of(other);
            } else if self.mean[other * n + a] > mean {
                self.best[other] = (self.mean[other * n + a], a);
            }
        }
    }

    fn root(&self, mut cluster: usize) -> usize {
        while self.parent[cluster] != cluster {
            cluster = self.parent[cluster];
        }
        cluster
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::links::Links;

    /// Four points: 0–1 and 2–3 belong together, 1–2 a little.
    fn evidence() -> Vec<f32> {
        #[rustfmt::skip]
        let all = vec![
            0.0,  3.0, -1.0, -2.0,
            3.0,  0.0,  1.0, -1.0,
           -1.0,  1.0,  0.0,  2.0,
           -2.0, -1.0,  2.0,  0.0,
        ];
        all
    }

    #[test]
    fn joining_ends_where_the_mean_evidence_falls_below_the_cut() {
        // Derived: between {0, 1} and {2, 3} the mean is (−1 − 2 + 1 − 1) / 4 = −0.75.
        let none = LinkClosure::none(4);
        assert_eq!(join(&evidence(), &none, 0.0), [0, 0, 2, 2]);
        assert_eq!(join(&evidence(), &none, -0.75), [0; 4]);
        assert_eq!(join(&evidence(), &none, 2.5), [0, 0, 2, 3]);
    }

    #[test]
    fn weak_evidence_does_not_leave_every_point_alone() {
        // Derived: of a hundred points 3·√100 = 30 clusters are left.
        let labels = join(&[-5.0; 10_000], &LinkClosure::none(100), 0.0);
        let clusters: std::collections::HashSet<i64> = labels.into_iter().collect();
        assert_eq!(clusters.len(), 30);
    }

    #[test]
    fn links_bind_whatever_the_evidence() {
        let links = Links::from_pairs(&[(0, 3)], &[(2, 3)]).close(4).unwrap();
        // Derived: {0, 3} and 1: (3 − 1) / 2 = 1, as between 1 and 2; 2 must stay apart from 3.
        let labels = join(&evidence(), &links, -9.0);
        assert!(labels[0] == labels[3] && labels[2] != labels[3]);
    }
}
