//! What links between points say of the modes that the points belong to.

use crate::links::LinkClosure;
use std::collections::BTreeMap;

/// Verdicts on pairs of nodes.
#[derive(Debug, Default)]
pub(crate) struct Votes {
    /// Pairs that belong together, the surest first.
    pub(crate) together: Vec<(usize, usize)>,
    /// Pairs that belong apart, the surest first.
    pub(crate) apart: Vec<(usize, usize)>,
}

/// Counts the links between each two nodes: must-links for, cannot-links against them.
///
/// A group with members in several nodes speaks for joining each of them to the one where it has
/// most, with as many votes as it has members in the smaller of the two. Two groups that belong
/// apart speak against joining their nodes, likewise, times the confidence of the cannot-link.
pub(crate) fn count(closure: &LinkClosure, node_of: &[u32]) -> Votes {
    let nodes: Vec<Vec<(usize, f64)>> = (0..closure.n_groups())
        .map(|group| {
            let mut members: Vec<usize> =
                closure.members(group).iter().map(|&row| node_of[row as usize] as usize).collect();
            members.sort_unstable();
            members.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as f64)).collect()
        })
        .collect();
    let mut sums: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    let mut add = |(a, of_a): (usize, f64), (b, of_b): (usize, f64), times: f64| {
        if a != b {
            *sums.entry((a.min(b), a.max(b))).or_default() += times * of_a.min(of_b);
        }
    };
    for nodes in &nodes {
        // Of several equally good ones the first.
        let most =
            nodes.iter().copied().reduce(|best, next| if next.1 > best.1 { next } else { best });
        if let Some(hub) = most {
            nodes.iter().for_each(|&node| add(hub, node, 1.0));
        }
    }
    for pair in closure.cannot_pairs() {
        for &a in &nodes[pair.a] {
            nodes[pair.b].iter().for_each(|&b| add(a, b, -pair.confidence));
        }
    }
    let (mut together, mut apart): (Vec<_>, Vec<_>) =
        sums.into_iter().filter(|&(_, sum)| sum != 0.0).partition(|&(_, sum)| sum > 0.0);
    // Stable: pairs with as many votes stay in the order of their nodes.
    together.sort_by(|a, b| b.1.total_cmp(&a.1));
    apart.sort_by(|a, b| a.1.total_cmp(&b.1));
    let pairs = |list: Vec<((usize, usize), f64)>| list.into_iter().map(|(pair, _)| pair).collect();
    Votes { together: pairs(together), apart: pairs(apart) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::links::Links;

    #[test]
    fn links_between_the_same_modes_vote() {
        // Rows 0–2 in mode 0, 3–5 in mode 1, 6 in mode 2. Two must-links and one cannot-link
        // between modes 0 and 1: together. One cannot-link between modes 1 and 2: apart.
        let node_of = [0, 0, 0, 1, 1, 1, 2];
        let links = Links::from_pairs(&[(0, 3), (1, 4)], &[(2, 5), (5, 6)]);
        let votes = count(&links.close(7).unwrap(), &node_of);
        assert_eq!(votes.together, [(0, 1)]);
        assert_eq!(votes.apart, [(1, 2)]);
    }

    #[test]
    fn a_tie_says_nothing_and_neither_do_links_inside_a_mode() {
        let links = Links::from_pairs(&[(0, 2), (0, 1)], &[(3, 4)]);
        let votes = count(&links.close(5).unwrap(), &[0, 0, 1, 0, 1]);
        assert!(votes.together.is_empty() && votes.apart.is_empty());
    }
}
