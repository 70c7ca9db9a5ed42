//! `docs/json.md` is what `--json` prints: every key and every type, no more and no less.

use crate::common::Place;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The types that each key has.
type Keys = BTreeMap<String, BTreeSet<String>>;

const DOCUMENT: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/json.md"));

/// The rows of the table below a heading: the first two columns.
fn table(heading: &str) -> Vec<(String, String)> {
    let mut lines = DOCUMENT.lines().skip_while(|line| *line != heading);
    assert!(lines.next().is_some(), "docs/json.md has no {heading:?}");
    let lines = lines.take_while(|line| !line.starts_with('#'));
    let row = |line: &str| {
        let mut cells = line.strip_prefix("| `")?.split('|');
        let key = cells.next()?.trim().trim_matches('`').to_owned();
        Some((key, cells.next()?.trim().to_owned()))
    };
    lines.filter_map(row).collect()
}

fn documented(heading: &str) -> Keys {
    let types = |text: &str| text.split(" or ").map(str::to_owned).collect();
    table(heading).into_iter().map(|(key, text)| (key, types(&text))).collect()
}

/// Adds the keys of an object, and those of the objects in it.
fn collect(keys: &mut Keys, prefix: &str, object: &Value) {
    for (name, value) in object.as_object().unwrap() {
        // The keys of parameters are the methods', not ours, and candidates have names of their own.
        let is_free = ["settings.", "candidates."].iter().any(|of| prefix.ends_with(of));
        let key = format!("{prefix}{}", if is_free { "<key>" } else { name });
        let of_key = keys.entry(key.clone()).or_default();
        of_key.extend(type_of(value));
        match value {
            Value::Object(_) if key != "details" => collect(keys, &format!("{key}."), value),
            Value::Array(all) => {
                let objects = all.iter().filter(|one| one.is_object());
                objects.for_each(|one| collect(keys, &format!("{key}[]."), one));
            }
            _ => {}
        }
    }
}

/// None for an empty list, whose type shows elsewhere.
fn type_of(value: &Value) -> Option<String> {
    Some(match value {
        Value::Null => "null".into(),
        Value::Bool(_) => "flag".into(),
        Value::Number(number) if number.is_f64() => "number".into(),
        Value::Number(_) => "integer".into(),
        Value::String(_) => "text".into(),
        Value::Object(_) => "object".into(),
        Value::Array(all) => format!("list of {}s", type_of(all.first()?)?),
    })
}

/// Two groups, with ids, classes (one is missing) and links of all kinds.
fn place() -> Place {
    let place = Place::new();
    let mut rows = String::from("id,x,y,class\n");
    for i in 0..40 {
        let (group, step) = (f64::from(i % 2), f64::from(i) / 40.0);
        let class = if i == 7 { "" } else { ["u", "v"][(i % 2) as usize] };
        rows += &format!("r{i},{},{},{class}\n", group * 5.0 + step, (step * 9.0).sin());
    }
    place.write("data.csv", rows);
    place.write("plain.csv", "x,y\n0,0\n0.2,0\n5,5\n5.2,5\n0.1,0.1\n5.1,5.1\n");
    place
        .write("links.csv", "r0,r2,must\nr2,r4,must\nr1,r3,must\nr4,r3,cannot\nr0,r1,cannot,0.5\n");
    // By rows; the last two contradict the first two.
    place.write("rows.csv", "0,1,must\n1,2,cannot\n0,4,must,0.4\n3,5,cannot,0.9\n");
    place.write("odd.csv", "0,1,must\n1,4,must\n0,4,cannot\n2,5,cannot\n");
    let pair = |i: i32| (i % 40, (i * 7 + 1) % 40);
    let kind = |(a, b): (i32, i32)| if (a + b) % 2 == 0 { "must" } else { "cannot" };
    let many = (0..40).map(pair).filter(|(a, b)| a != b);
    let many = many.map(|(a, b)| format!("r{a},r{b},{}\n", kind((a, b))));
    place.write("many.csv", many.collect::<String>());
    let doubtful = |(a, b): (i32, i32)| match b % 4 {
        0 => "must",
        2 => "cannot",
        _ => kind((a, b)),
    };
    let doubt = (0..40).map(pair).filter(|(a, b)| a != b);
    let doubt = doubt.map(|(a, b)| format!("r{a},r{b},{}\n", doubtful((a, b))));
    place.write("doubt.csv", doubt.collect::<String>());
    place.write("ids.csv", "r0,r1,must\nr0,r1,cannot\n");
    // Whatever the two clusters are, one of each pair is broken.
    place.write("broken.csv", "r0,r2,must\nr0,r2,cannot\nr0,r1,must\n");
    place.write("broken-rows.csv", "0,1,must\n0,1,cannot\n");
    place.write("group.csv", "0,1,must\n1,4,must\n");
    place.write("rows-answers.csv", "a,b,kind\n0,2,cannot\n");
    // Two answers outweigh the last.
    place.write("doubted.csv", "a,b,kind\n0,1,must\n1,4,must\n0,4,must\n0,1,cannot\n");
    let doubted = "r0,r2,must\nr2,r4,must\nr0,r4,must\nr0,r2,cannot\n";
    place.write("doubted-ids.csv", format!("a,b,kind\n{doubted}"));
    place
}

fn parsed(place: &Place, args: &str) -> Value {
    serde_json::from_str(&place.good(args).stdout).unwrap()
}

/// Runs of a command print what its table says.
fn agrees(place: &Place, command: &str, runs: &[&str]) {
    let mut printed = Keys::new();
    for run in runs {
        let object = parsed(place, &format!("{command} {run} --json"));
        assert_eq!((&object["schema"], &object["command"]), (&3.into(), &command.into()));
        assert_eq!(object.as_object().unwrap().keys().next().unwrap(), "schema");
        collect(&mut printed, "", &object);
    }
    same(&printed, &documented(&format!("## `{command}`")), command);
}

fn same(printed: &Keys, documented: &Keys, what: &str) {
    let differs = |key: &&String| printed.get(*key) != documented.get(*key);
    let keys: BTreeSet<&String> = printed.keys().chain(documented.keys()).collect();
    let differences = keys.into_iter().filter(differs).map(|key| {
        format!("{key}: printed {:?}, in docs/json.md {:?}", printed.get(key), documented.get(key))
    });
    let differences: Vec<String> = differences.collect();
    assert!(differences.is_empty(), "{what}:\n{}", differences.join("\n"));
}

#[test]
fn fit_prints_what_is_documented() {
    let named = "data.csv --id-column id --label-column class";
    agrees(
        &place(),
        "fit",
        &[
            &format!(
                "{named} --method cms --links links.csv --model m.model -o l.csv --plot p.svg"
            ),
            &format!(
                "{named} --method mean-shift --set bandwidth=9 --set blurring=true --set kernel=ball \
                 --set max_iter=20 --set obey=as-found --links links.csv --previous m.model"
            ),
            "plain.csv --method mean-shift --set bandwidth=0.5 --links rows.csv",
            "plain.csv --method cms --links odd.csv --contradictions drop-weakest",
            &format!("{named} --method pck -k 2 --links ids.csv --contradictions drop-weakest"),
            "plain.csv --method kernel --plot-distances d.svg",
            "plain.csv --method mean-shift --links rows.csv --stream -o l.csv",
        ],
    );
}

#[test]
fn predict_prints_what_is_documented() {
    let place = place();
    place.good("fit data.csv --columns x,y --method cms --model m.model");
    let runs = [
        "m.model data.csv --columns x,y",
        "m.model data.csv --columns x,y --label-column class -o l.csv --plot p.svg",
    ];
    agrees(&place, "predict", &runs);
}

#[test]
fn embed_prints_what_is_documented() {
    let small = "--autoencoder --hidden 4 --dimensions 1 --epochs 2 --pretrain-epochs 1";
    let runs = [
        "data.csv --id-column id --label-column class -o e.csv",
        &format!("plain.csv {small} -o e.parquet --encoder e.model --plot p.svg"),
        &format!("plain.csv {small} -o e.parquet --held-out 0"),
    ];
    agrees(&place(), "embed", &runs);
}

#[test]
fn why_prints_what_is_documented() {
    let place = place();
    let fit = "fit data.csv --id-column id --columns x,y --links links.csv --model m.model";
    place.good(&format!("{fit} --method cms"));
    place.good(&format!("{fit} --method cop -k 2").replace("m.model", "cop.model"));
    place.good("fit plain.csv --method mean-shift --links rows.csv --model rows.model");
    let by_row = ["0 1", "0 2", "2 0", "0 4", "3 5", "2 3"].map(|two| format!("rows.model {two}"));
    let by_id = ["r0 r4", "r0 r3", "r0 r1", "r0 r5", "r8 r10"].map(|two| format!("m.model {two}"));
    let mut runs: Vec<&str> = by_row.iter().chain(&by_id).map(String::as_str).collect();
    place.good("fit plain.csv --method mean-shift --model alone.model");
    runs.extend(["cop.model r0 r1", "alone.model 0 2"]);
    agrees(&place, "why", &runs);
}

#[test]
fn ask_prints_what_is_documented() {
    let named = "data.csv --id-column id --columns x,y --oracle-column class --budget 25";
    agrees(
        &place(),
        "ask",
        &[
            "plain.csv --budget 0",
            "plain.csv --budget 0 --chooser npu --answers none.csv",
            "plain.csv --budget 0 --answers doubted.csv",
            "data.csv --id-column id --columns x,y --budget 0 --answers doubted-ids.csv",
            &format!("{named} --curve c.csv --answers a.csv -o l.csv"),
            &format!("{named} --finish"),
            "plain.csv --budget 0 --finish --answers none.csv",
            &format!("{named} --method mean-shift --set bandwidth=9 --set obey=as-found"),
            "plain.csv --budget 0 --answers rows-answers.csv --method mean-shift --set bandwidth=99 \
             --set obey=as-found",
        ],
    );
}

#[test]
fn score_and_links_check_print_what_is_documented() {
    let place = place();
    place.good("fit data.csv --id-column id --columns x,y --method kmeans -k 2 -o l.csv");
    place.good("fit plain.csv --method kmeans -k 2 -o p.csv");
    let scored = "l.csv data.csv --truth-column class";
    agrees(
        &place,
        "score",
        &[
            scored,
            &format!("{scored} --id-column id --links broken.csv"),
            "p.csv p.csv --links broken-rows.csv",
        ],
    );
    agrees(&place, "links check", &["links.csv data.csv --id-column id --columns x,y"]);
}

#[test]
fn methods_print_what_is_documented() {
    agrees(&place(), "methods", &[""]);
}

#[test]
fn the_details_of_every_method_are_documented() {
    let place = place();
    let methods = parsed(&place, "methods --json");
    let headings: Vec<&str> = DOCUMENT.lines().filter(|line| line.starts_with("### ")).collect();
    for method in methods["methods"].as_array().unwrap() {
        let name = method["name"].as_str().unwrap();
        let quoted = format!("`{name}`");
        let Some(heading) = headings.iter().find(|line| line.contains(&quoted)) else {
            panic!("docs/json.md has no details of {name}");
        };
        let fit = "fit data.csv --id-column id --columns x,y --links links.csv --json --method";
        let runs: Vec<String> = match name {
            // Links enough to hold some back; such that clusters differ from them; a contradiction.
            "auto" => vec!["--links many.csv", "--links doubt.csv", "--links ids.csv"]
                .into_iter()
                .map(String::from)
                .collect(),
            "cms" => vec![String::new(), "--set representatives=30".into()],
            "kernel" => {
                vec![String::new(), "--set representatives=30".into(), "--set kernel=linear".into()]
            }
            "spectral" => {
                vec!["--set bandwidth=0.3".into(), "-k 2 --set representatives=30".into()]
            }
            _ if method["number_of_clusters"] == "told" => vec!["-k 2".into()],
            _ => vec![String::new()],
        };
        let mut printed = Keys::new();
        for run in runs {
            let fit =
                if name == "auto" { fit.replace("--links links.csv ", "") } else { fit.into() };
            let object = parsed(&place, &format!("{fit} {name} {run}"));
            collect(&mut printed, "", &object["details"]);
        }
        same(&printed, &documented(heading), name);
    }
}

#[test]
fn every_kind_of_note_is_documented() {
    let kinds: BTreeSet<String> =
        table("## Kinds of notes").into_iter().map(|(kind, _)| kind).collect();
    let place = place();
    place.write("one.csv", "x\n1\n");
    place.write("equal.csv", "x\n1\n1\n");
    place.write("constant.csv", "x,y,class\n1,0,\n2,0,\n");
    place.write("wild.csv", "x,y\n1,3000000\n2,1000000\n3,2000000\n");
    place.write("texts.csv", "x,t\n1,a cat\n,the cat\n3,dogs\n");
    std::fs::create_dir(place.path().join("photos")).unwrap();
    place.write("photos/no.jpg", "no picture");
    let step = include_bytes!("../../../linkshift-features/tests/pictures/step.jpg");
    place.write("photos/step.jpg", step);
    place.good("make moons -n 3000 -o many.parquet");
    let stream = "fit many.parquet --method boosted --set cell_size=50 --label-column label";
    let runs = [
        "fit plain.csv --method mean-shift --set max_iter=1 --links rows.csv",
        "fit plain.csv --method cms",
        "fit data.csv --columns x,y --label-column class --method kmeans -k 2",
        &format!("{stream} --scale z-score --stream -o l.csv"),
        "fit data.csv --id-column id --columns x,y --links ids.csv",
        "fit plain.csv",
        "fit one.csv --method mean-shift",
        "fit wild.csv --method mean-shift",
        "fit equal.csv --method kmeans -k 2",
        "fit constant.csv --columns x,y --label-column class --method mean-shift",
        "fit plain.csv --method mean-shift --set bandwidth=99 --links rows-answers.csv",
        "fit plain.csv --method mpck -k 2 --set link_cap=1 --links group.csv",
        "fit texts.csv --missing drop --method mean-shift",
        "fit texts.csv --text-column t --method mean-shift",
        "fit photos --image-column file --bad-images skip --method mean-shift",
        "embed plain.csv --autoencoder --hidden 4 --dimensions 1 --epochs 1 -o e.csv",
    ];
    let mut seen = BTreeSet::new();
    for run in runs {
        let object = parsed(&place, &format!("{run} --json"));
        let notes = object["notes"].as_array().unwrap();
        seen.extend(notes.iter().map(|note| note["kind"].as_str().unwrap().to_owned()));
    }
    assert_eq!(seen, kinds);
}
