//! The linkshift command line.
//!
//! ```text
//! main → commands/<subcommand> → methods.rs → the core's registry → Model
//!            │                      └ --method, -k, --set: texts into settings
//!            └ input.rs, summary.rs, json.rs, picture.rs, progress.rs, failure.rs, …
//! ```
//!
//! Results go to standard output, everything else to standard error. A subcommand returns a
//! [`failure::Failure`] rather than print or exit, so that every error is one line and one code.

mod clusters;
mod commands;
mod failure;
mod input;
mod intake;
mod interrupt;
mod json;
mod memory;
mod methods;
mod notes;
mod picture;
mod previous;
mod progress;
mod scored;
mod summary;
mod terminal;

use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = match commands::Cli::read() {
        Ok(cli) => cli,
        Err(error) => return failure::report_usage(&error),
    };
    match interrupt::install().and_then(|()| cli.run()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
