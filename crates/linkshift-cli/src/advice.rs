//! What to type next: the end of an error's line, where only the command line knows it.

use crate::commands::Cli;
use crate::failure::Failure;
use crate::methods::did_you_mean;
use clap::CommandFactory;
use clap::error::{ContextKind, ErrorKind};
use linkshift_io::{IntakeProblem, IoError, Problem};
use std::ffi::OsString;
use std::io::ErrorKind as System;
use std::path::Path;

/// The options that may mend a file's problem; io knows nothing of them.
pub(crate) fn on_failure(failure: &Failure) -> String {
    let Failure::Io(IoError { place, problem }) = failure else { return String::new() };
    let file = place.file.as_path();
    match problem {
        Problem::NotFound => near(file),
        Problem::UnknownFormat if file.is_dir() => {
            " (it is a folder: name a file in it, or cluster its pictures with --image-column file)"
                .into()
        }
        Problem::UnknownFormat if file.exists() => " (a spreadsheet: save it as CSV first)".into(),
        Problem::UnknownFormat => near(file),
        Problem::Write { reason } if reason.get().kind() == System::NotFound => {
            let folder = file.parent().unwrap_or(file);
            format!(" (make the folder: mkdir -p {})", folder.display())
        }
        Problem::NotANumber { .. } => " (see --columns, --label-column and --id-column)".into(),
        Problem::NoNumericColumn { .. } => {
            " (choose them with --columns; for texts see --text-column and --categories)".into()
        }
        Problem::Intake(IntakeProblem::Missing { .. }) => " (as in --missing drop)".into(),
        Problem::NotARow { .. } => {
            " (see --id-column; a links file has lines such as 0,1,must)".into()
        }
        Problem::OutOfRange { .. } => {
            " (rows count from 0; if links name ids, say which column has them: --id-column)".into()
        }
        Problem::DuplicateId { .. } => " (or leave --id-column out and link by row)".into(),
        Problem::Ragged { .. } => " (see --delimiter)".into(),
        Problem::TooLarge { .. } => " (see --scale and --dtype)".into(),
        Problem::NotAModel => " (linkshift fit … --model FILE makes one)".into(),
        _ => String::new(),
    }
}

/// The file beside one that is not there whose name is most like its.
fn near(file: &Path) -> String {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let Ok(beside) = folder.unwrap_or(Path::new(".")).read_dir() else {
        return String::new();
    };
    let names: Vec<String> =
        beside.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    did_you_mean(&file.file_name().unwrap_or_default().to_string_lossy(), &names)
}

/// A usage error in one line that ends with what to type.
pub(crate) fn on_usage(error: &clap::Error, args: &[OsString]) -> String {
    let text = error.to_string();
    let (message, usage) = text.split_once("\n\nUsage:").unwrap_or((&text, ""));
    let message = message.split("\n\nFor more information").next().unwrap_or_default();
    let message = message.trim_start_matches("error: ");
    let parts = message.split("\n\n").map(str::trim);
    // To take a word that begins with a dash for a file is hardly ever meant.
    let parts: Vec<&str> = parts.filter(|part| !part.contains("as a value, use '--")).collect();
    let mut message = parts.join("; ");
    let commands = Cli::command();
    let known: Vec<&str> = commands.get_subcommands().map(clap::Command::get_name).collect();
    let usage = usage.lines().next().unwrap_or_default().trim();
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let word = error.get(ContextKind::InvalidSubcommand);
            let word = word.map(ToString::to_string).unwrap_or_default();
            // `linkshift links chek` is about the commands of `links`.
            let within = args.get(1).and_then(|word| commands.find_subcommand(word));
            let within = within.filter(|command| command.has_subcommands()).unwrap_or(&commands);
            let known: Vec<&str> = within.get_subcommands().map(clap::Command::get_name).collect();
            let (near, known) = (did_you_mean(&word, &known), known.join(", "));
            message = format!("there is no command {word:?}{near}; there is: {known}");
        }
        ErrorKind::MissingRequiredArgument if !usage.is_empty() => {
            message = format!("{message}; write: {usage}");
        }
        _ => {}
    }
    // Not every usage error knows the command that it is about.
    let named = args.get(1).and_then(|word| word.to_str()).filter(|word| known.contains(word));
    let is_word = |word: &&str| !word.starts_with(['[', '<', '-']);
    let command: Vec<&str> = usage.split_whitespace().take_while(is_word).collect();
    let command = match (command.is_empty(), named) {
        (false, _) => command.join(" "),
        (true, Some(named)) => format!("linkshift {named}"),
        (true, None) => "linkshift".to_owned(),
    };
    format!("{message}; `{command} --help` tells more")
}
