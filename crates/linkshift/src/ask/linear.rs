//! Small dense systems: as many rows as were asked about.

/// The inverse of a symmetric positive definite matrix, row by row.
pub(super) fn inverse(mut matrix: Vec<f64>, n: usize) -> Vec<f64> {
    for pivot in 0..n {
        let scale = matrix[pivot * n + pivot].recip();
        matrix[pivot * n + pivot] = 1.0;
        matrix[pivot * n..][..n].iter_mut().for_each(|value| *value *= scale);
        let row = matrix[pivot * n..][..n].to_vec();
        for other in (0..n).filter(|&other| other != pivot) {
            let target = &mut matrix[other * n..][..n];
            let factor = std::mem::replace(&mut target[pivot], 0.0);
            if factor != 0.0 {
                target.iter_mut().zip(&row).for_each(|(value, &of)| *value -= factor * of);
            }
        }
    }
    matrix
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

    #[test]
    fn an_inverse_undoes_and_a_solution_fits() {
        // Derived: [[4, 2], [2, 3]] has determinant 8 and the inverse [[3, −2], [−2, 4]] / 8.
        let matrix = vec![4.0, 2.0, 2.0, 3.0];
        let close =
            |one: &[f64], other: &[f64]| one.iter().zip(other).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(close(&inverse(matrix.clone(), 2), &[0.375, -0.25, -0.25, 0.5]));
        // Derived: 4·1 + 2·2 = 8 and 2·1 + 3·2 = 8.
        assert!(close(&solve(matrix, vec![8.0, 8.0], 2, 1), &[1.0, 2.0]));
    }
}
