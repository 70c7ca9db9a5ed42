//! Sets whose clusters are Gaussians.

use super::{Dataset, Drawing, check_n, check_size, share};
use crate::error::{Error, Result};

/// `n_centers` Gaussian clusters of deviation `std` around centers drawn uniformly from the cube of
/// ±`half_width`.
///
/// Clusters have the same number of points up to one.
///
/// ```
/// let set = linkshift::datasets::blobs(1_000, 3, 20, 0.5, 10.0, 1)?;
/// assert_eq!(set.points.n_features(), 3);
/// # Ok::<(), linkshift::Error>(())
/// ```
pub fn blobs(
    n: usize,
    n_features: usize,
    n_centers: usize,
    std: f64,
    half_width: f64,
    seed: u64,
) -> Result<Dataset> {
    check_n(n)?;
    check_size("std", std)?;
    check_size("half_width", half_width)?;
    if n_features == 0 {
        return Err(Error::param("n_features", n_features, "at least 1"));
    }
    if n_centers == 0 {
        return Err(Error::param("n_centers", n_centers, "at least 1"));
    }
    let mut drawing = Drawing::new(seed);
    // All centers before the first point: more points leave the centers where they are.
    let centers: Vec<Vec<f64>> = (0..n_centers)
        .map(|_| (0..n_features).map(|_| drawing.uniform(-half_width, half_width)).collect())
        .collect();
    for (label, center) in centers.iter().enumerate() {
        for _ in 0..share(n, label, n_centers) {
            drawing.push(label, center, std);
        }
    }
    drawing.finish()
}

/// A wide and a narrow Gaussian side by side, the boosted mean shift paper's Toy1.
///
/// 8,000 points around (-10, 0) with covariance 10·I (label 0) and 2,000 around (2, 0) with
/// covariance I (label 1): no single bandwidth suits both.
pub fn toy1(seed: u64) -> Dataset {
    let mut drawing = Drawing::new(seed);
    for _ in 0..8_000 {
        drawing.push(0, &[-10.0, 0.0], 10.0_f64.sqrt());
    }
    for _ in 0..2_000 {
        drawing.push(1, &[2.0, 0.0], 1.0);
    }
    drawing.finish().expect("10,000 normal numbers are finite and small")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mean and variance of one column over the rows with this label.
    fn moments(set: &Dataset, label: i64, col: usize) -> (f64, f64) {
        let rows = set.points.rows().zip(&set.labels).filter(|row| *row.1 == label);
        let column: Vec<f64> = rows.map(|(row, _)| row[col]).collect();
        let mean = column.iter().sum::<f64>() / column.len() as f64;
        let variance = column.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / column.len() as f64;
        (mean, variance)
    }

    #[test]
    fn toy1_has_the_moments_of_the_paper() {
        let set = toy1(1);
        // Sampling errors: √(10/8,000) = 0.035 and √(1/2,000) = 0.022 for means,
        // 10·√(2/8,000) = 0.16 and √(2/2,000) = 0.032 for variances; four times that is room.
        for (label, centers, variance, room) in
            [(0, [-10.0, 0.0], 10.0, [0.14, 0.64]), (1, [2.0, 0.0], 1.0, [0.09, 0.13])]
        {
            for (col, center) in centers.into_iter().enumerate() {
                let found = moments(&set, label, col);
                assert!((found.0 - center).abs() < room[0], "{found:?}");
                assert!((found.1 - variance).abs() < room[1], "{found:?}");
            }
        }
        assert_eq!(set.labels.iter().filter(|&&label| label == 0).count(), 8_000);
    }

    #[test]
    fn blobs_share_the_points_evenly() {
        let set = blobs(11, 2, 3, 0.1, 10.0, 1).unwrap();
        assert_eq!(set.labels, [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2]);
    }

    #[test]
    fn blobs_without_deviation_sit_on_their_centers_inside_the_cube() {
        let set = blobs(20, 4, 2, 0.0, 3.0, 1).unwrap();
        assert_eq!(set.points.row(0), set.points.row(9));
        assert!(set.points.values().iter().all(|x| x.abs() <= 3.0));
    }

    #[test]
    fn blobs_that_cannot_be_are_refused() {
        assert!(blobs(10, 0, 2, 1.0, 10.0, 1).is_err());
        assert!(blobs(10, 2, 0, 1.0, 10.0, 1).is_err());
        assert!(blobs(10, 2, 2, f64::NAN, 10.0, 1).is_err());
        assert!(blobs(10, 2, 2, 1.0, -1.0, 1).is_err());
        assert!(blobs(10, 2, 2, 1.0, 1e300, 1).is_err());
    }
}
