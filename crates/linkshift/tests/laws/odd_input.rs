//! Input that is wrong, or hardly enough: an error or a whole model, never a panic.

use crate::cases;
use crate::scenes::{self, partition};
use linkshift::method::Clusters;
use linkshift::method::LinkUse;
use linkshift::params::{N_CLUSTERS, Value};
use linkshift::{Error, Link, Links, Model, Points, Real, Result, observe};

/// Checks what every model promises of itself.
fn is_whole<T: Real>(name: &str, points: &Points<'_, T>, model: &Model<T>) {
    let (labels, n_clusters) = (model.labels(), model.n_clusters());
    assert_eq!(labels.len(), points.n_points(), "{name}");
    assert_eq!(labels, partition(labels), "{name}: numbered by first member");
    let n_noise = labels.iter().filter(|&&label| label < 0).count();
    assert_eq!(model.sizes().iter().sum::<usize>() + n_noise, labels.len(), "{name}");
    assert!(model.sizes().iter().all(|&size| size > 0), "{name}");
    match model.centers() {
        Some(centers) => {
            assert_eq!(centers.n_points(), n_clusters, "{name}");
            assert!(centers.values().iter().all(|value| value.is_finite()), "{name}");
        }
        // All is noise, or the points are similarities, among which there are no places.
        None => assert!(n_clusters == 0 || name.contains("precomputed"), "{name}"),
    }
    model.predictor().check().unwrap();
    assert_eq!(model.predict(points).unwrap().len(), labels.len(), "{name}");
}

/// An error that names what is wrong, or a whole model.
fn is_refused_or_whole<T: Real>(name: &str, points: &Points<'_, T>, outcome: Result<Model<T>>) {
    match outcome {
        Ok(model) => is_whole(name, points, &model),
        Err(error) => assert!(!error.to_string().is_empty(), "{name}"),
    }
}

#[test]
fn every_model_is_whole() {
    for scene in [scenes::clear(), scenes::bent(), scenes::wide()] {
        for case in cases::all() {
            let model = case.fit(&scene.points, &scene.links);
            is_whole(&case.name, &scene.points, &model);
            // A note is a sentence, and says whether the run came to rest.
            let said = model.notes().iter().any(|note| note.kind.name() == "not-converged");
            assert_eq!(said, !model.converged(), "{}", case.name);
            assert!(model.notes().iter().all(|note| !note.text.is_empty()), "{}", case.name);
        }
    }
}

#[test]
fn numbers_that_are_none_never_become_points() {
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e200] {
        assert!(matches!(Points::new(vec![0.0, value], 1), Err(Error::Points(_))));
    }
    assert!(matches!(Points::<f64>::new(vec![], 1), Err(Error::Points(_))));
}

#[test]
fn links_that_cannot_be_are_refused_by_everyone() {
    let scene = scenes::bent();
    let bad = [
        Links::from_pairs(&[(0, 120)], &[]),
        Links::from_pairs(&[], &[(usize::MAX, 1)]),
        Links::from_pairs(&[(7, 7)], &[]),
        Links::from_pairs(&[(0, 1), (1, 2)], &[(2, 0)]),
        [Link { confidence: 0.0, ..Link::must(0, 1) }].into_iter().collect(),
        [Link { confidence: f64::NAN, ..Link::cannot(0, 1) }].into_iter().collect(),
    ];
    for case in cases::all() {
        for links in &bad {
            // Who judges links lists a contradiction among the suspects.
            let is_judged = case.info().links == LinkUse::Judged && links.check(120).is_ok();
            let outcome = case.try_fit(&scene.points, links);
            let is_refused = matches!(outcome, Err(Error::Links(_)));
            assert_eq!(is_refused, !is_judged, "{} {links:?}", case.name);
        }
    }
}

#[test]
fn more_clusters_than_points_are_refused_by_whoever_is_told_a_number() {
    let points = Points::new(vec![0.0, 1.0, 2.0], 1).unwrap();
    for case in cases::all().iter().filter(|case| case.info().clusters != Clusters::Found) {
        // A route that parts in two takes no other number, whatever the points.
        let method = case.with(&[(N_CLUSTERS, Value::Count(4))]).unwrap();
        let outcome = method.fit(&points, &Links::new(), &mut observe::ignore);
        assert!(
            matches!(outcome, Err(Error::Param { name: N_CLUSTERS, .. })),
            "{}: {outcome:?}",
            case.name
        );
    }
}

/// Few points, equal points, points in two places, points far apart, more columns than points.
fn odd_points() -> Vec<Points<'static, f64>> {
    let columns = |n: usize, d: usize| {
        let values: Vec<f64> = (0..n * d).map(|at| ((at * 37 % 101) as f64).sin()).collect();
        Points::new(values, d).unwrap()
    };
    let line = |values: &[f64]| Points::new(values.to_vec(), 1).unwrap();
    vec![
        line(&[7.0]),
        line(&[0.0]),
        line(&[0.0, 1.0]),
        line(&[2.0, 2.0]),
        line(&[3.0; 12]),
        line(&[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]),
        line(&[0.0, 1e-150, 1.0]),
        line(&[0.0, 0.5, 1e9, -1e9]),
        line(&[1e150, 1.0, -1e150, 2.0]),
        columns(2, 50),
        columns(5, 100),
    ]
}

/// Links that so many points allow.
fn odd_links(n: usize) -> Vec<Links> {
    let mut all = vec![Links::new()];
    if n > 1 {
        all.push(Links::from_pairs(&[(0, 1)], &[]));
        all.push(Links::from_pairs(&[], &[(0, n - 1)]));
        let chain: Vec<(usize, usize)> = (1..n).map(|row| (row - 1, row)).collect();
        all.push(Links::from_pairs(&chain, &[]));
        all.push(Links::from_pairs(&[], &chain));
    }
    all
}

#[test]
fn few_points_and_equal_points_give_a_model_or_an_error() {
    for points in odd_points() {
        let n = points.n_points();
        for links in odd_links(n) {
            for case in cases::all() {
                let name = format!("{} on {points:?} with {links:?}", case.name);
                is_refused_or_whole(&name, &points, case.try_fit(&points, &links));
                if case.info().clusters != Clusters::Found && n < 3 {
                    let outcome = case
                        .with(&[(N_CLUSTERS, Value::Count(1))])
                        .and_then(|method| method.fit(&points, &links, &mut observe::ignore));
                    is_refused_or_whole(&name, &points, outcome);
                }
            }
        }
    }
}

#[test]
fn one_point_and_equal_points_are_one_cluster_or_noise() {
    for n in [1, 12] {
        let points = Points::new(vec![7.0; n], 1).unwrap();
        for case in cases::all() {
            let told = match case.info().clusters {
                Clusters::Found => vec![],
                Clusters::Told | Clusters::Either => vec![(N_CLUSTERS, Value::Count(1))],
            };
            let method = case.with(&told).unwrap();
            let model = method.fit(&points, &Links::new(), &mut observe::ignore).unwrap();
            let expected = if model.n_clusters() == 0 { vec![-1; n] } else { vec![0; n] };
            assert_eq!(model.labels(), expected, "{}", case.name);
            assert!(model.converged(), "{}", case.name);
            let centers = model.centers().map(|centers| centers.values().to_vec());
            assert!([None, Some(vec![7.0])].contains(&centers), "{} {centers:?}", case.name);
        }
    }
}

/// Values of all kinds, most of which most parameters cannot be.
fn odd_values() -> Vec<Value> {
    let mut values =
        vec![Value::Auto, Value::Flag(true), Value::Flag(false), "x".into(), "".into()];
    values.extend([0, 1, 2, 9].map(Value::Count));
    let numbers = [-1.0, 0.0, 0.5, 1.5, 1e-300, 1e300, f64::NAN, f64::INFINITY, f64::MIN_POSITIVE];
    values.extend(numbers.map(Value::Number));
    values.extend([vec![], vec![0.5], vec![0.1, 0.2, f64::NAN], vec![0.1, 0.2]].map(Value::List));
    values
}

#[test]
fn any_value_of_any_parameter_works_or_is_refused() {
    let scene = scenes::clear();
    let points = scene.points.select(&(0..18).collect::<Vec<_>>());
    let links = Links::from_pairs(&[(0, 3)], &[(0, 1)]);
    for case in cases::all() {
        for param in case.entry.params() {
            let words = param.allowed.split([',', ' ']).map(Value::from);
            for value in odd_values().into_iter().chain(words) {
                let name = format!("{} with {}={value}", case.name, param.key);
                let outcome = case
                    .with(&[(param.key, value)])
                    .and_then(|method| method.fit(&points, &links, &mut observe::ignore));
                is_refused_or_whole(&name, &points, outcome);
            }
        }
        assert!(matches!(case.with(&[("no_such", Value::Auto)]), Err(Error::UnknownParam { .. })));
    }
}
