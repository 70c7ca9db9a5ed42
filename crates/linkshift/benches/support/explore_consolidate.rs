//! Answers as Explore & Consolidate would ask for them (Basu, Bilenko, Mooney 2004).

use linkshift::{Link, Points};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Up to `budget` answers, taken from known labels, for `n_classes` classes. Each link comes with
/// the number of answers that had been given by then: a last class need not be asked about, so
/// there are more links than answers.
pub(crate) fn answers(
    points: &Points<'_, f32>,
    labels: &[i64],
    n_classes: usize,
    budget: usize,
    seed: u64,
) -> Vec<(usize, Link)> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut person = Person { labels, budget, told: Vec::new(), n_answers: 0 };
    let mut known = vec![vec![rng.random_range(0..labels.len())]];
    let mut nearest_sq = vec![f64::INFINITY; labels.len()];
    let mut last = known[0][0];

    // Explore: the point farthest from all that were asked about, until every class has turned up.
    while known.len() < n_classes {
        for (row, nearest) in nearest_sq.iter_mut().enumerate() {
            *nearest = nearest.min(distance_sq(points.row(row), points.row(last)));
        }
        let farthest = (0..labels.len()).max_by(|&a, &b| nearest_sq[a].total_cmp(&nearest_sq[b]));
        let Some(row) = farthest.filter(|&row| nearest_sq[row] > 0.0) else { break };
        let Some(class) = person.place(row, &known, (0..known.len()).collect()) else {
            return person.told;
        };
        if class == known.len() {
            known.push(Vec::new());
        }
        known[class].push(row);
        last = row;
    }
    // Consolidate: random points, asked against the nearest class first.
    let mut rows: Vec<usize> = (0..labels.len()).collect();
    rows.shuffle(&mut rng);
    for row in rows {
        if known.iter().any(|rows| rows.contains(&row)) {
            continue;
        }
        let to_mean = |class: usize| distance_sq(points.row(row), &mean(points, &known[class]));
        let mut order: Vec<usize> = (0..known.len()).collect();
        order.sort_by(|&a, &b| to_mean(a).total_cmp(&to_mean(b)));
        let (last, others) = (order[order.len() - 1], order[..order.len() - 1].to_vec());
        match person.place(row, &known, others) {
            None => break,
            Some(class) if class < known.len() => known[class].push(row),
            Some(_) => {
                // All the others say no: the last class it is, without a question.
                person.told.push((person.n_answers, Link::must(row, known[last][0])));
                known[last].push(row);
            }
        }
    }
    person.told
}

/// Someone who knows the labels, and the answers given so far.
struct Person<'a> {
    labels: &'a [i64],
    budget: usize,
    told: Vec<(usize, Link)>,
    n_answers: usize,
}

impl Person<'_> {
    /// Asks whether a row belongs to one class after the other; the class that does, one past the
    /// last if none does, or `None` when the budget is spent.
    fn place(&mut self, row: usize, known: &[Vec<usize>], order: Vec<usize>) -> Option<usize> {
        for class in order {
            if self.n_answers == self.budget {
                return None;
            }
            self.n_answers += 1;
            let other = known[class][0];
            if self.labels[row] == self.labels[other] {
                self.told.push((self.n_answers, Link::must(row, other)));
                return Some(class);
            }
            self.told.push((self.n_answers, Link::cannot(row, other)));
        }
        Some(known.len())
    }
}

fn mean(points: &Points<'_, f32>, rows: &[usize]) -> Vec<f32> {
    let column = |col: usize| rows.iter().map(|&row| points.row(row)[col]).sum::<f32>();
    (0..points.n_features()).map(|col| column(col) / rows.len() as f32).collect()
}

fn distance_sq(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(a, b)| f64::from(a - b).powi(2)).sum()
}
