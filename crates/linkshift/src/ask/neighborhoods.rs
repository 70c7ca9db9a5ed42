//! The groups that are known to be apart from each other: what a point can be asked against.

use super::answers::{Answer, Answers};
use super::question::Pair;
use crate::distance::distance_sq_f64;
use crate::points::Points;
use crate::real::Real;
use std::collections::HashMap;

/// Groups of rows, each known to belong apart from each other one.
///
/// Answers in any order leave groups whose relation is open. Here groups are taken by falling
/// size (then the older first) as long as they are apart from all taken before; a row of any
/// other group still has to find its place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Neighborhoods {
    /// The rows of each, ascending.
    pub(super) members: Vec<Vec<usize>>,
    /// For each row its neighbourhood.
    pub(super) of_row: Vec<Option<u32>>,
    /// Rows of which a person could not say whether they belong to one of the neighbourhoods;
    /// others are asked about before them, that is, not at all.
    pub(super) set_aside: Vec<bool>,
}

impl Neighborhoods {
    pub(super) fn of(answers: &Answers) -> Self {
        let closure = answers.closure();
        let first_told = first_told(answers);
        let mut groups: Vec<usize> = (0..closure.n_groups()).collect();
        let age = |group: usize| {
            let members = closure.members(group).iter();
            members.filter_map(|&row| first_told.get(&(row as usize))).min().copied()
        };
        groups.sort_by_key(|&group| (usize::MAX - closure.members(group).len(), age(group)));
        let mut taken: Vec<usize> = Vec::new();
        for group in groups {
            let apart = closure.cannot_groups_of(group);
            let is_apart = |other: &usize| apart.binary_search_by_key(other, |c| c.group).is_ok();
            if taken.iter().all(is_apart) {
                taken.push(group);
            }
        }
        taken.sort_by_key(|&group| age(group));
        let rows = |&group: &usize| closure.members(group).iter().map(|&row| row as usize);
        let mut found = Neighborhoods {
            members: taken.iter().map(|group| rows(group).collect()).collect(),
            of_row: vec![None; answers.n_points()],
            set_aside: vec![false; answers.n_points()],
        };
        found.number_rows();
        found.set_unsure_aside(answers);
        found
    }

    /// Makes a row the first neighbourhood where there is none: someone has to begin.
    pub(super) fn begin_with(&mut self, row: usize, answers: &Answers) {
        self.members.push(vec![row]);
        self.number_rows();
        self.set_unsure_aside(answers);
    }

    fn number_rows(&mut self) {
        for (number, members) in self.members.iter().enumerate() {
            members.iter().for_each(|&row| self.of_row[row] = Some(number as u32));
        }
    }

    fn set_unsure_aside(&mut self, answers: &Answers) {
        for told in answers.told().iter().filter(|told| told.answer == Answer::Unsure) {
            for (row, other) in [(told.a, told.b), (told.b, told.a)] {
                self.set_aside[row] |= self.of_row[row].is_none() && self.of_row[other].is_some();
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.members.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Whether a row still has to find its place, and can.
    pub(super) fn is_free(&self, row: usize) -> bool {
        self.of_row[row].is_none() && !self.set_aside[row]
    }

    /// How many rows found their place since the newest neighbourhood turned up.
    pub(super) fn n_since_newest(&self, answers: &Answers) -> usize {
        let first_told = first_told(answers);
        let age = |row: &usize| first_told.get(row).copied().unwrap_or_default();
        let founded = |members: &Vec<usize>| members.iter().map(age).min();
        let newest = self.members.iter().filter_map(founded).max().unwrap_or_default();
        self.members.iter().flatten().filter(|&row| age(row) > newest).count()
    }

    /// The one of `k` neighbourhoods that a row outside is not known to be apart from.
    pub(super) fn only_place_left(&self, answers: &Answers, row: usize, k: usize) -> Option<usize> {
        if self.len() != k || self.of_row[row].is_some() {
            return None;
        }
        let closure = answers.closure();
        let apart_from = closure.cannot_groups_of(closure.group_of(row)?);
        let is_apart = |members: &[usize]| {
            let group = closure.group_of(members[0]);
            apart_from.iter().any(|other| Some(other.group) == group)
        };
        let mut left = (0..k).filter(|&number| !is_apart(&self.members[number]));
        left.next().filter(|_| left.next().is_none())
    }

    /// The squared distance from a row to the nearest member of a neighbourhood, and that member.
    pub(super) fn nearest_member<T: Real>(
        &self,
        points: &Points<'_, T>,
        row: usize,
        number: usize,
    ) -> (f64, usize) {
        let apart =
            |&member: &usize| (distance_sq_f64(points.row(row), points.row(member)), member);
        let nearest = self.members[number].iter().map(apart);
        nearest.min_by(|x, y| x.0.total_cmp(&y.0)).unwrap_or((f64::INFINITY, row))
    }

    /// The neighbourhoods by the distance of their nearest member.
    pub(super) fn nearest_first<T: Real>(&self, points: &Points<'_, T>, row: usize) -> Vec<usize> {
        let distance = |number: &usize| self.nearest_member(points, row, *number).0;
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
        order
    }

    /// The question that goes on finding the place of a row: against the first neighbourhood of
    /// `order` whose relation is open, by the member nearest to the row.
    pub(super) fn question<T: Real>(
        &self,
        points: &Points<'_, T>,
        answers: &Answers,
        row: usize,
        order: &[usize],
        guess: Answer,
    ) -> Option<Pair> {
        let open = |&&number: &&usize| answers.known(row, self.members[number][0]).is_none();
        let number = *order.iter().find(open)?;
        let (_, member) = self.nearest_member(points, row, number);
        let chance = if guess == Answer::Same { 1.0 } else { 0.0 };
        Some(Pair { a: row, b: member, guess, chance, again: false })
    }
}

/// For each row named by an answer that is a link, the position of the first such answer.
fn first_told(answers: &Answers) -> HashMap<usize, usize> {
    let mut first = HashMap::new();
    for (position, told) in answers.told().iter().enumerate() {
        if told.answer != Answer::Unsure {
            first.entry(told.a).or_insert(position);
            first.entry(told.b).or_insert(position);
        }
    }
    first
}
