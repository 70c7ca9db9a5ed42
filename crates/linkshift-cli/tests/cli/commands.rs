//! Every subcommand but `fit`, on good input.

use crate::common::{Place, processor_seconds};
use serde_json::{Value, json};
use std::process::Stdio;
use std::time::Duration;

#[test]
fn the_demo_writes_its_files_in_time() {
    let place = Place::new();
    let elsewhere = Place::new();
    let mut child = elsewhere.command("demo").stdout(Stdio::null()).spawn().unwrap();
    // The limit is the promise of `linkshift demo`, of the processor, as others may use the machine; it takes well
    // under a second.
    while child.try_wait().unwrap().is_none() {
        assert!(processor_seconds(&child).is_none_or(|seconds| seconds < 5.0));
        std::thread::sleep(Duration::from_millis(5));
    }
    let run = place.good("demo");
    assert!(run.stdout.contains("Try next:"), "{}", run.stdout);
    let files =
        ["before.svg", "after.svg", "before-after.png", "points.csv", "links.csv", "labels.csv"];
    for file in files {
        assert!(place.path().join("linkshift-demo").join(file).exists(), "{file}");
        assert!(run.stdout.contains(file), "{file}");
    }
    // A header and a dozen links; a header and 500 labels.
    assert_eq!(place.read("linkshift-demo/links.csv").lines().count(), 13);
    assert_eq!(place.read("linkshift-demo/labels.csv").lines().count(), 501);
}

#[test]
fn what_the_demo_says_to_try_next_works() {
    let place = Place::new();
    let run = place.good("demo");
    let next: Vec<&str> =
        run.stdout.lines().filter_map(|line| line.trim().strip_prefix("linkshift ")).collect();
    assert_eq!(next.len(), 3);
    for args in next {
        place.good(args);
    }
}

#[test]
fn methods_lists_parameters_with_defaults() {
    let place = Place::new();
    let text = place.good("methods").stdout;
    for word in ["mean-shift: ", "--set bandwidth", "--set kernel", "[default: truncated]"] {
        assert!(text.contains(word), "{word:?} is not in:\n{text}");
    }
    let all: Value = serde_json::from_str(&place.good("methods mean-shift --json").stdout).unwrap();
    let all = &all["methods"];
    assert_eq!((&all[0]["name"], &all[0]["class"]), (&json!("mean-shift"), &json!("MeanShift")));
    let params = all[0]["params"].as_array().unwrap();
    let labels = params.iter().find(|param| param["key"] == "labels").unwrap();
    assert_eq!(
        (&labels["default"], &labels["allowed"]),
        (&json!("auto"), &json!("auto, basin or nearest"))
    );
}

#[test]
fn what_methods_says_can_be_typed() {
    let place = Place::new();
    place.good("make blobs -n 40 --centers 2 -o data.csv");
    let all: Value = serde_json::from_str(&place.good("methods --json").stdout).unwrap();
    for method in all["methods"].as_array().unwrap() {
        let name = method["name"].as_str().unwrap();
        let k = if method["number_of_clusters"] == "told" { "-k 2" } else { "" };
        let fit = format!("fit data.csv --label-column label --method {name} {k} -o -");
        let labels = place.good(&fit).stdout;
        // Defaults that are set change nothing; what plays no part by default cannot be set.
        let beside = ["preset", "n_clusters", "memory_mb", "seed"];
        let mut set = String::new();
        for param in method["params"].as_array().unwrap() {
            let key = param["key"].as_str().unwrap();
            if param["only_if"].is_null() && !beside.contains(&key) {
                let default = &param["default"];
                let text = default.as_str().map_or(default.to_string(), str::to_owned);
                set += &format!(" --set {key}={text}");
            }
        }
        assert_eq!(place.good(&format!("{fit} {set}")).stdout, labels, "{name}");
        for preset in method["presets"].as_array().unwrap() {
            let mut set = format!("--set preset={}", preset["name"].as_str().unwrap());
            for key in preset["needs"].as_array().unwrap() {
                set += &format!(" --set {}=2", key.as_str().unwrap());
            }
            place.good(&format!("{fit} {set}"));
        }
    }
}

#[test]
fn options_that_not_all_methods_have_name_those_that_do() {
    let place = Place::new();
    let help = place.good("fit --help").stdout;
    let all: Value = serde_json::from_str(&place.good("methods --json").stdout).unwrap();
    for (option, can) in
        [("--precomputed", "takes_similarities"), ("--plot-distances", "shows_distances")]
    {
        let able = all["methods"].as_array().unwrap().iter().filter(|method| method[can] == true);
        let able: Vec<&str> = able.map(|method| method["name"].as_str().unwrap()).collect();
        let of_option =
            help.split("\n      --").find(|text| format!("--{text}").starts_with(option));
        let words: Vec<&str> = of_option.unwrap().split_whitespace().collect();
        let named = format!("(method {})", able.join(" or "));
        assert!(words.join(" ").contains(&named), "{option}: {named:?}");
    }
}

#[test]
fn a_scale_that_a_method_advises_is_one_that_fit_has() {
    let place = Place::new();
    place.good("make moons -n 60 -o data.csv");
    let text = place.good("methods cdbscan").stdout;
    let advised = text.split("scaled to 0–1 (").nth(1).unwrap().split(')').next().unwrap();
    place.good(&format!("fit data.csv --label-column label --method cdbscan --scale {advised}"));
}

#[test]
fn drawn_links_can_be_checked_and_are_kept_by_the_truth() {
    let place = Place::new();
    place.good("make lines -o lines.csv");
    let draw = "links draw lines.csv --label-column label -n 100";
    place.good(&format!("{draw} --seed 4 -o links.csv"));
    assert_eq!(place.good(&format!("{draw} --seed 4")).stdout, place.read("links.csv"));
    assert_ne!(place.good(&format!("{draw} --seed 5")).stdout, place.read("links.csv"));

    let run = place.good("links check links.csv lines.csv --label-column label --json");
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    let n_links: u64 =
        ["n_must", "n_cannot"].iter().map(|key| found["links"][key].as_u64().unwrap()).sum();
    assert_eq!((n_links, &found["n_points"]), (100, &json!(240)));
    let run = place.good("links check links.csv lines.csv --label-column label");
    assert!(run.stdout.contains("no contradiction"), "{}", run.stdout);

    let run = place.good("score lines.csv lines.csv --links links.csv --json");
    let scores: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&scores["links"]["broken"], &scores["scores"]["ari"]), (&json!([]), &json!(1.0)));
}

#[test]
fn the_closure_of_links_is_counted() {
    let place = Place::new();
    place.write("data.csv", "x\n0\n1\n2\n3\n4\n5\n");
    place
        .write("links.csv", "# three together, two together, apart\n0 1 1\n1 2 1\n3 4 1\n0 3 -1\n");
    let run = place.good("links check links.csv data.csv --json");
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    // Derived: groups {0,1,2} and {3,4}, one pair of groups, 3·2 pairs of points.
    let expected = json!({
        "schema": 3, "command": "links check", "data": "data.csv", "n_points": 6,
        "links": { "n_must": 3, "n_cannot": 1 },
        "implied": {
            "n_linked_points": 5, "n_groups": 2, "largest_group": 3, "n_group_pairs_apart": 1,
            "n_pairs_apart": 6,
        },
    });
    assert_eq!(found, expected);
}

#[test]
fn scores_compare_row_by_row() {
    let place = Place::new();
    place.write("labels.csv", "id,label\np,7\nq,7\nr,3\ns,3\n");
    place.write("truth.csv", "class,x\na,1\na,1\na,1\nb,1\n");
    place.write("links.csv", "p,q,must\nq,r,must\n");
    let args = "score labels.csv truth.csv --truth-column class --id-column id --links links.csv";
    let run = place.good(args);
    // Derived: 3 of 4 points match; pairs treated alike are pq, ps, qs of 6.
    for word in ["accuracy  0.7500", "RI        0.5000", "1 of 2 kept, 1 broken"] {
        assert!(run.stdout.contains(word), "{word:?} is not in:\n{}", run.stdout);
    }
}

#[test]
fn data_sets_are_drawn_by_seed() {
    let place = Place::new();
    let moons = place.good("make moons -n 10 --seed 1").stdout;
    assert_eq!(moons.lines().next(), Some("x,y,label"));
    assert_eq!(moons.lines().count(), 11);
    assert_eq!(place.good("make moons -n 10 --seed 1").stdout, moons);
    assert_ne!(place.good("make moons -n 10 --seed 2").stdout, moons);
    let blobs = place.good("make blobs -n 3 --dimensions 4 --centers 1").stdout;
    assert_eq!(blobs.lines().next(), Some("x0,x1,x2,x3,label"));
}

#[test]
fn completions_know_the_options() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = place.good(&format!("completions {shell}")).stdout;
        assert!(script.contains("label-column"), "{shell}");
    }
}

#[test]
fn help_is_a_result() {
    let place = Place::new();
    for args in ["--help", "fit --help", "links draw --help", "--version"] {
        assert!(place.good(args).stdout.contains("linkshift"), "{args}");
    }
    let run = place.run("");
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("Usage: linkshift"), "{}", run.stderr);
}
