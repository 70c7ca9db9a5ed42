//! What becomes of links.

use crate::cases::{self, Case};
use crate::scenes::{self, partition};
use linkshift::dbscan::Dbscan;
use linkshift::method::LinkUse;
use linkshift::{Link, LinkKind, Links, datasets, links};

#[test]
fn every_link_is_kept_or_listed_as_broken() {
    for seed in 0..4 {
        let crescents = datasets::crescents(90, 0.2, 0.3, seed).unwrap();
        let links = links::draw(&crescents.labels, 40, seed).unwrap();
        for case in cases::all() {
            let model = case.fit(&crescents.points, &links);
            let (labels, report) = (model.labels(), model.link_report());
            // Another path: link by link, as the words have it. Noise is together with nobody.
            let is_broken = |link: &&Link| {
                let together = labels[link.a] >= 0 && labels[link.a] == labels[link.b];
                together != (link.kind == LinkKind::Must)
            };
            let broken: Vec<Link> = links.iter().filter(is_broken).copied().collect();
            assert_eq!(report.broken, broken, "{} seed {seed}", case.name);
            assert_eq!(report.must + report.cannot, links.len(), "{}", case.name);
            let n_kept = report.must_kept + report.cannot_kept;
            assert_eq!(n_kept + report.broken.len(), links.len(), "{}", case.name);
        }
    }
}

#[test]
fn methods_that_promise_to_break_no_link_break_none() {
    for seed in 0..20 {
        let crescents = datasets::crescents(60, 0.2, 0.3, seed).unwrap();
        let links = links::draw(&crescents.labels, 40, seed).unwrap();
        for name in ["cop n_clusters=3", "cdbscan eps=0.3", "cdbscan eps=0.05"] {
            let (method, settings) = name.split_once(' ').unwrap();
            let model = Case::new(method, settings).fit(&crescents.points, &links);
            assert_eq!(model.link_report().broken, [], "{name} seed {seed}");
        }
    }
}

#[test]
fn certain_links_are_kept_by_every_method_and_only_linked_points_move() {
    for seed in 0..3 {
        let crescents = datasets::crescents(90, 0.2, 0.3, seed).unwrap();
        let links = links::draw(&crescents.labels, 40, seed).unwrap();
        for case in cases::all().iter().filter(|case| case.obeys()) {
            let (found, kept) = (
                case.fit(&crescents.points, &links),
                case.obeying().fit(&crescents.points, &links),
            );
            let name = &case.name;
            // Two classes can be colored with two clusters or more, told or not.
            if kept.n_clusters() > 1 {
                assert_eq!(kept.link_report().broken, [], "{name} seed {seed}");
            }
            let moved = kept.moved();
            assert!(moved.is_empty() == found.link_report().broken.is_empty(), "{name}");
            assert!(moved.iter().all(|&row| links.iter().any(|it| it.a == row || it.b == row)));
            let others = || (0..90).filter(|row| !moved.contains(row));
            let pairs = others().flat_map(|a| others().map(move |b| (a, b)));
            for (a, b) in pairs {
                let together = |labels: &[i64]| labels[a] == labels[b];
                assert_eq!(together(kept.labels()), together(found.labels()), "{name}: {a}, {b}");
            }
            // Fitted points get their labels again; new ones never a number that is not there.
            let predicted = kept.predict(&crescents.points).unwrap();
            moved.iter().for_each(|&row| assert_eq!(predicted[row], kept.labels()[row], "{name}"));
            assert!(predicted.iter().all(|&label| label < kept.n_clusters() as i64), "{name}");
            let centers = kept.centers().map_or(0, |centers| centers.n_points());
            assert_eq!(centers, kept.n_clusters(), "{name}");
        }
    }
}

#[test]
fn doubtful_links_move_nobody() {
    let crescents = datasets::crescents(90, 0.2, 0.3, 1).unwrap();
    let doubtful = |link: &Link| Link { confidence: 0.8, ..*link };
    let drawn = links::draw(&crescents.labels, 40, 1).unwrap();
    let links: Links = drawn.iter().map(doubtful).collect();
    for case in cases::plain() {
        let model = case.obeying().fit(&crescents.points, &links);
        assert_eq!(model.moved(), [], "{}", case.name);
    }
}

/// What a method is without links.
enum Without {
    /// This method with these settings, by the same settings of its own.
    Method(&'static str, &'static str, &'static str),
    /// DBSCAN.
    Dbscan,
    /// Nothing else: the sentence says why.
    Itself(&'static str),
}

const WITHOUT_LINKS: &[(&str, Without)] = &[
    (
        // Centers are one where k exceeds 0.995, that is within √(−ln 0.995) = 0.0708 bandwidths.
        "cms",
        Without::Method(
            "bandwidth=0.3 max_iter=300 tolerance=1e-6 merge_tolerance=0",
            "mean-shift",
            "bandwidth=0.3 max_iter=300 tolerance=1e-6 merge_tolerance=0 mode_radius=0.0708",
        ),
    ),
    ("auto", Without::Itself("its candidates are asked without links, and the prior weighs them")),
    ("boosted", Without::Itself("it is the paper's, which has no links")),
    (
        "kernel",
        Without::Method(
            "kernel=linear k=10 dimension=2 bandwidth_factor=1 leftover_share=0 tolerance=1e-5",
            "mean-shift",
            "bandwidth=per-point k=10 kernel=gaussian tolerance=1e-5 mode_radius=0.1",
        ),
    ),
    ("cop", Without::Method("n_clusters=3", "kmeans", "n_clusters=3")),
    ("pck", Without::Method("n_clusters=3", "kmeans", "n_clusters=3")),
    ("mpck", Without::Itself("it learns a metric from the spread of the clusters all the same")),
    ("pcck", Without::Method("n_clusters=3", "kmeans", "n_clusters=3")),
    ("ampcc", Without::Method("n_clusters=3", "kmeans", "n_clusters=3")),
    ("spectral", Without::Itself("it is the paper's, which has no links")),
    (
        "constrained-spectral",
        Without::Itself("its plain form, the cheapest cuts of all, is compared in its own tests"),
    ),
    ("cdbscan", Without::Dbscan),
];

#[test]
fn without_links_it_is_the_unconstrained_method() {
    let scenes = [scenes::clear(), scenes::bent()];
    for case in cases::plain() {
        let name = case.info().name;
        if case.info().links == LinkUse::Unused {
            for scene in &scenes {
                let with = case.fit(&scene.points, &scene.links);
                let without = case.fit(&scene.points, &Links::new());
                assert_eq!(with.labels(), without.labels(), "{name}");
                assert_eq!(with.predictor(), without.predictor(), "{name}");
            }
            continue;
        }
        let found = WITHOUT_LINKS.iter().find(|(method, _)| *method == name);
        let (_, without) = found.unwrap_or_else(|| panic!("what is {name} without links?"));
        for scene in &scenes {
            match without {
                Without::Method(own, method, settings) => {
                    let ours = Case::new(name, own).fit(&scene.points, &Links::new());
                    let plain = Case::new(method, settings).fit(&scene.points, &Links::new());
                    assert_eq!(partition(ours.labels()), partition(plain.labels()), "{name}");
                }
                Without::Dbscan => {
                    let ours = Case::new(name, "eps=0.2").fit(&scene.points, &Links::new());
                    let plain = Dbscan::new(0.2, 4).unwrap().fit(&scene.points);
                    assert_eq!(ours.labels(), plain, "{name}");
                }
                Without::Itself(why) => assert!(!why.is_empty()),
            }
        }
    }
}

/// The same links, of which so many in a row have this confidence, and then one has not.
fn doubted(links: &Links, confidence: f64, in_a_row: usize) -> Links {
    let doubt = |(at, link): (usize, &Link)| match at % (in_a_row + 1) {
        last if last == in_a_row => *link,
        _ => Link { confidence, ..*link },
    };
    links.iter().enumerate().map(doubt).collect()
}

#[test]
fn confidence_counts_where_the_method_says_so_and_nowhere_else() {
    // Overlapping crescents, where links are needed, so that it matters how much they count.
    let scenes = [0, 1, 2, 3, 4, 5].map(|seed| {
        let crescents = datasets::crescents(90, 0.15, 0.35, seed).unwrap();
        let links = links::draw(&crescents.labels, 40, seed).unwrap();
        (crescents.points, links)
    });
    for case in cases::plain() {
        let matters = scenes.iter().any(|(points, links)| {
            let certain = case.fit(points, links);
            [usize::MAX - 1, 1].into_iter().any(|in_a_row| {
                let doubtful = case.fit(points, &doubted(links, 0.05, in_a_row));
                certain.labels() != doubtful.labels() || certain.predictor() != doubtful.predictor()
            })
        });
        let says_so =
            matches!(case.info().links, LinkUse::Weighed | LinkUse::Evidence | LinkUse::Judged);
        assert_eq!(matters, says_so, "{}", case.name);
    }
}

#[test]
fn doubtful_links_contradict_only_those_who_take_them_for_certain() {
    let scene = scenes::bent();
    let links = doubted(&Links::from_pairs(&[(0, 1), (1, 2)], &[(0, 2)]), 0.5, 9);
    for case in cases::all() {
        let accepts = case.try_fit(&scene.points, &links).is_ok();
        let is_evidence = matches!(case.info().links, LinkUse::Evidence | LinkUse::Judged);
        assert_eq!(accepts, is_evidence, "{}", case.name);
    }
}
