//! Figure 7: how much α, which sets the bandwidth, matters.

use super::{PAPER, draw, mean_shift};
use crate::experiments::{Experiment, Outcome};
use crate::failure::Result;
use crate::run::{Cell, Run};
use crate::table::{Claim, Mean, Table, unpublished};
use linkshift::Links;
use linkshift::bandwidth::Bandwidth;
use linkshift::boosted::{Boosted, BoostedParams};
use linkshift::mean_shift::{MeanShift, MeanShiftParams};
use linkshift::scores::rand_index;

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "boosted-figure-7",
    paper: &PAPER,
    what: "sensitivity to α: Toy1, Toy2, Satimage",
    minutes: 6.0,
    run,
};

pub(super) const SETS: [(&str, &str); 3] =
    [("toy1", "Toy1"), ("toy2", "Toy2"), ("satimage4", "Satimage")];

const ALPHAS: [f64; 7] = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6];

/// Draws and seeds of each place of the curve; the paper does not say how many it has.
pub(super) const REPEATS: u64 = 5;

fn run(run: &mut Run<'_>) -> Result<Outcome> {
    let alphas = run.some_of(&ALPHAS, &[5]);
    let columns: Vec<String> = alphas.iter().map(f64::to_string).collect();
    let mut tables = Vec::new();
    for (set, name) in SETS {
        let mut table = Table::new(format!("BMSC, Figure 7: {name}, by α"), "RI", &columns);
        table.axis = Some("α".into());
        let mut boosted = Vec::new();
        let mut plain = Vec::new();
        for &alpha in &alphas {
            let bandwidth = Bandwidth::NeighborMean { alpha };
            let params = BoostedParams { bandwidth, ..Default::default() };
            boosted.push(measure_boosted(run, set, &params)?);
            // Half a minute each on the toy sets, where all of 10,000 points see each other.
            let plainly = if run.is_quick() && set != "satimage4" {
                None
            } else {
                measure_plain(run, set, &mean_shift(alpha))?
            };
            plain.push(plainly);
        }
        if let Some(claim) = steadier(&boosted, &plain) {
            table.claims.push(claim);
        }
        table.subject("BMSC by default", unpublished(&boosted));
        table.baseline("mean shift", unpublished(&plain));
        table.deviation(format!(
            "{REPEATS} draws each (mean shift: one); Eps by the default rule, not {}; the paper prints no numbers.",
            super::TOY_EPS
        ));
        tables.push(table);
    }
    Ok(tables.into())
}

pub(super) fn measure_boosted(
    run: &mut Run<'_>,
    set: &str,
    params: &BoostedParams,
) -> Result<Option<Mean>> {
    let cell = Cell { set, method: "BMSC", settings: params, repeats: REPEATS };
    let [ri] = run.mean(&cell, |data, seed| {
        let points = draw(data, set, seed)?;
        let params = BoostedParams { seed, ..params.clone() };
        let model = Boosted::new(params)?.fit(&points.points, &Links::new())?;
        Ok([rand_index(&points.labels, model.labels())?])
    })?;
    Ok(ri)
}

fn measure_plain(run: &mut Run<'_>, set: &str, params: &MeanShiftParams) -> Result<Option<Mean>> {
    let cell = Cell { set, method: "mean shift", settings: params, repeats: 1 };
    let [ri] = run.mean(&cell, |data, seed| {
        let points = draw(data, set, seed)?;
        let model = MeanShift::new(params.clone())?.fit(&points.points, &Links::new())?;
        Ok([rand_index(&points.labels, model.labels())?])
    })?;
    Ok(ri)
}

/// “BMSC is stable and achieves good performance throughout.”
pub(super) fn steadier(ours: &[Option<Mean>], theirs: &[Option<Mean>]) -> Option<Claim> {
    // From fewer places nothing can be said about how much a curve varies.
    const LEAST_PLACES: usize = 3;
    if ours.iter().flatten().count().min(theirs.iter().flatten().count()) < LEAST_PLACES {
        return None;
    }
    let span = |all: &[Option<Mean>]| {
        let means = || all.iter().flatten().map(|mean| mean.mean);
        Some((means().reduce(f64::min)?, means().reduce(f64::max)?))
    };
    let (ours, theirs) = (span(ours)?, span(theirs)?);
    Some(Claim {
        text: "BMSC varies less than what it is compared with".into(),
        holds: ours.1 - ours.0 <= theirs.1 - theirs.0,
        found: format!("{:.3} to {:.3} against {:.3} to {:.3}", ours.0, ours.1, theirs.0, theirs.1),
    })
}
