//! `linkshift fit --stream`.

use crate::common::Place;
use serde_json::{Value, json};

const FIT: &str = "fit data.parquet --method boosted --label-column label --set cell_size=100";

fn moons() -> Place {
    let place = Place::new();
    place.good("make moons -n 3000 --noise 0.1 --seed 3 -o data.parquet");
    place
}

/// Clusters numbered by their first row.
fn renumbered(labels: &str) -> Vec<usize> {
    let mut known: Vec<&str> = Vec::new();
    let number = |label| {
        let at = known.iter().position(|seen| *seen == label);
        at.unwrap_or_else(|| {
            known.push(label);
            known.len() - 1
        })
    };
    labels.lines().skip(1).map(number).collect()
}

#[test]
fn a_stream_gives_the_clusters_of_a_fit() {
    let place = moons();
    place.good("links draw data.parquet --label-column label -n 60 -o links.csv");
    for links in ["", "--links links.csv"] {
        place.good(&format!("{FIT} {links} -o whole.csv"));
        let stream = format!("{FIT} {links} -o streamed.csv --stream --model m.model --json");
        let run = place.good(&stream);
        // Another path; clusters of a stream are numbered by the rows that were drawn.
        assert_eq!(renumbered(&place.read("streamed.csv")), renumbered(&place.read("whole.csv")));
        let summary: Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(summary["n_points"], json!(3000));
        assert!(summary["n_drawn"].as_u64().unwrap() >= 900, "{summary}");
        assert_eq!(summary["links"]["broken"], json!([]));
        let sizes: u64 = summary["cluster_sizes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|size| size.as_u64().unwrap())
            .sum();
        assert_eq!(sizes, 3000);
        assert!(run.stderr.contains("900 of the 3000 points"), "{}", run.stderr);
        place.good("predict m.model data.parquet -o predicted.csv");
        assert_eq!(place.read("predicted.csv"), place.read("streamed.csv"));
    }
}

#[test]
fn every_method_and_every_format_streams() {
    let place = moons();
    place.good("make moons -n 3000 --noise 0.1 --seed 3 -o data.csv");
    place.good("make moons -n 3000 --noise 0.1 --seed 3 -o data.arrow");
    place.good("links draw data.parquet --label-column label -n 40 -o links.csv");
    for method in ["cms", "boosted", "kmeans -k 2", "mean-shift", "spectral", "auto"] {
        let draw = if method == "boosted" { "--set cell_size=100" } else { "--draw 300" };
        let options =
            format!("--label-column label --method {method} {draw} --links links.csv --stream");
        place.good(&format!("fit data.parquet {options} -o parquet.csv"));
        place.good(&format!("fit data.csv {options} -o csv.csv"));
        place.good(&format!("fit data.arrow {options} -o arrow.csv --threads 1"));
        assert_eq!(place.read("parquet.csv"), place.read("csv.csv"), "{method}");
        assert_eq!(place.read("parquet.csv"), place.read("arrow.csv"), "{method}");
    }
}

#[test]
fn many_files_are_one_table_and_links_name_ids_across_them() {
    let place = Place::new();
    let line = |at: usize| format!("r{at},{},{}\n", at % 2 * 9 + at % 7, at % 5);
    let part = |rows: std::ops::Range<usize>| {
        rows.map(line).fold("id,x,y\n".to_owned(), |text, line| text + &line)
    };
    place.write("all.csv", part(0..40));
    place.write("part-1.csv", part(0..15));
    place.write("part-2.csv", part(15..40));
    place.write("links.csv", "r3,r30,cannot\nr2,r38,must\n");
    let options = "--id-column id --links links.csv --method cms --stream --json";
    place.good(&format!("fit all.csv {options} -o all-labels.csv"));
    let run = place.good(&format!("fit part-*.csv {options} -o parts-labels.csv"));
    assert_eq!(place.read("all-labels.csv"), place.read("parts-labels.csv"));
    let summary: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(summary["links"]["n_must_kept"], json!(1));
    place.write("links.csv", "r3,r99,cannot\n");
    let unknown = format!("fit part-*.csv {options} -o parts-labels.csv");
    place.run(&unknown).is_refused(&["links.csv", "r99"]);
    place.write("links.csv", "r3,r30,cannot\nr3,r30,must\n");
    place.run(&unknown).is_refused(&["links.csv", "contradict", "r3", "r30"]);
    place.run("fit nobody-*.csv --stream -o l.csv").is_refused(&["nobody-*.csv", "no file"]);
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
    place.write("hole.csv", "x,y\n0,0\n1,1\n2,\n");
    place.good("make blobs -n 60 -o data.npy --labels classes.csv");
    let before = place.listing();
    let npy = "fit data.npy --stream -o labels.csv";
    place.run(npy).is_refused(&["data.npy", ".parquet"]);
    let hole = "fit hole.csv --stream -o labels.csv";
    place.run(hole).is_refused(&["hole.csv", "line 4"]);
    let draw = "fit data.parquet --method boosted --draw 10 --stream -o labels.csv";
    place.run(draw).is_refused(&["cell_size"]);
    assert_eq!(place.run(&format!("{FIT} --stream")).code, Some(2));
    assert_eq!(place.run(&format!("{FIT} --stream -o l.csv --plot p.png")).code, Some(2));
    assert_eq!(place.run(&format!("{FIT} --draw 10 -o l.csv")).code, Some(2));
    assert!(place.listing() == before);
}
