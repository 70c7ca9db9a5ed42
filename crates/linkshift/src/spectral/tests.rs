use super::affinity::{Kernel, between};
use super::*;
use crate::bandwidth::{Bandwidth, Found as Sigma};
use crate::cms::Representatives;
use crate::obey::Obey;
use crate::params::Named;
use crate::shared::relabel::number_by_first_member;
use crate::{Error, Link, Links, Points, datasets, links, scores};
use proptest::prelude::*;

/// Sums over some dozen points in another order.
const ROUNDING: f64 = 1e-12;

/// Modes within one σ of a denser one are the same; and a step that counts as none may be one of
/// many, on a flat top.
const ONE_MODE: f64 = 1.1;

fn told(k: usize) -> SpectralParams {
    SpectralParams { n_clusters: Some(k), ..Default::default() }
}

fn fit(points: &Points<'_, f64>, params: SpectralParams) -> SpectralModel<f64> {
    Spectral::new(params).unwrap().fit(points, &Links::new()).unwrap()
}

/// Heaps of three on a line, at 0, 1, 2 and 10.
fn four_blobs() -> Points<'static, f64> {
    let at = [0.0, 1.0, 2.0, 10.0].into_iter();
    Points::new(at.flat_map(|x| [x - 0.01, x, x + 0.01]).collect::<Vec<_>>(), 1).unwrap()
}

/// Modes at the blobs, and neighbours that have next to nothing in common but for the first three.
fn narrow(k: Option<usize>) -> SpectralParams {
    SpectralParams {
        n_clusters: k,
        bandwidth: Bandwidth::Fixed(0.4),
        bandwidth_factor: 1.0,
        ..Default::default()
    }
}

/// Who could not be read again, or would not label anything, is not fitted.
#[test]
fn a_bandwidth_whose_square_is_no_number_is_refused() {
    let points = Points::new(vec![0.0_f32, 1.0, 2.0], 1).unwrap();
    for (bandwidth, factor) in [(1e-30, 1.0), (1e30, 1.0), (1.0, 1e-40), (1.0, 1e300)] {
        let params = SpectralParams {
            bandwidth: Bandwidth::Fixed(bandwidth),
            bandwidth_factor: factor,
            ..Default::default()
        };
        let outcome = Spectral::new(params).unwrap().fit(&points, &Links::new());
        assert_eq!(outcome.unwrap_err(), Error::Numerical { what: "bandwidths" });
    }
}

#[test]
fn the_formulas_give_the_numbers_by_hand() {
    // Derived: points 0, 1 | 2 with σ = 1. e^(−1/2) = 0.606531, e^(−2) = 0.135335.
    // D_00 = 2 + 2·0.606531 = 3.213061, D_01 = 0.606531 + 0.135335 = 0.741866, D_11 = 1;
    // K̃_01 = 0.741866/√3.213061 = 0.413871.
    let points = Points::new(vec![0.0, 1.0, 2.0], 1).unwrap();
    let mode_of = [0, 0, 1];
    assert!((naive::graph_cut(&points, &mode_of, |_| 1.0, 0, 0) - 3.213_061).abs() < 1e-6);
    assert!((naive::graph_cut(&points, &mode_of, |_| 1.0, 0, 1) - 0.741_866).abs() < 1e-6);
    let affinity = naive::quantised_affinity(&points, &mode_of, 2, |_| 1.0);
    assert!((affinity[0][1] - 0.413_871).abs() < 1e-6);
    assert_eq!(affinity[1][1], 1.0);
}

#[test]
fn edges_are_cut_until_as_many_trees_are_left() {
    // Derived: a chain 0 –.9– 1 –.2– 2 –.8– 3 with .1 elsewhere. Two trees: the .1s and the .2 go.
    let modes = Points::new(vec![0.0, 1.0, 2.0, 3.0], 1).unwrap();
    let mut affinity = vec![vec![0.1; 4]; 4];
    for (a, b, value) in [(0, 1, 0.9), (1, 2, 0.2), (2, 3, 0.8)] {
        affinity[a][b] = value;
        affinity[b][a] = value;
    }
    assert_eq!(naive::cut_edges(&affinity, &modes, 1), [0, 0, 0, 0]);
    assert_eq!(naive::cut_edges(&affinity, &modes, 2), [0, 0, 1, 1]);
    assert_eq!(naive::cut_edges(&affinity, &modes, 3), [0, 0, 1, 2]);
    assert_eq!(naive::cut_edges(&affinity, &modes, 4), [0, 1, 2, 3]);
}

#[test]
fn the_paper_s_crescents_are_found_without_an_error() {
    for seed in 0..5 {
        let crescents = datasets::crescents(400, 0.1, 0.0, seed).unwrap();
        let model = fit(&crescents.points, told(2));
        let ari = scores::adjusted_rand_index(&crescents.labels, model.labels()).unwrap();
        assert_eq!(ari, 1.0, "seed {seed}");
        assert!(model.modes().n_points() < 100 && model.converged());
    }
}

#[test]
fn the_number_of_clusters_is_found_where_affinities_fall() {
    // Two groups of two blobs: 1 apart within (affinity e^(−1/(2·0.16)) = 0.044), 8 apart between.
    let model = fit(&four_blobs(), narrow(None));
    assert_eq!(model.modes().n_points(), 4);
    assert_eq!(model.labels(), [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1]);
    let found = model.found().unwrap();
    assert_eq!((found.n_clusters, found.certainty()), (2, Certainty::Clear));
    assert_eq!(fit(&four_blobs(), narrow(Some(2))).found(), None);
}

#[test]
fn the_largest_fall_is_by_ratio_and_ends_at_next_to_none() {
    // Derived: from .3 to .2 a ratio of 1.5, from .2 to .0005 (counted as .001) 200, then 1.
    let found = cut::largest_fall(&[0.3, 0.2, 0.0005], 4);
    assert_eq!((found.n_clusters, found.runner_up), (2, 3));
    assert!((found.fall - 200_f64.ln()).abs() < 1e-12);
    assert!((found.runner_up_fall - 1.5_f64.ln()).abs() < 1e-12);
    // All edges strong: one cluster. Weak ones only, or none at all: every mode by itself.
    assert_eq!(cut::largest_fall(&[0.5, 0.4], 3).n_clusters, 1);
    assert_eq!(cut::largest_fall(&[0.001], 2).n_clusters, 2);
    assert_eq!(cut::largest_fall(&[], 3).n_clusters, 3);
}

#[test]
fn must_links_join_modes_and_cannot_links_hold_them_apart() {
    let points = four_blobs();
    let method = Spectral::new(narrow(Some(2))).unwrap();
    // The blobs at 0 and 10 together; those at 0 and 1 apart.
    let links = Links::from_pairs(&[(0, 11)], &[(1, 4)]);
    let model = method.fit(&points, &links).unwrap();
    assert_eq!(model.labels(), [0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0]);
    assert!(model.link_report().broken.is_empty());
}

#[test]
fn cannot_links_make_more_clusters_than_asked_for_and_links_inside_a_mode_are_broken() {
    let points = four_blobs();
    let params = SpectralParams { obey: Obey::AsFound, ..narrow(Some(1)) };
    let method = Spectral::new(params).unwrap();
    let links = Links::from_pairs(&[], &[(0, 3), (9, 10)]);
    let model = method.fit(&points, &links).unwrap();
    assert_eq!(model.n_clusters(), 2);
    assert_eq!(model.link_report().broken, [Link::cannot(9, 10)]);
    assert_eq!(model.n_implied_broken(), 1);
}

#[test]
fn links_help_where_crescents_overlap() {
    let crescents = datasets::crescents(400, 0.1, 0.35, 3).unwrap();
    let ari = |links: &Links| {
        let model = Spectral::new(told(2)).unwrap().fit(&crescents.points, links).unwrap();
        scores::adjusted_rand_index(&crescents.labels, model.labels()).unwrap()
    };
    let links = links::draw(&crescents.labels, 100, 3).unwrap();
    assert!(ari(&links) > ari(&Links::new()), "{} {}", ari(&links), ari(&Links::new()));
}

#[test]
fn modes_with_too_few_points_join_before_the_cut() {
    // A stray point at 4 would be a cluster; with a support of 2 in 13 points it is none.
    let mut values = four_blobs().values().to_vec();
    values.push(4.0);
    let points = Points::new(values, 1).unwrap();
    assert_eq!(fit(&points, narrow(Some(3))).labels()[12], 2);
    // It has nothing to do with any blob at six σ, so the nearest counts.
    for negligible in [0.0, 1e-8, 1e-3] {
        let params = SpectralParams { min_support: Some(0.1), negligible, ..narrow(Some(2)) };
        let labels = fit(&points, params).labels().to_vec();
        assert_eq!(labels, [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0]);
    }
}

#[test]
fn every_route_parts_two_heaps_on_modes_and_on_points() {
    let blobs = datasets::blobs(120, 2, 2, 0.4, 10.0, 5).unwrap();
    for &route in Route::ALL {
        for quantise in [true, false] {
            // Two modes are alike in the leading vector of a matrix of two rows.
            if route == Route::LeadingVector && quantise {
                continue;
            }
            for n_clusters in [Some(2), None] {
                let params = SpectralParams { n_clusters, route, quantise, ..Default::default() };
                let model = fit(&blobs.points, params);
                let ari = scores::adjusted_rand_index(&blobs.labels, model.labels()).unwrap();
                assert_eq!(ari, 1.0, "{route:?} {quantise} {n_clusters:?}");
            }
        }
    }
}

#[test]
fn a_bandwidth_for_each_point_sees_tight_and_loose_blobs() {
    let tight = (0..30).map(|i| 0.01 * f64::from(i * 7 % 30));
    let loose = (0..30).map(|i| 20.0 + 1.0 * f64::from(i * 11 % 30));
    let points = Points::new(tight.chain(loose).collect::<Vec<_>>(), 1).unwrap();
    let params = SpectralParams { bandwidth: Bandwidth::PerPoint { k: 10 }, ..told(2) };
    let expected: Vec<i64> = (0..60).map(|i| i / 30).collect();
    assert_eq!(fit(&points, params).labels(), expected);
}

#[test]
fn a_weight_of_two_is_a_point_twice() {
    let points = datasets::crescents(80, 0.1, 0.0, 2).unwrap().points;
    let twice: Vec<usize> = (0..80).chain(0..40).collect();
    let weights: Vec<f64> = (0..80).map(|row| if row < 40 { 2.0 } else { 1.0 }).collect();
    let params =
        SpectralParams { bandwidth: Bandwidth::Fixed(0.2), min_support: Some(0.0), ..told(3) };
    let doubled = fit(&points.select(&twice), params.clone());
    let weighted = fit(&points.with_weights(weights).unwrap(), params);
    assert_eq!(doubled.labels()[..80], *weighted.labels());
    for (a, b) in doubled.tree().iter().zip(weighted.tree()) {
        assert!((a - b).abs() < 1e-9);
    }
}

#[test]
fn odd_points_are_no_trouble() {
    for values in [vec![1.0], vec![2.0; 5], vec![0.0, 1.0], vec![0.0, 0.0, 1e9]] {
        let points = Points::new(values.clone(), 1).unwrap();
        for &route in Route::ALL {
            for quantise in [true, false] {
                let params = SpectralParams { route, quantise, ..Default::default() };
                let model = fit(&points, params);
                assert_eq!(model.labels().len(), values.len());
                assert_eq!(model.labels()[0], 0);
            }
        }
        let k = values.len() + 1;
        let error = Spectral::new(told(k)).unwrap().fit(&points, &Links::new()).unwrap_err();
        assert!(matches!(error, Error::Param { name: "n_clusters", .. }));
    }
    // Two points 10⁹ apart have nothing in common; asked for one cluster they are one.
    let far = Points::new(vec![0.0, 0.5, 1e9], 1).unwrap();
    let params = SpectralParams { bandwidth: Bandwidth::Fixed(0.1), ..told(2) };
    assert_eq!(fit(&far, params).labels(), [0, 0, 1]);
}

#[test]
fn parameters_that_cannot_work_are_refused() {
    let base = SpectralParams::default;
    let bad = [
        told(0),
        SpectralParams { route: Route::SecondVector, ..told(3) },
        SpectralParams { negligible: 1.0, ..base() },
        SpectralParams { tolerance: f64::NAN, ..base() },
        SpectralParams { max_iter: 0, ..base() },
        SpectralParams { min_support: Some(1.0), ..base() },
        SpectralParams { bandwidth_factor: 0.0, ..base() },
        SpectralParams { representatives: Representatives::Count(0), ..base() },
        SpectralParams { bandwidth: Bandwidth::Fixed(0.0), ..base() },
    ];
    for params in bad {
        assert!(matches!(Spectral::new(params.clone()), Err(Error::Param { .. })), "{params:?}");
    }
    let params = SpectralParams { quantise: false, memory_mb: Some(1), ..base() };
    let points = datasets::moons(1_000, 0.1, 1).unwrap().points;
    let error = Spectral::new(params).unwrap().fit(&points, &Links::new()).unwrap_err();
    assert!(matches!(error, Error::Memory { .. }));
}

fn any_points() -> impl Strategy<Value = Points<'static, f64>> {
    (1_usize..4, 2_usize..40).prop_flat_map(|(d, n)| {
        prop::collection::vec(-3.0_f64..3.0, n * d)
            .prop_map(move |values| Points::new(values, d).unwrap())
    })
}

/// Another path: Eq. 6 literally, step by step. The mode of a point is no farther from where that
/// leads than modes that count as one are from each other; but for one point in twenty over many
/// draws: a leap may carry points beside the border of two basins across it.
#[test]
fn leaps_lead_to_the_modes_of_the_literal_steps() {
    let (mut n_elsewhere, mut n_all) = (0, 0);
    for seed in 0..40 {
        let d = 1 + seed as usize % 3;
        let points = datasets::blobs(40, d, 4, 0.8, 3.0, seed).unwrap().points;
        let sigma = 0.2 + 0.04 * seed as f64;
        let params =
            SpectralParams { bandwidth: Bandwidth::Fixed(sigma), ..SpectralParams::paper(1) };
        let (tolerance, max_iter) = (params.tolerance * sigma, params.max_iter);
        let model = fit(&points, params);
        let ends = crate::mean_shift::naive::climb(
            &points,
            crate::kernel::Profile::Gaussian,
            |_| sigma,
            false,
            tolerance,
            max_iter,
        );
        let is_elsewhere = |&row: &usize| {
            let mode = model.modes().row(model.mode_of()[row] as usize);
            let pairs = mode.iter().zip(&ends[row * d..][..d]);
            let distance = pairs.map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
            distance > ONE_MODE * sigma
        };
        n_elsewhere += (0..40).filter(is_elsewhere).count();
        n_all += 40;
    }
    assert!(n_elsewhere <= n_all / 20, "{n_elsewhere} of {n_all}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Another path: Eqs. 8 and 9 literally, with one σ and with one for each point.
    #[test]
    fn affinities_are_the_literal_formula(
        points in any_points(), n_modes in 1_usize..6, sigma in 0.2_f64..2.0, own: bool, weighted: bool,
    ) {
        let n = points.n_points();
        let n_modes = n_modes.min(n);
        let mode_of: Vec<u32> = (0..n).map(|row| (row * 7 % n_modes) as u32).collect();
        let mode_of: Vec<u32> = if mode_of.iter().collect::<std::collections::HashSet<_>>().len() < n_modes {
            (0..n).map(|row| (row % n_modes) as u32).collect()
        } else { mode_of };
        let points = if weighted {
            let weights: Vec<f64> = (0..n).map(|row| 0.5 + (row % 3) as f64).collect();
            points.with_weights(weights).unwrap()
        } else { points };
        let of_row = |row: usize| if own { sigma * (1.0 + (row % 4) as f64) } else { sigma };
        let found = if own { Sigma::PerPoint((0..n).map(of_row).collect()) } else { Sigma::Same(sigma) };
        let literal = naive::quantised_affinity(&points, &mode_of, n_modes, of_row);
        let fast = between(&points, &mode_of, n_modes, &Kernel::new(found, 0.0)).dense();
        for a in 0..n_modes {
            for b in 0..n_modes {
                prop_assert!((fast[(a, b)] - literal[a][b]).abs() < ROUNDING, "{} {}", a, b);
            }
        }
    }

    /// Another path: the paper's removal of edges one by one.
    #[test]
    fn joining_the_strongest_is_removing_the_weakest(
        points in any_points(), sigma in 0.1_f64..1.0, k in 1_usize..8,
    ) {
        let k = k.min(points.n_points());
        let params =
            SpectralParams { bandwidth: Bandwidth::Fixed(sigma), ..SpectralParams::paper(k) };
        let model = fit(&points, params);
        let n_modes = model.modes().n_points();
        let affinity = naive::quantised_affinity(&points, model.mode_of(), n_modes, |_| sigma);
        let trees = naive::cut_edges(&affinity, model.modes(), k);
        let raw: Vec<i64> = model.mode_of().iter().map(|&mode| trees[mode as usize] as i64).collect();
        prop_assert_eq!(model.labels(), number_by_first_member(&raw).0);
    }
}
