//! The mean of each cluster, for methods that have no modes or centers of their own.

use crate::points::Points;
use crate::real::Real;

/// The mean of the points of each cluster 0..k, where labels are 0..k and −1 for noise; `None` if
/// all is noise. Every number below the largest label must occur, as it does after
/// numbering by first member. Weights play no part.
pub fn cluster_means<T: Real>(
    points: &Points<'_, T>,
    labels: &[i64],
) -> Option<Points<'static, T>> {
    let n_clusters = usize::try_from(labels.iter().copied().max()? + 1).ok()?;
    let d = points.n_features();
    let mut sums = vec![0.0; n_clusters * d];
    let mut counts = vec![0.0_f64; n_clusters];
    for (row, &label) in points.rows().zip(labels) {
        let Ok(cluster) = usize::try_from(label) else { continue };
        counts[cluster] += 1.0;
        sums[cluster * d..][..d].iter_mut().zip(row).for_each(|(sum, x)| *sum += x.as_f64());
    }
    let mean = |(at, sum): (usize, &f64)| T::of(sum / counts[at / d]);
    let means: Vec<T> = sums.iter().enumerate().map(mean).collect();
    // Without clusters there are no rows, which `Points` cannot be.
    (n_clusters > 0).then(|| Points::checked_before(means, d, None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_in_no_mean() {
        let points = Points::new(vec![0.0, 0.0, 4.0, 2.0, 9.0, 9.0, 7.0, 7.0], 2).unwrap();
        // Derived: ((0, 0) + (4, 2)) / 2 and (7, 7) alone; (9, 9) is noise.
        let means = cluster_means(&points, &[0, 0, -1, 1]).unwrap();
        assert_eq!(means.values(), [2.0, 1.0, 7.0, 7.0]);
    }

    #[test]
    fn all_noise_has_no_mean() {
        let points = Points::new(vec![1.0_f32, 2.0], 1).unwrap();
        assert!(cluster_means(&points, &[-1, -1]).is_none());
    }
}
