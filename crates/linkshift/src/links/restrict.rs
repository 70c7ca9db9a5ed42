//! Re-indexing links when rows are dropped, without losing what they imply of the rows kept.

use super::{Link, LinkKind, Links};
use crate::shared::disjoint_sets::DisjointSets;
use crate::shared::lists::Lists;
use std::collections::HashMap;

/// See [`Links::restrict`].
pub(super) fn restrict(links: &[Link], kept: &[usize]) -> Links {
    let mut new_rows = HashMap::new();
    for (new, &old) in kept.iter().enumerate() {
        new_rows.entry(old).or_insert(new);
    }
    let bridges = Bridges::new(links, &new_rows);
    let mut restricted = Links::new();
    for link in links {
        match (new_rows.get(&link.a), new_rows.get(&link.b)) {
            (Some(&a), Some(&b)) => restricted.push(Link { a, b, ..*link }),
            (a, b) if link.kind == LinkKind::Cannot && link.a != link.b => {
                let stand_ins_a = a.map_or(bridges.ends_at(link.a), std::slice::from_ref);
                let stand_ins_b = b.map_or(bridges.ends_at(link.b), std::slice::from_ref);
                if let Some((a, b)) = two_rows(stand_ins_a, stand_ins_b) {
                    restricted.push(Link { a, b, ..*link });
                }
            }
            _ => {} // a must-link with a dropped end is part of a bridge
        }
    }
    restricted.extend(bridges.stars());
    restricted
}

/// One row from each side. Where links contradict each other the sides overlap; two different rows
/// then keep the contradiction alive, and two from each side are enough to find them.
fn two_rows(side_a: &[usize], side_b: &[usize]) -> Option<(usize, usize)> {
    let mut candidates =
        side_a.iter().take(2).flat_map(|&a| side_b.iter().take(2).map(move |&b| (a, b)));
    candidates.find(|(a, b)| a != b)
}

/// Dropped rows joined by must-links, with the kept rows around them.
///
/// Only must-links with a dropped end are joined here: the others stay as they are. Any way of
/// must-links from a dropped row to a kept one enters the kept rows over such links alone.
struct Bridges {
    /// The bridge of each old row on one.
    bridge_of: HashMap<usize, usize>,
    /// The kept rows of each bridge, by their new numbers, in the order they were given.
    ends: Lists<usize>,
    /// The smallest confidence within each bridge.
    confidence: Vec<f64>,
}

impl Bridges {
    fn new(links: &[Link], new_rows: &HashMap<usize, usize>) -> Self {
        let is_dropped = |row: usize| !new_rows.contains_key(&row);
        let bridging = || {
            let must = links.iter().filter(|link| link.kind == LinkKind::Must);
            must.filter(|link| is_dropped(link.a) || is_dropped(link.b))
        };

        // Links are unchecked and rows may be any number: give those in use small ones.
        let mut rows = Vec::new();
        let mut bridge_of = HashMap::new();
        for row in bridging().flat_map(|link| [link.a, link.b]) {
            bridge_of.entry(row).or_insert_with(|| {
                rows.push(row);
                rows.len() - 1
            });
        }
        let mut sets = DisjointSets::new(rows.len());
        for link in bridging() {
            sets.join(bridge_of[&link.a], bridge_of[&link.b]);
        }
        for bridge in bridge_of.values_mut() {
            *bridge = sets.find(*bridge);
        }

        let mut confidence = vec![1.0_f64; rows.len()];
        for link in bridging() {
            let bridge = bridge_of[&link.a];
            confidence[bridge] = confidence[bridge].min(link.confidence);
        }
        let kept = rows.iter().filter_map(|row| Some((bridge_of[row], *new_rows.get(row)?)));
        let ends = Lists::new(rows.len(), kept);
        Bridges { bridge_of, ends, confidence }
    }

    /// The kept rows that must-links join to a dropped row.
    fn ends_at(&self, dropped: usize) -> &[usize] {
        self.bridge_of.get(&dropped).map_or(&[], |&bridge| self.ends.get(bridge))
    }

    /// Must-links that say what the bridges said.
    fn stars(&self) -> impl Iterator<Item = Link> + '_ {
        (0..self.ends.len()).flat_map(|bridge| {
            let ends = self.ends.get(bridge);
            let confidence = self.confidence[bridge];
            let others = ends.iter().skip(1);
            others.map(move |&other| Link { confidence, ..Link::must(ends[0], other) })
        })
    }
}
