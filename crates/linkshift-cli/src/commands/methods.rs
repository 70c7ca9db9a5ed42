//! `linkshift methods`: what there is, with parameters and defaults.

use crate::failure::Result;
use crate::methods::{self, Method};
use crate::terminal;
use serde_json::{Value, json};
use std::fmt::Write;

/// List the methods with their parameters and defaults
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only this method
    name: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let chosen: Vec<&Method> = match &args.name {
        Some(name) => vec![methods::find(name)?],
        None => methods::ALL.iter().collect(),
    };
    if args.json {
        let all: Vec<Value> = chosen.iter().map(|method| describe_json(method)).collect();
        return terminal::say(&format!("{:#}", json!(all)));
    }
    let texts: Vec<String> = chosen.iter().map(|method| describe(method)).collect();
    terminal::say(&texts.join("\n"))
}

fn describe(method: &Method) -> String {
    let uses_links = if method.uses_links { "uses links" } else { "does not use links" };
    let takes_k = if method.takes_k { "takes -k" } else { "finds the number of clusters itself" };
    let mut text = format!("{}: {}\n  {uses_links}, {takes_k}\n", method.name, method.summary);
    let width = method.params.iter().map(|param| param.key.len()).max().unwrap_or(0);
    for param in method.params {
        let default = match param.default {
            "" => String::new(),
            default => format!(" [default: {default}]"),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  --set {:width$}  {}", param.key, param.what);
        let _ = writeln!(text, "        {:width$}  = {}{default}", "", param.allowed);
    }
    text
}

fn describe_json(method: &Method) -> Value {
    let params = method.params.iter().map(|param| {
        let default = (!param.default.is_empty()).then_some(param.default);
        json!({
            "key": param.key, "default": default, "allowed": param.allowed, "what": param.what,
        })
    });
    json!({
        "name": method.name,
        "summary": method.summary,
        "uses_links": method.uses_links,
        "takes_k": method.takes_k,
        "params": params.collect::<Vec<_>>(),
    })
}
