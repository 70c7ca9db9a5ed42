use super::pencil::{feasible, spectrum};
use super::*;
use crate::bandwidth::Bandwidth;
use crate::{Error, Links, Points, datasets, links, scores};
use faer::Mat;

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
    // A cross of four heaps, cut left from right or top from bottom: only links can say.
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
    let stop = &mut |_: &crate::observe::Step| std::ops::ControlFlow::Break(());
    let method = ConstrainedSpectral::new(params(2)).unwrap();
    let error = method.fit_observed(&points, &Links::new(), stop).err();
    assert_eq!(error, Some(Error::Cancelled { n_iter: 1 }));
}
