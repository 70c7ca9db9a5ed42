//! The program `linkshift`; all of it is in the library beside, which the Python package calls, too.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(linkshift_cli::run(std::env::args_os()))
}
