//! `linkshift ask`, killed with SIGKILL at any moment, over all kinds of questions.

use crate::common::Place;
use linkshift::ask::{Kind, Reply};
use linkshift_io::AnswersFile;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;
use std::time::Duration;

const N_ROWS: usize = 120;

/// Every so many processes a new file is begun, so that there is always something left to ask.
const ROUNDS_PER_FILE: usize = 12;

/// A process is killed after fewer questions than this.
const MOST_QUESTIONS: usize = 16;

/// Small numbers that look drawn, the same in every run.
fn drawn(of: usize) -> usize {
    (of.wrapping_mul(2_654_435_761) >> 7) % 9_973
}

/// Keys of all kinds of questions. Rarely one is certain: certain answers may not contradict each
/// other, and random ones soon do.
fn keys(round: usize) -> String {
    const KEYS: [&str; 12] = ["d", "0", "d", "0", "s", "1", "2s", "0", "u", "d", "3s", "d"];
    let key = |at: usize| KEYS[drawn(round * 1_000 + at) % KEYS.len()];
    let keys: String = (0..80).map(key).collect();
    // In every third round something is taken back, and something is said with certainty.
    if round.is_multiple_of(3) { keys.replace("dd", "dzd").replacen("dz", "!dz", 1) } else { keys }
}

fn kept(place: &Place) -> Vec<Reply> {
    let path = place.path().join("data.answers.csv");
    AnswersFile::open(&path, N_ROWS, None).expect("the file can be read").1
}

#[test]
fn no_answer_is_lost_however_often_the_process_is_killed() {
    // More of them in a run of its own: LINKSHIFT_KILLS=500.
    let n_rounds = std::env::var("LINKSHIFT_KILLS").ok().and_then(|n| n.parse().ok());
    let n_rounds: usize = n_rounds.unwrap_or(60);
    let place = Place::new();
    let row = |i: usize| format!("{},{}\n", (i / 10) * 10, drawn(i) % 7);
    let rows: String = (0..N_ROWS).map(row).collect();
    place.write("data.csv", format!("x,y\n{rows}"));
    let file = place.path().join("data.answers.csv");
    let (mut n_answers, mut kinds) = (0, Vec::new());
    for round in 0..n_rounds {
        if round.is_multiple_of(ROUNDS_PER_FILE) {
            let _ = std::fs::remove_file(&file);
        }
        let before = if file.exists() { kept(&place) } else { Vec::new() };
        let mut command = place.command("ask data.csv --scale none --every 1000");
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // The end of the keys is the end of the dialogue, in case it comes first.
        let _ = child.stdin.take().unwrap().write_all(keys(round).as_bytes());
        // After so many questions, whatever the machine's speed, and some way into what follows.
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut said = String::new();
        while said.matches("question ").count() < drawn(round) % MOST_QUESTIONS
            && stderr.read_line(&mut said).unwrap() > 0
        {}
        std::thread::sleep(Duration::from_micros((drawn(round + 1_000) % 3_000) as u64));
        child.kill().unwrap(); // SIGKILL, on Unix
        stderr.read_to_string(&mut said).unwrap();
        child.wait().unwrap();
        if !file.exists() {
            continue; // killed before it began
        }
        let after = kept(&place);
        // Who was shown question N had given N − 1 answers; one act more may have been on its way.
        let shown = said.rsplit("question ").find_map(|text| text.split(':').next()?.parse().ok());
        let told: usize = shown.map_or(before.len(), |number: usize| number - 1);
        let takes_back = usize::from(keys(round).contains('z'));
        let possible = told.saturating_sub(takes_back)..=told + 1;
        assert!(possible.contains(&after.len()), "{told} told, {} kept:\n{said}", after.len());
        if takes_back == 0 {
            assert_eq!(after[..before.len()], before, "round {round}");
        }
        n_answers += after.len().saturating_sub(before.len());
        kinds.extend(after.iter().map(Reply::kind));
    }
    assert!(n_answers > n_rounds, "only {n_answers} answers in {n_rounds} rounds");
    for kind in [Kind::Pair, Kind::Place] {
        assert!(kinds.contains(&kind), "no {kind:?} was answered");
    }
}
