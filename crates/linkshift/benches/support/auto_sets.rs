//! The sets of the default method's bench: read, and drawn.

use crate::data;
use linkshift::{Link, Links, Points, links};
use rand::seq::index;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;
use std::error::Error;

/// Points and their classes.
pub(crate) struct Set {
    pub(crate) points: Points<'static, f32>,
    pub(crate) labels: Vec<i64>,
}

/// Sets from outside, in alphabetical order: the even ones are for choosing, the odd ones for showing.
pub(crate) const READ: &[&str] = &[
    "aggregation",
    "banknote",
    "chainlink",
    "cms_fashion_mnist",
    "cms_gtsrb",
    "cms_mnist",
    "dermatology",
    "digits",
    "ecoli",
    "glass",
    "image_seg3",
    "ionosphere",
    "iris",
    "jain",
    "letter_ab",
    "nsl_kdd",
    "orl_32x32",
    "parkinsons",
    "pendigits",
    "pie10_21_55x44",
    "pie10_32x32",
    "pie68_22x22",
    "s4",
    "satimage4",
    "segmentation",
    "sonar",
    "stackoverflow_wl256",
    "symbols",
    "usps",
    "wall_following_2",
    "wdbc",
    "wine",
    "yeast",
];

/// Sets that are drawn, for choosing only.
pub(crate) const DRAWN: &[&str] = &[
    "drawn: blobs",
    "drawn: spreads",
    "drawn: moons",
    "drawn: circles",
    "drawn: 26 in 64 columns",
    "drawn: embedding",
    "drawn: noise columns",
    "drawn: units",
];

/// Drawn sets in which points tell little about classes, so that links disagree with any clustering
/// though all are right: `--learn` learns from them what is no wrong answer.
pub(crate) const WEAK: &[&str] = &[
    "drawn: overlap",
    "drawn: overlap of five",
    "drawn: uneven overlap",
    "drawn: scattered",
    "drawn: chance",
    "drawn: checkers",
    "drawn: a third by chance",
];

/// Drawn sets that tell what is found without links: clusters of several kinds, and none.
pub(crate) const SHAPES: &[&str] = &[
    "drawn: ring of 20",
    "drawn: sizes",
    "drawn: thin moons",
    "drawn: ten in 30 columns",
    "drawn: one blob",
    "drawn: one blob in 10 columns",
    "drawn: even square",
    "drawn: even cube in 5 columns",
];

/// Many classes: of random pairs hardly any are must-links.
const MANY_CLASSES: &str = "77 in 256 columns";

/// Whether a set is one that choices were made by.
pub(crate) fn is_for_choosing(name: &str) -> bool {
    READ.iter().position(|other| *other == name).is_none_or(|at| at % 2 == 0)
}

/// A set by name, of at most so many rows drawn by seed.
pub(crate) fn load(name: &str, most: usize, seed: u64) -> Result<Option<Set>, Box<dyn Error>> {
    if let Some(name) = name.strip_prefix("drawn: ") {
        let most = if name == MANY_CLASSES { most } else { most.min(600) };
        return Ok(Some(drawn(name, most, seed)?));
    }
    let Some((points, labels)) = data::read(name)? else { return Ok(None) };
    if labels.len() <= most {
        return Ok(Some(Set { points, labels }));
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut rows = index::sample(&mut rng, labels.len(), most).into_vec();
    rows.sort_unstable();
    let labels = rows.iter().map(|&row| labels[row]).collect();
    Ok(Some(Set { points: points.select(&rows), labels }))
}

/// Links as in the CMS paper; random ones where they are too few for all pairs of classes.
pub(crate) fn draw_links(labels: &[i64], n_links: usize, seed: u64) -> Links {
    if let Ok(links) = links::draw(labels, n_links, seed) {
        return links;
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut links = Links::new();
    while links.len() < n_links {
        let [a, b] = [0, 1].map(|_| rng.random_range(0..labels.len()));
        if a != b {
            let same = labels[a] == labels[b];
            links.push(if same { Link::must(a, b) } else { Link::cannot(a, b) });
        }
    }
    links
}

fn drawn(name: &str, n: usize, seed: u64) -> Result<Set, Box<dyn Error>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed + 77);
    let mut gauss = || -> f64 { rng.sample(StandardNormal) };
    let mut centers = |k: usize, d: usize, size: f64| -> Vec<Vec<f64>> {
        (0..k).map(|_| (0..d).map(|_| size * gauss()).collect()).collect()
    };
    let (k, d, size, spread) = match name {
        "blobs" | "spreads" => (6, 3, 5.0, 1.3),
        "26 in 64 columns" => (26, 64, 1.05, 1.6),
        MANY_CLASSES => (77, 256, 0.8, 1.6),
        "embedding" => (12, 64, 0.8, 1.6),
        "ring of 20" => (20, 2, 0.0, 0.3),
        "sizes" => (5, 2, 6.0, 1.0),
        "ten in 30 columns" => (10, 30, 1.5, 1.0),
        "one blob" => (1, 2, 0.0, 1.0),
        "one blob in 10 columns" => (1, 10, 0.0, 1.0),
        "even square" => (1, 2, 0.0, 0.0),
        "even cube in 5 columns" => (1, 5, 0.0, 0.0),
        "thin moons" => (2, 2, 0.0, 0.07),
        "moons" => (2, 2, 0.0, 0.15),
        "circles" => (3, 2, 0.0, 0.14),
        "overlap" => (2, 10, 0.35, 1.0),
        "overlap of five" => (5, 4, 0.8, 1.0),
        "uneven overlap" => (2, 20, 0.3, 1.0),
        "scattered" => (24, 5, 2.0, 1.0),
        "checkers" => (2, 2, 0.0, 0.0),
        _ => (4, 4, 3.0, 1.0),
    };
    let centers = centers(k, d, size);
    let mut by_chance = ChaCha8Rng::seed_from_u64(seed + 99);
    let (mut values, mut labels) = (Vec::new(), Vec::new());
    for at in 0..n {
        let class = match name {
            "spreads" | "sizes" => (at * at / n) * k / n,
            "uneven overlap" => usize::from(at % 4 == 0),
            _ => at % k,
        };
        let angle = std::f64::consts::TAU * ((at * 7919) % n) as f64 / n as f64;
        let mut row: Vec<f64> = match (name, class) {
            ("moons" | "thin moons", 0) => vec![(angle / 2.0).cos(), (angle / 2.0).sin()],
            ("moons" | "thin moons", _) => {
                vec![1.0 - (angle / 2.0).cos(), 0.5 - (angle / 2.0).sin()]
            }
            ("circles", class) => {
                let radius = 0.4 + 0.8 * class as f64;
                vec![radius * angle.cos(), radius * angle.sin()]
            }
            ("ring of 20", class) => {
                let angle = std::f64::consts::TAU * class as f64 / 20.0;
                vec![10.0 * angle.cos(), 10.0 * angle.sin()]
            }
            ("checkers" | "even square" | "even cube in 5 columns", _) => {
                (0..d).map(|_| 6.0 * by_chance.random::<f64>()).collect()
            }
            (_, class) => centers[class].clone(),
        };
        let spread = if name == "spreads" { 0.3 + 0.5 * class as f64 } else { spread };
        row.iter_mut().for_each(|x| *x += spread * gauss());
        match name {
            "ring of 20" => row.push(gauss()),
            "noise columns" => row.extend((0..20).map(|_| 2.0 * gauss())),
            "units" => {
                row.extend((0..3).map(|_| 2.0 * gauss()));
                let units = [1.0, 1e3, 1e-2, 30.0, 1e4, 1.0, 5.0];
                row.iter_mut().zip(units).for_each(|(x, unit)| *x *= unit);
            }
            "embedding" => {
                // What counts is the direction; lengths differ by chance.
                let length = row.iter().map(|x| x * x).sum::<f64>().sqrt();
                let factor = (0.5 + gauss().abs()) / length;
                row.iter_mut().for_each(|x| *x *= factor);
            }
            _ => (),
        }
        values.extend(row.iter().map(|&x| x as f32));
        let class = match name {
            "scattered" => class % 4,
            "chance" => by_chance.random_range(0..3),
            "a third by chance" if by_chance.random_range(0..3) == 0 => {
                by_chance.random_range(0..k)
            }
            "checkers" => (row[0].floor() + row[1].floor()) as usize % 2,
            _ => class,
        };
        labels.push(class as i64);
    }
    let d = values.len() / n;
    Ok(Set { points: Points::new(values, d)?, labels })
}
