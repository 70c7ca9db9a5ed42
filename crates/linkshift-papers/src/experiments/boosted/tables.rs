//! Tables 2 to 5: toy and real sets, by RI, ARI and NMI; epochs and clusters.

use super::{Method, PAPER, REPEATS, draw};
use crate::experiments::{Experiment, Outcome};
use crate::failure::Result;
use crate::run::{Cell, Run};
use crate::table::{Better, Mean, Table, pairs};
use linkshift::scores::Scores;

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "boosted-tables",
    paper: &PAPER,
    what: "Tables 2 to 5: toy and real sets, epochs and clusters",
    minutes: 15.0,
    run,
};

/// Set and its name in the paper.
const SETS: [(&str, &str); 13] = [
    ("toy1", "Toy1"),
    ("toy2", "Toy2"),
    ("aggregation", "Toy3"),
    ("2d2k", "2D2K"),
    ("8d5k", "8D5K"),
    ("letter_ab", "Letter"),
    ("satimage4", "Satimage"),
    ("symbols", "Symbols"),
    ("nsl_kdd", "KDD99"),
    ("banknote", "Banknote"),
    ("chainlink", "Chainlink"),
    ("image_seg3", "Image_Seg"),
    ("wall_following_2", "Wall"),
];

const N_TOYS: usize = 3;

/// By set, and by method in the order BMSC, MS, DBSCAN, OPTICS, k-means, LAC, Aver-l, EM.
const RI: [[f64; 8]; 13] = [
    [0.9955, 0.3977, 0.6792, 0.6796, 0.9294, 0.9299, 0.6798, 0.9978],
    [0.9995, 0.5380, 0.5001, 0.5001, 0.8201, 0.8185, 0.8608, 0.6584],
    [0.9891, 0.8697, 0.2165, 0.2165, 0.9096, 0.9006, 0.9971, 0.9063],
    [0.9560, 0.9522, 0.6962, 0.4995, 0.9531, 0.9538, 0.9250, 0.9078],
    [1.0000, 1.0000, 0.9094, 0.8164, 0.9359, 0.9448, 1.0000, 0.9488],
    [0.8928, 0.8909, 0.6479, 0.5133, 0.8762, 0.8767, 0.8875, 0.7054],
    [0.8216, 0.8044, 0.7305, 0.5271, 0.8030, 0.8051, 0.5370, 0.7975],
    [0.9081, 0.9007, 0.8102, 0.3922, 0.8842, 0.8773, 0.6275, 0.8193],
    [0.7699, 0.7416, 0.6843, 0.6029, 0.6777, 0.6755, 0.3966, 0.7106],
    [0.9694, 0.9510, 0.8009, 0.5934, 0.9228, 0.9261, 0.4975, 0.8892],
    [0.7475, 0.5626, 0.5378, 0.5264, 0.5431, 0.5410, 0.5550, 0.7350],
    [0.9073, 0.8695, 0.6978, 0.7036, 0.8091, 0.8112, 0.3461, 0.7446],
    [0.7244, 0.7131, 0.6609, 0.5905, 0.7055, 0.7092, 0.3656, 0.6530],
];
const ARI: [[f64; 8]; 13] = [
    [0.9897, 0.0755, -0.0009, -0.0004, 0.8432, 0.8443, -0.0001, 0.9949],
    [0.9990, 0.0763, 0.0000, 0.0000, 0.6401, 0.6370, 0.7216, 0.3168],
    [0.9686, 0.5096, 0.0000, 0.0000, 0.7061, 0.6781, 0.9913, 0.7121],
    [0.9119, 0.9043, 0.3922, 0.0000, 0.9062, 0.9075, 0.8499, 0.8156],
    [1.0000, 1.0000, 0.6977, 0.4010, 0.8269, 0.8446, 1.0000, 0.8558],
    [0.7856, 0.7817, 0.2957, 0.0265, 0.7524, 0.7533, 0.7749, 0.4109],
    [0.5631, 0.5452, 0.3508, 0.0831, 0.5234, 0.5293, 0.2242, 0.5201],
    [0.7042, 0.6645, 0.4818, 0.0071, 0.6339, 0.6186, 0.2369, 0.4566],
    [0.4684, 0.3933, 0.2979, 0.0164, 0.2229, 0.2160, -0.0003, 0.3154],
    [0.9387, 0.9020, 0.6011, 0.1850, 0.8456, 0.8521, 0.0000, 0.7788],
    [0.4944, 0.1233, 0.0737, 0.0542, 0.0865, 0.0822, 0.1110, 0.4701],
    [0.7843, 0.6775, 0.2271, 0.2078, 0.6273, 0.6218, 0.0012, 0.4812],
    [0.2893, 0.2437, 0.1434, 0.0532, 0.3697, 0.3761, 0.0240, 0.2656],
];
/// Of the toy sets.
const NMI: [[f64; 8]; N_TOYS] = [
    [0.9709, 0.3846, 0.0027, 0.0018, 0.7614, 0.7626, 0.0010, 0.9833],
    [0.9970, 0.4495, 0.0000, 0.0000, 0.5311, 0.5280, 0.6832, 0.3675],
    [0.9711, 0.7925, 0.0000, 0.0000, 0.8316, 0.8115, 0.9869, 0.8379],
];
const EPOCHS: [f64; 13] =
    [3.30, 3.00, 4.45, 3.75, 3.15, 3.35, 4.60, 5.50, 14.55, 3.05, 4.15, 4.45, 6.65];
const CLUSTERS: [f64; 13] =
    [2.0, 2.0, 6.80, 2.0, 5.0, 2.0, 4.10, 6.0, 41.45, 2.0, 4.65, 3.75, 12.20];

/// Within this the issue that asked for the method calls it reproduced.
const MARGIN: f64 = 0.05;

/// RI, ARI, NMI, epochs and clusters of a method on a set.
type Measured = [Option<Mean>; 5];

fn run(run: &mut Run<'_>) -> Result<Outcome> {
    let mut found: Vec<Vec<Measured>> = Vec::new();
    for method in Method::ALL {
        let mut by_set = Vec::new();
        for (set, _) in SETS {
            by_set.push(measure(run, method, set)?);
        }
        found.push(by_set);
    }
    let names: Vec<String> = SETS.iter().map(|(_, name)| name.to_string()).collect();
    let toys: Vec<String> = ["RI", "ARI", "NMI"]
        .iter()
        .flat_map(|score| names[..N_TOYS].iter().map(move |name| format!("{name} {score}")))
        .collect();
    let mut table_2 = Table::new("BMSC, Table 2: toy sets", "RI, ARI and NMI", &toys);
    let mut table_3 = Table::new("BMSC, Table 3: real sets", "RI", &names[N_TOYS..]);
    let mut table_4 = Table::new("BMSC, Table 4: real sets", "ARI", &names[N_TOYS..]);
    for (method, found) in Method::ALL.into_iter().zip(&found) {
        let at = method.published_at();
        let ours = |score: usize, from: usize, to: usize| -> Vec<Option<Mean>> {
            found[from..to].iter().map(|set| set[score]).collect()
        };
        let of = |table: &[[f64; 8]]| -> Vec<f64> { table.iter().map(|row| row[at]).collect() };
        let toys_published = [of(&RI[..N_TOYS]), of(&ARI[..N_TOYS]), of(&NMI)].concat();
        let toys_ours = [ours(0, 0, N_TOYS), ours(1, 0, N_TOYS), ours(2, 0, N_TOYS)].concat();
        for (table, pairs) in [
            (&mut table_2, pairs(&toys_published, &toys_ours)),
            (&mut table_3, pairs(&of(&RI[N_TOYS..]), &ours(0, N_TOYS, 13))),
            (&mut table_4, pairs(&of(&ARI[N_TOYS..]), &ours(1, N_TOYS, 13))),
        ] {
            table.row(method.name(), method.is_subject(), pairs);
        }
    }
    for table in [&mut table_2, &mut table_3, &mut table_4] {
        table.better = Better::Higher { margin: MARGIN };
        table.reason(
            Method::Boosted.name(),
            "The text leaves open the profile and how many followers make a mode; here one set of \
             defaults serves all sets, with nothing chosen by set.",
        );
        table.reason(
            Method::Literal.name(),
            "Where every mode counts, stray ones with one or two followers become clusters of their own.",
        );
    }
    beside_mean_shift(&mut table_4, &names[N_TOYS..]);
    deviations(&mut table_2, &mut table_4);
    Ok(vec![table_2, table_3, table_4, table_5(&names, &found)].into())
}

fn measure(run: &mut Run<'_>, method: Method, set: &str) -> Result<Measured> {
    let large = set == "nsl_kdd";
    if run.is_quick() && is_slow(method, set) {
        return Ok([None; 5]);
    }
    let repeats = match (method.is_random(), large) {
        (false, _) => 1,
        (true, true) => 3,
        (true, false) if method == Method::Literal => 5,
        (true, false) => REPEATS,
    };
    let settings = method.settings(set);
    let cell = Cell { set, method: method.name(), settings: &settings, repeats };
    run.mean(&cell, |data, seed| {
        let points = draw(data, set, seed)?;
        let found = method.fit(set, &points, seed)?;
        let scores = Scores::of(&points.labels, &found.labels)?;
        let counts = [found.n_epochs, found.n_clusters].map(|count| count as f64);
        Ok([scores.ri, scores.ari, scores.nmi_geometric, counts[0], counts[1]])
    })
}

/// What takes seconds by itself.
fn is_slow(method: Method, set: &str) -> bool {
    let plain = matches!(method, Method::MeanShift | Method::AverageLinkage | Method::Optics);
    set == "nsl_kdd" || (plain && ["toy1", "toy2", "satimage4", "symbols"].contains(&set))
}

/// The paper's main claim about real sets.
fn beside_mean_shift(table: &mut Table, sets: &[String]) {
    let compared = table.beside(Method::Boosted.name(), Method::MeanShift.name(), sets);
    table.claim_nowhere_below("BMSC is at least as good as mean shift on every set", &compared);
}

fn table_5(names: &[String], found: &[Vec<Measured>]) -> Table {
    let mut table = Table::new("BMSC, Table 5: epochs and clusters", "counts", names);
    (table.better, table.decimals) = (Better::Neither, 2);
    for (name, measure, published) in [("epochs", 3, EPOCHS), ("clusters", 4, CLUSTERS)] {
        for (method, found) in Method::ALL.into_iter().zip(found).take(2) {
            let ours: Vec<Option<Mean>> = found.iter().map(|set| set[measure]).collect();
            table.subject(&format!("{name}, {}", method.name()), pairs(&published, &ours));
        }
    }
    table
}

fn deviations(toys: &mut Table, real: &mut Table) {
    toys.deviation("Toy2 (two moons of 14,977 points) is drawn by us with noise 0.1; Toy1 is drawn by its recipe.");
    real.deviation("2D2K and 8D5K are not to be had: sets of that description are drawn by us.");
    for table in [toys, real] {
        table.deviation(
            "drawn sets are drawn anew for each run; mean shift, DBSCAN, OPTICS and average linkage, \
             which nothing random is in, run once; the text taken literally runs 5 times; on KDD99 \
             what is random runs 3 times.",
        );
        table.deviation(
            "the paper does not say which covariance EM has (here full, begun at k-means) nor how \
             LAC begins (here at a step of k-means) nor quite what its 0.2 is (here what deviations are \
             multiplied by).",
        );
    }
}
