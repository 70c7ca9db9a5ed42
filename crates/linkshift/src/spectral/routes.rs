//! The classical routes: clusters from eigenvectors.

use super::model::ClusterCount;
use crate::error::{Error, Result};
use crate::kmeans::{KMeans, KMeansParams};
use crate::links::Links;
use crate::points::Points;
use crate::shared::eigen;
use faer::Mat;

/// When the number of clusters is sought, no more than this many are considered.
const MOST_CLUSTERS: usize = 20;

/// Starts of k-means, of which the best end counts; scikit-learn's number.
const STARTS: usize = 10;

/// Route 1: the leading eigenvector of the matrix, split in two.
pub(crate) fn leading_vector(matrix: &Mat<f64>) -> Result<Vec<usize>> {
    let eigen = eigen::leading(matrix, 1)?;
    Ok(split_in_two(&eigen.vectors[0]))
}

/// Route 2: the second eigenvector of the normalised matrix, as coordinates of the nodes
/// (D^(−1/2)·v, Shi and Malik), split in two.
pub(crate) fn second_vector(matrix: &Mat<f64>) -> Result<Vec<usize>> {
    let (normalised, roots) = normalise(matrix);
    let eigen = eigen::leading(&normalised, 2)?;
    let Some(second) = eigen.vectors.get(1) else { return Ok(vec![0; matrix.nrows()]) };
    let coordinates: Vec<f64> = second.iter().zip(&roots).map(|(v, root)| v / root).collect();
    Ok(split_in_two(&coordinates))
}

/// Route 3: k-means on the rows of the leading eigenvectors of the normalised matrix, each row at
/// length 1; as many vectors as clusters. Left out, their number is where eigenvalues fall most.
pub(crate) fn embedding(
    matrix: &Mat<f64>,
    n_clusters: Option<usize>,
    seed: u64,
) -> Result<(Vec<usize>, Option<ClusterCount>)> {
    let n_nodes = matrix.nrows();
    let (normalised, _) = normalise(matrix);
    let n_wanted = n_clusters.unwrap_or(MOST_CLUSTERS + 1).min(n_nodes);
    let eigen = eigen::leading(&normalised, n_wanted)?;
    let found = n_clusters.is_none().then(|| {
        let mut values = eigen.values.clone();
        if values.len() == n_nodes {
            values.push(0.0); // beyond the last there is none
        }
        let gaps = values.windows(2).enumerate();
        ClusterCount::best_of(gaps.map(|(at, pair)| (at + 1, pair[0] - pair[1])).collect(), 1)
    });
    let k = found.as_ref().map_or(n_wanted, |found| found.n_clusters);
    let mut rows = Vec::with_capacity(n_nodes * k);
    for node in 0..n_nodes {
        let row = eigen.vectors[..k].iter().map(|vector| vector[node]);
        let length = row.clone().map(|x| x * x).sum::<f64>().sqrt();
        rows.extend(row.map(|x| if length > 0.0 { x / length } else { 0.0 }));
    }
    Ok((k_means(rows, k, k, seed)?, found))
}

/// The cluster of each row of `d` numbers of an embedding.
pub(crate) fn k_means(rows: Vec<f64>, d: usize, k: usize, seed: u64) -> Result<Vec<usize>> {
    let params = KMeansParams { n_init: STARTS, seed, ..KMeansParams::of(k) };
    let embedding = Points::new(rows, d).map_err(|_| Error::Numerical { what: "coordinates" })?;
    let model = KMeans::new(params)?.fit(&embedding, &Links::new())?;
    Ok(model.labels().iter().map(|&label| label as usize).collect())
}

/// Eq. 1: L = D^(−1/2)·K·D^(−1/2), and the roots of the row sums D.
pub(crate) fn normalise(matrix: &Mat<f64>) -> (Mat<f64>, Vec<f64>) {
    let m = matrix.nrows();
    let roots: Vec<f64> = (0..m).map(|col| matrix.col(col).iter().sum::<f64>().sqrt()).collect();
    (Mat::from_fn(m, m, |a, b| matrix[(a, b)] / (roots[a] * roots[b])), roots)
}

/// The two parts of some numbers that are nearest to their means: 2-means in one dimension, where
/// the best split is found by trying all.
fn split_in_two(values: &[f64]) -> Vec<usize> {
    let n = values.len() as f64;
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]).then(a.cmp(&b)));
    let total: f64 = values.iter().sum();
    let (mut sum, mut best) = (0.0, (0.0, 0));
    for (at, &node) in order.iter().enumerate() {
        // With s = Σ of the lower part of size m, the squares gained are s²/m + (S−s)²/(n−m) − S²/n.
        let m = at as f64;
        if at > 0 {
            let gain = sum * sum / m + (total - sum).powi(2) / (n - m) - total * total / n;
            if gain > best.0 {
                best = (gain, at);
            }
        }
        sum += values[node];
    }
    let mut part = vec![0; values.len()];
    order[best.1..].iter().for_each(|&node| part[node] = 1);
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_split_where_they_are_farthest_from_one_mean() {
        assert_eq!(split_in_two(&[0.9, 0.0, 0.1, 1.0]), [1, 0, 0, 1]);
        assert_eq!(split_in_two(&[5.0]), [1]);
        assert_eq!(split_in_two(&[2.0, 2.0]), [1, 1]);
    }

    #[test]
    fn normalising_divides_by_the_roots_of_row_sums() {
        // Derived: row sums 4 and 9, roots 2 and 3: 3/4, 1/6 and 8/9.
        let matrix = Mat::from_fn(2, 2, |a, b| [[3.0, 1.0], [1.0, 8.0]][a][b]);
        let (normalised, roots) = normalise(&matrix);
        assert_eq!(roots, [2.0, 3.0]);
        assert_eq!(normalised[(0, 0)], 3.0 / 4.0);
        assert_eq!(normalised[(0, 1)], 1.0 / 6.0);
        assert_eq!(normalised[(1, 1)], 8.0 / 9.0);
    }
}
