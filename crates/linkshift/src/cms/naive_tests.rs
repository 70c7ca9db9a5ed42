//! Each equation by hand, then the laws.

use super::*;
use crate::cms::Schedule;
use crate::kernel::Profile;
use crate::params::Named;
use proptest::prelude::*;

/// Room for the order of additions in f64 on values around 1.
const ROUNDING: f64 = 1e-12;

const PROFILES: [Profile; 3] = [Profile::Ball, Profile::Rbf, Profile::TRUNCATED];

fn with(profile: Profile) -> CmsParams {
    CmsParams { profile, ..CmsParams::default() }
}

fn line(values: &[f64]) -> Points<'_, f64> {
    Points::new(values, 1).unwrap()
}

fn both_ways(links: &[(usize, usize)]) -> Vec<(usize, usize)> {
    links.iter().flat_map(|&(x, y)| [(x, y), (y, x)]).collect()
}

fn run(
    points: &Points<f64>,
    links: &[(usize, usize)],
    h: &[f64],
    params: &CmsParams,
) -> NaiveCms<f64> {
    fit(points, &both_ways(links), h, params, &mut |_, _| ())
}

fn assert_close(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < tolerance, "{found} instead of {expected}");
    }
}

fn certain(x: usize, y: usize) -> Directed {
    Directed { x, y, strength: 1.0 }
}

#[test]
fn a_link_reaches_half_its_length_within_bounds() {
    let params = CmsParams::default();
    let reach = |length: f64, h: f64| link_bandwidth(&[0.0], &[length], h, &params);
    // Derived: λ = 0.5, so 0.5·3 = 1.5; cut to h = 1; lifted to ε = 0.001.
    assert_eq!(reach(3.0, 2.0), 1.5);
    assert_eq!(reach(3.0, 1.0), 1.0);
    assert_eq!(reach(0.0, 1.0), 0.001);
    // As the equation is written, ε has the last word, also over a smaller h.
    assert_eq!(reach(3.0, 0.0001), 0.001);
}

#[test]
fn a_link_takes_away_the_product_of_both_nearnesses() {
    assert_eq!(reduction(1.0, 1.0, 1.0), 0.0);
    assert_eq!(reduction(1.0, 1.0, 0.0), 1.0);
    assert_eq!(reduction(1.0, 0.5, 0.25), 0.875);
}

#[test]
fn weights_multiply_over_the_links() {
    // Centers at 0, 1, 4 and one link 0–2 of length 4, h = 10: h_c = 0.5·4 = 2.
    let values = [0.0, 1.0, 4.0];
    let centers = rows(&values, 1);
    let weights =
        link_weights(&centers, &[certain(0, 2), certain(2, 0)], 10.0, &with(Profile::Rbf));
    let k = |distance: f64| (-distance * distance / 4.0).exp();
    // Derived: (0,2) takes k(|0−tᵢ|)·k(|4−tⱼ|), (2,0) takes k(|4−tᵢ|)·k(|0−tⱼ|).
    // w(0,2): 1 − 1·1 = 0. w(0,1): (1 − 1·k(3))·(1 − k(4)·k(1)). w(1,1): (1 − k(1)·k(3))².
    assert_eq!(weights[0][2], 0.0);
    assert_close(&[weights[0][1]], &[(1.0 - k(3.0)) * (1.0 - k(4.0) * k(1.0))], ROUNDING);
    assert_close(&[weights[1][1]], &[(1.0 - k(1.0) * k(3.0)).powi(2)], ROUNDING);
    for (i, j) in [(0, 1), (0, 2), (1, 2)] {
        assert_close(&[weights[i][j]], &[weights[j][i]], ROUNDING);
    }
}

#[test]
fn a_center_moves_to_the_weighted_mean() {
    let samples = [[0.0, 1.0], [4.0, 3.0]];
    let samples: Vec<&[f64]> = samples.iter().map(|row| &row[..]).collect();
    // Derived: (1·0 + 3·4)/4 = 3, (1·1 + 3·3)/4 = 2.5.
    assert_eq!(mean(&samples, &[1.0, 3.0], 0.0), Some(vec![3.0, 2.5]));
    assert_eq!(mean(&samples, &[1e-11, 0.0], 1e-10), None);
}

#[test]
fn one_step_by_hand() {
    // Centers and samples 0, 1, 3 under the ball profile with h = 2.5 and the link 0–2 of length 3,
    // h_c = 1.5. Ends: near 0 are {0, 1}, near 2 is {3}; so w = 0 exactly between {0,1} and {3}.
    // Derived: 0 and 1 see each other: both to 0.5. 3 would see 1 (distance 2) but may not: stays.
    let found = run(&line(&[0.0, 1.0, 3.0]), &[(0, 2)], &[2.5], &with(Profile::Ball));
    assert_eq!(found.centers, [0.5, 0.5, 3.0]);
    assert_eq!(found.labels, [0, 0, 1]);
    // Without the link: 0 sees {0,1}, 1 sees all (mean 4/3), 3 sees {1,3}.
    let found = run(&line(&[0.0, 1.0, 3.0]), &[], &[2.5], &with(Profile::Ball));
    assert_close(&found.centers, &[0.5, 4.0 / 3.0, 2.0], ROUNDING);
}

#[test]
fn blurring_samples_move_along() {
    // Ball, h = 1.5, points 0, 1, 2.2. First step: 0 sees {0,1}: 0.5; 1 sees all: 3.2/3 = 1.067;
    // 2.2 sees {1,2.2}: 1.6. Second step, nonblurring: 0.5 sees {0,1}, the others {0,1,2.2}
    // and {1,2.2}: as before. Blurring: 0.5, 1.067, 1.6 all lie within 1.5: all to their mean.
    let points = line(&[0.0, 1.0, 2.2]);
    let still = run(&points, &[], &[1.5, 1.5], &with(Profile::Ball));
    assert_close(&still.centers, &[0.5, 3.2 / 3.0, 1.6], ROUNDING);
    let params = CmsParams { blurring: true, ..with(Profile::Ball) };
    let moving = run(&points, &[], &[1.5, 1.5], &params);
    assert_close(&moving.centers, &[(0.5 + 3.2 / 3.0 + 1.6) / 3.0; 3], ROUNDING);
}

#[test]
fn a_center_that_nothing_attracts_stays() {
    // Two linked centers at one place: each is near both ends, so w = 0 for all pairs, even with
    // itself, and no sample is left to move to.
    let points = line(&[0.0, 0.0]);
    let found = run(&points, &[(0, 1)], &[1.0], &with(Profile::Ball));
    assert_eq!(found.centers, [0.0, 0.0]);
    assert_eq!(found.labels, [0, 1]);
}

#[test]
fn sample_weights_count_relative_to_each_other() {
    let points = |a, b| Points::new(vec![0.0, 1.0], 1).unwrap().with_weights(vec![a, b]).unwrap();
    // Derived: (1·0 + 3·1)/4 = 0.75, on any scale of the weights.
    for scale in [1.0, 1e-14] {
        let found = run(&points(scale, 3.0 * scale), &[], &[2.0], &with(Profile::Ball));
        assert_close(&found.centers, &[0.75, 0.75], ROUNDING);
    }
}

#[test]
fn the_range_of_distances_leaves_out_equal_points() {
    assert_eq!(distance_range(&line(&[0.0, 0.0, 0.5, 2.0])), (0.5, 2.0));
    assert_eq!(distance_range(&line(&[3.0, 3.0])), (1.0, 1.0));
    assert_eq!(distance_range(&line(&[3.0])), (1.0, 1.0));
}

#[test]
fn labels_are_numbered_by_first_member_and_follow_chains() {
    // h = 1, merge_k = 0.5: joined where exp(−d²) > 0.5, that is d < 0.83. 0–0.6–1.2 is a chain.
    let params = CmsParams { merge_k: 0.5, ..with(Profile::Rbf) };
    let values = [5.0, 0.0, 1.2, 0.6];
    assert_eq!(labels(&rows(&values, 1), &[], 1.0, &params), [0, 1, 1, 1]);
}

#[test]
fn a_fixed_bandwidth_stops_early_and_tells_when() {
    // Ball, h = 2: one step to the mean, one step to find that nothing moves.
    let found = run(&line(&[0.0, 1.0]), &[], &[2.0; 50], &with(Profile::Ball));
    assert_eq!(found.n_iter, 2);
    let params = CmsParams { tolerance: 0.0, ..with(Profile::Ball) };
    assert_eq!(run(&line(&[0.0, 1.0]), &[], &[2.0; 50], &params).n_iter, 50);
}

#[test]
fn without_a_bandwidth_nothing_moves_and_nothing_joins() {
    let found = run(&line(&[0.0, 1.0]), &[], &[], &CmsParams::default());
    assert_eq!((found.centers, found.labels, found.n_iter), (vec![0.0, 1.0], vec![0, 1], 0));
}

#[test]
fn a_single_link_keeps_its_ends_apart_at_any_bandwidth() {
    for profile in [Profile::Ball, Profile::TRUNCATED] {
        for h in [2.0, 1e3, 1e6] {
            let found = run(&line(&[0.0, 1.0]), &[(0, 1)], &[h; 20], &with(profile));
            // Derived: h_c = 0.5, so across the link k(1/0.25) = 0: each end sees itself only.
            assert_eq!(found.centers, [0.0, 1.0], "{} at h = {h}", profile.name());
            assert_eq!(found.labels, [0, 1], "{} at h = {h}", profile.name());
        }
    }
}

/// Points in the plane, distinct rows to link, and settings.
fn runs() -> impl Strategy<Value = (Vec<f64>, Vec<(usize, usize)>, CmsParams)> {
    (4..14_usize).prop_flat_map(|n| {
        let points = prop::collection::vec(0.0..1.0, 2 * n);
        let links = prop::collection::vec((0..n, 1..n), 0..5)
            .prop_map(move |links| links.into_iter().map(|(x, by)| (x, (x + by) % n)).collect());
        let settings = (prop::sample::select(&PROFILES[..]), any::<bool>())
            .prop_map(|(profile, blurring)| CmsParams { blurring, max_iter: 8, ..with(profile) });
        (points, links, settings)
    })
}

fn adaptive(points: &Points<f64>, params: &CmsParams) -> Vec<f64> {
    Schedule::Linear { from: None, to: None }.bandwidths(params.max_iter, || distance_range(points))
}

proptest! {
    #[test]
    fn no_links_gives_the_plain_mean_shift_step((values, _, params) in runs(), h in 0.05..2.0) {
        let points = Points::new(&values[..], 2).unwrap();
        let found = run(&points, &[], &[h], &params);
        // Another path: Eq. 3.1 with w = 1, written out for two columns.
        for (center, found) in points.rows().zip(found.centers.chunks_exact(2)) {
            let k = |s: &[f64]| {
                let x = ((s[0] - center[0]).powi(2) + (s[1] - center[1]).powi(2)) / (h * h);
                params.profile.value(x)
            };
            let total: f64 = points.rows().map(k).sum();
            let sum = |col: usize| points.rows().map(|s| k(s) * s[col]).sum::<f64>();
            assert_close(found, &[sum(0) / total, sum(1) / total], ROUNDING);
        }
    }

    #[test]
    fn centers_stay_within_the_extent_of_the_points((values, links, params) in runs()) {
        let points = Points::new(&values[..], 2).unwrap();
        let found = run(&points, &links, &adaptive(&points, &params), &params);
        for col in 0..2 {
            let column = || points.rows().map(|row| row[col]);
            let (low, high) = (column().fold(1.0, f64::min), column().fold(0.0, f64::max));
            for center in found.centers.chunks_exact(2) {
                prop_assert!(center[col] >= low - ROUNDING && center[col] <= high + ROUNDING);
            }
        }
    }

    #[test]
    fn the_order_of_the_points_does_not_matter((values, links, params) in runs()) {
        // One step: over many, rounding at the rim of a ball may grow to any size.
        let points = Points::new(&values[..], 2).unwrap();
        let n = points.n_points();
        let reversed = points.select(&(0..n).rev().collect::<Vec<_>>());
        let turned: Vec<_> = links.iter().map(|&(x, y)| (n - 1 - x, n - 1 - y)).collect();
        let there = run(&points, &links, &[0.5], &params);
        let back = run(&reversed, &turned, &[0.5], &params);
        let back: Vec<f64> = back.centers.chunks_exact(2).rev().flatten().copied().collect();
        assert_close(&there.centers, &back, ROUNDING);
    }

    #[test]
    fn weight_two_counts_like_two_equal_points((values, _, params) in runs(), h in 0.05..2.0) {
        let points = Points::new(&values[..], 2).unwrap();
        let n = points.n_points();
        let mut weights = vec![1.0; n];
        weights[0] = 2.0;
        let twice = points.select(&(0..n).chain([0]).collect::<Vec<_>>());
        let weighted = points.clone().with_weights(weights).unwrap();
        let found = run(&weighted, &[], &[h], &params);
        let expected = run(&twice, &[], &[h], &params);
        assert_close(&found.centers, &expected.centers[..2 * n], ROUNDING);
    }
}

#[test]
fn a_must_link_pulls_its_ends_together() {
    // Derived: two points at distance 1, ball profile, h = 0.5, so K = 0 between them. The link has
    // h_c = min{0.5, λ·1} = 0.5, and k = 1 at its own ends only. With ω = 0.5 Eq. L.2 gives
    // K' = 1 − (1 − 0)·(1 − 0.5) = 0.5 for the other end and 1 for itself: 0.5·1 / 1.5 = 1/3.
    let points = Points::new(vec![0.0_f64, 1.0], 1).unwrap();
    let params = CmsParams { must_range: 2.0, ..with(Profile::Ball) };
    let half = |x, y| Directed { x, y, strength: 0.5 };
    let pull = |range| {
        let params = CmsParams { must_range: range, ..params.clone() };
        fit_pulled(&points, &[], &[half(0, 1), half(1, 0)], &[0.5], &params, &mut |_, _| ()).centers
    };
    let moved = pull(2.0);
    assert!((moved[0] - 1.0 / 3.0).abs() < 1e-15 && (moved[1] - 2.0 / 3.0).abs() < 1e-15);
    // Longer than its range of 1.9 · 0.5, the link waits.
    assert_eq!(pull(1.9), [0.0, 1.0]);
}

#[test]
fn a_hesitant_cannot_link_dims_in_part() {
    // Derived: all three points see each other (ball, h = 10). The link 0–2 of strength 0.25 takes
    // a quarter of sample 2 from center 0: (0 + 1 + 0.75·2) / 2.75 = 10/11.
    let points = Points::new(vec![0.0_f64, 1.0, 2.0], 1).unwrap();
    let doubt = |x, y| Directed { x, y, strength: 0.25 };
    let params = CmsParams { link_scale: 0.4, ..with(Profile::Ball) };
    let cannot = [doubt(0, 2), doubt(2, 0)];
    let moved = fit_pulled(&points, &cannot, &[], &[10.0], &params, &mut |_, _| ()).centers;
    assert!((moved[0] - 10.0 / 11.0).abs() < 1e-15, "{moved:?}");
}

#[test]
fn a_doubtful_must_link_pulls_from_half_the_range() {
    // As above, but of half the strength that a certain one has: a range of 3.9 is not enough for
    // a length of two bandwidths, one of 4 is, and pulls by K' = 0.25: 0.25·1 / 1.25 = 1/5.
    let points = Points::new(vec![0.0_f64, 1.0], 1).unwrap();
    let doubt = |x, y| Directed { x, y, strength: 0.25 };
    let pull = |must_range| {
        let params = CmsParams { must_strength: 0.5, must_range, ..with(Profile::Ball) };
        let must = [doubt(0, 1), doubt(1, 0)];
        fit_pulled(&points, &[], &must, &[0.5], &params, &mut |_, _| ()).centers
    };
    assert_eq!(pull(3.9), [0.0, 1.0]);
    assert!((pull(4.0)[0] - 0.2).abs() < 1e-15);
}
