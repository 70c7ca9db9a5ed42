//! Chores of the workspace, as code: `cargo xtask test`, `cargo xtask tidy` and more.
//!
//! Standard library only, so that a fresh clone builds it in seconds.

#![allow(clippy::print_stdout, clippy::print_stderr)] // a chore talks to the person who runs it

mod bench;
mod docs;
mod examples;
mod fuzz;
mod package;
mod papers;
mod python;
mod release;
mod studio;
mod supply;
mod test;
mod tidy;
mod units;
mod wheel;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const USAGE: &str = "\
usage: cargo xtask CHORE

  test [STAGE]             all that must hold before a change goes in, or one stage of it
  tidy                     the rules of the house that no compiler knows
  wheel                    the Python package, into dist/
  docs [--refresh]         docs/ as a site, into target/book; --refresh first puts current output and pictures into it
  release --dry-run        whether a release could go out
  fuzz [OPTIONS]           random and damaged input for every door; see --help
  supply                   licences, duplicates, C code and the toolchain of all dependencies
  bench [NAME] [OPTIONS]   measure; all benches, or those named
      --list               the names
      --full               also what takes minutes
      --row NAME           one row of the table, where a bench has rows (speed)
      --no-peers           without scikit-learn and COBRAS (no Python needed)
  studio [--pictures]      the studio's page, built anew; or the pictures in its documents
  bench studio --dialogue  a long dialogue with wrong answers in the studio, on data that LINKSHIFT_DATA names
  bench dask|recipes       what many machines cost, and other engines; in Python, on a fresh wheel
  peers [--quick]          beside other systems on the same data: seconds, memory, ARI, links broken";

/// What went wrong, for a person to read.
type Failure = String;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match args[..] {
        ["test"] => test::run(None),
        ["test", stage] => test::run(Some(stage)),
        ["tidy"] => tidy::run(),
        ["wheel"] => wheel::run(),
        ["studio", ref rest @ ..] => studio::run(rest),
        ["docs", ref rest @ ..] => docs::run(rest),
        ["release", ref rest @ ..] => release::run(rest),
        ["fuzz", ref rest @ ..] => fuzz::run(rest),
        ["supply"] => supply::run(),
        ["bench", ref rest @ ..] => bench::run(rest),
        ["peers", ref rest @ ..] => papers::peers(rest),
        [] | ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            Ok(())
        }
        _ => Err(format!("no such chore: {}\n{USAGE}", args.join(" "))),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

/// The folder of the whole workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The cargo that runs this chore, at the workspace's root.
fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(root());
    command
}

/// Runs a command whose output goes to the terminal; anything but success is a failure.
fn succeed(command: &mut Command) -> Result<(), Failure> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{} ({status})", line_of(command))),
        Err(error) => Err(format!("{} did not start: {error}", line_of(command))),
    }
}

/// A command as one would type it.
fn line_of(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
