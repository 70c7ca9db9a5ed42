//! `linkshift fit --stream`.

use crate::common::Place;
use serde_json::{Value, json};

const FIT: &str = "fit data.parquet --method boosted --label-column label --set cell_size=100";

fn moons() -> Place {
    let place = Place::new();
    place.good("make moons -n 3000 --noise 0.1 --seed 3 -o data.parquet");
    place
}

#[test]
fn a_stream_gives_the_labels_of_a_fit() {
    let place = moons();
    place.good(&format!("{FIT} -o whole.csv"));
    let run = place.good(&format!("{FIT} -o streamed.csv --stream --json"));
    assert_eq!(place.read("streamed.csv"), place.read("whole.csv"));
    let summary: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(summary["n_points"], json!(3000));
    let sizes: u64 = summary["cluster_sizes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|size| size.as_u64().unwrap())
        .sum();
    assert_eq!(sizes, 3000);
    assert!(run.stderr.contains("900 of the 3000 points"), "{}", run.stderr);
}

#[test]
fn a_stream_scales_by_what_it_keeps() {
    let place = moons();
    let run = place.good(&format!("{FIT} --scale z-score --stream -o labels.parquet"));
    assert!(run.stderr.contains("the scale is that of"), "{}", run.stderr);
    let scores = place.good("score labels.parquet data.parquet").stdout;
    assert!(scores.contains("3000 with a class, of 3000"), "{scores}");
}

#[test]
fn what_cannot_be_streamed_is_refused_and_leaves_nothing() {
    let place = moons();
    place.write("data.csv", "x,y\n0,0\n1,1\n");
    let before = place.listing();
    let csv = "fit data.csv --method boosted --stream -o labels.csv";
    place.run(csv).is_refused(&["data.csv", "Parquet"]);
    let other = "fit data.parquet --method mean-shift --stream -o labels.csv";
    place.run(other).is_refused(&["--stream", "--method boosted"]);
    assert_eq!(place.run(&format!("{FIT} --stream")).code, Some(2));
    assert_eq!(place.run(&format!("{FIT} --stream -o l.csv --plot p.png")).code, Some(2));
    assert!(place.listing() == before);
}
