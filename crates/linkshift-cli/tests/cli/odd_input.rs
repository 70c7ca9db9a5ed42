//! Odd input that is not wrong: it works, and a note says what is odd.

use crate::common::{PATIENCE, Place, Run};
use serde_json::Value;
use std::time::Instant;

/// A good fit whose only note says all of `words`, and its summary.
fn noted(content: &str, args: &str, words: &[&str]) -> Value {
    let place = Place::new();
    place.write("data.csv", content);
    let Run { stdout, stderr, .. } =
        place.good(&format!("fit data.csv --method mean-shift --json {args}"));
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    assert!(stderr.starts_with("note: "), "{stderr}");
    for word in words {
        assert!(stderr.contains(word), "{word:?} is not in: {stderr}");
    }
    let summary: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(summary["notes"].as_array().unwrap().len(), 1);
    summary
}

#[test]
fn one_point_is_one_cluster() {
    let summary = noted("x,y\n1,2\n", "", &["only one point"]);
    assert_eq!((&summary["n_clusters"], &summary["n_noise"]), (&1.into(), &0.into()));
}

#[test]
fn equal_points_are_one_cluster() {
    for scale in ["none", "min-max", "z-score"] {
        let args = format!("--scale {scale}");
        let summary = noted("x,y\n1,2\n1,2\n1,2\n", &args, &["all 3 points are equal"]);
        assert_eq!(summary["n_clusters"], 1);
    }
}

#[test]
fn constant_columns_are_named() {
    let content = "x,same,y\n0,7,0\n0,7,1\n9,7,9\n9,7,8\n";
    for scale in ["none", "min-max", "z-score"] {
        let args = format!("--scale {scale} --set bandwidth=0.5");
        let summary = noted(content, &args, &["same value in every row", "\"same\""]);
        assert_eq!(summary["n_features"], 3);
    }
}

#[test]
fn odd_points_can_be_drawn() {
    let place = Place::new();
    for content in ["x,y\n1,2\n", "x\n1\n1\n", "a,b,c\n1,1,1\n1,1,1\n"] {
        place.write("data.csv", content);
        place.good("fit data.csv --method mean-shift --plot picture.svg");
        assert!(place.read("picture.svg").starts_with("<svg"));
    }
}

#[test]
fn a_million_duplicates_are_quick() {
    let place = Place::new();
    let rows = ["0,0\n", "10,10\n", "0,10\n", "10,0\n"].concat();
    place.write("data.csv", format!("x,y\n{}", rows.repeat(250_000)));
    let started = Instant::now();
    let fit = "fit data.csv --method mean-shift --set bandwidth=1 --json -o labels.npy";
    let summary: Value = serde_json::from_str(&place.good(fit).stdout).unwrap();
    assert_eq!(summary["cluster_sizes"], serde_json::json!([250_000, 250_000, 250_000, 250_000]));
    // It takes about a second, most of it reading; a quadratic step would take hours.
    assert!(started.elapsed() < PATIENCE, "{:?}", started.elapsed());
}

#[test]
fn running_out_of_iterations_is_said() {
    let content = "x\n0\n1\n2\n3\n4\n";
    let args = "--set max_iter=1 --set bandwidth=2";
    let summary = noted(content, args, &["not converged after 1 iterations", "max_iter"]);
    assert_eq!(summary["converged"], false);
}

#[test]
fn rows_without_a_class_are_not_scored() {
    let content = "x,class\n0,a\n0.1,\n9,b\n9.1,b\n";
    let args = "--label-column class --set bandwidth=1";
    let summary = noted(content, args, &["3 of 4 points"]);
    assert_eq!(summary["scores"]["ari"], 1.0);
}
