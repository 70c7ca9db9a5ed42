//! The linkshift command line.
//!
//! ```text
//! run → commands/<subcommand> → methods.rs → the core's registry → Model
//!            │                      └ --method, -k, --set: texts into settings
//!            └ input.rs, summary.rs, json.rs, picture.rs, progress.rs, failure.rs, …
//! ```
//!
//! Results go to standard output, everything else to standard error. A subcommand returns a
//! `failure::Failure` rather than print or exit, so that every error is one line and one code.

mod advice;
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

use std::ffi::OsString;

/// Does what a command line says, with the program's own name first in `args`, and gives the exit
/// code: what the program `linkshift` does, and the command that comes with the Python package.
///
/// Results go to the process's standard output, and Ctrl-C belongs to it from then on.
///
/// ```
/// assert_eq!(linkshift_cli::run(["linkshift", "--version"]), 0);
/// assert_eq!(linkshift_cli::run(["linkshift", "sing"]), 2);
/// ```
pub fn run(args: impl IntoIterator<Item = impl Into<OsString>>) -> u8 {
    linkshift_io::silence_guarded_panics();
    let args: Vec<OsString> = args.into_iter().map(Into::into).collect();
    let cli = match commands::Cli::read(&args) {
        Ok(cli) => cli,
        Err(error) => return failure::report_usage(&error, &args),
    };
    match interrupt::install().and_then(|()| cli.run()) {
        Ok(()) => 0,
        Err(failure) => failure.report(),
    }
}
