//! A mixture of Gaussians by expectation maximisation, begun at k-means.
//!
//! Each component has a full covariance, with [`RIDGE`] on its diagonal so that it can be inverted
//! where there are fewer points than columns. As scikit-learn does, which the paper does not say.

use linkshift::kmeans::{KMeans, KMeansParams};
use linkshift::{Links, Points, Result};
use rayon::prelude::*;

/// Added to the variances.
const RIDGE: f64 = 1e-6;
/// Iterations at the most.
const MAX_ITER: usize = 100;
/// The mean log-likelihood of a point has arrived when it gains less than this.
const TOLERANCE: f64 = 1e-3;

/// One Gaussian.
struct Component {
    log_share: f64,
    mean: Vec<f64>,
    /// The lower triangle L of its covariance L·Lᵀ, row by row.
    root: Vec<f64>,
}

/// The likeliest component of each point.
pub(crate) fn fit(points: &Points<'_, f64>, n_components: usize, seed: u64) -> Result<Vec<i64>> {
    let begin = KMeansParams { seed, n_init: 1, ..KMeansParams::of(n_components) };
    let begin = KMeans::new(begin)?.fit(points, &Links::new())?;
    let mut shares: Vec<Vec<f64>> = begin
        .labels()
        .iter()
        .map(|&label| (0..n_components as i64).map(|k| f64::from(u8::from(k == label))).collect())
        .collect();
    let mut last = f64::NEG_INFINITY;
    for _ in 0..MAX_ITER {
        let components: Vec<Component> =
            (0..n_components).into_par_iter().map(|k| maximise(points, &shares, k)).collect();
        let (likelihoods, expected): (Vec<f64>, Vec<Vec<f64>>) = points
            .values()
            .par_chunks_exact(points.n_features())
            .map(|row| expect(row, &components))
            .unzip();
        shares = expected;
        let mean = likelihoods.iter().sum::<f64>() / points.n_points() as f64;
        if mean - last < TOLERANCE {
            break;
        }
        last = mean;
    }
    let likeliest = |shares: &Vec<f64>| {
        let by_share = |&a: &usize, &b: &usize| shares[a].total_cmp(&shares[b]);
        (0..n_components).max_by(by_share).unwrap_or(0) as i64
    };
    Ok(shares.iter().map(likeliest).collect())
}

/// The component that fits best to the points by their shares in it.
fn maximise(points: &Points<'_, f64>, shares: &[Vec<f64>], component: usize) -> Component {
    let d = points.n_features();
    let mut total = f64::MIN_POSITIVE; // a component may lose all its points
    let mut mean = vec![0.0; d];
    for (row, shares) in points.rows().zip(shares) {
        let share = shares[component];
        total += share;
        mean.iter_mut().zip(row).for_each(|(sum, value)| *sum += share * value);
    }
    mean.iter_mut().for_each(|sum| *sum /= total);
    let mut covariance = vec![0.0; d * d];
    let mut away = vec![0.0; d];
    for (row, shares) in points.rows().zip(shares) {
        let share = shares[component] / total;
        if share < 1e-12 {
            continue;
        }
        away.iter_mut().zip(row.iter().zip(&mean)).for_each(|(away, (x, mean))| *away = x - mean);
        for a in 0..d {
            let scaled = share * away[a];
            let line = &mut covariance[a * d..=a * d + a];
            line.iter_mut().zip(&away).for_each(|(sum, away)| *sum += scaled * away);
        }
    }
    (0..d).for_each(|a| covariance[a * d + a] += RIDGE);
    let log_share = (total / points.n_points() as f64).ln();
    Component { log_share, mean, root: cholesky(covariance, d) }
}

/// The log-likelihood of a point, and its share in each component.
fn expect(row: &[f64], components: &[Component]) -> (f64, Vec<f64>) {
    let logs: Vec<f64> = components.iter().map(|component| component.log_density(row)).collect();
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let total: f64 = logs.iter().map(|log| (log - most).exp()).sum();
    let likelihood = most + total.ln();
    (likelihood, logs.iter().map(|log| (log - likelihood).exp()).collect())
}

impl Component {
    /// ln(share · density): |L⁻¹(x − mean)|² is the squared distance that the covariance measures.
    fn log_density(&self, row: &[f64]) -> f64 {
        let d = row.len();
        let mut solved: Vec<f64> = row.iter().zip(&self.mean).map(|(x, mean)| x - mean).collect();
        let mut log_root = 0.0;
        let mut distance_sq = 0.0;
        for a in 0..d {
            let line = &self.root[a * d..=a * d + a];
            let known: f64 = line[..a].iter().zip(&solved).map(|(l, y)| l * y).sum();
            solved[a] = (solved[a] - known) / line[a];
            distance_sq += solved[a] * solved[a];
            log_root += line[a].ln();
        }
        let circle = d as f64 * std::f64::consts::TAU.ln();
        self.log_share - 0.5 * (circle + distance_sq) - log_root
    }
}

/// The lower triangle L of a matrix L·Lᵀ, of which only the lower triangle is read.
fn cholesky(mut matrix: Vec<f64>, d: usize) -> Vec<f64> {
    for a in 0..d {
        let (above, line) = matrix.split_at_mut(a * d);
        for b in 0..=a {
            let other = if b < a { &above[b * d..=b * d + b] } else { &[] };
            let known: f64 = match b < a {
                true => line[..b].iter().zip(other).map(|(x, y)| x * y).sum(),
                false => line[..a].iter().map(|x| x * x).sum(),
            };
            line[b] = match b < a {
                true => (line[b] - known) / other[b],
                // The ridge keeps this positive but for rounding.
                false => (line[a] - known).max(RIDGE * RIDGE).sqrt(),
            };
        }
    }
    matrix
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkshift::datasets;
    use linkshift::scores::adjusted_rand_index;

    #[test]
    fn a_matrix_is_the_square_of_its_root() {
        // Derived: L = [2 0; 1 3] gives L·Lᵀ = [4 2; 2 10].
        let root = cholesky(vec![4.0, 2.0, 2.0, 10.0], 2);
        assert_eq!([root[0], root[2], root[3]], [2.0, 1.0, 3.0]);
    }

    #[test]
    fn two_gaussians_of_other_width_are_told_apart() {
        let set = datasets::toy1(1);
        // Published: ARI .9949 on a set drawn by the same recipe (boosted mean shift, Table 2).
        let ari = adjusted_rand_index(&set.labels, &fit(&set.points, 2, 0).unwrap()).unwrap();
        assert!(ari > 0.98, "{ari}");
    }

    #[test]
    fn fewer_points_than_columns_still_work() {
        let set = datasets::blobs(20, 30, 2, 0.1, 10.0, 1).unwrap();
        assert!(fit(&set.points, 2, 0).is_ok());
    }
}
