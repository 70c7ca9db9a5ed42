//! Points, weights and links that are as odd as they may be.

use linkshift::{Link, LinkKind, Links, Points, Real};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Numbers at which arithmetic goes wrong first; those too large for a type are left out there.
const ODD: &[f64] = &[
    0.0,
    -0.0,
    4.9e-324,
    -4.9e-324,
    1e-310,
    1e-160,
    1e-45,
    1e-38,
    1e-20,
    f64::EPSILON,
    0.1,
    -0.1,
    1.0,
    -1.0,
    1.0 + f64::EPSILON,
    3.0,
    1e9,
    1e15,
    -1e18,
    1e18,
    1e150,
    -1e150,
    1e153,
];

/// How the numbers of one input are drawn.
enum Manner {
    /// From the odd ones, all kinds together.
    Odd,
    /// Two odd ones.
    Two(f64, f64),
    /// Small whole numbers: many ties.
    Grid,
    /// Between −1 and 1, times something.
    Plain(f64),
    /// Between −1 and 1, far from the origin.
    Far(f64),
}

fn pick(rng: &mut ChaCha8Rng) -> f64 {
    ODD[rng.random_range(0..ODD.len())]
}

/// Points of one to some dozens of rows, if the type can hold them.
pub(crate) fn points<T: Real>(rng: &mut ChaCha8Rng) -> Option<Points<'static, T>> {
    let n_points = match rng.random_range(0..4) {
        0 => rng.random_range(1..=5),
        1 | 2 => rng.random_range(2..=20),
        _ => rng.random_range(10..=60),
    };
    let n_features = [1, 1, 2, 2, 3, 5, 40][rng.random_range(0..7)];
    rows(rng, n_points, n_features)
}

/// So many points of so many columns.
pub(crate) fn rows<T: Real>(
    rng: &mut ChaCha8Rng,
    n_points: usize,
    n_features: usize,
) -> Option<Points<'static, T>> {
    let manner = match rng.random_range(0..6) {
        0 => Manner::Odd,
        1 => Manner::Two(pick(rng), pick(rng)),
        2 => Manner::Grid,
        3 => Manner::Far(pick(rng)),
        4 => Manner::Plain(pick(rng)),
        _ => Manner::Plain(1.0),
    };
    let values: Vec<T> = (0..n_points * n_features)
        .map(|_| {
            let value = match manner {
                Manner::Odd => pick(rng),
                Manner::Two(a, b) => {
                    if rng.random() {
                        a
                    } else {
                        b
                    }
                }
                Manner::Grid => f64::from(rng.random_range(-2..=2)),
                Manner::Plain(scale) => scale * rng.random_range(-1.0..1.0),
                Manner::Far(far) => far + rng.random_range(-1.0..1.0),
            };
            T::of(value)
        })
        .collect();
    let points = Points::new(values, n_features).ok()?;
    if rng.random_range(0..3) > 0 {
        return Some(points);
    }
    let odd = [0.0, 1e-300, 1e-30, 1.0, 1.0, 2.0, 1e9, 1e30];
    let weights: Vec<T> =
        (0..n_points).map(|_| T::of(odd[rng.random_range(0..odd.len())])).collect();
    points.with_weights(weights).ok()
}

/// Links between rows; some contradict others, some are said twice, some are hardly believed.
pub(crate) fn links(rng: &mut ChaCha8Rng, n_points: usize) -> Links {
    let n_links = [0, 0, 1, 3, 6, 20][rng.random_range(0..6)];
    let mut links = Links::new();
    if n_points < 2 {
        return links;
    }
    // From hidden classes, so that most sets of links can be kept.
    let classes: Vec<u32> = (0..n_points).map(|_| rng.random_range(0..3)).collect();
    let n_wrong = if rng.random_range(0..4) == 0 { 4 } else { u32::MAX };
    for _ in 0..n_links {
        let a = rng.random_range(0..n_points);
        let b = (a + rng.random_range(1..n_points)) % n_points;
        let is_wrong = n_wrong < u32::MAX && rng.random_range(0..n_wrong) == 0;
        let together = (classes[a] == classes[b]) != is_wrong;
        let kind = if together { LinkKind::Must } else { LinkKind::Cannot };
        let confidence = [1.0, 1.0, 1.0, 0.5, 0.99, 1e-9][rng.random_range(0..6)];
        links.push(Link { a, b, kind, confidence });
    }
    links
}
