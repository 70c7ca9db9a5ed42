//! Constrained mean shift: the paper's protocol, and the methods that it compares.
//!
//! Points and links are drawn anew for each repeat, features are min-max scaled, and there is at
//! least one cannot-link between each two classes (Section 5.2).

pub(super) mod figure_4;
pub(super) mod figure_6;
pub(super) mod images;
pub(super) mod table_1;
pub(super) mod table_2;
pub(super) mod table_3;
pub(super) mod table_4;

use super::Paper;
use crate::data::{Data, Set};
use crate::failure::Result;
use crate::run::{Cell, Run};
use crate::table::Mean;
use linkshift::bandwidth::Bandwidth;
use linkshift::cdbscan::CdbscanParams;
use linkshift::cms::CmsParams;
use linkshift::constrained_spectral::ConstrainedSpectralParams;
use linkshift::kmeans::{KMeansParams, MpckParams, PckParams};
use linkshift::mean_shift::MeanShiftParams;
use linkshift::obey::Obey;
use linkshift::scores::{Normalisation, adjusted_rand_index, nmi};
use linkshift::{Algorithm, Clusterer, Links, Profile, Scaling, datasets, links, observe};

pub(super) const PAPER: Paper = Paper {
    name: "constrained mean shift",
    reference: "M. Schier, C. Reinders, B. Rosenhahn. Constrained Mean Shift Clustering. SDM 2022.",
};

/// The paper's repeats.
const REPEATS: u64 = 10;

/// With more links a fit takes half a minute, and a mean of so many repeats has to do.
const MANY_LINKS: usize = 2_000;
const FEW_REPEATS: u64 = 3;

/// Above this the eigenvectors of constrained spectral clustering take minutes in all.
const SMALL: usize = 1_000;

/// Where the paper has other settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Toy,
    Embedding,
}

/// How a repeat draws its points and links.
#[derive(Debug, Clone, Copy)]
struct Draw {
    set: &'static str,
    n_points: usize,
    n_links: usize,
    /// The retention rate of imbalanced samples.
    retention: Option<f64>,
    kind: Kind,
}

/// The set on which the paper looks into the method.
const GTSRB: Draw = Draw {
    set: "cms_gtsrb",
    n_points: 2_000,
    n_links: 2_000,
    retention: None,
    kind: Kind::Embedding,
};

impl Draw {
    fn draw(&self, data: &Data, seed: u64) -> Result<(Set, Links)> {
        let set = match (self.set, self.retention) {
            ("moons", _) => Set::drawn(&datasets::moons(self.n_points, 0.05, seed)?)?,
            (name, None) => data.set(name)?.sample(self.n_points, seed),
            (name, Some(retention)) => {
                let all = data.set(name)?;
                let rows = datasets::imbalanced(&all.labels, self.n_points, retention, seed)?;
                all.select(&rows)
            }
        };
        let links = links::draw(&set.labels, self.n_links, seed)?;
        Ok((set.scaled(Scaling::MinMax)?, links))
    }
}

/// The methods of Tables 1 to 3 in their order, and ours as it is without any setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Method {
    MeanShift,
    Cdbscan,
    ConstrainedSpectral,
    Mpck,
    Pck,
    Cms,
    CmsByDefault,
}

impl Method {
    const ALL: [Method; 7] = [
        Method::MeanShift,
        Method::Cdbscan,
        Method::ConstrainedSpectral,
        Method::Mpck,
        Method::Pck,
        Method::Cms,
        Method::CmsByDefault,
    ];

    fn name(self) -> &'static str {
        match self {
            Method::MeanShift => "mean shift",
            Method::Cdbscan => "C-DBSCAN",
            Method::ConstrainedSpectral => "constrained spectral",
            Method::Mpck => "MPCKMeans",
            Method::Pck => "PCKMeans",
            Method::Cms => "CMS, the paper's settings",
            Method::CmsByDefault => "CMS by default",
        }
    }

    fn is_subject(self) -> bool {
        matches!(self, Method::Cms | Method::CmsByDefault)
    }

    /// With the settings of Section 5.2; no point is moved afterwards to keep links.
    fn configured(self, kind: Kind, n_clusters: usize, seed: u64) -> Result<Box<dyn Clusterer>> {
        let common = KMeansParams { seed, obey: Obey::AsFound, ..KMeansParams::of(n_clusters) };
        match self {
            Method::MeanShift => checked(MeanShiftParams {
                bandwidth: Bandwidth::Percentile(15.0),
                profile: Profile::TRUNCATED,
                obey: Obey::AsFound,
                seed,
                ..Default::default()
            }),
            Method::Cdbscan => {
                let eps = if kind == Kind::Toy { 0.1 } else { 0.31 };
                checked(CdbscanParams {
                    eps,
                    min_points: 2,
                    obey: Obey::AsFound,
                    ..Default::default()
                })
            }
            Method::ConstrainedSpectral => checked(ConstrainedSpectralParams {
                n_clusters,
                obey: Obey::AsFound,
                ..Default::default()
            }),
            Method::Mpck => checked(MpckParams { common, ..Default::default() }),
            Method::Pck => checked(PckParams { common, ..Default::default() }),
            Method::Cms => checked(match kind {
                Kind::Toy => CmsParams::paper_toy(),
                Kind::Embedding => CmsParams::paper_embedding(),
            }),
            Method::CmsByDefault => checked(CmsParams::default()),
        }
    }
}

fn checked(params: impl Algorithm) -> Result<Box<dyn Clusterer>> {
    Ok(Box::new(linkshift::Method::new(params)?))
}

fn ari_and_nmi(truth: &[i64], labels: &[i64]) -> Result<[f64; 2]> {
    Ok([adjusted_rand_index(truth, labels)?, nmi(truth, labels, Normalisation::Arithmetic)?])
}

/// Mean ARI and NMI of a method.
fn measure(run: &mut Run<'_>, method: Method, draw: Draw) -> Result<[Option<Mean>; 2]> {
    let slow = method == Method::ConstrainedSpectral && draw.n_points > SMALL;
    if slow && run.is_quick() {
        return Ok([None; 2]);
    }
    let settings = (draw, method.configured(draw.kind, 1, 0)?);
    let repeats = match slow {
        true => 1,
        false if draw.n_links > MANY_LINKS => FEW_REPEATS,
        false => REPEATS,
    };
    let cell = Cell { set: draw.set, method: method.name(), settings: &settings, repeats };
    run.mean(&cell, |data, seed| {
        let (set, links) = draw.draw(data, seed)?;
        let clusterer = method.configured(draw.kind, set.n_classes(), seed)?;
        // Its eigenvectors need double precision.
        if method == Method::ConstrainedSpectral {
            let model = clusterer.fit(&set.wide()?, &links, &mut observe::ignore)?;
            return ari_and_nmi(&set.labels, model.labels());
        }
        let model = clusterer.fit(&set.points, &links, &mut observe::ignore)?;
        ari_and_nmi(&set.labels, model.labels())
    })
}

const ONE_SPECTRAL: &str = "constrained spectral clustering of 2,000 points is run once, not ten times: its \
     eigenvectors would take longer than all other methods together.";

const ONE_CLUSTER: &str = "at the printed bandwidth, the 15th percentile of the distances, mean shift with CMS's kernel \
     joins these embeddings into one cluster; the published numbers must be of another one (Table 4 has plain mean \
     shift at the best bandwidth).";

const BY_DEFAULT: &str = "“CMS by default” is this library without any setting (must-links pull); the \
     published number beside it is that of the paper's CMS.";
