//! Random and damaged input, by the program in `crates/linkshift-fuzz`.

use crate::{Failure, cargo, succeed};

/// Builds the program and hands it the options.
pub(crate) fn run(options: &[&str]) -> Result<(), Failure> {
    let mut fuzz = cargo(&["run", "--release", "--quiet", "--package", "linkshift-fuzz", "--"]);
    succeed(fuzz.args(options))
}
