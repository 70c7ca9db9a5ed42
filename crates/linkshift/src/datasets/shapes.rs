//! Sets whose clusters are curves.

use super::{Dataset, Drawing, check_n, check_size, share};
use crate::error::{Error, Result};
use std::f64::consts::{PI, TAU};

/// Two interleaved half circles of radius 1: the upper around (0, 0), the lower around (1, 0.5).
///
/// The shape of scikit-learn's `make_moons`: angles evenly spaced, both ends included, and normal
/// noise on both coordinates. The upper moon (label 0) has ⌊n/2⌋ points.
///
/// ```
/// let set = linkshift::datasets::moons(200, 0.05, 1)?;
/// assert_eq!(set.labels.iter().filter(|&&label| label == 0).count(), 100);
/// # Ok::<(), linkshift::Error>(())
/// ```
pub fn moons(n: usize, noise: f64, seed: u64) -> Result<Dataset> {
    check_n(n)?;
    check_size("noise", noise)?;
    let mut drawing = Drawing::new(seed);
    let n_upper = n / 2;
    for angle in evenly_spaced(n_upper) {
        drawing.push(0, &[angle.cos(), angle.sin()], noise);
    }
    for angle in evenly_spaced(n - n_upper) {
        drawing.push(1, &[1.0 - angle.cos(), 0.5 - angle.sin()], noise);
    }
    drawing.finish()
}

/// `n` angles from 0 to π, both included.
fn evenly_spaced(n: usize) -> impl Iterator<Item = f64> {
    (0..n).map(move |i| PI * i as f64 / (n.max(2) - 1) as f64)
}

/// Five concentric circles, each a cluster, under outliers (label -1) that hide them.
///
/// From the kernel mean shift paper (section 6.1, Figure 4): 200 points, noise of deviation 0.1, 80
/// outliers. It does not give the radii, the spread over the circles or that of the outliers.
/// Chosen: radii 1 to 5, for which the mean distance of two points is near the paper's σ = 5;
/// the same number of points on each circle at uniform angles; noise on both coordinates; outliers
/// uniform in the square of ±6.
pub fn circles(n: usize, n_outliers: usize, noise: f64, seed: u64) -> Result<Dataset> {
    const N_CIRCLES: usize = 5;
    check_n(n)?;
    check_size("noise", noise)?;
    let mut drawing = Drawing::new(seed);
    for circle in 0..N_CIRCLES {
        let radius = (circle + 1) as f64;
        for _ in 0..share(n, circle, N_CIRCLES) {
            let angle = drawing.uniform(0.0, TAU);
            drawing.push(circle, &[radius * angle.cos(), radius * angle.sin()], noise);
        }
    }
    let edge = (N_CIRCLES + 1) as f64;
    for _ in 0..n_outliers {
        let place = [drawing.uniform(-edge, edge), drawing.uniform(-edge, edge)];
        drawing.push_outlier(&place);
    }
    drawing.finish()
}

/// Six line segments, each a cluster: two parallel ones in each of three orientations.
///
/// From the kernel mean shift paper (section 6.1, Figure 3): 240 points, noise of deviation 0.1.
/// It does not give the segments' places or lengths. Chosen: the sides of two triangles, one inside
/// the other (inner radii 2.5 and 4), each cut to length 5 so that no two touch; the mean distance
/// of two points is then near the paper's σ = 5. The same number of points on each, uniform along
/// it; noise on both coordinates. Labels 2o and 2o + 1 are the parallel segments of orientation o.
pub fn lines(n: usize, noise: f64, seed: u64) -> Result<Dataset> {
    const N_LINES: usize = 6;
    const LENGTH: f64 = 5.0;
    const DISTANCES: [f64; 2] = [2.5, 4.0];
    check_n(n)?;
    check_size("noise", noise)?;
    let mut drawing = Drawing::new(seed);
    for line in 0..N_LINES {
        // Sides of a triangle face away from its center in steps of 120°; as lines without an
        // arrow their orientations differ by 60°.
        let facing = TAU * (0.25 + (line / 2) as f64 / 3.0);
        let distance = DISTANCES[line % 2];
        for _ in 0..share(n, line, N_LINES) {
            let along = drawing.uniform(-LENGTH / 2.0, LENGTH / 2.0);
            let x = distance * facing.cos() - along * facing.sin();
            let y = distance * facing.sin() + along * facing.cos();
            drawing.push(line, &[x, y], noise);
        }
    }
    drawing.finish()
}

/// Two crescents, open towards each other, that no straight line parts.
///
/// From the paper on spectral clustering after mean shift (section 3): 200 points each, angles
/// uniform over an arc of π, radii perturbed by normal noise. It gives neither centers nor noise.
/// Chosen: radius 1 with deviation `noise`, the upper crescent (label 0) around (0, 0), the lower
/// around (1, 0.5 + overlap / 2). With `overlap` 0 the tips stay half a radius away from the other
/// crescent; with 1 they lie on it.
pub fn crescents(n: usize, noise: f64, overlap: f64, seed: u64) -> Result<Dataset> {
    check_n(n)?;
    check_size("noise", noise)?;
    if !(0.0..=1.0).contains(&overlap) {
        return Err(Error::param("overlap", overlap, "from 0 to 1"));
    }
    let mut drawing = Drawing::new(seed);
    for (label, center, first_angle) in [(0, [0.0, 0.0], 0.0), (1, [1.0, 0.5 + overlap / 2.0], PI)]
    {
        for _ in 0..share(n, label, 2) {
            let angle = drawing.uniform(first_angle, first_angle + PI);
            let radius = 1.0 + drawing.normal(noise);
            let place = [center[0] + radius * angle.cos(), center[1] + radius * angle.sin()];
            drawing.push(label, &place, 0.0);
        }
    }
    drawing.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(set: &Dataset) -> impl Iterator<Item = (&[f64], i64)> {
        set.points.rows().zip(set.labels.iter().copied())
    }

    #[test]
    fn moons_without_noise_are_those_of_scikit_learn() {
        let set = moons(5, 0.0, 1).unwrap();
        // Outside: scikit-learn 1.9.1, make_moons(5, shuffle=False).
        let expected = [1.0, 0.0, -1.0, 0.0, 0.0, 0.5, 1.0, -0.5, 2.0, 0.5];
        for (a, b) in set.points.values().iter().zip(&expected) {
            assert!((a - b).abs() < 1e-15, "{:?}", set.points.values());
        }
        assert_eq!(set.labels, [0, 0, 1, 1, 1]);
    }

    #[test]
    fn circles_without_noise_have_radii_one_to_five() {
        let set = circles(200, 80, 0.0, 1).unwrap();
        for (row, label) in rows(&set).filter(|&(_, label)| label >= 0) {
            assert!((row[0].hypot(row[1]) - (label + 1) as f64).abs() < 1e-12);
        }
        assert_eq!(set.labels.iter().filter(|&&label| label == -1).count(), 80);
        assert!((0..5).all(|circle| set.labels.iter().filter(|&&l| l == circle).count() == 40));
    }

    #[test]
    fn lines_without_noise_have_three_orientations() {
        let set = lines(240, 0.0, 1).unwrap();
        for line in 0..6 {
            let on_line: Vec<_> = rows(&set).filter(|row| row.1 == line).map(|row| row.0).collect();
            assert_eq!(on_line.len(), 40);
            // The direction across orientation 0, 1, 2 is 90°, 210°, 330°; along it all is constant.
            let across = (90.0 + 120.0 * (line / 2) as f64).to_radians();
            for row in on_line {
                let distance = row[0] * across.cos() + row[1] * across.sin();
                assert!((distance - [2.5, 4.0][line as usize % 2]).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn noise_has_the_deviation_asked_for() {
        // Sampling error of a deviation: σ/√(2n) = 0.1/√20,000 ≈ 0.0007; five times that is room.
        let set = circles(10_000, 0, 0.1, 1).unwrap();
        let radial: f64 = rows(&set)
            .map(|(row, label)| (row[0].hypot(row[1]) - (label + 1) as f64).powi(2))
            .sum();
        assert!(((radial / 10_000.0).sqrt() - 0.1).abs() < 0.0035);
    }

    #[test]
    fn crescents_touch_at_overlap_one_only() {
        // Derived: without noise the nearest points are the tip (0, 0.5 + overlap/2) of the lower
        // crescent and (0, 1) on the upper. 500 angles over π leave gaps of about 0.05 at most.
        for (overlap, expected) in [(0.0, 0.5), (1.0, 0.0)] {
            let set = crescents(1_000, 0.0, overlap, 1).unwrap();
            let (upper, lower) = set.points.values().split_at(1_000);
            let gap = upper
                .chunks_exact(2)
                .flat_map(|a| lower.chunks_exact(2).map(|b| (a[0] - b[0]).hypot(a[1] - b[1])))
                .fold(f64::INFINITY, f64::min);
            assert!(gap > expected - 1e-9 && gap < expected + 0.05, "{gap}");
        }
        assert!(crescents(10, 0.1, 1.5, 1).is_err());
    }
}
