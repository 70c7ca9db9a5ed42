//! Small dense systems: as many rows as were asked about.

/// X of A·X = B for a symmetric positive definite A whose rows come and go, one at a time.
///
/// A⁻¹ is kept beside X. A row more or less changes both by the product of two vectors (the inverse by blocks), so
/// that it costs as much as looking at A once, not as inverting it.
#[derive(Debug, Clone, Default)]
pub(super) struct Solved {
    inverse: Vec<Vec<f64>>,
    x: Vec<Vec<f64>>,
    b: Vec<Vec<f64>>,
}

impl Solved {
    /// Element of A⁻¹.
    pub(super) fn inverse(&self, row: usize, col: usize) -> f64 {
        self.inverse[row][col]
    }

    /// A row of X.
    pub(super) fn x(&self, row: usize) -> &[f64] {
        &self.x[row]
    }

    /// Adds a row at the end of A, with its values for the rows before it and for itself, and of B.
    pub(super) fn add(&mut self, ties: &[f64], own: f64, b: Vec<f64>) {
        let mut reach = vec![0.0; ties.len()];
        for (row, &tie) in self.inverse.iter().zip(ties) {
            add_multiple(&mut reach, tie, row);
        }
        let left = own - ties.iter().zip(&reach).map(|(tie, reach)| tie * reach).sum::<f64>();
        let mut x = b.clone();
        for (of, &reach) in self.b.iter().zip(&reach) {
            add_multiple(&mut x, -reach, of);
        }
        x.iter_mut().for_each(|value| *value /= left);
        for ((row, of), &at) in self.inverse.iter_mut().zip(&mut self.x).zip(&reach) {
            add_multiple(row, at / left, &reach);
            row.push(-at / left);
            add_multiple(of, -at, &x);
        }
        self.inverse.push(reach.iter().map(|at| -at / left).chain([left.recip()]).collect());
        self.x.push(x);
        self.b.push(b);
    }

    /// Takes a row out; the last one takes its number.
    pub(super) fn remove(&mut self, at: usize) {
        let mut ties = self.inverse.swap_remove(at);
        let own = ties.swap_remove(at);
        let (b, mut x) = (self.b.swap_remove(at), self.x.swap_remove(at));
        add_multiple(&mut x, -own, &b);
        for ((row, of), &tie) in self.inverse.iter_mut().zip(&mut self.x).zip(&ties) {
            row.swap_remove(at);
            add_multiple(row, -tie / own, &ties);
            add_multiple(of, -tie, &b);
            add_multiple(of, -tie / own, &x);
        }
    }

    /// Adds to an element of B.
    pub(super) fn shift(&mut self, row: usize, col: usize, by: f64) {
        self.b[row][col] += by;
        for (of, tie) in self.x.iter_mut().zip(&self.inverse[row]) {
            of[col] += by * tie;
        }
    }

    /// Adds a column of noughts to B.
    pub(super) fn add_column(&mut self) {
        self.b.iter_mut().chain(&mut self.x).for_each(|row| row.push(0.0));
    }

    /// Takes a column of B out.
    pub(super) fn remove_column(&mut self, col: usize) {
        for row in self.b.iter_mut().chain(&mut self.x) {
            row.remove(col);
        }
    }
}

/// To each value so many times the other one.
fn add_multiple(values: &mut [f64], times: f64, others: &[f64]) {
    values.iter_mut().zip(others).for_each(|(value, other)| *value += times * other);
}

/// X of A·X = B for a symmetric positive definite n × n matrix A and an n × m matrix B.
pub(super) fn solve(mut a: Vec<f64>, mut b: Vec<f64>, n: usize, m: usize) -> Vec<f64> {
    for pivot in 0..n {
        let scale = a[pivot * n + pivot].recip();
        for row in pivot + 1..n {
            let factor = a[row * n + pivot] * scale;
            if factor == 0.0 {
                continue;
            }
            for col in pivot..n {
                a[row * n + col] -= factor * a[pivot * n + col];
            }
            for col in 0..m {
                b[row * m + col] -= factor * b[pivot * m + col];
            }
        }
    }
    for pivot in (0..n).rev() {
        for col in 0..m {
            let known: f64 = (pivot + 1..n).map(|at| a[pivot * n + at] * b[at * m + col]).sum();
            b[pivot * m + col] = (b[pivot * m + col] - known) / a[pivot * n + pivot];
        }
    }
    b
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(one: &[f64], other: &[f64]) -> bool {
        one.len() == other.len() && one.iter().zip(other).all(|(a, b)| (a - b).abs() < 1e-12)
    }

    #[test]
    fn a_solution_fits() {
        // Derived: 4·1 + 2·2 = 8 and 2·1 + 3·2 = 8.
        assert!(close(&solve(vec![4.0, 2.0, 2.0, 3.0], vec![8.0, 8.0], 2, 1), &[1.0, 2.0]));
    }

    #[test]
    fn rows_come_and_go() {
        let mut solved = Solved::default();
        solved.add(&[], 4.0, vec![8.0]);
        solved.add(&[2.0], 3.0, vec![8.0]);
        // Derived: [[4, 2], [2, 3]] has determinant 8 and the inverse [[3, −2], [−2, 4]] / 8.
        assert!(close(&solved.inverse[0], &[0.375, -0.25]));
        assert!(close(&solved.inverse[1], &[-0.25, 0.5]));
        assert!(close(&[solved.x(0)[0], solved.x(1)[0]], &[1.0, 2.0]));
        solved.add_column();
        solved.shift(1, 1, 8.0);
        assert!(close(solved.x(0), &[1.0, -2.0]));
        assert!(close(solved.x(1), &[2.0, 4.0]));
        solved.remove(0);
        // Derived: 3·x = 8 in both columns; the last row has taken the number of the first.
        assert!(close(solved.x(0), &[8.0 / 3.0, 8.0 / 3.0]));
        solved.remove_column(0);
        assert!(close(solved.x(0), &[8.0 / 3.0]));
    }
}
