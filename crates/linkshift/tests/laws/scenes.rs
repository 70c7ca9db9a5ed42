//! The points and links that the laws run on.

use linkshift::{Links, Points, Real, datasets, links};

/// Points, and links drawn from their classes.
pub(crate) struct Scene {
    pub(crate) points: Points<'static, f64>,
    pub(crate) links: Links,
}

impl Scene {
    /// The points in another number type.
    pub(crate) fn cast<T: Real>(&self) -> Points<'static, T> {
        let values: Vec<T> = self.points.values().iter().map(|&value| T::of(value)).collect();
        Points::new(values, self.points.n_features()).unwrap()
    }

    /// The points with every row changed.
    pub(crate) fn moved(&self, change: impl Fn(&[f64]) -> Vec<f64>) -> Points<'static, f64> {
        let values: Vec<f64> = self.points.rows().flat_map(change).collect();
        Points::new(values, self.points.n_features()).unwrap()
    }
}

/// Two moons, noisy enough that some points could go either way.
pub(crate) fn bent() -> Scene {
    let moons = datasets::moons(120, 0.1, 3).unwrap();
    let links = links::draw(&moons.labels, 15, 3).unwrap();
    Scene { points: moons.points, links }
}

/// Three Gaussian clusters 2 apart, each of deviation 0.08: nothing is open to doubt. Their points
/// are quantiles at golden angles, so that no two distances are the same.
pub(crate) fn clear() -> Scene {
    const N_EACH: usize = 40;
    const GOLDEN_ANGLE: f64 = 2.399_963_229_728_653;
    let places = [(0.0, 0.0), (2.0, 0.3), (0.9, 1.8)];
    let row = |at: usize| {
        let (x, y) = places[at % 3];
        let share = (at / 3) as f64 + 0.5;
        let radius = 0.08 * (-2.0 * (1.0 - share / N_EACH as f64).ln()).sqrt();
        let angle = GOLDEN_ANGLE * at as f64;
        [x + radius * angle.cos(), y + radius * angle.sin()]
    };
    let values: Vec<f64> = (0..3 * N_EACH).flat_map(row).collect();
    let classes: Vec<i64> = (0..3 * N_EACH as i64).map(|at| at % 3).collect();
    let links = links::draw(&classes, 12, 1).unwrap();
    Scene { points: Points::new(values, 2).unwrap(), links }
}

/// Many columns, where distances are products of matrices.
pub(crate) fn wide() -> Scene {
    let blobs = datasets::blobs(150, 40, 4, 0.6, 2.0, 7).unwrap();
    let links = links::draw(&blobs.labels, 60, 7).unwrap();
    Scene { points: blobs.points, links }
}

/// So many points that every loop is split among threads.
pub(crate) fn many() -> Scene {
    let blobs = datasets::blobs(2_000, 4, 6, 1.5, 8.0, 5).unwrap();
    let links = links::draw(&blobs.labels, 60, 5).unwrap();
    Scene { points: blobs.points, links }
}

/// Labels numbered by first member, so that equal partitions are equal lists; noise stays −1.
pub(crate) fn partition(labels: &[i64]) -> Vec<i64> {
    let mut names: Vec<i64> = Vec::new();
    let number = |&label: &i64| {
        if label < 0 {
            return -1;
        }
        let known = names.iter().position(|&name| name == label);
        known.unwrap_or_else(|| {
            names.push(label);
            names.len() - 1
        }) as i64
    };
    labels.iter().map(number).collect()
}
