//! The papers' tables and figures, reproduced: `cargo run --release -p linkshift-papers -- list`.
//!
//! An experiment ([`experiments`]) measures cells of a [`table`]; each repeat is written to the
//! [`journal`] as soon as it is done, so that a run resumes where it stopped. What comes out is shown in
//! the terminal, and written as CSV and pictures into a folder; [`report`] makes a document of all.

mod baselines;
mod data;
mod experiments;
mod failure;
mod journal;
mod machine;
mod picture;
mod reading;
mod report;
mod run;
mod show;
mod table;

use clap::Parser;
use data::Data;
use experiments::{ALL, Experiment, Outcome};
use failure::{Failure, Result};
use journal::Journal;
use run::{Account, Effort, Run};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The tables and figures of five papers, by this implementation beside the published numbers.
#[derive(Parser)]
#[command(version, arg_required_else_help = true)]
struct Arguments {
    /// Experiments by name; or `all`, `list`, or `report` (docs/results.md from what was measured)
    #[arg(required = true)]
    what: Vec<String>,
    /// Each in less than a minute: one repeat, fewer columns
    #[arg(long)]
    quick: bool,
    /// The folder of results; repeats that are in it are not computed again
    #[arg(long, value_name = "FOLDER", default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/papers"), hide_default_value = true)]
    out: PathBuf,
    /// Forget what is in the folder
    #[arg(long)]
    fresh: bool,
    /// Where `report` writes
    #[arg(long, value_name = "FILE", default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/results.md"), hide_default_value = true)]
    document: PathBuf,
}

fn main() -> ExitCode {
    match execute(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            tell(&failure.to_string());
            ExitCode::from(2)
        }
    }
}

fn execute(arguments: &Arguments) -> Result<()> {
    if arguments.what == ["list"] {
        print(&list());
        return Ok(());
    }
    let journal_file = arguments.out.join("repeats.tsv");
    fs::create_dir_all(&arguments.out).map_err(Failure::file(&arguments.out))?;
    if arguments.fresh && journal_file.exists() {
        fs::remove_file(&journal_file).map_err(Failure::file(&journal_file))?;
    }
    let mut journal = Journal::open(&journal_file)?;
    if arguments.what == ["report"] {
        return report::write(&mut journal, &arguments.out, &arguments.document);
    }
    let (data, commit) = (Data::find(), machine::commit());
    let effort = if arguments.quick { Effort::Quick } else { Effort::Full };
    for experiment in chosen(&arguments.what)? {
        let mut run = Run::new(experiment.name, effort, &mut journal, &data, &commit);
        let outcome = (experiment.run)(&mut run)?;
        let account = run.finish();
        print(&shown(experiment, &outcome, &account));
        save(&arguments.out, experiment, &outcome)?;
    }
    Ok(())
}

fn chosen(names: &[String]) -> Result<Vec<&'static Experiment>> {
    if names == ["all"] {
        return Ok(ALL.to_vec());
    }
    let find = |name: &String| {
        let found = ALL.iter().find(|experiment| experiment.name == name);
        found.copied().ok_or_else(|| {
            Failure::Usage(format!("there is no experiment {name}; `list` shows all of them"))
        })
    };
    names.iter().map(find).collect()
}

fn list() -> String {
    let mut text = String::from("experiment           full run  what\n");
    for experiment in ALL {
        text.push_str(&format!(
            "{:<20} {:>5} min  {}: {}\n",
            experiment.name, experiment.minutes, experiment.paper.name, experiment.what
        ));
    }
    let total: f64 = ALL.iter().map(|experiment| experiment.minutes).sum();
    text.push_str(&format!(
        "{:<20} {total:>5} min  on two cores; each less than one with --quick\n",
        "all"
    ));
    text
}

/// What a person sees of an experiment.
fn shown(experiment: &Experiment, outcome: &Outcome, account: &Account) -> String {
    let mut text = String::new();
    for table in outcome.tables.iter().filter(|table| !table.is_empty()) {
        text.push_str(&show::text(table));
        text.push('\n');
    }
    text.push_str(&format!(
        "{}: {:.0} s, {:.0} of the processor's\n",
        experiment.name, account.seconds, account.processor_seconds
    ));
    for line in &account.left_out {
        text.push_str(&format!("  {line}\n"));
    }
    text.push('\n');
    text
}

/// `NAME.csv`, and pictures `NAME.svg`, `NAME-2.svg`, ….
fn save(folder: &Path, experiment: &Experiment, outcome: &Outcome) -> Result<()> {
    let measured: Vec<_> =
        outcome.tables.iter().filter(|table| !table.is_empty()).cloned().collect();
    if measured.is_empty() && outcome.pictures.is_empty() {
        return Ok(());
    }
    let csv = folder.join(format!("{}.csv", experiment.name));
    linkshift_io::write_beside(&csv, |file| file.write_all(show::csv(&measured).as_bytes()))?;
    picture::save_all(folder, experiment.name, &measured, &outcome.pictures)
}

/// Results go to standard output.
#[allow(clippy::print_stdout)]
fn print(text: &str) {
    print!("{text}");
}

/// Everything else goes to standard error.
#[allow(clippy::print_stderr)]
fn tell(line: &str) {
    eprintln!("{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found() {
        for experiment in ALL {
            let names: Vec<_> = ALL.iter().filter(|other| other.name == experiment.name).collect();
            assert_eq!(names.len(), 1, "{}", experiment.name);
            assert!(list().contains(experiment.name));
        }
        assert!(chosen(&["cms-table-0".to_string()]).is_err());
    }

    #[test]
    fn all_experiments_fit_into_two_hours() {
        assert!(ALL.iter().map(|experiment| experiment.minutes).sum::<f64>() <= 120.0);
    }
}
