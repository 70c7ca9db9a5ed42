//! The shortest chain of must-links between two rows, to show a person what contradicts an answer.

use super::{Link, LinkKind};
use crate::shared::lists::Lists;
use std::collections::VecDeque;

/// The fewest must-links that lead from `cannot.a` to `cannot.b`, in walking order; none if no
/// chain exists.
///
/// A breadth-first search from the far end leaves at each row the link that leads back there, so
/// the chain is read off forwards. Links are tried in the order they were given, so equally short
/// chains are always chosen between in the same way.
pub(super) fn shortest_chain(links: &[Link], n_points: usize, cannot: &Link) -> Vec<Link> {
    let must = links.iter().filter(|link| link.kind == LinkKind::Must);
    let links_at = Lists::new(n_points, must.flat_map(|link| [(link.a, link), (link.b, link)]));

    let mut way_back: Vec<Option<&Link>> = vec![None; n_points];
    let mut queue = VecDeque::from([cannot.b]);
    while let Some(row) = queue.pop_front()
        && way_back[cannot.a].is_none()
    {
        for &link in links_at.get(row) {
            let next = link.other_end(row);
            if next != cannot.b && way_back[next].is_none() {
                way_back[next] = Some(link);
                queue.push_back(next);
            }
        }
    }

    let mut chain = Vec::new();
    let mut at = cannot.a;
    while let Some(link) = way_back[at] {
        chain.push(*link);
        at = link.other_end(at);
    }
    chain
}
