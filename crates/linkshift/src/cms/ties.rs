//! Cannot-links between centers: directed, counted, and merged as centers merge.

use crate::links::LinkClosure;
use crate::neighbors::Neighbors;
use crate::points::Points;
use crate::real::Real;
use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;

/// How many links hold center `x` apart from center `y`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Tie {
    pub(crate) x: u32,
    pub(crate) y: u32,
    pub(crate) count: u32,
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
            ties.extend([Tie { x, y, count: 1 }, Tie { x: y, y: x, count: 1 }]);
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

/// Sorted by x, then y, with equal pairs counted together.
fn group(mut ties: Vec<Tie>) -> Vec<Tie> {
    ties.sort_unstable();
    ties.dedup_by(|next, kept| {
        let same = (next.x, next.y) == (kept.x, kept.y);
        if same {
            kept.count = kept.count.saturating_add(next.count);
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
        let tie = |x, y, count| Tie { x, y, count };
        let merged = regroup(&[tie(0, 2, 1), tie(1, 2, 3), tie(2, 0, 1), tie(2, 1, 3)], &[0, 0, 1]);
        assert_eq!(merged, [tie(0, 1, 4), tie(1, 0, 4)]);
    }
}
