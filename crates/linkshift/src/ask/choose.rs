//! Who is asked about next: one function per rule.

use super::answers::{Answer, Answers};
use super::chooser::Chooser;
use super::neighborhoods::Neighborhoods;
use super::question::Pair;
use super::walk::{Walk, order_of};
use crate::distance::distance_sq_f64;
use crate::points::Points;
use crate::real::Real;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// Exploring without a number of groups ends when this many points one after the other, or as many
/// as there are groups if those are more, belonged to groups already known.
const PATIENCE: usize = 5;

/// A pair worth asking, or none if there is nothing to ask.
pub(super) fn choose<'w, T: Real>(
    chooser: Chooser,
    points: &Points<'_, T>,
    walk: impl FnOnce() -> &'w Walk,
    answers: &Answers,
    seed: u64,
) -> Option<Pair> {
    match chooser {
        Chooser::Random => random(answers, seed),
        Chooser::ExploreConsolidate { k } | Chooser::MinMax { k } => {
            by_distance(chooser, points, answers, k, seed)
        }
        Chooser::Npu => by_chances(points, walk(), answers),
        Chooser::Border => None, // its own way: border.rs
    }
}

/// The first pair of a random sequence of which nothing is known.
fn random(answers: &Answers, seed: u64) -> Option<Pair> {
    let n = answers.n_points();
    let open = |a: usize, b: usize| a != b && answers.known(a, b).is_none();
    let question =
        |a: usize, b: usize| Pair { a, b, guess: Answer::Different, chance: 0.5, again: false };
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    // All answers may stand at the beginning of the sequence; where this many more are known too,
    // open pairs are rare, and are looked for one by one.
    for _ in 0..1_000 + 2 * answers.told().len() {
        let (a, b) = (rng.random_range(0..n), rng.random_range(0..n));
        if open(a, b) {
            return Some(question(a, b));
        }
    }
    let pairs = (0..n).flat_map(|a| (0..a).map(move |b| (a, b)));
    pairs.into_iter().find(|&(a, b)| open(a, b)).map(|(a, b)| question(a, b))
}

/// Explore & Consolidate, and min-max: the same but for the points of the second phase.
fn by_distance<T: Real>(
    chooser: Chooser,
    points: &Points<'_, T>,
    answers: &Answers,
    k: Option<usize>,
    seed: u64,
) -> Option<Pair> {
    let mut order: Vec<usize> = (0..points.n_points()).collect();
    order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    let mut known = Neighborhoods::of(answers);
    if known.is_empty() {
        known.begin_with(order[0], answers);
    }
    let placed = |row| k.is_some_and(|k| known.only_place_left(answers, row, k).is_some());
    let free = |&row: &usize| known.is_free(row) && !placed(row);
    let exploring = match k {
        Some(k) => known.len() < k,
        None => known.n_since_newest(answers) < PATIENCE.max(known.len()),
    };
    // Min-max takes the point whose largest similarity to the known ones is smallest. Similarity
    // falls with distance, so that is the point whose smallest distance is largest.
    let row = match exploring || matches!(chooser, Chooser::MinMax { .. }) {
        true => farthest(points, &known, order.into_iter().filter(free).collect()),
        false => order.into_iter().find(free),
    }?;
    let nearest_first = known.nearest_first(points, row);
    let guess = if exploring { Answer::Different } else { Answer::Same };
    known.question(points, answers, row, &nearest_first, guess)
}

/// The free row farthest from all known ones; the lowest of equally far ones.
fn farthest<T: Real>(
    points: &Points<'_, T>,
    known: &Neighborhoods,
    mut free: Vec<usize>,
) -> Option<usize> {
    free.sort_unstable();
    let members: Vec<usize> = known.members.iter().flatten().copied().collect();
    let nearest = |row: usize| {
        let distances =
            members.iter().map(|&member| distance_sq_f64(points.row(row), points.row(member)));
        distances.fold(f64::INFINITY, f64::min)
    };
    let apart: Vec<f64> = free.par_iter().map(|&row| nearest(row)).collect();
    first_largest(&apart).map(|at| free[at])
}

/// NPU: the free row with the largest score by its chances, asked against the likeliest
/// neighbourhood first.
fn by_chances<T: Real>(points: &Points<'_, T>, walk: &Walk, answers: &Answers) -> Option<Pair> {
    let mut known = Neighborhoods::of(answers);
    if known.is_empty() {
        let stakes = walk.stakes(points, &[], &known);
        known.begin_with(first_largest(&stakes)?, answers);
    }
    let k = known.len();
    let chances = walk.chances(&known);
    let scores: Vec<f64> = chances.chunks_exact(k).map(entropy_per_question).collect();
    let free: Vec<usize> = (0..points.n_points()).filter(|&row| known.is_free(row)).collect();
    let scores: Vec<f64> = free.iter().map(|&row| scores[row]).collect();
    let row = free[first_largest(&scores)?];
    let chances = &chances[row * k..][..k];
    let order = match chances.iter().any(|&chance| chance > 0.0) {
        true => order_of(chances),
        false => known.nearest_first(points, row),
    };
    let likely = chances[order[0]] > 0.5;
    let guess = if likely { Answer::Same } else { Answer::Different };
    known.question(points, answers, row, &order, guess)
}

/// NPU: the entropy of the chances, divided by the number of questions that finding the place is
/// expected to take. What is missing to 1 is not known to be anywhere: it counts in equal parts
/// for each neighbourhood and for a new one, which is known after asking all.
pub(super) fn entropy_per_question(chances: &[f64]) -> f64 {
    let k = chances.len();
    let missing = (1.0 - chances.iter().sum::<f64>()).max(0.0) / (k + 1) as f64;
    let mut all: Vec<f64> = chances.iter().map(|chance| chance + missing).collect();
    all.sort_by(|a, b| b.total_cmp(a));
    let asked: f64 = all.iter().zip(1..).map(|(chance, rank)| chance * f64::from(rank)).sum();
    let asked = asked + missing * k as f64;
    all.push(missing);
    let entropy: f64 =
        all.iter().filter(|&&chance| chance > 0.0).map(|chance| -chance * chance.ln()).sum();
    entropy / asked.max(f64::MIN_POSITIVE)
}

/// The position of the largest value, the first of equal ones.
fn first_largest(values: &[f64]) -> Option<usize> {
    let largest = values.iter().copied().max_by(f64::total_cmp)?;
    values.iter().position(|&value| value == largest)
}
