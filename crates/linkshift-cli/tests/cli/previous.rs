//! `linkshift fit --previous`: numbers that stay.

use crate::common::Place;
use serde_json::Value;

const FIT: &str = "fit data.csv --method mean-shift --set bandwidth=1";

/// Groups at 0, 10 and 20, in this order, as clusters 0, 1 and 2 of `old.model`.
fn three_groups(header: &str, options: &str) -> Place {
    let place = Place::new();
    let rows = ["0", "0.1", "10", "10.1", "20", "20.1"];
    place.write("data.csv", table(header, &["a", "b", "c", "d", "e", "f"], &rows));
    place.good(&format!("{FIT} {options} --model old.model"));
    place
}

fn table(header: &str, ids: &[&str], rows: &[&str]) -> String {
    let lines = ids.iter().zip(rows).map(|(id, x)| match header {
        "x" => format!("{x}\n"),
        _ => format!("{id},{x}\n"),
    });
    format!("{header}\n{}", lines.collect::<String>())
}

fn labels(place: &Place) -> Vec<String> {
    let text = place.read("labels.csv");
    text.lines().skip(1).map(|line| line.rsplit(',').next().unwrap().to_owned()).collect()
}

#[test]
fn rows_are_matched_by_id_wherever_they_are() {
    let place = three_groups("id,x", "--id-column id");
    // Turned round, the group at 0 dropped, one at 5 new: 20 stays 2, 10 stays 1, 5 becomes 3.
    let ids = ["f", "e", "d", "p", "q"];
    place.write("data.csv", table("id,x", &ids, &["20.1", "20", "10.1", "5", "5.1"]));
    let run = place.good(&format!(
        "{FIT} --id-column id --previous old.model -o labels.csv --model new.model --json"
    ));
    assert_eq!(labels(&place), ["2", "2", "1", "3", "3"]);
    let summary: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(summary["n_clusters"], 3);
    assert_eq!(summary["cluster_numbers"], serde_json::json!([1, 2, 3]));
    assert_eq!(summary["cluster_sizes"], serde_json::json!([1, 2, 2]));
    let numbering = serde_json::json!({ "n_kept": 2, "n_matched": 3, "matched_by": "id" });
    assert_eq!(summary["numbering"], numbering);

    // New rows get the numbers that were kept, and a number once given is never given again: the
    // group at 5 goes, another comes, and that is 4, not 3.
    place.good("predict new.model data.csv -o labels.csv");
    assert_eq!(labels(&place), ["2", "2", "1", "3", "3"]);
    place.write("data.csv", table("id,x", &["f", "d", "r"], &["20.1", "10.1", "30"]));
    place.good(&format!("{FIT} --id-column id --previous new.model -o labels.csv"));
    assert_eq!(labels(&place), ["2", "1", "4"]);
}

#[test]
fn without_ids_rows_are_matched_by_number() {
    let place = three_groups("x", "");
    let rows = ["10", "10.1", "20", "20.1", "0", "0.1", "30"];
    place.write("data.csv", table("x", &[""; 7], &rows));
    let run = place.good(&format!("{FIT} --previous old.model -o labels.csv"));
    // Derived: the first six rows are common; each group has two rows of one old cluster.
    assert_eq!(labels(&place), ["0", "0", "1", "1", "2", "2", "3"]);
    assert!(run.stdout.contains("6 of 7 rows matched by row number"), "{}", run.stdout);
}

#[test]
fn a_model_may_take_the_place_of_the_one_before() {
    let place = three_groups("x", "");
    place.good(&format!("{FIT} --previous old.model --model old.model"));
    place.good(&format!("{FIT} --previous old.model -o labels.csv"));
    assert_eq!(labels(&place), ["0", "0", "1", "1", "2", "2"]);
    place.run(&format!("{FIT} --previous old.model -o old.model")).is_refused(&["old.model"]);
}

#[test]
fn more_links_keep_the_numbers() {
    let place = Place::new();
    place.good("make moons -n 300 --noise 0.1 --seed 7 -o data.csv");
    place.good("links draw data.csv --label-column label -n 12 --seed 7 -o few.csv");
    place.good("links draw data.csv --label-column label -n 60 --seed 8 -o many.csv");
    let fit = "fit data.csv --method cms --label-column label --json";
    place.good(&format!("{fit} --links few.csv --model old.model -o before.csv"));
    place.good(&format!("{fit} --links many.csv --previous old.model -o labels.csv"));
    let before = place.read("before.csv");
    let same = labels(&place).iter().zip(before.lines().skip(1)).filter(|(a, b)| a == b).count();
    assert!(same > 250, "{same} of 300 rows keep their number");
}

#[test]
fn what_is_no_model_is_refused_before_the_work() {
    let place = three_groups("x", "");
    place
        .run(&format!("{FIT} --previous data.csv -o labels.csv"))
        .is_refused(&["data.csv", "not a linkshift model"]);
    assert!(!place.path().join("labels.csv").exists());
}
