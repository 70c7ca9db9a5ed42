//! Fits from a part of the rows, for points that are never in one place.
//!
//! A [`Draw`] says which rows a method needs of so many: some by chance, known from their number and a
//! seed without a look at the data, and every row that a link names. Whoever holds the points, in
//! parts, on disk or on many machines, hands these rows over, gets a model, and labels all others
//! with it. Nothing else travels.
//!
//! A row that was drawn stands for all rows that nobody named, and weighs as many as come to each
//! drawn one; a row that was named stands for itself. (Boosted mean shift draws its points by itself, and
//! so finds what it finds when all are there.) Where all rows are drawn, it is the ordinary fit.
//!
//! ```
//! use linkshift::cms::{Cms, CmsParams};
//! use linkshift::{Links, datasets, observe};
//!
//! let moons = datasets::moons(900, 0.05, 7)?;
//! let links = Links::from_pairs(&[], &[(0, 899), (10, 600)]);
//! let cms = Cms::new(CmsParams::default())?;
//! let draw = cms.draw(900, Some(300), &links)?;
//! assert!((300..=304).contains(&draw.rows().len()));
//! let drawn = moons.points.select(draw.rows());
//! let model = cms.fit_drawn(&draw, &drawn, &links, &mut observe::ignore)?;
//! let labels = model.predict(&moons.points)?;
//! assert!(links.report(&labels).broken.is_empty());
//! # Ok::<(), linkshift::Error>(())
//! ```

use crate::error::{Error, LinkError, Result};
use crate::links::{Link, Links};
use crate::memory::{self, Size};
use crate::method::{Algorithm, GivenLinks, Method, Outcome};
use crate::model::{Model, Note, NoteKind};
use crate::observe::Observer;
use crate::params::{self, SEED, Value};
use crate::points::Points;
use crate::predictor::{Held, Predictor};
use crate::real::Real;
use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;

/// The rows that find the clusters of so many points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draw {
    n_points: usize,
    /// Ascending.
    rows: Vec<usize>,
    /// Those of them that links name, as positions among them, ascending.
    linked: Vec<usize>,
    /// Those of them that were drawn by chance, as positions among them, ascending.
    by_chance: Vec<usize>,
}

impl Draw {
    fn new(n_points: usize, by_chance: &[usize], links: &Links) -> Self {
        let linked: BTreeSet<usize> = links.iter().flat_map(|link| [link.a, link.b]).collect();
        let all: BTreeSet<usize> = by_chance.iter().chain(&linked).copied().collect();
        let rows: Vec<usize> = all.into_iter().collect();
        let position = |row: &usize| rows.partition_point(|drawn| drawn < row);
        let linked = linked.iter().map(position).collect();
        let by_chance = by_chance.iter().map(position).collect();
        Self { n_points, rows, linked, by_chance }
    }

    /// How many points there are in all.
    pub fn n_points(&self) -> usize {
        self.n_points
    }

    /// The rows, ascending.
    pub fn rows(&self) -> &[usize] {
        &self.rows
    }

    /// The rows that links name, as positions among [`rows`](Self::rows), ascending.
    pub fn linked(&self) -> &[usize] {
        &self.linked
    }

    /// The rows that were drawn by chance, as positions among [`rows`](Self::rows), ascending.
    pub fn by_chance(&self) -> &[usize] {
        &self.by_chance
    }

    /// Links between rows as links between positions among [`rows`](Self::rows); all ends are there.
    pub fn positions(&self, links: &Links) -> Links {
        let position = |row: usize| self.rows.partition_point(|&drawn| drawn < row);
        links
            .iter()
            .map(|link| Link { a: position(link.a), b: position(link.b), ..*link })
            .collect()
    }

    /// A link between positions as one between rows.
    pub fn in_rows(&self, link: &Link) -> Link {
        Link { a: self.rows[link.a], b: self.rows[link.b], ..*link }
    }

    /// The drawn points, each with the weight of the rows it stands for.
    pub fn weighed<'a, T: Real>(&self, points: &'a Points<'a, T>) -> Result<Points<'a, T>> {
        let n_others = self.rows.len() - self.linked.len();
        let n_stood_for = self.n_points - self.linked.len();
        let same = Points::checked_before(points.values(), points.n_features(), None);
        if n_others == n_stood_for || n_others == 0 {
            let own = points.weights().map(<[T]>::to_vec);
            return Ok(Points::checked_before(points.values(), points.n_features(), own));
        }
        let each = T::of(n_stood_for as f64 / n_others as f64);
        let mut weights: Vec<T> =
            (0..points.n_points()).map(|row| each * points.weight(row)).collect();
        self.linked.iter().for_each(|&at| weights[at] = points.weight(at));
        same.with_weights(weights)
    }

    /// An error about links between positions as one about rows.
    fn explained(&self, error: Error) -> Error {
        let links = |links: Vec<Link>| links.iter().map(|link| self.in_rows(link)).collect();
        Error::Links(match error {
            Error::Links(LinkError::Contradiction { cannot, chain }) => {
                LinkError::Contradiction { cannot: self.in_rows(&cannot), chain: links(chain) }
            }
            Error::Links(LinkError::NoAssignment { n_clusters, row, blocking, proven }) => {
                let (row, blocking) = (self.rows[row], links(blocking));
                LinkError::NoAssignment { n_clusters, row, blocking, proven }
            }
            other => return other,
        })
    }
}

/// So many rows of all, ascending, by a seed; all if there are no more.
pub(crate) fn at_random(n_points: usize, most: usize, seed: u64) -> Vec<usize> {
    if n_points <= most {
        return (0..n_points).collect();
    }
    let mut rows = index::sample(&mut ChaCha8Rng::seed_from_u64(seed), n_points, most).into_vec();
    rows.sort_unstable();
    rows
}

/// The seed of a method, 0 if it draws nothing.
pub(crate) fn seed_of<P: Algorithm>(params: &P) -> u64 {
    match params::value(params, SEED) {
        Some(Value::Count(seed)) => seed,
        _ => 0,
    }
}

impl<P: Algorithm> Method<P> {
    /// The rows that [`fit_drawn`](Self::fit_drawn) needs of so many points: some by chance, `most` of
    /// them or as many as suit the method, and all that links name. It depends on nothing else.
    pub fn draw(&self, n_points: usize, most: Option<usize>, links: &Links) -> Result<Draw> {
        links.check(n_points)?;
        Ok(Draw::new(n_points, &self.params().drawn_rows(n_points, most)?, links))
    }

    /// Fits so many points of which only the rows of a [draw](Self::draw) are given, in its order;
    /// links name rows among all.
    ///
    /// The model's labels and sizes, and the ends of links in its report, are those of the given
    /// points, and clusters are numbered by the first of them; [`predict`](Model::predict) labels all
    /// others. A point that a link names is predicted as it was labelled.
    pub fn fit_drawn<T: Real>(
        &self,
        draw: &Draw,
        points: &Points<'_, T>,
        links: &Links,
        observer: &mut Observer<'_>,
    ) -> Result<Model<T, P::Details<T>>> {
        if draw.rows.len() != points.n_points() {
            let must = format!("the {} rows of the draw", draw.rows.len());
            return Err(Error::param("drawn points", points.n_points(), must));
        }
        links.check(draw.n_points)?;
        let links = draw.positions(links);
        self.fit_positions(draw, points, &links, observer).map_err(|error| draw.explained(error))
    }

    fn fit_positions<T: Real>(
        &self,
        draw: &Draw,
        points: &Points<'_, T>,
        links: &Links,
        observer: &mut Observer<'_>,
    ) -> Result<Model<T, P::Details<T>>> {
        let given = GivenLinks::new(links, points.n_points(), P::INFO.links)?;
        memory::check(self.params(), &Size::of(points, links.len()))?;
        let mut outcome = self.params().run_drawn(draw, points, &given, observer)?;
        let moved = self.obeyed(&mut outcome, points, &given)?;
        hold_linked(&mut outcome, draw, points)?;
        let is_told = outcome.notes.iter().any(|note| note.kind == NoteKind::PointsDrawn);
        if draw.rows.len() < draw.n_points && !is_told {
            let text = format!(
                "{} of the {} rows found the clusters: {} that links name, the others drawn at random; what they found labels the rest",
                draw.rows.len(),
                draw.n_points,
                draw.linked.len()
            );
            outcome.notes.push(Note::new(NoteKind::PointsDrawn, text));
        }
        Ok(self.model(outcome, moved, links))
    }
}

/// Linked points that would be predicted otherwise than they were labelled are held: their labels are
/// written by prediction, and what the report says of them must be true.
fn hold_linked<T: Real, D>(
    outcome: &mut Outcome<T, D>,
    draw: &Draw,
    points: &Points<'_, T>,
) -> Result<()> {
    if draw.linked.is_empty() {
        return Ok(());
    }
    let said = outcome.predictor.predict(&points.select(&draw.linked))?;
    let differs = |&(&at, said): &(&usize, i64)| outcome.labels[at] != said;
    let held = draw.linked.iter().zip(said).filter(differs).map(|(&at, _)| at);
    let held: Vec<usize> = held.collect();
    if !held.is_empty() {
        let held = Held::of(points, &outcome.labels, &held);
        let predictor = std::mem::replace(&mut outcome.predictor, Predictor::nowhere(1));
        outcome.predictor = predictor.holding(held);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_is_what_chance_says_and_every_row_that_a_link_names() {
        let links = Links::from_pairs(&[(7, 2)], &[(9, 2)]);
        let draw = Draw::new(10, &[2, 4, 5], &links);
        assert_eq!(draw.rows(), [2, 4, 5, 7, 9]);
        assert_eq!(draw.linked(), [0, 3, 4]);
        assert_eq!(draw.by_chance(), [0, 1, 2]);
        assert_eq!(draw.positions(&links), Links::from_pairs(&[(3, 0)], &[(4, 0)]));
        assert_eq!(draw.in_rows(&Link::must(3, 0)), Link::must(7, 2));
    }

    #[test]
    fn drawn_rows_weigh_as_many_as_they_stand_for_and_linked_ones_one() {
        let draw = Draw::new(10, &[2, 4, 5], &Links::from_pairs(&[(7, 2)], &[(9, 2)]));
        let points = Points::new(vec![0.0; 5], 1).unwrap();
        // Derived: 10 rows, 3 of them linked; 2 others stand for 7.
        assert_eq!(draw.weighed(&points).unwrap().weights().unwrap(), [1.0, 3.5, 3.5, 1.0, 1.0]);
        // A weight of one's own counts besides.
        let heavy = points.with_weights(vec![2.0, 2.0, 1.0, 3.0, 1.0]).unwrap();
        assert_eq!(draw.weighed(&heavy).unwrap().weights().unwrap(), [2.0, 7.0, 3.5, 3.0, 1.0]);
        // All rows stand for themselves.
        let all = Draw::new(3, &[0, 1, 2], &Links::from_pairs(&[(0, 1)], &[]));
        let points = Points::new(vec![0.0; 3], 1).unwrap();
        assert_eq!(all.weighed(&points).unwrap().weights(), None);
    }

    #[test]
    fn chance_is_a_matter_of_the_number_and_the_seed() {
        assert_eq!(at_random(5, 5, 1), [0, 1, 2, 3, 4]);
        let rows = at_random(1_000_000_000, 1_000, 1);
        assert_eq!(rows, at_random(1_000_000_000, 1_000, 1));
        assert_ne!(rows, at_random(1_000_000_000, 1_000, 2));
        assert!(rows.is_sorted() && rows.len() == 1_000 && rows[999] < 1_000_000_000);
    }
}
