//! Why two points are together, or apart.
//!
//! [`Reasons`] are facts: what the links say of the two, where their centers went and whether they
//! met, and which cannot-link is nearest to them. [`Reasons::text`] puts them into the words that
//! every door shows.
//!
//! ```
//! use linkshift::cms::{Cms, CmsParams};
//! use linkshift::why::{Reasons, Record, Said};
//! use linkshift::{Links, Points};
//!
//! let points = Points::new(vec![0.0, 0.2, 0.8, 1.0], 1)?;
//! let links = Links::from_pairs(&[(0, 1)], &[(0, 3)]);
//! let model = Cms::new(CmsParams::default())?.fit(&points, &links)?;
//! let reasons = Reasons::find(&Record::of(&model, &points, &links), 1, 3)?;
//! assert!(!reasons.together());
//! // 1 belongs to 0, and 0 apart from 3.
//! assert!(matches!(reasons.links, Said::Apart { .. }));
//! # Ok::<(), linkshift::Error>(())
//! ```

#[cfg(test)]
mod tests;
mod words;

use crate::distance::distance_sq_f64;
use crate::error::{Error, Result};
use crate::links::{Link, LinkKind, Links};
use crate::model::Model;
use crate::points::Points;
use crate::predictor::Predictor;
use crate::real::Real;
use std::collections::HashSet;

/// What is known of a fit.
#[derive(Debug, Clone, Copy)]
pub struct Record<'a, T: Real> {
    /// The points that were fitted.
    pub points: &'a Points<'a, T>,
    /// Their clusters; −1 is none.
    pub labels: &'a [i64],
    /// The links, as they were given.
    pub links: &'a Links,
    /// The center of each cluster, in the order of their first points.
    pub centers: Option<&'a Points<'static, T>>,
    /// The bandwidth that the centers belong to, if they are modes among the points.
    pub mode_bandwidth: Option<f64>,
    /// What labels new points.
    pub predictor: &'a Predictor<T>,
}

impl<'a, T: Real> Record<'a, T> {
    /// That of a model that is at hand.
    pub fn of<D>(model: &'a Model<T, D>, points: &'a Points<'a, T>, links: &'a Links) -> Self {
        Self {
            points,
            labels: model.labels(),
            links,
            centers: model.centers(),
            mode_bandwidth: model.mode_bandwidth(),
            predictor: model.predictor(),
        }
    }
}

/// All that can be said of two points.
#[derive(Debug, Clone, PartialEq)]
pub struct Reasons {
    /// Their rows.
    pub rows: [usize; 2],
    /// Their clusters; −1 is none.
    pub labels: [i64; 2],
    /// What the certain links say of them.
    pub links: Said,
    /// Doubtful links told of these very two: evidence, from which nothing follows.
    pub doubtful: Vec<Link>,
    /// Where they went, if the method has modes among the points.
    pub ways: Option<Ways>,
    /// The cannot-link that says most about where the border runs.
    pub opposing: Option<Opposing>,
}

/// What the certain links say.
#[derive(Debug, Clone, PartialEq)]
pub enum Said {
    /// Nothing of the two.
    Nothing,
    /// A chain of must-links joins them.
    Together {
        /// From the first to the second.
        chain: Vec<Link>,
    },
    /// A cannot-link parts them, or points that chains of must-links join to them.
    Apart {
        /// The cannot-link, its first end on the first one's side.
        link: Link,
        /// From each of the two to its end of the link; empty where it is that end.
        chains: [Vec<Link>; 2],
    },
}

/// Where the two went.
#[derive(Debug, Clone, PartialEq)]
pub struct Ways {
    /// How far each ended from where it began.
    pub lengths: [f64; 2],
    /// How far the two ends are from each other.
    pub between_ends: f64,
    /// The bandwidth in the end.
    pub bandwidth: f64,
    /// Whether they met.
    pub meeting: Meeting,
}

/// Whether the centers of two points became one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Meeting {
    /// The method keeps no record of it.
    Unknown,
    /// They did not.
    Never {
        /// Iterations in which they might have.
        n_iter: usize,
    },
    /// Before the first iteration: they share a representative, or a place.
    FromTheStart,
    /// On their way.
    After {
        /// After this iteration, counted from 1.
        n_iter: usize,
        /// At this bandwidth.
        bandwidth: f64,
    },
}

/// A cannot-link between clusters, and how far it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Opposing {
    /// The link.
    pub link: Link,
    /// Which of the two rows it is measured from, and how far its end is.
    pub distances: Vec<(usize, f64)>,
}

impl Reasons {
    /// Looks for them; fails if there are no such two points.
    pub fn find<T: Real>(record: &Record<'_, T>, a: usize, b: usize) -> Result<Self> {
        T::reasons(record, a, b)
    }

    pub(crate) fn find_any<T: Real>(record: &Record<'_, T>, a: usize, b: usize) -> Result<Self> {
        let n_points = record.points.n_points().min(record.labels.len());
        if let Some(row) = [a, b].into_iter().find(|&row| row >= n_points) {
            let last = n_points.saturating_sub(1);
            return Err(Error::param("row", row, format!("from 0 to {last}, a row of the model")));
        }
        if a == b {
            return Err(Error::param("row", a, "named once: name two different rows"));
        }
        let doubtful =
            |link: &&Link| link.confidence < 1.0 && [(a, b), (b, a)].contains(&(link.a, link.b));
        Ok(Self {
            rows: [a, b],
            labels: [a, b].map(|row| record.labels[row]),
            links: said(record, a, b)?,
            doubtful: record.links.iter().filter(doubtful).copied().collect(),
            ways: ways(record, a, b),
            opposing: opposing(record, a, b),
        })
    }

    /// Whether the two share a cluster.
    pub fn together(&self) -> bool {
        self.labels[0] >= 0 && self.labels[0] == self.labels[1]
    }

    /// Whether the clusters are as the certain links say.
    pub fn kept(&self) -> bool {
        match self.links {
            Said::Nothing => true,
            Said::Together { .. } => self.together(),
            Said::Apart { .. } => !self.together(),
        }
    }
}

fn said<T: Real>(record: &Record<'_, T>, a: usize, b: usize) -> Result<Said> {
    let n_points = record.points.n_points();
    let (certain, _) = record.links.split_by_certainty();
    let chain = certain.must_chain(a, b, n_points);
    if !chain.is_empty() {
        return Ok(Said::Together { chain });
    }
    // Without the cannot-links there is nothing to contradict.
    let must: Links = certain.iter().filter(|link| link.kind == LinkKind::Must).copied().collect();
    let groups = must.close(n_points)?;
    let joined = |x: usize, y: usize| {
        x == y || (groups.group_of(x).is_some() && groups.group_of(x) == groups.group_of(y))
    };
    let parting = turned(&certain).filter(|link| joined(a, link.a) && joined(b, link.b));
    // The most direct one; of equals the first that was told.
    let by_detours = |link: &Link| usize::from(link.a != a) + usize::from(link.b != b);
    Ok(parting.min_by_key(by_detours).map_or(Said::Nothing, |link| Said::Apart {
        link,
        chains: [certain.must_chain(a, link.a, n_points), certain.must_chain(b, link.b, n_points)],
    }))
}

/// The cannot-links, each in both directions.
fn turned(links: &Links) -> impl Iterator<Item = Link> + '_ {
    let cannot = links.iter().filter(|link| link.kind == LinkKind::Cannot);
    cannot.flat_map(|link| [*link, Link { a: link.b, b: link.a, ..*link }])
}

/// Where the centers of the two points ended, if the method has modes among the points.
fn ways<T: Real>(record: &Record<'_, T>, a: usize, b: usize) -> Option<Ways> {
    let bandwidth = record.mode_bandwidth?;
    let (ends, meeting): ([&[T]; 2], Meeting) = match record.predictor.unlinked() {
        Predictor::Replay(replay) => {
            let (of_a, of_b) = (replay.centers_of(a)?, replay.centers_of(b)?);
            let end = |centers: &[u32]| centers.last().map(|&end| end as usize);
            let ends = [end(&of_a)?, end(&of_b)?].map(|end| replay.final_centers.row(end));
            let n_iter = replay.path.len();
            let meeting = match of_a.iter().zip(&of_b).position(|(a, b)| a == b) {
                None => Meeting::Never { n_iter },
                Some(0) => Meeting::FromTheStart,
                Some(after) => {
                    Meeting::After { n_iter: after, bandwidth: replay.path[after - 1].h }
                }
            };
            (ends, meeting)
        }
        _ => ([mode_of(record, a)?, mode_of(record, b)?], Meeting::Unknown),
    };
    let length = |row: usize, end: &[T]| distance(record.points.row(row), end);
    Some(Ways {
        lengths: [length(a, ends[0]), length(b, ends[1])],
        between_ends: distance(ends[0], ends[1]),
        bandwidth,
        meeting,
    })
}

/// The mode of a point's cluster; modes are in the order of the clusters' first points.
fn mode_of<'a, T: Real>(record: &Record<'a, T>, row: usize) -> Option<&'a [T]> {
    let label = record.labels[row];
    if label < 0 {
        return None;
    }
    let earlier = record.labels.iter().take_while(|&&other| other != label);
    let earlier: HashSet<i64> = earlier.copied().filter(|&other| other >= 0).collect();
    let (at, centers) = (earlier.len(), record.centers?);
    (at < centers.n_points()).then(|| centers.row(at))
}

/// If they are apart, the cannot-link between their two clusters that is nearest to both; if they
/// are together, that from their cluster to another one that is nearest to either.
fn opposing<T: Real>(record: &Record<'_, T>, a: usize, b: usize) -> Option<Opposing> {
    let label = |row: usize| record.labels.get(row).copied().unwrap_or(-1);
    let together = label(a) >= 0 && label(a) == label(b);
    let far = |x: usize, y: usize| distance(record.points.row(x), record.points.row(y));
    let n_points = record.points.n_points();
    let known = turned(record.links).filter(|link| link.a.max(link.b) < n_points);
    let found = known.filter_map(|link| {
        let distances = match together {
            true if label(link.a) == label(a) && label(link.b) != label(a) => {
                let (from_a, from_b) = (far(a, link.a), far(b, link.a));
                vec![if from_a <= from_b { (a, from_a) } else { (b, from_b) }]
            }
            false if label(link.a) == label(a) && label(link.b) == label(b) => {
                vec![(a, far(a, link.a)), (b, far(b, link.b))]
            }
            _ => return None,
        };
        Some(Opposing { link, distances })
    });
    let sum = |opposing: &Opposing| opposing.distances.iter().map(|(_, far)| far).sum::<f64>();
    found.min_by(|x, y| sum(x).total_cmp(&sum(y)))
}

fn distance<T: Real>(a: &[T], b: &[T]) -> f64 {
    distance_sq_f64(a, b).sqrt()
}
