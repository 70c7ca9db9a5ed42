//! Ties: what links between points are between centers.
//!
//! A link joins two points and has a kind and a confidence. A *tie* goes from one center to another
//! and has a count and a strength: as centers merge, so do the links at them, and many links
//! become one tie.

use crate::links::{Link, LinkClosure, LinkKind};
use crate::neighbors::Neighbors;
use crate::points::Points;
use crate::real::Real;
use rand::SeedableRng;
use rand::seq::{SliceRandom, index};
use rand_chacha::ChaCha8Rng;

/// How many links of one kind and strength go from center `x` to center `y`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tie {
    /// Where they begin.
    pub x: u32,
    /// Where they end.
    pub y: u32,
    /// How many they are.
    pub count: u32,
    /// ω in (0, 1]: how much of the effect of a certain link each has.
    pub strength: f64,
}

/// The links of a run: what holds centers apart, and what pulls them together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ties {
    /// What holds apart.
    pub cannot: Vec<Tie>,
    /// What pulls together.
    pub must: Vec<Tie>,
}

impl Ties {
    /// The same between merged centers.
    pub(crate) fn regroup(&self, new_of: &[u32]) -> Ties {
        Ties { cannot: regroup(&self.cannot, new_of), must: regroup(&self.must, new_of) }
    }
}

/// The directed pairs of points that closed cannot-links stand for, by point; both directions.
///
/// Two groups of a and b members stand for a·b pairs. Where that exceeds `cap`, the nearest pairs
/// are taken instead (each member with the member of the other group nearest to it), thinned by
/// seed to the cap: a short link says where the border runs, a long one through the same groups
/// adds little. Returns the pairs and how many were left out.
pub(crate) fn expand<T: Real>(
    closure: &LinkClosure,
    points: &Points<'_, T>,
    cap: usize,
    seed: u64,
) -> (Vec<Tie>, u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut ties = Vec::new();
    let mut left_out = 0;
    for pair in closure.cannot_pairs() {
        let (a, b) = (closure.members(pair.a), closure.members(pair.b));
        let all = a.len() as u64 * b.len() as u64;
        let mut add = |x: u32, y: u32| {
            ties.extend(both_ways(x, y, 1.0));
        };
        if all <= cap as u64 {
            a.iter().for_each(|&x| b.iter().for_each(|&y| add(x, y)));
            continue;
        }
        let mut nearest = nearest_pairs(points, a, b);
        nearest.extend(nearest_pairs(points, b, a).into_iter().map(|(y, x)| (x, y)));
        nearest.sort_unstable();
        nearest.dedup();
        let kept = nearest.len().min(cap);
        for at in index::sample(&mut rng, nearest.len(), kept) {
            add(nearest[at].0, nearest[at].1);
        }
        left_out += all - kept as u64;
    }
    (group(ties), left_out)
}

/// The directed pairs of points that must-links stand for; all of strength `strength`.
///
/// A group of m members stands for m·(m−1)/2 pairs. Where that exceeds `cap`, its members are set
/// in a circle in seeded order, and each is paired with as many that follow it as the cap allows,
/// at least one: so the group still hangs together.
pub(crate) fn expand_must(closure: &LinkClosure, strength: f64, cap: usize, seed: u64) -> Vec<Tie> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut ties = Vec::new();
    for group in 0..closure.n_groups() {
        let mut circle = closure.members(group).to_vec();
        let n = circle.len();
        let most_ahead = (n - 1) / 2 + (n - 1) % 2;
        let n_ahead = (cap / n).clamp(1, most_ahead.max(1));
        if n * (n - 1) / 2 > cap {
            circle.shuffle(&mut rng);
        }
        for (at, &x) in circle.iter().enumerate() {
            for ahead in 1..=n_ahead.min(n - 1) {
                ties.extend(both_ways(x, circle[(at + ahead) % n], strength));
            }
        }
    }
    // Half-way round an even circle, a pair is met from both of its ends.
    let mut ties = group_equal(ties, |_, _| ());
    ties.shrink_to_fit();
    ties
}

/// The soft links of a kind, as told: they count for themselves and imply nothing.
pub(crate) fn soft(links: &[Link], kind: LinkKind, strength: f64) -> Vec<Tie> {
    let of_kind = links.iter().filter(|link| link.kind == kind);
    of_kind
        .flat_map(|link| both_ways(link.a as u32, link.b as u32, strength * link.confidence))
        .collect()
}

fn both_ways(x: u32, y: u32, strength: f64) -> [Tie; 2] {
    [Tie { x, y, count: 1, strength }, Tie { x: y, y: x, count: 1, strength }]
}

/// Each row of `from` with the row of `to` nearest to it.
fn nearest_pairs<T: Real>(points: &Points<'_, T>, from: &[u32], to: &[u32]) -> Vec<(u32, u32)> {
    let rows: Vec<usize> = to.iter().map(|&row| row as usize).collect();
    let near = Neighbors::new(&points.select(&rows));
    from.iter().map(|&row| (row, to[near.nearest(points.row(row as usize), 1)[0].row])).collect()
}

/// Ties between merged centers: ends renamed by `new_of`, equal pairs counted together.
pub(crate) fn regroup(ties: &[Tie], new_of: &[u32]) -> Vec<Tie> {
    let rename = |tie: &Tie| Tie { x: new_of[tie.x as usize], y: new_of[tie.y as usize], ..*tie };
    group(ties.iter().map(rename).collect())
}

/// Sorted by x, then y, with equal ones counted together.
pub(crate) fn group(ties: Vec<Tie>) -> Vec<Tie> {
    group_equal(ties, |kept, next| kept.count = kept.count.saturating_add(next.count))
}

fn group_equal(mut ties: Vec<Tie>, join: impl Fn(&mut Tie, &Tie)) -> Vec<Tie> {
    ties.sort_unstable_by(|a, b| {
        (a.x, a.y).cmp(&(b.x, b.y)).then(a.strength.total_cmp(&b.strength))
    });
    ties.dedup_by(|next, kept| {
        let same = (next.x, next.y, next.strength) == (kept.x, kept.y, kept.strength);
        if same {
            join(kept, next);
        }
        same
    });
    ties
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::links::Links;

    fn line(n: usize) -> Points<'static, f64> {
        Points::new((0..n).map(|i| i as f64).collect::<Vec<_>>(), 1).unwrap()
    }

    /// Rows 0..10 together, rows 10..20 together, and the two groups apart.
    fn two_groups() -> LinkClosure {
        let mut links = Links::new();
        links.add_group(&(0..10).collect::<Vec<_>>());
        links.add_group(&(10..20).collect::<Vec<_>>());
        links.push(crate::Link::cannot(0, 19));
        links.close(20).unwrap()
    }

    #[test]
    fn all_pairs_stand_where_the_cap_allows() {
        let (ties, left_out) = expand(&two_groups(), &line(20), 100, 0);
        assert_eq!((ties.len(), left_out), (200, 0)); // 10 · 10 pairs, both directions
    }

    #[test]
    fn above_the_cap_the_nearest_pairs_stand() {
        let (ties, left_out) = expand(&two_groups(), &line(20), 50, 0);
        // Derived: row 10 is nearest to all of 0..10, row 9 to all of 10..20; 9–10 is in both: 19.
        assert_eq!((ties.len(), left_out), (38, 81));
        assert!(ties.iter().all(|tie| [tie.x, tie.y].iter().any(|end| [9, 10].contains(end))));
        assert_eq!(expand(&two_groups(), &line(20), 4, 0).0.len(), 8);
    }

    #[test]
    fn ties_of_merged_centers_are_counted_together() {
        let tie = |x, y, count| Tie { x, y, count, strength: 1.0 };
        let merged = regroup(&[tie(0, 2, 1), tie(1, 2, 3), tie(2, 0, 1), tie(2, 1, 3)], &[0, 0, 1]);
        assert_eq!(merged, [tie(0, 1, 4), tie(1, 0, 4)]);
    }
}
