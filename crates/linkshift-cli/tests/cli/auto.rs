//! The default method with wrong answers, and scales that nobody told.

use crate::common::Place;
use serde_json::Value;

/// Every so many answers are turned round.
const TURNED: usize = 12;

/// Three groups far apart, and answers of which some are wrong; `confidence` is written behind each.
fn place(confidence: &str) -> Place {
    let place = Place::new();
    let mut rows = String::from("x,y\n");
    for i in 0..90_u32 {
        let (x, y) = [(0.0, 0.0), (9.0, 0.0), (0.0, 9.0)][(i % 3) as usize];
        let (dx, dy) = (f64::from(i * 37 % 90) / 90.0, f64::from(i * 53 % 90) / 90.0);
        rows += &format!("{},{}\n", x + dx, y + dy);
    }
    place.write("data.csv", rows);
    let pairs = (0..200).map(|i| (i * 7 % 90, (i * 11 + 1 + i / 90) % 90));
    let mut links = String::new();
    for (at, (a, b)) in pairs.filter(|(a, b)| a != b).enumerate() {
        let together = (a % 3 == b % 3) != (at % TURNED == 5);
        let kind = if together { "must" } else { "cannot" };
        links += &format!("{a},{b},{kind}{confidence}\n");
    }
    place.write("links.csv", links);
    place
}

fn fit(place: &Place, args: &str) -> Value {
    serde_json::from_str(&place.good(&format!("fit data.csv {args} --json")).stdout).unwrap()
}

fn suspects<'a>(object: &'a Value, reason: &str) -> Vec<&'a Value> {
    let all = object["details"]["suspects"].as_array().unwrap();
    all.iter().filter(|suspect| suspect["reason"] == reason).collect()
}

#[test]
fn wrong_answers_are_listed_with_the_likely_right_one() {
    let place = place("");
    let object = fit(&place, "--links links.csv");
    let all = object["details"]["suspects"].as_array().unwrap();
    let is_turned = |suspect: &&Value| suspect["position"].as_u64().unwrap() as usize % TURNED == 5;
    let n_wrong = (0..200_usize).filter(|at| at % TURNED == 5).count();
    let n_found = all.iter().filter(is_turned).count();
    // Groups this far apart leave no doubt: the bars of the default method by a wide margin.
    assert!(n_found * 10 >= n_wrong * 8, "{n_found} of {n_wrong}");
    assert!(n_found * 10 >= all.len() * 7, "{n_found} of {} suspects", all.len());
    assert_eq!(object["n_clusters"], 3);
    for suspect in all {
        assert_ne!(suspect["likely"], suspect["link"]["kind"]);
    }
    let text = place.good("fit data.csv --links links.csv").stdout;
    assert!(text.contains("suspect: ") && text.contains("; likely "), "{text}");
}

#[test]
fn what_is_trusted_or_certain_is_never_doubted() {
    let trusting = fit(&place(""), "--links links.csv --set trust=all");
    assert!(suspects(&trusting, "evidence").is_empty());
    let certain = fit(&place(",1"), "--links links.csv");
    assert!(suspects(&certain, "evidence").is_empty());
}

#[test]
fn the_scale_is_found_told_or_left_alone() {
    let place = place("");
    let scale = |args: &str| fit(&place, args)["scale"].as_str().unwrap().to_owned();
    assert_eq!(scale("--method mean-shift"), "none");
    let mut rows = String::from("x,y\n");
    (0..30).for_each(|i| rows += &format!("{},{}\n", i % 2, (i * 7 % 30) * 1000));
    place.write("data.csv", rows);
    assert_eq!(scale("--method mean-shift"), "min-max");
    assert_eq!(scale("--method mean-shift --scale none"), "none");
    assert_eq!(scale("--method mean-shift --scale z-score"), "z-score");
    // A length is meant in the units of the columns, a preset is exact, and the default method looks at
    // several scales by itself.
    assert_eq!(scale("--method mean-shift --set bandwidth=2"), "none");
    assert_eq!(scale("--method cms --set preset=paper-toy"), "none");
    assert_eq!(scale(""), "none");
}
