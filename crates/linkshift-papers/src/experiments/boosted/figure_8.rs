//! Figure 8: how much Eps matters, beside DBSCAN and OPTICS.

use super::figure_7::{SETS, measure_boosted, steadier};
use super::{MIN_POINTS, PAPER, draw};
use crate::baselines::optics;
use crate::experiments::{Experiment, Outcome};
use crate::failure::Result;
use crate::run::{Cell, Run};
use crate::table::{Mean, Table, unpublished};
use linkshift::boosted::{BoostedParams, Eps};
use linkshift::dbscan::Dbscan;
use linkshift::scores::rand_index;

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "boosted-figure-8",
    paper: &PAPER,
    what: "sensitivity to Eps: Toy1, Toy2, Satimage",
    minutes: 3.0,
    run,
};

/// Steps between the least and the largest Eps.
const N_STEPS: usize = 7;
const LEAST: f64 = 0.1;

fn run(run: &mut Run<'_>) -> Result<Outcome> {
    let mut tables = Vec::new();
    for (set, name) in SETS {
        let most = if set == "satimage4" { 3.6 } else { 0.7 };
        let step = |at: usize| LEAST + (most - LEAST) * at as f64 / (N_STEPS - 1) as f64;
        let all: Vec<f64> = (0..N_STEPS).map(|at| (step(at) * 1_000.0).round() / 1_000.0).collect();
        let all = run.some_of(&all, &[1]);
        let columns: Vec<String> = all.iter().map(f64::to_string).collect();
        let mut table = Table::new(format!("BMSC, Figure 8: {name}, by Eps"), "RI", &columns);
        table.axis = Some("Eps".into());
        let mut curves = [Vec::new(), Vec::new(), Vec::new()];
        for &eps in &all {
            let params = BoostedParams { eps: Eps::Fixed(eps), ..Default::default() };
            curves[0].push(measure_boosted(run, set, &params)?);
            for (at, method) in ["DBSCAN", "OPTICS"].into_iter().enumerate() {
                curves[at + 1].push(measure(run, set, method, eps)?);
            }
        }
        let [boosted, dbscan, optics] = &curves;
        table.claims.extend(steadier(boosted, dbscan));
        table.subject("BMSC by default", unpublished(boosted));
        table.baseline("DBSCAN", unpublished(dbscan));
        table.baseline("OPTICS", unpublished(optics));
        table.deviation("5 draws each (DBSCAN and OPTICS: one); the paper prints no numbers.");
        tables.push(table);
    }
    Ok(tables.into())
}

fn measure(run: &mut Run<'_>, set: &str, method: &str, eps: f64) -> Result<Option<Mean>> {
    let settings = (eps, MIN_POINTS);
    let cell = Cell { set, method, settings: &settings, repeats: 1 };
    let [ri] = run.mean(&cell, |data, seed| {
        let set = draw(data, set, seed)?;
        let labels = match method {
            "DBSCAN" => Dbscan::new(eps, MIN_POINTS)?.fit(&set.points),
            _ => optics::fit(&set.points, eps, MIN_POINTS),
        };
        Ok([rand_index(&set.labels, &labels)?])
    })?;
    Ok(ri)
}
