//! kill −9 at random moments: every file is the old one or the new one, whole; every acknowledged answer is
//! there. `LINKSHIFT_KILLS=500` kills so often; without it a few times, as a test.

use crate::common::Place;
use crate::studio::Studio;
use serde_json::json;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

fn n_kills() -> u32 {
    std::env::var("LINKSHIFT_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(12)
}

/// Moments spread over the time a whole run takes, in an order that looks like chance.
fn moments(whole: Duration) -> impl Iterator<Item = Duration> {
    let n = n_kills();
    (0..n).map(move |at| whole.mul_f64(f64::from(at * 7919 % n) / f64::from(n) * 1.1))
}

fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Starts a command again and again, kills it at some moment, and looks at its files.
fn killed(place: &Place, args: &str, outputs: &[&str]) {
    let begin = Instant::now();
    place.good(args);
    let whole = begin.elapsed();
    let new: Vec<Vec<u8>> =
        outputs.iter().map(|name| fs::read(place.path().join(name)).unwrap()).collect();
    let (mut n_old, mut n_new) = (0, 0);
    for moment in moments(whole) {
        outputs.iter().for_each(|name| place.write(name, "old"));
        let child =
            place.command(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(moment);
        kill(child);
        for (name, new) in outputs.iter().zip(&new) {
            let found = fs::read(place.path().join(name)).unwrap();
            if found == b"old" {
                n_old += 1;
            } else {
                assert!(found == *new, "{args}: {name} is half written after {moment:?}");
                n_new += 1;
            }
        }
    }
    assert!(n_old + n_new > 0 && n_old > 0, "no kill came before the end");
    // What was begun and never finished is named so that everybody sees it, and nothing reads it.
    for (path, _) in place.listing() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let is_known = outputs.contains(&name.as_str()) || name.starts_with("data");
        assert!(is_known || name.starts_with('.'), "{name} was left behind");
    }
}

#[test]
fn a_fit_that_is_killed_leaves_whole_files() {
    let place = Place::new();
    place.good("make blobs -n 3000 -o data.csv");
    killed(
        &place,
        "fit data.csv --label-column label --method kmeans -k 3 -o labels.csv --model a.model --plot a.svg",
        &["labels.csv", "a.model", "a.svg"],
    );
}

#[test]
fn a_stream_that_is_killed_leaves_whole_files() {
    let place = Place::new();
    place.good("make blobs -n 60000 -o data.parquet");
    killed(
        &place,
        "fit data.parquet --label-column label --stream --method kmeans -k 3 -o labels.parquet",
        &["labels.parquet"],
    );
}

#[test]
fn an_embedding_that_is_killed_leaves_whole_files() {
    let place = Place::new();
    place.good("make blobs -n 300 --dimensions 6 -o data.csv");
    let run = "embed data.csv --label-column label --autoencoder --hidden 16,8 --dimensions 2 \
               --pretrain-epochs 3 --epochs 5 -o coded.csv";
    killed(&place, run, &["coded.csv"]);
    // With what it keeps while it trains: that is never half of it either.
    let encoder = place.path().join("data.encoder");
    for moment in moments(Duration::from_millis(120)) {
        let mut command = place.command(&format!("{run} --encoder data.encoder"));
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(moment);
        kill(child);
        if encoder.exists() {
            linkshift_io::read_encoder(&encoder).unwrap();
            fs::remove_file(&encoder).unwrap();
        }
    }
}

/// Reads what a dialogue says up to its next question; whether there was one.
fn is_asked(said: &mut impl BufRead) -> bool {
    let mut line = String::new();
    while said.read_line(&mut line).is_ok_and(|n| n > 0) {
        if line.starts_with("question ") {
            return true;
        }
        line.clear();
    }
    false
}

/// An answer is acknowledged by the next question: then it is on the disk.
#[test]
fn no_answer_that_was_acknowledged_is_lost() {
    let place = Place::new();
    let rows: String = (0..40).map(|row| format!("{},{}\n", row / 10 * 10, row % 10)).collect();
    place.write("data.csv", format!("x,y\n{rows}"));
    let path = place.path().join("answers.csv");
    let mut n_known = 0;
    for round in 0..n_kills() {
        let mut command = place.command("ask data.csv --kinds pair --answers answers.csv");
        let pipes = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = pipes.spawn().unwrap();
        let mut keys = child.stdin.take().unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap());
        let mut n_acknowledged = 0;
        if is_asked(&mut said) {
            for _ in 0..round % 3 {
                let _ = keys.write_all(b"u");
                n_acknowledged += usize::from(is_asked(&mut said));
            }
            // One more, which may or may not be there.
            let _ = keys.write_all(b"u");
        }
        kill(child);
        let (_, replies) = linkshift_io::AnswersFile::open(&path, 40, None).unwrap();
        let found = replies.len().checked_sub(n_known);
        assert!(
            found.is_some_and(|found| found == n_acknowledged || found == n_acknowledged + 1),
            "{n_acknowledged} were acknowledged after {n_known}, {} are there",
            replies.len()
        );
        n_known = replies.len();
        if n_known > 200 {
            fs::remove_file(&path).unwrap();
            n_known = 0;
        }
    }
}

/// The studio answers a request when what was said is on the disk; who is killed before that may have said
/// it or not. Its two files agree, whenever it was killed.
#[test]
fn a_studio_that_is_killed_keeps_what_it_acknowledged() {
    let place = Place::new();
    let rows: String = (0..40).map(|row| format!("{},{}\n", row / 10 * 10, row % 10)).collect();
    place.write("data.csv", format!("x,y\n{rows}"));
    let answers = place.path().join("data.answers.csv");
    let (mut n_known, mut n_said) = (0, 0);
    for round in 0..n_kills() {
        if round % 20 == 0 {
            for (path, _) in place.listing() {
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                assert!(name.trim_start_matches('.').starts_with("data"), "{name} was left behind");
                if name != "data.csv" {
                    fs::remove_file(&path).unwrap();
                }
            }
            (n_known, n_said) = (0, 0);
        }
        let mut studio = Studio::start(&place, "data.csv");
        // Another pair each time: what is said of the same pair again takes the place of what was said.
        let mut said = || {
            n_said += 1;
            let (a, b) = (n_said % 40, (n_said + 1 + n_said / 40) % 40);
            json!({ "kind": "pair", "a": a, "b": b, "answer": "unsure", "comment": "é,\"" })
        };
        for _ in 0..round % 3 {
            studio.post("/api/answer", &said());
            n_known += 1;
        }
        // One more, for whose answer nobody waits; every fifth time one is taken back instead.
        let undoes = round % 5 == 4 && n_known > 0;
        let (path, body) = match undoes {
            true => ("/api/undo", json!({})),
            false => ("/api/answer", said()),
        };
        let pending = studio.send("POST", path, &body.to_string());
        std::thread::sleep(Duration::from_micros(u64::from(round * 7919 % 40) * 100));
        studio.kill();
        drop(pending);
        let (_, replies) = linkshift_io::AnswersFile::open(&answers, 40, None).unwrap();
        let possible = if undoes { [n_known - 1, n_known] } else { [n_known, n_known + 1] };
        assert!(possible.contains(&replies.len()), "{possible:?}, {} are there", replies.len());
        let mut again = Studio::start(&place, "data.csv");
        let n = again.get("/api/state")["answers"]["n"].as_u64().unwrap() as usize;
        // What had reached only one of the files is completed in the other.
        assert!(possible.contains(&n), "{possible:?}, {n} after starting again");
        again.kill();
        n_known = n;
    }
}

#[test]
fn an_input_that_vanishes_and_a_folder_that_is_not_there_are_errors() {
    let place = Place::new();
    place.good("make blobs -n 50 -o data.csv");
    place.run("fit data.csv --label-column label -o none/labels.csv").is_refused(&["none"]);
    fs::remove_file(place.path().join("data.csv")).unwrap();
    place.run("fit data.csv -o labels.csv").is_refused(&["data.csv", "no such file"]);
    assert!(!place.path().join("labels.csv").exists());
}

/// A pipe that gives a few bytes at a time is read to its end.
#[test]
fn a_slow_pipe_gives_the_same_labels() {
    let place = Place::new();
    place.good("make blobs -n 60 -o data.csv");
    place.good("fit data.csv --label-column label --method kmeans -k 3 -o whole.csv");
    let mut child = place
        .command("fit - --label-column label --method kmeans -k 3 -o piped.csv")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    for part in place.read("data.csv").as_bytes().chunks(97) {
        pipe.write_all(part).unwrap();
        pipe.flush().unwrap();
        std::thread::sleep(Duration::from_millis(3));
    }
    drop(pipe);
    assert!(child.wait().unwrap().success());
    assert_eq!(place.read("whole.csv"), place.read("piped.csv"));
}
