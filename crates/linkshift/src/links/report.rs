//! Which links a clustering keeps.

use super::{Link, LinkKind};

/// The links a clustering keeps and breaks, counted as they were given.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LinkReport {
    /// Must-links whose ends share a cluster.
    pub must_kept: usize,
    /// All must-links.
    pub must: usize,
    /// Cannot-links whose ends do not share a cluster.
    pub cannot_kept: usize,
    /// All cannot-links.
    pub cannot: usize,
    /// The links not kept, in the order they were given.
    pub broken: Vec<Link>,
}

impl LinkReport {
    /// The share of all links that is kept, from 0 to 1; 1 if there are none.
    pub fn share_kept(&self) -> f64 {
        match self.must + self.cannot {
            0 => 1.0,
            all => (self.must_kept + self.cannot_kept) as f64 / all as f64,
        }
    }
}

/// See [`super::Links::report`].
pub(super) fn report(links: &[Link], labels: &[i64]) -> LinkReport {
    let cluster_of = |row: usize| labels.get(row).filter(|&&label| label >= 0);
    let mut report = LinkReport::default();
    for link in links {
        let together = cluster_of(link.a).is_some() && cluster_of(link.a) == cluster_of(link.b);
        let (all, kept, is_kept) = match link.kind {
            LinkKind::Must => (&mut report.must, &mut report.must_kept, together),
            LinkKind::Cannot => (&mut report.cannot, &mut report.cannot_kept, !together),
        };
        *all += 1;
        if is_kept {
            *kept += 1;
        } else {
            report.broken.push(*link);
        }
    }
    report
}

#[cfg(test)]
mod tests {
    use crate::links::{Link, LinkReport, Links};

    #[test]
    fn kept_and_broken_links_are_counted_and_listed() {
        // Derived: of the must-links 0–1 holds and 0–2 does not; of the cannot-links 1–2 holds and
        // 0–1 does not.
        let links = Links::from_pairs(&[(0, 1), (0, 2)], &[(1, 2), (0, 1)]);
        let report = links.report(&[5, 5, 3]);
        let expected = LinkReport {
            must_kept: 1,
            must: 2,
            cannot_kept: 1,
            cannot: 2,
            broken: vec![Link::must(0, 2), Link::cannot(0, 1)],
        };
        assert_eq!(report, expected);
        assert_eq!(report.share_kept(), 0.5);
    }

    #[test]
    fn noise_is_together_with_nothing_not_even_noise() {
        let links = Links::from_pairs(&[(0, 1), (0, 2)], &[(0, 1), (0, 2)]);
        let report = links.report(&[-1, -1, 4]);
        assert_eq!((report.must_kept, report.cannot_kept), (0, 2));
        assert_eq!(report.broken, [Link::must(0, 1), Link::must(0, 2)]);
    }

    #[test]
    fn rows_beyond_the_labels_count_as_noise() {
        let report = Links::from_pairs(&[(0, 9)], &[(8, 9)]).report(&[0]);
        assert_eq!((report.must_kept, report.cannot_kept), (0, 1));
    }

    #[test]
    fn no_links_are_all_kept() {
        assert_eq!(Links::new().report(&[0, 1]).share_kept(), 1.0);
    }
}
