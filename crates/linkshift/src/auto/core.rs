//! Held-back links, suspects and clusters, for as many points as all pairs can be looked at.

use super::candidates::{CANDIDATES, Ground, Part, Progress};
use super::choice::{self, Tally};
use super::evidence::{self, Gauge};
use super::linkage;
use super::plain::Judge;
use super::prior;
use super::stack::{self, Case};
use super::suspicion::Hearing;
use super::votes::{self, Graph};
use crate::error::Result;
use crate::links::{Link, LinkClosure, LinkKind, Links};
use crate::points::Points;
use crate::real::Real;
use crate::shared::relabel::number_by_first_member;

/// Links are held back in so many folds.
pub(super) const FOLDS: usize = 3;

/// Fewer links than this are not held back: nothing could be learned from so few.
const FEWEST: usize = 9;

/// The confidence of links that are only evidence: a fold must survive wrong answers.
const DOUBTFUL: f64 = 0.9;

/// Less surely right than this, and a link is a suspect.
pub(super) const SUSPECT: f64 = 0.5;

/// Suspects that are a smaller share of the links than this are more often right answers in odd places
/// than wrong ones…
const FEW_SUSPECTS: f64 = 0.03;

/// … unless they are as unlikely as this.
const SURELY_WRONG: f64 = 0.15;

/// Who foretells held-back links worse than this (as an adjusted Rand index) cannot tell which are wrong.
const BLIND: f64 = 0.3;

/// Where there are more suspects than [few](FEW_SUSPECTS), some wrong answers were missed: only links as
/// surely right as this bind while clusters are found. All that are no suspects are obeyed in the end.
const FIRM: f64 = 0.95;

/// So large a share of suspects is worth asking all candidates again.
const WORTH_A_ROUND: f64 = 0.015;

/// A held-back link and whether the clusters agreed with it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Outcome {
    pub(super) position: usize,
    pub(super) agreed: bool,
    /// How surely the link is right, so that its say counts.
    pub(super) right: f64,
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
    /// Whose answer it is: 0 all candidates', then those of one.
    pub(super) followed: usize,
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

/// What the core is told.
pub(super) struct Told<'a> {
    pub(super) links: &'a Links,
    /// For each link whether it may not be doubted.
    pub(super) is_certain: &'a [bool],
    pub(super) seed: u64,
}

pub(super) fn fit<T: Real>(
    points: &Points<'_, T>,
    told: &Told<'_>,
    progress: &mut Progress<'_, '_>,
) -> Result<Core> {
    let n = points.n_points();
    let Told { links, is_certain, seed } = *told;
    let ground = Ground::new(points)?;
    let prior = prior::weights(links.len() as f64 / n as f64);
    let cut = prior::cut(links);
    let mut right = vec![1.0; links.len()];
    let mut folds = Vec::new();
    if links.len() >= FEWEST {
        folds = Fold::all(points, &ground, links, &right, seed, progress)?;
        if is_certain.contains(&false) {
            right = hearing(&ground, &folds, links, is_certain, &prior).judge(&right, 0);
        }
        if n_suspects(&right) > WORTH_A_ROUND * links.len() as f64 {
            // Candidates that did not have to follow the suspects are better judges.
            progress.n_all += FOLDS * Progress::PER_PART;
            folds = Fold::all(points, &ground, links, &right, seed, progress)?;
            right = hearing(&ground, &folds, links, is_certain, &prior).judge(&right, 1);
        }
    }
    let mut binding = FIRM;
    if n_suspects(&right) < FEW_SUSPECTS * links.len() as f64 {
        acquit(&mut right);
        binding = SUSPECT;
    }
    let mut judged = weigh(&ground, &folds, links, &prior, right);

    let surest: Links = links
        .iter()
        .zip(&judged.right)
        .filter(|&(_, &right)| right >= binding)
        .map(|(&link, &right)| Link { confidence: right.min(link.confidence).max(1e-6), ..link })
        .collect();
    let firm = certain(&surest.consistent(n)?.kept);
    let whole = Part::fit(points, &ground, &firm, seed, progress)?;
    let mut parts: Vec<&Part> = folds.iter().map(|fold| &fold.part).collect();
    parts.push(&whole);
    // What became of held-back links: in the combination, then in each candidate alone.
    let mut outcomes = vec![Vec::new(); 1 + CANDIDATES.len()];
    let mut tallies = vec![Tally::default(); outcomes.len()];
    for fold in &folds {
        let answers = fold.answers(&ground, links, &judged, binding, cut)?;
        for ((labels, outcomes), tally) in answers.iter().zip(&mut outcomes).zip(&mut tallies) {
            for &position in &fold.held {
                let link = &links.as_slice()[position];
                let (agreed, right) = (agrees(labels, link), judged.right[position]);
                outcomes.push(Outcome { position, agreed, right });
                tally.count(link, agreed, right);
            }
        }
    }
    if tallies[0].ari() < BLIND {
        acquit(&mut judged.right);
    }
    let (labels, followed) = match choice::choose(&tallies) {
        Some(one) if one > 0 => (whole.labels[one - 1].clone(), one),
        is_all => {
            let all = evidence::of_all(&ground, &parts, &judged.weights);
            match is_all {
                Some(_) => (linkage::join(&all, &firm.close(n)?, cut), 0),
                None => Judge {
                    ground: &ground,
                    part: &whole,
                    evidence: &all,
                    weights: &judged.weights,
                    links: &firm,
                }
                .choose(seed, progress)?,
            }
        }
    };
    let labels = number_by_first_member(&labels).0;
    let outcomes = outcomes.into_iter().nth(followed).unwrap_or_default();

    let shares = shares(&folds, links);
    let Judged { weights, right } = judged;
    let n_wrong: f64 = right.iter().map(|right| 1.0 - right).sum();
    let rate = if n_suspects(&right) > 0.0 { n_wrong / right.len() as f64 } else { 0.0 };
    Ok(Core { labels, whole, right, rate, weights, shares, followed, outcomes })
}

fn n_suspects(right: &[f64]) -> f64 {
    right.iter().filter(|&&right| right < SUSPECT).count() as f64
}

/// Suspects are none any more, but for those that hardly can be right.
fn acquit(right: &mut [f64]) {
    let doubtful = right.iter_mut().filter(|right| **right >= SURELY_WRONG);
    doubtful.for_each(|right| *right = right.max(SUSPECT));
}

/// The fold in which each link is held back: must-links and cannot-links dealt out in turn.
pub(super) fn deal(links: &Links) -> Vec<usize> {
    let mut n_dealt = [0, 1];
    let fold = |link: &Link| {
        let n_dealt = &mut n_dealt[usize::from(link.kind == LinkKind::Must)];
        *n_dealt += 1;
        *n_dealt % FOLDS
    };
    links.iter().map(fold).collect()
}

impl Fold {
    /// All folds, to whose candidates no suspect is shown.
    fn all<T: Real>(
        points: &Points<'_, T>,
        ground: &Ground,
        links: &Links,
        right: &[f64],
        seed: u64,
        progress: &mut Progress<'_, '_>,
    ) -> Result<Vec<Self>> {
        let deal = deal(links);
        let fit =
            |fold: usize| Self::fit(points, ground, links, right, &deal, fold, seed, progress);
        (0..FOLDS).map(fit).collect()
    }

    #[allow(clippy::too_many_arguments)] // called from one place
    fn fit<T: Real>(
        points: &Points<'_, T>,
        ground: &Ground,
        links: &Links,
        right: &[f64],
        deal: &[usize],
        fold: usize,
        seed: u64,
        progress: &mut Progress<'_, '_>,
    ) -> Result<Self> {
        let n = points.n_points();
        let is_shown = |at: &usize| deal[*at] != fold && right[*at] >= SUSPECT;
        let shown = (0..links.len()).filter(is_shown).map(|at| links.as_slice()[at]);
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

    /// What would have been found without the links of this fold: by all candidates together, and by
    /// each of them alone.
    fn answers(
        &self,
        ground: &Ground,
        links: &Links,
        judged: &Judged,
        binding: f64,
        cut: f32,
    ) -> Result<Vec<Vec<i64>>> {
        let n = ground.min_max.n_points();
        let held: std::collections::HashSet<usize> = self.held.iter().copied().collect();
        let firm = links.iter().enumerate().filter(|&(at, link)| {
            let is_shown =
                !held.contains(&at) && self.closure.relation(link.a, link.b) == Some(link.kind);
            is_shown && judged.right[at] >= binding
        });
        let closure = firm.map(|(_, &link)| link).collect::<Links>().close(n)?;
        let all = evidence::of_all(ground, &[&self.part], &judged.weights);
        let joined = number_by_first_member(&linkage::join(&all, &closure, cut)).0;
        let graph = Graph::new(&[&ground.min_max, &self.part.places]);
        std::iter::once(&joined)
            .chain(&self.part.labels)
            .map(|labels| Ok(votes::vote(&graph, &closure, labels)?.labels()))
            .collect()
    }
}

/// What held-back links teach.
struct Judged {
    weights: Vec<f64>,
    right: Vec<f64>,
}

/// The evidence about links that were held back and whether they are must-links, from which
/// `benches/auto.rs` learns the prior.
#[doc(hidden)]
pub fn held_back_evidence<T: Real>(
    points: &Points<'_, T>,
    links: &Links,
) -> Result<Vec<(Vec<f64>, bool)>> {
    let (ground, folds) = only_folds(points, links, &vec![1.0; links.len()])?;
    let cases = cases(&ground, &folds, links).1;
    Ok(cases.into_iter().map(|case| (case.evidence, case.is_must)).collect())
}

/// What tells whether each link is wrong, if `right` is what was believed before, and whether it is
/// judged at all; from which `benches/auto.rs` learns the weights of the judges.
#[doc(hidden)]
pub fn signs_of_wrong_answers<T: Real>(
    points: &Points<'_, T>,
    links: &Links,
    right: &[f64],
) -> Result<Vec<(Vec<f64>, bool)>> {
    let (ground, folds) = only_folds(points, links, right)?;
    let prior = prior::weights(links.len() as f64 / points.n_points() as f64);
    let hearing = hearing(&ground, &folds, links, &[], &prior);
    let signs = hearing.signs(right).into_iter();
    Ok(signs
        .zip(&hearing.unseen)
        .map(|(signs, unseen)| (signs.to_vec(), unseen.is_some()))
        .collect())
}

fn only_folds<T: Real>(
    points: &Points<'_, T>,
    links: &Links,
    right: &[f64],
) -> Result<(Ground, Vec<Fold>)> {
    let ground = Ground::new(points)?;
    let mut observer = crate::observe::ignore;
    let n_all = FOLDS * Progress::PER_PART;
    let mut progress = Progress { observer: &mut observer, n_done: 0, n_all };
    let folds = Fold::all(points, &ground, links, right, 0, &mut progress)?;
    Ok((ground, folds))
}

/// What is known of links before they are judged.
fn hearing<'a>(
    ground: &Ground,
    folds: &'a [Fold],
    links: &'a Links,
    is_certain: &'a [bool],
    prior: &[f64],
) -> Hearing<'a> {
    let mut unseen = vec![None; links.len()];
    let (positions, cases) = cases(ground, folds, links);
    for (&at, case) in positions.iter().zip(&cases) {
        unseen[at] = Some(stack::log_odds(prior, &case.evidence));
    }
    let of_size = |size: usize| -> Vec<&'a [i64]> {
        folds.iter().flat_map(|fold| &fold.part.families[size]).map(Vec::as_slice).collect()
    };
    Hearing { links: links.as_slice(), regions: [0, 1].map(of_size), unseen, is_certain }
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

/// Weights by the held-back links that are no suspects.
fn weigh(ground: &Ground, folds: &[Fold], links: &Links, prior: &[f64], right: Vec<f64>) -> Judged {
    let (positions, cases) = cases(ground, folds, links);
    let believed = positions.iter().zip(cases).filter(|(at, _)| right[**at] >= SUSPECT);
    let believed: Vec<Case> = believed.map(|(_, case)| case).collect();
    let weights = stack::fit(&believed, prior);
    Judged { weights, right }
}

/// For each candidate the share of held-back links that it agrees with.
fn shares(folds: &[Fold], links: &Links) -> Vec<f64> {
    let of_candidate = |candidate: usize| {
        let of_fold = |fold: &Fold| -> Vec<Outcome> {
            let labels = &fold.part.labels[candidate];
            let outcome = |&position: &usize| {
                let agreed = agrees(labels, &links.as_slice()[position]);
                Outcome { position, agreed, right: 1.0 }
            };
            fold.held.iter().map(outcome).collect()
        };
        share(&folds.iter().flat_map(of_fold).collect::<Vec<_>>(), links)
    };
    (0..CANDIDATES.len()).map(of_candidate).collect()
}

/// The mean of the shares of must-links and of cannot-links, held back, that were agreed with; a half
/// where none was held back.
pub(super) fn share(outcomes: &[Outcome], links: &Links) -> f64 {
    let of_kind = |kind: LinkKind| {
        let of = outcomes.iter().filter(|it| links.as_slice()[it.position].kind == kind);
        let (n, n_agreed) = of.fold((2.0, 1.0), |(n, n_agreed), outcome| {
            (n + 1.0, n_agreed + f64::from(u8::from(outcome.agreed)))
        });
        n_agreed / n
    };
    (of_kind(LinkKind::Must) + of_kind(LinkKind::Cannot)) / 2.0
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
