//! `--memory` is kept by every method: what is said to be needed is enough, and no more is taken.

use crate::common::Place;
use linkshift::method::Clusters;
use linkshift::registry::METHODS;
use std::fs;
use std::process::Stdio;
use std::time::Duration;

/// What may be held beyond what was stated.
const MORE: f64 = 1.1;

/// The exit code of a run, what it complained of, and the most memory it held, in MB.
fn watched(place: &Place, args: &str) -> (Option<i32>, String, f64) {
    let mut command = place.command(args);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak_kb = 0;
    loop {
        // Whoever has ended says nothing any more, so the last look counts.
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find(|line| line.starts_with("VmHWM:")).unwrap_or_default();
        let now = line.split_whitespace().nth(1).and_then(|kb| kb.parse().ok()).unwrap_or(0);
        peak_kb = u64::max(peak_kb, now);
        if child.try_wait().unwrap().is_some() {
            break;
        }
        std::thread::sleep(Duration::from_micros(300));
    }
    let output = child.wait_with_output().unwrap();
    let complained = String::from_utf8(output.stderr).unwrap();
    (output.status.code(), complained, peak_kb as f64 / 1024.0)
}

#[test]
fn what_a_method_says_it_needs_is_enough_and_is_not_exceeded() {
    let place = Place::new();
    let links: String =
        (0..100).map(|pair| format!("{},{},must\n", 2 * pair, 2 * pair + 1)).collect();
    place.write("links.csv", links);
    for entry in METHODS {
        let name = entry.info.name;
        // Its matrices of all pairs would be 1.4 GB.
        let rows = if name == "constrained-spectral" { 400 } else { 4_000 };
        let data = format!("some-{rows}.parquet");
        if !place.path().join(&data).exists() {
            place.good(&format!("make blobs -n {rows} --dimensions 8 --centers 5 -o {data}"));
        }
        let k = if entry.info.clusters == Clusters::Told { "-k 5" } else { "" };
        let fit = format!(
            "fit {data} --label-column label --method {name} {k} --links links.csv -o labels.csv"
        );
        // More than the program and the table, less than any method.
        let mut stated = 20;
        loop {
            let (code, complained, peak) = watched(&place, &format!("{fit} --memory {stated}"));
            assert!(
                peak <= MORE * stated as f64 || code == Some(1),
                "{name}: {peak} of {stated} MB"
            );
            if code == Some(0) {
                // A run that is over before it was looked at is looked at again.
                let mut again =
                    (0..20).map(|_| watched(&place, &format!("{fit} --memory {stated}")).2);
                let least = stated as f64 / 4.0;
                let is_used = peak >= least || again.any(|peak| peak >= least);
                assert!(is_used, "{name}: {peak} MB, and {stated} were asked for");
                break;
            }
            assert!(code == Some(1), "{name}: {complained}");
            let told =
                complained.split("needs about ").nth(1).and_then(|text| text.split(' ').next());
            let told: u64 = told.and_then(|mb| mb.parse().ok()).expect(&complained);
            assert!(told > stated && told < 2_000, "{name}: {complained}");
            stated = told;
        }
    }
}

#[test]
fn what_would_fit_is_said() {
    let place = Place::new();
    place.good("make blobs -n 60000 --dimensions 4 -o data.parquet");
    let fit = "fit data.parquet --label-column label --method mean-shift -o labels.csv";
    let run = place.run(&format!("{fit} --memory 45"));
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stderr.contains("of these 60000 would fit"), "{}", run.stderr);
    assert!(!place.path().join("labels.csv").exists());
}

/// What no method can know before: how much the table takes. The reader counts it row by row, so that no busy
/// machine is too slow to see it.
#[test]
fn a_table_that_does_not_fit_is_refused_while_it_is_read() {
    let place = Place::new();
    let row = format!("{}\n", ["1.25"; 2_000].join(","));
    // 80 MB of numbers.
    place.write("data.csv", row.repeat(5_000));
    let (code, complained, peak) = watched(&place, "fit data.csv --memory 50 --method kmeans -k 2");
    assert_eq!(code, Some(1), "{complained}");
    assert!(complained.contains("was stopped when it held so much"), "{complained}");
    assert!(peak <= 50.0 * MORE, "{peak}");
}
