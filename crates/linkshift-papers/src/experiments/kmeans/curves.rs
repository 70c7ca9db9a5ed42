//! The curves of Figures 7 to 9: NMI by the number of answers to Explore & Consolidate.

use crate::data::{Data, Set};
use crate::failure::Result;
use crate::run::{Cell, Run};
use crate::table::{Table, unpublished};
use linkshift::ask::{self, Asker, Chooser, KnownLabels};
use linkshift::obey::Obey;
use linkshift::params::{N_CLUSTERS, Named, OBEY, SEED, Value};
use linkshift::scores::{Normalisation, nmi};
use linkshift::{Clusterer, Links, observe, registry};

/// The paper's repeats.
const TRIALS: u64 = 20;

/// The numbers of answers at which the curves are drawn.
const BUDGETS: [usize; 11] = [0, 20, 40, 60, 80, 100, 120, 140, 160, 180, 200];

/// By their names in the registry and in the table; AMPCC, the paper's own, is the last.
const METHODS: [(&str, &str); 4] =
    [("cop", "COP-k-means"), ("pck", "PCKMeans"), ("pcck", "PCCKMeans"), (AMPCC, "AMPCC")];

const AMPCC: &str = "ampcc";

/// A method by its defaults, its labels as it found them: the paper moves no point afterwards.
fn configured(method: &str, n_clusters: usize, seed: u64) -> linkshift::Result<Box<dyn Clusterer>> {
    let settings = [
        (N_CLUSTERS, Value::Count(n_clusters as u64)),
        (OBEY, Obey::AsFound.name().into()),
        (SEED, Value::Count(seed)),
    ];
    registry::find(method)
        .ok_or_else(|| linkshift::Error::param("method", method, "one of the registry"))?
        .configure(&settings)
}

/// The curves of all methods on the points that `points` makes, which the journal knows as `name`.
pub(super) fn curves(
    run: &mut Run<'_>,
    title: String,
    name: &str,
    points: impl Fn(&Data) -> Result<Set>,
) -> Result<Table> {
    let columns: Vec<String> = BUDGETS.iter().map(usize::to_string).collect();
    let mut table = Table::new(title, "NMI", &columns);
    table.axis = Some("answers".into());
    for (method, shown) in METHODS {
        let settings = (configured(method, 1, 0)?, BUDGETS);
        let cell = Cell { set: name, method: shown, settings: &settings, repeats: TRIALS };
        let ours = run.mean(&cell, |data, trial| {
            let set = points(data)?;
            let clusterer = configured(method, set.n_classes(), trial)?;
            let mut scores = [f64::NAN; BUDGETS.len()];
            for (score, links) in scores.iter_mut().zip(answers(&set, trial)?) {
                // COP-k-means may find no assignment that keeps all links.
                if let Ok(model) = clusterer.fit(&set.points, &links, &mut observe::ignore) {
                    *score = nmi(&set.labels, model.labels(), Normalisation::Geometric)?;
                }
            }
            Ok(scores)
        })?;
        match method {
            AMPCC => table.subject(shown, unpublished(&ours)),
            _ => table.baseline(shown, unpublished(&ours)),
        }
    }
    let [others @ .., (_, ampcc)] = METHODS;
    for column in ["100", "200"] {
        let others = others.iter().filter_map(|(_, shown)| table.ours(shown, column));
        let best = table.ours(ampcc, column).zip(others.reduce(f64::max));
        table.claim_at_least(format!("AMPCC is best after {column} answers"), best);
    }
    Ok(table)
}

/// The links that each number of answers to Explore & Consolidate comes to.
fn answers(set: &Set, trial: u64) -> Result<Vec<Links>> {
    let chooser = Chooser::ExploreConsolidate { k: Some(set.n_classes()) };
    let mut asker = Asker::new(set.points.clone(), chooser, trial)?;
    let mut person = KnownLabels::new(set.labels.clone());
    let mut told = |budget| {
        ask::run(&mut asker, &mut person, budget, |_| Ok(()))?;
        Ok(asker.links())
    };
    BUDGETS.into_iter().map(&mut told).collect()
}
