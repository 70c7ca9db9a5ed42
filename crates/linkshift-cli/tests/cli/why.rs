//! `linkshift why`: reasons for two rows.

use crate::common::Place;
use serde_json::{Value, json};

/// Two groups on a line; row 6 is far from both.
const DATA: &str = "id,x\na,0\nb,0.1\nc,0.2\nd,1\ne,1.1\nf,1.2\n";
const LINKS: &str = "a,b,kind,confidence\na,b,must,1\nb,c,must,1\nc,d,cannot,1\na,f,must,0.1\n";

fn fitted(options: &str) -> Place {
    let place = Place::new();
    place.write("data.csv", DATA);
    place.write("links.csv", LINKS);
    place.good(&format!("fit data.csv --id-column id --links links.csv {options} --model m.model"));
    place
}

fn says(place: &Place, args: &str, words: &[&str]) {
    let run = place.good(&format!("why m.model {args}"));
    for word in words {
        assert!(run.stdout.contains(word), "{word:?} is not in:\n{}", run.stdout);
    }
}

#[test]
fn links_told_and_concluded_are_the_first_reason() {
    let place = fitted("--method cms");
    says(&place, "a b", &["together, in cluster 0", "must a–b was told"]);
    says(&place, "a c", &["together", "2 must-links join them: a – b – c"]);
    says(&place, "c d", &["apart: c is in cluster 0, d in cluster 1", "cannot c–d was told"]);
    says(&place, "d a", &["cannot d–c parts them, since must-links join a – b – c"]);
    says(&place, "e f", &["together", "no certain link"]);
    says(&place, "a f", &["apart", "must a–f was told with confidence 0.1"]);
}

#[test]
fn the_way_and_the_nearest_opposing_link_are_told() {
    let place = fitted("--method cms");
    says(&place, "a e", &["a went", "bandwidths", "did not meet in 100 iterations"]);
    says(&place, "e f", &["they met after iteration"]);
    // Derived: c is 0.1 from b; d is 0.1 from e.
    let nearest =
        "the nearest cannot-link between the two clusters is c–d, 0.100 from b and 0.100 from e";
    says(&place, "b e", &[nearest]);
    let nearest = "the nearest cannot-link from their cluster to another is d–c, 0.100 from e";
    says(&place, "f e", &[nearest]);
    says(&place, "c e", &["is c–d, at c and 0.100 from e"]);
}

#[test]
fn machines_get_the_same() {
    let place = fitted("--method cms");
    let run = place.good("why m.model a d --json");
    let why: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(why["together"], false);
    assert_eq!(why["labels"], json!([0, 1]));
    let told = &why["told"];
    assert_eq!((&told["verdict"], &told["kept"]), (&json!("apart"), &json!(true)));
    assert_eq!(told["cannot"]["a"], "c");
    assert_eq!(told["chain_a"].as_array().unwrap().len(), 2);
    assert_eq!(why["way"]["met_after_iteration"], Value::Null);
    assert_eq!(why["nearest_opposing_link"]["link"]["b"], "d");
}

#[test]
fn methods_without_modes_say_what_they_know() {
    let place = fitted("--method cop -k 2");
    let run = place.good("why m.model a d");
    assert!(run.stdout.contains("cannot c–d parts them"), "{}", run.stdout);
    assert!(!run.stdout.contains("way"), "{}", run.stdout);

    let place = fitted("--method mean-shift --set bandwidth=3 --set obey=as-found");
    says(&place, "c d", &["together", "the clusters break this", "does not listen to links"]);
    says(&place, "c d", &["both ended at the same mode"]);
    says(&place, "c d", &["no cannot-link leads from their cluster to another"]);
}

#[test]
fn rows_that_are_not_there_are_refused() {
    let place = fitted("--method cms");
    place.run("why m.model a z").is_refused(&["\"z\"", "\"id\""]);
    place.run("why m.model a a").is_refused(&["named twice"]);
    place.run("why m.model 0 1").is_refused(&["\"0\""]);
    place.run("why data.csv a b").is_refused(&["not a linkshift model"]);
    place.write("data.csv", "x\n0\n1\n");
    place.good("fit data.csv --method cms --model n.model");
    place.run("why n.model 0 2").is_refused(&["no row 2", "rows 0 to 1"]);
    place.run("why n.model 0 -1").is_refused(&["-1"]);
    place.run("why n.model 0 one").is_refused(&["no row one"]);
}
