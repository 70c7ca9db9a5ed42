//! Figure 3: six noisy lines in three orientations, and three must-links.

use super::{
    BY_DEFAULT, LITERAL, ONE_MODE, PAPER, Pairs, fit, gaussian, literally, rows_of, two_tables,
    without_and_with_links,
};
use crate::data::Data;
use crate::experiments::{Experiment, Outcome, Panel, Picture};
use crate::failure::Result;
use crate::run::Run;
use crate::table::pairs;
use linkshift::{Dataset, Links, Points, datasets};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "kernel-figure-3",
    paper: &PAPER,
    what: "six lines, three must-links",
    minutes: 1.0,
    run,
};

const SIGMA: f64 = 5.0;
const K: usize = 20;

fn run(run: &mut Run<'_>) -> Result<Outcome> {
    let columns = ["without links", "three links"].map(String::from);
    let mut tables = two_tables("Kernel, Figure 3: lines", &columns);
    let ways = [(BY_DEFAULT, gaussian(None, K)), (LITERAL, literally(gaussian(Some(SIGMA), K)))];
    for (name, params) in ways {
        let found = without_and_with_links(run, "lines", (name, &params), &columns, draw)?;
        // Five clusters without links, the six lines with them; of the first no accuracy is printed.
        let mut accuracy = pairs(&[f64::NAN, 1.0], &[found[0][0], found[1][0]]);
        accuracy[0].published = None;
        tables[0].subject(name, accuracy);
        tables[1].subject(name, pairs(&[5.0, 6.0], &[found[0][1], found[1][1]]));
    }
    let better =
        tables[0].ours(BY_DEFAULT, "three links").zip(tables[0].ours(BY_DEFAULT, "without links"));
    tables[0].claim_at_least("three links make it better", better);
    tables[0].reason(LITERAL, ONE_MODE);
    tables[0].deviation("the lines are drawn by us from the description; means of 10 draws.");
    Outcome::from(tables.to_vec()).with_picture(run, picture)
}

/// The lines, and a link between the ends of one of each orientation.
fn draw(seed: u64) -> Result<(Dataset, Pairs)> {
    let set = datasets::lines(240, 0.1, seed)?;
    let must = [0, 2, 4].map(|line| ends(&set.points, &rows_of(&set.labels, line))).to_vec();
    Ok((set, must))
}

/// The two rows farthest from each other.
fn ends(points: &Points<'_, f64>, rows: &[usize]) -> (usize, usize) {
    let apart = |&(a, b): &(usize, usize)| -> f64 {
        points.row(a).iter().zip(points.row(b)).map(|(a, b)| (a - b).powi(2)).sum()
    };
    let pairs = rows.iter().flat_map(|&a| rows.iter().map(move |&b| (a, b)));
    pairs.max_by(|x, y| apart(x).total_cmp(&apart(y))).unwrap_or_default()
}

fn picture(_: &Data) -> Result<Picture> {
    let (set, must) = draw(0)?;
    let params = gaussian(None, K);
    let panel = |title: &str, must: &Pairs| -> Result<Panel> {
        Ok(Panel {
            title: title.into(),
            xy: set.points.rows().map(|row| [row[0], row[1]]).collect(),
            labels: fit(&params, &set.points, must)?.labels().to_vec(),
            links: Links::from_pairs(must, &[]).as_slice().to_vec(),
            modes: Vec::new(),
        })
    };
    Ok(Picture::Plane(vec![panel("without links", &Pairs::new())?, panel("three links", &must)?]))
}
