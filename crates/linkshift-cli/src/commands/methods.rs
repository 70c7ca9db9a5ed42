//! `linkshift methods`: what there is, with parameters and defaults, out of the core's tables.

use crate::failure::Result;
use crate::json::{self, Object};
use crate::methods;
use crate::terminal;
use linkshift::method::Clusters;
use linkshift::params::{MEMORY_MB, N_CLUSTERS, PRESET, ParamInfo, SEED};
use linkshift::registry::{Entry, METHODS};
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
    let chosen = match &args.name {
        Some(name) => std::slice::from_ref(methods::find(Some(name))?),
        None => METHODS,
    };
    if args.json {
        let all: Vec<Value> = chosen.iter().map(describe_json).collect();
        return Object::new("methods").with("methods", all).say();
    }
    let texts: Vec<String> = chosen.iter().map(describe).collect();
    terminal::say(&texts.join("\n"))
}

fn describe(entry: &Entry) -> String {
    let info = &entry.info;
    let uses_links = if info.links.is_used() { "uses links" } else { "does not use links" };
    let clusters = match info.clusters {
        Clusters::Found => "finds the number of clusters itself",
        Clusters::Told => "needs -k",
        Clusters::Either => "takes -k, or finds the number of clusters itself",
    };
    let mut text = format!("{}: {}\n  {uses_links}, {clusters}\n", info.name, info.sentence);
    let params = entry.params();
    let options: Vec<String> = params.iter().map(|param| option(param.key)).collect();
    let width = options.iter().map(String::len).max().unwrap_or(0);
    for (param, option) in params.iter().zip(&options) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {option:width$}  {}", what(param));
        let _ = writeln!(text, "  {:width$}  = {}{}", "", param.allowed, default(entry, param));
    }
    for preset in entry.presets() {
        let needs = match preset.needs {
            [] => String::new(),
            needs => format!(" (needs --set {}=…)", needs.join("=… --set ")),
        };
        let _ = writeln!(text, "  --set preset={}: {}{needs}", preset.name, preset.what);
    }
    text
}

/// How a parameter is set; some have an option of their own.
fn option(key: &str) -> String {
    match key {
        N_CLUSTERS => "-k, --clusters".into(),
        SEED => "--seed".into(),
        MEMORY_MB => "--memory".into(),
        key => format!("--set {key}"),
    }
}

fn what(param: &ParamInfo) -> String {
    match param.only_if {
        Some(condition) => format!("with {condition}: {}", param.what),
        None => param.what.to_owned(),
    }
}

/// None where something else decides.
fn default(entry: &Entry, param: &ParamInfo) -> String {
    match param.key {
        PRESET => String::new(),
        N_CLUSTERS if entry.info.clusters == Clusters::Told => String::new(),
        MEMORY_MB => " [default: three quarters of what is free]".into(),
        _ => format!(" [default: {}]", param.default),
    }
}

fn describe_json(entry: &Entry) -> Value {
    let info = &entry.info;
    let params = entry.params().into_iter().map(|param| {
        json!({
            "key": param.key,
            "what": param.what,
            "allowed": param.allowed,
            "words": param.words,
            "default": json::setting(&param.default),
            "only_if": param.only_if,
        })
    });
    let presets = entry.presets().into_iter().map(|preset| {
        json!({
            "name": preset.name,
            "what": preset.what,
            "needs": preset.needs,
            "settings": json::settings(&preset.settings),
        })
    });
    json!({
        "name": info.name,
        "class": info.class,
        "what": info.sentence,
        "link_use": info.links.name(),
        "number_of_clusters": info.clusters.name(),
        "takes_similarities": info.takes_similarities,
        "shows_distances": info.shows_distances,
        "params": params.collect::<Vec<_>>(),
        "presets": presets.collect::<Vec<_>>(),
    })
}
