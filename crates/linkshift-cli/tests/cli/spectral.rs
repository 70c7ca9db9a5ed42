//! Spectral clustering after mean shift, its relatives, and pictures of affinities.

use crate::common::Place;
use serde_json::{Value, json};

/// Three pairs on a line, the last two nearer to each other.
fn three_pairs() -> Place {
    let place = Place::new();
    place.write("data.csv", "x\n0\n0.1\n5\n5.1\n8\n8.1\n");
    place
}

fn labels_of(place: &Place, args: &str) -> Vec<i64> {
    place.good(&format!("fit data.csv {args} -o labels.csv"));
    place
        .read("labels.csv")
        .lines()
        .skip(1)
        .map(|line| line.rsplit(',').next().unwrap().parse().unwrap())
        .collect()
}

#[test]
fn the_number_of_clusters_is_told_or_found() {
    let place = three_pairs();
    let method = "--method spectral --set bandwidth=1 --set bandwidth_factor=1";
    assert_eq!(labels_of(&place, &format!("{method} -k 2")), [0, 0, 1, 1, 1, 1]);
    let run = place.good(&format!("fit data.csv {method} --json"));
    let summary: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(summary["details"]["n_modes"], json!(3));
    assert_eq!(summary["details"]["n_clusters_found"], summary["n_clusters"]);
    assert!(
        ["clear", "likely", "doubtful"]
            .contains(&summary["details"]["certainty"].as_str().unwrap())
    );
}

#[test]
fn links_decide() {
    let place = three_pairs();
    place.write("links.csv", "a,b,kind\n0,2,must\n2,4,cannot\n");
    let links = "--links links.csv";
    let spectral = "--method spectral --set bandwidth=1 --set bandwidth_factor=1 -k 2";
    assert_eq!(labels_of(&place, &format!("{spectral} {links}")), [0, 0, 0, 0, 1, 1]);
    let cdbscan = "--method cdbscan --set eps=4 --set min_points=2";
    assert_eq!(labels_of(&place, cdbscan), [0, 0, 1, 1, 1, 1]);
    assert_eq!(labels_of(&place, &format!("{cdbscan} {links}")), [0, 0, 0, 0, 1, 1]);
    let constrained = "--method constrained-spectral -k 2 --set bandwidth=2";
    let labels = labels_of(&place, &format!("{constrained} {links}"));
    assert!(labels[0] == labels[2] && labels[2] != labels[4], "{labels:?}");
}

#[test]
fn routes_that_do_not_listen_say_so() {
    let place = three_pairs();
    place.write("links.csv", "a,b,kind\n0,2,must\n");
    let run =
        place.good("fit data.csv --method spectral --set route=embedding -k 2 --links links.csv");
    assert!(run.stderr.contains("does not listen to links"), "{}", run.stderr);
}

#[test]
fn affinities_are_drawn_before_and_after() {
    let place = three_pairs();
    let run = place.good("affinity data.csv -k 2 --plot matrix.svg");
    assert!(run.stdout.starts_with("6 points, "), "{}", run.stdout);
    let svg = place.read("matrix.svg");
    assert!(svg.contains("before: 6 points") && svg.contains("after: "), "{svg}");
    place.good("affinity data.csv --set bandwidth=0.5 --plot matrix.png");
}

#[test]
fn what_cannot_be_is_refused() {
    let place = three_pairs();
    place
        .run("fit data.csv --method constrained-spectral")
        .is_refused(&["must be told the number of clusters", "add -k 3"]);
    place.run("fit data.csv --method spectral -k 7").is_refused(&["only 6 points"]);
    place
        .run("fit data.csv --method spectral -k 3 --set route=second-vector")
        .is_refused(&["n_clusters = 3"]);
    place.run("fit data.csv --method cdbscan --set eps=0").is_refused(&["eps = 0"]);
    place.run("fit data.csv --method cdbscan -k 2").is_refused(&["leave -k out"]);
    place.run("affinity data.csv --plot matrix.txt").is_refused(&[".svg or .png"]);
    place.run("affinity data.csv -k 9 --plot matrix.svg").is_refused(&["only 6 points"]);
}
