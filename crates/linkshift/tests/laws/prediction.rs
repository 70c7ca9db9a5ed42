//! What a model says of points: of those it was fitted on, and of others.

use crate::cases::{self, Law, check, same};
use crate::scenes;
use linkshift::{Links, Points, Real, datasets};

#[test]
fn fitted_points_are_predicted_as_they_were_labelled() {
    let scenes = [("clear", scenes::clear()), ("bent", scenes::bent()), ("wide", scenes::wide())];
    check(Law::FittedArePredicted, &cases::all(), |case| {
        for (name, scene) in &scenes {
            for links in [&Links::new(), &scene.links] {
                let model = case.fit(&scene.points, links);
                let found = model.predict(&scene.points).unwrap();
                same(&format!("labels of the {name} scene"), &model.labels(), &&found[..])?;
                let model = case.fit(&scene.cast::<f32>(), links);
                let found = model.predict(&scene.cast::<f32>()).unwrap();
                same(&format!("labels of the {name} scene in f32"), &model.labels(), &&found[..])?;
            }
        }
        Ok(())
    });
}

#[test]
fn what_is_left_of_a_model_predicts_like_the_model() {
    in_type::<f64>();
    in_type::<f32>();
}

fn in_type<T: Real>() {
    let scene = scenes::bent();
    let seen = scene.cast::<T>();
    let unseen = datasets::moons(80, 0.15, 4).unwrap().cast::<T>().unwrap();
    let rename = |label: i64| if label < 0 { -1 } else { label + 10 };
    for case in cases::all() {
        let name = &case.name;
        let mut model = case.fit(&seen, &scene.links);
        let predicted = [&seen, &unseen].map(|points| model.predict(points).unwrap());
        let mut predictor = model.clone().into_predictor();
        predictor.check().unwrap();
        for (points, labels) in [&seen, &unseen].into_iter().zip(&predicted) {
            assert_eq!(&predictor.predict(points).unwrap(), labels, "{name}");
            let in_range = |&label: &i64| (-1..model.n_clusters() as i64).contains(&label);
            assert!(labels.iter().all(in_range), "{name}");
        }
        let wide = Points::new(vec![T::one(); 3 * 500], 500).unwrap();
        assert!(predictor.predict(&wide).is_err() && model.predict(&wide).is_err(), "{name}");

        let renamed: Vec<i64> = predicted[1].iter().copied().map(rename).collect();
        predictor.relabel(rename);
        assert_eq!(predictor.predict(&unseen).unwrap(), renamed, "{name}");
        model.relabel(rename);
        assert_eq!(model.predict(&unseen).unwrap(), renamed, "{name}");
    }
}

/// Prediction looks at one point at a time, so company changes nothing.
#[test]
fn a_point_is_predicted_alone_as_in_company() {
    let scene = scenes::bent();
    let unseen = datasets::moons(40, 0.15, 4).unwrap().points;
    for case in cases::all() {
        let model = case.fit(&scene.points, &scene.links);
        let together = model.predict(&unseen).unwrap();
        for row in [0, 13, 39] {
            let alone = model.predict(&unseen.select(&[row])).unwrap();
            assert_eq!(alone[0], together[row], "{} row {row}", case.name);
        }
    }
}
