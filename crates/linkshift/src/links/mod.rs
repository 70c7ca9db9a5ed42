//! Links: what a person knows about pairs of points.

use std::fmt;

/// What a link says of its two ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LinkKind {
    /// The two belong together.
    Must,
    /// The two belong apart.
    Cannot,
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
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            LinkKind::Must => "must",
            LinkKind::Cannot => "cannot",
        };
        write!(f, "{kind} {}–{}", self.a, self.b)
    }
}

/// The rows of a chain of must-links in walking order, e.g. `3 – 8 – 5`.
pub(crate) fn display_chain(start: usize, chain: &[Link]) -> String {
    let mut text = start.to_string();
    let mut at = start;
    for link in chain {
        at = if link.a == at { link.b } else { link.a };
        text.push_str(&format!(" – {at}"));
    }
    text
}
