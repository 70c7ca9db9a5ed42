//! Fits from a part of the rows, and labels for the others in whatever parts they come.

use crate::cases::{self, Case, Law, check, same};
use crate::scenes;
use linkshift::drawn::Draw;
use linkshift::{Links, Model, Points, Real, datasets, observe};

/// How many rows a case is told to draw; boosted mean shift draws by its cells.
fn most(case: &Case, count: usize) -> Option<usize> {
    (case.info().name != "boosted").then_some(count)
}

fn fit_drawn<T: Real>(case: &Case, draw: &Draw, points: &Points<'_, T>, links: &Links) -> Model<T> {
    let drawn = points.select(draw.rows());
    let fit = case.method().fit_drawn(draw, &drawn, links, &mut observe::ignore);
    fit.unwrap_or_else(|error| panic!("{}: {error}", case.name))
}

/// Another path: the ordinary fit.
#[test]
fn a_draw_of_all_rows_is_the_ordinary_fit() {
    let scene = scenes::bent();
    let unseen = datasets::moons(80, 0.15, 4).unwrap().points;
    for case in cases::all() {
        for links in [&Links::new(), &scene.links] {
            let draw = case.method().draw(120, None, links).unwrap();
            assert_eq!(draw.rows(), (0..120).collect::<Vec<_>>());
            let drawn = fit_drawn(&case, &draw, &scene.points, links);
            let whole = case.fit(&scene.points, links);
            assert_eq!(drawn.labels(), whole.labels(), "{}", case.name);
            assert_eq!(drawn.link_report(), whole.link_report(), "{}", case.name);
            let labels = [&drawn, &whole].map(|model| model.predict(&unseen).unwrap());
            assert_eq!(labels[0], labels[1], "{}", case.name);
        }
    }
}

#[test]
fn linked_rows_are_predicted_as_the_report_says() {
    let scene = scenes::bent();
    for case in cases::all().iter().flat_map(|case| [case.obeying(), Case::clone(case)]) {
        let draw = case.method().draw(120, most(&case, 40), &scene.links).unwrap();
        let model = fit_drawn(&case, &draw, &scene.points, &scene.links);
        let labels = model.predict(&scene.points).unwrap();
        let (said, report) = (scene.links.report(&labels), model.link_report());
        assert_eq!(said.broken.len(), report.broken.len(), "{}", case.name);
        assert_eq!((said.must_kept, said.cannot_kept), (report.must_kept, report.cannot_kept));
        let broken: Vec<_> = report.broken.iter().map(|link| draw.in_rows(link)).collect();
        assert_eq!(said.broken, broken, "{}", case.name);
    }
}

#[test]
fn labels_do_not_depend_on_the_parts_that_points_come_in() {
    in_parts::<f64>();
    in_parts::<f32>();
}

fn in_parts<T: Real>() {
    let bent = scenes::bent();
    let unseen = datasets::moons(200, 0.2, 4).unwrap().cast::<T>().unwrap();
    let wide = scenes::wide();
    let scenes = [("bent", bent.cast::<T>(), &bent.links, unseen), {
        // Between the points of the scene, where predictions are in doubt.
        let points = wide.cast::<T>();
        let (n, d) = (points.n_points(), points.n_features());
        let value = |at: usize| {
            let (row, col) = (at / d, at % d);
            let other = points.row((row * 7 + 3) % n)[col];
            points.row(row)[col] * T::of(0.6) + other * T::of(0.4)
        };
        let between = (0..n * d).map(value).collect::<Vec<T>>();
        ("wide", points, &wide.links, Points::new(between, d).unwrap())
    }];
    check(Law::Parts, &cases::all(), |case| {
        for (name, points, links, unseen) in &scenes {
            let model = case.fit(points, links);
            let together = model.predict(unseen).unwrap();
            for size in [1, 7, 64] {
                let rows: Vec<usize> = (0..unseen.n_points()).collect();
                let part = |rows: &[usize]| model.predict(&unseen.select(rows)).unwrap();
                let parts: Vec<i64> = rows.chunks(size).flat_map(part).collect();
                same(&format!("labels of the {name} scene by {size}"), &together, &parts)?;
            }
            let slim = model.into_predictor().slim();
            same("labels by less", &together, &slim.predict(unseen).unwrap())?;
        }
        Ok(())
    });
}
