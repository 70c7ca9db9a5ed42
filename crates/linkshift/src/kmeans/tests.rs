//! The fast paths against the literal sums, and the laws of the family.

use super::*;
use crate::datasets;
use crate::error::{Error, LinkError};
use crate::links::{self, Link, LinkClosure, Links};
use crate::obey::Obey;
use crate::points::Points;
use crate::real::Real;
use crate::scores::adjusted_rand_index;
use proptest::prelude::*;

/// What two ways of adding up the same numbers may differ by, as a share.
const ROUNDING: f64 = 1e-9;

/// The members of the family that take links.
const LISTENERS: [&str; 7] = ["cop", "pck", "pcck", "ampcc", "mpck", "mpck each", "mpck full"];

fn fit<T: Real>(
    method: &str,
    common: KMeansParams,
    points: &Points<'_, T>,
    links: &Links,
) -> crate::Result<KMeansModel<T>> {
    // The methods themselves are tested here, not the step that moves points after them.
    let common = KMeansParams { obey: Obey::AsFound, ..common };
    match method {
        "kmeans" => KMeans::new(common)?.fit(points, links),
        "cop" => Cop::new(CopParams { common, ..Default::default() })?.fit(points, links),
        "pck" => Pck::new(PckParams { common, ..Default::default() })?.fit(points, links),
        "pcck" => Pcck::new(PcckParams { common, ..Default::default() })?.fit(points, links),
        "ampcc" => Ampcc::new(AmpccParams { common, ..Default::default() })?.fit(points, links),
        _ => {
            let full = method == "mpck full";
            let metric = if full { MetricKind::Full } else { MetricKind::Diagonal };
            let shared = method != "mpck each";
            let params = MpckParams { common, metric, shared, ..Default::default() };
            Mpck::new(params)?.fit(points, links)
        }
    }
}

fn line(values: &[f64]) -> Points<'static, f64> {
    Points::new(values.to_vec(), 1).unwrap()
}

fn blobs(n: usize, n_links: usize, seed: u64) -> (Points<'static, f64>, Links, Vec<i64>) {
    let data = datasets::blobs(n, 2, 3, 1.0, 6.0, seed).unwrap();
    let scaled =
        crate::Scaler::fit(&data.points, crate::Scaling::MinMax).apply(&data.points).unwrap();
    let links = links::draw(&data.labels, n_links, seed).unwrap();
    (scaled, links, data.labels)
}

#[test]
fn two_heaps_have_their_means() {
    // Derived: means 1 and 11; the squared distances are 1, 0, 1 in each blob.
    let points = line(&[0.0, 1.0, 2.0, 10.0, 11.0, 12.0]);
    let model = KMeans::new(KMeansParams::of(2)).unwrap().fit(&points, &Links::new()).unwrap();
    assert_eq!(model.labels(), [0, 0, 0, 1, 1, 1]);
    assert_eq!(model.centers().unwrap().values(), [1.0, 11.0]);
    assert_eq!((model.objective(), model.sizes()), (4.0, &[3, 3][..]));
    assert!(model.converged());
}

#[test]
fn no_links_give_plain_k_means() {
    let (points, _, _) = blobs(150, 3, 1);
    let plain = fit("kmeans", KMeansParams::of(3), &points, &Links::new()).unwrap();
    for method in ["cop", "pck", "pcck", "ampcc"] {
        let model = fit(method, KMeansParams::of(3), &points, &Links::new()).unwrap();
        assert_eq!(model.labels(), plain.labels(), "{method}");
        assert_eq!(model.centers(), plain.centers(), "{method}");
    }
}

#[test]
fn links_take_a_point_across_the_border() {
    // By distance row 2 belongs to the left blob; its links say right.
    let points = line(&[0.0, 0.1, 0.4, 0.9, 1.0]);
    let links = Links::from_pairs(&[(2, 3)], &[(1, 2)]);
    for method in LISTENERS {
        let model = fit(method, KMeansParams::of(2), &points, &links).unwrap();
        assert_eq!(model.labels(), [0, 0, 1, 1, 1], "{method}");
        assert!(model.link_report().broken.is_empty(), "{method}");
        assert_eq!(model.predict(&points).unwrap(), model.labels(), "{method}");
    }
}

#[test]
fn a_partner_in_the_first_cluster_counts_like_any_other() {
    // A peer takes cluster 0 for "no cluster": there the must-link 0–4 is broken.
    let points = line(&[0.0, 0.1, 0.2, 0.9, 1.0]);
    let links = Links::from_pairs(&[(0, 4)], &[]);
    for method in ["cop", "pcck"] {
        for seed in 0..10 {
            let params = KMeansParams { seed, n_init: 1, ..KMeansParams::of(2) };
            let model = fit(method, params, &points, &links).unwrap();
            assert_eq!(model.labels()[0], model.labels()[4], "{method} {seed}");
        }
    }
}

#[test]
fn more_answers_help() {
    let data = datasets::blobs(300, 2, 4, 1.6, 5.0, 3).unwrap();
    for method in ["cop", "pck", "pcck"] {
        let ari = |n_links| {
            let links = links::draw(&data.labels, n_links, 5).unwrap();
            let model = fit(method, KMeansParams::of(4), &data.points, &links).unwrap();
            adjusted_rand_index(&data.labels, model.labels()).unwrap()
        };
        assert!(ari(1_200) > ari(6) + 0.02, "{method} {} {}", ari(6), ari(1_200));
    }
}

#[test]
fn several_centers_bend_around_a_moon() {
    let moons = datasets::moons(300, 0.05, 2).unwrap();
    let mut links = Links::new();
    let known: Vec<i64> = moons
        .labels
        .iter()
        .enumerate()
        .map(|(row, &it)| if row % 6 == 0 { it } else { -1 })
        .collect();
    links.add_labels(&known).unwrap();
    let one = fit("pcck", KMeansParams::of(2), &moons.points, &links).unwrap();
    let many = fit("ampcc", KMeansParams::of(2), &moons.points, &links).unwrap();
    // Derived: 150 points of each moon, every sixth known: groups of 25, Eq. 5 gives 5 centers.
    assert_eq!(many.representatives().n_points(), 10);
    assert_eq!(many.centers().unwrap().n_points(), 2);
    let ari =
        |model: &KMeansModel<f64>| adjusted_rand_index(&moons.labels, model.labels()).unwrap();
    assert!(ari(&many) > 0.95 && ari(&many) > ari(&one) + 0.2, "{} {}", ari(&many), ari(&one));
    assert_eq!(many.predict(&moons.points).unwrap(), many.labels());
}

#[test]
fn the_number_of_centers_is_that_of_equation_5() {
    // Derived: ⌈√1⌉, ⌈√2⌉, ⌈√4⌉, ⌈√5⌉, ⌈√9⌉, ⌈√10⌉.
    let found = [1, 2, 4, 5, 9, 10].map(ampcc::n_representatives);
    assert_eq!(found, [1, 2, 2, 3, 3, 4]);
}

#[test]
fn a_learned_metric_forgets_a_column_of_noise() {
    // The classes differ in column 0 by 1 with deviation .05; column 1 is spread over 4 for all.
    let row = |i: i64| {
        [(i % 2) as f64 + 0.05 * ((i * 7 % 11) as f64 / 5.0 - 1.0), (i * 13 % 41) as f64 / 10.0]
    };
    let points = Points::new((0..120).flat_map(row).collect::<Vec<_>>(), 2).unwrap();
    let truth: Vec<i64> = (0..120).map(|i| i % 2).collect();
    let links = links::draw(&truth, 120, 1).unwrap();
    let plain = fit("kmeans", KMeansParams::of(2), &points, &links).unwrap();
    assert!(adjusted_rand_index(&truth, plain.labels()).unwrap() < 0.1);
    for method in ["mpck", "mpck full", "mpck each"] {
        let model = fit(method, KMeansParams::of(2), &points, &links).unwrap();
        assert!(adjusted_rand_index(&truth, model.labels()).unwrap() > 0.95, "{method}");
        let matrix = model.metrics()[0].matrix();
        assert!(matrix[0] > 100.0 * matrix[3], "{method} {matrix:?}");
        assert_eq!(model.predict(&points).unwrap(), model.labels(), "{method}");
    }
}

#[test]
fn a_metric_is_n_times_the_inverse_scatter() {
    // Derived: S = diag(8, 2), n = 4: A = diag(1/2, 2), log det A = 0; |(2, 1)|²_A = 4/2 + 2 = 4.
    for scatter in [vec![8.0, 2.0], vec![8.0, 0.0, 0.0, 2.0]] {
        let metric = Metric::least_costly(&scatter, 4.0, &[1.0, 1.0]).unwrap();
        for (found, expected) in metric.matrix().iter().zip([0.5, 0.0, 0.0, 2.0]) {
            assert!((found - expected).abs() < ROUNDING);
        }
        assert!(metric.log_det().abs() < ROUNDING);
        assert!((metric.distance_sq(&[2.0, 1.0], &[0.0, 0.0]) - 4.0).abs() < ROUNDING);
    }
}

#[test]
fn links_that_block_each_other_are_named() {
    // Three rows, all apart from each other, do not fit into two clusters.
    let points = line(&[0.0, 1.0, 2.0, 3.0]);
    let links = Links::from_pairs(&[(2, 3)], &[(0, 1), (1, 3), (2, 0)]);
    let error = fit("cop", KMeansParams::of(2), &points, &links).unwrap_err();
    let Error::Links(LinkError::NoAssignment { n_clusters: 2, blocking, proven: true, .. }) =
        &error
    else {
        panic!("{error:?}");
    };
    assert_eq!(blocking.len(), 3);
    assert!(links.iter().filter(|it| **it != Link::must(2, 3)).all(|it| blocking.contains(it)));
    assert!(error.to_string().contains("3 groups of points all belong apart"), "{error}");
    assert!(fit("cop", KMeansParams::of(3), &points, &links).is_ok());
}

#[test]
fn a_ring_of_five_does_not_fit_into_two_clusters() {
    // No three of the ring are all apart, yet two clusters do not suffice: an odd ring.
    let points = line(&[0.0, 1.0, 2.0, 3.0, 4.0]);
    let links = Links::from_pairs(&[], &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]);
    let error = fit("cop", KMeansParams::of(2), &points, &links).unwrap_err();
    assert!(error.to_string().contains("is left without one by cannot"), "{error}");
    let model = fit("cop", KMeansParams::of(3), &points, &links).unwrap();
    assert!(model.link_report().broken.is_empty());
}

#[test]
fn long_chains_of_cannot_links_are_no_obstacle() {
    // Rows in the order of their links would be refused often: 0 ≠ 1 ≠ 2 ≠ … with two clusters.
    let (points, _, _) = blobs(200, 3, 8);
    let chain: Vec<(usize, usize)> = (1..200).map(|row| (row - 1, row)).collect();
    let model = fit("cop", KMeansParams::of(2), &points, &Links::from_pairs(&[], &chain)).unwrap();
    assert!(model.link_report().broken.is_empty());
}

#[test]
fn confidence_is_the_price_of_a_link() {
    // By distance row 1 is with row 0; a cannot-link of little weight does not change that.
    let points = line(&[0.0, 0.5, 9.0, 9.5]);
    let with = |confidence| {
        let links: Links = [Link { confidence, ..Link::cannot(0, 1) }].into_iter().collect();
        let common = KMeansParams::of(2);
        let params = PckParams { common, penalty: 100.0 };
        Pck::new(params).unwrap().fit(&points, &links).unwrap()
    };
    assert_eq!(with(0.001).link_report().broken.len(), 1);
    assert!(with(1.0).link_report().broken.is_empty());
}

#[test]
fn equal_points_leave_clusters_empty() {
    let points = line(&[1.0; 5]);
    for method in ["kmeans"].iter().chain(&LISTENERS) {
        let model = fit(method, KMeansParams::of(3), &points, &Links::new()).unwrap();
        assert_eq!((model.labels(), model.n_clusters()), (&[0; 5][..], 1), "{method}");
    }
    let one = line(&[1.0]);
    for method in ["kmeans"].iter().chain(&LISTENERS) {
        assert_eq!(fit(method, KMeansParams::of(1), &one, &Links::new()).unwrap().labels(), [0]);
    }
}

#[test]
fn a_cluster_that_would_be_empty_gets_a_point() {
    // Starts may fall on the same place; still all three clusters are used.
    let points = line(&[0.0, 0.0, 0.0, 0.0, 5.0, 9.0]);
    for method in ["kmeans"].iter().chain(&LISTENERS) {
        let params = KMeansParams { n_init: 1, ..KMeansParams::of(3) };
        let model = fit(method, params, &points, &Links::new()).unwrap();
        assert_eq!(model.n_clusters(), 3, "{method}");
    }
}

#[test]
fn a_weight_of_two_is_a_point_twice() {
    let (points, links, _) = blobs(90, 20, 4);
    let linked: Vec<usize> = links.iter().flat_map(|link| [link.a, link.b]).collect();
    let doubled: Vec<usize> = (0..90).filter(|row| !linked.contains(row)).take(15).collect();
    let rows: Vec<usize> = (0..90).chain(doubled.iter().copied()).collect();
    let weights: Vec<f64> =
        (0..90).map(|row| if doubled.contains(&row) { 2.0 } else { 1.0 }).collect();
    let weighted = points.clone().with_weights(weights).unwrap();
    for method in ["kmeans", "cop", "pck", "pcck", "ampcc"] {
        let one = fit(method, KMeansParams::of(3), &weighted, &links).unwrap();
        let two = fit(method, KMeansParams::of(3), &points.select(&rows), &links).unwrap();
        assert_eq!(one.labels(), &two.labels()[..90], "{method}");
        assert!((one.objective() - two.objective()).abs() < ROUNDING * two.objective(), "{method}");
    }
}

#[test]
fn what_cannot_work_is_refused() {
    let points = line(&[0.0, 1.0]);
    for method in ["kmeans"].iter().chain(&LISTENERS) {
        let error = fit(method, KMeansParams::of(3), &points, &Links::new()).unwrap_err();
        let expected = "n_clusters = 3 cannot work: it must be at most 2, the number of points";
        assert_eq!(error.to_string(), expected);
        for params in [
            KMeansParams::of(0),
            KMeansParams { n_init: 0, ..KMeansParams::of(2) },
            KMeansParams { max_iter: 0, ..KMeansParams::of(2) },
            KMeansParams { tolerance: f64::NAN, ..KMeansParams::of(2) },
        ] {
            assert!(matches!(
                fit(method, params, &points, &Links::new()),
                Err(Error::Param { .. })
            ));
        }
    }
    for links in [Links::from_pairs(&[(0, 5)], &[]), Links::from_pairs(&[(0, 1)], &[(0, 1)])] {
        for method in LISTENERS {
            let outcome = fit(method, KMeansParams::of(1), &points, &links);
            assert!(matches!(outcome, Err(Error::Links(_))), "{method}");
        }
    }
    assert!(Pck::new(PckParams { penalty: -1.0, ..Default::default() }).is_err());
    assert!(Pcck::new(PcckParams { penalty: f64::NAN, ..Default::default() }).is_err());
    assert!(Ampcc::new(AmpccParams { n_representatives: Some(0), ..Default::default() }).is_err());
    assert!(Mpck::new(MpckParams { link_cap: 0, ..Default::default() }).is_err());
    assert!(Cop::new(CopParams { n_orders: 0, ..Default::default() }).is_err());
}

#[test]
fn an_observer_sees_every_iteration_and_can_cancel() {
    let (points, links, _) = blobs(60, 20, 9);
    let method = Pck::new(PckParams { common: KMeansParams::of(3), ..Default::default() }).unwrap();
    let mut seen = Vec::new();
    let model = method.fit_observed(&points, &links, &mut |step| {
        seen.push(step.n_iter);
        std::ops::ControlFlow::Continue(())
    });
    assert!(seen.len() >= model.unwrap().n_iter());
    assert_eq!(seen, (1..=seen.len()).collect::<Vec<_>>());
    let stop = &mut |_: &_| std::ops::ControlFlow::Break(());
    let cancelled = method.fit_observed(&points, &links, stop);
    assert_eq!(cancelled.err(), Some(Error::Cancelled { n_iter: 1 }));
}

/// Points with links that thirds of the first column imply, some of them beyond dispute.
fn any_case() -> impl Strategy<Value = (Points<'static, f64>, Links, LinkClosure)> {
    (1_usize..4, 6_usize..40, 0_usize..40, any::<u64>()).prop_flat_map(|(d, n, n_links, seed)| {
        prop::collection::vec(0.0_f64..1.0, n * d).prop_map(move |values| {
            let labels: Vec<i64> = values.chunks(d).map(|row| (row[0] * 3.0) as i64).collect();
            // Half of them told of shuffled rows: links that go against the distances.
            let labels: Vec<i64> = (0..n).map(|row| labels[(row * 7 + 3) % n]).collect();
            let links =
                links::draw(&labels, n_links.min(n * (n - 1) / 2), seed).unwrap_or_default();
            let closure = links.close(n).unwrap();
            (Points::new(values, d).unwrap(), links, closure)
        })
    })
}

/// No single row (or group that stays together) lowers the literal sum by going elsewhere.
fn is_settled(
    labels: &[i64],
    n_clusters: usize,
    units: &[Vec<usize>],
    cost: impl Fn(&[i64]) -> f64,
) -> bool {
    let now = cost(labels);
    units.iter().all(|rows| {
        (0..n_clusters as i64).all(|to| {
            let mut moved = labels.to_vec();
            rows.iter().for_each(|&row| moved[row] = to);
            cost(&moved) >= now * (1.0 - ROUNDING) - ROUNDING
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn objectives_never_rise((points, links, _) in any_case(), k in 1_usize..5, seed: u64) {
        for method in ["kmeans"].iter().chain(&LISTENERS) {
            let params = KMeansParams { n_init: 1, seed, tolerance: 0.0, ..KMeansParams::of(k) };
            let Ok(model) = fit(method, params, &points, &links) else {
                prop_assert_eq!(*method, "cop");
                continue;
            };
            for pair in model.objectives().windows(2) {
                let allowed = ROUNDING * (1.0 + pair[0].abs());
                prop_assert!(pair[1] <= pair[0] + allowed, "{} {:?}", method, model.objectives());
            }
        }
    }

    /// Another path: the sums of the paper, pair by pair, at the centers of the model.
    #[test]
    fn the_objective_is_the_literal_sum_and_no_point_would_lower_it(
        (points, links, closure) in any_case(), k in 2_usize..5, seed: u64,
    ) {
        let params = KMeansParams { n_init: 2, seed, tolerance: 0.0, ..KMeansParams::of(k) };
        let singles: Vec<Vec<usize>> = (0..points.n_points()).map(|row| vec![row]).collect();
        let groups: Vec<Vec<usize>> = singles
            .iter()
            .map(|it| match closure.group_of(it[0]) {
                Some(group) => closure.members(group).iter().map(|&row| row as usize).collect(),
                None => it.clone(),
            })
            .collect();
        for method in ["pck", "pcck", "ampcc"] {
            let model = fit(method, params.clone(), &points, &links).unwrap();
            if !model.converged() {
                continue;
            }
            let n_clusters = model.n_clusters();
            let (centers, representatives) = (model.centers().unwrap(), model.representatives());
            let per_cluster = representatives.n_points() / n_clusters;
            let cost = |labels: &[i64]| match method {
                "pck" => naive::pck(&points, centers, labels, &closure, 1.0),
                "pcck" => naive::pcck(&points, centers, labels, &closure),
                _ => naive::ampcc(&points, representatives, per_cluster, labels, &closure),
            };
            let literal = cost(model.labels());
            prop_assert!((model.objective() - literal).abs() <= ROUNDING * (1.0 + literal), "{}", method);
            let units = if method == "pcck" { &groups } else { &singles };
            prop_assert!(is_settled(model.labels(), n_clusters, units, cost), "{}", method);
        }
    }

    /// Another path: every assignment there is, tried one by one.
    #[test]
    fn cop_keeps_every_link_whenever_that_is_possible(
        values in prop::collection::vec(0.0_f64..1.0, 2..8),
        pairs in prop::collection::vec((0_usize..8, 0_usize..8, any::<bool>()), 0..10),
        k in 1_usize..4,
    ) {
        let (points, n) = (line(&values), values.len());
        let k = k.min(n);
        let ends = |&(a, b, must): &(usize, usize, bool)| (a % n, b % n, must);
        let pairs = pairs.iter().map(ends).filter(|(a, b, _)| a != b);
        let links: Links = pairs.map(|(a, b, must)| if must { Link::must(a, b) } else { Link::cannot(a, b) }).collect();
        let Ok(closure) = links.close(n) else { return Ok(()) };
        let possible = naive::assignments(n, k, &closure);
        match fit("cop", KMeansParams::of(k), &points, &links) {
            Ok(model) => {
                prop_assert!(model.link_report().broken.is_empty());
                // No assignment does better at these centers by more than a local minimum may.
                prop_assert!(!possible.is_empty());
            }
            Err(Error::Links(LinkError::NoAssignment { blocking, .. })) => {
                prop_assert!(possible.is_empty() && !blocking.is_empty());
            }
            Err(other) => prop_assert!(false, "{}", other),
        }
    }

    #[test]
    fn the_far_pair_is_nearly_the_farthest((points, _, _) in any_case()) {
        let plain = |x: &[f64], y: &[f64]| crate::distance::distance_sq(x, y);
        let (_, _, literal) = naive::farthest_pair(&points, plain);
        let metric = Metric::euclidean(MetricKind::Diagonal, points.n_features(), 1.0);
        let mean = vec![0.5; points.n_features()];
        let center = points.row(0).to_vec();
        let tables = tables::Tables::new(&points, &[], &mean, &center, &[metric], None);
        let (a, b) = tables.farthest[0];
        let found = crate::distance::distance_sq(points.row(a), points.row(b));
        // From any point the farthest is at least half a diameter away: a quarter of the square.
        prop_assert!(found <= literal + ROUNDING && found >= literal / 4.0);
    }
}

#[test]
fn whole_metrics_of_very_many_columns_are_refused_at_once() {
    // Derived: 10⁵ columns make a matrix of 80 GB, for want of which the program once ended.
    let points = Points::new(vec![1.0_f32; 300_000], 100_000).unwrap();
    let common = KMeansParams::of(2);
    let params = MpckParams { common, metric: MetricKind::Full, ..Default::default() };
    let refused = Mpck::new(params).unwrap().fit(&points, &Links::new());
    assert!(matches!(refused, Err(Error::Memory { .. })), "{:?}", refused.err());
}
