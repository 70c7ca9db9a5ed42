//! `linkshift fit --model` and `linkshift predict`.

use crate::common::Place;
use serde_json::Value;
use std::fs;

/// Two groups of four, with ids and classes.
const DATA: &str = "id,x,y,class\na,0,0,u\nb,100,0.1,u\nc,0,0.2,u\nd,100,0.1,u\n\
                    e,900,5,v\nf,1000,5.1,v\ng,900,5.2,v\nh,1000,5.1,v\n";
const LINKS: &str = "a,b,kind\na,e,cannot\nb,f,cannot\na,d,must\n";
const FIT: &str = "fit data.csv --id-column id --label-column class --scale min-max";

/// Every method, with what it takes to find the two groups.
const METHODS: &[&str] = &[
    "mean-shift --set bandwidth=0.5",
    "mean-shift --set bandwidth=0.5 --set blurring=true",
    "mean-shift --set bandwidth=per-point --set k=3",
    "mean-shift --set bandwidth=0.5 --set labels=nearest --set cluster_all=false",
    "cms",
    "cms --set blurring=true",
    "cms --set representatives=6",
    "boosted",
    "kernel",
    "kernel --set kernel=polynomial",
    "kernel --set representatives=6",
    "kmeans -k 2",
    "cop -k 2",
    "pck -k 2",
    "mpck -k 2",
    "mpck -k 2 --set metric=full --set shared=false",
    "pcck -k 2",
    "ampcc -k 2",
    "spectral",
    "spectral --set representatives=6",
    "constrained-spectral -k 2",
    "cdbscan --set eps=0.6 --set min_points=2",
];

fn groups() -> Place {
    let place = Place::new();
    place.write("data.csv", DATA);
    place.write("links.csv", LINKS);
    place
}

/// With a model of the two groups in `m.model`.
fn with_model() -> Place {
    let place = groups();
    place.good(&format!("{FIT} --method cms --links links.csv --model m.model"));
    place
}

fn bytes_of(place: &Place) -> Vec<u8> {
    fs::read(place.path().join("m.model")).unwrap()
}

#[test]
fn every_method_labels_its_own_rows_as_it_did() {
    let place = groups();
    for method in METHODS {
        for dtype in ["f64", "f32"] {
            let links = if method.starts_with("kernel") { "" } else { "--links links.csv" };
            place.good(&format!(
                "{FIT} --method {method} {links} --dtype {dtype} -o fitted.csv --model m.model"
            ));
            place.good("predict m.model data.csv -o again.csv");
            assert_eq!(place.read("again.csv"), place.read("fitted.csv"), "{method} {dtype}");
        }
    }
}

#[test]
fn new_rows_go_the_way_of_the_old() {
    let place = with_model();
    // In another order of columns, with one that plays no part; units as in the fit.
    place.write("new.csv", "note,y,id,x\nnear,5.0,p,950\nnear,0.1,q,50\n");
    place.good("predict m.model new.csv -o labels.csv --plot new.svg");
    assert_eq!(place.read("labels.csv"), "id,label\np,1\nq,0\n");
    assert!(place.read("new.svg").contains("<svg"));
    let run = place.good("predict m.model new.csv -o -");
    assert_eq!(run.stdout, "id,label\np,1\nq,0\n");

    place.write("nameless.csv", "x,y\n950,5\n");
    place.good("predict m.model nameless.csv -o labels.npy");
    let run = place.good("predict m.model nameless.csv");
    assert!(run.stdout.contains("add -o labels.csv"), "{}", run.stdout);
}

#[test]
fn the_summary_tells_and_scores() {
    let place = with_model();
    let run = place.good("predict m.model data.csv --label-column class --json");
    let summary: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(summary["method"], "cms");
    assert_eq!(summary["n_points"], 8);
    assert_eq!(summary["cluster_sizes"], serde_json::json!([4, 4]));
    assert_eq!(summary["scores"]["ari"], 1.0);
}

#[test]
fn rows_without_a_class_are_left_out_of_the_scores_and_noted() {
    let place = with_model();
    place.write("data.csv", DATA.replacen("100,0.1,u", "100,0.1,", 1));
    let run = place.good("predict m.model data.csv --label-column class --json");
    let summary: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(
        (&summary["scores"]["ari"], &summary["scores"]["n_scored"]),
        (&1.0.into(), &7.into())
    );
    assert_eq!(summary["notes"][0]["kind"], "partly-scored");
    assert!(run.stderr.contains("7 of 8 points"), "{}", run.stderr);
    // `score` counts the same rows.
    place.good("predict m.model data.csv --columns x,y -o labels.csv");
    let run = place.good("score labels.csv data.csv --truth-column class --json");
    let scores: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(scores["scores"], summary["scores"]);
}

#[test]
fn columns_that_do_not_match_are_named() {
    let place = with_model();
    place.write("new.csv", "x,z\n1,2\n");
    place.run("predict m.model new.csv").is_refused(&["new.csv", "\"y\"", "x, y", "--columns"]);
    place.good("predict m.model new.csv --columns x,z -o labels.csv");
    place.run("predict m.model new.csv --columns x").is_refused(&["1 columns", "2: x, y"]);
    place.run("predict m.model new.csv --columns x,q").is_refused(&["\"q\""]);
}

#[test]
fn new_rows_must_be_rows() {
    let place = with_model();
    place.write("none.csv", "x,y\n");
    place.run("predict m.model none.csv -o labels.csv").is_refused(&["none.csv", "row"]);
    place.write("nan.csv", "x,y\n1,nan\n");
    place.run("predict m.model nan.csv").is_refused(&["nan.csv, line 2", "\"y\""]);
    place.run("predict m.model gone.csv").is_refused(&["gone.csv", "no such file"]);
    assert!(!place.path().join("labels.csv").exists());
}

#[test]
fn what_is_no_model_is_refused() {
    let place = with_model();
    place.run("predict gone.model data.csv").is_refused(&["gone.model", "no such file"]);
    place.run("predict data.csv data.csv").is_refused(&["data.csv", "not a linkshift model"]);
    place.write("m.model", "");
    place.run("predict m.model data.csv").is_refused(&["m.model", "not a linkshift model"]);
}

#[test]
fn a_changed_byte_anywhere_is_noticed() {
    let place = with_model();
    let whole = bytes_of(&place);
    for at in (20..whole.len()).step_by(whole.len() / 25) {
        let mut damaged = whole.clone();
        damaged[at] ^= 4;
        place.write("m.model", &damaged);
        place.run("predict m.model data.csv").is_refused(&["m.model", "damaged", "again"]);
    }
}

#[test]
fn a_model_that_ends_early_is_noticed() {
    let place = with_model();
    let whole = bytes_of(&place);
    for length in [8, 16, 20, 27, 40, whole.len() / 2, whole.len() - 1] {
        place.write("m.model", &whole[..length]);
        place.run("predict m.model data.csv").is_refused(&["m.model", "damaged"]);
        place.run("why m.model a b").is_refused(&["damaged"]);
    }
}

#[test]
fn a_newer_format_asks_for_a_newer_linkshift() {
    let place = with_model();
    let mut newer = bytes_of(&place);
    newer[16] = 3;
    place.write("m.model", newer);
    place.run("predict m.model data.csv").is_refused(&["format 3", "newer", "update linkshift"]);
}

#[test]
fn a_model_is_written_where_it_can_be() {
    let place = groups();
    place.run(&format!("{FIT} --method cms --model -")).is_refused(&["--model -", "file"]);
    place.run(&format!("{FIT} --method cms --model no/m.model")).is_refused(&["no/m.model"]);
    place.run(&format!("{FIT} --method cms --model data.csv")).is_refused(&["also the input"]);
    assert_eq!(place.read("data.csv"), DATA);
    let place = with_model();
    place.run("predict m.model data.csv -o m.model.csv --json -o -").code.unwrap();
    place.run("predict m.model data.csv -o - --json").is_refused(&["standard output"]);
    place.run("predict m.model data.csv -o data.csv").is_refused(&["also the input"]);
}

#[test]
fn precomputed_similarities_predict_by_similarities() {
    let place = Place::new();
    place.write("k.csv", "a,b,c,d\n1,.9,0,0\n.9,1,0,0\n0,0,1,.9\n0,0,.9,1\n");
    place.good("fit k.csv --method kernel --precomputed -o labels.csv --model m.model");
    place.write("new.csv", "a,b,c,d\n.1,.1,.95,.95\n");
    place.good("predict m.model new.csv -o new-labels.csv");
    let fitted = place.read("labels.csv");
    assert_eq!(place.read("new-labels.csv").lines().nth(1), fitted.lines().nth(3));
}
