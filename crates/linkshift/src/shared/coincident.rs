//! Centers that coincide travel together: from then on one of them stands for all.

use crate::distance::distance_sq;
use crate::real::Real;
use std::cmp::Ordering;
use std::collections::HashMap;

/// Which centers became one.
pub(crate) struct Merged {
    /// Old center → new center.
    pub(crate) of: Vec<u32>,
    /// New center → the first old center in it, which stands for all; ascending.
    pub(crate) first: Vec<u32>,
}

/// Merges centers (rows of `d` values) that lie within `tolerance` of each other, by cells of that
/// size; two that a cell border separates may stay apart, so callers alternate `half_step`, which
/// moves all borders by half a cell. A tolerance of 0 merges only equal centers. Each center may
/// have a tolerance of its own; centers with different ones do not merge.
pub(crate) fn merge<T: Real>(
    centers: &[T],
    d: usize,
    tolerance: impl Fn(usize) -> T,
    half_step: bool,
) -> Merged {
    // A cell's diagonal is the tolerance, so any two centers in one cell are near enough.
    let per_cell = |center: usize| (d as f64).sqrt() / tolerance(center).as_f64();
    let offset = if half_step { 0.5 } else { 0.0 };
    let cell_of = |value: T, per_cell: f64| -> u64 {
        let cell = (value.as_f64() * per_cell + offset).floor();
        // Too many cells to count (or a tolerance of 0): each value is a cell of its own.
        let cell = if cell.is_finite() { cell } else { value.as_f64() };
        (cell + 0.0).to_bits() // −0 + 0 is +0: equal values, equal bits
    };
    let mut merged = Merged { of: Vec::with_capacity(centers.len() / d), first: Vec::new() };
    let mut cells: HashMap<u64, u32> = HashMap::with_capacity(centers.len() / d);
    for (center, position) in centers.chunks_exact(d).enumerate() {
        let per_cell_here = per_cell(center);
        let cell = |value: T| cell_of(value, per_cell_here);
        let key = position.iter().fold(per_cell_here.to_bits(), |hash, &v| mix(hash ^ cell(v)));
        let new = *cells.entry(key).or_insert(merged.first.len() as u32) as usize;
        let joins = merged.first.get(new).is_some_and(|&first| {
            let first_at = &centers[first as usize * d..][..d];
            // Different cells may share a hash.
            per_cell(first as usize) == per_cell_here
                && first_at.iter().zip(position).all(|(&a, &b)| cell(a) == cell(b))
        });
        if joins {
            merged.of.push(new as u32);
        } else {
            merged.of.push(merged.first.len() as u32);
            merged.first.push(center as u32);
        }
    }
    merged
}

/// From how many columns on [`merge_wide`] finds what [`merge`] misses: with d columns a cell has d
/// pairs of borders and an edge of 1/√d of the tolerance, so that two near centers hardly ever share one.
pub(crate) const MANY_COLUMNS: usize = 32;

/// Merges centers that lie within half of `tolerance` of the first of them (so all within
/// `tolerance` of each other), looking only where they are near in their widest column.
pub(crate) fn merge_wide<T: Real>(centers: &[T], d: usize, tolerance: T) -> Merged {
    let n = centers.len() / d;
    let at = |center: u32| &centers[center as usize * d..][..d];
    let col = widest_column(centers, d);
    let key = |center: u32| at(center)[col];
    let mut by_key: Vec<u32> = (0..n as u32).collect();
    by_key.sort_by(|&a, &b| key(a).partial_cmp(&key(b)).unwrap_or(Ordering::Equal));
    let half = tolerance / T::of(2.0);
    let is_near = |a: u32, b: u32| {
        let mut way_sq = T::zero();
        at(a).chunks(16).zip(at(b).chunks(16)).all(|(a, b)| {
            way_sq += distance_sq(a, b);
            way_sq <= half * half
        })
    };
    // Those that others have joined or may join, by key.
    let mut leaders: Vec<u32> = Vec::new();
    let mut leader_of: Vec<u32> = (0..n as u32).collect();
    for center in by_key {
        let reachable =
            leaders.iter().rev().take_while(|&&leader| key(center) - key(leader) <= half);
        match reachable.copied().find(|&leader| is_near(leader, center)) {
            Some(leader) => leader_of[center as usize] = leader,
            None => leaders.push(center),
        }
    }
    // Numbered by first member, as if found in order.
    let mut new_of_leader = vec![u32::MAX; n];
    let mut merged = Merged { of: Vec::with_capacity(n), first: Vec::new() };
    for (center, &leader) in leader_of.iter().enumerate() {
        let new = &mut new_of_leader[leader as usize];
        if *new == u32::MAX {
            *new = merged.first.len() as u32;
            merged.first.push(center as u32);
        }
        merged.of.push(*new);
    }
    merged
}

/// The column whose values differ most.
fn widest_column<T: Real>(centers: &[T], d: usize) -> usize {
    let (mut least, mut most) = (centers[..d].to_vec(), centers[..d].to_vec());
    for center in centers.chunks_exact(d) {
        for (col, &value) in center.iter().enumerate() {
            least[col] = least[col].min(value);
            most[col] = most[col].max(value);
        }
    }
    let width = |col: usize| most[col] - least[col];
    (1..d).fold(0, |best, col| if width(col) > width(best) { col } else { best })
}

/// A well-spread 64-bit hash step (the finaliser of SplitMix64).
pub(crate) fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_centers_become_the_first_of_them() {
        let merged = merge(&[0.01, 5.01, 0.02, 5.01], 1, |_| 0.1, false);
        assert_eq!(merged.of, [0, 1, 0, 1]);
        assert_eq!(merged.first, [0, 1]);
    }

    #[test]
    fn a_border_separates_only_every_other_time() {
        let pair = [0.999, 1.001];
        assert_eq!(merge(&pair, 1, |_| 1.0, false).first.len(), 2);
        assert_eq!(merge(&pair, 1, |_| 1.0, true).first.len(), 1);
    }

    #[test]
    fn with_many_columns_all_that_is_near_the_first_merges() {
        // Derived: the second is √40·0.01 = 0.063 away from the first, the third three times that.
        let row = |value: f64| vec![value; 40];
        let centers = [row(0.5), row(0.51), row(0.48), row(0.5)].concat();
        let merged = merge_wide(&centers, 40, 0.15);
        assert_eq!(merged.of, [0, 0, 1, 0]);
        assert_eq!(merged.first, [0, 2]);
        assert_eq!(merge_wide(&centers, 40, 0.0).of, [0, 1, 2, 0]);
    }

    #[test]
    fn tolerance_zero_merges_only_equal_centers() {
        let merged = merge(&[0.0, -0.0, 1e-300, 0.0], 1, |_| 0.0, false);
        assert_eq!(merged.of, [0, 0, 1, 0]);
    }

    #[test]
    fn only_centers_of_one_tolerance_merge() {
        let merged = merge(&[0.01, 0.02, 0.03], 1, |center| [0.1, 0.2, 0.1][center], false);
        assert_eq!(merged.of, [0, 1, 0]);
    }
}
