//! All that must hold before a change goes in, stage by stage.
//!
//! Everything is built in release: the literal versions beside the fast ones would take minutes
//! otherwise, and the program, the tests, the papers and the wheel share what is built.

use crate::python::target;
use crate::{Failure, cargo, examples, package, papers, root, studio, succeed, tidy, units, wheel};
use std::process::Command;
use std::time::{Duration, Instant};

struct Stage {
    name: &'static str,
    work: Work,
}

enum Work {
    /// A cargo command.
    Cargo(&'static [&'static str]),
    /// A chore of our own.
    Chore(fn() -> Result<(), Failure>),
}

const STAGES: &[Stage] = &[
    Stage { name: "format", work: Work::Cargo(&["fmt", "--all", "--check"]) },
    Stage {
        name: "lints",
        work: Work::Cargo(&[
            "clippy",
            "--release",
            "--workspace",
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ]),
    },
    // A stage of its own, so that the summary says what building takes and what testing.
    Stage { name: "build", work: Work::Chore(build_told) },
    // Unit, property, golden and integration tests (the command line's run it as a process), and
    // the examples in the documentation, which edition 2024 makes one program of for each crate.
    Stage { name: "tests", work: Work::Cargo(&["test", "--release", "--workspace", "--quiet"]) },
    Stage { name: "examples", work: Work::Chore(examples::run) },
    // Libraries only: the binary `linkshift` would write its pages over those of the library.
    Stage {
        name: "documentation",
        work: Work::Cargo(&[
            "doc",
            "--release",
            "--workspace",
            "--lib",
            "--no-deps",
            "--config",
            "build.rustdocflags=['-D', 'warnings']",
        ]),
    },
    Stage { name: "tidy", work: Work::Chore(tidy::run) },
    Stage { name: "package", work: Work::Chore(package::run) },
    Stage { name: "papers", work: Work::Chore(papers::quick) },
    // The page as its users see it: in a real browser, beside the real program.
    Stage { name: "studio", work: Work::Chore(studio::test) },
    Stage { name: "python", work: Work::Chore(wheel::test) },
];

/// Components of the toolchain that a bare installation of Rust may lack.
const COMPONENTS: &[(&str, &str)] = &[("fmt", "rustfmt"), ("clippy", "clippy")];

/// Runs all stages, or the one named; stops at the first that fails.
pub(crate) fn run(only: Option<&str>) -> Result<(), Failure> {
    check_components()?;
    let wanted = |stage: &&Stage| only.is_none_or(|name| name == stage.name);
    if !STAGES.iter().any(|stage| wanted(&stage)) {
        let names: Vec<&str> = STAGES.iter().map(|stage| stage.name).collect();
        return Err(format!("no such stage; there are {}", names.join(", ")));
    }
    let mut times = Vec::new();
    for stage in STAGES.iter().filter(wanted) {
        println!("── {}", stage.name);
        let start = Instant::now();
        let outcome = match stage.work {
            Work::Cargo(args) => succeed(&mut cargo(args)),
            Work::Chore(chore) => chore(),
        };
        times.push((stage.name, start.elapsed()));
        if let Err(failure) = outcome {
            return Err(format!("{}\nFAILED at {}: {failure}", summary(&times), stage.name));
        }
    }
    println!("{}\nAll good.", summary(&times));
    Ok(())
}

/// All programs and tests, with one choice of features for all of them; `cargo run` for one of
/// them would choose anew, and build dependencies a second time.
pub(crate) fn build() -> Result<(), Failure> {
    succeed(&mut build_command())
}

fn build_command() -> Command {
    let mut build = cargo(&["build", "--release", "--workspace", "--quiet"]);
    build.args(["--lib", "--bins", "--tests", "--examples"]);
    build
}

/// [`build`], with a line that says what it cost: growth is seen when it begins.
fn build_told() -> Result<(), Failure> {
    let start = Instant::now();
    succeed(build_command().arg("--timings"))?;
    println!("{}", units::line(start.elapsed()));
    Ok(())
}

/// A program that [`build`] left, to be run at the workspace's root.
pub(crate) fn built(name: &str) -> Command {
    let program = format!("release/{name}{}", std::env::consts::EXE_SUFFIX);
    let mut command = Command::new(target().join(program));
    command.current_dir(root());
    command
}

fn check_components() -> Result<(), Failure> {
    for (subcommand, component) in COMPONENTS {
        let output = cargo(&[subcommand, "--version"]).output();
        if !output.is_ok_and(|output| output.status.success()) {
            return Err(format!(
                "`cargo {subcommand}` does not run: add it with `rustup component add {component}`"
            ));
        }
    }
    Ok(())
}

/// One line per stage that ran, and the total.
fn summary(times: &[(&str, Duration)]) -> String {
    let total = times.iter().map(|(_, time)| *time).sum();
    let lines = times.iter().copied().chain([("total", total)]);
    let lines = lines.map(|(name, time)| format!("{name:<14}{:>8.1} s", time.as_secs_f64()));
    format!("──\n{}", lines.collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_names_each_stage_and_adds_up() {
        let times = [("format", Duration::from_millis(500)), ("tests", Duration::from_secs(61))];
        let expected =
            "──\nformat             0.5 s\ntests             61.0 s\ntotal             61.5 s";
        assert_eq!(summary(&times), expected);
    }
}
