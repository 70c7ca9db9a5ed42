use super::pencil::{feasible, spectrum};
use super::*;
use crate::bandwidth::Bandwidth;
use crate::obey::Obey;
use crate::shared::relabel::number_by_first_member;
use crate::{Error, Links, Points, datasets, links, scores};
use faer::Mat;
use proptest::prelude::*;

/// The fast path counts costs below 1e-6 as that much, which is felt in the fifth digit.
const LEAST_COST_IS_FELT: f64 = 1e-4;

fn params(n_clusters: usize) -> ConstrainedSpectralParams {
    ConstrainedSpectralParams { n_clusters, ..Default::default() }
}

/// A path of six nodes: L̄ = I − D^(−1/2)·A·D^(−1/2).
fn path() -> Mat<f64> {
    let degree = |node: usize| if node == 0 || node == 5 { 1.0_f64 } else { 2.0 };
    Mat::from_fn(6, 6, |a, b| match a.abs_diff(b) {
        0 => 1.0,
        1 => -1.0 / (degree(a) * degree(b)).sqrt(),
        _ => 0.0,
    })
}

#[test]
fn cuts_solve_the_generalised_eigenproblem() {
    let (laplacian, links, beta) = (path(), [(0, 5, 1.0), (0, 2, -1.0)], 0.3);
    let cuts = feasible(&laplacian, &links, beta).unwrap();
    // Derived: by Sylvester's law of inertia as many cuts are feasible as Q − β·I has positive
    // eigenvalues. Those of Q are ±√2 and zeros: one exceeds 0.3.
    assert_eq!(cuts.len(), 1);
    for cut in &cuts {
        let v = &cut.vector;
        let left: Vec<f64> =
            (0..6).map(|row| (0..6).map(|col| laplacian[(row, col)] * v[col]).sum()).collect();
        let mut right: Vec<f64> = v.iter().map(|v| -beta * v).collect();
        for &(a, b, value) in &links {
            right[a] += value * v[b];
            right[b] += value * v[a];
        }
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        // λ as the quotient of vᵀ·L̄·v and vᵀ·(Q − β·I)·v; then both sides agree in every row.
        let lambda = dot(v, &left) / dot(v, &right);
        assert!(lambda > 0.0 && (dot(v, v) - 1.0).abs() < 1e-9);
        assert!((cut.cost - dot(v, &left)).abs() < 1e-6);
        for (left, right) in left.iter().zip(&right) {
            // Costs below 1e-6 count as that much, which is felt in the sixth digit.
            assert!((left - lambda * right).abs() < 1e-5, "{left} {}", lambda * right);
        }
    }
}

#[test]
fn eigenvalues_of_links_are_those_of_their_matrix() {
    // Derived: one pair of weight w has the eigenvalues ±w.
    let values = spectrum(&[(3, 8, 0.5)]).unwrap();
    assert!((values[0] - 0.5).abs() < 1e-12 && (values[1] + 0.5).abs() < 1e-12);
    assert!(spectrum(&[]).unwrap().is_empty());
}

#[test]
fn without_links_it_is_plain_spectral_clustering() {
    let blobs = datasets::blobs(90, 2, 3, 0.3, 10.0, 4).unwrap();
    let model =
        ConstrainedSpectral::new(params(3)).unwrap().fit(&blobs.points, &Links::new()).unwrap();
    assert_eq!(scores::adjusted_rand_index(&blobs.labels, model.labels()).unwrap(), 1.0);
    assert_eq!(model.predict(&blobs.points).unwrap(), model.labels());
}

#[test]
fn links_turn_the_cut() {
    // A cross of four blobs, cut left from right or top from bottom: only links can say.
    let corner = |x: f64, y: f64| {
        (0..10).flat_map(move |i| [x + 0.03 * f64::from(i), y + 0.02 * f64::from(i * 7 % 10)])
    };
    let values: Vec<f64> = corner(0.0, 0.0)
        .chain(corner(1.0, 0.0))
        .chain(corner(0.0, 1.0))
        .chain(corner(1.0, 1.0))
        .collect();
    let points = Points::new(values, 2).unwrap();
    let left: Vec<i64> = (0..40).map(|row| row / 10 % 2).collect();
    let low: Vec<i64> = (0..40).map(|row| row / 20).collect();
    for truth in [left, low] {
        let links = links::draw(&truth, 30, 1).unwrap();
        let model = ConstrainedSpectral::new(params(2)).unwrap().fit(&points, &links).unwrap();
        assert_eq!(scores::adjusted_rand_index(&truth, model.labels()).unwrap(), 1.0);
        assert!(model.link_report().broken.is_empty());
    }
}

#[test]
fn odd_points_and_bad_parameters() {
    for values in [vec![1.0], vec![2.0; 5], vec![0.0, 1e9], vec![0.0, 1.0, 1e9]] {
        let points = Points::new(values.clone(), 1).unwrap();
        let k = values.len().min(2);
        let links = if k == 2 { Links::from_pairs(&[], &[(0, 1)]) } else { Links::new() };
        let model = ConstrainedSpectral::new(params(k)).unwrap().fit(&points, &links).unwrap();
        assert_eq!(model.labels().len(), values.len());
        let error = ConstrainedSpectral::new(params(9)).unwrap().fit(&points, &links).unwrap_err();
        assert!(matches!(error, Error::Param { name: "n_clusters", .. }));
    }
    let bad = [
        params(0),
        ConstrainedSpectralParams { beta: Some(f64::NAN), ..params(2) },
        ConstrainedSpectralParams { bandwidth: Bandwidth::Fixed(-1.0), ..params(2) },
    ];
    for params in bad {
        assert!(matches!(ConstrainedSpectral::new(params), Err(Error::Param { .. })));
    }
    let points = datasets::moons(400, 0.1, 1).unwrap().points;
    let tight = ConstrainedSpectralParams { memory_mb: Some(1), ..params(2) };
    let error = ConstrainedSpectral::new(tight).unwrap().fit(&points, &Links::new()).unwrap_err();
    assert!(matches!(error, Error::Memory { .. }));
}

#[test]
fn the_clusters_are_those_of_the_literal_pencil() {
    for seed in 0..10 {
        let crescents = datasets::crescents(40, 0.1, 0.1, seed).unwrap();
        let links = links::draw(&crescents.labels, 15, seed).unwrap();
        let bandwidth = Bandwidth::Fixed(0.4);
        let params = ConstrainedSpectralParams { bandwidth, obey: Obey::AsFound, ..params(2) };
        let method = ConstrainedSpectral::new(params).unwrap();
        let model = method.fit(&crescents.points, &links).unwrap();
        let literal = naive::fit(&crescents.points, &links, 2, 0.4, model.beta(), 0).unwrap();
        assert_eq!(model.labels(), number_by_first_member(&literal).0, "seed {seed}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Another path: the pencil as it stands, by the QZ algorithm.
    #[test]
    fn cuts_are_those_of_the_literal_pencil(
        values in prop::collection::vec(0.0_f64..1.0, 12..50), n_links in 0_usize..12,
        seed in 0_u64..1000, sigma in 0.3_f64..1.0, beta in -0.4_f64..0.9,
    ) {
        let points = Points::new(values[..values.len() / 2 * 2].to_vec(), 2).unwrap();
        let classes: Vec<i64> = points.rows().map(|row| i64::from(row[0] > 0.5)).collect();
        let links = links::draw(&classes, n_links, seed).unwrap_or_default();
        let entries = super::fit::link_matrix(&links);
        // Where β is an eigenvalue of Q, or all but, it is open what is feasible.
        let is_open = |value: f64| (value - beta).abs() < 0.05;
        prop_assume!(!is_open(0.0) && !spectrum(&entries).unwrap().into_iter().any(is_open));

        let laplacian = naive::laplacian(&naive::affinity(&points, sigma));
        let q = naive::link_matrix(&links, points.n_points());
        let literal = naive::feasible_cuts(&laplacian, &q, beta).unwrap();
        let both_signs = |v: &[f64]| v.iter().any(|&x| x > 0.0) && v.iter().any(|&x| x < 0.0);
        let mut fast = feasible(&laplacian, &entries, beta).unwrap();
        fast.retain(|cut| both_signs(&cut.vector));
        prop_assert_eq!(fast.len(), literal.len());
        for (at, (fast, slow)) in fast.iter().zip(&literal).enumerate() {
            prop_assert!((fast.cost - slow.cost).abs() < LEAST_COST_IS_FELT, "{} {}", fast.cost, slow.cost);
            // Of cuts that cost the same any mixture does.
            let others = literal.iter().enumerate().filter(|&(other, _)| other != at);
            if others.into_iter().all(|(_, other)| (other.lambda - slow.lambda).abs() > 1e-2 * slow.lambda) {
                let product: f64 = fast.vector.iter().zip(&slow.vector).map(|(a, b)| a * b).sum();
                prop_assert!(product.abs() > 1.0 - LEAST_COST_IS_FELT, "{}", product);
            }
        }
    }
}
