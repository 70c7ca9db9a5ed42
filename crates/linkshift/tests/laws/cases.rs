//! Every method, with the settings that the laws run with; and who cannot keep a law, and why.

use linkshift::method::{Clusterer, Clusters, Info};
use linkshift::obey::Obey;
use linkshift::params::{Named, OBEY, Value};
use linkshift::registry::{self, Entry};
use linkshift::{Links, Model, Points, Real, Result, observe};

/// Methods and their settings, as at the command line. The first of a method is its defaults, but
/// for what must be told.
const CASES: &[(&str, &str)] = &[
    ("mean-shift", ""),
    ("mean-shift", "bandwidth=0.3"),
    ("mean-shift", "bandwidth=0.3 kernel=ball"),
    ("mean-shift", "bandwidth=0.3 kernel=rbf"),
    ("mean-shift", "bandwidth=0.3 kernel=gaussian"),
    ("mean-shift", "bandwidth=0.3 blurring=true"),
    ("mean-shift", "bandwidth=0.3 blurring=true kernel=gaussian"),
    ("mean-shift", "bandwidth=per-point k=8"),
    ("mean-shift", "bandwidth=0.3 blurring=true kernel=ball cluster_all=false"),
    ("mean-shift", "bandwidth=0.3 cluster_all=false"),
    ("mean-shift", "bandwidth=0.3 labels=nearest cluster_all=false"),
    ("mean-shift", "preset=scikit-learn bandwidth=0.3 bin_seeding=true"),
    ("cms", ""),
    ("cms", "preset=paper-toy"),
    ("cms", "blurring=true"),
    ("cms", "bandwidth=0.3"),
    ("cms", "bandwidth=0.3 leftover_size=0"),
    ("cms", "kernel=ball max_iter=40"),
    ("cms", "representatives=40"),
    ("boosted", ""),
    ("boosted", "preset=paper"),
    ("boosted", "bandwidth=0.3 cells=2x2"),
    ("kernel", ""),
    ("kernel", "kernel=linear"),
    ("kernel", "kernel=linear metric=projection"),
    ("kernel", "representatives=40"),
    ("kmeans", "n_clusters=3"),
    ("cop", "n_clusters=3"),
    ("pck", "n_clusters=3"),
    ("pck", "n_clusters=3 penalty=0.01"),
    ("mpck", "n_clusters=3"),
    ("mpck", "n_clusters=3 shared=false"),
    ("mpck", "n_clusters=3 metric=full"),
    ("pcck", "n_clusters=3"),
    ("ampcc", "n_clusters=3"),
    ("spectral", ""),
    ("spectral", "n_clusters=3 bandwidth=0.2 min_support=0"),
    ("spectral", "n_clusters=3 quantise=false"),
    ("spectral", "n_clusters=2 route=embedding"),
    ("spectral", "representatives=40"),
    ("constrained-spectral", "n_clusters=3"),
    ("constrained-spectral", "n_clusters=2 bandwidth=0.2"),
    ("cdbscan", ""),
    ("cdbscan", "eps=0.2"),
    ("cdbscan", "eps=1e-9"),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Law {
    Threads,
    Renumbered,
    RenumberedWhereItMatters,
    SinglePrecision,
    Scaled,
    Moved,
    FittedArePredicted,
    Steps,
    Cancelled,
    Weights,
    EqualWeights,
    Parts,
}

/// Who cannot keep a law: a method, or one case of it, and why.
pub(crate) struct Exception {
    law: Law,
    who: &'static str,
    why: &'static str,
}

const EXCEPTIONS: &[Exception] = &[
    Exception {
        law: Law::SinglePrecision,
        who: "kernel kernel=linear metric=projection",
        why: NOTHING_IS_LEFT,
    },
    Exception {
        law: Law::FittedArePredicted,
        who: "kernel kernel=linear metric=projection",
        why: NOTHING_IS_LEFT,
    },
    Exception {
        law: Law::SinglePrecision,
        who: "constrained-spectral n_clusters=2 bandwidth=0.2",
        why: "at that bandwidth points of 40 columns have nothing to do with each other, and every \
              cut costs the same",
    },
    Exception {
        law: Law::RenumberedWhereItMatters,
        who: "cms representatives=40",
        why: "representatives are drawn by row",
    },
    Exception {
        law: Law::RenumberedWhereItMatters,
        who: "kernel representatives=40",
        why: "representatives are drawn by row",
    },
    Exception {
        law: Law::RenumberedWhereItMatters,
        who: "boosted",
        why: "rows are dealt to cells at random",
    },
    Exception {
        law: Law::RenumberedWhereItMatters,
        who: "auto",
        why: "of its candidates k-means draws starts by row, and boosted deals rows to cells at random",
    },
    Exception { law: Law::RenumberedWhereItMatters, who: "kmeans", why: "starts are drawn by row" },
    Exception { law: Law::RenumberedWhereItMatters, who: "cop", why: "starts are drawn by row" },
    Exception { law: Law::RenumberedWhereItMatters, who: "pck", why: "starts are drawn by row" },
    Exception { law: Law::RenumberedWhereItMatters, who: "mpck", why: "starts are drawn by row" },
    Exception { law: Law::RenumberedWhereItMatters, who: "pcck", why: "starts are drawn by row" },
    Exception { law: Law::RenumberedWhereItMatters, who: "ampcc", why: "starts are drawn by row" },
    Exception {
        law: Law::FittedArePredicted,
        who: "cdbscan",
        why: "a new point has no links: where a link has put a point elsewhere, the nearest core \
              point says otherwise",
    },
    Exception {
        law: Law::Steps,
        who: "auto",
        why: "the steps of a candidate are shown, too, each under the number of its fit",
    },
    Exception { law: Law::Steps, who: "kmeans", why: SEVERAL_RUNS },
    Exception { law: Law::Steps, who: "cop", why: SEVERAL_RUNS },
    Exception { law: Law::Steps, who: "pck", why: SEVERAL_RUNS },
    Exception { law: Law::Steps, who: "mpck", why: SEVERAL_RUNS },
    Exception { law: Law::Steps, who: "pcck", why: SEVERAL_RUNS },
    Exception { law: Law::Steps, who: "ampcc", why: SEVERAL_RUNS },
    Exception {
        law: Law::Cancelled,
        who: "spectral n_clusters=3 quantise=false",
        why: "without mean shift there is no iteration to show",
    },
    Exception {
        law: Law::Weights,
        who: "mean-shift bandwidth=per-point k=8",
        why: "the distance to the k-th neighbor counts points, not weights",
    },
    Exception {
        law: Law::Weights,
        who: "kernel",
        why: "the distance to the k-th neighbor counts points, not weights",
    },
    Exception {
        law: Law::Weights,
        who: "cms bandwidth=0.3",
        why: "what is a leftover is counted in points, not weights",
    },
    Exception {
        law: Law::Weights,
        who: "cms representatives=40",
        why: "representatives are drawn by row",
    },
    Exception {
        law: Law::Weights,
        who: "boosted",
        why: "weights count in the mean shift of a cell, not in the draw of its points",
    },
    Exception {
        law: Law::Weights,
        who: "mpck",
        why: "rows are visited in an order drawn at random, and twice a row is two rows",
    },
    Exception {
        law: Law::Weights,
        who: "constrained-spectral",
        why: "the affinity of a point with its double is 1, with itself 0; weights play no part",
    },
    Exception {
        law: Law::Weights,
        who: "cdbscan",
        why: "what is dense is counted in points; weights play no part",
    },
    Exception { law: Law::EqualWeights, who: "pck", why: PRICE_PER_LINK },
    Exception { law: Law::EqualWeights, who: "mpck", why: PRICE_PER_LINK },
    Exception { law: Law::EqualWeights, who: "pcck", why: PRICE_PER_LINK },
];

const NOTHING_IS_LEFT: &str =
    "two must-links leave nothing of a plane but the rounding of the points";
const SEVERAL_RUNS: &str =
    "an observer sees the iterations of all runs, the model counts those of the best";
const PRICE_PER_LINK: &str =
    "a broken link has its price, which is less against distances that count twice";

/// A method to run a law with.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) entry: &'static Entry,
    pub(crate) settings: Vec<(&'static str, Value)>,
    /// The method and its settings.
    pub(crate) name: String,
}

impl Case {
    /// A method with settings as they are written at the command line. Its labels stay as found,
    /// unless the settings say otherwise: the laws are about the methods themselves.
    pub(crate) fn new(method: &str, settings: &'static str) -> Self {
        let entry = registry::find(method).unwrap_or_else(|| panic!("there is no {method}"));
        let setting = |text: &'static str| {
            let (key, value) = text.split_once('=').unwrap();
            (key, Value::parse(value))
        };
        let name = format!("{method} {settings}").trim_end().to_owned();
        let mut settings: Vec<_> = settings.split_whitespace().map(setting).collect();
        if entry.has(OBEY) && !settings.iter().any(|(key, _)| *key == OBEY) {
            settings.push((OBEY, Obey::AsFound.name().into()));
        }
        Self { entry, settings, name }
    }

    /// Whether it has a last step that keeps certain links; who judges links keeps them by itself.
    pub(crate) fn obeys(&self) -> bool {
        self.entry.has(OBEY)
    }

    /// The same with its last step, which keeps certain links.
    pub(crate) fn obeying(&self) -> Self {
        let mut settings = self.settings.clone();
        settings.retain(|(key, _)| *key != OBEY);
        if self.obeys() {
            settings.push((OBEY, Obey::Certain.name().into()));
        }
        Self { entry: self.entry, settings, name: format!("{} obeying", self.name) }
    }

    pub(crate) fn info(&self) -> Info {
        self.entry.info
    }

    /// The method with other values of some parameters.
    pub(crate) fn with(&self, others: &[(&'static str, Value)]) -> Result<Box<dyn Clusterer>> {
        let is_other = |key: &str| others.iter().any(|(other, _)| *other == key);
        let mut settings = self.settings.clone();
        settings.retain(|(key, _)| !is_other(key));
        settings.extend_from_slice(others);
        self.entry.configure(&settings)
    }

    pub(crate) fn method(&self) -> Box<dyn Clusterer> {
        self.with(&[]).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    pub(crate) fn fit<T: Real>(&self, points: &Points<'_, T>, links: &Links) -> Model<T> {
        self.try_fit(points, links).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    pub(crate) fn try_fit<T: Real>(
        &self,
        points: &Points<'_, T>,
        links: &Links,
    ) -> Result<Model<T>> {
        self.method().fit(points, links, &mut observe::ignore)
    }
}

/// All cases; a method without one runs with its defaults.
pub(crate) fn all() -> Vec<Case> {
    let is_listed = |entry: &&Entry| CASES.iter().any(|(method, _)| *method == entry.info.name);
    let others = registry::METHODS.iter().filter(|entry| !is_listed(entry)).map(first);
    CASES.iter().map(|(method, settings)| Case::new(method, settings)).chain(others).collect()
}

/// The first case of each method.
pub(crate) fn plain() -> Vec<Case> {
    registry::METHODS.iter().map(first).collect()
}

fn first(entry: &Entry) -> Case {
    let listed = CASES.iter().find(|(method, _)| *method == entry.info.name);
    let settings = listed.map_or_else(|| what_must_be_told(entry), |(_, settings)| settings);
    Case::new(entry.info.name, settings)
}

fn what_must_be_told(entry: &Entry) -> &'static str {
    if entry.info.clusters == Clusters::Told { "n_clusters=3" } else { "" }
}

/// Whether a law holds, or what it is that does not.
pub(crate) type Verdict = std::result::Result<(), String>;

/// A verdict from what was expected and what was found.
pub(crate) fn same<V: PartialEq>(what: &str, expected: &V, found: &V) -> Verdict {
    if expected == found { Ok(()) } else { Err(format!("{what} differ")) }
}

/// Runs a law over cases. Whoever breaks it must be excepted, and of those that an exception names
/// one must break it.
pub(crate) fn check(law: Law, cases: &[Case], holds: impl Fn(&Case) -> Verdict) {
    let mut complaints = Vec::new();
    let mut is_needed = vec![false; EXCEPTIONS.len()];
    for case in cases {
        let names = |exception: &Exception| {
            exception.law == law && [case.info().name, &case.name].contains(&exception.who)
        };
        let excepted = EXCEPTIONS.iter().position(names);
        match (holds(case), excepted) {
            (Ok(()), _) => {}
            (Err(_), Some(at)) => is_needed[at] = true,
            (Err(what), None) => complaints.push(format!("{}: {what}", case.name)),
        }
    }
    for (exception, is_needed) in EXCEPTIONS.iter().zip(is_needed) {
        if exception.law == law && !is_needed {
            complaints.push(format!(
                "{} keeps the law after all: remove the exception ({})",
                exception.who, exception.why
            ));
        }
    }
    assert!(complaints.is_empty(), "{law:?}:\n{}", complaints.join("\n"));
}

#[test]
fn every_case_has_a_method_and_every_method_a_number_of_clusters_if_it_says_so() {
    assert!(all().len() >= plain().len());
    for case in plain() {
        let Info { name, clusters, .. } = case.info();
        assert_eq!(case.entry.has("n_clusters"), clusters != Clusters::Found, "{name}");
    }
}
