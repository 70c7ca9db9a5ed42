//! Figure 7: NMI by the number of answers to Explore & Consolidate, on three sets.

use super::PAPER;
use super::curves::curves;
use crate::experiments::{Experiment, Outcome};
use crate::failure::Result;
use crate::run::Run;
use linkshift::Scaling;

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "kmeans-figure-7",
    paper: &PAPER,
    what: "NMI by answers: iris, ionosphere, dermatology",
    minutes: 1.0,
    run,
};

const SETS: [&str; 3] = ["iris", "ionosphere", "dermatology"];

fn run(run: &mut Run<'_>) -> Result<Outcome> {
    let mut tables = Vec::new();
    for name in SETS {
        let title = format!("AMPCC, Figure 7: {name}, by answers");
        let mut table = curves(run, title, name, |data| data.set(name)?.scaled(Scaling::MinMax))?;
        table.deviation("the paper prints no numbers for this figure.");
        tables.push(table);
    }
    Ok(tables.into())
}
