//! Links: what a person knows about pairs of points.
//!
//! A must-link says that two rows belong together, a cannot-link that they belong apart. [`Links`]
//! holds what was given, in the order it was given. Closing it draws the conclusions:
//!
//! - Must-links are transitive: rows joined by a chain of them form a *group* (union-find).
//! - A cannot-link between two rows holds between all rows of their two groups.
//! - A cannot-link inside a group is a contradiction, an error that names the cannot-link and the
//!   shortest chain of must-links against it, so that a person can see which answer was wrong.
//!
//! Two groups of 1,000 rows with one cannot-link between them stand for 10⁶ pairs, so the
//! [`LinkClosure`] stays factored: groups, and pairs of groups. A method expands only what it needs.
//!
//! A confidence below 1 does not weaken a conclusion: a must-link joins its rows and a cannot-link
//! parts its groups however sure the person was. The confidence travels along, on links and on
//! pairs of groups, for the methods that weigh links instead of obeying them. Those to which a
//! doubtful link is evidence and not logic close the certain ones only
//! ([`Links::split_by_certainty`]).
//!
//! Closing n points and c links costs O(n + c log c) time and O(n + c) memory.
//!
//! ```
//! use linkshift::{LinkKind, Links};
//!
//! // 0 and 1 belong together, so do 1 and 2; row 3 belongs apart from 0.
//! let links = Links::from_pairs(&[(0, 1), (1, 2)], &[(0, 3)]);
//! let closure = links.close(5)?;
//! assert_eq!(closure.members(0), [0, 1, 2]);
//! assert_eq!(closure.relation(0, 2), Some(LinkKind::Must));
//! assert_eq!(closure.relation(2, 3), Some(LinkKind::Cannot));
//! assert_eq!(closure.relation(2, 4), None);
//!
//! let error = Links::from_pairs(&[(0, 1), (1, 2)], &[(0, 2)]).close(3).unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "the links contradict each other: cannot 0–2, but 2 must-links put them together: \
//!      0 – 1 – 2; remove one of these links"
//! );
//! # Ok::<(), linkshift::Error>(())
//! ```

mod closure;
mod consistent;
mod contradiction;
mod draw;
mod report;
mod restrict;
#[cfg(test)]
mod tests;

pub use closure::{CannotGroup, GroupPair, LinkClosure};
pub use consistent::Consistent;
pub use draw::draw;
pub use report::LinkReport;

use crate::error::{LinkError, Result};
use crate::params::Named;
use std::collections::HashMap;
use std::fmt;

/// Partial labels make a cannot-link for each pair of classes: 4096 classes make 8 million.
const MOST_CLASSES: usize = 4096;

/// What a link says of its two ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LinkKind {
    /// The two belong together.
    Must,
    /// The two belong apart.
    Cannot,
}

impl Named for LinkKind {
    const ALL: &'static [Self] = &[LinkKind::Must, LinkKind::Cannot];

    fn name(self) -> &'static str {
        match self {
            LinkKind::Must => "must",
            LinkKind::Cannot => "cannot",
        }
    }
}

/// A pair of rows with a verdict.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    /// One end, a row from 0.
    pub a: usize,
    /// The other end, a row from 0.
    pub b: usize,
    /// Together or apart.
    pub kind: LinkKind,
    /// How sure the person is, in (0, 1].
    pub confidence: f64,
}

impl Link {
    /// A certain must-link.
    pub fn must(a: usize, b: usize) -> Self {
        Link { a, b, kind: LinkKind::Must, confidence: 1.0 }
    }

    /// A certain cannot-link.
    pub fn cannot(a: usize, b: usize) -> Self {
        Link { a, b, kind: LinkKind::Cannot, confidence: 1.0 }
    }

    /// The end that is not `row`.
    fn other_end(&self, row: usize) -> usize {
        if self.a == row { self.b } else { self.a }
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}–{}", self.kind.name(), self.a, self.b)
    }
}

/// Links as they were given, in order, unchecked and with their duplicates; [`Links::close`] checks
/// them and draws the conclusions.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Links {
    links: Vec<Link>,
    are_stated: bool,
}

impl Links {
    /// No links yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Certain links from two lists of pairs, the must-links first.
    pub fn from_pairs(must: &[(usize, usize)], cannot: &[(usize, usize)]) -> Self {
        let must = must.iter().map(|&(a, b)| Link::must(a, b));
        must.chain(cannot.iter().map(|&(a, b)| Link::cannot(a, b))).collect()
    }

    /// The same, whose confidences were written down by a person: a 1 among them is meant.
    pub fn stated(self) -> Self {
        Self { are_stated: true, ..self }
    }

    /// Whether a confidence of 1 is meant: someone wrote confidences down, or some are below 1.
    /// Otherwise nobody said anything about how sure the links are.
    pub fn are_stated(&self) -> bool {
        self.are_stated || self.links.iter().any(|link| link.confidence < 1.0)
    }

    /// Adds a link.
    pub fn push(&mut self, link: Link) {
        self.links.push(link);
    }

    /// The links in the order they were given.
    pub fn iter(&self) -> impl Iterator<Item = &Link> {
        self.links.iter()
    }

    /// The links in the order they were given.
    pub fn as_slice(&self) -> &[Link] {
        &self.links
    }

    /// How many links were told, duplicates counted.
    pub fn len(&self) -> usize {
        self.links.len()
    }

    /// Whether there is no link.
    pub fn is_empty(&self) -> bool {
        self.links.is_empty()
    }

    /// Adds rows that all belong together, as a star of must-links from the first row to each
    /// other one; a group of a single row says nothing and adds nothing.
    pub fn add_group(&mut self, rows: &[usize]) {
        let Some((&first, others)) = rows.split_first() else { return };
        let others = others.iter().filter(|&&row| row != first);
        self.extend(others.map(|&row| Link::must(first, row)));
    }

    /// Adds partial labels, one per row, negative where unknown.
    ///
    /// The first row of each class stands for it: a star of must-links joins it to the other rows
    /// of its class, and one cannot-link to the first row of each other class. More than 4096
    /// classes are refused, with nothing added.
    ///
    /// ```
    /// use linkshift::{Link, Links};
    ///
    /// let mut links = Links::new();
    /// links.add_labels(&[7, -1, 4, 7])?;
    /// assert_eq!(links.as_slice(), [Link::must(0, 3), Link::cannot(0, 2)]);
    /// # Ok::<(), linkshift::Error>(())
    /// ```
    pub fn add_labels(&mut self, labels: &[i64]) -> Result<()> {
        let mut first_of_class = HashMap::new();
        let mut firsts = Vec::new();
        let mut stars = Vec::new();
        for (row, &label) in labels.iter().enumerate().filter(|&(_, &label)| label >= 0) {
            let first = *first_of_class.entry(label).or_insert(row);
            if first == row {
                firsts.push(row);
            } else {
                stars.push(Link::must(first, row));
            }
        }
        if firsts.len() > MOST_CLASSES {
            let found = firsts.len();
            return Err(LinkError::TooManyClasses { found, most: MOST_CLASSES }.into());
        }
        self.extend(stars);
        for (class, &one) in firsts.iter().enumerate() {
            self.extend(firsts[class + 1..].iter().map(|&other| Link::cannot(one, other)));
        }
        Ok(())
    }

    /// Checks the links against the number of points and draws their conclusions.
    ///
    /// The first link with a row that does not exist, with two equal ends or with a confidence
    /// outside (0, 1] is an error, and so is the first cannot-link that must-links contradict.
    pub fn close(&self, n_points: usize) -> Result<LinkClosure> {
        closure::close(&self.links, n_points)
    }

    /// The fewest must-links that lead from one row to another, in walking order; none if no chain
    /// does, or a row is not there.
    ///
    /// ```
    /// use linkshift::{Link, Links};
    ///
    /// let links = Links::from_pairs(&[(0, 1), (2, 1)], &[(3, 0)]);
    /// assert_eq!(links.must_chain(0, 2, 4), [Link::must(0, 1), Link::must(2, 1)]);
    /// assert_eq!(links.must_chain(0, 3, 4), []);
    /// ```
    pub fn must_chain(&self, from: usize, to: usize, n_points: usize) -> Vec<Link> {
        let are_rows = from.max(to) < n_points && self.check(n_points).is_ok();
        match are_rows && from != to {
            true => contradiction::shortest_chain(&self.links, n_points, &Link::cannot(from, to)),
            false => Vec::new(),
        }
    }

    /// The certain links (confidence 1) and the others, each in the order they were given.
    pub fn split_by_certainty(&self) -> (Links, Links) {
        self.links.iter().copied().partition(|link| link.confidence == 1.0)
    }

    /// Checks each link by itself: rows in range, two ends, a confidence in (0, 1].
    pub fn check(&self, n_points: usize) -> Result<()> {
        closure::check(&self.links, n_points)
    }

    /// The links without those that contradict surer ones, and what was left out.
    ///
    /// Among equally sure links, cannot-links are believed before must-links, and then what was
    /// told first. Fails only at a link that makes no sense by itself.
    ///
    /// ```
    /// use linkshift::{Link, Links};
    ///
    /// let mut links = Links::from_pairs(&[(0, 1)], &[(0, 2)]);
    /// links.push(Link { confidence: 0.6, ..Link::must(1, 2) });
    /// let consistent = links.consistent(3)?;
    /// assert_eq!(consistent.kept.len(), 2);
    /// assert_eq!(consistent.dropped, [Link { confidence: 0.6, ..Link::must(1, 2) }]);
    /// # Ok::<(), linkshift::Error>(())
    /// ```
    pub fn consistent(&self, n_points: usize) -> Result<Consistent> {
        let mut consistent = consistent::consistent(&self.links, n_points)?;
        consistent.kept.are_stated = self.are_stated();
        Ok(consistent)
    }

    /// The links of a subset of the rows: `kept` holds the old numbers of the rows kept, in their
    /// new order.
    ///
    /// A link between two kept rows stays as it is. What the others imply of kept rows is told anew:
    ///
    /// - Kept rows that must-links join through dropped rows get a star of must-links, with the
    ///   smallest confidence of the links it replaces: a chain is no surer than its weakest link.
    /// - A cannot-link with a dropped end moves to a kept row which must-links join to that end,
    ///   with its own confidence; if there is none, nothing is left to say.
    ///
    /// So links that close without a contradiction imply the same of each kept pair before and
    /// after. Links are not checked here: a row not in `kept` counts as dropped, whether it exists
    /// or not. A row that is kept twice is linked at its first place.
    ///
    /// ```
    /// use linkshift::{Link, Links};
    ///
    /// // Row 1 goes; rows 0, 2 and 3 become 0, 1 and 2.
    /// let links = Links::from_pairs(&[(0, 1), (1, 2)], &[(1, 3)]);
    /// let restricted = links.restrict(&[0, 2, 3]);
    /// assert_eq!(restricted.as_slice(), [Link::cannot(0, 2), Link::must(0, 1)]);
    /// ```
    pub fn restrict(&self, kept: &[usize]) -> Links {
        let are_stated = self.are_stated();
        Links { are_stated, ..restrict::restrict(&self.links, kept) }
    }

    /// Which links a clustering keeps and which it breaks.
    ///
    /// A negative label (or none, where `labels` ends too soon) means not clustered: such a row is
    /// together with no other, which breaks its must-links and keeps its cannot-links.
    pub fn report(&self, labels: &[i64]) -> LinkReport {
        report::report(&self.links, labels)
    }
}

impl FromIterator<Link> for Links {
    fn from_iter<I: IntoIterator<Item = Link>>(links: I) -> Self {
        Links { links: links.into_iter().collect(), are_stated: false }
    }
}

impl Extend<Link> for Links {
    fn extend<I: IntoIterator<Item = Link>>(&mut self, links: I) {
        self.links.extend(links);
    }
}

impl<'a> IntoIterator for &'a Links {
    type Item = &'a Link;
    type IntoIter = std::slice::Iter<'a, Link>;

    fn into_iter(self) -> Self::IntoIter {
        self.links.iter()
    }
}

/// The rows of a chain of must-links in walking order, e.g. `3 – 8 – 5`.
pub(crate) fn display_chain(start: usize, chain: &[Link]) -> String {
    let mut text = start.to_string();
    let mut at = start;
    for link in chain {
        at = link.other_end(at);
        text.push_str(&format!(" – {at}"));
    }
    text
}
