//! Groups of must-linked points as single weighted points (the closures of Eq. 4).

use super::seeding::mean;
use crate::error::Result;
use crate::links::{Link, LinkClosure, Links};
use crate::points::Points;
use crate::real::Real;

/// Points, of which those that must-links join are one.
pub(super) struct Units<T: Real> {
    /// The mean of each unit, with the weight of its points together.
    pub(super) points: Points<'static, T>,
    /// Row → unit.
    pub(super) of: Vec<u32>,
    /// The cannot-links between units.
    pub(super) closure: LinkClosure,
    /// Unit → its first row.
    pub(super) first_row: Vec<usize>,
}

impl<T: Real> Units<T> {
    /// Units are numbered by their first row.
    pub(super) fn new(points: &Points<'_, T>, closure: &LinkClosure) -> Result<Self> {
        let n = points.n_points();
        let mut unit_of_group = vec![u32::MAX; closure.n_groups()];
        let (mut values, mut weights) = (Vec::new(), Vec::new());
        let (mut of, mut first_row) = (Vec::with_capacity(n), Vec::new());
        for row in 0..n {
            let group = closure.group_of(row);
            if let Some(group) = group.filter(|&group| unit_of_group[group] != u32::MAX) {
                of.push(unit_of_group[group]);
                continue;
            }
            let unit = weights.len() as u32;
            let rows: Vec<usize> = match group {
                Some(group) => closure.members(group).iter().map(|&row| row as usize).collect(),
                None => vec![row],
            };
            if let Some(group) = group {
                unit_of_group[group] = unit;
            }
            if rows.len() == 1 {
                values.extend_from_slice(points.row(row));
            } else {
                values.extend(mean(points, &rows));
            }
            weights.push(rows.iter().map(|&row| points.weight(row)).sum());
            of.push(unit);
            first_row.push(row);
        }
        let links: Links = closure
            .cannot_pairs()
            .iter()
            .map(|pair| {
                let [a, b] = [pair.a, pair.b].map(|group| unit_of_group[group] as usize);
                Link { confidence: pair.confidence, ..Link::cannot(a, b) }
            })
            .collect();
        let closure = links.close(weights.len())?;
        let points = Points::checked_before(values, points.n_features(), Some(weights));
        Ok(Self { points, of, closure, first_row })
    }

    /// The weight of a unit.
    pub(super) fn weight(&self, unit: usize) -> f64 {
        self.points.weight(unit).as_f64()
    }
}
