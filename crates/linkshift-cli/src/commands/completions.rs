//! `linkshift completions`: what makes a shell complete our options.

use super::Cli;
use crate::failure::Result;
use crate::terminal;
use clap::CommandFactory;
use clap_complete::Shell;

/// Print a completion script for a shell
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shell; put its script where it looks for completions
    shell: Shell,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "linkshift", &mut script);
    terminal::say(&String::from_utf8_lossy(&script))
}
