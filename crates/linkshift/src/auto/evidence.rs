//! What all candidates together say about a pair of points.

use super::candidates::{CANDIDATES, FAMILIES, Ground, Part};
use crate::distance::distance_sq;
use crate::points::Points;
use crate::stop::Stoppable;
use rayon::prelude::*;

/// Kinds of evidence: candidates, two distances, families of clusterings that do not listen.
pub(super) const N_KINDS: usize = CANDIDATES.len() + 2 + FAMILIES;

/// Rows from which the median distance is taken.
const MEDIAN_ROWS: usize = 300;

/// Distances of a space in units of the median distance there.
pub(super) struct Gauge<'p> {
    places: &'p Points<'static, f32>,
    median_sq: f32,
}

impl<'p> Gauge<'p> {
    pub(super) fn new(places: &'p Points<'static, f32>) -> Self {
        let n = places.n_points();
        let rows: Vec<usize> = (0..n).step_by(n.div_ceil(MEDIAN_ROWS)).collect();
        let pairs = rows.iter().flat_map(|&a| rows.iter().map(move |&b| (a, b)));
        let mut all: Vec<f32> = pairs
            .map(|(a, b)| distance_sq(places.row(a), places.row(b)))
            .filter(|&distance_sq| distance_sq > 0.0)
            .collect();
        all.sort_unstable_by(f32::total_cmp);
        Self { places, median_sq: all.get(all.len() / 2).copied().unwrap_or(1.0) }
    }

    /// How near two points are: −ln of their squared distance over the median, up to 4.
    fn nearness(&self, a: usize, b: usize) -> f32 {
        let distance_sq = distance_sq(self.places.row(a), self.places.row(b));
        -(distance_sq / self.median_sq).max(NEAREST).ln()
    }
}

/// e⁻⁴: nearer than this tells nothing more.
const NEAREST: f32 = 0.018_315_64;

/// The evidence about one pair, kind by kind, from candidates that saw the links of `part`.
pub(super) fn of_pair(
    ground: &Gauge<'_>,
    part: &Part,
    learned: &Gauge<'_>,
    a: usize,
    b: usize,
) -> Vec<f64> {
    let together = |labels: &Vec<i64>| labels[a] >= 0 && labels[a] == labels[b];
    let share = |family: &Vec<Vec<i64>>| {
        family.iter().filter(|labels| together(labels)).count() as f64 / family.len() as f64
    };
    let votes = part.labels.iter().map(|labels| f64::from(u8::from(together(labels))));
    let nearness = [f64::from(ground.nearness(a, b)), f64::from(learned.nearness(a, b))];
    votes.chain(nearness).chain(part.families.iter().map(share)).collect()
}

/// Log-odds for all pairs: an n × n matrix, row by row.
///
/// Labels are taken from all parts, the last of which counts twice; distances from the last.
pub(super) fn of_all(ground: &Ground, parts: &[&Part], weights: &[f64]) -> Vec<f32> {
    let n = ground.min_max.n_points();
    let last = parts[parts.len() - 1];
    let (near, learned) = (Gauge::new(&ground.min_max), Gauge::new(&last.places));
    let mut labellings: Vec<(&Vec<i64>, f32)> = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        let times = if at + 1 == parts.len() && at > 0 { 2.0 } else { 1.0 };
        let share = times / if parts.len() > 1 { parts.len() as f64 + 1.0 } else { 1.0 };
        let single = part.labels.iter().zip(weights);
        labellings.extend(single.map(|(labels, w)| (labels, (w * share) as f32)));
        for (family, w) in part.families.iter().zip(&weights[CANDIDATES.len() + 2..]) {
            let each = (w * share / family.len() as f64) as f32;
            labellings.extend(family.iter().map(|labels| (labels, each)));
        }
    }
    let [of_near, of_learned] = [0, 1].map(|at| weights[CANDIDATES.len() + at] as f32);
    let constant = weights[N_KINDS] as f32;
    let mut all = vec![0.0_f32; n * n];
    all.par_chunks_exact_mut(n).enumerate().stoppable().for_each(|(a, row)| {
        for (b, to) in row.iter_mut().enumerate() {
            *to = constant + of_near * near.nearness(a, b) + of_learned * learned.nearness(a, b);
        }
        for &(labels, weight) in &labellings {
            let own = labels[a];
            if own >= 0 {
                let same = |&label: &i64| if label == own { weight } else { 0.0 };
                row.iter_mut().zip(labels.iter().map(same)).for_each(|(to, w)| *to += w);
            }
        }
    });
    all
}
