//! The laws of mean shift, each over all profiles and modes.

use super::*;
use crate::bandwidth::Bandwidth;
use crate::kernel::Profile;
use crate::links::Links;
use crate::points::Points;
use crate::real::Real;
use proptest::prelude::*;

const PROFILES: [Profile; 4] = [Profile::Ball, Profile::Rbf, Profile::TRUNCATED, Profile::Gaussian];

fn params(profile: Profile, blurring: bool, h: f64) -> MeanShiftParams {
    MeanShiftParams { profile, blurring, bandwidth: Bandwidth::Fixed(h), ..Default::default() }
}

fn labels<T: Real>(points: &Points<'_, T>, params: MeanShiftParams) -> Vec<i64> {
    MeanShift::new(params).unwrap().fit(points, &Links::new()).unwrap().labels().to_vec()
}

/// `n` points around three places of the plane, apart by ten.
fn three_blobs(n: usize, seed: u64) -> Points<'static, f64> {
    let mut state = seed.wrapping_mul(2).wrapping_add(1);
    let mut noise = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / f64::from(1_u32 << 31) - 0.5
    };
    let values =
        (0..n).flat_map(|i| [(i % 3) as f64 * 10.0 + noise(), (i % 2) as f64 * 0.3 + noise()]);
    Points::new(values.collect::<Vec<_>>(), 2).unwrap()
}

#[test]
fn blobs_are_found_by_every_profile_and_mode() {
    let points = three_blobs(90, 1);
    let expected: Vec<i64> = (0..90).map(|i| i % 3).collect();
    for profile in PROFILES {
        for blurring in [false, true] {
            assert_eq!(labels(&points, params(profile, blurring, 2.0)), expected, "{profile:?}");
        }
    }
}

#[test]
fn a_weight_of_two_is_a_point_twice() {
    let points = three_blobs(30, 2);
    let twice: Vec<usize> = (0..30).chain([0, 5, 7]).collect();
    let weights: Vec<f64> =
        (0..30).map(|i| if [0, 5, 7].contains(&i) { 2.0 } else { 1.0 }).collect();
    let weighted = points.clone().with_weights(weights).unwrap();
    for profile in PROFILES {
        for blurring in [false, true] {
            let fit = |p: &Points<'_, f64>| {
                MeanShift::new(params(profile, blurring, 2.0))
                    .unwrap()
                    .fit(p, &Links::new())
                    .unwrap()
            };
            let (a, b) = (fit(&weighted), fit(&points.select(&twice)));
            assert_eq!(a.labels(), &b.labels()[..30]);
            for (a, b) in a.centers().unwrap().values().iter().zip(b.centers().unwrap().values()) {
                assert!((a - b).abs() < 2e-3, "{profile:?} {a} {b}"); // the arrival tolerance
            }
        }
    }
}

#[test]
fn lone_points_are_noise_if_asked() {
    let points = Points::new(vec![0.0, 0.1, 0.2, 50.0], 1).unwrap();
    for rule in [LabelRule::Basin, LabelRule::Nearest] {
        let mut params = MeanShiftParams {
            labels: Some(rule),
            cluster_all: false,
            ..params(Profile::Ball, false, 1.0)
        };
        if rule == LabelRule::Nearest {
            // Every point is a seed, so the far one has a mode of its own; seeds of our choice leave it out.
            params.seeds = Some(vec![0.0]);
        }
        assert_eq!(labels(&points, params), [0, 0, 0, -1], "{rule:?}");
    }
}

#[test]
fn bins_find_what_all_seeds_find() {
    let points = three_blobs(300, 6);
    let all = MeanShiftParams::like_scikit_learn(2.0);
    let bins = MeanShiftParams { bin_seeding: true, ..all.clone() };
    assert_eq!(labels(&points, all), labels(&points, bins.clone()));
    let empty = MeanShiftParams { min_bin_freq: 1000, ..bins };
    assert!(MeanShift::new(empty).unwrap().fit(&points, &Links::new()).is_err());
}

#[test]
fn a_bandwidth_per_point_follows_the_local_scale() {
    // A tight blob of width 0.02 beside a loose one of width 2: neighbours are tens apart.
    let tight = (0..20).map(|i| f64::from(i) * 0.001);
    let loose = (0..20).map(|i| 50.0 + f64::from(i) * 0.1);
    let points = Points::new(tight.chain(loose).collect::<Vec<_>>(), 1).unwrap();
    let params = MeanShiftParams { bandwidth: Bandwidth::PerPoint { k: 15 }, ..Default::default() };
    let expected: Vec<i64> = (0..40).map(|i| i / 20).collect();
    assert_eq!(labels(&points, params), expected);
}

#[test]
fn sparse_regions_climb_too_when_bandwidths_differ_by_far() {
    // Ten columns, bandwidths a hundred times apart: the shares (h/h')^12 differ by 1e-24.
    let blob = |at: f64, width: f64| {
        (0..20).flat_map(move |i| {
            (0..10).map(move |col| at + width * f64::from((i * 7 + col * 3) % 11) / 11.0)
        })
    };
    let points =
        Points::new(blob(0.0, 0.01).chain(blob(50.0, 1.0)).collect::<Vec<_>>(), 10).unwrap();
    let params = MeanShiftParams { bandwidth: Bandwidth::PerPoint { k: 15 }, ..Default::default() };
    let expected: Vec<i64> = (0..40).map(|i| i / 20).collect();
    assert_eq!(labels(&points, params), expected);
}

#[test]
fn a_ball_ends_before_its_rim() {
    // 49·(1/49) rounds to less than 1, 49 < 7² is false: the comparison must be the latter.
    let points = Points::new(vec![0.0, 7.0], 1).unwrap();
    let method = MeanShift::new(params(Profile::Ball, false, 7.0)).unwrap();
    assert_eq!(method.fit(&points, &Links::new()).unwrap().centers().unwrap().values(), [0.0, 7.0]);
}

#[test]
fn when_all_is_noise_so_is_every_new_point() {
    let points = Points::new(vec![0.0, 1.0, 2.0], 1).unwrap();
    let lonely = MeanShiftParams { cluster_all: false, ..params(Profile::Ball, false, 0.01) };
    let model = MeanShift::new(lonely).unwrap().fit(&points, &Links::new()).unwrap();
    assert_eq!((model.labels(), model.n_clusters()), (&[-1, -1, -1][..], 0));
    assert_eq!(model.predict(&points).unwrap(), [-1, -1, -1]);
}

#[test]
fn combinations_that_cannot_work_are_refused() {
    let base = MeanShiftParams::default;
    let bad = [
        MeanShiftParams { max_iter: 0, ..base() },
        MeanShiftParams { tolerance: -1.0, ..base() },
        MeanShiftParams { merge_tolerance: 1.0, ..base() },
        MeanShiftParams { mode_radius: f64::NAN, ..base() },
        MeanShiftParams { blurring: true, bandwidth: Bandwidth::PerPoint { k: 2 }, ..base() },
        MeanShiftParams { bin_seeding: true, labels: Some(LabelRule::Basin), ..base() },
        MeanShiftParams { bin_seeding: true, seeds: Some(vec![0.0]), ..base() },
        MeanShiftParams { bin_seeding: true, blurring: true, ..base() },
    ];
    for params in bad {
        assert!(matches!(MeanShift::new(params), Err(crate::Error::Param { .. })));
    }
}

fn any_points() -> impl Strategy<Value = Points<'static, f64>> {
    (1_usize..5, 1_usize..60).prop_flat_map(|(d, n)| {
        prop::collection::vec(-3.0_f64..3.0, n * d)
            .prop_map(move |values| Points::new(values, d).unwrap())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Another path: the literal formulas. With merging of equal centers only, the fast path ends
    /// where the literal one does, to rounding; every center of a step agrees.
    #[test]
    fn the_fast_path_ends_where_the_literal_one_does(
        points in any_points(), h in 0.3_f64..4.0, profile in 0_usize..4, blurring: bool,
    ) {
        let (profile, n_iter) = (PROFILES[profile], 4);
        let d = points.n_features();
        let literal = naive::climb(&points, profile, |_| h, blurring, 0.0, n_iter);
        let limits = climb::Limits { max_iter: n_iter, tolerance: 0.0, merge_tolerance: 0.0, bandwidth: h, pace: climb::Pace::Steps };
        let found = crate::bandwidth::Found::Same(h);
        let ignore = &mut crate::observe::ignore;
        let arrived = if blurring {
            collapse::collapse(&points, profile, h, &limits, ignore).unwrap().0
        } else {
            let field = field::Field::new(&points, profile, &found);
            climb::climb(&field, points.values().to_vec(), &limits, ignore).unwrap()
        };
        for (row, &center) in arrived.of.iter().enumerate() {
            for col in 0..d {
                let (fast, slow) = (arrived.centers[center as usize * d + col], literal[row * d + col]);
                prop_assert!((fast - slow).abs() < 1e-9, "row {} {} {}", row, fast, slow);
            }
        }
    }

    #[test]
    fn a_bandwidth_per_point_is_the_literal_formula(points in any_points(), k in 1_usize..6) {
        let h = crate::bandwidth::per_point(&points, k);
        let field = field::Field::new(&points, Profile::Gaussian, &crate::bandwidth::Found::PerPoint(h.clone()));
        let x = points.row(0);
        let literal = naive::mean(&points, Profile::Gaussian, |j| h[j], x).unwrap();
        let mut center = x.to_vec();
        field.shift(&mut center, &mut field.scratch());
        for (fast, slow) in center.iter().zip(&literal) {
            prop_assert!((fast - slow).abs() < 1e-9);
        }
    }

    #[test]
    fn rotating_changes_nothing(seed in 0_u64..1000, angle in 0.0_f64..6.3) {
        let points = three_blobs(60, seed);
        let (sin, cos) = angle.sin_cos();
        let turn = |row: &[f64]| [cos * row[0] - sin * row[1], sin * row[0] + cos * row[1]];
        let turned: Vec<f64> = points.rows().flat_map(turn).collect();
        let turned = Points::new(turned, 2).unwrap();
        for blurring in [false, true] {
            let params = params(Profile::TRUNCATED, blurring, 2.0);
            prop_assert_eq!(labels(&points, params.clone()), labels(&turned, params));
        }
    }
}
