//! What a model knows of two rows, without words.

use crate::failure::Result;
use crate::methods::Number;
use linkshift::{Link, LinkKind, Links, Predictor};
use linkshift_io::SavedModel;
use std::collections::HashSet;

/// All that can be said of two rows.
pub(super) struct Reasons {
    pub(super) rows: [usize; 2],
    /// Their clusters; −1 is none.
    pub(super) labels: [i64; 2],
    pub(super) links: Said,
    /// Doubtful links told of these very two: evidence, from which nothing follows.
    pub(super) doubtful: Vec<Link>,
    pub(super) ways: Option<Ways>,
    pub(super) opposing: Option<Opposing>,
}

/// What the certain links say.
pub(super) enum Said {
    Nothing,
    /// A chain of must-links joins them.
    Together {
        chain: Vec<Link>,
    },
    /// A cannot-link parts them, or rows that chains of must-links join to them.
    Apart {
        link: Link,
        chains: [Vec<Link>; 2],
    },
}

/// Where the two went.
pub(super) struct Ways {
    /// How far each ended from where it began.
    pub(super) lengths: [f64; 2],
    /// How far the two ends are from each other.
    pub(super) between_ends: f64,
    pub(super) bandwidth: f64,
    pub(super) meeting: Meeting,
}

/// Whether their centers became one.
pub(super) enum Meeting {
    /// The method keeps no record of it.
    Unknown,
    Never {
        n_iter: usize,
    },
    /// Before the first iteration: they share a representative, or a place.
    FromTheStart,
    /// After this iteration, counted from 1, at this bandwidth.
    After {
        n_iter: usize,
        bandwidth: f64,
    },
}

/// The cannot-link that says most about where the border runs.
pub(super) struct Opposing {
    pub(super) link: Link,
    /// Which of the two rows it is measured from, and how far its end is.
    pub(super) distances: Vec<(usize, f64)>,
}

impl Reasons {
    pub(super) fn find<T: Number>(model: &SavedModel<T>, a: usize, b: usize) -> Result<Self> {
        let doubtful =
            |link: &&Link| link.confidence < 1.0 && [(a, b), (b, a)].contains(&(link.a, link.b));
        Ok(Self {
            rows: [a, b],
            labels: [a, b].map(|row| model.labels[row]),
            links: said(model, a, b)?,
            doubtful: model.links.iter().filter(doubtful).copied().collect(),
            ways: ways(model, a, b),
            opposing: opposing(model, a, b),
        })
    }

    pub(super) fn together(&self) -> bool {
        self.labels[0] >= 0 && self.labels[0] == self.labels[1]
    }
}

fn said<T: Number>(model: &SavedModel<T>, a: usize, b: usize) -> Result<Said> {
    let n_points = model.points.n_points();
    let (certain, _) = model.links.split_by_certainty();
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
    let cannot = certain.iter().filter(|link| link.kind == LinkKind::Cannot);
    let turned = cannot.flat_map(|link| [*link, Link { a: link.b, b: link.a, ..*link }]);
    let parting = turned.filter(|link| joined(a, link.a) && joined(b, link.b));
    // The most direct one; of equals the first that was told.
    let by_detours = |link: &Link| usize::from(link.a != a) + usize::from(link.b != b);
    Ok(parting.min_by_key(by_detours).map_or(Said::Nothing, |link| Said::Apart {
        link,
        chains: [certain.must_chain(a, link.a, n_points), certain.must_chain(b, link.b, n_points)],
    }))
}

/// Where the centers of the two rows ended, if the method has modes among the points.
fn ways<T: Number>(model: &SavedModel<T>, a: usize, b: usize) -> Option<Ways> {
    let bandwidth = model.bandwidth?;
    let (ends, meeting): ([&[T]; 2], Meeting) = match &model.predictor {
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
        _ => ([mode_of(model, a)?, mode_of(model, b)?], Meeting::Unknown),
    };
    let length = |row: usize, end: &[T]| distance(model.points.row(row), end);
    Some(Ways {
        lengths: [length(a, ends[0]), length(b, ends[1])],
        between_ends: distance(ends[0], ends[1]),
        bandwidth,
        meeting,
    })
}

/// The mode of a row's cluster; modes are in the order of the clusters' first rows.
fn mode_of<T: Number>(model: &SavedModel<T>, row: usize) -> Option<&[T]> {
    let label = model.labels[row];
    if label < 0 {
        return None;
    }
    let earlier = model.labels.iter().take_while(|&&other| other != label);
    let earlier: HashSet<i64> = earlier.copied().filter(|&other| other >= 0).collect();
    let at = earlier.len();
    (at < model.modes.n_points()).then(|| model.modes.row(at))
}

/// If they are apart, the cannot-link between their two clusters that is nearest to both; if they
/// are together, that from their cluster to another one that is nearest to either.
fn opposing<T: Number>(model: &SavedModel<T>, a: usize, b: usize) -> Option<Opposing> {
    let label = |row: usize| model.labels[row];
    let together = label(a) >= 0 && label(a) == label(b);
    let far = |x: usize, y: usize| distance(model.points.row(x), model.points.row(y));
    let cannot = model.links.iter().filter(|link| link.kind == LinkKind::Cannot);
    let turned = cannot.flat_map(|link| [*link, Link { a: link.b, b: link.a, ..*link }]);
    let found = turned.filter_map(|link| {
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

fn distance<T: Number>(a: &[T], b: &[T]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a.as_f64() - b.as_f64()).powi(2)).sum::<f64>().sqrt()
}
