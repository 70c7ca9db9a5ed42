//! `linkshift links`: look at links, or draw them from known classes.

use crate::failure::{Failure, Result};
use crate::input::{LinksFile, TableArgs};
use crate::json::Object;

use crate::summary::aligned;
use crate::terminal;
use linkshift::LinkKind;
use linkshift_io::{Output, write_links};
use serde_json::json;
use std::path::PathBuf;

/// Check links, or draw them from known classes
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    Check(CheckArgs),
    Draw(DrawArgs),
}

/// Check links against the points they name, and say what they imply
#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// Links: lines of a,b,must or a,b,cannot, with a confidence if not sure
    links: PathBuf,
    #[command(flatten)]
    table: TableArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Draw links from a column of known classes, as the experiments of the papers do: one
/// cannot-link for each pair of classes, then random pairs
#[derive(Debug, clap::Args)]
pub(crate) struct DrawArgs {
    #[command(flatten)]
    table: TableArgs,
    /// How many links
    #[arg(short, value_name = "N")]
    n: usize,
    /// Seed of the drawing
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Write the links here: .csv, .tsv (also .gz); - is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
}

pub(crate) fn run(command: &Command) -> Result<()> {
    match command {
        Command::Check(args) => check(args),
        Command::Draw(args) => draw(args),
    }
}

fn check(args: &CheckArgs) -> Result<()> {
    let table = args.table.read_beside()?;
    let (n_points, ids) = (table.n_rows, table.ids.as_deref());
    let file = LinksFile::read(Some(&args.links), n_points, ids)?;
    let closure = file.links.close(n_points).map_err(|error| file.explained(error))?;
    let n_links = file.links.len();
    let n_must = file.links.iter().filter(|link| link.kind == LinkKind::Must).count();
    let n_linked = (0..n_points).filter(|&row| closure.group_of(row).is_some()).count();
    let largest = (0..closure.n_groups()).map(|group| closure.members(group).len()).max();
    if args.json {
        let links = json!({ "n_must": n_must, "n_cannot": n_links - n_must });
        let implied = json!({
            "n_linked_points": n_linked,
            "n_groups": closure.n_groups(),
            "largest_group": largest.unwrap_or(0),
            "n_group_pairs_apart": closure.cannot_pairs().len(),
            "n_pairs_apart": closure.n_directed_cannot() / 2,
        });
        return Object::new("links check")
            .with("data", args.table.source())
            .with("n_points", n_points)
            .with("links", links)
            .with("implied", implied)
            .say();
    }
    let n_cannot = n_links - n_must;
    terminal::say(&aligned(&[
        ("links", format!("{n_links}: {n_must} must, {n_cannot} cannot, no contradiction")),
        ("points", format!("{n_linked} of {n_points} are linked")),
        ("groups", format!("{}, the largest of {}", closure.n_groups(), largest.unwrap_or(0))),
        (
            "apart",
            format!(
                "{} pairs of groups, which are {} pairs of points",
                closure.cannot_pairs().len(),
                closure.n_directed_cannot() / 2
            ),
        ),
    ]))
}

fn draw(args: &DrawArgs) -> Result<()> {
    if args.table.label_column.is_none() {
        let text = "links are drawn from known classes: name their column with --label-column";
        return Err(Failure::input(text));
    }
    Output::check(&args.output, &[&args.table.data])?;
    let table = args.table.read_beside()?;
    let labels = table.labels.as_deref().unwrap_or_default();
    let links = linkshift::links::draw(labels, args.n, args.seed)?;
    Ok(write_links(&args.output, links.as_slice(), table.ids.as_deref())?)
}
