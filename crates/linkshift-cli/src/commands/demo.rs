//! `linkshift demo`: what links are for, in a few seconds.

use crate::failure::{Failure, Result};
use crate::methods;

use crate::picture::{self, Panel};
use crate::scored::Scored;
use crate::{interrupt, terminal};
use linkshift::datasets::{self, Dataset};
use linkshift::params::{SEED as SEED_KEY, Value};
use linkshift::scores::Scores;
use linkshift::{LinkReport, Links, Model, links, observe};
use linkshift_io::{Output, Staged, write_labels, write_links, write_table};
use linkshift_plot::{Scatter, render};
use std::fs;
use std::path::{Path, PathBuf};

const N_POINTS: usize = 500;
const NOISE: f64 = 0.1;
const N_LINKS: usize = 12;
const SEED: u64 = 7;

/// The method that knows no links.
const BEFORE: &str = "mean-shift";
/// The method that is told of them.
const AFTER: &str = "cms";

/// Show what links are for: draws two moons, clusters them without and with links
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Where pictures, points, links and labels go
    #[arg(value_name = "FOLDER", default_value = "linkshift-demo")]
    folder: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let folder = &args.folder;
    fs::create_dir_all(folder).map_err(|error| Failure::unwritable(folder, error))?;
    let moons = datasets::moons(N_POINTS, NOISE, SEED)?;
    let links = links::draw(&moons.labels, N_LINKS, SEED)?;
    let before = cluster(BEFORE, &moons, &Links::new(), &links)?;
    let after = cluster(AFTER, &moons, &links, &links)?;
    interrupt::attended(|| write(folder, &moons, &links, &before, &after))?;
    terminal::say(&story(folder, &before, &after))
}

/// One clustering of the moons.
struct Attempt {
    method: &'static str,
    model: Model<f64>,
    scored: Scored,
    report: LinkReport,
}

/// Clusters the moons with the links in `told`, and looks which of `all` are kept.
fn cluster(method: &'static str, moons: &Dataset, told: &Links, all: &Links) -> Result<Attempt> {
    let entry = methods::find(Some(method))?;
    let settings = [(SEED_KEY, Value::Count(SEED))];
    let settings = if entry.has(SEED_KEY) { &settings[..] } else { &[] };
    let model = entry.configure(settings)?.fit(&moons.points, told, &mut observe::ignore)?;
    let scores = Scores::of(&moons.labels, model.labels())?;
    let scored = Scored { scores, n_scored: N_POINTS };
    let report = all.report(model.labels());
    Ok(Attempt { method, model, scored, report })
}

fn write(
    folder: &Path,
    moons: &Dataset,
    links: &Links,
    before: &Attempt,
    after: &Attempt,
) -> Result<()> {
    let columns = ["x", "y"].map(String::from);
    let panels = [
        panel("without links", moons, &[], before, &columns)?,
        panel("with a dozen links", moons, links.as_slice(), after, &columns)?,
    ];
    let output = |name: &str| Output::check(&folder.join(name), &[]);

    let mut files = Staged::default();
    files.add(&output("points.csv")?, |path| {
        write_table(path, &columns, moons.points.values(), Some(&moons.labels))
    })?;
    files.add(&output("links.csv")?, |path| write_links(path, links.as_slice(), None))?;
    files.add(&output("labels.csv")?, |path| write_labels(path, after.model.labels(), None))?;
    for (name, panels) in
        [("before.svg", &panels[..1]), ("after.svg", &panels[1..]), ("before-after.png", &panels)]
    {
        picture::stage(&mut files, &output(name)?, |format| render(panels, format))?;
    }
    Ok(files.place()?)
}

fn panel<'a>(
    title: &str,
    moons: &'a Dataset,
    links: &'a [linkshift::Link],
    attempt: &'a Attempt,
    columns: &'a [String],
) -> Result<Scatter<'a>> {
    let broken = if links.is_empty() { &[][..] } else { &attempt.report.broken };
    Panel {
        title: format!("{} {title}: ARI {:.2}", attempt.method, attempt.scored.scores.ari),
        points: &moons.points,
        columns,
        labels: attempt.model.labels(),
        centers: attempt.model.centers(),
        center_name: "mode",
        links,
        broken,
    }
    .project()
}

/// What happened, and what to do next.
fn story(folder: &Path, before: &Attempt, after: &Attempt) -> String {
    let folder = folder.display();
    let describe = |attempt: &Attempt| {
        let kept = N_LINKS - attempt.report.broken.len();
        format!(
            "{} clusters, {}; {kept} of {N_LINKS} links kept",
            attempt.model.n_clusters(),
            attempt.scored.line()
        )
    };
    format!(
        "Two moons, {N_POINTS} points with noise. Their density has no hill for each moon.\n\
         \n\
         1. {BEFORE}, which knows only the points:\n     {}\n\
         2. {AFTER}, told {N_LINKS} times whether two points belong together or apart:\n     {}\n\
         \n\
         In {folder}/: before.svg, after.svg, before-after.png, points.csv, links.csv, labels.csv\n\
         \n\
         Try next:\n  \
         linkshift fit {folder}/points.csv --label-column label --links {folder}/links.csv \
         --method {AFTER} --plot moons.png\n  \
         linkshift links draw {folder}/points.csv --label-column label -n 40 -o more-links.csv\n  \
         linkshift methods\n",
        describe(before),
        describe(after),
    )
}
