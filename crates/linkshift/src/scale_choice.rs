//! Which scale suits some points: told by their columns and, where there are links, by those.
//!
//! Columns of like size stay as they are, and so do rows that have length 1 already. Where columns
//! differ wildly, distances are those of the largest column alone, so they are brought to one scale: from 0
//! to 1, which leaves columns of noughts and ones what they are. Links know better: must-linked points
//! should be nearer to each other than cannot-linked ones. How often that is so, over all pairs of a
//! must-link and a cannot-link (the area under the ROC curve), is found for every scale; nothing is fitted, so
//! every link is as good as held back. Another scale than the columns suggest must be clearly better.

use crate::distance::distance_sq;
use crate::links::{LinkKind, Links};
use crate::points::Points;
use crate::real::Real;
use crate::scale::{Scaler, Scaling};

/// The largest deviation of a column over the smallest that still counts as like.
const LIKE: f64 = 20.0;

/// So much more often must-links must be nearer than cannot-links on a scale that columns do not
/// suggest.
const CLEARLY: f64 = 0.05;

/// Fewer links of a kind say nothing about scales.
const FEWEST: usize = 15;

/// More links than this are not asked: they would say the same.
const MOST: usize = 2_000;

/// How far a length may be from 1 and still be 1.
const ROUNDING: f64 = 1e-3;

/// Fewer columns are no embedding, and lengths of rows mean something.
const EMBEDDING: usize = 16;

/// A scale, and why it was chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScaleChoice {
    /// The scale.
    pub scaling: Scaling,
    /// Half a sentence for people.
    pub reason: String,
}

/// The scale that suits some points; links may say more than their columns.
///
/// ```
/// use linkshift::scale_choice::choose;
/// use linkshift::{Links, Points, Scaling};
///
/// // Grams and tonnes.
/// let points = Points::new(vec![1.0, 3e6, 2.0, 1e6, 3.0, 2e6], 2)?;
/// assert_eq!(choose(&points, &Links::new()).scaling, Scaling::MinMax);
/// # Ok::<(), linkshift::Error>(())
/// ```
pub fn choose<T: Real>(points: &Points<'_, T>, links: &Links) -> ScaleChoice {
    T::scale(points, links)
}

pub(crate) fn choose_any<T: Real>(points: &Points<'_, T>, links: &Links) -> ScaleChoice {
    let (scaling, why) = by_columns(points);
    let asked = |scaling: Scaling| Some((share_nearer(points, links, scaling)?, scaling));
    let Some((share, _)) = asked(scaling) else {
        return ScaleChoice { scaling, reason: why };
    };
    let is_embedding = points.n_features() >= EMBEDDING;
    let others = Scaling::ALL
        .into_iter()
        .filter(|&other| other != scaling && (other != Scaling::Unit || is_embedding));
    let best = others.filter_map(asked).reduce(|best, it| if it.0 > best.0 { it } else { best });
    match best {
        Some((other, better)) if other > share + CLEARLY => ScaleChoice {
            scaling: better,
            reason: format!(
                "must-links are nearer than cannot-links in {:.0} % of cases, {:.0} % otherwise",
                100.0 * other,
                100.0 * share
            ),
        },
        _ => ScaleChoice { scaling, reason: why },
    }
}

/// The scale that columns suggest, and why.
fn by_columns<T: Real>(points: &Points<'_, T>) -> (Scaling, String) {
    let length = |row: &[T]| row.iter().map(|x| x.as_f64().powi(2)).sum::<f64>().sqrt();
    if points.n_features() > 1 && points.rows().all(|row| (length(row) - 1.0).abs() < ROUNDING) {
        return (Scaling::None, "rows have length 1".into());
    }
    let scaler = Scaler::fit(points, Scaling::ZScore);
    let constant = scaler.constant_columns();
    let varying = (0..points.n_features()).filter(|column| !constant.contains(column));
    let deviations: Vec<f64> = varying.map(|column| scaler.unit()[column]).collect();
    let largest = deviations.iter().copied().fold(0.0, f64::max);
    let smallest = deviations.iter().copied().fold(f64::INFINITY, f64::min);
    match largest > LIKE * smallest {
        true => {
            let ratio = largest / smallest;
            (Scaling::MinMax, format!("columns differ in size by a factor of {ratio:.0}"))
        }
        false => (Scaling::None, "columns are of like size".into()),
    }
}

/// How often a must-link is nearer than a cannot-link on a scale; none if links are too few, or
/// points have no place there.
fn share_nearer<T: Real>(points: &Points<'_, T>, links: &Links, scaling: Scaling) -> Option<f64> {
    let scaled = Scaler::fit(points, scaling).apply(points).ok()?;
    let of_kind = |kind: LinkKind| -> Vec<f64> {
        let links = links.iter().filter(|link| link.kind == kind).take(MOST);
        links.map(|link| distance_sq(scaled.row(link.a), scaled.row(link.b)).as_f64()).collect()
    };
    let (must, mut cannot) = (of_kind(LinkKind::Must), of_kind(LinkKind::Cannot));
    if must.len().min(cannot.len()) < FEWEST {
        return None;
    }
    cannot.sort_unstable_by(f64::total_cmp);
    let farther = |distance: &f64| {
        let below = cannot.partition_point(|other| other < distance);
        let up_to = cannot.partition_point(|other| other <= distance);
        // Equal ones count half.
        cannot.len() as f64 - (below + up_to) as f64 / 2.0
    };
    let sum: f64 = must.iter().map(farther).sum();
    Some(sum / (must.len() * cannot.len()) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datasets;
    use crate::links::draw;

    #[test]
    fn columns_of_like_size_and_rows_of_length_one_stay() {
        let moons = datasets::moons(100, 0.1, 1).unwrap();
        assert_eq!(choose(&moons.points, &Links::new()).scaling, Scaling::None);
        let angles = (0..50).flat_map(|at| [(at as f64).cos(), (at as f64).sin()]);
        let points = Points::new(angles.collect::<Vec<f64>>(), 2).unwrap();
        let choice = choose(&points, &Links::new());
        assert_eq!((choice.scaling, &choice.reason[..]), (Scaling::None, "rows have length 1"));
    }

    #[test]
    fn a_constant_column_has_no_size() {
        let points = Points::new(vec![1.0, 7.0, 2.0, 7.0, 3.0, 7.0], 2).unwrap();
        assert_eq!(choose(&points, &Links::new()).scaling, Scaling::None);
    }

    #[test]
    fn links_overrule_columns_that_are_of_like_size() {
        // Classes by a column that is ten times as small as one of noise.
        let blobs = datasets::blobs(120, 1, 2, 0.3, 4.0, 3).unwrap();
        let noise = |at: usize| 60.0 * ((at * 7919 % 120) as f64 / 120.0);
        let rows = blobs.points.rows().enumerate().flat_map(|(at, row)| [row[0], noise(at)]);
        let points = Points::new(rows.collect::<Vec<f64>>(), 2).unwrap();
        let links = draw(&blobs.labels, 100, 1).unwrap();
        assert_eq!(choose(&points, &Links::new()).scaling, Scaling::None);
        assert_ne!(choose(&points, &links).scaling, Scaling::None);
    }

    #[test]
    fn the_share_of_must_links_that_are_nearer_is_counted_by_pairs() {
        // Another path: all pairs of a must-link and a cannot-link, one by one.
        let moons = datasets::moons(80, 0.2, 5).unwrap();
        let links = draw(&moons.labels, 60, 2).unwrap();
        let distance = |a: usize, b: usize| distance_sq(moons.points.row(a), moons.points.row(b));
        let (mut n, mut nearer) = (0.0, 0.0);
        for must in links.iter().filter(|link| link.kind == LinkKind::Must) {
            for cannot in links.iter().filter(|link| link.kind == LinkKind::Cannot) {
                n += 1.0;
                let (near, far) = (distance(must.a, must.b), distance(cannot.a, cannot.b));
                nearer += if near < far {
                    1.0
                } else if near == far {
                    0.5
                } else {
                    0.0
                };
            }
        }
        let share = share_nearer(&moons.points, &links, Scaling::None).unwrap();
        assert!((share - nearer / n).abs() < 1e-12);
    }
}
