//! The subcommands, one file each.

mod affinity;
mod ask;
mod completions;
mod demo;
mod embed;
mod fit;
mod links;
mod make;
mod methods;
mod predict;
mod score;
mod studio;
mod why;

use crate::failure::Result;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;

/// Clustering that listens: mean shift and its relatives, with must-links and cannot-links.
#[derive(Debug, Parser)]
#[command(name = "linkshift", version, arg_required_else_help = true, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 good, 1 failed or cancelled, 2 bad input.\n\
    Begin with `linkshift demo`.";

#[derive(Debug, Subcommand)]
enum Command {
    Demo(demo::Args),
    Fit(fit::Args),
    Predict(predict::Args),
    Why(why::Args),
    Ask(ask::Args),
    Studio(studio::Args),
    Embed(embed::Args),
    Methods(methods::Args),
    #[command(subcommand)]
    Links(links::Command),
    Score(score::Args),
    Affinity(affinity::Args),
    Make(make::Args),
    Completions(completions::Args),
}

impl Cli {
    /// What the command line says.
    pub(crate) fn read(args: &[OsString]) -> Result<Self, clap::Error> {
        // The studio has data of its own.
        let studio = |studio: clap::Command| studio.mut_arg("data", |data| data.required(false));
        let command = Self::command().mut_subcommand("studio", studio);
        Self::from_arg_matches(&command.try_get_matches_from(args)?)
    }

    /// Does what was asked.
    pub(crate) fn run(self) -> Result<()> {
        match self.command {
            Command::Demo(args) => demo::run(&args),
            Command::Fit(args) => fit::run(&args),
            Command::Predict(args) => predict::run(&args),
            Command::Why(args) => why::run(&args),
            Command::Ask(args) => ask::run(args),
            Command::Studio(args) => studio::run(&args),
            Command::Embed(args) => embed::run(&args),
            Command::Methods(args) => methods::run(&args),
            Command::Links(command) => links::run(&command),
            Command::Score(args) => score::run(&args),
            Command::Affinity(args) => affinity::run(&args),
            Command::Make(args) => make::run(&args),
            Command::Completions(args) => completions::run(&args),
        }
    }
}
