//! The laws of kernel mean shift.

use super::climb::{Limits, climb};
use super::factor::{Enough, Factor};
use super::field::{Field, kth_distances};
use super::gram::Gram;
use super::logdet::{Turns, Wish, settle};
use super::*;
use crate::bandwidth::Bandwidth;
use crate::cms::Representatives;
use crate::error::{Error, KernelError};
use crate::links::{Link, LinkKind, Links};
use crate::mean_shift::{MeanShift, MeanShiftParams};
use crate::params::Named;
use crate::{Points, Profile, datasets};
use proptest::prelude::*;

/// Eigenvectors, square roots and some iterations apart: far below any bandwidth here.
const ROUNDING: f64 = 1e-6;

const KERNELS: [Mercer; 5] = [
    Mercer::Gaussian { sigma: None },
    Mercer::Polynomial { degree: 2, offset: 1.0 },
    Mercer::Linear,
    Mercer::ChiSquared,
    Mercer::Cosine,
];

fn fit(params: KernelMeanShiftParams, points: &Points<'_, f64>, links: &Links) -> Vec<i64> {
    KernelMeanShift::new(params).unwrap().fit(points, links).unwrap().labels().to_vec()
}

fn with(kernel: Mercer) -> KernelMeanShiftParams {
    KernelMeanShiftParams { kernel, ..Default::default() }
}

/// Three heaps of the plane, 10 apart, by turns.
fn three_heaps(n: usize) -> Points<'static, f64> {
    let values = (0..n).flat_map(|i| {
        let noise = |by: f64| (i as f64 * by).sin() * 0.5;
        [1.0 + (i % 3) as f64 * 10.0 + noise(1.3), 5.0 + noise(2.7)]
    });
    Points::new(values.collect::<Vec<_>>(), 2).unwrap()
}

fn thirds(n: usize) -> Vec<i64> {
    (0..n as i64).map(|i| i % 3).collect()
}

/// The matrix of similarities as points.
fn matrix_of(points: &Points<'_, f64>, kernel: Mercer) -> Points<'static, f64> {
    let matrix = naive::kernel_matrix(points, kernel);
    Points::new(matrix.concat(), points.n_points()).unwrap()
}

#[test]
fn heaps_are_found_and_must_links_join_them() {
    let points = three_heaps(60);
    let params = KernelMeanShiftParams { neighbor: Neighbor::Kth(15), ..Default::default() };
    assert_eq!(fit(params.clone(), &points, &Links::new()), thirds(60));
    // The paper's guarantee: linked points are one in feature space; here heaps 0 and 2.
    let labels = fit(params, &points, &Links::from_pairs(&[(0, 2)], &[]));
    assert_eq!(labels[0], labels[2]);
    assert_ne!(labels[0], labels[1]);
}

#[test]
fn lines_need_their_three_links() {
    // Section 6.1, Figure 3: six lines, a link between the ends of one line per orientation.
    let set = datasets::lines(240, 0.1, 1).unwrap();
    let ends = |line: i64| {
        let rows: Vec<usize> = (0..240).filter(|&row| set.labels[row] == line).collect();
        let apart = |a: usize, b: usize| -> f64 {
            set.points.row(a).iter().zip(set.points.row(b)).map(|(a, b)| (a - b).powi(2)).sum()
        };
        let pairs = rows.iter().flat_map(|&a| rows.iter().map(move |&b| (a, b)));
        pairs.max_by(|x, y| apart(x.0, x.1).total_cmp(&apart(y.0, y.1))).unwrap()
    };
    let links = Links::from_pairs(&[ends(0), ends(2), ends(4)], &[]);
    let params = || KernelMeanShiftParams {
        kernel: Mercer::Gaussian { sigma: Some(5.0) },
        neighbor: Neighbor::Kth(20),
        ..Default::default()
    };
    // The set is ordered by class, so the right labels are the classes themselves.
    assert_eq!(fit(params(), &set.points, &links), set.labels);
    assert_ne!(fit(params(), &set.points, &Links::new()), set.labels);
}

#[test]
fn the_effective_dimension_is_the_number_of_equal_directions() {
    // Derived: ±1 along each of three axes: variances 2, 2, 2: 6²/(3·4) = 3. Far from the origin
    // too, where the mean takes part in every product.
    let corners = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];
    for shift in [0.0, 50.0] {
        let values: Vec<f64> = corners.concat().into_iter().map(|x| f64::from(x) + shift).collect();
        let points = Points::new(values, 3).unwrap();
        let model = KernelMeanShift::new(with(Mercer::Linear)).unwrap();
        let model = model.fit(&points, &Links::new()).unwrap();
        assert!((model.effective_dimension() - 3.0).abs() < ROUNDING, "{shift}");
    }
}

#[test]
fn degree_one_is_euclidean_mean_shift() {
    // Another path: mean shift with a bandwidth per point and the Gaussian profile, whose weights
    // are 1/h^(d+2) with d = 2 columns.
    for seed in 0..4 {
        let points = datasets::blobs(80, 2, 5, 1.0, 6.0, seed).unwrap().points;
        let euclidean = MeanShiftParams {
            bandwidth: Bandwidth::PerPoint { k: 10 },
            profile: Profile::Gaussian,
            tolerance: 1e-5,
            mode_radius: 0.1,
            ..Default::default()
        };
        let expected = MeanShift::new(euclidean).unwrap().fit(&points, &Links::new()).unwrap();
        for kernel in [Mercer::Linear, Mercer::Polynomial { degree: 1, offset: 3.0 }] {
            let params = KernelMeanShiftParams {
                neighbor: Neighbor::Kth(10),
                dimension: Dimension::Fixed(2.0),
                bandwidth_factor: Some(1.0),
                leftover_share: 0.0,
                tolerance: 1e-5,
                ..with(kernel)
            };
            assert_eq!(fit(params, &points, &Links::new()), expected.labels(), "seed {seed}");
        }
    }
}

#[test]
fn equation_20_makes_linked_points_one_and_spares_what_is_orthogonal() {
    // Derived: K = I for three orthogonal unit features; a link 0–1 leaves of e₀ and e₁ their mean,
    // of squared length ½, and does not touch e₂.
    let identity: naive::Matrix =
        (0..3).map(|i| (0..3).map(|j| f64::from(i == j)).collect()).collect();
    assert_eq!(naive::scaling_matrix(&identity, &[(0, 1)]), [[2.0]]);
    let projected = naive::project(&identity, &[(0, 1)]).unwrap();
    let expected = [[0.5, 0.5, 0.0], [0.5, 0.5, 0.0], [0.0, 0.0, 1.0]];
    for (found, expected) in projected.concat().iter().zip(expected.concat()) {
        assert!((found - expected).abs() < 1e-12, "{projected:?}");
    }
    // The same link twice is one: S is singular, hence the pseudo-inverse.
    assert!((naive::project(&identity, &[(0, 1), (1, 0)]).unwrap()[0][1] - 0.5).abs() < 1e-12);
}

#[test]
fn equations_11_and_12_by_hand() {
    // Derived: K = [[1, 0], [0, 1]]: |e₀ − e₁|² = 2. With h = 1, g(0) = 1, g(2) = e⁻¹; the first
    // step from e₀ gives weights 1/(1 + e⁻¹) and e⁻¹/(1 + e⁻¹).
    let k = vec![vec![1.0, 0.0], vec![0.0, 1.0]];
    assert_eq!(naive::distance_sq(&k, &[1.0, 0.0], &[0.0, 1.0]), 2.0);
    let e = (-1.0_f64).exp();
    let alpha = naive::shift(&k, &[1.0, 0.0], &[1.0, 1.0], 5.0);
    assert!((alpha[0] - 1.0 / (1.0 + e)).abs() < 1e-15);
    // With h = 1 and 2, d = 0: shares 1 and ¼·exp(−2/8).
    let share = 0.25 * (-0.25_f64).exp();
    let alpha = naive::shift(&k, &[1.0, 0.0], &[1.0, 2.0], 0.0);
    assert!((alpha[1] - share / (1.0 + share)).abs() < 1e-15);
}

#[test]
fn a_precomputed_matrix_gives_the_labels_of_its_kernel() {
    let points = datasets::blobs(90, 3, 4, 0.5, 5.0, 2).unwrap().points;
    let links = Links::from_pairs(&[(0, 40)], &[]);
    let kernel = Mercer::Gaussian { sigma: Some(4.0) };
    let matrix = matrix_of(&points, kernel);
    let model = KernelMeanShift::new(with(Mercer::Precomputed)).unwrap();
    let model = model.fit(&matrix, &links).unwrap();
    assert_eq!(model.labels(), fit(with(kernel), &points, &links));
    assert_eq!(model.predict(&matrix).unwrap(), model.labels());
}

#[test]
fn matrices_that_are_no_inner_products_are_refused_or_repaired() {
    let fit = |values: Vec<f64>, n, repair| {
        let points = Points::new(values, n).unwrap();
        let params = KernelMeanShiftParams { repair, ..with(Mercer::Precomputed) };
        KernelMeanShift::new(params).unwrap().fit(&points, &Links::new()).map(|m| m.rank())
    };
    let error = |values, n| match fit(values, n, false) {
        Err(Error::Kernel(error)) => error,
        other => panic!("{other:?}"),
    };
    let square = KernelError::NotSquare { n_rows: 1, n_columns: 2 };
    assert_eq!(error(vec![1.0, 0.0], 2), square);
    let swapped = KernelError::NotSymmetric { row: 1, col: 0, here: 0.5, there: 0.0 };
    assert_eq!(error(vec![1.0, 0.0, 0.5, 1.0], 2), swapped);
    // Eigenvalues 3 and −1, and −1 alone.
    let indefinite = vec![1.0, 2.0, 2.0, 1.0];
    assert!(matches!(error(indefinite.clone(), 2), KernelError::NotPositive { .. }));
    assert!(matches!(error(vec![-1.0], 1), KernelError::NotPositive { row: 0, col: 0 }));
    // Nothing on the diagonal, so no pivot: only what is beside it tells.
    assert!(matches!(error(vec![0.0, 1.0, 1.0, 0.0], 2), KernelError::NotPositive { .. }));
    assert_eq!(fit(indefinite, 2, true), Ok(1));
}

#[test]
fn cannot_links_stretch_what_tells_their_ends_apart() {
    // The wide first column is the same in both classes; the narrow second one tells them apart.
    let values =
        (0..60).flat_map(|i| [(f64::from(i / 2) * 1.7).sin().powi(3), f64::from(i % 2) * 0.3]);
    let points = Points::new(values.collect::<Vec<_>>(), 2).unwrap();
    let params = || KernelMeanShiftParams {
        neighbor: Neighbor::Kth(20),
        bandwidth_factor: Some(1.0),
        metric: Some(KernelMetric::Projection),
        ..with(Mercer::Linear)
    };
    assert!(fit(params(), &points, &Links::new()).iter().all(|&label| label == 0));
    let links = Links::from_pairs(&[], &[(0, 1), (20, 21)]);
    let expected: Vec<i64> = (0..60).map(|i| i % 2).collect();
    assert_eq!(fit(params(), &points, &links), expected);
}

#[test]
fn a_soft_link_moves_distances_less_than_a_sure_one() {
    let points = datasets::blobs(60, 2, 2, 0.5, 4.0, 3).unwrap().points;
    let distance = |links: &Links| {
        let model = KernelMeanShift::new(KernelMeanShiftParams::default()).unwrap();
        let model = model.fit(&points, links).unwrap();
        let d = model.rank();
        let [a, b] = [0, 59].map(|row| &model.embedding()[row * d..][..d]);
        a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>()
    };
    let told =
        |confidence| -> Links { [Link { confidence, ..Link::must(0, 59) }].into_iter().collect() };
    let [none, doubtful, firm, sure] =
        [Links::new(), told(0.2), told(0.9), told(1.0)].map(|links| distance(&links));
    assert!(none > doubtful && doubtful > firm && firm > sure, "{none} {doubtful} {firm} {sure}");
    assert!(sure < ROUNDING);
    let cannot: Links = [Link { confidence: 0.5, ..Link::cannot(0, 1) }].into_iter().collect();
    assert!(KernelMeanShift::new(Default::default()).unwrap().fit(&points, &cannot).is_ok());
}

#[test]
fn learning_grants_what_is_asked_for_by_hand() {
    // Derived: K = I, |e₀ − e₁|² = 2. A firm must-link that asks for 1 has β = (1 − 2)/2² = −¼:
    // K − ¼(e₀ − e₁)(e₀ − e₁)ᵀ. A cannot-link that asks for 1 has it already.
    let identity = vec![vec![1.0, 0.0], vec![0.0, 1.0]];
    let asked = |kind, firmness| naive::Asked { a: 0, b: 1, kind, distance_sq: 1.0, firmness };
    let learned = naive::learn(&identity, &[asked(LinkKind::Must, 1e12)], 1);
    assert!((learned[0][0] - 0.75).abs() < 1e-9 && (learned[0][1] - 0.25).abs() < 1e-9);
    assert_eq!(naive::learn(&identity, &[asked(LinkKind::Cannot, 1e12)], 3), identity);
    // One that gives way as readily as K does meets it half-way: δα = ½(1/2 − 1) = −¼, so that
    // 1/p' = ½ + ¼ and p' = 4/3.
    let learned = naive::learn(&identity, &[asked(LinkKind::Must, 1.0)], 1);
    let p = learned[0][0] + learned[1][1] - 2.0 * learned[0][1];
    assert!((p - 4.0 / 3.0).abs() < 1e-12, "{p}");
}

#[test]
fn learned_links_teach_rings() {
    // Five rings with outliers, 20 labelled points of each: nearness in the plane says nothing.
    let set = datasets::circles(200, 80, 0.1, 0).unwrap();
    let mut left = [20; 5];
    let partial: Vec<i64> = set
        .labels
        .iter()
        .map(|&label| match label {
            0.. if left[label as usize] > 0 => {
                left[label as usize] -= 1;
                label
            }
            _ => -1,
        })
        .collect();
    let mut links = Links::new();
    links.add_labels(&partial).unwrap();
    let labels = fit(KernelMeanShiftParams::default(), &set.points, &links);
    let rings: Vec<usize> = (0..280).filter(|&row| set.labels[row] >= 0).collect();
    let [truth, found]: [Vec<i64>; 2] =
        [&set.labels, &labels].map(|all| rings.iter().map(|&row| all[row]).collect());
    let ari = crate::scores::adjusted_rand_index(&truth, &found).unwrap();
    assert!(ari > 0.95, "{ari}");
}

#[test]
fn a_cannot_link_decides_the_metric_unless_it_is_set() {
    let points = three_heaps(60);
    let must = Links::from_pairs(&[(0, 3)], &[]);
    let both = Links::from_pairs(&[(0, 3)], &[(0, 1)]);
    let with_metric = |metric, links: &Links| {
        let params = KernelMeanShiftParams { metric, ..Default::default() };
        let model = KernelMeanShift::new(params).unwrap().fit(&points, links).unwrap();
        model.embedding().to_vec()
    };
    let [projection, logdet] = [KernelMetric::Projection, KernelMetric::LogDet].map(Some);
    assert_eq!(with_metric(None, &must), with_metric(projection, &must));
    assert_eq!(with_metric(None, &both), with_metric(logdet, &both));
    assert_ne!(with_metric(logdet, &both), with_metric(projection, &both));
}

#[test]
fn odd_points_are_one_cluster() {
    for values in [vec![7.0], vec![7.0; 12], vec![0.0; 5]] {
        let points = Points::new(values, 1).unwrap();
        for kernel in KERNELS {
            let model = KernelMeanShift::new(with(kernel)).unwrap().fit(&points, &Links::new());
            let model = model.unwrap();
            assert_eq!(model.n_clusters(), 1, "{}", kernel.name());
            assert!(model.converged());
            assert_eq!(model.predict(&points).unwrap(), model.labels());
        }
    }
    // So many links that nothing is left of the space: all points are one.
    let points = Points::new(vec![0.0, 1.0, 5.0], 1).unwrap();
    assert_eq!(fit(with(Mercer::Linear), &points, &Links::from_pairs(&[(0, 1)], &[])), [0, 0, 0]);
}

#[test]
fn fitted_points_are_predicted_as_they_were_labelled() {
    let points = datasets::blobs(150, 3, 4, 1.0, 8.0, 4).unwrap().points;
    let positive: Vec<f64> = points.values().iter().map(|x| x + 20.0).collect();
    let points = Points::new(positive, 3).unwrap();
    let links = Links::from_pairs(&[(0, 70), (3, 9)], &[(0, 149)]);
    for kernel in KERNELS {
        for representatives in [Representatives::Never, Representatives::Count(60)] {
            for metric in KernelMetric::ALL {
                let metric = Some(*metric);
                let params = KernelMeanShiftParams { representatives, metric, ..with(kernel) };
                let model = KernelMeanShift::new(params).unwrap().fit(&points, &links).unwrap();
                assert_eq!(model.predict(&points).unwrap(), model.labels(), "{}", kernel.name());
                let report = model.link_report();
                assert_eq!((report.must_kept, report.must), (2, 2), "{}", kernel.name());
            }
        }
    }
}

#[test]
fn a_weight_of_two_counts_like_a_point_twice_in_the_density() {
    // Bandwidths look at where points lie, not at weights, so they are the same here by intent:
    // with all weights 2 the quotient of Eq. 12 does not change.
    let points = three_heaps(60);
    let twice = points.clone().with_weights(vec![2.0; 60]).unwrap();
    let params = KernelMeanShiftParams::default();
    assert_eq!(fit(params.clone(), &points, &Links::new()), fit(params, &twice, &Links::new()));
    // One field, a sample twice or of weight 2.
    let once = Field::new(vec![0.0, 1.0], 1, &[1.0, 1.0], &[2.0, 1.0], 2.0);
    let doubled = Field::new(vec![0.0, 0.0, 1.0], 1, &[1.0; 3], &[1.0; 3], 2.0);
    let (mut a, mut b) = ([0.7], [0.7]);
    once.shift(&mut a, &[true]);
    doubled.shift(&mut b, &[true]);
    assert!((a[0] - b[0]).abs() < 1e-15);
}

#[test]
fn any_number_of_threads_gives_the_same_labels() {
    let points = datasets::blobs(300, 4, 5, 1.0, 6.0, 5).unwrap().points;
    let links = Links::from_pairs(&[(0, 100)], &[(0, 299)]);
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let model = KernelMeanShift::new(KernelMeanShiftParams::default()).unwrap();
            let model = model.fit(&points, &links).unwrap();
            (model.labels().to_vec(), model.embedding().to_vec())
        })
    };
    let one = run(1);
    assert_eq!(one, run(2));
    assert_eq!(one, run(7));
}

#[test]
fn single_precision_agrees_with_double() {
    let set = datasets::blobs(150, 3, 3, 1.0, 8.0, 6).unwrap();
    let single = set.cast::<f32>().unwrap();
    let links = Links::from_pairs(&[(0, 60)], &[]);
    let params = KernelMeanShiftParams::default();
    let model = KernelMeanShift::new(params.clone()).unwrap().fit(&single, &links).unwrap();
    assert_eq!(model.labels(), fit(params, &set.points, &links));
}

#[test]
fn few_must_links_alone_choose_nothing() {
    // Seven pairs are not held back: the kernel and k are as if they were told.
    let points = three_heaps(60);
    let pairs: Vec<_> = (0..7).map(|i| (i, i + 30)).collect();
    let links = Links::from_pairs(&pairs, &[]);
    let told = KernelMeanShiftParams {
        neighbor: Neighbor::Share(0.08),
        ..with(Mercer::Gaussian { sigma: None })
    };
    assert_eq!(fit(KernelMeanShiftParams::default(), &points, &links), fit(told, &points, &links));
}

#[test]
fn a_huge_exponent_neither_overflows_nor_vanishes() {
    // 1/h^(d+2) with d = 10⁴ and bandwidths 100 times apart is 10^20000 apart.
    let heap = |at: f64, width: f64| (0..20).map(move |i| at + width * f64::from(i));
    let values: Vec<f64> = heap(0.0, 0.01).chain(heap(50.0, 1.0)).collect();
    let params = KernelMeanShiftParams {
        dimension: Dimension::Fixed(1e4),
        neighbor: Neighbor::Kth(3),
        ..with(Mercer::Linear)
    };
    let labels = fit(params, &Points::new(values, 1).unwrap(), &Links::new());
    assert!(labels.iter().all(|&label| label >= 0));
}

#[test]
fn an_observer_sees_every_iteration_and_can_cancel() {
    let points = three_heaps(60);
    let method = KernelMeanShift::new(KernelMeanShiftParams::default()).unwrap();
    let mut seen = Vec::new();
    let look = &mut |step: &crate::observe::Step| {
        seen.push(step.n_iter);
        std::ops::ControlFlow::Continue(())
    };
    let model = method.fit_observed(&points, &Links::new(), look).unwrap();
    seen.retain(|&n_iter| n_iter > 0); // before the first there is only the chance to cancel
    assert_eq!(seen, (1..=model.n_iter()).collect::<Vec<_>>());
    let stop = &mut |_: &crate::observe::Step| std::ops::ControlFlow::Break(());
    let cancelled = method.fit_observed(&points, &Links::new(), stop);
    assert_eq!(cancelled.err(), Some(Error::Cancelled { n_iter: 0 }));
}

#[test]
fn too_little_memory_is_said_before_it_is_used() {
    let params = KernelMeanShiftParams { memory_mb: Some(20), ..Default::default() };
    // In 20 columns there are as many directions as points.
    let points = datasets::blobs(2_000, 20, 3, 1.0, 5.0, 0).unwrap().points;
    let error = KernelMeanShift::new(params).unwrap().fit(&points, &Links::new()).unwrap_err();
    assert!(matches!(error, Error::Memory { .. }), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Another path: the literal formulas on weight vectors. Distances between the centers after
    /// three steps, and between points under K̂, agree.
    #[test]
    fn the_fast_path_is_where_the_literal_one_is(
        values in prop::collection::vec(0.1_f64..4.0, 8..80), at in 0_usize..5, k in 1_usize..6,
        dimension in 0.0_f64..12.0, pairs in prop::collection::vec((0_usize..4, 0_usize..4), 0..3),
    ) {
        const N_ITER: usize = 3;
        let points = Points::new(values[..values.len() / 2 * 2].to_vec(), 2).unwrap();
        let n = points.n_points();
        let kernel = KERNELS[at].settled(&points, 1.0, 0);
        let must: Vec<_> = pairs.into_iter().filter(|(a, b)| a != b).collect();
        let matrix = naive::project(&naive::kernel_matrix(&points, kernel), &must).unwrap();

        let gram = Gram::new(&points, kernel, false).unwrap();
        let factor = Factor::new(&gram, &points, kernel, Enough { most: n, tolerance: 1e-14, negligible: 0.0 }, |_| Ok(()), &mut crate::observe::ignore).unwrap();
        let links = Links::from_pairs(&must, &[]);
        let metric = metric::learn(&factor.rows, factor.rank, &links, Vec::new).unwrap();
        let map = metric::axes(&factor.rows, factor.rank, metric).unwrap();
        let (rows, d) = (metric::apply(&factor.rows, &map), map.ncols());
        let largest = (0..n).map(|i| matrix[i][i]).fold(1.0, f64::max);
        for i in 0..n {
            for j in 0..n {
                let inner: f64 = rows[i * d..][..d].iter().zip(&rows[j * d..][..d]).map(|(a, b)| a * b).sum();
                prop_assert!((inner - matrix[i][j]).abs() < ROUNDING * largest, "K̂({}, {})", i, j);
            }
        }

        let literal_h = naive::bandwidths(&matrix, k);
        let fast_h = kth_distances(&rows, &rows, d, k.min(n - 1));
        // Where points coincide, both paths see rounding for a distance: no bandwidth to compare.
        prop_assume!(literal_h.iter().all(|&h| h > 1e-2));
        for (a, b) in literal_h.iter().zip(&fast_h) {
            prop_assert!((a - b).abs() < ROUNDING * largest, "{} {}", a, b);
        }
        let ends = naive::climb(&matrix, &literal_h, dimension, 0.0, N_ITER);
        let limits = Limits { max_iter: N_ITER, tolerance: 0.0, merge_tolerance: 0.0, bandwidth: 1.0 };
        let field = Field::new(rows.clone(), d, &literal_h, &vec![1.0; n], dimension + 2.0);
        let arrived = climb(&field, rows.clone(), &limits, &mut crate::observe::ignore).unwrap();
        for (row, alpha) in ends.iter().enumerate() {
            let end = &arrived.centers[arrived.of[row] as usize * d..][..d];
            for col in 0..d {
                let literal: f64 = alpha.iter().zip(rows[col..].iter().step_by(d)).map(|(a, e)| a * e).sum();
                prop_assert!((literal - end[col]).abs() < 1e-4 * largest, "row {} {} {}", row, literal, end[col]);
            }
        }
    }

    /// Another path: the literal projections on K. Inner products after three turns agree.
    #[test]
    fn what_is_learned_is_what_the_literal_projections_learn(
        values in prop::collection::vec(0.1_f64..4.0, 8..40), at in 0_usize..5,
        pairs in prop::collection::vec((0_usize..4, 0_usize..4, any::<bool>(), 0.2_f64..3.0, 0.1_f64..10.0), 1..40),
    ) {
        const N_TURNS: usize = 3;
        let points = Points::new(values[..values.len() / 2 * 2].to_vec(), 2).unwrap();
        let n = points.n_points();
        let kernel = KERNELS[at].settled(&points, 1.0, 0);
        let k = naive::kernel_matrix(&points, kernel);
        let distance_sq = |a: usize, b: usize| k[a][a] + k[b][b] - 2.0 * k[a][b];
        // Points that are all but one have no distance to change but rounding.
        let asked: Vec<naive::Asked> = pairs
            .into_iter()
            .filter(|&(a, b, ..)| distance_sq(a, b) > 1e-3)
            .map(|(a, b, must, times, firmness)| naive::Asked {
                a, b, firmness, distance_sq: times * distance_sq(a, b),
                kind: if must { LinkKind::Must } else { LinkKind::Cannot },
            })
            .collect();
        let literal = naive::learn(&k, &asked, N_TURNS);
        let largest = literal.concat().into_iter().fold(1.0, f64::max);
        prop_assume!(largest < 1e6);

        let gram = Gram::new(&points, kernel, false).unwrap();
        let factor = Factor::new(&gram, &points, kernel, Enough { most: n, tolerance: 1e-14, negligible: 0.0 }, |_| Ok(()), &mut crate::observe::ignore).unwrap();
        let row = |i: usize| &factor.rows[i * factor.rank..][..factor.rank];
        let wishes: Vec<(Vec<f64>, Wish)> = asked.iter().map(|&naive::Asked { a, b, kind, distance_sq, firmness }| {
            let v = row(a).iter().zip(row(b)).map(|(a, b)| a - b).collect();
            (v, Wish { kind, distance_sq, firmness })
        }).collect();
        let mut metric = faer::Mat::identity(factor.rank, factor.rank);
        settle(&mut metric, &wishes, Turns { most: N_TURNS, settled: 0.0 });
        for (i, literal) in literal.iter().enumerate() {
            for (j, literal) in literal.iter().enumerate() {
                let inner: f64 = (0..factor.rank)
                    .flat_map(|s| (0..factor.rank).map(move |t| (s, t)))
                    .map(|(s, t)| row(i)[s] * metric[(s, t)] * row(j)[t])
                    .sum();
                prop_assert!((inner - literal).abs() < ROUNDING * largest, "K̂({}, {}): {} {}", i, j, inner, literal);
            }
        }
    }

    #[test]
    fn shuffling_changes_only_names(seed in 0_u64..100) {
        let points = datasets::blobs(60, 2, 3, 0.6, 8.0, seed).unwrap().points;
        let backwards: Vec<usize> = (0..60).rev().collect();
        let params = KernelMeanShiftParams::default();
        let before = fit(params.clone(), &points, &Links::from_pairs(&[(0, 30)], &[]));
        let after = fit(
            params,
            &points.select(&backwards),
            &Links::from_pairs(&[(59, 29)], &[]),
        );
        let after: Vec<i64> = after.into_iter().rev().collect();
        prop_assert_eq!(before, crate::shared::relabel::number_by_first_member(&after).0);
    }
}
