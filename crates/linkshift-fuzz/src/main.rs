//! `linkshift-fuzz`: one target, or all of them, for so many inputs or so many seconds.
#![allow(clippy::print_stdout, clippy::print_stderr)] // a chore talks to the person who runs it

use linkshift_fuzz::{TARGETS, Target, Workshop, find, replay, run};
use std::io::{Seek, SeekFrom, Write};
use std::process::{Command, ExitCode};
use std::time::Duration;

const USAGE: &str = "\
usage: linkshift-fuzz [--minutes N] [--count N] [--target NAME] [--seed SEED] [--from SEED]

  --minutes N    for all targets together (default 1)
  --count N      inputs for each target at most
  --target NAME  that one alone
  --seed SEED    the input of that seed alone, to look at a finding
  --from SEED    the first seed (default 0)";

/// An input of a few kilobytes has no business with more; in kilobytes, as `ulimit` counts.
const MOST_MEMORY_KB: u64 = 6 << 20;

struct Options {
    seconds: f64,
    count: u64,
    target: Option<&'static Target>,
    seed: Option<u64>,
    from: u64,
    /// Where the child of a run tells which seed it is at.
    tell: Option<String>,
}

fn read(args: &[String]) -> Result<Options, String> {
    let mut options =
        Options { seconds: 60.0, count: u64::MAX, target: None, seed: None, from: 0, tell: None };
    for pair in args.chunks(2) {
        let [key, value] = pair else { return Err(USAGE.into()) };
        let number = || value.parse::<u64>().map_err(|_| format!("{key} {value}: give a number"));
        match key.as_str() {
            "--minutes" => {
                let minutes: f64 =
                    value.parse().map_err(|_| format!("{key} {value}: give a number"))?;
                options.seconds = 60.0 * minutes.clamp(0.0, 1e6);
            }
            "--count" => options.count = number()?,
            "--seed" => options.seed = Some(number()?),
            "--from" => options.from = number()?,
            "--tell" => options.tell = Some(value.clone()),
            "--target" => {
                let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
                let missing = || format!("no such target; there are {}", names.join(", "));
                options.target = Some(find(value).ok_or_else(missing)?);
            }
            _ => return Err(USAGE.into()),
        }
    }
    Ok(options)
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let outcome = read(&args).and_then(|options| match (options.target, options.seed) {
        (Some(target), Some(seed)) => one(target, seed),
        (Some(target), None) if options.tell.is_some() => child(target, &options),
        _ => parent(&options),
    });
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// One input, with all that panics have to say.
fn one(target: &'static Target, seed: u64) -> Result<bool, String> {
    let workshop = Workshop::new().map_err(|error| error.to_string())?;
    let finding = replay(target, seed, &workshop);
    println!("{}", finding.as_ref().map_or("nothing found", |finding| &finding.what));
    Ok(finding.is_none())
}

/// Many inputs of one target; ends at once if its memory is used up.
fn child(target: &'static Target, options: &Options) -> Result<bool, String> {
    let workshop = Workshop::new().map_err(|error| error.to_string())?;
    let path = options.tell.as_deref().unwrap_or_default();
    let mut tell = std::fs::File::create(path).map_err(|error| error.to_string())?;
    let begun = |seed: u64| {
        let _ = tell.seek(SeekFrom::Start(0)).and_then(|_| tell.write_all(&seed.to_le_bytes()));
    };
    let time = Duration::from_secs_f64(options.seconds);
    let outcome = run(target, options.from, options.count, time, &workshop, begun);
    for finding in &outcome.findings {
        println!("  seed {}: {}", finding.seed, finding.what);
    }
    let longest = outcome.longest.as_secs_f64();
    println!(
        "{:<10}{:>10} inputs, longest {longest:.2} s, memory at most {} MB, {} findings",
        target.name,
        outcome.n_tried,
        peak_mb(),
        outcome.findings.len()
    );
    Ok(outcome.findings.is_empty())
}

/// The most memory that this process has had, where the system tells (Linux).
fn peak_mb() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("VmHWM:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kb| kb.parse::<u64>().ok()).unwrap_or(0) / 1024
}

/// Every target in a process of its own, with a limit of memory and of time.
fn parent(options: &Options) -> Result<bool, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let targets: Vec<&Target> = match options.target {
        Some(target) => vec![target],
        None => TARGETS.iter().collect(),
    };
    let seconds = options.seconds / targets.len() as f64;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut all_good = true;
    for target in targets {
        let tell = folder.path().join(target.name);
        let limits = format!("ulimit -v {MOST_MEMORY_KB}; ulimit -c 0; exec \"$@\"");
        let status = Command::new("sh")
            .args(["-c", &limits, "sh"])
            .arg(&program)
            .args(["--target", target.name, "--tell"])
            .arg(&tell)
            .args(["--minutes", &(seconds / 60.0).to_string()])
            .args(["--count", &options.count.to_string(), "--from", &options.from.to_string()])
            .status()
            .map_err(|error| error.to_string())?;
        all_good &= status.success();
        if status.code().is_none() || status.code() > Some(1) {
            let seed = std::fs::read(&tell).unwrap_or_default();
            let seed = u64::from_le_bytes(seed.try_into().unwrap_or_default());
            println!("{:<10}ended by {status} at seed {seed}", target.name);
        }
    }
    Ok(all_good)
}
