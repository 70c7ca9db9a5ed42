//! Figure 8: objects by histograms and the χ² kernel, without links and with ten per class.

use super::objects::{CHOICES, OTHER_DATA, SET, SUBSTITUTE, draw, links, ways};
use super::{BY_DEFAULT, LITERAL, ONE_MODE, PAPER, distances, fit, on_classes, two_tables};
use crate::data::Data;
use crate::experiments::{Experiment, Outcome, Picture};
use crate::failure::Result;
use crate::run::{Cell, Run};
use crate::table::{pairs, unpublished};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "kernel-figure-8",
    paper: &PAPER,
    what: "objects by χ² kernel, ten links per class",
    minutes: 3.0,
    run,
};

const N_LINKS: usize = 10;

fn run(run: &mut Run<'_>) -> Result<Outcome> {
    let columns = ["without links", "ten per class"].map(String::from);
    let mut tables = Vec::new();
    for classes in run.some_of(&CHOICES, &[0]) {
        let title = format!("Kernel, Figure 8: objects (faces {classes:?})");
        let mut both = two_tables(&title, &columns);
        for (name, params) in ways() {
            let mut found = Vec::new();
            for n_links in [0, N_LINKS] {
                let settings = (&params, classes, n_links);
                let repeats = if n_links == 0 { 1 } else { 5 };
                let cell = Cell { set: SET, method: name, settings: &settings, repeats };
                found.push(run.mean(&cell, |data, seed| {
                    let objects = draw(data, classes)?;
                    let must = links(&objects, classes, n_links, seed);
                    on_classes(&objects.labels, fit(&params, &objects.points, &must)?.labels())
                })?);
            }
            // 74.25 % without links; a single one of 400 images is wrong with ten per class.
            both[0].subject(name, pairs(&[0.7425, 0.9975], &[found[0][0], found[1][0]]));
            both[1].subject(name, unpublished(&[found[0][1], found[1][1]]));
        }
        both[0].reason(LITERAL, ONE_MODE);
        both[0].reason(BY_DEFAULT, OTHER_DATA);
        both[0].deviation(SUBSTITUTE);
        tables.extend(both);
    }
    Outcome::from(tables).with_picture(run, picture)
}

fn picture(data: &Data) -> Result<Picture> {
    let classes = CHOICES[0];
    let objects = draw(data, classes)?;
    let [(_, params), _] = ways();
    let plain = fit(&params, &objects.points, &[])?;
    let linked = fit(&params, &objects.points, &links(&objects, classes, N_LINKS, 0))?;
    let titles = ["distances", "at the modes", "linked: distances", "linked: at the modes"];
    Ok(distances(titles, [&plain, &linked]))
}
