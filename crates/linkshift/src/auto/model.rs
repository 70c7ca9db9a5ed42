//! What the default method found, and how.

use super::candidates::CANDIDATES;
use super::promise::Promise;
use super::space::LinearMap;
use super::spreading;
use crate::error::Result;
use crate::links::{Link, LinkKind};
use crate::model::{Detail, Fact, IntoDetails, Model};
use crate::points::Points;
use crate::predictor::{Nearest, whole};
use crate::real::Real;

/// A fitted default method. The center of a cluster is its mean. A new point takes the label of the
/// nearest fitted one in the learned space, so that fitted points keep theirs.
pub type AutoModel<T> = Model<T, AutoDetails>;

/// A link that is probably wrong, and was not obeyed.
#[derive(Debug, Clone, PartialEq)]
pub struct Suspect {
    /// Its place among the links given, from 0.
    pub position: usize,
    /// The link; the other kind is the likely answer.
    pub link: Link,
    /// How surely it is right after all.
    pub right: f64,
    /// Why.
    pub reason: Reason,
    /// For a contradiction the links against it, as a chain from one end to the other.
    pub chain: Vec<Link>,
}

impl Suspect {
    /// The answer that is likely right: the other one.
    pub fn likely(&self) -> LinkKind {
        match self.link.kind {
            LinkKind::Must => LinkKind::Cannot,
            LinkKind::Cannot => LinkKind::Must,
        }
    }

    /// The reason, in words for people.
    pub fn sentence(&self) -> &'static str {
        match (self.reason, self.link.kind) {
            (Reason::Contradiction, _) => "it contradicts links that are surer",
            (Reason::Evidence, LinkKind::Must) => {
                "other links between these places, and candidates that did not see it, say apart"
            }
            (Reason::Evidence, LinkKind::Cannot) => {
                "other links between these places, and candidates that did not see it, say together"
            }
        }
    }
}

/// Why a link is a suspect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// Candidates that did not see it disagree with it.
    Evidence,
    /// It contradicts links that are surer.
    Contradiction,
}

impl Reason {
    /// The word for it in every door.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Evidence => "evidence",
            Reason::Contradiction => "contradiction",
        }
    }
}

/// What only the default method has to say.
#[derive(Debug, Clone, PartialEq)]
pub struct AutoDetails {
    pub(super) shares: Vec<f64>,
    /// The answer that was followed: 0 is the combination, then the candidates.
    pub(super) followed: usize,
    pub(super) weights: Vec<f64>,
    pub(super) suspects: Vec<Suspect>,
    pub(super) wrong_rate: f64,
    pub(super) promise: Option<Promise>,
    pub(super) by_cluster: Vec<Promise>,
    pub(super) to_ask: Vec<usize>,
    pub(super) link_right: Vec<f64>,
    pub(super) moved: Vec<usize>,
    pub(super) n_core: usize,
}

impl<T: Real> AutoModel<T> {
    /// Who was asked, and the balanced share of held-back links each agrees with; NaN where none was
    /// held back.
    pub fn candidates(&self) -> impl Iterator<Item = (&'static str, f64)> + '_ {
        self.details.candidates()
    }

    /// The candidate that was followed alone; `None` if all were, together.
    pub fn followed(&self) -> Option<&'static str> {
        self.details.followed()
    }

    /// Links that are probably wrong, the least likely first.
    pub fn suspects(&self) -> &[Suspect] {
        &self.details.suspects
    }

    /// The estimated share of wrong answers.
    pub fn wrong_rate(&self) -> f64 {
        self.details.wrong_rate
    }

    /// The share of pairs that are probably right; `None` without links to tell.
    pub fn promise(&self) -> Option<Promise> {
        self.details.promise
    }

    /// The same for each cluster, of the pairs with a point in it; the lowest deserves more answers.
    pub fn promise_by_cluster(&self) -> &[Promise] {
        &self.details.by_cluster
    }

    /// Clusters that deserve more answers: of which less is promised than of most, and not enough, the
    /// least first.
    pub fn clusters_to_ask(&self) -> &[usize] {
        &self.details.to_ask
    }

    /// For each link given how surely it is right; 1 where nothing speaks against it.
    pub fn link_right(&self) -> &[f64] {
        &self.details.link_right
    }
}

/// The names of all candidates; then label spreading, asked only where links amount to labels, and k-means,
/// followed only where no link is held back.
fn names() -> impl Iterator<Item = &'static str> {
    CANDIDATES.into_iter().chain([spreading::NAME, "k-means"])
}

impl AutoDetails {
    fn candidates(&self) -> impl Iterator<Item = (&'static str, f64)> + '_ {
        let unknown = self.promise.is_none();
        let share = move |&share: &f64| if unknown { f64::NAN } else { share };
        names().zip(self.shares.iter().map(share))
    }

    fn followed(&self) -> Option<&'static str> {
        let at = self.followed.checked_sub(1)?;
        names().nth(at)
    }
}

impl<T: Real> IntoDetails<T> for AutoDetails {
    fn moved(&self) -> &[usize] {
        &self.moved
    }

    fn into_details(self) -> Vec<Detail<T>> {
        let promised = |of: fn(&Promise) -> f64| self.promise.as_ref().map(of);
        let by_cluster =
            |of: fn(&Promise) -> f64| self.by_cluster.iter().map(of).collect::<Vec<f64>>();
        let n_links = self.link_right.len();
        let followed = self.followed().unwrap_or("all together");
        let candidates: Vec<(&str, f64)> = self.candidates().collect();
        vec![
            Detail::new("expected_right", promised(|promise| promise.share)),
            Detail::new("expected_right_low", promised(|promise| promise.low)),
            Detail::new("expected_right_high", promised(|promise| promise.high)),
            Detail::aside("expected_right_by_cluster", by_cluster(|promise| promise.share)),
            Detail::aside("expected_right_by_cluster_low", by_cluster(|promise| promise.low)),
            Detail::aside("expected_right_by_cluster_high", by_cluster(|promise| promise.high)),
            Detail::new("clusters_to_ask", Fact::Clusters(self.to_ask)),
            Detail::new("wrong_rate", self.wrong_rate),
            Detail::new("n_suspects", self.suspects.len()),
            Detail::new("suspects", Fact::Suspects(self.suspects)),
            Detail::new("link_right", Fact::Array(self.link_right, vec![n_links])),
            Detail::new("candidates", candidates),
            Detail::new("followed", followed),
            Detail::aside("evidence_weights", self.weights.clone()),
            Detail::aside("n_core_points", self.n_core),
        ]
    }
}

/// Labels from the nearest place in a learned space.
#[derive(Debug, Clone, PartialEq)]
pub struct Projected<T: Real> {
    /// The way into the space.
    pub map: LinearMap,
    /// The places there.
    pub nearest: Nearest<T>,
}

impl<T: Real> Projected<T> {
    /// The label of the nearest place, for each point.
    pub fn predict(&self, points: &Points<'_, T>) -> Result<Vec<i64>> {
        points.expect_features(self.map.shift.len())?;
        let mut labels = Vec::with_capacity(points.n_points());
        for part in points.parts() {
            labels.extend(self.nearest.predict(&self.map.apply(&part)?)?);
        }
        Ok(labels)
    }

    pub(crate) fn check(&self) -> Result<()> {
        let LinearMap { shift, matrix } = &self.map;
        let is_whole = !shift.is_empty() && matrix.len().is_multiple_of(shift.len());
        whole(is_whole, "map", || format!("{} numbers for {} columns", matrix.len(), shift.len()))?;
        let finite = shift.iter().chain(matrix).all(|x| x.is_finite());
        whole(finite, "map", || "a number is not finite".into())?;
        let (to, places) = (self.map.n_directions(), self.nearest.places.n_features());
        whole(to == places, "map", || {
            format!("it leads to {to} columns, the places have {places}")
        })?;
        self.nearest.check()
    }
}
