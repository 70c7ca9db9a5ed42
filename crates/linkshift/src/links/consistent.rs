//! The links that can all be true together, when some of those given contradict each other.

use super::{Link, LinkKind, Links, closure};
use crate::error::Result;
use crate::shared::apart::ApartSets;

/// Links without contradictions, and those that had to go for it; each in the order given.
#[derive(Debug, Clone, PartialEq)]
pub struct Consistent {
    /// Links that close without a contradiction.
    pub kept: Links,
    /// Links that contradict surer ones.
    pub dropped: Vec<Link>,
    /// For each link given, whether it is kept.
    pub is_kept: Vec<bool>,
}

/// Takes the surest links first and leaves out each that contradicts those taken before.
///
/// Among equally sure ones, cannot-links come before must-links, then the order given decides: most
/// pairs belong apart, so a wrong answer makes a false must-link far more often than a false
/// cannot-link, and does more harm, since it joins all that follows from it.
pub(super) fn consistent(links: &[Link], n_points: usize) -> Result<Consistent> {
    closure::check(links, n_points)?;
    let mut order: Vec<usize> = (0..links.len()).collect();
    order.sort_by(|&a, &b| {
        let is_must = |at: usize| links[at].kind == LinkKind::Must;
        links[b].confidence.total_cmp(&links[a].confidence).then(is_must(a).cmp(&is_must(b)))
    });
    let mut sets = ApartSets::new(n_points);
    let mut is_kept = vec![true; links.len()];
    for at in order {
        let Link { a, b, kind, .. } = links[at];
        let together = sets.find(a) == sets.find(b);
        is_kept[at] = match kind {
            LinkKind::Must => together || sets.try_join(a, b),
            LinkKind::Cannot => !together,
        };
        if kind == LinkKind::Cannot && !together && !sets.are_apart(a, b) {
            sets.part(a, b);
        }
    }
    let of = |wanted: bool| {
        links.iter().zip(&is_kept).filter(move |&(_, &kept)| kept == wanted).map(|(&link, _)| link)
    };
    let (kept, dropped) = (of(true).collect(), of(false).collect());
    Ok(Consistent { kept, dropped, is_kept })
}
