//! Closing and restricting links, against all pairs drawn out by brute force.

use super::*;
use crate::error::Error;
use proptest::prelude::*;

/// Every conclusion, pair by pair: what the factored closure must agree with.
struct AllPairs {
    /// Fewest must-links between two rows, if any lead from one to the other.
    must_steps: Vec<Vec<Option<usize>>>,
    /// Largest confidence of the cannot-links that part two rows, if any does.
    cannot: Vec<Vec<Option<f64>>>,
}

impl AllPairs {
    fn new(links: &Links, n: usize) -> Self {
        // Floyd and Warshall's shortest ways over must-links of length 1.
        let mut must_steps = vec![vec![None; n]; n];
        for link in links.iter().filter(|link| link.kind == LinkKind::Must) {
            must_steps[link.a][link.b] = Some(1);
            must_steps[link.b][link.a] = Some(1);
        }
        for (row, steps) in must_steps.iter_mut().enumerate() {
            steps[row] = Some(0);
        }
        for via in 0..n {
            for a in 0..n {
                for b in 0..n {
                    let Some(detour) = sum(must_steps[a][via], must_steps[via][b]) else {
                        continue;
                    };
                    let direct = must_steps[a][b].unwrap_or(usize::MAX);
                    must_steps[a][b] = Some(detour.min(direct));
                }
            }
        }
        let mut cannot = vec![vec![None::<f64>; n]; n];
        for link in links.iter().filter(|link| link.kind == LinkKind::Cannot) {
            for a in (0..n).filter(|&a| must_steps[a][link.a].is_some()) {
                for b in (0..n).filter(|&b| must_steps[b][link.b].is_some()) {
                    let surest = cannot[a][b].unwrap_or(0.0).max(link.confidence);
                    cannot[a][b] = Some(surest);
                    cannot[b][a] = Some(surest);
                }
            }
        }
        AllPairs { must_steps, cannot }
    }

    fn relation(&self, a: usize, b: usize) -> Option<LinkKind> {
        let cannot = self.cannot[a][b].map(|_| LinkKind::Cannot);
        self.must_steps[a][b].map(|_| LinkKind::Must).or(cannot)
    }

    fn contradicted(&self, links: &Links) -> Option<Link> {
        let mut cannot = links.iter().filter(|link| link.kind == LinkKind::Cannot);
        cannot.find(|link| self.must_steps[link.a][link.b].is_some()).copied()
    }
}

fn sum(a: Option<usize>, b: Option<usize>) -> Option<usize> {
    Some(a? + b?)
}

/// The confidence with which a closure parts two rows.
fn cannot_confidence(closure: &LinkClosure, a: usize, b: usize) -> Option<f64> {
    let (a, b) = (closure.group_of(a)?, closure.group_of(b)?);
    let mut pairs = closure.cannot_pairs().iter();
    pairs.find(|pair| (pair.a, pair.b) == (a.min(b), a.max(b))).map(|pair| pair.confidence)
}

/// A few rows and links between different ones; their kinds may contradict each other.
fn any_links() -> impl Strategy<Value = (usize, Links)> {
    (2..9_usize).prop_flat_map(|n| {
        let confidence = prop::sample::select(vec![0.25, 0.5, 1.0]);
        let link = (0..n, 1..n, any::<bool>(), confidence).prop_map(
            move |(a, step, is_must, confidence)| {
                let kind = if is_must { LinkKind::Must } else { LinkKind::Cannot };
                Link { a, b: (a + step) % n, kind, confidence }
            },
        );
        (Just(n), prop::collection::vec(link, 0..12).prop_map(Links::from_iter))
    })
}

/// Links whose kinds come from hidden labels, so that they never contradict each other.
fn true_links() -> impl Strategy<Value = (usize, Links)> {
    (any_links(), prop::collection::vec(0..3_i64, 9)).prop_map(|((n, links), labels)| {
        let told = links.iter().map(|&link| {
            let same = labels[link.a] == labels[link.b];
            Link { kind: if same { LinkKind::Must } else { LinkKind::Cannot }, ..link }
        });
        (n, told.collect())
    })
}

#[test]
fn the_surest_is_believed_then_what_belongs_apart_then_what_was_told_first() {
    let with = |confidence, link| Link { confidence, ..link };
    let told = [
        with(0.5, Link::cannot(0, 1)),
        with(0.9, Link::must(0, 1)),
        Link::must(2, 3),
        Link::must(3, 4),
        Link::cannot(2, 4),
    ];
    let links: Links = told.into_iter().collect();
    // Derived: 0.9 beats 0.5; of the three sure ones the cannot-link, then the earlier must-link.
    assert_eq!(links.consistent(5).unwrap().dropped, [told[0], told[3]]);
}

proptest! {
    #[test]
    fn the_closure_implies_what_all_pairs_imply((n, links) in true_links()) {
        let closure = links.close(n).unwrap();
        let brute = AllPairs::new(&links, n);
        prop_assert_eq!(closure.n_points(), n);
        for a in 0..n {
            for b in 0..n {
                prop_assert_eq!(closure.relation(a, b), brute.relation(a, b), "{}, {}", a, b);
                prop_assert_eq!(cannot_confidence(&closure, a, b), brute.cannot[a][b]);
            }
        }
    }

    #[test]
    fn what_is_kept_of_contradicting_links_closes_and_what_is_dropped_would_not(
        (n, links) in any_links()
    ) {
        let Consistent { kept, dropped } = links.consistent(n).unwrap();
        prop_assert_eq!(kept.len() + dropped.len(), links.len());
        let closure = kept.close(n).unwrap();
        for link in &dropped {
            let relation = closure.relation(link.a, link.b);
            prop_assert!(relation.is_some_and(|kind| kind != link.kind));
        }
        prop_assert_eq!(dropped.is_empty(), links.close(n).is_ok());
    }

    #[test]
    fn contradictions_are_found_and_the_chain_is_the_shortest((n, links) in any_links()) {
        let brute = AllPairs::new(&links, n);
        match (links.close(n), brute.contradicted(&links)) {
            (Ok(_), None) => {}
            (Err(Error::Links(LinkError::Contradiction { cannot, chain })), Some(expected)) => {
                prop_assert_eq!(cannot, expected);
                prop_assert_eq!(Some(chain.len()), brute.must_steps[cannot.a][cannot.b]);
                let mut at = cannot.a;
                for link in &chain {
                    prop_assert!(link.kind == LinkKind::Must && links.as_slice().contains(link));
                    prop_assert!(link.a == at || link.b == at);
                    at = link.other_end(at);
                }
                prop_assert_eq!(at, cannot.b);
            }
            (found, expected) => prop_assert!(false, "{:?} instead of {:?}", found, expected),
        }
    }

    #[test]
    fn groups_are_numbered_by_first_row_and_pairs_are_sorted((n, links) in true_links()) {
        let closure = links.close(n).unwrap();
        let firsts: Vec<u32> =
            (0..closure.n_groups()).map(|group| closure.members(group)[0]).collect();
        prop_assert!(firsts.is_sorted_by(|a, b| a < b));
        for row in 0..n {
            let is_linked = links.iter().any(|link| link.a == row || link.b == row);
            prop_assert_eq!(closure.group_of(row).is_some(), is_linked);
        }
        for group in 0..closure.n_groups() {
            let members = closure.members(group);
            prop_assert!(members.is_sorted_by(|a, b| a < b));
            prop_assert!(members.iter().all(|&row| closure.group_of(row as usize) == Some(group)));
            let apart = closure.cannot_groups_of(group);
            prop_assert!(apart.is_sorted_by(|a, b| a.group < b.group));
            for other in apart {
                let back = CannotGroup { group, confidence: other.confidence };
                prop_assert!(closure.cannot_groups_of(other.group).contains(&back));
            }
        }
        let pairs = closure.cannot_pairs();
        prop_assert!(pairs.iter().all(|pair| pair.a < pair.b));
        prop_assert!(pairs.is_sorted_by(|x, y| (x.a, x.b) < (y.a, y.b)));
    }

    #[test]
    fn counts_agree_with_the_pairs_written_out(
        (n, links) in true_links(),
        labels in prop::collection::vec(-1_i64..3, 9),
    ) {
        let closure = links.close(n).unwrap();
        let brute = AllPairs::new(&links, n);
        let mut expected = Vec::new();
        for a in 0..n {
            expected.extend((0..n).filter(|&b| brute.cannot[a][b].is_some()).map(|b| (a, b)));
        }
        let mut directed: Vec<_> = closure.directed_cannot().collect();
        directed.sort_unstable();
        prop_assert_eq!(&directed, &expected);
        prop_assert_eq!(closure.n_directed_cannot(), expected.len() as u64);

        let is_broken = |&&(a, b): &&(usize, usize)| {
            a < b && labels[a] >= 0 && labels[a] == labels[b]
        };
        let n_broken = expected.iter().filter(is_broken).count();
        prop_assert_eq!(closure.n_broken(&labels), n_broken as u64);
    }

    #[test]
    fn order_direction_and_repetition_of_links_do_not_matter((n, links) in true_links()) {
        let mut told: Links = links.as_slice().iter().rev().copied().collect();
        told.extend(links.iter().map(|link| Link { a: link.b, b: link.a, ..*link }));
        prop_assert_eq!(told.close(n).unwrap(), links.close(n).unwrap());
    }

    #[test]
    fn restricted_links_imply_the_same_of_every_kept_pair(
        (n, links) in true_links(),
        order in Just((0..9_usize).collect::<Vec<_>>()).prop_shuffle(),
        n_kept in 0..9_usize,
    ) {
        let mut kept: Vec<usize> = order.into_iter().filter(|&row| row < n).collect();
        kept.truncate(n_kept);
        let before = AllPairs::new(&links, n);
        let closure = links.restrict(&kept).close(kept.len()).unwrap();
        for a in 0..kept.len() {
            for b in 0..kept.len() {
                prop_assert_eq!(closure.relation(a, b), before.relation(kept[a], kept[b]));
                let confidence = cannot_confidence(&closure, a, b);
                prop_assert_eq!(confidence, before.cannot[kept[a]][kept[b]]);
            }
        }
    }

    #[test]
    fn keeping_all_rows_keeps_all_links((n, links) in any_links()) {
        let all: Vec<usize> = (0..n).collect();
        prop_assert_eq!(links.restrict(&all), links);
    }
}

fn error_of(links: impl IntoIterator<Item = Link>, n_points: usize) -> LinkError {
    match Links::from_iter(links).close(n_points).unwrap_err() {
        Error::Links(error) => error,
        other => panic!("{other}"),
    }
}

#[test]
fn a_row_that_does_not_exist_is_named() {
    let error = error_of([Link::must(0, 1), Link::cannot(1, 3)], 3);
    let link = Link::cannot(1, 3);
    assert_eq!(error, LinkError::OutOfRange { position: 1, link, row: 3, n_points: 3 });
    assert_eq!(
        error.to_string(),
        "link 1 (cannot 1–3) names row 3 but there are only 3 points (rows count from 0)"
    );
}

#[test]
fn a_self_link_is_named() {
    let error = error_of([Link::must(0, 1), Link::must(2, 2)], 3);
    assert_eq!(error, LinkError::SelfLink { position: 1, link: Link::must(2, 2) });
    assert_eq!(error.to_string(), "link 1 (must 2–2) joins row 2 to itself: remove it");
}

#[test]
fn a_confidence_outside_its_range_is_named() {
    for confidence in [0.0, -0.5, 1.5, f64::INFINITY, f64::NAN] {
        let error = error_of([Link { confidence, ..Link::cannot(0, 1) }], 2);
        assert!(matches!(error, LinkError::Confidence { position: 0, .. }), "{confidence}");
        assert_eq!(
            error.to_string(),
            format!(
                "link 0 (cannot 0–1) has confidence {confidence}: it must be above 0 and at most 1"
            )
        );
    }
}

#[test]
fn a_contradiction_shows_the_shortest_chain() {
    // Derived: 0–1–2–3 has three links, 0–4–3 has two.
    let must = [(0, 1), (1, 2), (2, 3), (4, 3), (0, 4)];
    let error = Links::from_pairs(&must, &[(5, 0), (3, 0)]).close(6).unwrap_err();
    let chain = vec![Link::must(4, 3), Link::must(0, 4)];
    assert_eq!(error, LinkError::Contradiction { cannot: Link::cannot(3, 0), chain }.into());
    assert_eq!(
        error.to_string(),
        "the links contradict each other: cannot 3–0, but 2 must-links put them together: \
         3 – 4 – 0; remove one of these links"
    );
}

#[test]
fn a_contradiction_by_a_single_link_is_told_in_the_singular() {
    let error = error_of([Link::cannot(0, 1), Link::must(1, 0)], 2);
    assert_eq!(
        error.to_string(),
        "the links contradict each other: cannot 0–1, but 1 must-link puts them together: 0 – 1; \
         remove one of these links"
    );
}

#[test]
fn more_points_than_can_be_numbered_are_refused() {
    let error = Links::new().close(usize::MAX).unwrap_err();
    assert!(matches!(error, Error::Param { name: "n_points", .. }));
}

#[test]
fn no_links_close_to_nothing() {
    let closure = Links::new().close(3).unwrap();
    assert_eq!(closure, LinkClosure::none(3));
    assert!(closure.is_empty());
    assert_eq!((closure.n_points(), closure.n_groups(), closure.n_directed_cannot()), (3, 0, 0));
    assert_eq!(closure.group_of(1), None);
    assert_eq!(closure.relation(0, 1), None);
}

#[test]
fn rows_out_of_range_have_no_group_and_no_relation() {
    let closure = Links::from_pairs(&[(0, 1)], &[]).close(2).unwrap();
    assert_eq!(closure.group_of(2), None);
    assert_eq!(closure.relation(0, 2), None);
    assert_eq!(closure.relation(2, 2), None);
}

#[test]
fn the_surest_of_repeated_cannot_links_counts() {
    let told = [0.25, 0.75, 0.5].map(|confidence| Link { confidence, ..Link::cannot(1, 0) });
    let closure = Links::from_iter(told).close(2).unwrap();
    assert_eq!(closure.cannot_pairs(), [GroupPair { a: 0, b: 1, confidence: 0.75 }]);
}

#[test]
fn a_doubtful_must_link_joins_like_a_certain_one() {
    let doubtful = Link { confidence: 0.1, ..Link::must(0, 1) };
    let closure = Links::from_iter([doubtful, Link::cannot(1, 2)]).close(3).unwrap();
    assert_eq!(closure.relation(0, 2), Some(LinkKind::Cannot));
    assert_eq!(closure.cannot_pairs()[0].confidence, 1.0);
}

#[test]
fn groups_apart_are_counted_without_writing_their_pairs_out() {
    // Derived: two groups of 100,000 rows make 10^10 pairs, all of them broken by one cluster; with
    // three quarters of each group in cluster 0 and a quarter in cluster 1 it is
    // (0.75² + 0.25²)·10^10 = 6.25·10^9.
    let n = 200_000;
    let mut links = Links::new();
    links.add_labels(&(0..n).map(|row| row % 2).collect::<Vec<_>>()).unwrap();
    assert_eq!(links.len(), 199_999);
    let closure = links.close(n as usize).unwrap();
    assert_eq!(closure.n_directed_cannot(), 20_000_000_000);
    assert_eq!(closure.n_broken(&vec![7; n as usize]), 10_000_000_000);
    let quarters: Vec<i64> = (0..n).map(|row| i64::from(row >= n / 4 * 3)).collect();
    assert_eq!(closure.n_broken(&quarters), 6_250_000_000);
    assert_eq!(closure.n_broken(&[]), 0);
}

#[test]
fn a_group_is_a_star_of_must_links() {
    let mut links = Links::new();
    links.add_group(&[]);
    links.add_group(&[9]);
    links.add_group(&[4, 4]);
    assert!(links.is_empty());
    links.add_group(&[3, 1, 3, 2]);
    assert_eq!(links.as_slice(), [Link::must(3, 1), Link::must(3, 2)]);
}

#[test]
fn labels_part_each_pair_of_classes_once() {
    // Derived: rows 1, 2 and 5 are the first of their classes 8, 3 and 0.
    let mut links = Links::new();
    links.add_labels(&[-1, 8, 3, 8, -5, 0, 3]).unwrap();
    let expected = Links::from_pairs(&[(1, 3), (2, 6)], &[(1, 2), (1, 5), (2, 5)]);
    assert_eq!(links, expected);
}

#[test]
fn too_many_classes_are_refused_and_add_nothing() {
    let mut links = Links::new();
    let error = links.add_labels(&(0..4097).collect::<Vec<_>>()).unwrap_err();
    assert_eq!(error, LinkError::TooManyClasses { found: 4097, most: 4096 }.into());
    assert_eq!(
        error.to_string(),
        "the labels name 4097 classes; at most 4096 can be told apart by cannot-links: label \
         fewer classes or give links"
    );
    assert!(links.is_empty());
}

#[test]
fn restricting_bridges_dropped_rows_with_the_smallest_confidence() {
    // Rows 1 and 2 go, and with them the middle of the chain 0–1–2–3.
    let confidences = [(0, 1, 0.9), (1, 2, 0.3), (2, 3, 0.6)];
    let told = confidences.map(|(a, b, confidence)| Link { confidence, ..Link::must(a, b) });
    let restricted = Links::from_iter(told).restrict(&[3, 0]);
    assert_eq!(restricted.as_slice(), [Link { confidence: 0.3, ..Link::must(1, 0) }]);
}

#[test]
fn a_contradiction_through_a_dropped_row_stays_one() {
    // Row 1 goes; it was told to be with 0 and 2, and also apart from 0.
    let links = Links::from_pairs(&[(0, 1), (1, 2)], &[(0, 1)]);
    let expected = [Link::cannot(0, 1), Link::must(0, 1)];
    assert_eq!(links.restrict(&[0, 2]).as_slice(), expected);
    // With 2 gone as well there is no one left for 0 to be with or apart from.
    assert!(links.restrict(&[0]).is_empty());
}

#[test]
fn restricting_survives_rows_that_do_not_exist() {
    let far = usize::MAX;
    let links = Links::from_pairs(&[(0, far), (far, 1), (far, far)], &[(far, 2), (far, far)]);
    let expected = [Link::cannot(0, 2), Link::must(0, 1)];
    assert_eq!(links.restrict(&[0, 1, 2, 1, 500]).as_slice(), expected);
}
