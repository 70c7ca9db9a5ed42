//! The method from points and links to model.

use super::candidates::{CANDIDATES, Progress};
use super::choice;
use super::core::{self, Core, SUSPECT, Told};
use super::keep;
use super::model::{AutoDetails, Projected, Reason, Suspect};
use super::params::{self, AutoParams, Trust};
use super::promise;
use super::spreading::{self, Spreading};
use super::votes::{self, Graph};
use crate::error::Result;
use crate::links::{Link, LinkClosure, LinkKind, Links};
use crate::memory::Size;
use crate::method::{Algorithm, Clusters, Counts, GivenLinks, Info, LinkUse, Method, Outcome};
use crate::model::{Note, NoteKind};
use crate::neighbors::Neighbors;
use crate::observe::Observer;
use crate::params::Param;
use crate::points::Points;
use crate::predictor::{Nearest, Predictor, Reach};
use crate::real::Real;
use crate::shared::means::cluster_means;
use crate::shared::relabel::number_by_first_member;
use crate::stop::Stoppable;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::collections::VecDeque;

/// Of many points so large a share of those that find the clusters are linked ones.
const LINKED_SHARE: f64 = 0.7;

/// The number of label spreading among those that can be followed.
const SPREADING: usize = 1 + CANDIDATES.len();

/// Points of the core that a point outside asks for its first label.
const ASKED: usize = 5;

/// How sure a link is at the most that nobody said is certain.
const ALMOST: f64 = 0.999;

/// The default method with checked parameters.
pub type Auto = Method<AutoParams>;

impl Algorithm for AutoParams {
    const INFO: Info = Info {
        name: "auto",
        class: "AutoCluster",
        sentence: "asks several methods, weighs them by held-back links, keeps every link that is not probably wrong",
        links: LinkUse::Judged,
        clusters: Clusters::Found,
        counts: Counts { unit: "fits", limit: None },
        takes_similarities: false,
        shows_distances: false,
    };
    const TABLE: &'static [Param<Self>] = params::TABLE;

    /// Every one of them is a place that each new point is compared with.
    const DRAWN: usize = 10_000;

    type Details<T: Real> = AutoDetails;

    fn needs(&self, size: &Size) -> u64 {
        // The evidence between all pairs of those that find the clusters, and the points on three
        // scales.
        let core = size.n_points.min(self.most_points as u64);
        core.saturating_mul(core).saturating_mul(10) + size.numbers(12) + size.rows(120)
    }

    fn run<T: Real>(
        &self,
        points: &Points<'_, T>,
        links: &GivenLinks<'_>,
        observer: &mut Observer<'_>,
    ) -> Result<Outcome<T, AutoDetails>> {
        let links = links.all;
        let n = points.n_points();
        let rows = self.core_rows(n, links);
        let (core_points, positions, core_links) = inside(points, links, &rows);
        let n_all = core::n_parts(core_links.len()) * Progress::PER_PART;
        let mut progress = Progress { observer, n_done: 0, n_all };
        let is_certain = self.certain(links);
        let core_certain: Vec<bool> = positions.iter().map(|&at| is_certain[at]).collect();
        let told = Told { links: &core_links, is_certain: &core_certain, seed: self.seed };
        let mut found = core::fit(&core_points, &told, &mut progress)?;
        let n_fits = progress.n_all;

        let places: Points<'static, f32> = found.whole.map.apply(points)?;
        let mut start = spread(&places, &rows, &found.labels);
        let scaled = super::space::scaled(points, crate::scale::Scaling::MinMax)?;
        let graph = Graph::new(&[&scaled, &places]);
        let mut right = vec![1.0; links.len()];
        positions.iter().zip(&found.right).for_each(|(&at, &sure)| right[at] = sure);
        if found.rate > 0.0 && positions.len() < links.len() {
            self.judge_outside(&graph, &start, links, &positions, &found, &mut right)?;
            right
                .iter_mut()
                .zip(&is_certain)
                .filter(|it| *it.1)
                .for_each(|(right, _)| *right = 1.0);
        }
        if positions.len() == links.len()
            && spreading::reach(links, &start)
            && let Some(spreading) = Spreading::new(&scaled, links, &is_certain, self.seed)?
        {
            let spread = spreading.spread()?;
            let outcomes = spreading.outcomes(&found.outcomes, &spread.right)?;
            found.shares.push(core::share(&outcomes, links));
            if !choice::is_clearly_better(&found.outcomes, &outcomes, links) {
                start = spread.labels;
                right = spread.right;
                found.rate = spread.rate;
                found.outcomes = outcomes;
                found.followed = SPREADING;
            }
        }
        let (kept, suspects) = trusted(links, &right, &is_certain, n)?;
        let closure = kept.close(n)?;
        let belief = votes::vote(&graph, &closure, &start)?;
        let mut labels = belief.labels();
        let moved = keep::keep_apart(&mut labels, &closure, &belief);
        let labels = number_by_first_member(&labels).0;

        let promise = promise::promise(&found.outcomes);
        let n_clusters = labels.iter().max().map_or(0, |&last| last as usize + 1);
        let core_labels: Vec<i64> = rows.iter().map(|&row| labels[row]).collect();
        let by_cluster = promise.map_or(Vec::new(), |whole| {
            promise::by_cluster(&found.outcomes, &core_links, &core_labels, n_clusters, whole)
        });
        let to_ask = promise::to_ask(&by_cluster);
        suspects.iter().for_each(|suspect| right[suspect.position] = suspect.right);
        let map = found.whole.map.clone();
        let nearest =
            Nearest { places: map.apply(points)?, labels: labels.clone(), reach: Reach::Any };
        Ok(Outcome {
            centers: cluster_means(points, &labels),
            labels,
            mode_bandwidth: None,
            n_iter: n_fits,
            converged: true,
            notes: notes(n, rows.len(), links, &suspects, n_clusters),
            predictor: Predictor::Projected(Projected { map, nearest }),
            details: AutoDetails {
                shares: found.shares,
                followed: found.followed,
                weights: found.weights,
                suspects,
                wrong_rate: found.rate,
                promise,
                by_cluster,
                to_ask,
                link_right: right,
                moved,
                n_core: rows.len(),
            },
        })
    }
}

impl AutoParams {
    /// The rows that find the clusters, ascending: all, or linked ones with those they are linked
    /// to, and others.
    fn core_rows(&self, n: usize, links: &Links) -> Vec<usize> {
        if n <= self.most_points {
            return (0..n).collect();
        }
        let mut near: Vec<Vec<usize>> = vec![Vec::new(); n];
        for link in links {
            near[link.a].push(link.b);
            near[link.b].push(link.a);
        }
        let mut order: Vec<usize> = (0..n).collect();
        order.shuffle(&mut ChaCha8Rng::seed_from_u64(self.seed));
        let most_linked = (LINKED_SHARE * self.most_points as f64) as usize;
        let (mut is_core, mut rows) = (vec![false; n], Vec::new());
        let mut queue = VecDeque::new();
        for &first in order.iter().filter(|&&row| !near[row].is_empty()) {
            queue.push_back(first);
            while let Some(row) = queue.pop_front() {
                if rows.len() < most_linked && !is_core[row] {
                    is_core[row] = true;
                    rows.push(row);
                    queue.extend(&near[row]);
                }
            }
        }
        let others = order.iter().copied().filter(|&row| !is_core[row]);
        rows.extend(others.take(self.most_points - rows.len()));
        rows.sort_unstable();
        rows
    }

    /// For each link whether it may not be doubted: all under full trust, else those that were said to
    /// be certain.
    fn certain(&self, links: &Links) -> Vec<bool> {
        let are_stated = links.are_stated();
        let is_certain =
            |link: &Link| self.trust == Trust::All || (are_stated && link.confidence == 1.0);
        links.iter().map(is_certain).collect()
    }

    /// How surely links are right that no candidate was asked about: by what the neighbours of
    /// their ends believe without them.
    fn judge_outside(
        &self,
        graph: &Graph,
        start: &[i64],
        links: &Links,
        positions: &[usize],
        found: &Core,
        right: &mut [f64],
    ) -> Result<()> {
        let none = LinkClosure::none(start.len());
        let belief = votes::vote(graph, &none, start)?;
        let mut is_inside = vec![false; links.len()];
        positions.iter().for_each(|&at| is_inside[at] = true);
        for (at, link) in links.iter().enumerate().filter(|&(at, _)| !is_inside[at]) {
            let together = belief.together(link.a, link.b);
            let agrees = if link.kind == LinkKind::Must { together } else { 1.0 - together };
            // Neighbours may be wrong as one: they are never surer than this.
            let agrees = agrees.clamp(0.03, 0.97);
            let by_chance = found.rate * (1.0 - agrees);
            right[at] = (1.0 - found.rate) * agrees / ((1.0 - found.rate) * agrees + by_chance);
        }
        Ok(())
    }
}

/// The chosen points, and the links between them with their positions among all.
fn inside<T: Real>(
    points: &Points<'_, T>,
    links: &Links,
    rows: &[usize],
) -> (Points<'static, T>, Vec<usize>, Links) {
    let mut new_of = vec![usize::MAX; points.n_points()];
    rows.iter().enumerate().for_each(|(new, &old)| new_of[old] = new);
    let (mut positions, mut within) = (Vec::new(), Links::new());
    for (at, link) in links.iter().enumerate() {
        let (a, b) = (new_of[link.a], new_of[link.b]);
        if a != usize::MAX && b != usize::MAX {
            positions.push(at);
            within.push(Link { a, b, ..*link });
        }
    }
    (points.select(rows), positions, within)
}

/// Labels of all points: of those in the core their own, of others the one most frequent among the
/// nearest in the core.
fn spread(places: &Points<'_, f32>, rows: &[usize], labels: &[i64]) -> Vec<i64> {
    if rows.len() == places.n_points() {
        return labels.to_vec();
    }
    let index = Neighbors::new(&places.select(rows));
    let ask = |row: &[f32]| {
        let found: Vec<i64> =
            index.nearest(row, ASKED).iter().map(|found| labels[found.row]).collect();
        let count = |label: i64| found.iter().filter(|&&other| other == label).count();
        // The nearest wins among equals: later ones must be more.
        found.iter().copied().reduce(
            |best, other| {
                if count(other) > count(best) { other } else { best }
            },
        )
    };
    let asked = places.values().par_chunks_exact(places.n_features()).stoppable();
    let mut all: Vec<i64> = asked.map(|row| ask(row).unwrap_or(0)).collect();
    rows.iter().zip(labels).for_each(|(&row, &label)| all[row] = label);
    all
}

/// Links that are obeyed, and those that are not.
fn trusted(
    links: &Links,
    right: &[f64],
    is_certain: &[bool],
    n: usize,
) -> Result<(Links, Vec<Suspect>)> {
    let mut suspects = Vec::new();
    let mut believed = Vec::new();
    for (position, (link, &right)) in links.iter().zip(right).enumerate() {
        if right < SUSPECT {
            let reason = Reason::Evidence;
            suspects.push(Suspect { position, link: *link, right, reason, chain: Vec::new() });
        } else {
            believed.push(position);
        }
    }
    // The surest first, where some contradict each other.
    let by_surety = |&position: &usize| {
        let link = links.as_slice()[position];
        let most = if is_certain[position] { 1.0 } else { ALMOST };
        Link { confidence: (right[position] * link.confidence).clamp(1e-6, most), ..link }
    };
    let told: Links = believed.iter().map(by_surety).collect();
    let consistent = told.consistent(n)?;
    let kept = core::certain(&consistent.kept);
    let closure = kept.close(n)?;
    for (&position, _) in believed.iter().zip(&consistent.is_kept).filter(|(_, kept)| !**kept) {
        let link = links.as_slice()[position];
        let chain = chain_against(&kept, &closure, &link);
        let right = right[position].min(SUSPECT);
        suspects.push(Suspect { position, link, right, reason: Reason::Contradiction, chain });
    }
    suspects.sort_by(|a, b| a.right.total_cmp(&b.right).then(a.position.cmp(&b.position)));
    Ok((kept, suspects))
}

/// The links that speak against one, from its first end to its second.
fn chain_against(kept: &Links, closure: &LinkClosure, link: &Link) -> Vec<Link> {
    let n = closure.n_points();
    if link.kind == LinkKind::Cannot {
        return kept.must_chain(link.a, link.b, n);
    }
    let is_together = |a: usize, b: usize| a == b || closure.relation(a, b) == Some(LinkKind::Must);
    for between in kept.iter().filter(|other| other.kind == LinkKind::Cannot) {
        for (near, far) in [(between.a, between.b), (between.b, between.a)] {
            if is_together(link.a, near) && is_together(far, link.b) {
                let mut chain = kept.must_chain(link.a, near, n);
                chain.push(*between);
                chain.extend(kept.must_chain(far, link.b, n));
                return chain;
            }
        }
    }
    Vec::new()
}

fn notes(
    n: usize,
    n_core: usize,
    links: &Links,
    suspects: &[Suspect],
    n_clusters: usize,
) -> Vec<Note> {
    let mut notes = Vec::new();
    if n_core < n {
        let text = format!("{n_core} of {n} points found the clusters, the others joined them");
        notes.push(Note::new(NoteKind::PointsDrawn, text));
    }
    if links.is_empty() {
        let text = match n_clusters {
            0 | 1 => "nothing parts these points more clearly than chance: a few answers tell",
            _ => "without links nobody knows how good this is: a few answers tell",
        };
        notes.push(Note::new(NoteKind::NoLinks, text));
    }
    if !suspects.is_empty() {
        let text = format!(
            "{} of {} links are probably wrong and were not obeyed",
            suspects.len(),
            links.len()
        );
        notes.push(Note::new(NoteKind::Suspects, text));
    }
    notes
}
