//! Table 1: synthetic sets, as many links as points.

use super::{BY_DEFAULT, Draw, Kind, Method, PAPER, measure};
use crate::experiments::{Experiment, Outcome};
use crate::failure::Result;
use crate::run::Run;
use crate::table::{Table, pairs};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "cms-table-1",
    paper: &PAPER,
    what: "synthetic sets: moons, aggregation, jain, s4",
    minutes: 1.0,
    run,
};

const SETS: [(&str, usize); 4] =
    [("moons", 500), ("aggregation", 788), ("jain", 373), ("s4", 1_000)];

/// ARI and NMI of each set, by method.
const PUBLISHED: [[f64; 8]; 7] = [
    [0.878, 0.799, 0.777, 0.838, 0.464, 0.495, 0.112, 0.346],
    [1.000, 1.000, 0.969, 0.968, 0.958, 0.937, 0.430, 0.653],
    [0.207, 0.194, 0.774, 0.766, 0.995, 0.989, 0.071, 0.243],
    [0.627, 0.542, 0.729, 0.832, 0.868, 0.785, 0.597, 0.717],
    [0.872, 0.793, 0.751, 0.854, 0.921, 0.856, 0.627, 0.732],
    CMS,
    CMS,
];
const CMS: [f64; 8] = [0.996, 0.996, 0.987, 0.983, 1.000, 1.000, 0.618, 0.728];

fn run(run: &mut Run<'_>) -> Result<Outcome> {
    let columns: Vec<String> = SETS
        .iter()
        .flat_map(|(set, _)| ["ARI", "NMI"].map(|score| format!("{set} {score}")))
        .collect();
    let mut table = Table::new("CMS, Table 1: synthetic sets", "ARI and NMI", &columns);
    for (method, published) in Method::ALL.into_iter().zip(PUBLISHED) {
        let mut ours = Vec::new();
        for (set, n_points) in SETS {
            let draw = Draw { set, n_points, n_links: n_points, retention: None, kind: Kind::Toy };
            ours.extend(measure(run, method, draw)?);
        }
        let pairs = pairs(&published, &ours);
        table.row(method.name(), method.is_subject(), pairs);
    }
    let best_but_for_pck = table.ours(Method::Cms.name(), "s4 ARI").zip(
        Method::ALL[..4]
            .iter()
            .filter_map(|method| table.ours(method.name(), "s4 ARI"))
            .reduce(f64::max),
    );
    table.claim_at_least("on s4 CMS is better than all but PCKMeans", best_but_for_pck);
    for (set, _) in SETS {
        let column = format!("{set} ARI");
        let better = table
            .ours(Method::Cms.name(), &column)
            .zip(table.ours(Method::MeanShift.name(), &column));
        table.claim_at_least(format!("CMS improves upon mean shift on {set}"), better);
    }
    table.deviation(
        "1,000 of the 5,000 points of s4 are drawn for each repeat, as in the authors' code.",
    );
    table.deviation("the noise of moons is not printed; 0.05 is used.");
    table.deviation(BY_DEFAULT);
    Ok(vec![table].into())
}
