//! `linkshift fit` on good input.

use crate::common::Place;
use serde_json::{Value, json};

const TWO_PAIRS: &str = "id,x,y,class\nann,0,0,u\nbob,0.1,0,u\ncy,5,5,v\ndan,5.1,5,v\n";

fn two_pairs() -> Place {
    let place = Place::new();
    place.write("data.csv", TWO_PAIRS);
    place
}

const FIT: &str = "fit data.csv --method mean-shift --id-column id --label-column class \
                   --set bandwidth=1";

fn json_of(place: &Place, args: &str) -> Value {
    serde_json::from_str(&place.good(args).stdout).unwrap()
}

#[test]
fn labels_are_written_with_their_ids() {
    let place = two_pairs();
    let run = place.good(&format!("{FIT} -o labels.csv --plot picture.png"));
    assert_eq!(place.read("labels.csv"), "id,label\nann,0\nbob,0\ncy,1\ndan,1\n");
    assert!(std::fs::read(place.path().join("picture.png")).unwrap().starts_with(b"\x89PNG"));
    for word in ["4 × 2", "2 (sizes 2, 2)", "converged", "ARI 1.000", "labels.csv", "picture.png"]
    {
        assert!(run.stdout.contains(word), "{word:?} is not in:\n{}", run.stdout);
    }
    assert_eq!(run.stderr, "", "no progress bar unless at a terminal");
}

#[test]
fn without_an_output_the_summary_says_how_to_get_one() {
    let run = two_pairs().good(FIT);
    assert!(run.stdout.contains("add -o labels.csv"), "{}", run.stdout);
}

#[test]
fn labels_on_standard_output_stand_alone() {
    let run = two_pairs().good(&format!("{FIT} -o -"));
    assert_eq!(run.stdout, "id,label\nann,0\nbob,0\ncy,1\ndan,1\n");
    assert!(run.stderr.contains("sizes 2, 2"), "{}", run.stderr);
}

#[test]
fn the_json_summary_has_its_keys() {
    let place = two_pairs();
    place.write("links.csv", "a,b,kind\nann,bob,cannot\nann,cy,must\nbob,dan,cannot\n");
    let summary = json_of(
        &place,
        &format!("{FIT} --links links.csv --set obey=as-found --json -o labels.parquet"),
    );
    assert_eq!(summary.as_object().unwrap().keys().next().unwrap(), "schema");
    let expected = [
        ("schema", json!(3)),
        ("command", json!("fit")),
        ("method", json!("mean-shift")),
        ("settings", json!({ "bandwidth": 1, "obey": "as-found" })),
        ("n_points", json!(4)),
        ("n_features", json!(2)),
        ("n_clusters", json!(2)),
        ("cluster_sizes", json!([2, 2])),
        ("n_noise", json!(0)),
        ("converged", json!(true)),
        ("details", json!({ "bandwidth": 1.0, "kernel": "truncated" })),
        ("links_used", json!(false)),
        ("files", json!({ "labels": "labels.parquet" })),
    ];
    for (key, value) in expected {
        assert_eq!(summary[key], value, "{key}");
    }
    assert!(summary["n_iter"].as_u64().unwrap() >= 1);
    assert!(summary["seconds"].as_f64().unwrap() >= 0.0);
    let links = json!({
        "n_must": 1,
        "n_cannot": 2,
        "n_must_kept": 0,
        "n_cannot_kept": 1,
        "share_kept": 1.0 / 3.0,
        "broken": [
            { "a": "ann", "b": "bob", "kind": "cannot", "confidence": 1.0 },
            { "a": "ann", "b": "cy", "kind": "must", "confidence": 1.0 },
        ],
    });
    assert_eq!(summary["links"], links);
    assert_eq!(summary["notes"][0]["kind"], "links-unused");
    assert_eq!(summary["scores"]["n_scored"], 4);
    // Equal partitions: every score is 1 by definition.
    for score in ["ari", "nmi", "nmi_geometric", "ri", "accuracy"] {
        assert_eq!(summary["scores"][score], 1.0, "{score}");
    }
}

#[test]
fn without_truth_there_are_no_scores() {
    let summary = json_of(&two_pairs(), "fit data.csv --method mean-shift --columns x,y --json");
    assert_eq!(summary["scores"], Value::Null);
    assert_eq!(summary["links"]["n_must"], 0);
}

#[test]
fn mean_shift_says_that_it_does_not_use_links() {
    let place = two_pairs();
    place.write("links.csv", "ann,cy,must\n");
    let run = place.good(&format!("{FIT} --links links.csv --set obey=as-found"));
    assert!(run.stdout.contains("not used; 0 of 1 must-links"), "{}", run.stdout);
    assert!(run.stdout.contains("broken: must ann–cy"), "{}", run.stdout);
    assert!(run.stderr.contains("note: mean-shift itself does not use links"), "{}", run.stderr);
}

#[test]
fn certain_links_are_kept_by_moving_points_and_that_is_said() {
    let place = two_pairs();
    place.write("links.csv", "ann,cy,must\n");
    let run = place.good(&format!("{FIT} --links links.csv"));
    assert!(run.stdout.contains("1 of 1 must-links"), "{}", run.stdout);
    assert!(run.stderr.contains("1 point was moved"), "{}", run.stderr);
    let summary = json_of(&place, &format!("{FIT} --links links.csv --json"));
    assert_eq!(summary["n_moved"], 1);
}

#[test]
fn every_format_of_points_gives_the_same_labels() {
    let place = Place::new();
    let mut seen = Vec::new();
    for name in ["p.csv", "p.csv.gz", "p.tsv", "p.parquet", "p.arrow"] {
        place.good(&format!("make blobs -n 60 -o {name}"));
        let run = place.good(&format!("fit {name} --label-column label --method mean-shift -o -"));
        seen.push(run.stdout);
    }
    place.good("make blobs -n 60 -o p.npy --labels classes.csv");
    seen.push(place.good("fit p.npy --method mean-shift -o -").stdout);
    assert_eq!(seen[0].lines().count(), 61);
    assert!(seen.iter().all(|labels| *labels == seen[0]));
}

#[test]
fn points_come_from_standard_input_too() {
    let place = two_pairs();
    let data = std::fs::File::open(place.path().join("data.csv")).unwrap();
    let args = "fit - --method mean-shift --columns x,y --set bandwidth=1 -o -";
    let output = place.command(args).stdin(data).output().unwrap();
    assert_eq!(output.stdout, b"label\n0\n0\n1\n1\n");
}

#[test]
fn text_without_a_header_and_with_any_delimiter_is_read() {
    let place = Place::new();
    place.write("data.txt", "0;0\n0;1\n9;9\n");
    let args = "fit data.txt --no-header --delimiter ; --method mean-shift --set bandwidth=2 -o -";
    assert_eq!(place.good(args).stdout, "label\n0\n0\n1\n");
}

#[test]
fn threads_and_number_types_do_not_change_the_labels() {
    let place = Place::new();
    place.good("make blobs -n 2000 --seed 3 -o data.csv");
    let fit = "fit data.csv --label-column label --method mean-shift -o -";
    let one = place.good(&format!("{fit} --threads 1")).stdout;
    for args in ["--threads 2", "--threads 7", "--dtype f32"] {
        assert_eq!(place.good(&format!("{fit} {args}")).stdout, one, "{args}");
    }
}

#[test]
fn every_kernel_rule_and_preset_runs() {
    let place = two_pairs();
    let fit = "fit data.csv --columns x,y --method mean-shift -o -";
    let settings = [
        "bandwidth=1 --set kernel=ball",
        "bandwidth=1 --set kernel=rbf",
        "bandwidth=1 --set kernel=truncated --set cut=0.1",
        "bandwidth=1 --set kernel=gaussian",
        "bandwidth=1 --set labels=nearest",
        "bandwidth=1 --set blurring=true",
        "bandwidth=1 --set bin_seeding=true --set min_bin_freq=1",
        "bandwidth=1 --set preset=scikit-learn",
        "bandwidth=neighbors --set alpha=0.5 --set cluster_all=false",
        "bandwidth=per-point --set k=1",
        "percentile=10 --set max_iter=50 --set tolerance=0.01 --set merge_tolerance=0",
    ];
    for setting in settings {
        let run = place.good(&format!("{fit} --set {setting}"));
        assert_eq!(run.stdout, "label\n0\n0\n1\n1\n", "{setting}");
    }
    // Silverman's rule smooths four points into one cluster.
    assert!(place.good(&format!("{fit} --set bandwidth=silverman")).stdout.starts_with("label\n0"));
}

#[test]
fn scaling_makes_columns_comparable() {
    let place = Place::new();
    // The second column tells the pairs apart but is drowned by the first, which is chance.
    place.write("data.csv", "grams,tonnes\n0,0\n900,0.01\n450,1\n500,0.99\n");
    let fit = "fit data.csv --method mean-shift --set bandwidth=0.6 --set kernel=gaussian -o -";
    let unscaled = place.good(fit).stdout;
    assert_eq!(unscaled, "label\n0\n1\n2\n3\n");
    let scaled = place.good(&format!("{fit} --scale min-max")).stdout;
    assert_ne!(scaled, unscaled);
}

#[test]
fn weights_are_read_and_checked() {
    let place = Place::new();
    place.write("data.csv", "x,w\n0,1\n1,9\n");
    let args = "fit data.csv --method mean-shift --set bandwidth=1.5 --set kernel=ball";
    place.good(&format!("{args} --weight-column w"));
    place.write("data.csv", "x,w\n0,1\n1,-9\n");
    let run = place.run(&format!("{args} --weight-column w"));
    run.is_refused(&["data.csv, line 3", "column \"w\"", "the weight is -9"]);
}

#[test]
fn points_of_many_columns_are_drawn_by_their_neighbours_and_few_by_their_components() {
    let place = Place::new();
    for (n, says) in [(100, "map by neighbours"), (20, "component 1")] {
        place.good(&format!("make blobs -n {n} --dimensions 5 -o data.csv"));
        place.good("fit data.csv --label-column label --method mean-shift --plot picture.svg");
        assert!(place.read("picture.svg").contains(says), "{n}");
    }
}

#[test]
fn every_relative_of_k_means_keeps_the_links_it_is_given() {
    let place = two_pairs();
    // By distance ann and bob belong together; the links say otherwise.
    place.write("links.csv", "a,b,kind\nann,bob,cannot\nbob,cy,must\nbob,dan,must\n");
    for method in [
        "cop",
        "pck --set penalty=100",
        "mpck --set penalty=100",
        "pcck --set penalty=100",
        "ampcc --set penalty=100",
    ] {
        let args = format!(
            "fit data.csv --method {method} -k 2 --id-column id --columns x,y --links links.csv -o -"
        );
        let run = place.good(&args);
        assert_eq!(run.stdout, "id,label\nann,0\nbob,1\ncy,1\ndan,1\n", "{method}");
    }
    let run = place.good("fit data.csv --method kmeans --clusters 2 --columns x,y -o -");
    assert_eq!(run.stdout, "label\n0\n0\n1\n1\n");
}

#[test]
fn the_number_of_clusters_is_asked_for_where_it_is_needed() {
    let place = two_pairs();
    let run = place.run("fit data.csv --method pck --columns x,y");
    run.is_refused(&["pck must be told the number of clusters", "-k"]);
    let run = place.run("fit data.csv --method kmeans --columns x,y -k 5");
    run.is_refused(&["-k 5", "only 4 points"]);
}

#[test]
fn cop_names_the_links_that_block_each_other() {
    let place = two_pairs();
    place.write("links.csv", "a,b,kind\nann,bob,cannot\nbob,cy,cannot\nann,cy,cannot\n");
    let run = place.run(
        "fit data.csv --method cop -k 2 --id-column id --columns x,y --links links.csv -o out.csv",
    );
    run.is_refused(&["no assignment to 2 clusters", "3 groups", "ask for more clusters"]);
    assert!(!place.path().join("out.csv").exists());
}

#[test]
fn of_contradicting_links_the_weakest_is_dropped_and_listed_if_asked() {
    let place = two_pairs();
    place.write("links.csv", "ann,bob,must\nbob,cy,must\nann,cy,cannot\n");
    let fit = "fit data.csv --method cms --id-column id --label-column class --links links.csv";
    let run = place.good(&format!("{fit} --contradictions drop-weakest"));
    assert!(run.stdout.contains("dropped: must bob–cy"), "{}", run.stdout);
    let summary = json_of(&place, &format!("{fit} --contradictions drop-weakest --json"));
    let dropped = json!([{ "a": "bob", "b": "cy", "kind": "must", "confidence": 1.0 }]);
    assert_eq!(summary["dropped_links"], dropped);
    assert_eq!(summary["links"]["broken"], json!([]));
}

#[test]
fn a_doubtful_link_contradicts_nothing_in_cms() {
    let place = two_pairs();
    place.write("links.csv", "ann,bob,must\nann,bob,cannot,0.3\nann,cy,cannot\n");
    let fit = "fit data.csv --method cms --id-column id --label-column class --links links.csv";
    let summary = json_of(&place, &format!("{fit} --json"));
    let broken = json!([{ "a": "ann", "b": "bob", "kind": "cannot", "confidence": 0.3 }]);
    assert_eq!(summary["links"]["broken"], broken);
}

#[test]
fn rows_of_length_one_are_compared_by_their_angle() {
    let place = Place::new();
    place.write("data.csv", "x,y\n1,0\n9,0.1\n0,2\n0.1,50\n");
    place.good("fit data.csv --method mean-shift --scale unit --set bandwidth=0.5 -o labels.csv");
    assert_eq!(place.read("labels.csv"), "label\n0\n0\n1\n1\n");
}
