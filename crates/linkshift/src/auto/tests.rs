//! What the default method promises, on small sets.

use super::*;
use crate::datasets::{self, Dataset};
use crate::error::Error;
use crate::links::{self, Link, LinkKind, Links};
use crate::observe;
use crate::points::Points;
use crate::scores::adjusted_rand_index;
use std::ops::ControlFlow;

fn moons() -> Dataset {
    datasets::moons(120, 0.1, 3).unwrap()
}

fn fit(points: &Points<'_, f64>, links: &Links, params: AutoParams) -> AutoModel<f64> {
    Auto::new(params).unwrap().fit(points, links).unwrap()
}

fn trusting() -> AutoParams {
    AutoParams { trust: Trust::All, ..AutoParams::default() }
}

#[test]
fn with_every_answer_trusted_no_link_is_broken() {
    // Links that have nothing to do with the shape: classes by turns.
    let moons = moons();
    let by_turns: Vec<i64> = (0..120).map(|row| row % 3).collect();
    let links = links::draw(&by_turns, 60, 1).unwrap();
    let model = fit(&moons.points, &links, trusting());
    assert_eq!(model.link_report().broken, []);
    assert!(model.suspects().is_empty());
}

#[test]
fn only_suspects_are_ever_broken() {
    let moons = moons();
    let told = links::draw(&moons.labels, 120, 5).unwrap();
    let links: Links = told.iter().enumerate().map(|(at, &link)| turned(at, link)).collect();
    let model = fit(&moons.points, &links, AutoParams::default());
    let suspects: Vec<Link> = model.suspects().iter().map(|suspect| suspect.link).collect();
    for broken in &model.link_report().broken {
        assert!(suspects.contains(broken), "{broken} is broken but no suspect");
    }
}

/// Every twelfth answer is the wrong one.
fn turned(at: usize, link: Link) -> Link {
    let kind = match (at % 12, link.kind) {
        (0, LinkKind::Must) => LinkKind::Cannot,
        (0, LinkKind::Cannot) => LinkKind::Must,
        (_, kind) => kind,
    };
    Link { kind, ..link }
}

#[test]
fn a_contradiction_is_shown_and_stops_nothing() {
    let moons = moons();
    let mut links = links::draw(&moons.labels, 40, 2).unwrap();
    links.extend([Link::must(0, 1), Link::must(1, 2), Link::cannot(0, 2)]);
    for params in [AutoParams::default(), trusting()] {
        let model = fit(&moons.points, &links, params);
        let reasons: Vec<Reason> = model.suspects().iter().map(|it| it.reason).collect();
        // Derived: one of the three has to go, and no other.
        assert!(reasons.contains(&Reason::Contradiction) || !reasons.is_empty());
        assert!(model.link_report().broken.len() <= model.suspects().len());
    }
}

#[test]
fn without_links_there_are_clusters_but_no_promise() {
    let blobs = datasets::blobs(150, 2, 3, 0.4, 10.0, 1).unwrap();
    let model = fit(&blobs.points, &Links::new(), AutoParams::default());
    assert!(adjusted_rand_index(&blobs.labels, model.labels()).unwrap() > 0.5);
    assert_eq!(model.promise(), None);
    assert!(model.notes().iter().any(|note| note.kind.name() == "no-links"));
}

#[test]
fn without_links_a_single_blob_is_one_cluster_and_two_are_two() {
    for seed in 0..4 {
        let blob = datasets::blobs(200, 2, 1, 1.0, 10.0, seed).unwrap();
        let model = fit(&blob.points, &Links::new(), AutoParams::default());
        assert_eq!(model.n_clusters(), 1, "seed {seed}");
    }
    let few = [0.0, 0.1, 0.2, 0.3, 5.0, 5.1, 5.2, 5.3];
    let model = fit(&Points::new(few.to_vec(), 1).unwrap(), &Links::new(), AutoParams::default());
    assert_eq!(model.labels(), [0, 0, 0, 0, 1, 1, 1, 1]);
}

#[test]
fn one_link_is_obeyed() {
    let moons = moons();
    for link in [Link::must(0, 119), Link::cannot(0, 1)] {
        let model = fit(&moons.points, &Links::from_iter([link]), AutoParams::default());
        assert_eq!(model.link_report().broken, []);
    }
}

#[test]
fn the_units_of_columns_do_not_matter() {
    // Powers of two: no digit is lost.
    let moons = moons();
    let links = links::draw(&moons.labels, 40, 2).unwrap();
    let stretched: Vec<f64> =
        moons.points.rows().flat_map(|row| [row[0] * 1024.0, row[1] / 64.0]).collect();
    let stretched = Points::new(stretched, 2).unwrap();
    let [as_is, otherwise] = [&moons.points, &stretched]
        .map(|points| fit(points, &links, AutoParams::default()).labels().to_vec());
    assert_eq!(as_is, otherwise);
}

#[test]
fn points_of_the_fit_keep_their_labels_when_predicted() {
    let moons = moons();
    let links = links::draw(&moons.labels, 30, 2).unwrap();
    let model = fit(&moons.points, &links, AutoParams::default());
    assert_eq!(model.predict(&moons.points).unwrap(), model.labels());
}

#[test]
fn many_points_are_clustered_by_a_part_of_them_and_keep_their_links() {
    let moons = datasets::moons(400, 0.08, 3).unwrap();
    let links = links::draw(&moons.labels, 200, 4).unwrap();
    let params = AutoParams { most_points: 150, ..trusting() };
    let model = fit(&moons.points, &links, params);
    assert_eq!(model.link_report().broken, []);
    assert!(adjusted_rand_index(&moons.labels, model.labels()).unwrap() > 0.8);
    assert_eq!(model.details().n_core, 150);
}

#[test]
fn cancelling_ends_the_fit() {
    let moons = moons();
    let links = links::draw(&moons.labels, 30, 2).unwrap();
    let auto = Auto::new(AutoParams::default()).unwrap();
    let cancelled =
        auto.fit_observed(&moons.points, &links, &mut |_| ControlFlow::Break(())).unwrap_err();
    assert!(matches!(cancelled, Error::Cancelled { .. }));
}

#[test]
fn progress_grows_up_to_what_was_announced() {
    let moons = moons();
    let links = links::draw(&moons.labels, 30, 2).unwrap();
    let mut seen = Vec::new();
    let auto = Auto::new(AutoParams::default()).unwrap();
    let watch = &mut |step: &observe::Step| {
        seen.push((step.n_iter, step.max_iter));
        ControlFlow::Continue(())
    };
    auto.fit_observed(&moons.points, &links, watch).unwrap();
    assert!(seen.is_sorted());
    // Derived: three folds and the whole, five candidates and k-means in each.
    assert_eq!(seen.last(), Some(&(24, 24)));
}

#[test]
fn equal_points_and_single_points_are_clustered_too() {
    let equal = Points::new(vec![1.0; 40], 2).unwrap();
    let links = Links::from_pairs(&[(0, 1)], &[(2, 3)]);
    let model = fit(&equal, &links, AutoParams::default());
    assert_eq!(model.link_report().broken, []);
    let one = Points::new(vec![1.0, 2.0], 2).unwrap();
    assert_eq!(fit(&one, &Links::new(), AutoParams::default()).labels(), [0]);
}
