//! A matrix that is mostly zeros, row by row.

use rayon::prelude::*;

/// Rows that one thread multiplies at a time.
const ROWS: usize = 64;

/// Only the entries that are not zero.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sparse {
    /// Where each row begins, and the end of the last.
    starts: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
    n_columns: usize,
}

impl Sparse {
    /// From rows of columns with their values.
    pub(super) fn from_rows(rows: &[Vec<(u32, f64)>], n_columns: usize) -> Self {
        let ends = rows.iter().scan(0, |end, row| {
            *end += row.len();
            Some(*end)
        });
        let starts = std::iter::once(0).chain(ends).collect();
        let (columns, values) = rows.iter().flatten().copied().unzip();
        Self { starts, columns, values, n_columns }
    }

    pub(super) fn n_rows(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn n_columns(&self) -> usize {
        self.n_columns
    }

    /// The entries of one row.
    pub(super) fn row(&self, row: usize) -> impl Iterator<Item = (usize, f64)> {
        let range = self.starts[row]..self.starts[row + 1];
        let columns = self.columns[range.clone()].iter().map(|&column| column as usize);
        columns.zip(self.values[range].iter().copied())
    }

    /// Rows and columns exchanged.
    pub(super) fn transposed(&self) -> Self {
        let mut starts = vec![0; self.n_columns + 1];
        for &column in &self.columns {
            starts[column as usize + 1] += 1;
        }
        for column in 0..self.n_columns {
            starts[column + 1] += starts[column];
        }
        let mut next = starts.clone();
        let mut columns = vec![0; self.columns.len()];
        let mut values = vec![0.0; self.values.len()];
        for row in 0..self.n_rows() {
            for (column, value) in self.row(row) {
                columns[next[column]] = row as u32;
                values[next[column]] = value;
                next[column] += 1;
            }
        }
        Self { starts, columns, values, n_columns: self.n_rows() }
    }

    /// This matrix times a dense one with rows of `width` numbers. Every row of the product is one
    /// thread's, so that its sums have the same order for any number of threads.
    pub(super) fn times(&self, dense: &[f64], width: usize) -> Vec<f64> {
        let mut product = vec![0.0; self.n_rows() * width];
        product.par_chunks_mut(ROWS * width).enumerate().for_each(|(block, rows)| {
            for (at, sums) in rows.chunks_exact_mut(width).enumerate() {
                for (column, value) in self.row(block * ROWS + at) {
                    let line = &dense[column * width..][..width];
                    sums.iter_mut().zip(line).for_each(|(sum, x)| *sum += value * x);
                }
            }
        });
        product
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ( 1 0 2 ; 0 0 0 ; 0 3 0 )
    fn small() -> Sparse {
        Sparse::from_rows(&[vec![(0, 1.0), (2, 2.0)], vec![], vec![(1, 3.0)]], 3)
    }

    #[test]
    fn products_are_those_of_the_written_out_matrix() {
        // Derived by hand: (1·1 + 2·5, 1·2 + 2·6), zeros, (3·3, 3·4).
        let product = small().times(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 2);
        assert_eq!(product, [11.0, 14.0, 0.0, 0.0, 9.0, 12.0]);
    }

    #[test]
    fn transposing_twice_changes_nothing() {
        let transposed = small().transposed();
        assert_eq!(transposed.row(2).collect::<Vec<_>>(), [(0, 2.0)]);
        assert_eq!(transposed.transposed(), small());
    }
}
