//! A point of weight 2 is a point that is there twice.

use crate::cases::{self, Law, check, same};
use crate::scenes;

#[test]
fn a_weight_of_two_is_a_point_twice() {
    let scenes = [scenes::clear(), scenes::bent()];
    check(Law::Weights, &cases::all(), |case| {
        for scene in &scenes {
            let n = scene.points.n_points();
            // Links name one row each; of a row that is there twice they would miss the other.
            let is_linked = |row: usize| scene.links.iter().any(|it| it.a == row || it.b == row);
            let doubled: Vec<usize> = (0..n).filter(|&row| !is_linked(row)).step_by(3).collect();
            let rows: Vec<usize> = (0..n).chain(doubled.iter().copied()).collect();
            let weight = |row: usize| if doubled.contains(&row) { 2.0 } else { 1.0 };
            let weights: Vec<f64> = (0..n).map(weight).collect();
            let weighted = scene.points.clone().with_weights(weights).unwrap();
            let once = case.fit(&weighted, &scene.links);
            let twice = case.fit(&scene.points.select(&rows), &scene.links);
            same("labels", &once.labels(), &&twice.labels()[..n])?;
        }
        Ok(())
    });
}

#[test]
fn equal_weights_change_nothing() {
    let scene = scenes::bent();
    let weighted = scene.points.clone().with_weights(vec![2.0; 120]).unwrap();
    check(Law::EqualWeights, &cases::all(), |case| {
        let plain = case.fit(&scene.points, &scene.links);
        same("labels", &plain.labels(), &case.fit(&weighted, &scene.links).labels())
    });
}
