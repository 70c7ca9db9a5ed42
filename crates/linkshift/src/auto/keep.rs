//! The last step: as few points as possible change their cluster until every link holds.
//!
//! Points that must be together already are. Of two groups that a cannot-link parts but that share
//! a cluster, the smaller one goes to the likeliest cluster where nobody it cannot be with is; to one
//! of its own if there is none. That breaks no other link, so one pass is enough.

use super::votes::Belief;
use crate::links::LinkClosure;

/// Moves groups until no cannot-link is broken; returns the rows that moved, ascending.
pub(super) fn keep_apart(labels: &mut [i64], closure: &LinkClosure, belief: &Belief) -> Vec<usize> {
    let mut next = labels.iter().max().copied().unwrap_or(0) + 1;
    let label = |labels: &[i64], group: usize| labels[closure.members(group)[0] as usize];
    let size = |group: usize| closure.members(group).len();
    let mut moved = Vec::new();
    for pair in closure.cannot_pairs() {
        if label(labels, pair.a) != label(labels, pair.b) {
            continue;
        }
        let moving = if size(pair.a) < size(pair.b) { pair.a } else { pair.b };
        let foes = closure.cannot_groups_of(moving);
        let taken: Vec<i64> = foes.iter().map(|foe| label(labels, foe.group)).collect();
        let likely = |cluster: usize| -> f64 {
            let rows = closure.members(moving).iter();
            rows.map(|&row| f64::from(belief.row(row as usize)[cluster]).max(1e-9).ln()).sum()
        };
        let free = (0..belief.n_clusters).filter(|&cluster| !taken.contains(&(cluster as i64)));
        let best = free
            .map(|cluster| (likely(cluster), cluster))
            .reduce(|best, other| if other.0 > best.0 { other } else { best });
        // Where hardly any of its points would go, a cluster of its own is more honest.
        let worth = size(moving) as f64 * WORTH_GOING.ln();
        let to = match best {
            Some((likely, cluster)) if likely > worth => cluster as i64,
            _ => {
                next += 1;
                next - 1
            }
        };
        closure.members(moving).iter().for_each(|&row| labels[row as usize] = to);
        moved.extend(closure.members(moving).iter().map(|&row| row as usize));
    }
    moved.sort_unstable();
    moved.dedup();
    moved
}

/// A cluster to which a point belongs less surely than this is no place to go.
const WORTH_GOING: f64 = 1e-8;
