//! What the documents say of the methods is what the registry says. (Here, because this crate sees
//! the core and is never published without the documents.)

use linkshift::method::{Clusters, LinkUse};
use linkshift::registry::METHODS;

const README: &str = include_str!("../../../README.md");
const ARCHITECTURE: &str = include_str!("../../../ARCHITECTURE.md");

/// The cells of the rows of the README's table of methods.
fn rows() -> Vec<Vec<&'static str>> {
    let table = README.split_once("## Which method when").expect("the heading is there").1;
    let rows = table.lines().skip_while(|line| !line.starts_with("|---")).skip(1);
    let cells = |line: &'static str| {
        line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect()
    };
    rows.take_while(|line| line.starts_with('|')).map(cells).collect()
}

fn words_for(links: LinkUse) -> &'static str {
    match links {
        LinkUse::Unused => "not used",
        LinkUse::Certain => "as certain",
        LinkUse::Weighed => "by confidence",
        LinkUse::Evidence => "certain bind, others weigh",
        LinkUse::Judged => "kept unless probably wrong",
    }
}

fn words_for_count(clusters: Clusters) -> &'static str {
    match clusters {
        Clusters::Found => "found",
        Clusters::Told => "told",
        Clusters::Either => "told or found",
    }
}

#[test]
fn the_readme_has_a_row_for_every_method_and_no_other() {
    let mut shown: Vec<&str> = rows().iter().map(|row| row[0]).collect();
    let mut there: Vec<&str> = METHODS.iter().map(|entry| entry.info.name).collect();
    shown.sort_unstable();
    there.sort_unstable();
    assert_eq!(shown, there);
}

#[test]
fn the_readme_says_of_each_method_what_the_registry_says() {
    for entry in METHODS {
        let info = entry.info;
        let row = rows().into_iter().find(|row| row[0] == info.name).unwrap();
        let expected = [info.class, words_for(info.links), words_for_count(info.clusters)];
        assert_eq!([row[1], row[3], row[4]], expected, "{}", info.name);
    }
}

#[test]
fn the_readme_asks_for_the_rust_that_the_manifest_asks_for() {
    let asked = concat!("Rust ", env!("CARGO_PKG_RUST_VERSION"), " or newer");
    assert!(README.contains(asked), "{asked}");
}

#[test]
fn the_readme_has_the_two_commands() {
    for command in ["cargo run --release -- demo", "cargo xtask test"] {
        assert!(README.lines().any(|line| line.starts_with(command)), "{command}");
    }
}

/// The names in backticks are items of the core; a renamed one would mislead a newcomer.
#[test]
fn the_items_that_the_architecture_names_are_there() {
    let sources = [
        include_str!("../../linkshift/src/method.rs"),
        include_str!("../../linkshift/src/model.rs"),
        include_str!("../../linkshift/src/registry.rs"),
        include_str!("../../linkshift/src/params/table.rs"),
        include_str!("../../linkshift/src/links/report.rs"),
    ]
    .concat();
    for item in [
        "trait Algorithm",
        "trait Clusterer",
        "struct Method",
        "struct Model",
        "struct Info",
        "struct ParamInfo",
        "struct Detail",
        "struct Note",
        "struct LinkReport",
        "fn fit_observed",
        "static METHODS",
        "const INFO",
        "const TABLE",
    ] {
        let name = item.split(' ').next_back().expect("an item has a name");
        assert!(ARCHITECTURE.contains(name), "ARCHITECTURE.md no longer names {name}");
        assert!(sources.contains(item), "the core no longer has {item}");
    }
}
