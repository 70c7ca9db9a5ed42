//! Held-back links, suspects and clusters, for as many points as all pairs can be looked at.

use super::candidates::{CANDIDATES, Ground, Part, Progress};
use super::evidence::{self, Gauge};
use super::linkage;
use super::prior;
use super::stack::{self, Case};
use super::votes::{self, Graph};
use crate::error::Result;
use crate::links::{Link, LinkClosure, LinkKind, Links};
use crate::points::Points;
use crate::real::Real;
use crate::shared::relabel::number_by_first_member;

/// Links are held back in so many folds.
const FOLDS: usize = 3;

/// Fewer links than this are not held back: nothing could be learned from so few.
const FEWEST: usize = 9;

/// The confidence of links that are only evidence: a fold must survive wrong answers.
const DOUBTFUL: f64 = 0.9;

/// Less surely right than this, and a link is a suspect.
pub(super) const SUSPECT: f64 = 0.5;

/// More surely right than this, and a link binds while clusters are found.
pub(super) const FIRM: f64 = 0.8;

/// What held-back links say of the log-odds of a pair, and the clusters of a fold as a second
/// witness: its prior.
const SECOND_WITNESS: [f64; 3] = [0.7, 2.0, -0.7];

/// A held-back link and whether the clusters agreed with it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Outcome {
    pub(super) position: usize,
    pub(super) agreed: bool,
}

/// What was found.
pub(super) struct Core {
    /// Labels 0..k.
    pub(super) labels: Vec<i64>,
    /// With all links that bind.
    pub(super) whole: Part,
    /// For each link how surely it is right.
    pub(super) right: Vec<f64>,
    /// The share of wrong answers.
    pub(super) rate: f64,
    /// For each kind of evidence its weight.
    pub(super) weights: Vec<f64>,
    /// Balanced share of held-back links that each candidate agrees with.
    pub(super) shares: Vec<f64>,
    /// What became of held-back links.
    pub(super) outcomes: Vec<Outcome>,
}

/// Candidates that did not see some of the links.
struct Fold {
    part: Part,
    closure: LinkClosure,
    /// Positions of the links that were held back and do not follow from the others.
    held: Vec<usize>,
}

/// How many parts there are to fit, for the progress.
pub(super) fn n_parts(n_links: usize) -> usize {
    if n_links < FEWEST { 1 } else { FOLDS + 1 }
}

pub(super) fn fit<T: Real>(
    points: &Points<'_, T>,
    links: &Links,
    may_err: bool,
    seed: u64,
    progress: &mut Progress<'_, '_>,
) -> Result<Core> {
    let n = points.n_points();
    let ground = Ground::new(points)?;
    let mut folds = Vec::new();
    if links.len() >= FEWEST {
        let deal = deal(links);
        for fold in 0..FOLDS {
            folds.push(Fold::fit(points, &ground, links, &deal, fold, seed, progress)?);
        }
    }
    let prior = prior::weights(links.len() as f64 / n as f64);
    let cut = prior::cut(links);
    let judged = judge(&ground, &folds, links, &prior, cut, may_err);

    let surest: Links = links
        .iter()
        .zip(&judged.right)
        .filter(|&(_, &right)| right >= FIRM)
        .map(|(&link, &right)| Link { confidence: right.min(link.confidence).max(1e-6), ..link })
        .collect();
    let firm = certain(&surest.consistent(n)?.kept);
    let whole = Part::fit(points, &ground, &firm, seed, progress)?;
    let mut parts: Vec<&Part> = folds.iter().map(|fold| &fold.part).collect();
    parts.push(&whole);
    let all = evidence::of_all(&ground, &parts, &judged.weights);
    let joined = linkage::join(&all, &firm.close(n)?, cut);
    let labels = number_by_first_member(&joined).0;
    drop(all);

    let mut outcomes = Vec::new();
    for fold in &folds {
        let labels = fold.clusters(&ground, links, &judged, cut)?;
        outcomes.extend(fold.held.iter().filter(|&&at| judged.right[at] >= SUSPECT).map(
            |&position| {
                let link = &links.as_slice()[position];
                Outcome { position, agreed: agrees(&labels, link) }
            },
        ));
    }
    let shares = shares(&folds, links);
    let Judged { weights, right, rate } = judged;
    Ok(Core { labels, whole, right, rate, weights, shares, outcomes })
}

/// The fold in which each link is held back: must-links and cannot-links dealt out in turn.
fn deal(links: &Links) -> Vec<usize> {
    let mut n_dealt = [0, 1];
    let fold = |link: &Link| {
        let n_dealt = &mut n_dealt[usize::from(link.kind == LinkKind::Must)];
        *n_dealt += 1;
        *n_dealt % FOLDS
    };
    links.iter().map(fold).collect()
}

impl Fold {
    fn fit<T: Real>(
        points: &Points<'_, T>,
        ground: &Ground,
        links: &Links,
        deal: &[usize],
        fold: usize,
        seed: u64,
        progress: &mut Progress<'_, '_>,
    ) -> Result<Self> {
        let n = points.n_points();
        let shown = links.iter().zip(deal).filter(|&(_, &of)| of != fold).map(|(&link, _)| link);
        let shown = shown.collect::<Links>().consistent(n)?.kept;
        let closure = shown.close(n)?;
        let doubtful = |&link: &Link| Link { confidence: link.confidence.min(DOUBTFUL), ..link };
        let shown: Links = shown.iter().map(doubtful).collect();
        let part = Part::fit(points, ground, &shown, seed, progress)?;
        // What follows from the others is no test, unless it is said otherwise.
        let is_test =
            |link: &Link| closure.relation(link.a, link.b).is_none_or(|known| known != link.kind);
        let held = links.iter().enumerate().filter(|&(at, link)| deal[at] == fold && is_test(link));
        let held = held.map(|(at, _)| at).collect();
        Ok(Self { part, closure, held })
    }

    /// The clusters that would have been found without the links of this fold.
    fn clusters(
        &self,
        ground: &Ground,
        links: &Links,
        judged: &Judged,
        cut: f32,
    ) -> Result<Vec<i64>> {
        let n = ground.min_max.n_points();
        let held: std::collections::HashSet<usize> = self.held.iter().copied().collect();
        let firm = links.iter().enumerate().filter(|&(at, link)| {
            let is_shown =
                !held.contains(&at) && self.closure.relation(link.a, link.b) == Some(link.kind);
            is_shown && judged.right[at] >= FIRM
        });
        let closure = firm.map(|(_, &link)| link).collect::<Links>().close(n)?;
        let all = evidence::of_all(ground, &[&self.part], &judged.weights);
        let labels = number_by_first_member(&linkage::join(&all, &closure, cut)).0;
        let graph = Graph::new(&[&ground.min_max, &self.part.places]);
        Ok(votes::vote(&graph, &closure, &labels)?.labels())
    }
}

/// What held-back links teach.
struct Judged {
    weights: Vec<f64>,
    right: Vec<f64>,
    rate: f64,
}

/// The evidence about links that were held back and whether they are must-links, from which
/// `benches/auto.rs` learns the prior.
#[doc(hidden)]
pub fn held_back_evidence<T: Real>(
    points: &Points<'_, T>,
    links: &Links,
) -> Result<Vec<(Vec<f64>, bool)>> {
    let ground = Ground::new(points)?;
    let deal = deal(links);
    let mut observer = crate::observe::ignore;
    let n_all = FOLDS * Progress::PER_PART;
    let mut progress = Progress { observer: &mut observer, n_done: 0, n_all };
    let mut folds = Vec::new();
    for fold in 0..FOLDS {
        folds.push(Fold::fit(points, &ground, links, &deal, fold, 0, &mut progress)?);
    }
    let cases = cases(&ground, &folds, links).1;
    Ok(cases.into_iter().map(|case| (case.evidence, case.is_must)).collect())
}

/// Positions of held-back links, and the evidence about them of those who did not see them.
fn cases(ground: &Ground, folds: &[Fold], links: &Links) -> (Vec<usize>, Vec<Case>) {
    let near = Gauge::new(&ground.min_max);
    let (mut positions, mut cases) = (Vec::new(), Vec::new());
    for fold in folds {
        let learned = Gauge::new(&fold.part.places);
        for &position in &fold.held {
            let Link { a, b, kind, .. } = links.as_slice()[position];
            let evidence = evidence::of_pair(&near, &fold.part, &learned, a, b);
            cases.push(Case { evidence, is_must: kind == LinkKind::Must });
            positions.push(position);
        }
    }
    (positions, cases)
}

fn judge(
    ground: &Ground,
    folds: &[Fold],
    links: &Links,
    prior: &[f64],
    cut: f32,
    may_err: bool,
) -> Judged {
    let (positions, cases) = cases(ground, folds, links);
    let first = stack::fit(&cases, prior, may_err);
    let mut right = vec![1.0; links.len()];
    let mut rate = 0.0;
    if first.rate > 0.0 {
        let mut again = Vec::with_capacity(cases.len());
        for fold in folds {
            let all = evidence::of_all(ground, &[&fold.part], &first.weights);
            let labels = linkage::join(&all, &LinkClosure::none(ground.min_max.n_points()), cut);
            for &position in &fold.held {
                let link = &links.as_slice()[position];
                let case = &cases[again.len()];
                let log_odds = stack::log_odds(&first.weights, &case.evidence);
                let together = f64::from(u8::from(labels[link.a] == labels[link.b]));
                again.push(Case { evidence: vec![log_odds, together], is_must: case.is_must });
            }
        }
        let second = stack::fit(&again, &SECOND_WITNESS, true);
        positions.iter().zip(&second.right).for_each(|(&at, &sure)| right[at] = sure);
        rate = second.rate;
    }
    let weights = if rate > 0.0 { first.weights } else { stack::fit(&cases, prior, false).weights };
    Judged { weights, right, rate }
}

/// For each candidate the mean of the shares of must-links and of cannot-links, held back, that it
/// agrees with; a half where none was held back.
fn shares(folds: &[Fold], links: &Links) -> Vec<f64> {
    let share = |candidate: usize, kind: LinkKind| {
        let (mut agreed, mut all) = (1.0, 2.0);
        for fold in folds {
            for link in fold.held.iter().map(|&at| &links.as_slice()[at]) {
                if link.kind == kind {
                    all += 1.0;
                    agreed += f64::from(u8::from(agrees(&fold.part.labels[candidate], link)));
                }
            }
        }
        agreed / all
    };
    let both =
        |candidate| (share(candidate, LinkKind::Must) + share(candidate, LinkKind::Cannot)) / 2.0;
    (0..CANDIDATES.len()).map(both).collect()
}

/// Whether labels keep a link.
pub(super) fn agrees(labels: &[i64], link: &Link) -> bool {
    let together = labels[link.a] >= 0 && labels[link.a] == labels[link.b];
    together == (link.kind == LinkKind::Must)
}

/// The same links, of full confidence.
pub(super) fn certain(links: &Links) -> Links {
    links.iter().map(|&link| Link { confidence: 1.0, ..link }).collect()
}
