//! The dialogue as a process: scripted keys, resuming, and a process that is killed.

use crate::common::{PATIENCE, Place, Run};
use serde_json::Value;
use std::io::Write;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Three groups of ten on a line, with names.
fn place_with_data() -> Place {
    let place = Place::new();
    let row = |i: usize| format!("p{i},{},{}\n", (i / 10) * 10, i % 10);
    let rows: String = (0..30).map(row).collect();
    place.write("data.csv", format!("name,x,y\n{rows}"));
    place
}

const ASK: &str = "ask data.csv --id-column name --scale none --kinds pair";

const ASK_PLACES: &str = "ask data.csv --id-column name --scale none --kinds place,group";

fn start(place: &Place, args: &str) -> Child {
    let mut command = place.command(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Runs with keys pressed one after the other.
fn press(place: &Place, args: &str, keys: &str) -> Run {
    let mut child = start(place, args);
    // It may have quit before all keys are read.
    let _ = child.stdin.take().unwrap().write_all(keys.as_bytes());
    let output = child.wait_with_output().unwrap();
    Run {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The answers on disk.
fn kept(place: &Place) -> Vec<String> {
    place.read("data.answers.csv").lines().skip(1).map(String::from).collect()
}

#[test]
fn keys_answer_take_back_and_quit() {
    let place = place_with_data();
    let run = press(&place, ASK, "d\nx s u z q");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    // Derived: d, s and u are answers, x is none, z takes u back, q quits.
    let kinds: Vec<String> =
        kept(&place).iter().map(|line| line.split(',').nth(2).unwrap().to_owned()).collect();
    assert_eq!(kinds, ["cannot", "must"]);
    assert!(
        run.stderr.contains(
            "s same   d different   u unsure   ! certain   z take back   q save and quit"
        )
    );
    for text in ["question 1:", "question 3:", "taken back: unsure: p", "'x' is none of the keys"] {
        assert!(run.stderr.contains(text), "{text:?} is not in:\n{}", run.stderr);
    }
    for text in ["2 (1 same, 1 different, 0 unsure)", "2 of 2 kept", "--links data.answers.csv"] {
        assert!(run.stdout.contains(text), "{text:?} is not in:\n{}", run.stdout);
    }
    // Methods read the file as it is, with an answer that is no link in it too; what is said to be
    // next works.
    let run = press(&place, ASK, "uq");
    assert_eq!(kept(&place).len(), 3);
    let next = run.stdout.lines().find_map(|line| line.strip_prefix("next ")).unwrap();
    assert!(next.contains("--id-column name"), "{next}");
    place.good(next.trim().strip_prefix("linkshift ").unwrap());
}

#[test]
fn rows_stand_side_by_side_with_their_differences_marked() {
    let place = Place::new();
    place.write("data.csv", "name,x,y,z,city\nann,0,1,7,Rome\nbob,0.5,1,9,Oslo\ncy,100,1,7,Rome\n");
    let args = "ask data.csv --id-column name --columns x,y,z --show city --budget 2 --kinds pair";
    let run = press(&place, args, "dd");
    // Derived: x of ann and bob is 0.005 of the range apart, y is constant, z and the city differ.
    let pair =
        run.stderr.split("question").find(|text| !text.contains("cy") && text.contains("ann"));
    let pair = pair.expect("ann and bob are asked about").replace("bob", "ann");
    let marks: Vec<&str> = pair.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(marks[2..6], ["≠", "·", "y", "≠"], "{}", run.stderr);
}

#[test]
fn ten_answers_are_there_after_kill_9() {
    let place = place_with_data();
    let mut child = start(&place, &format!("{ASK} --chooser random"));
    let mut keys = child.stdin.take().unwrap();
    keys.write_all(b"dududududu").unwrap();
    // The pipe stays open: the process waits for the eleventh answer.
    let deadline = Instant::now() + PATIENCE;
    let file = place.path().join("data.answers.csv");
    let n_lines = || std::fs::read_to_string(&file).map_or(0, |text| text.lines().count());
    while n_lines() < 11 {
        assert!(Instant::now() < deadline, "only {} lines", n_lines());
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap(); // SIGKILL, on Unix
    child.wait().unwrap();

    let before = kept(&place);
    assert_eq!(before.len(), 10);
    let run = press(&place, &format!("{ASK} --chooser random"), "dq");
    assert!(
        run.stderr.contains("going on after 10 (0 same, 5 different, 5 unsure)"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("question 11:"), "{}", run.stderr);
    let after = kept(&place);
    assert_eq!((after.len(), &after[..10]), (11, &before[..]));
}

#[test]
fn places_are_chosen_by_number_and_every_kind_survives_kill_9() {
    let place = place_with_data();
    let mut child = start(&place, ASK_PLACES);
    let mut keys = child.stdin.take().unwrap();
    // Derived: whatever is asked, "different" and then certainly none of these open two more groups.
    // Digits are no keys of a pair, letters but u none of a place: one of the two always answers.
    keys.write_all(b"d!d0d0d0u").unwrap();
    let deadline = Instant::now() + PATIENCE;
    let file = place.path().join("data.answers.csv");
    let replies = || {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let marked = text.lines().filter(|line| line.starts_with('#')).count();
        (
            marked,
            text.lines()
                .filter(|line| line.ends_with("unsure") || line.ends_with("unsure,"))
                .count(),
        )
    };
    while replies().0 < 2 || replies().1 < 1 {
        assert!(Instant::now() < deadline, "{}", place.read("data.answers.csv"));
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap(); // SIGKILL, on Unix
    child.wait().unwrap();
    let before = kept(&place);
    assert!(before.iter().any(|line| line.ends_with(",cannot,1")), "{before:?}");
    // The last answer is taken back as a whole, and given again.
    let run = press(&place, ASK_PLACES, "z uq");
    assert!(run.stderr.contains("taken back: unsure"), "{}", run.stderr);
    assert_eq!(kept(&place), before);
    // A fit reads all kinds as links.
    let next = run.stdout.lines().find_map(|line| line.strip_prefix("next ")).unwrap();
    place.good(next.trim().strip_prefix("linkshift ").unwrap());
}

#[test]
fn the_clustering_is_shown_every_few_answers() {
    let place = place_with_data();
    let run = press(&place, &format!("{ASK} --every 2 --budget 4 -o labels.csv"), "dddd");
    assert_eq!(run.stderr.matches("clusters").count(), 2, "{}", run.stderr);
    assert!(run.stderr.contains("4 of 4 kept"), "{}", run.stderr);
    assert_eq!(place.read("labels.csv").lines().count(), 31);
}

#[test]
fn known_classes_answer_and_leave_a_curve() {
    let place = Place::new();
    place.good("make blobs -n 200 --seed 3 -o data.csv");
    let args = "ask data.csv --oracle-column label --budget 30 --curve curve.csv --kinds pair";
    let run = place.good(&format!("{args} --json"));
    let curve = place.read("curve.csv");
    let mut lines = curve.lines();
    assert_eq!(lines.next(), Some("answers,same,different,unsure,clusters,ari,nmi,links_kept"));
    let rows: Vec<Vec<f64>> =
        lines.map(|line| line.split(',').map(|field| field.parse().unwrap()).collect()).collect();
    assert_eq!(rows.len(), 31);
    // Derived: without answers all is one cluster, whose ARI is 0; it can only learn.
    assert_eq!((rows[0][0], rows[0][5]), (0.0, 0.0));
    assert!(rows[30][5] > rows[5][5], "{curve}");
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(found["scores"]["ari"], rows[30][5]);
    assert_eq!(found["links"]["broken"], serde_json::json!([]));
    assert!(!place.path().join("data.answers.csv").exists(), "an oracle keeps no answers unasked");
    // The same again by another method, with wrong answers, every 10.
    place.good(&format!("{args} --method cms --every 10 --error-rate 0.1 --answers a.csv"));
    assert_eq!(place.read("curve.csv").lines().count(), 5);
    assert_eq!(place.read("a.csv").lines().count(), 31);
}

#[test]
fn what_cannot_be_asked_is_refused_in_one_line() {
    let place = place_with_data();
    place.write("other.csv", "x\n1\n");
    let refused = |args: &str, words: &[&str]| place.run(args).is_refused(words);
    refused("ask data.csv --id-column name --chooser borders", &["chooser", "border"]);
    refused("ask data.csv --id-column name -k 3", &["k = 3", "border"]);
    refused("ask data.csv --id-column name --set a=1", &["--method"]);
    refused("ask data.csv --id-column name --curve c.csv", &["--oracle-column"]);
    refused("ask data.csv --id-column name --answers other.csv", &["other.csv", "a,b,kind"]);
    refused("ask - --id-column name", &["standard input"]);
    refused("ask data.csv --id-column name --show city", &["city"]);
    assert_eq!(place.read("other.csv"), "x\n1\n");
    let contradiction = "p1,p2,must,1\np2,p3,must,1\np1,p3,cannot,1\n";
    place.write("data.answers.csv", format!("a,b,kind,confidence\n{contradiction}"));
    refused("ask data.csv --id-column name", &["data.answers.csv", "contradict"]);
    // Plain answers may be wrong, but not to a chooser that believes them all.
    place.write("data.answers.csv", "a,b,kind\np1,p2,must\np2,p3,must\np1,p3,cannot\n");
    assert_eq!(press(&place, ASK, "q").code, Some(0));
    refused("ask data.csv --id-column name --chooser npu", &["data.answers.csv", "contradict"]);
}

#[test]
fn at_the_end_the_default_method_is_offered() {
    let place = place_with_data();
    // Derived: q ends the questions, x is none of the keys at the end, f fits.
    let run = press(&place, &format!("{ASK} -o labels.csv"), "dsdsdq x f");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(run.stderr.matches("f fit the default method").count(), 2, "{}", run.stderr);
    // Of five answers one is held back: too few to judge by.
    assert!(run.stdout.contains("auto was fit; too few answers"), "{}", run.stdout);
    assert_eq!(place.read("labels.csv").lines().count(), 31);
    // Without a person it is wanted by its name; whose labels were kept is said, and why.
    place.good("make blobs -n 120 --seed 3 -o blobs.csv");
    let args = "ask blobs.csv --oracle-column label --budget 40 --finish --json";
    let json: Value = serde_json::from_str(&place.good(args).stdout).unwrap();
    let end = &json["finish"];
    let (fit, own) = (end["fit_agreed"].as_f64().unwrap(), end["own_agreed"].as_f64().unwrap());
    assert_eq!(end["kept"], if fit > own { "fit" } else { "own" }, "{end}");
    // Counts of whole answers and of pairs are two things: one answer may tell of several pairs.
    let sum =
        |of: &Value| of.as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum::<u64>();
    assert_eq!(sum(&json["kinds"]), 40);
    assert!(sum(&json["answers"]) > 40, "{}", json["answers"]);
    let bad = place.run("ask blobs.csv --oracle-column label --finish --method cms");
    assert_eq!(bad.code, Some(2), "{}", bad.stderr);
}
