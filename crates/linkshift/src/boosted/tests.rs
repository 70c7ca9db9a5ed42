//! The laws of boosted mean shift.

use super::*;
use crate::error::Error;
use crate::kernel::Profile;
use crate::links::{self, Links};
use crate::params::Named;
use crate::points::Points;
use crate::real::Real;
use crate::{datasets, scores};
use proptest::prelude::*;

fn fit<T: Real>(points: &Points<'_, T>, params: BoostedParams) -> BoostedModel<T> {
    Boosted::new(params).unwrap().fit(points, &Links::new()).unwrap()
}

fn grid(width: usize, height: usize) -> Cells {
    Cells::Grid(Grid::new(width, height).unwrap())
}

#[test]
fn blobs_are_found_by_every_neighborhood() {
    let set = datasets::blobs(1_200, 3, 4, 0.4, 10.0, 3).unwrap();
    for &neighborhood in Neighborhood::ALL {
        let model = fit(&set.points, BoostedParams { neighborhood, ..Default::default() });
        assert_eq!(model.labels(), set.labels, "{}", neighborhood.name());
        assert!(model.converged());
    }
}

#[test]
fn moons_are_whole_where_mean_shift_breaks_them() {
    let moons = datasets::moons(10_000, 0.1, 1).unwrap();
    let model = fit(&moons.points, BoostedParams::default());
    assert!(scores::adjusted_rand_index(&moons.labels, model.labels()).unwrap() > 0.98);
    assert_eq!(model.n_clusters(), 2);
    assert!(model.skeleton().n_points() > 100);
}

#[test]
fn one_point_and_equal_points_are_one_cluster() {
    for values in [vec![7.0], vec![7.0; 3], vec![7.0; 500]] {
        for params in [BoostedParams::default(), BoostedParams::paper()] {
            for cells in [Cells::Auto, grid(3, 3)] {
                let points = Points::new(values.clone(), 1).unwrap();
                let model = fit(&points, BoostedParams { cells, ..params.clone() });
                assert_eq!(
                    (model.n_clusters(), model.centers().unwrap().values()),
                    (1, &[7.0][..])
                );
            }
        }
    }
}

#[test]
fn fitted_points_are_predicted_as_they_were_labelled() {
    let set = datasets::moons(1_500, 0.15, 4).unwrap();
    let model = fit(&set.points, BoostedParams::default());
    assert_eq!(model.predict(&set.points).unwrap(), model.labels());
    assert!(model.predict(&Points::new(vec![0.0], 1).unwrap()).is_err());
    assert_eq!(model.sizes().iter().sum::<usize>(), 1_500);
    assert_eq!(
        model.predict(model.centers().unwrap()).unwrap(),
        (0..model.n_clusters() as i64).collect::<Vec<_>>()
    );
}

#[test]
fn more_points_than_the_cells_hold_are_still_all_labelled() {
    let set = datasets::blobs(5_000, 2, 3, 0.5, 10.0, 2).unwrap();
    let params = BoostedParams { cell_size: 200, ..Default::default() };
    let model = fit(&set.points, params);
    assert_eq!(model.n_drawn(), 9 * 200);
    assert_eq!(model.labels(), set.labels);
}

#[test]
fn the_drawn_rows_and_those_that_links_name_are_enough_to_label_all_points() {
    let set = datasets::moons(6_000, 0.15, 2).unwrap();
    let params = BoostedParams { cell_size: 100, ..Default::default() };
    let boosted = Boosted::new(params).unwrap();
    for links in [Links::new(), links::draw(&set.labels, 300, 5).unwrap()] {
        let whole = boosted.fit(&set.points, &links).unwrap();
        let draw = boosted.draw(6_000, None, &links).unwrap();
        assert_eq!(draw.by_chance().len(), 9 * 100);
        let drawn = set.points.select(draw.rows());
        let part = boosted.fit_drawn(&draw, &drawn, &links, &mut crate::observe::ignore).unwrap();
        let said = part.predict(&set.points).unwrap();
        assert_eq!(crate::shared::relabel::number_by_first_member(&said).0, whole.labels());
        // Clusters are numbered by the rows that were drawn.
        let of_drawn: Vec<i64> = draw.rows().iter().map(|&row| said[row]).collect();
        assert_eq!(of_drawn, part.labels());
        assert_eq!(crate::shared::relabel::number_by_first_member(&of_drawn).0, part.labels());
        assert_eq!(part.skeleton(), whole.skeleton());
        assert_eq!(part.link_report().broken.len(), whole.link_report().broken.len());
        let all = boosted.fit_drawn(&draw, &set.points, &links, &mut crate::observe::ignore);
        assert!(all.is_err());
    }
    assert!(boosted.draw(0, None, &Links::new()).unwrap().rows().is_empty());
    assert!(boosted.draw(9, Some(3), &Links::new()).is_err());
}

/// 1,400 points around one place, and some around another.
fn large_and_small(n_small: usize, apart: f64, seed: u64) -> Points<'static, f64> {
    let mut values =
        datasets::blobs(1_400 + n_small, 2, 1, 1.0, 0.0, seed).unwrap().points.values().to_vec();
    values[2 * 1_400..].iter_mut().step_by(2).for_each(|x| *x += apart);
    Points::new(values, 2).unwrap()
}

#[test]
fn a_cluster_too_small_for_any_cell_is_found_among_all_points() {
    for seed in 0..5 {
        // 1 of the 40 points of a cell, where a mode needs 4; of 1,440 points ½√1,440 = 19 are enough.
        let points = large_and_small(40, 14.0, seed);
        let params = BoostedParams { cells: grid(6, 6), seed, ..Default::default() };
        let with = BoostedParams { small_support: Some(19), ..params.clone() };
        assert_eq!(fit(&points, params).n_clusters(), 1);
        let model = fit(&points, with.clone());
        assert_eq!(model.sizes(), [1_400, 40]);
        assert_eq!(model.predict(&points).unwrap(), model.labels());
        // No valley parts it where it is near, and without it there is nothing to find.
        assert_eq!(fit(&large_and_small(40, 2.0, seed), with.clone()).n_clusters(), 1);
        assert_eq!(fit(&large_and_small(0, 0.0, seed), with).n_clusters(), 1);
    }
}

#[test]
fn small_clusters_are_looked_for_where_counts_are_large() {
    // Derived: ½√100,800 = 158.7; the paper's largest torus holds 25 · 1,008.
    let among = |n| BoostedParams::default().small_support_among(n);
    assert_eq!([25_200, 100_800].map(among), [0, 159]);
    assert_eq!(BoostedParams::paper().small_support_among(100_800), 0);
}

#[test]
fn a_way_is_in_steps_of_half_a_radius() {
    let way = |radius: f64| small::way(&[0.0, 0.0], radius, &[3.0, 4.0]);
    // Derived: the way is 5 long, so steps of 2.5 end at its middle and at its end.
    assert_eq!(way(5.0), [[1.5, 2.0], [3.0, 4.0]]);
    assert_eq!(way(100.0), [[3.0, 4.0]]);
    assert_eq!(way(0.0).len(), small::MOST_STEPS);
}

#[test]
fn shifted_points_change_nothing_and_shuffled_ones_only_names() {
    let set = datasets::blobs(900, 2, 3, 0.5, 10.0, 6).unwrap();
    let before = fit(&set.points, BoostedParams::default());
    let moved: Vec<f64> = set.points.values().iter().map(|value| value + 64.0).collect();
    let moved = fit(&Points::new(moved, 2).unwrap(), BoostedParams::default());
    assert_eq!(before.labels(), moved.labels());
    let backwards: Vec<usize> = (0..900).rev().collect();
    let after = fit(&set.points.select(&backwards), BoostedParams::default());
    let after: Vec<i64> = after.labels().iter().rev().copied().collect();
    assert_eq!(scores::adjusted_rand_index(before.labels(), &after).unwrap(), 1.0);
}

#[test]
fn heavier_points_pull_the_modes() {
    // Derived: the mean of 0 and 1 with weights 1 and 3 is 0.75.
    let points = Points::new(vec![0.0, 1.0], 1).unwrap().with_weights(vec![1.0, 3.0]).unwrap();
    let params = BoostedParams {
        cells: grid(1, 1),
        bandwidth: crate::bandwidth::Bandwidth::Fixed(9.0),
        profile: Profile::Ball,
        max_epochs: 1,
        ..Default::default()
    };
    assert_eq!(fit(&points, params).centers().unwrap().values(), [0.75]);
}

#[test]
fn links_part_and_join_clusters_and_broken_ones_are_listed() {
    let set = datasets::blobs(900, 2, 3, 0.5, 10.0, 6).unwrap();
    let apart = set.labels.iter().position(|&label| label == 1).unwrap();
    let boosted = Boosted::new(BoostedParams::default()).unwrap();
    // Rows 0 and 1 share a blob, 0 and `apart` do not.
    let must = boosted.fit(&set.points, &Links::from_pairs(&[(0, apart)], &[])).unwrap();
    assert_eq!(must.n_clusters(), 2);
    assert!(must.link_report().broken.is_empty());

    let moons = datasets::moons(600, 0.3, 1).unwrap();
    let links = crate::links::draw(&moons.labels, 100, 1).unwrap();
    let without = boosted.fit(&moons.points, &Links::new()).unwrap();
    let with = boosted.fit(&moons.points, &links).unwrap();
    assert!(links.report(without.labels()).share_kept() < 1.0);
    assert_eq!(with.link_report(), &links.report(with.labels()));
    assert!(with.link_report().broken.is_empty());
    // Points that links hold are known again, by the model and by what is left of it.
    assert_eq!(with.predict(&moons.points).unwrap(), with.labels());
    let labels = with.labels().to_vec();
    assert_eq!(with.into_predictor().predict(&moons.points).unwrap(), labels);
}

#[test]
fn cannot_links_inside_a_cell_part_its_modes() {
    let cell = Points::new((0..20).map(f64::from).collect::<Vec<_>>(), 1).unwrap();
    let params = BoostedParams { least_support: Some(1), ..Default::default() };
    let modes = |links: &Links| steps::local_modes(&cell, links, 30.0, &params).unwrap();
    assert_eq!(modes(&Links::new()).support, [20]);
    assert_eq!(modes(&Links::from_pairs(&[], &[(0, 19)])).support.len(), 2);
}

#[test]
fn links_of_a_cell_are_those_between_its_points() {
    let links = Links::from_pairs(&[(0, 1), (2, 3)], &[(1, 2), (4, 5)]);
    let closure = links.close(6).unwrap();
    // Row 0 twice and row 3 once: apart by 0 = 1 ≠ 2 = 3; row 4 has no partner here.
    let within = steps::links_within(&closure, &[0, 4, 3, 0]);
    let within = within.close(4).unwrap();
    assert_eq!(within.members(0), [0, 3]);
    assert_eq!(within.relation(0, 2), Some(crate::LinkKind::Cannot));
    assert!(steps::links_within(&closure, &[0, 1, 4]).is_empty());
}

#[test]
fn every_point_is_dealt_once_and_cells_differ_by_one_at_most() {
    let draws = Draws::new(1, Grid::new(3, 2).unwrap());
    let cells = draws.deal(20, 100);
    assert!(cells.iter().all(|rows| [3, 4].contains(&rows.len())));
    let mut rows = cells.concat();
    rows.sort_unstable();
    assert_eq!(rows, (0..20).collect::<Vec<_>>());
    assert!(draws.deal(1_000, 10).iter().all(|rows| rows.len() == 10));
}

#[test]
fn redraws_follow_the_confidence() {
    let draws = Draws::new(1, Grid::new(1, 1).unwrap());
    let drawn = draws.redraw(0, 0, &[0.0, 1.0, 0.0, 3.0], 4_000);
    let count = |position| drawn.iter().filter(|&&drawn| drawn == position).count();
    assert_eq!((count(0), count(2)), (0, 0));
    // Derived: 4,000/4 = 1,000 with a deviation of √(4,000·¼·¾) = 27; four of them is room.
    assert!(count(1).abs_diff(1_000) < 110);
    assert_ne!(drawn, draws.redraw(1, 0, &[0.0, 1.0, 0.0, 3.0], 4_000));
}

#[test]
fn what_cannot_work_is_refused() {
    let base = BoostedParams::default;
    let bad = [
        BoostedParams { cell_size: 0, ..base() },
        BoostedParams { least_support: Some(0), ..base() },
        BoostedParams { min_points: Some(0), ..base() },
        BoostedParams { stable_epochs: 0, ..base() },
        BoostedParams { max_epochs: 0, ..base() },
        BoostedParams { eps: Eps::Fixed(0.0), ..base() },
        BoostedParams { eps: Eps::Bandwidths(f64::NAN), ..base() },
        BoostedParams { bandwidth: crate::bandwidth::Bandwidth::PerPoint { k: 3 }, ..base() },
        BoostedParams { profile: Profile::Truncated { cut: 2.0 }, ..base() },
    ];
    for params in bad {
        assert!(matches!(Boosted::new(params), Err(Error::Param { .. })));
    }
    let links = Links::from_pairs(&[(0, 1)], &[(0, 1)]);
    let points = Points::new(vec![0.0, 1.0], 1).unwrap();
    let boosted = Boosted::new(base()).unwrap();
    assert!(matches!(boosted.fit(&points, &links), Err(Error::Links(_))));
}

#[test]
fn the_grid_follows_the_paper_and_grows_with_the_points() {
    // The paper: 3 × 3 for 200 to 5,456 points, 5 × 5 for 10,000 to 25,192.
    let side = |n| Cells::Auto.grid_for(n).unwrap().width();
    assert_eq!([200, 788, 5_456, 10_000, 25_192].map(side), [3, 3, 3, 5, 5]);
    assert_eq!([1, 50, 100, 50_000, 100_000_000].map(side), [1, 1, 2, 7, 10]);
}

#[test]
fn the_paper_s_gaussian_is_exp_of_minus_x() {
    // Outside: with it plain mean shift gives the paper's column, see the module's findings.
    for params in [BoostedParams::paper(), BoostedParams::default()] {
        assert_eq!(params.profile, Profile::Rbf);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Must-links always hold; of two classes, with two clusters or more, so do all cannot-links.
    #[test]
    fn what_was_told_is_kept(
        seed in 0_u64..1_000, n in 60_usize..200, n_classes in 2_usize..5, std in 0.2_f64..4.0,
        n_links in 10_usize..80,
    ) {
        let set = datasets::blobs(n, 2, n_classes, std, 5.0, seed).unwrap();
        let links = crate::links::draw(&set.labels, n_links, seed).unwrap();
        let boosted = Boosted::new(BoostedParams { seed, ..Default::default() }).unwrap();
        let model = boosted.fit(&set.points, &links).unwrap();
        let broken = &model.link_report().broken;
        prop_assert!(broken.iter().all(|link| link.kind == crate::LinkKind::Cannot));
        prop_assert!(n_classes > 2 || model.n_clusters() < 2 || broken.is_empty());
        prop_assert_eq!(model.predict(&set.points).unwrap(), model.labels());
    }

    /// Another path: Algorithm 1 line by line, with the same chance.
    #[test]
    fn the_fast_path_is_algorithm_1(
        seed in 0_u64..1_000, n in 20_usize..120, d in 1_usize..4, std in 0.2_f64..2.0,
        shape in 0_usize..4, width in 1_usize..4, height in 1_usize..4, paper: bool,
        small in 0_usize..20,
    ) {
        let set = datasets::blobs(n, d, 3, std, 5.0, seed).unwrap();
        let base = if paper { BoostedParams::paper() } else { BoostedParams::default() };
        let params = BoostedParams {
            cells: grid(width, height),
            neighborhood: Neighborhood::ALL[shape],
            max_epochs: 5,
            // From 3 × 3 cells on a cluster may be too small for any of them.
            small_support: Some(small),
            seed,
            ..base
        };
        let literal = naive::fit(&set.points, &params).unwrap();
        let fast = fit(&set.points, params);
        let numbered = crate::shared::relabel::number_by_first_member(&literal.labels).0;
        prop_assert_eq!(fast.labels(), numbered);
        prop_assert_eq!((fast.n_iter(), fast.n_modes_found()), (literal.n_epochs, literal.n_modes));
    }
}
