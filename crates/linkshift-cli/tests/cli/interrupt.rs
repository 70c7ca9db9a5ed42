//! Ctrl-C: exit code 1, one line, no file.

use crate::common::{Place, processor_seconds};
use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Starts a run, presses Ctrl-C once it has computed for so long, and expects it to end cleanly.
fn is_cancelled(place: &Place, args: &str, seconds: f64) {
    let before = place.listing();
    let mut command = place.command(args);
    let child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).stdout(Stdio::piped());
    let mut child = child.spawn().unwrap();
    wait_until_under_way(&mut child, seconds);
    press_ctrl_c(&child);
    // Holds the pipe of standard input open until the end, as a terminal would.
    let stdin = child.stdin.take();
    let output = child.wait_with_output().unwrap();
    drop(stdin);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.starts_with("error: cancelled") && stderr.lines().count() == 1, "{stderr}");
    assert!(output.stdout.is_empty());
    assert_eq!(place.listing(), before, "something was touched");
}

/// Waits until a run listens to Ctrl-C and has had so many seconds of the processor, however slow the machine.
fn wait_until_under_way(child: &mut Child, seconds: f64) {
    const SIGINT: u64 = 1 << 1;
    loop {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it could be cancelled");
        let status = fs::read_to_string(format!("/proc/{}/status", child.id()));
        let (Ok(status), Some(spent)) = (status, processor_seconds(child)) else {
            // The system does not tell. Long enough to have begun, far too short to be done.
            return std::thread::sleep(Duration::from_secs(1));
        };
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or("0");
        let caught = u64::from_str_radix(caught.trim(), 16).unwrap();
        if caught & SIGINT != 0 && spent >= seconds {
            return;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn press_ctrl_c(child: &Child) {
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

#[test]
fn a_long_fit_stops_at_the_next_iteration() {
    let place = Place::new();
    place.good("make blobs -n 8000 -o data.csv");
    place.write("labels.csv", "old");
    // The literal amount of work: no profile that ends, no merging, no early stop.
    is_cancelled(
        &place,
        "fit data.csv --label-column label --method mean-shift --set kernel=rbf \
         --set tolerance=0 --set merge_tolerance=0 --set max_iter=100000 -o labels.csv",
        // Ten times what reading takes.
        0.5,
    );
}

#[test]
fn reading_that_waits_forever_stops_at_once() {
    is_cancelled(&Place::new(), "fit - --method mean-shift -o labels.csv", 0.0);
}
