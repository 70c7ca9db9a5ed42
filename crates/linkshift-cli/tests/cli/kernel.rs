//! Kernel mean shift: similarities from a file, and the picture of distances.

use crate::common::Place;

/// Similarities of four points in two pairs.
const PAIRS: &str = "1,0.9,0,0\n0.9,1,0,0\n0,0,1,0.9\n0,0,0.9,1\n";

#[test]
fn similarities_come_from_a_file() {
    let place = Place::new();
    place.write("k.csv", PAIRS);
    let fit = "fit k.csv --no-header --method kernel --precomputed --set k=1 -o -";
    assert_eq!(place.good(fit).stdout, "label\n0\n0\n1\n1\n");
    place.write("links.csv", "0,2,must\n");
    let run = place.good(&format!("{fit} --links links.csv"));
    let labels: Vec<&str> = run.stdout.lines().skip(1).collect();
    assert_eq!(labels[0], labels[2]);
}

#[test]
fn matrices_that_are_no_similarities_are_refused() {
    let place = Place::new();
    let fit = "fit k.csv --no-header --method kernel --precomputed";
    place.write("k.csv", "1,0\n0,1\n0,0\n");
    place.run(fit).is_refused(&["3 × 2", "square"]);
    place.write("k.csv", "1,0.5\n0.1,1\n");
    place.run(fit).is_refused(&["not symmetric", "row 1, column 0"]);
    place.write("k.csv", "1,2\n2,1\n");
    place.run(fit).is_refused(&["not positive semi-definite", "repair"]);
    place.good(&format!("{fit} --set repair=true"));
    place.run(&format!("{fit} --scale min-max")).is_refused(&["--scale", "--precomputed"]);
}

#[test]
fn histograms_have_nothing_negative() {
    let place = Place::new();
    place.write("data.csv", "x,y\n1,2\n3,-4\n");
    place
        .run("fit data.csv --method kernel --set kernel=chi2")
        .is_refused(&["row 1, column 1", "chi2"]);
}

#[test]
fn distances_are_drawn() {
    let place = Place::new();
    place.good("make blobs -n 60 -o data.csv");
    for name in ["d.svg", "d.png"] {
        place.good(&format!(
            "fit data.csv --label-column label --method kernel --plot-distances {name}"
        ));
        assert!(place.path().join(name).exists(), "{name}");
    }
    assert!(place.read("d.svg").contains("between modes"));
    place
        .run("fit data.csv --method mean-shift --plot-distances d.svg")
        .is_refused(&["--plot-distances", "--method kernel"]);
}
