//! Laws of the last step, and cases worked out by hand.

use super::*;
use crate::links::{LinkKind, Links};
use proptest::prelude::*;

/// Points on a line, clusters with their centers on it.
fn kept(
    at: &[f64],
    centers: &[f64],
    labels: &[i64],
    must: &[(usize, usize)],
    cannot: &[(usize, usize)],
    may_open: bool,
) -> Option<Kept> {
    let points = Points::new(at.to_vec(), 1).unwrap();
    let centers = Points::new(centers.to_vec(), 1).unwrap();
    let closure = Links::from_pairs(must, cannot).close(at.len()).unwrap();
    keep(labels, &points, Some(&centers), &closure, may_open)
}

#[test]
fn where_all_links_hold_nothing_changes() {
    assert_eq!(kept(&[0.0, 1.0, 9.0], &[0.5, 9.0], &[0, 0, 1], &[(0, 1)], &[(0, 2)], true), None);
}

#[test]
fn the_one_that_is_outnumbered_goes() {
    let kept =
        kept(&[0.0, 0.1, 9.0, 9.1], &[0.0, 9.0], &[0, 0, 1, 1], &[(0, 1), (1, 2)], &[], true)
            .unwrap();
    assert_eq!((kept.labels, kept.moved), (vec![0, 0, 0, 1], vec![2]));
}

#[test]
fn of_two_apart_one_goes_to_the_nearest_other_cluster() {
    // Either may go for the price of one point; 3 lies nearest to the cluster at 4.
    let at = [0.0, 0.1, 0.2, 3.0, 4.0, 9.0];
    let kept = kept(&at, &[0.1, 4.0, 9.0], &[0, 0, 0, 0, 1, 2], &[], &[(0, 3)], true).unwrap();
    assert_eq!(kept.moved.len(), 1);
    assert_ne!(kept.labels[0], kept.labels[3]);
    assert_eq!(kept.numbers.former, [Some(0), Some(1), Some(2)]);
}

#[test]
fn three_apart_in_one_cluster_open_two() {
    let cannot = [(0, 1), (0, 2), (1, 2)];
    let kept = kept(&[0.0, 1.0, 2.0], &[1.0], &[0, 0, 0], &[], &cannot, true).unwrap();
    assert_eq!(kept.labels, [0, 1, 2]);
    assert_eq!(kept.moved.len(), 2);
}

#[test]
fn with_two_clusters_told_one_of_three_links_must_break() {
    let cannot = [(0, 1), (0, 2), (1, 2)];
    let kept = kept(&[0.0, 1.0, 9.0], &[0.5, 9.0], &[0, 0, 1], &[], &cannot, false);
    let labels = kept.map_or(vec![0, 0, 1], |kept| kept.labels);
    assert_eq!(Links::from_pairs(&[], &cannot).report(&labels).broken.len(), 1);
}

#[test]
fn with_two_clusters_told_a_chain_alternates() {
    // 0 – 1 – 2 – 3 – 4, all but the last found in one cluster.
    let cannot = [(0, 1), (1, 2), (2, 3), (3, 4)];
    let kept = kept(&[0.0, 1.0, 2.0, 3.0, 9.0], &[1.0, 9.0], &[0, 0, 0, 0, 1], &[], &cannot, false);
    assert_eq!(kept.unwrap().labels, [0, 1, 0, 1, 0]);
}

#[test]
fn a_cluster_that_loses_all_goes_by_where_they_went() {
    // Row 2 is a cluster by itself and must be with 0.
    let kept =
        kept(&[0.0, 0.1, 5.0, 9.0], &[0.0, 5.0, 9.0], &[0, 0, 1, 2], &[(0, 1), (1, 2)], &[], true)
            .unwrap();
    assert_eq!(kept.labels, [0, 0, 0, 1]);
    assert_eq!(kept.numbers.number_of, [0, 0, 1]);
    assert_eq!(kept.numbers.former, [Some(0), Some(2)]);
    assert_eq!(kept.numbers.first_row, [0, 3]);
}

#[test]
fn noise_may_stay_noise_unless_it_must_be_with_something() {
    let labels = [-1, -1, 0];
    assert_eq!(kept(&[0.0, 1.0, 2.0], &[2.0], &labels, &[], &[(0, 1)], true), None);
    let together = kept(&[0.0, 1.0, 2.0], &[2.0], &labels, &[(0, 1)], &[], true).unwrap();
    assert_eq!(together.labels, [0, 0, 0]);
    let apart = kept(&[0.0, 1.0, 2.0], &[2.0], &labels, &[(0, 1)], &[(1, 2)], true).unwrap();
    assert_eq!(apart.labels, [0, 0, 1]);
}

/// The fewest points that can change, over all labellings with up to `most` clusters.
fn fewest(labels: &[i64], links: &Links, most: i64) -> usize {
    let n = labels.len() as u32;
    let labelling = |code: i64| (0..n).map(|at| code / most.pow(at) % most).collect::<Vec<_>>();
    let all = (0..most.pow(n)).map(labelling);
    let good = all.filter(|labels| links.report(labels).broken.is_empty());
    let changes = |new: &Vec<i64>| new.iter().zip(labels).filter(|(a, b)| a != b).count();
    good.map(|labels| changes(&labels)).min().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_link_is_kept_and_few_points_move(
        truth in prop::collection::vec(0_i64..3, 6),
        found in prop::collection::vec(0_i64..3, 6),
        pairs in prop::collection::vec((0_usize..6, 0_usize..6), 1..7),
    ) {
        let pairs: Vec<_> = pairs.into_iter().filter(|(a, b)| a != b).collect();
        let (must, cannot): (Vec<_>, Vec<_>) =
            pairs.into_iter().partition(|&(a, b)| truth[a] == truth[b]);
        let links = Links::from_pairs(&must, &cannot);
        let (found, _) = number_by_first_member(&found);
        let n_clusters = found.iter().max().unwrap() + 1;
        let points = Points::new((0..6).map(f64::from).collect::<Vec<_>>(), 1).unwrap();
        let closure = links.close(6).unwrap();
        let kept = keep(&found, &points, None, &closure, true);
        let labels = kept.as_ref().map_or(&found, |kept| &kept.labels);
        prop_assert!(links.report(labels).broken.is_empty());
        prop_assert!(labels.iter().all(|&label| label >= 0));
        let n_moved = kept.as_ref().map_or(0, |kept| kept.moved.len());
        // Another path: all labellings. A group whose second choice is taken may cost one more.
        let fewest = fewest(&found, &links, n_clusters.max(3) + 1);
        prop_assert!(n_moved <= fewest + 1, "{n_moved} moved, {fewest} would do");
        // Rows that no link touches stay together as they were.
        let free: Vec<usize> = (0..6).filter(|&row| closure.group_of(row).is_none()).collect();
        for (&a, &b) in free.iter().flat_map(|a| free.iter().map(move |b| (a, b))) {
            prop_assert_eq!(found[a] == found[b], labels[a] == labels[b]);
        }
        for pair in closure.cannot_pairs() {
            let row = |group: usize| closure.members(group)[0] as usize;
            prop_assert_eq!(closure.relation(row(pair.a), row(pair.b)), Some(LinkKind::Cannot));
        }
    }
}
