use super::*;
use crate::{Error, LinkKind, Links, Points, datasets, links, scores};
use proptest::prelude::*;

fn method(eps: f64, min_points: usize) -> Cdbscan {
    Cdbscan::new(CdbscanParams { eps, min_points, ..Default::default() }).unwrap()
}

#[test]
fn a_cannot_link_cuts_a_chain_and_a_must_link_bridges_a_gap() {
    // Derived: 0–5 in a row 1 apart, 9–10 beyond a gap. The ends of the row belong apart, 0 and 9
    // together. All pairs in the row are equally near, so it joins from its beginning.
    let points = Points::new(vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 9.0, 10.0], 1).unwrap();
    let links = Links::from_pairs(&[(0, 6)], &[(0, 5)]);
    let model = method(1.5, 2).fit(&points, &links).unwrap();
    let labels = model.labels();
    assert!(model.link_report().broken.is_empty());
    assert_eq!(model.n_clusters(), 2);
    assert_eq!((labels[0], labels[6], labels[7]), (0, 0, 0));
    assert_eq!(labels[5], 1);
}

#[test]
fn noise_with_a_must_link_is_taken_in() {
    let points = Points::new(vec![0.0, 0.1, 7.0, 9.0], 1).unwrap();
    let links = Links::from_pairs(&[(0, 2)], &[]);
    assert_eq!(method(0.5, 2).fit(&points, &links).unwrap().labels(), [0, 0, 0, -1]);
}

#[test]
fn the_cms_paper_s_moons_are_found_with_its_settings() {
    let moons = datasets::moons(500, 0.05, 1).unwrap();
    let points =
        crate::Scaler::fit(&moons.points, crate::Scaling::MinMax).apply(&moons.points).unwrap();
    let links = links::draw(&moons.labels, 500, 1).unwrap();
    let model = method(0.1, 2).fit(&points, &links).unwrap();
    // Outside: Table 1 of the CMS paper says 1.000.
    assert!(scores::adjusted_rand_index(&moons.labels, model.labels()).unwrap() > 0.98);
}

#[test]
fn odd_points_and_bad_parameters() {
    for values in [vec![1.0], vec![2.0; 5], vec![0.0, 1e9]] {
        let points = Points::new(values, 1).unwrap();
        let model = method(0.1, 2).fit(&points, &Links::new()).unwrap();
        assert_eq!(model.predict(&points).unwrap(), model.labels());
    }
    let bad = [
        CdbscanParams { eps: 0.0, ..Default::default() },
        CdbscanParams { eps: f64::NAN, ..Default::default() },
        CdbscanParams { min_points: 0, ..Default::default() },
    ];
    for params in bad {
        assert!(matches!(Cdbscan::new(params), Err(Error::Param { .. })));
    }
    let points = datasets::moons(1_000, 0.1, 1).unwrap().points;
    let params = CdbscanParams { eps: 10.0, memory_mb: Some(1), ..Default::default() };
    let error = Cdbscan::new(params).unwrap().fit(&points, &Links::new()).unwrap_err();
    assert!(matches!(error, Error::Memory { .. }));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Another path: DBSCAN by its definition. On a lattice, so that ties are common.
    #[test]
    fn no_links_give_dbscan(
        cells in prop::collection::vec(0_i32..30, 2..60), eps in 0.5_f64..4.0, min_points in 1_usize..5,
    ) {
        let points = Points::new(cells.iter().map(|&c| f64::from(c)).collect::<Vec<_>>(), 1).unwrap();
        let model = method(eps, min_points).fit(&points, &Links::new()).unwrap();
        prop_assert_eq!(model.labels(), naive::dbscan(&points, eps, min_points));
        prop_assert_eq!(model.predict(&points).unwrap(), model.labels());
    }

    #[test]
    fn no_link_is_ever_broken(seed in 0_u64..1000, n_links in 1_usize..80, eps in 0.05_f64..1.0) {
        let set = datasets::moons(60, 0.2, seed).unwrap();
        let links = links::draw(&set.labels, n_links, seed).unwrap();
        let model = method(eps, 3).fit(&set.points, &links).unwrap();
        for link in links.iter() {
            let (a, b) = (model.labels()[link.a], model.labels()[link.b]);
            match link.kind {
                LinkKind::Must => prop_assert!(a == b && a >= 0),
                LinkKind::Cannot => prop_assert!(a != b || a < 0),
            }
        }
    }
}
