//! Table 2: image embeddings, 2,000 points and 2,000 links.

use super::{BY_DEFAULT, Draw, Kind, Method, ONE_CLUSTER, ONE_SPECTRAL, PAPER, measure};
use crate::experiments::{Experiment, Outcome};
use crate::failure::Result;
use crate::run::Run;
use crate::table::{Table, pairs};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "cms-table-2",
    paper: &PAPER,
    what: "image embeddings: MNIST, Fashion-MNIST, GTSRB",
    minutes: 4.0,
    run,
};

pub(super) const SETS: [(&str, &str); 3] =
    [("cms_mnist", "MNIST"), ("cms_fashion_mnist", "Fashion-MNIST"), ("cms_gtsrb", "GTSRB")];

/// ARI and NMI of each set, by method.
pub(super) const PUBLISHED: [[f64; 6]; 7] = [
    [0.336, 0.567, 0.387, 0.572, 0.331, 0.572],
    [0.271, 0.561, 0.249, 0.490, 0.263, 0.532],
    [0.003, 0.043, 0.008, 0.057, 0.007, 0.056],
    [0.605, 0.676, 0.418, 0.545, 0.445, 0.549],
    [0.650, 0.708, 0.407, 0.542, 0.472, 0.573],
    CMS,
    CMS,
];
const CMS: [f64; 6] = [0.754, 0.783, 0.452, 0.611, 0.553, 0.654];

fn run(run: &mut Run<'_>) -> Result<Outcome> {
    let sets = run.some_of(&SETS, &[0]);
    let columns: Vec<String> = sets
        .iter()
        .flat_map(|(_, name)| ["ARI", "NMI"].map(|score| format!("{name} {score}")))
        .collect();
    let mut table = Table::new("CMS, Table 2: image embeddings", "ARI and NMI", &columns);
    for (method, published) in Method::ALL.into_iter().zip(PUBLISHED) {
        let mut ours = Vec::new();
        for &(set, _) in &sets {
            let (n_points, kind) = (2_000, Kind::Embedding);
            let draw = Draw { set, n_points, n_links: 2_000, retention: None, kind };
            ours.extend(measure(run, method, draw)?);
        }
        let pairs = pairs(&published, &ours);
        table.row(method.name(), method.is_subject(), pairs);
    }
    for column in &columns {
        let others = Method::ALL[..5].iter().filter_map(|method| table.ours(method.name(), column));
        let best = table.ours(Method::Cms.name(), column).zip(others.reduce(f64::max));
        table.claim_at_least(format!("CMS is best in {column}"), best);
    }
    table.deviation(ONE_SPECTRAL);
    table.deviation(BY_DEFAULT);
    table.deviation(ONE_CLUSTER);
    Ok(vec![table].into())
}
