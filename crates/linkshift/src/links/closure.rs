//! What links imply, kept factored: groups, and pairs of groups that belong apart.

use super::contradiction::shortest_chain;
use super::{Link, LinkKind};
use crate::error::{Error, LinkError, Result};
use crate::shared::disjoint_sets::DisjointSets;
use crate::shared::lists::Lists;

/// In `LinkClosure::group_of_row`: no link touches the row.
const NO_GROUP: u32 = u32::MAX;

/// Two groups that belong apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroupPair {
    /// The group with the smaller number.
    pub a: usize,
    /// The group with the larger number.
    pub b: usize,
    /// The largest confidence of the cannot-links that say so.
    pub confidence: f64,
}

/// A group that belongs apart from the group asked about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CannotGroup {
    /// The other group.
    pub group: usize,
    /// The largest confidence of the cannot-links that say so.
    pub confidence: f64,
}

/// Checked links with their conclusions; every method takes its links in this form.
///
/// A *group* is a set of rows joined by must-links, or a single row that only cannot-links touch.
/// Groups are numbered by their first row; a row that no link touches has no group.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkClosure {
    group_of_row: Vec<u32>,
    members: Lists<u32>,
    cannot_pairs: Vec<GroupPair>,
    cannot_groups: Lists<CannotGroup>,
}

impl LinkClosure {
    /// No links at all.
    pub fn none(n_points: usize) -> Self {
        LinkClosure::from_groups(vec![NO_GROUP; n_points], 0, Vec::new())
    }

    /// `cannot_pairs` are sorted and distinct.
    fn from_groups(
        group_of_row: Vec<u32>,
        n_groups: usize,
        cannot_pairs: Vec<GroupPair>,
    ) -> LinkClosure {
        let grouped = group_of_row.iter().enumerate().filter(|&(_, &group)| group != NO_GROUP);
        let members =
            Lists::new(n_groups, grouped.map(|(row, &group)| (group as usize, row as u32)));
        // Sorted pairs name the smaller neighbours of a group before its larger ones, each in
        // ascending order, so the lists come out sorted.
        let both_ways = cannot_pairs.iter().flat_map(|&GroupPair { a, b, confidence }| {
            [(a, CannotGroup { group: b, confidence }), (b, CannotGroup { group: a, confidence })]
        });
        let cannot_groups = Lists::new(n_groups, both_ways);
        LinkClosure { group_of_row, members, cannot_pairs, cannot_groups }
    }

    /// Number of points the links were closed over.
    pub fn n_points(&self) -> usize {
        self.group_of_row.len()
    }

    /// Number of groups, those of a single row counted.
    pub fn n_groups(&self) -> usize {
        self.members.len()
    }

    /// Whether nothing is linked.
    pub fn is_empty(&self) -> bool {
        self.n_groups() == 0
    }

    /// The group of a row, if a link touches it.
    pub fn group_of(&self, row: usize) -> Option<usize> {
        let group = *self.group_of_row.get(row)?;
        (group != NO_GROUP).then_some(group as usize)
    }

    /// The rows of a group, ascending.
    pub fn members(&self, group: usize) -> &[u32] {
        self.members.get(group)
    }

    /// The pairs of groups that belong apart: sorted, each once.
    pub fn cannot_pairs(&self) -> &[GroupPair] {
        &self.cannot_pairs
    }

    /// The groups that belong apart from `group`, ascending.
    pub fn cannot_groups_of(&self, group: usize) -> &[CannotGroup] {
        self.cannot_groups.get(group)
    }

    /// What the links imply of two rows, if anything; a row is always together with itself.
    pub fn relation(&self, a: usize, b: usize) -> Option<LinkKind> {
        if a == b && a < self.n_points() {
            return Some(LinkKind::Must);
        }
        let (a, b) = (self.group_of(a)?, self.group_of(b)?);
        if a == b {
            return Some(LinkKind::Must);
        }
        let apart = self.cannot_groups_of(a).binary_search_by_key(&b, |other| other.group);
        apart.is_ok().then_some(LinkKind::Cannot)
    }

    /// How many pairs [`directed_cannot`](Self::directed_cannot) would list: 2·Σ |A|·|B|.
    pub fn n_directed_cannot(&self) -> u64 {
        let size = |group| self.members(group).len() as u64;
        self.cannot_pairs.iter().map(|pair| 2 * size(pair.a) * size(pair.b)).sum()
    }

    /// Every pair of rows that belong apart, in both directions, made one by one when asked for.
    pub fn directed_cannot(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.cannot_pairs.iter().flat_map(|pair| {
            self.members(pair.a).iter().flat_map(|&x| {
                let (x, others) = (x as usize, self.members(pair.b));
                others.iter().flat_map(move |&y| [(x, y as usize), (y as usize, x)])
            })
        })
    }

    /// How many pairs of rows that belong apart have the same label, each pair counted once.
    ///
    /// A negative or missing label is the same as no other. Counted label by label within each
    /// pair of groups, never row by row.
    pub fn n_broken(&self, labels: &[i64]) -> u64 {
        let counts: Vec<Vec<(i64, u64)>> =
            (0..self.n_groups()).map(|group| count_labels(self.members(group), labels)).collect();
        let broken_between = |pair: &GroupPair| -> u64 {
            let (a, b) = (&counts[pair.a], &counts[pair.b]);
            let (few, many) = if a.len() < b.len() { (a, b) } else { (b, a) };
            let in_many = |label: i64| {
                many.binary_search_by_key(&label, |&(label, _)| label).map_or(0, |at| many[at].1)
            };
            few.iter().map(|&(label, count)| count * in_many(label)).sum()
        };
        self.cannot_pairs.iter().map(broken_between).sum()
    }
}

/// The labels of some rows with their counts, ascending, without the negative ones.
fn count_labels(rows: &[u32], labels: &[i64]) -> Vec<(i64, u64)> {
    let known = rows.iter().filter_map(|&row| labels.get(row as usize));
    let mut sorted: Vec<i64> = known.copied().filter(|&label| label >= 0).collect();
    sorted.sort_unstable();
    sorted.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u64)).collect()
}

/// Checks the links, then closes them.
pub(super) fn close(links: &[Link], n_points: usize) -> Result<LinkClosure> {
    check(links, n_points)?;
    let mut sets = DisjointSets::new(n_points);
    for link in links.iter().filter(|link| link.kind == LinkKind::Must) {
        sets.join(link.a, link.b);
    }
    let (group_of_row, n_groups) = number_groups(links, n_points, &mut sets);
    let mut cannot_pairs = Vec::new();
    for link in links.iter().filter(|link| link.kind == LinkKind::Cannot) {
        let (a, b) = (group_of_row[link.a] as usize, group_of_row[link.b] as usize);
        if a == b {
            let chain = shortest_chain(links, n_points, link);
            return Err(LinkError::Contradiction { cannot: *link, chain }.into());
        }
        let confidence = link.confidence;
        cannot_pairs.push(GroupPair { a: a.min(b), b: a.max(b), confidence });
    }
    // The surest of equal pairs comes first and is the one that stays.
    cannot_pairs.sort_unstable_by(|x, y| {
        (x.a, x.b).cmp(&(y.a, y.b)).then(y.confidence.total_cmp(&x.confidence))
    });
    cannot_pairs.dedup_by_key(|pair| (pair.a, pair.b));
    Ok(LinkClosure::from_groups(group_of_row, n_groups, cannot_pairs))
}

/// Fails at the first link that makes no sense by itself.
pub(super) fn check(links: &[Link], n_points: usize) -> Result<()> {
    if n_points > NO_GROUP as usize {
        return Err(Error::param("n_points", n_points, format!("at most {NO_GROUP}")));
    }
    for (position, &link) in links.iter().enumerate() {
        if let Some(row) = [link.a, link.b].into_iter().find(|&row| row >= n_points) {
            return Err(LinkError::OutOfRange { position, link, row, n_points }.into());
        }
        if link.a == link.b {
            return Err(LinkError::SelfLink { position, link }.into());
        }
        if !(link.confidence > 0.0 && link.confidence <= 1.0) {
            return Err(LinkError::Confidence { position, link }.into());
        }
    }
    Ok(())
}

/// The group of each row, numbered by first row, and how many groups there are.
fn number_groups(links: &[Link], n_points: usize, sets: &mut DisjointSets) -> (Vec<u32>, usize) {
    let mut is_linked = vec![false; n_points];
    for link in links {
        is_linked[link.a] = true;
        is_linked[link.b] = true;
    }
    let mut group_of_set = vec![NO_GROUP; n_points];
    let mut group_of_row = vec![NO_GROUP; n_points];
    let mut n_groups = 0;
    for row in (0..n_points).filter(|&row| is_linked[row]) {
        let group = &mut group_of_set[sets.find(row)];
        if *group == NO_GROUP {
            *group = n_groups;
            n_groups += 1;
        }
        group_of_row[row] = *group;
    }
    (group_of_row, n_groups as usize)
}
