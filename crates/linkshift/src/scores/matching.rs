//! The best one-to-one matching of rows to columns in a sparse table.
//!
//! The Hungarian method by shortest augmenting paths, on the non-empty cells only. The dense
//! solvers of the ecosystem need rows × columns numbers, 80 GB for 10⁵ clusters against 10⁵
//! classes; here memory is that of the cells. Each row is matched by one Dijkstra search that ends
//! at the first free column, so r rows cost at most O(r · cells · log cells), and far less when
//! most rows have a column of their own. The caller puts the smaller side in the rows.
//!
//! Slowest are many rows that all fit equally badly: 10⁶ points labelled at random in 10⁵ classes
//! and 10⁵ clusters take about two minutes, against half a second when 70 % of the labels are right.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The largest total of cells of which no two share a row or a column.
///
/// `cells` are (row, column, weight), ascending by row.
pub(super) fn best_total(cells: &[(usize, usize, u64)], n_rows: usize, n_cols: usize) -> u64 {
    Matching::best(cells, n_rows, n_cols).total()
}

/// The column of each row in the same matching, if it has one.
pub(crate) fn best_columns(
    cells: &[(usize, usize, u64)],
    n_rows: usize,
    n_cols: usize,
) -> Vec<Option<usize>> {
    let matching = Matching::best(cells, n_rows, n_cols);
    matching.col_of.iter().map(|&(col, _)| (col < n_cols).then_some(col)).collect()
}

const NOWHERE: usize = usize::MAX;

/// A matching of the rows so far, with prices that prove it is the best one.
///
/// For every cell: `row_price + col_price ≥ weight`, with equality where row and column are
/// matched; a column that was never matched has price 0. Their difference is the cell's *slack*.
/// Each row also has a column of its own that is worth 0 (number `n_cols + row`), which stands for
/// "unmatched".
struct Matching<'c> {
    cells: &'c [(usize, usize, u64)],
    /// Where the cells of each row begin; one more entry marks the end.
    starts: Vec<usize>,
    n_cols: usize,
    row_price: Vec<i64>,
    col_price: Vec<i64>,
    /// The row matched to each column.
    row_of: Vec<usize>,
    /// The column matched to each row, and the weight of that cell.
    col_of: Vec<(usize, i64)>,
    search: Search,
}

/// The state of one search, kept to be reused; only what a search touched is reset.
struct Search {
    /// Length of the shortest path found to each column.
    distance: Vec<i64>,
    /// The last step of that path: the row before the column, and the weight of the cell.
    before: Vec<(usize, i64)>,
    touched: Vec<usize>,
    /// Rows and columns whose distance is final, with that distance.
    done_rows: Vec<(usize, i64)>,
    done_cols: Vec<(usize, i64)>,
    blob: BinaryHeap<Reverse<(i64, usize)>>,
}

impl<'c> Matching<'c> {
    /// Of all rows.
    fn best(cells: &'c [(usize, usize, u64)], n_rows: usize, n_cols: usize) -> Self {
        let mut matching = Self::new(cells, n_rows, n_cols);
        (0..n_rows).for_each(|row| matching.add(row));
        matching
    }

    fn new(cells: &'c [(usize, usize, u64)], n_rows: usize, n_cols: usize) -> Self {
        let starts = (0..=n_rows).map(|row| cells.partition_point(|cell| cell.0 < row)).collect();
        let mut row_price = vec![0; n_rows];
        for &(row, _, weight) in cells {
            row_price[row] = row_price[row].max(weight as i64);
        }
        let n_all = n_cols + n_rows;
        Self {
            cells,
            starts,
            n_cols,
            row_price,
            col_price: vec![0; n_all],
            row_of: vec![NOWHERE; n_all],
            col_of: vec![(NOWHERE, 0); n_rows],
            search: Search {
                distance: vec![i64::MAX; n_all],
                before: vec![(NOWHERE, 0); n_all],
                touched: Vec::new(),
                done_rows: Vec::new(),
                done_cols: Vec::new(),
                blob: BinaryHeap::new(),
            },
        }
    }

    fn total(&self) -> u64 {
        self.col_of.iter().map(|&(_, weight)| weight as u64).sum()
    }

    /// Matches one more row, moving matched rows to other columns where that is better.
    fn add(&mut self, root: usize) {
        let (free, length) = self.nearest_free_column(root);
        self.reprice(length);
        self.augment(root, free);
        for &col in &self.search.touched {
            self.search.distance[col] = i64::MAX;
        }
    }

    /// Dijkstra by slack from `root` to the nearest free column, and how far that is.
    fn nearest_free_column(&mut self, root: usize) -> (usize, i64) {
        self.search.touched.clear();
        self.search.done_rows.clear();
        self.search.done_cols.clear();
        self.search.blob.clear();
        let mut nearest = (NOWHERE, i64::MAX);
        self.reach_from(root, 0, &mut nearest);
        while let Some(Reverse((distance, col))) = self.search.blob.pop() {
            if distance >= nearest.1 {
                break;
            }
            if distance == self.search.distance[col] {
                // Otherwise a shorter path to this column was found after this one.
                self.search.done_cols.push((col, distance));
                self.reach_from(self.row_of[col], distance, &mut nearest);
            }
        }
        nearest
    }

    /// Offers the columns of a row that was reached at `distance`; the row's own empty column is
    /// one of them, so that there is always a free one.
    fn reach_from(&mut self, row: usize, distance: i64, nearest: &mut (usize, i64)) {
        self.search.done_rows.push((row, distance));
        let cells = &self.cells[self.starts[row]..self.starts[row + 1]];
        let own = (self.n_cols + row, 0);
        for (col, weight) in cells.iter().map(|&(_, col, weight)| (col, weight as i64)).chain([own])
        {
            let reached = distance + self.row_price[row] + self.col_price[col] - weight;
            // No path as long as the shortest one known to a free column is worth remembering.
            if reached >= self.search.distance[col] || reached >= nearest.1 {
                continue;
            }
            self.search.distance[col] = reached;
            self.search.before[col] = (row, weight);
            self.search.touched.push(col);
            if self.row_of[col] == NOWHERE {
                *nearest = (col, reached);
            } else {
                self.search.blob.push(Reverse((reached, col)));
            }
        }
    }

    /// Makes every step of the shortest path tight and keeps every slack at 0 or more.
    fn reprice(&mut self, length: i64) {
        for &(row, distance) in &self.search.done_rows {
            self.row_price[row] -= length - distance;
        }
        for &(col, distance) in &self.search.done_cols {
            self.col_price[col] += length - distance;
        }
    }

    /// Walks the path back from its free end, giving each row the column after it.
    fn augment(&mut self, root: usize, free: usize) {
        let mut col = free;
        loop {
            let (row, weight) = self.search.before[col];
            let (next, _) = std::mem::replace(&mut self.col_of[row], (col, weight));
            self.row_of[col] = row;
            if row == root {
                return;
            }
            col = next;
        }
    }
}
