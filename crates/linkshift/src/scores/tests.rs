use super::*;
use crate::error::Error;
use proptest::prelude::*;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// Sums of a few logarithms: some roundings of numbers near 1.
const ROUNDING: f64 = 1e-13;

fn assert_scores(truth: &[i64], labels: &[i64], expected: [f64; 5]) {
    let scores = Scores::of(truth, labels).unwrap();
    let found = [scores.ri, scores.ari, scores.nmi, scores.nmi_geometric, scores.accuracy];
    for (a, b) in found.iter().zip(&expected) {
        assert!((a - b).abs() < ROUNDING, "{found:?} is not {expected:?}");
    }
}

#[test]
fn scores_are_those_of_scikit_learn() {
    // Outside: scikit-learn 1.9.1 (rand_score, adjusted_rand_score, normalized_mutual_info_score
    // in both normalisations), accuracy by SciPy 1.17.1 linear_sum_assignment on its contingency.
    assert_scores(
        &[0, 0, 0, 0, 1, 1, 1, 2, 2, 2],
        &[5, 5, 5, 3, 3, 3, 5, 9, 9, 3],
        [0.6666666666666666, 0.16974169741697417, 0.4180179112091443, 0.4180704296548472, 0.7],
    );
    // -1 is a cluster like any other, and there are more clusters than classes.
    assert_scores(
        &[0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2, 2],
        &[4, 4, -1, 4, 4, 4, -1, -1, -1, 2, 2, 6],
        [0.6666666666666666, 0.19063545150501673, 0.5024185361955466, 0.5043098229924347, 0.5],
    );
    // More classes than clusters; worse than chance.
    assert_scores(
        &[0, 1, 2, 3, 4, 0, 1, 2, 3, 4],
        &[0, 0, 0, 1, 1, 1, 1, 0, 0, 1],
        [0.5333333333333333, -0.021621621621621623, 0.24082399653118491, 0.26250380814712543, 0.4],
    );
    // 200 points, 4 classes, 10 clusters: i² mod 7 against (⌊i²/5⌋ + i) mod 11.
    let truth: Vec<i64> = (0..200).map(|i| i * i % 7).collect();
    let labels: Vec<i64> = (0..200).map(|i| (i * i / 5 + i) % 11).collect();
    assert_scores(
        &truth,
        &labels,
        [
            0.6836683417085427,
            -0.00614207649290102,
            0.020373085122817963,
            0.020991766589627234,
            0.175,
        ],
    );
}

#[test]
fn edge_cases_are_those_of_scikit_learn() {
    // Outside: the same calls and versions as above.
    assert_scores(&[1, 1, 1, 1], &[1, 1, 1, 1], [1.0; 5]);
    assert_scores(&[0, 1, 2, 3], &[3, 2, 1, 0], [1.0; 5]);
    assert_scores(&[0, 0, 0, 0], &[0, 1, 2, 3], [0.0, 0.0, 0.0, 0.0, 0.25]);
    assert_scores(&[0, 1, 2, 3], &[0, 0, 0, 0], [0.0, 0.0, 0.0, 0.0, 0.25]);
    assert_scores(&[0], &[0], [1.0; 5]);
    // Independent labellings: the information is exactly 0.
    let (truth, labels) = ([0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 0, 0, 1, 1]);
    assert_scores(&truth, &labels, [0.42857142857142855, -0.16666666666666666, 0.0, 0.0, 0.5]);
}

#[test]
fn noise_is_no_cluster() {
    assert_eq!(n_clusters(&[-1, 3, 3, -1, 0]), 2);
    assert_eq!(n_clusters(&[-1, -1]), 0);
    assert_eq!(n_clusters(&[]), 0);
}

#[test]
fn labels_that_do_not_fit_the_truth_are_refused() {
    let expected = crate::error::LinkError::LabelCount { found: 1, expected: 2 };
    assert_eq!(Scores::of(&[0, 1], &[0]).unwrap_err(), Error::Links(expected));
    assert_eq!(Scores::of(&[], &[]).unwrap_err(), crate::error::PointsError::Empty.into());
}

#[test]
fn matching_looks_past_the_greedy_choice() {
    // Derived: the largest cell (class 0, cluster 0: 5) forces class 1 to take nothing, total 5;
    // class 0 with cluster 1 and class 1 with cluster 0 make 4 + 4 = 8.
    assert_eq!(matching::best_total(&[(0, 0, 5), (0, 1, 4), (1, 0, 4)], 2, 2), 8);
}

#[test]
fn a_row_may_stay_unmatched() {
    // Derived: both rows want the only column; the better one gets it.
    assert_eq!(matching::best_total(&[(0, 0, 2), (1, 0, 3)], 2, 1), 3);
}

#[test]
fn a_hundred_thousand_clusters_are_no_trouble() {
    // Derived: each class is cut into 10,000 clusters of 2 points, of which one may keep its name.
    let truth: Vec<i64> = (0..200_000).map(|i| i % 10).collect();
    let labels: Vec<i64> = (0..200_000).map(|i| i % 100_000).collect();
    assert_eq!(accuracy(&truth, &labels).unwrap(), 20.0 / 200_000.0);
    // Derived: as many classes as clusters, the same ones.
    assert_eq!(accuracy(&labels, &labels).unwrap(), 1.0);
}

#[test]
fn many_classes_against_many_clusters_stay_sparse() {
    // A dense table would have 4·10⁸ cells. Each point keeps its class with probability 0.7, so the
    // best matching gets about that share, and never less than keeping all names.
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let truth: Vec<i64> = (0..200_000).map(|_| rng.random_range(0..20_000)).collect();
    let labels: Vec<i64> = truth
        .iter()
        .map(|&class| if rng.random_bool(0.7) { class } else { rng.random_range(0..20_000) })
        .collect();
    let kept = truth.iter().zip(&labels).filter(|(a, b)| a == b).count() as f64 / 200_000.0;
    let found = accuracy(&truth, &labels).unwrap();
    assert!(found >= kept && found < kept + 0.01, "{found} against {kept}");
}

/// The best total by trying, row after row, every column that is left, or none.
fn best_total_by_trial(weights: &[Vec<u64>], taken: &mut Vec<bool>) -> u64 {
    let Some((row, rest)) = weights.split_first() else { return 0 };
    let mut best = best_total_by_trial(rest, taken);
    for col in 0..row.len() {
        if !taken[col] {
            taken[col] = true;
            best = best.max(row[col] + best_total_by_trial(rest, taken));
            taken[col] = false;
        }
    }
    best
}

fn labellings() -> impl Strategy<Value = (Vec<i64>, Vec<i64>)> {
    (1..60_usize).prop_flat_map(|n| {
        (prop::collection::vec(-1..5_i64, n), prop::collection::vec(-1..5_i64, n))
    })
}

proptest! {
    #[test]
    fn the_matching_is_the_best_of_all(
        weights in (1..6_usize, 1..6_usize).prop_flat_map(|(n_rows, n_cols)| {
            prop::collection::vec(prop::collection::vec(0..6_u64, n_cols), n_rows)
        })
    ) {
        let n_cols = weights[0].len();
        let cells: Vec<_> = (0..weights.len())
            .flat_map(|row| (0..n_cols).map(move |col| (row, col)))
            .map(|(row, col)| (row, col, weights[row][col]))
            .filter(|cell| cell.2 > 0)
            .collect();
        let found = matching::best_total(&cells, weights.len(), n_cols);
        prop_assert_eq!(found, best_total_by_trial(&weights, &mut vec![false; n_cols]));
    }

    #[test]
    fn scores_are_symmetric((truth, labels) in labellings()) {
        let there = Scores::of(&truth, &labels).unwrap();
        let back = Scores::of(&labels, &truth).unwrap();
        prop_assert_eq!(there.ri, back.ri);
        prop_assert!((there.ari - back.ari).abs() < ROUNDING);
        prop_assert!((there.nmi - back.nmi).abs() < ROUNDING);
        prop_assert!((there.nmi_geometric - back.nmi_geometric).abs() < ROUNDING);
        prop_assert_eq!(there.accuracy, back.accuracy);
    }

    #[test]
    fn names_of_clusters_do_not_matter((truth, labels) in labellings()) {
        let renamed: Vec<i64> = labels.iter().map(|label| 100 - 7 * label).collect();
        let before = Scores::of(&truth, &labels).unwrap();
        let after = Scores::of(&truth, &renamed).unwrap();
        prop_assert_eq!(Scores { n_clusters: 0, ..before }, Scores { n_clusters: 0, ..after });
    }

    #[test]
    fn equal_labellings_score_one((truth, _) in labellings()) {
        let scores = Scores::of(&truth, &truth).unwrap();
        prop_assert_eq!((scores.ri, scores.ari, scores.accuracy), (1.0, 1.0, 1.0));
        prop_assert!(scores.nmi > 1.0 - ROUNDING && scores.nmi_geometric > 1.0 - ROUNDING);
    }

    #[test]
    fn scores_stay_in_their_ranges((truth, labels) in labellings()) {
        let scores = Scores::of(&truth, &labels).unwrap();
        for score in [scores.ri, scores.nmi, scores.nmi_geometric, scores.accuracy] {
            prop_assert!((0.0..=1.0).contains(&score));
        }
        prop_assert!((-1.0..=1.0).contains(&scores.ari));
    }
}
