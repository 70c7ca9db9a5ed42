//! Figure 7: NMI by the number of answers to Explore & Consolidate, on three sets.

use super::PAPER;
use crate::data::Set;
use crate::experiments::{Experiment, Outcome};
use crate::failure::Result;
use crate::run::{Cell, Run};
use crate::table::{Table, unpublished};
use linkshift::ask::{self, Asker, Chooser, KnownLabels};
use linkshift::kmeans::{
    Ampcc, AmpccParams, Cop, CopParams, KMeansParams, Pcck, PcckParams, Pck, PckParams,
};
use linkshift::scores::{Normalisation, nmi};
use linkshift::{Links, Scaling};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "kmeans-figure-7",
    paper: &PAPER,
    what: "NMI by answers: iris, ionosphere, dermatology",
    minutes: 1.0,
    run,
};

/// The paper's repeats.
const TRIALS: u64 = 20;

const SETS: [&str; 3] = ["iris", "ionosphere", "dermatology"];

/// The numbers of answers at which the curves are drawn.
const BUDGETS: [usize; 11] = [0, 20, 40, 60, 80, 100, 120, 140, 160, 180, 200];

const METHODS: [Method; 4] = [Method::Cop, Method::Pck, Method::Pcck, Method::Ampcc];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Method {
    Cop,
    Pck,
    Pcck,
    Ampcc,
}

impl Method {
    fn name(self) -> &'static str {
        match self {
            Method::Cop => "COP-k-means",
            Method::Pck => "PCKMeans",
            Method::Pcck => "PCCKMeans",
            Method::Ampcc => "AMPCC",
        }
    }

    fn settings(self) -> String {
        match self {
            Method::Cop => format!("{:?}", CopParams::default()),
            Method::Pck => format!("{:?}", PckParams::default()),
            Method::Pcck => format!("{:?}", PcckParams::default()),
            Method::Ampcc => format!("{:?}", AmpccParams::default()),
        }
    }

    fn fit(self, set: &Set, links: &Links, seed: u64) -> linkshift::Result<Vec<i64>> {
        let common = KMeansParams { seed, ..KMeansParams::of(set.n_classes()) };
        let points = &set.points;
        let model = match self {
            Method::Cop => Cop::new(CopParams { common, ..Default::default() })?.fit(points, links),
            Method::Pck => Pck::new(PckParams { common, ..Default::default() })?.fit(points, links),
            Method::Pcck => {
                Pcck::new(PcckParams { common, ..Default::default() })?.fit(points, links)
            }
            Method::Ampcc => {
                Ampcc::new(AmpccParams { common, ..Default::default() })?.fit(points, links)
            }
        }?;
        Ok(model.labels().to_vec())
    }
}

fn run(run: &mut Run<'_>) -> Result<Outcome> {
    let columns: Vec<String> = BUDGETS.iter().map(usize::to_string).collect();
    let mut tables = Vec::new();
    for name in SETS {
        let title = format!("AMPCC, Figure 7: {name}, by answers");
        let mut table = Table::new(title, "NMI", &columns);
        table.axis = Some("answers".into());
        for method in METHODS {
            let settings = (method.settings(), BUDGETS);
            let cell =
                Cell { set: name, method: method.name(), settings: &settings, repeats: TRIALS };
            let ours = run.mean(&cell, |data, trial| {
                let set = data.set(name)?.scaled(Scaling::MinMax)?;
                let mut scores = [f64::NAN; BUDGETS.len()];
                for (score, links) in scores.iter_mut().zip(answers(&set, trial)?) {
                    // COP-k-means may find no assignment that keeps all links.
                    if let Ok(labels) = method.fit(&set, &links, trial) {
                        *score = nmi(&set.labels, &labels, Normalisation::Geometric)?;
                    }
                }
                Ok(scores)
            })?;
            match method {
                Method::Ampcc => table.subject(method.name(), unpublished(&ours)),
                _ => table.baseline(method.name(), unpublished(&ours)),
            }
        }
        for column in ["100", "200"] {
            let others = METHODS[..3].iter().filter_map(|method| table.ours(method.name(), column));
            let best = table.ours(Method::Ampcc.name(), column).zip(others.reduce(f64::max));
            table.claim_at_least(format!("AMPCC is best after {column} answers"), best);
        }
        table.deviation("the paper prints no numbers for this figure.");
        tables.push(table);
    }
    Ok(tables.into())
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
