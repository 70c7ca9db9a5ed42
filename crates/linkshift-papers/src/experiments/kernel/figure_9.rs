//! Figure 9: the error by the number of links per class.

use super::objects::{CHOICES, OTHER_DATA, SET, SUBSTITUTE, draw, links, ways};
use super::{BY_DEFAULT, LITERAL, ONE_MODE, PAPER, fit, on_classes};
use crate::experiments::{Experiment, Outcome};
use crate::failure::Result;
use crate::run::{Cell, Run};
use crate::table::{Claim, Pair, Table};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "kernel-figure-9",
    paper: &PAPER,
    what: "objects by χ² kernel, by the number of links",
    minutes: 2.0,
    run,
};

/// The paper's repeats.
const DRAWS: u64 = 20;

const LINKS: [usize; 7] = [0, 1, 2, 3, 5, 7, 10];

fn run(run: &mut Run<'_>) -> Result<Outcome> {
    let n_links = run.some_of(&LINKS, &[0, 4]);
    let columns: Vec<String> = n_links.iter().map(usize::to_string).collect();
    let mut tables = Vec::new();
    for (at, classes) in run.some_of(&CHOICES, &[0]).into_iter().enumerate() {
        // The others only show whether it holds elsewhere.
        let draws = if at == 0 { DRAWS } else { DRAWS / 4 };
        let title = format!("Kernel, Figure 9: objects (faces {classes:?}), by links per class");
        let mut table = Table::new(title, "accuracy", &columns);
        table.axis = Some("links per class".into());
        for (name, params) in ways() {
            let mut pairs = Vec::new();
            for &n_links in &n_links {
                let settings = (&params, classes, n_links);
                let repeats = if n_links == 0 { 1 } else { draws };
                let cell = Cell { set: SET, method: name, settings: &settings, repeats };
                let [ours, _] = run.mean(&cell, |data, seed| {
                    let objects = draw(data, classes)?;
                    let must = links(&objects, classes, n_links, seed);
                    on_classes(&objects.labels, fit(&params, &objects.points, &must)?.labels())
                })?;
                let published = (n_links == 0).then_some(0.7425);
                pairs.push(Pair { published, ours });
            }
            table.subject(name, pairs);
        }
        if let Some(most) = table.ours(BY_DEFAULT, "10") {
            let text = "accuracy is over 99 % with more than seven links per class";
            let found = format!("{most:.3} with ten");
            table.claims.push(Claim { text: text.into(), holds: most > 0.99, found });
        }
        table.reason(LITERAL, ONE_MODE);
        table.reason(BY_DEFAULT, OTHER_DATA);
        table.deviation(SUBSTITUTE);
        table.deviation("accuracy instead of 1 − accuracy, so that more is better everywhere.");
        tables.push(table);
    }
    Ok(tables.into())
}
